"""Games of Dodgem as they were once played: the same seeds must give the same moves.

The file was written by this project's own engine (run this module to write it anew). A change in it changes results
and belongs in the change log.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.dodgem.game import GAME
from engine.dodgem.players import PLAYERS
from engine.dodgem.rules import DodgemRules
from engine.rng import Streams

FILE = Path(__file__).parents[1] / "data" / "dodgem-games.json"

SETTINGS: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"board": 3}, "crazy", "easy"),
    ({"board": 3, "stuck": "loses", "first_mover": "right"}, "random", "perfect"),
    ({"board": 4, "stuck": "passes", "repetition": "draws"}, "random", "random"),
    ({"board": 5}, "hard", "normal"),
    ({"board": 6, "stuck": "draws", "max_moves": 200}, "normal", "random"),
)


def play(rules: dict[str, Any], first: str, second: str) -> dict[str, Any]:
    return GAME.play(DodgemRules.parse(rules), (PLAYERS[first](), PLAYERS[second]()), Streams(20261130, 0)).record()


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_a_golden_game_is_played_again(number: int):
    assert play(*SETTINGS[number]) == json.loads(FILE.read_text())["games"][number]


if __name__ == "__main__":
    games = [play(*setting) for setting in SETTINGS]
    FILE.write_text(json.dumps({"source": "tests/golden/test_dodgem_golden.py", "games": games}, indent=1) + "\n")
