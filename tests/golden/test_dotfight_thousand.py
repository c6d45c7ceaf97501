"""A thousand games of Dotfight as they were once played, a line each: no change for speed may change one of them.

A line has the game's winner, its turns and flicks, and a digest of the page at the start and of every action, to a
millionth of a page unit. ``python tests/golden/test_dotfight_thousand.py`` writes them anew; whatever that changes
changes results, and belongs in the change log.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.dotfight.actions import Flick
from engine.dotfight.game import DOTFIGHT, Played
from engine.dotfight.players import PLAYERS
from engine.dotfight.rules import Rules
from engine.rng import Streams

SEED = 20261130
DIGITS = 6
FILE = Path(__file__).with_name("dotfight-thousand.txt")


class Match(NamedTuple):
    """Who plays by which rules, and how many games."""

    games: int
    rules: dict[str, Any]
    first: dict[str, Any]
    second: dict[str, Any]


def by(**options: Any) -> dict[str, Any]:
    return {"name": "dawood", **options}


ODD = {
    "bases_per_side": 4,
    "lunge_earns": "per_kill",
    "road_turns": 3,
    "friendly_fire": True,
    "garrison_curve": 2.0,
    "last_stand_at": 6,
    "snipe_earn_at": 1,
    "position_reach": 60.0,
}
MATCHES = {
    "quick": Match(550, {"bases_per_side": 3}, by(), by()),
    "classic": Match(90, {}, by(level="sharp"), by(level="sloppy")),
    "dawood": Match(60, {"bases_per_side": 5, "soldiers_per_base": 10}, by(), by()),
    "stances": Match(80, {"bases_per_side": 3}, by(stance="all"), by(stance="spread")),
    "flat": Match(60, {"bases_per_side": 3, "garrison": "flat"}, by(perfect_jolts="none"), by()),
    "odd": Match(60, ODD, by(), by(forbid=["decline"])),
    "forbidden": Match(50, {"bases_per_side": 3}, by(forbid=["lunge"]), by(forbid=["send"])),
    "others": Match(50, {"bases_per_side": 2, "soldiers_per_base": 4}, {"name": "greedy"}, {"name": "random"}),
}


def play(match: Match, index: int) -> Played:
    rules = Rules.parse({**match.rules, "geometry": "kernel"})
    first, second = (
        PLAYERS[options["name"]].parse({key: value for key, value in options.items() if key != "name"})
        for options in (match.first, match.second)
    )
    return DOTFIGHT.play(rules, (first, second), Streams(SEED, index))


def rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0  # no negative zero
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    return [rounded(inner) for inner in value] if isinstance(value, list | tuple) else value


def line(game: Played) -> str:
    record = rounded(game.record())
    told = json.dumps([record["bases"], record["men"], record["actions"], record["result"]])
    flicks = sum(isinstance(action, Flick) for action in game.actions())
    result = record["result"]
    return f"{result['winner']} {result['turns']} {flicks} {hashlib.sha256(told.encode()).hexdigest()[:12]}"


def lines(name: str) -> list[str]:
    return [f"{name} {index} {line(play(MATCHES[name], index))}" for index in range(MATCHES[name].games)]


def golden() -> list[str]:
    return FILE.read_text(encoding="utf-8").splitlines()


def test_there_are_a_thousand():
    assert len(golden()) == sum(match.games for match in MATCHES.values()) == 1000


@pytest.mark.parametrize("name", MATCHES)
def test_games_are_as_they_were(name: str):
    assert lines(name) == [known for known in golden() if known.split()[0] == name]


def test_a_hair_in_the_hand_is_noticed():
    match = MATCHES["quick"]
    changed = match._replace(rules={**match.rules, "link_tremor": 0.0501})
    assert line(play(match, 0)) == golden()[0].removeprefix("quick 0 ")
    assert any(line(play(changed, index)) != line(play(match, index)) for index in range(5))


if __name__ == "__main__":
    FILE.write_text("\n".join(known for name in MATCHES for known in lines(name)) + "\n", encoding="utf-8")
