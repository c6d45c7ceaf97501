"""How Dawood-bot sets up: bases in his bands, men within his stance.

The checks of distributions fail in one run of a million though nothing is wrong, and find, 99 times in a hundred, a
distribution function that is 10 points off somewhere.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from engine.dotfight.page import BASE, Page
from engine.dotfight.players import PLAYERS
from engine.dotfight.rules import Rules
from engine.dotfight.setup import set_up, setup_stream
from engine.rng import Streams
from lab.stats.checks import check_distribution

BOUNDS = {"half": (0.5, 1.0), "all": (1.0, 1.0), "spread": (0.0, 0.25)}
"""Least and greatest share of a base's men inside it at the first flick."""
SIZES = ((3, 8), (5, 10))
GAMES, BASES = 12, 2_000


@cache
def pages(stance: str, size: tuple[int, int]) -> list[Page]:
    rules = Rules(bases_per_side=size[0], soldiers_per_base=size[1])
    options = PLAYERS["dawood"].parse({"stance": stance})
    found = []
    for index in range(GAMES):
        streams = Streams(20261130, index)
        seats = tuple(options.take_seat(rules, side) for side in (0, 1))
        found.append(set_up(rules, seats, streams, setup_stream(streams)))
    return found


def shares_inside(page: Page) -> NDArray[np.float64]:
    """Return the share of each base's men who stand inside it, ``(bases,)``."""
    home, inside = page.men["home"], page.men["inside"]
    bases = np.arange(page.bases.size)
    return np.array([(inside[home == base] == base).mean() for base in bases])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("stance", BOUNDS)
def test_a_stance_bounds_the_share_of_men_inside(stance: str, size: tuple[int, int]):
    """That men stand where they may is checked whenever a game is set up (R3.2)."""
    low, high = BOUNDS[stance]
    for page in pages(stance, size):
        shares = shares_inside(page)
        assert shares.min() >= low
        assert shares.max() <= high


@pytest.mark.parametrize("size", SIZES)
def test_within_his_own_stance_he_does_step_out(size: tuple[int, int]):
    """So that "half" is not kept by staying in, nor "spread" by standing on the line."""
    half = np.concatenate([shares_inside(page) for page in pages("half", size)])
    assert half.mean() < 0.9
    assert half.min() < 0.7
    outside = [page.men["inside"] == -1 for page in pages("spread", size)]
    assert np.concatenate(outside).mean() > 0.75


@pytest.mark.parametrize("stance", BOUNDS)
def test_each_side_keeps_its_own_stance(stance: str):
    rules = Rules(bases_per_side=3)
    other = PLAYERS["dawood"].parse({"stance": "all" if stance != "all" else "spread"}).take_seat(rules, 1)
    first = PLAYERS["dawood"].parse({"stance": stance}).take_seat(rules, 0)
    streams = Streams(7, 0)
    shares = shares_inside(set_up(rules, (first, other), streams, setup_stream(streams)))
    low, high = BOUNDS[stance]
    assert shares[0::2].min() >= low
    assert shares[0::2].max() <= high
    assert shares[1::2].mean() == (1.0 if stance != "all" else pytest.approx(0.125, abs=0.125))


def first_bases(side: int, name: str = "dawood") -> NDArray[np.float64]:
    """Return where a side draws its first base on an empty page, many times over."""
    rules = Rules()
    seat = PLAYERS[name]().take_seat(rules, side)
    rng = np.random.default_rng(side)
    return np.array([seat.draw_base(np.zeros(rules.bases, BASE), 0, rng) for _ in range(BASES)])


BANDS = {0: (0.58 * 1700.0, 0.92 * 1700.0), 1: (0.08 * 1700.0, 0.42 * 1700.0)}


@pytest.mark.parametrize("side", [0, 1])
def test_bases_are_drawn_uniformly_in_the_sides_band(side: int):
    """x from 70 + 86.8 to 1000 - 86.8, where every height of either band is within the page by more than R2.2 asks."""
    x, y = first_bases(side).T
    low, high = BANDS[side]
    for values, start, end in ((x, 156.8, 913.2), (y, low, high)):
        assert start <= values.min() < values.max() <= end
        check = check_distribution(values, stats.uniform(start, end - start).cdf)
        assert check.passed, check
        assert check.detectable < 0.1, check


def test_the_other_sides_band_is_another_distribution():
    low, high = BANDS[1]
    assert not check_distribution(first_bases(0)[:, 1], stats.uniform(low, high - low).cdf).passed


def test_a_wider_band_is_caught():
    """The band that he takes only when there is no room in his first one."""
    low, high = BANDS[0]
    wider = 1700.0 * np.random.default_rng(1).uniform(0.53, 0.95, BASES)
    assert not check_distribution(wider, stats.uniform(low, high - low).cdf).passed


@pytest.mark.parametrize("side", [0, 1])
def test_when_the_band_is_full_bases_are_drawn_elsewhere(side: int):
    """Twelve bases a side of the book's size do not fit their bands; the page has room for them beyond."""
    rules = Rules(bases_per_side=12, soldiers_per_base=1, enemy_gap=40.0)
    streams = Streams(1, 0)
    seats = tuple(PLAYERS["greedy"]().take_seat(rules, s) for s in (0, 1))
    bases = set_up(rules, seats, streams, setup_stream(streams)).bases
    low, high = BANDS[side]
    heights = bases["y"][bases["side"] == side]
    assert ((heights >= low) & (heights <= high)).sum() >= 6


RECORD_GAMES, RECORD_UNEQUAL = 400, 221
"""Games of the record between two spreading sides, and those that began with different numbers inside (round 4)."""
SETUPS = 1_000
FALSE_ALARM = 1e-4


def differs_from_the_record(unequal: int) -> bool:
    """Say whether so many unequal of SETUPS are not what the record saw (Fisher's exact test)."""
    table = [[unequal, SETUPS - unequal], [RECORD_UNEQUAL, RECORD_GAMES - RECORD_UNEQUAL]]
    return stats.fisher_exact(table).pvalue < FALSE_ALARM


def test_two_spreading_sides_begin_unequal_as_often_as_in_the_record():
    """False alarm 1 in 10,000. Were 40 spots tried only by men who must move in their turn, it would be 42% here."""
    rules = Rules(bases_per_side=3)
    options = PLAYERS["dawood"].parse({"stance": "spread"})
    unequal = 0
    for index in range(SETUPS):
        streams = Streams(31, index)
        seats = tuple(options.take_seat(rules, side) for side in (0, 1))
        page = set_up(rules, seats, streams, setup_stream(streams))
        inside = [np.count_nonzero((page.men["inside"] >= 0) & (page.men["side"] == side)) for side in (0, 1)]
        unequal += inside[0] != inside[1]
    assert not differs_from_the_record(unequal), unequal
    assert differs_from_the_record(int(0.42 * SETUPS))
