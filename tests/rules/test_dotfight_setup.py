"""Dotfight's clauses R1.1 to R3.3: the page, drawing bases, jotting men and arranging them."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from math import hypot

import numpy as np
import pytest
from dotfight_pages import AHEAD, DOWN, FIRST, OUT_OF_THE_WAY, RIGHT, SECOND, START, Scene, approx, end
from numpy.typing import NDArray

from engine.dotfight.actions import Intent, Send
from engine.dotfight.game import DOTFIGHT
from engine.dotfight.hand import HUMAN
from engine.dotfight.log import BaseEmptied, FlickPlayed
from engine.dotfight.page import NOWHERE, Page
from engine.dotfight.players import PLAYERS
from engine.dotfight.rules import Rules
from engine.dotfight.setup import set_up, setup_stream
from engine.errors import GameError
from engine.rng import Streams

RANDOM = (PLAYERS["random"](), PLAYERS["random"]())

GRID = ((300.0, 1400.0), (300.0, 300.0), (700.0, 1400.0), (700.0, 300.0))
"""Two bases a side, drawn in turn, well apart."""


class Told:
    """A seat that draws and moves as it is told, and writes down what it saw."""

    skill = HUMAN

    def __init__(self, places: list[tuple[float, float]], move: Callable[[Page], None] = lambda page: None) -> None:
        self.places = places
        self.move = move
        self.drawn: list[int] = []
        self.saw: NDArray[np.void] | None = None

    def draw_base(self, bases: NDArray[np.void], drawn: int, rng: np.random.Generator) -> tuple[float, float] | None:
        self.drawn.append(drawn)
        return self.places.pop(0)

    def arrange(self, page: Page, rng: np.random.Generator) -> None:
        self.saw = page.men.copy()
        self.move(page)

    def act(self, page: Page, rng: np.random.Generator) -> Intent:
        raise NotImplementedError


def begin(rules: Rules, first: Told, second: Told, seed: int = 1) -> Page:
    streams = Streams(seed, 0)
    return set_up(rules, (first, second), streams, setup_stream(streams))


def drawn_at(*centres: tuple[float, float], **settings: object) -> Page:
    """Set a game up whose sides draw these bases in turn."""
    rules = Rules(**{"bases_per_side": len(centres) // 2, **settings})
    return begin(rules, Told(list(centres[::2])), Told(list(centres[1::2])))


def arranged(move: Callable[[Page], None], side: int = FIRST, **settings: object) -> Page:
    """Set a game up in which one side moves men."""
    told = [Told(list(GRID[::2])), Told(list(GRID[1::2]))]
    told[side].move = move
    return begin(Rules(**{"bases_per_side": 2, "soldiers_per_base": 3, **settings}), *told)


def put(man: int, x: float, y: float) -> Callable[[Page], None]:
    def move(page: Page) -> None:
        page.men["x"][man], page.men["y"][man] = x, y

    return move


# R1 The page


def test_R1_1_the_sheet_is_1000_by_1700_and_its_origin_the_top_left():
    """A line goes right to x = 1000 at angle 0 and down to y = 1700 at a quarter turn."""
    scene = Scene((800.0, 1500.0), (800.0, 200.0))
    man = scene.man(0, 400.0, 850.0)
    assert end(scene.snipe(man, RIGHT, 2000.0)) == approx((1000.0, 850.0))
    assert end(scene.snipe(man, DOWN, 2000.0)) == approx((400.0, 1700.0))


def test_R1_1_the_margin_line_is_at_70():
    """A base may be drawn 8 from it, so its centre 140 from the edge."""
    drawn_at((140.0, 1400.0), (140.0, 300.0))
    with pytest.raises(GameError, match="margin line"):
        drawn_at((139.9, 1400.0), (140.0, 300.0))


def test_R1_2_every_line_and_every_crossing_out_is_kept_in_order():
    """A record, read back from JSON, draws the whole page again."""
    rules = Rules(bases_per_side=2, soldiers_per_base=3)
    game = DOTFIGHT.play(rules, RANDOM, Streams(1, 0))
    record = game.record()
    flicks = [entry for entry in game.log if isinstance(entry, FlickPlayed)]
    again = [e for e in DOTFIGHT.replay(json.loads(json.dumps(record))).log if isinstance(e, FlickPlayed)]
    assert len(flicks) > 5
    assert len([action for action in record["actions"] if action["do"] in ("snipe", "lunge")]) == len(flicks)
    for before, after in zip(flicks, again, strict=True):
        assert after.flick.man == before.flick.man
        assert after.outcome.ending == before.outcome.ending
        assert after.outcome.events.tobytes() == before.outcome.events.tobytes()
    dead = [man for flick in flicks for man in flick.outcome.crossed_out().tolist()]
    lost = [flick.flick.man for flick in flicks if flick.outcome.ending.lost]
    assert sorted(dead + lost) == np.flatnonzero(game.end.men["alive"] == 0).tolist()


@pytest.mark.parametrize("geometry", ["shapely", "kernel"])
@pytest.mark.parametrize(("aside", "hit"), [(10.0, True), (10.2, False), (-10.0, True), (-10.2, False)])
def test_R1_3_a_line_within_10_1_of_a_mans_centre_crosses_him_out(geometry: str, aside: float, hit: bool):
    scene = Scene(geometry=geometry)
    man = scene.man(0, *START)
    scene.man(1, 338.0, 850.0 + aside)
    assert scene.snipe(man, RIGHT, 400.0).ending.kills == int(hit)


def test_R1_3_that_is_a_dot_half_the_ink_and_some_goodwill():
    rules = Rules()
    assert rules.hit_reach == approx(rules.dot_radius + 1.6 + 1.5)


# R2 Bases


def test_R2_1_the_sides_draw_in_turn_first_side_first():
    first, second = Told(list(GRID[::2])), Told(list(GRID[1::2]))
    page = begin(Rules(bases_per_side=2), first, second)
    assert (first.drawn, second.drawn) == ([0, 2], [1, 3])
    assert page.bases["side"].tolist() == [0, 1, 0, 1]
    assert list(zip(page.bases["x"].tolist(), page.bases["y"].tolist(), strict=True)) == list(GRID)


@pytest.mark.parametrize(
    ("at", "fits"),
    [
        ((140.0, 1400.0), True),
        ((139.9, 1400.0), False),
        ((922.0, 1400.0), True),
        ((922.1, 1400.0), False),
        ((500.0, 1622.0), True),
        ((500.0, 1622.1), False),
        ((500.0, 78.0), True),
        ((500.0, 77.9), False),
    ],
)
def test_R2_2_a_base_keeps_8_from_the_margin_and_16_from_the_edges(at: tuple[float, float], fits: bool):
    """Its radius is 62: 70 + 8 + 62 = 140, 1000 - 16 - 62 = 922, 1700 - 16 - 62 = 1622, 16 + 62 = 78."""
    if fits:
        drawn_at(at, (500.0, 850.0))
    else:
        with pytest.raises(GameError, match=r"base 1 of 2 cannot be drawn: .*edge.* \(R2.2; seed 1, game 0\)"):
            drawn_at(at, (500.0, 850.0))


@pytest.mark.parametrize(("x", "fits"), [(300.0 + 164.0, True), (300.0 + 163.9, False)])
def test_R2_2_own_walls_are_40_apart(x: float, fits: bool):
    """Centres 62 + 40 + 62 = 164 apart."""
    bases = [(300.0, 1400.0), (300.0, 300.0), (x, 1400.0), (700.0, 300.0)]
    if fits:
        drawn_at(*bases)
    else:
        with pytest.raises(GameError, match="base 3 of 4 cannot be drawn: too near base 0"):
            drawn_at(*bases)


@pytest.mark.parametrize(("y", "fits"), [(1400.0 - 304.0, True), (1400.0 - 303.9, False)])
def test_R2_2_enemy_walls_are_180_apart(y: float, fits: bool):
    """Centres 62 + 180 + 62 = 304 apart."""
    if fits:
        drawn_at((300.0, 1400.0), (300.0, y))
    else:
        with pytest.raises(GameError, match="base 2 of 2 cannot be drawn: too near base 0"):
            drawn_at((300.0, 1400.0), (300.0, y))


def test_R2_3_bases_are_jotted_full_inside_the_wall_and_spaced():
    """Within 62 - 2.2·7 = 46.6 of the centre, no two nearer than 3.2·7 = 22.4."""
    page = drawn_at(*GRID)
    men, bases = page.men, page.bases
    assert men.size == 4 * 8
    for base in range(4):
        own = men[men["home"] == base]
        assert own.size == 8
        assert np.hypot(own["x"] - bases["x"][base], own["y"] - bases["y"][base]).max() <= 46.6
        assert min(hypot(a["x"] - b["x"], a["y"] - b["y"]) for a, b in combinations(own, 2)) >= 22.4
    assert men["alive"].all()
    assert (men["side"] == men["home"] % 2).all()


def test_R2_3_spacing_shrinks_by_a_fifth_where_the_dots_do_not_fit():
    """Discs of 11.2 about 30 dots are 113% of the disc they must lie in; at four fifths of that it is 78%."""
    page = drawn_at(*GRID, soldiers_per_base=30)
    own = page.men[page.men["home"] == 0]
    nearest = min(hypot(a["x"] - b["x"], a["y"] - b["y"]) for a, b in combinations(own, 2))
    shrunk = [22.4 * 0.8**i for i in range(1, 8)]
    assert any(0.0 <= nearest - spacing < 1.0 for spacing in shrunk)


def test_R2_3_as_many_as_a_base_can_hold_are_jotted():
    page = drawn_at(*GRID, soldiers_per_base=46)
    own = page.men[page.men["home"] == 0]
    assert own.size == 46
    assert np.hypot(own["x"] - 300.0, own["y"] - 1400.0).max() <= 46.6


def test_R2_3_the_seed_decides_every_dot():
    def page(seed: int) -> Page:
        return begin(Rules(bases_per_side=2), Told(list(GRID[::2])), Told(list(GRID[1::2])), seed)

    assert page(5).men.tobytes() == page(5).men.tobytes()
    assert page(5).men.tobytes() != page(6).men.tobytes()


@pytest.mark.parametrize(("bases", "soldiers"), [(3, 8), (4, 8), (5, 10), (1, 1), (2, 5)])
def test_R2_4_sizes_quick_classic_dawoods_own_and_others(bases: int, soldiers: int):
    rules = Rules(bases_per_side=bases, soldiers_per_base=soldiers)
    page = DOTFIGHT.play(rules, RANDOM, Streams(1, 0)).start
    assert np.bincount(page.bases["side"]).tolist() == [bases, bases]
    assert np.bincount(page.men["home"]).tolist() == [soldiers] * 2 * bases


def test_R2_4_the_default_is_classic():
    assert (Rules().bases_per_side, Rules().soldiers_per_base) == (4, 8)


def test_R2_5_an_emptied_base_stays_as_a_ring_and_can_be_manned_again():
    """First's base 2 loses its only man; the ring still takes 3% of a snipe; two men walk there and man it."""
    scene = Scene(*OUT_OF_THE_WAY, AHEAD, (850.0, 200.0))
    (stays, *walkers), last = scene.garrison(0, 3), scene.man(2, 500.0, 850.0)
    enemy = scene.man(1, 900.0, 850.0)
    wait = scene.man(1, 900.0, 100.0)
    scene.play_snipe(stays, RIGHT, 100.0)
    scene.play_snipe(enemy, np.pi, 500.0)
    assert not scene.alive(last)
    assert BaseEmptied(turn=2, base=2) in scene.match.log
    assert scene.snipe(enemy, np.pi, 400.0).events["cost"].tolist() == approx([0.03])
    scene.play(Send(0, 2, tuple(walkers)))
    scene.play_snipe(stays, RIGHT, 100.0)
    scene.play_snipe(wait, DOWN, 30.0)
    assert scene.page.men["inside"][walkers].tolist() == [2, 2]
    assert scene.snipe(enemy, np.pi, 350.0).events["cost"].tolist() == approx([0.03 + 0.82 * 2 / 8])


# R3 Positioning


def test_R3_1_first_arranges_then_second_who_sees_it():
    first, second = Told(list(GRID[::2]), put(0, 300.0, 1400.0 - 80.0)), Told(list(GRID[1::2]))
    jotted = drawn_at(*GRID)
    begin(Rules(bases_per_side=2), first, second)
    assert first.saw is not None
    assert second.saw is not None
    assert first.saw["y"].tolist() == jotted.men["y"].tolist()
    assert (second.saw["x"][0], second.saw["y"][0]) == (300.0, 1320.0)


@pytest.mark.parametrize("side", [FIRST, SECOND])
def test_R3_1_nobody_arranges_the_others_men(side: int):
    theirs, x, y = (3, 300.0, 300.0) if side == FIRST else (0, 300.0, 1400.0)
    with pytest.raises(GameError, match=rf"man {theirs} is not his side's to move \(R3.2; seed 1, game 0\)"):
        arranged(put(theirs, x, y + 70.0), side)


@pytest.mark.parametrize(("away", "allowed"), [(81.9, True), (82.1, False)])
def test_R3_2_a_man_stands_within_20_of_his_bases_wall(away: float, allowed: bool):
    move = put(0, 300.0 + away, 1400.0)
    if allowed:
        assert arranged(move).men["inside"][0] == NOWHERE
    else:
        with pytest.raises(GameError, match="man 0 stands too far from his base"):
            arranged(move)


def test_R3_2_or_anywhere_inside():
    """A man may stand in the middle, nearer the wall than any dot is jotted, and on the line."""
    for away in (60.0, 62.0):
        assert arranged(put(0, 300.0, 1400.0 - away)).men["inside"][0] == 0


@pytest.mark.parametrize(("away", "allowed"), [(16.9, True), (16.7, False)])
def test_R3_2_not_nearer_than_2_4_dots_to_any_living_man(away: float, allowed: bool):
    """2.4·7 = 16.8."""

    def move(page: Page) -> None:
        put(0, 300.0, 1470.0)(page)
        put(1, 300.0 + away, 1470.0)(page)

    if allowed:
        arranged(move)
    else:
        with pytest.raises(GameError, match="man 0 stands too near another"):
            arranged(move)


def test_R3_2_not_in_reach_of_an_enemy_base():
    """62·1.1 = 68.2 from its centre; a placing reach of 500 lets a man come so near."""

    def page(away: float) -> Page:
        told = Told([(300.0, 900.0)], put(0, 300.0, 500.0 + away)), Told([(300.0, 500.0)])
        return begin(Rules(bases_per_side=1, soldiers_per_base=3, position_reach=500.0), *told)

    page(68.3)
    with pytest.raises(GameError, match="man 0 stands too near an enemy base"):
        page(68.1)


@pytest.mark.parametrize(
    ("base", "spot", "allowed"),
    [
        ((140.0, 1400.0), (78.1, 1400.0), True),
        ((140.0, 1400.0), (77.9, 1400.0), False),
        ((922.0, 1400.0), (991.9, 1400.0), True),
        ((922.0, 1400.0), (992.1, 1400.0), False),
        ((500.0, 1622.0), (500.0, 1691.9), True),
        ((500.0, 1622.0), (500.0, 1692.1), False),
        ((500.0, 78.0), (500.0, 8.1), True),
        ((500.0, 78.0), (500.0, 7.9), False),
    ],
)
def test_R3_2_inside_the_page_and_the_margin_by_8(base: tuple[float, float], spot: tuple[float, float], allowed: bool):
    told = Told([base], put(0, *spot)), Told([(500.0, 850.0)])
    rules = Rules(bases_per_side=1, soldiers_per_base=3)
    if allowed:
        begin(rules, *told)
    else:
        with pytest.raises(GameError, match="man 0 stands too near the page's edge or the margin line"):
            begin(rules, *told)


def test_R3_2_a_man_left_where_he_was_jotted_is_well_placed():
    """Dots may be jotted nearer to each other than men may be placed; nobody has to move."""
    page = drawn_at(*GRID, soldiers_per_base=46)
    own = page.men[page.men["home"] == 0]
    assert min(hypot(a["x"] - b["x"], a["y"] - b["y"]) for a, b in combinations(own, 2)) < 16.8


@pytest.mark.parametrize(("radii", "inside"), [(1.0, True), (1.049, True), (1.051, False)])
def test_R3_3_inside_is_within_1_05_radii(radii: float, inside: bool):
    page = arranged(put(0, 300.0 - 62.0 * radii, 1400.0))
    assert page.men["inside"][0] == (0 if inside else NOWHERE)


@pytest.mark.parametrize(("radii", "inside"), [(1.04, 0), (1.06, NOWHERE)])
def test_R3_3_that_holds_for_a_lunger_too(radii: float, inside: int):
    """He runs from far to so many radii short of his base's centre."""
    scene = Scene(AHEAD, OUT_OF_THE_WAY[1])
    man, _ = scene.man(0, *START), scene.man(1, 900.0, 100.0)
    scene.play_lunge(man, RIGHT, 362.0 - 62.0 * radii)
    assert scene.page.men["inside"][man] == inside


def test_R3_3_inside_counts_for_ones_own_bases_only():
    scene = Scene(OUT_OF_THE_WAY[0], AHEAD)
    man = scene.man(0, *START)
    scene.play_lunge(man, RIGHT, 362.0)
    assert scene.place(man) == approx(AHEAD)
    assert scene.page.men["inside"][man] == NOWHERE
