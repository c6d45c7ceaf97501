"""Games of Dotfight as they were once played, as records and as text.

Two things can change them, and two tests tell them apart. A record replayed must give its text: if it does not, the
rules have changed. The same seed must give the same record: if it does not while the text still stands, a player or
his chance has changed.

``python tests/golden/test_dotfight_golden.py`` writes all of them anew. Whatever that changes changes results, and
belongs in the change log.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from dotfight_transcript import transcript

from engine.dotfight.game import DOTFIGHT, Played
from engine.dotfight.players import PLAYERS
from engine.dotfight.rules import Rules
from engine.errors import RecordError
from engine.rng import Streams

HERE = Path(__file__).parent
SMALL = {"bases_per_side": 2, "soldiers_per_base": 3}
ODD = {
    **SMALL,
    "lunge_earns": "per_kill",
    "road_turns": 2,
    "friendly_fire": True,
    "garrison_curve": 2.0,
    "last_stand_at": 2,
    "snipe_earn_at": 1,
}
GAMES: dict[str, tuple[dict[str, Any], str, str, int]] = {
    "random": (SMALL, "random", "random", 18),
    "greedy": (SMALL, "greedy", "random", 3),
    "dawood": (SMALL, "dawood", "dawood", 1),
    "dawood-flat": ({**SMALL, "garrison": "flat", "last_stand_at": 0}, "dawood", "dawood", 45),
    "stalled": ({**SMALL, "max_turns": 6}, "random", "random", 7),
    "odd-rules": (ODD, "random", "dawood", 15),
}


def play(name: str) -> Played:
    settings, first, second, seed = GAMES[name]
    return DOTFIGHT.play(Rules.parse(settings), (PLAYERS[first](), PLAYERS[second]()), Streams(seed, 0))


def file(name: str, ending: str) -> Path:
    return HERE / f"dotfight-{name}.{ending}"


def recorded(name: str, **rules: object) -> dict[str, Any]:
    """Return a golden record, some rules changed."""
    record = json.loads(file(name, "json").read_text(encoding="utf-8"))
    record["rules"].update(rules)
    return record


def rendered(record: dict[str, Any]) -> str:
    """Return a record as JSON with a line for each part and each action."""
    parts = {key: json.dumps(value, allow_nan=False) for key, value in record.items()}
    parts["actions"] = "[\n  " + ",\n  ".join(json.dumps(action) for action in record["actions"]) + "\n ]"
    return "{\n" + ",\n".join(f' "{key}": {value}' for key, value in parts.items()) + "\n}\n"


@pytest.mark.parametrize("geometry", ["shapely", "kernel"])
@pytest.mark.parametrize("name", GAMES)
def test_a_golden_record_gives_its_text(name: str, geometry: str):
    text = transcript(DOTFIGHT.replay(recorded(name, geometry=geometry)))
    assert text == file(name, "txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_seed_gives_its_record(name: str):
    assert rendered(play(name).record()) == file(name, "json").read_text(encoding="utf-8")


DEEDS = (
    *("snipe ", "lunge ", "sends ", "arrive in ", "declines the lunge", " shot in ", " edge", " free", " earns"),
    *(" link 2", "is empty", "last stand: ", "on the road", "first wins", "second wins", "stalled"),
)


@pytest.mark.parametrize("deed", DEEDS)
def test_the_golden_games_have_everything_in_them(deed: str):
    assert any(deed in file(name, "txt").read_text(encoding="utf-8") for name in GAMES)


def changed(names: Iterable[str], **rules: object) -> list[str]:
    """Return the golden games whose record no longer gives its text under changed rules."""
    found: list[str] = []
    for name in names:
        try:
            text = transcript(DOTFIGHT.replay(recorded(name, **rules)))
        except RecordError:
            text = ""
        if text != file(name, "txt").read_text(encoding="utf-8"):
            found.append(name)
    return found


def test_nothing_changes_under_the_same_rules():
    assert changed(GAMES, geometry="kernel") == []


@pytest.mark.parametrize(
    "rules",
    [
        {"hit_reach": 10.6},
        {"snipe_loss_empty": 0.031},
        {"snipe_loss_full": 0.84},
        {"snipe_man_loss": 0.06},
        {"snipe_earn_at": 3},
        {"lunge_shake_empty": 0.021},
        {"lunge_man_shake": 0.041},
        {"lunge_earns": "per_kill"},
        {"garrison_curve": 1.1},
        {"flat_snipe_loss": 0.11},
        {"flat_lunge_shake": 0.081},
        {"inside_reach": 1.2},
        {"road_spacing": 2.7},
        {"last_stand_at": 3},
        {"last_stand_flicks": 1},
        {"ink_segments": 31},
        {"max_turns": 5},
    ],
    ids=str,
)
def test_a_changed_rule_is_noticed(rules: dict[str, object]):
    assert changed(GAMES, geometry="kernel", **rules)


if __name__ == "__main__":
    for name in GAMES:
        game = play(name)
        file(name, "json").write_text(rendered(game.record()), encoding="utf-8")
        file(name, "txt").write_text(transcript(game), encoding="utf-8")
