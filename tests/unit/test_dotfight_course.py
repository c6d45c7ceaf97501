"""Where Dotfight's men are lost and who stands inside, followed through the log, against the pages themselves."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from engine.dotfight.game import DOTFIGHT, Played
from engine.dotfight.match import Match
from engine.dotfight.page import ROAD, Page
from engine.dotfight.players import PLAYERS
from engine.dotfight.record import RecordedScript
from engine.dotfight.rules import Rules
from engine.rng import Streams
from lab.games._dotfight_losses import INSIDE, OFF_PAGE, OUTSIDE, OWN_INK, SHOT, course_of
from lab.games._dotfight_losses import ROAD as ON_ROAD
from lab.games.dotfight import ADAPTER

SETTINGS = {
    "plain": {},
    "long roads": {"road_turns": 3, "bases_per_side": 3},
    "friendly fire": {"friendly_fire": True},
    "cut short": {"max_turns": 9},
}


@cache
def games(setting: str) -> list[Played]:
    rules = Rules.parse({"bases_per_side": 2, "soldiers_per_base": 6, "geometry": "kernel", **SETTINGS[setting]})
    return [
        DOTFIGHT.play(rules, (PLAYERS["random"](), PLAYERS[other]()), Streams(seed, 0))
        for seed, other in enumerate(["random"] * 8 + ["greedy"] * 2)
    ]


def inside(page: Page, side: int) -> int:
    men = page.men
    here = (men["alive"] == 1) & (men["side"] == side) & (men["inside"] >= 0) & (men["status"] != ROAD)
    return int(np.count_nonzero(here))


def known_inside(game: Played) -> dict[tuple[int, int], int]:
    """Return men inside by turn and side, from playing the game again.

    When the pen has been handed over, the page shows the turn before for the side that gave it away: the other's
    convoys may have arrived since.
    """
    match = Match(game.rules, game.start.copy())
    script = RecordedScript(game.rules, game.actions())
    found = {(0, side): inside(game.start, side) for side in (0, 1)}
    while not match.page.over:
        turn = match.page.turn
        match.step(script)
        if match.page.turn > turn:
            side = 1 - match.page.current
            found[match.page.turn - 1, side] = inside(match.page, side)
    return found | {(match.page.turn, side): inside(match.page, side) for side in (0, 1)}


@pytest.mark.parametrize("setting", SETTINGS)
def test_men_inside_are_those_on_the_page_after_every_turn(setting: str):
    for game in games(setting):
        counted, known = course_of(game).inside, known_inside(game)
        assert len(counted) == game.end.turn + 1
        assert {(turn, side): counted[turn][side] for turn, side in known} == known
        assert len(known) > game.end.turn // 2


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_man_lost_is_lost_once_where_he_lay(setting: str):
    for game in games(setting):
        losses = course_of(game).losses
        men = game.end.men
        assert len(losses) == np.count_nonzero(men["alive"] == 0)
        for loss in losses:
            dead = men[(men["alive"] == 0) & (men["side"] == loss.side)]
            nearest = np.hypot(dead["x"] - loss.x, dead["y"] - loss.y).min()
            assert nearest <= game.rules.hit_reach + 1e-6


def test_all_ways_to_be_lost_come_up():
    seen = {loss.how for setting in SETTINGS for game in games(setting) for loss in course_of(game).losses}
    assert seen == {INSIDE, OUTSIDE, ON_ROAD, SHOT, OFF_PAGE, OWN_INK}


def test_with_friendly_fire_the_men_add_up():
    """Identities hold there too; without those crossed out by their own side they would not."""
    rows = [ADAPTER.measure(game) for game in games("friendly fire")]
    lost = [row["kills"] + row["lungers_shot"] + row["lungers_off_page"] + row["own_crossed_out"] for row in rows]
    assert [row["men"] - row["survivors"] for row in rows] == lost
    assert sum(row["own_crossed_out"] for row in rows) > 0


def test_a_man_placed_inside_a_neighbours_wall_is_in_that_garrison():
    """Placed far enough about his own base he may stand in the next one of his side, and mans it (R6.5)."""
    rules = Rules.parse({"bases_per_side": 3, "soldiers_per_base": 8, "position_reach": 80, "geometry": "kernel"})
    game = DOTFIGHT.play(rules, (PLAYERS["dawood"](), PLAYERS["dawood"]()), Streams(4, 5))
    men = game.start.men
    assert ((men["inside"] >= 0) & (men["inside"] != men["home"])).any(), "nobody stands so: choose another game"
    row = ADAPTER.measure(game)
    assert row["inside_start"] == np.count_nonzero(men["inside"] >= 0)
    assert row["inside_start"] == row["inside_first"][0] + row["inside_second"][0]
