"""Two Dawood-bots played on in compiled code must leave the very log that the match leaves, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.dotfight import duel
from engine.dotfight.game import DOTFIGHT, LiveScript
from engine.dotfight.log import ConvoyArrived, Entry, FlickPlayed, LungeDeclined, SendOrdered
from engine.dotfight.match import Match
from engine.dotfight.noting import Paper, paper_of
from engine.dotfight.page import Page
from engine.dotfight.players.dawood import Dawood
from engine.dotfight.rules import Rules
from engine.dotfight.setup import set_up, setup_stream
from engine.rng import Streams

GAMES = 12
ODD: dict[str, Any] = {
    "lunge_earns": "per_kill",
    "road_turns": 2,
    "friendly_fire": True,
    "garrison_curve": 2.0,
    "last_stand_at": 2,
    "snipe_earn_at": 1,
}
SHORT: dict[str, Any] = {"garrison": "flat", "max_turns": 12}
ALIKE = (Dawood(), Dawood())
UNLIKE = (Dawood(level="sloppy", stance="spread"), Dawood(level="sharp", stance="all", perfect_jolts="none"))


def step_by_step(rules: Rules, players: tuple[Dawood, Dawood], streams: Streams) -> tuple[list[Entry], Page]:
    seats = players[0].take_seat(rules, 0), players[1].take_seat(rules, 1)
    jotting = setup_stream(streams)
    page = set_up(rules, seats, streams, jotting)
    match = Match(rules, page)
    match.play(LiveScript(rules, seats, streams, jotting))
    return match.log, page


def same(a: Entry, b: Entry) -> bool:
    if isinstance(a, FlickPlayed) and isinstance(b, FlickPlayed):
        if not np.array_equal(a.outcome.events, b.outcome.events):
            return False
        return a._replace(outcome=a.outcome._replace(events=b.outcome.events)) == b
    return type(a) is type(b) and a == b


def differing(rules: Rules, players: tuple[Dawood, Dawood], games: int, seen: set[type] | None = None) -> int:
    """Return how many games differ in their log or their last page."""
    n = 0
    for index in range(games):
        played = DOTFIGHT.play(rules, players, Streams(17, index))
        log, page = step_by_step(rules, players, Streams(17, index))
        entries_same = len(log) == len(played.log) and all(map(same, log, played.log))
        page_same = np.array_equal(page.men, played.end.men) and bytes(page.pen) == bytes(played.end.pen)
        n += not (entries_same and page_same)
        if seen is not None:
            seen.update(map(type, log))
    return n


@pytest.mark.parametrize("players", [ALIKE, UNLIKE], ids=["alike", "unlike"])
@pytest.mark.parametrize("settings", [{}, ODD, SHORT], ids=["book", "odd", "short"])
@pytest.mark.parametrize("geometry", ["shapely", "kernel"])
def test_a_duel_is_the_match(geometry: str, settings: dict[str, Any], players: tuple[Dawood, Dawood]) -> None:
    rules = Rules.parse({"bases_per_side": 3, "geometry": geometry, **settings})
    assert differing(rules, players, GAMES) == 0


def test_all_that_can_happen_has_been_compared() -> None:
    seen: set[type] = set()
    differing(Rules(bases_per_side=3, geometry="kernel"), ALIKE, GAMES, seen)
    assert {FlickPlayed, SendOrdered, ConvoyArrived, LungeDeclined} <= seen


def test_a_log_longer_than_the_paper_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """With little paper, the log is written many times in a game."""
    paper = paper_of(0)
    little = paper._replace(notes=paper.notes[:9], normals=paper.normals[:9])

    def given(thread: int) -> Paper:
        return little

    monkeypatch.setattr(duel, "paper_of", given)
    assert differing(Rules(bases_per_side=3, geometry="kernel"), ALIKE, 4) == 0


def test_chance_out_of_step_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = duel.Duel.draw

    def fault(game: duel.Duel) -> None:
        draw(game)
        game.bows[1, 0] = 0.5

    monkeypatch.setattr(duel.Duel, "draw", fault)
    assert differing(Rules(bases_per_side=3, geometry="kernel"), ALIKE, 4) > 0
