"""What only many games show: the levels are in order, and random moves are evenly random."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy.stats import binom, chisquare, norm

from engine.dodgem.game import GAME
from engine.dodgem.players import Crazy, Easy, Hard, Normal, Player, Random
from engine.dodgem.rules import DodgemRules
from engine.rng import Streams

FALSE_ALARM = 1e-5
"""Chance that two equally strong players are called unequal in a given order, in each test."""

GAMES = 600
"""With so many games a player who scores 0.65 of the points is found in 99.8 of 100 tests: see below."""


def points(better: Player, worse: Player, games: int = GAMES) -> float:
    """Share of the points of 4 × 4 games, a draw counting half, each seat taken in turn."""
    score = 0.0
    rules = DodgemRules(board=4)
    for index in range(games):
        seat = index % 2
        players = (better, worse) if seat == 0 else (worse, better)
        winner = GAME.play(rules, players, Streams(20261130, index)).winner
        score += 0.5 if winner is None else float(winner == seat)
    return score / games


def enough(games: int = GAMES) -> float:
    """The share of points above which the players are unequal; a game's points vary by 1/4 at most."""
    return 0.5 + float(norm.isf(FALSE_ALARM)) * sqrt(0.25 / games)


@pytest.mark.parametrize(
    ("better", "worse"),
    [(Easy(), Random()), (Normal(), Easy()), (Hard(), Normal()), (Crazy(), Hard())],
    ids=lambda player: player.name,
)
def test_each_level_beats_the_one_below(better: Player, worse: Player):
    assert points(better, worse) > enough()


def test_that_a_level_does_not_beat_itself():
    """The test's own test: equal players are not called unequal."""
    assert points(Normal(), Normal()) < enough()


def test_what_the_test_of_levels_can_detect():
    """A player that wins 65 games of 100 fails to be found in fewer than 2 tests of 1,000."""
    needed = int(enough() * GAMES)
    assert binom.cdf(needed, GAMES, 0.65) < 2e-3


def test_random_moves_are_evenly_random():
    """Opening moves of 5 × 5 by chi-square, false alarm 1e-5; a move 1.5 times too likely would be found."""
    assert chisquare(openings(4_000)).pvalue > 1e-5


def test_uneven_random_moves_are_found():
    """The planted fault: one opening half as frequent again, as far as counts go."""
    counts = openings(4_000)
    uneven = counts.astype(float)
    uneven[0] *= 1.5
    assert chisquare(uneven * counts.sum() / uneven.sum()).pvalue < 1e-5


def openings(games: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How often the random player begins with each of its moves."""
    rules = DodgemRules(board=5, max_moves=1)
    seen = [str(GAME.play(rules, (Random(), Random()), Streams(6, index)).moves[0]) for index in range(games)]
    names, counts = np.unique(seen, return_counts=True)
    assert len(names) == 5
    return counts
