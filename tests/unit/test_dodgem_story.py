"""Dodgem's page: after every move it shows each car where it is, and those that have left beside the board."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from engine.dodgem.board import start
from engine.dodgem.game import Dodgem, PlayedDodgem
from engine.dodgem.players import PLAYERS
from engine.dodgem.rules import STUCK_RULES, DodgemRules, Side
from engine.rng import Streams
from lab.cli import main
from lab.dodgem.story import PARKED, SQUARE, story_of
from lab.pages.story import INK, Marks, Story, Stroke


@cache
def game(stuck: str = "wins", first: str = "up", index: int = 0, board: int = 4, most: int = 120) -> PlayedDodgem:
    table = {"board": board, "stuck": stuck, "first_mover": first, "max_moves": most}
    return Dodgem().play(DodgemRules.parse(table), (PLAYERS["random"](),) * 2, Streams(1, index))


def standing(story: Story, turn: int) -> dict[str, Marks]:
    found: dict[str, Marks] = {}
    for step in story.steps[: story.steps_until(turn)]:
        found.update(step.standing)
    return found


def square_of(mark: Stroke, n: int) -> tuple[int, int]:
    """Return column and row of the square that a car's middle lies in; rows count from below."""
    x, y = mark.points.min(axis=0) / 2 + mark.points.max(axis=0) / 2
    return int(x // SQUARE) - 1, n - int(y // SQUARE)


@pytest.mark.parametrize("first", ["up", "right"])
@pytest.mark.parametrize("index", range(4))
def test_after_every_move_each_car_stands_where_the_position_says(first: str, index: int):
    played = game(first=first, index=index)
    story, n = story_of(played), played.rules.board
    assert story.turns == len(played.moves)
    position = start(n, played.rules.first_side)
    for turn in range(story.turns + 1):
        if turn:
            position = position.after(played.moves[turn - 1])
        shown = standing(story, turn)
        assert len(shown) == 2 * (n - 1)
        for side in Side:
            cars = [mark for name, (mark,) in shown.items() if name.startswith(side.word)]
            on_board = {row * n + column for column, row in (square_of(car, n) for car in cars if car.opacity == 1)}
            assert on_board == {square for square in range(n * n) if position.cars(side) >> square & 1}
            assert sum(car.opacity == PARKED for car in cars) == position.cars_out(side)
            for car in cars:
                column, row = square_of(car, n)
                assert car.opacity == 1 or (row if side == Side.UP else column) == n


def test_the_first_seats_pen_is_the_same_whichever_way_it_drives():
    for first in ("up", "right"):
        shown = standing(story_of(game(first=first)), 0)
        assert {mark.colour for name, (mark,) in shown.items() if name.startswith(first)} == {INK[0]}
        assert {mark.colour for name, (mark,) in shown.items() if not name.startswith(first)} == {INK[1]}


def test_every_move_leaves_its_track_and_is_told():
    played = game()
    story = story_of(played)
    for number, (move, step) in enumerate(zip(played.moves, story.steps[1:], strict=False), 1):
        assert step.turn == number
        assert str(move) in step.words
        assert step.seat == ("first", "second")[(number - 1) % 2]
        (track,) = step.drawn
        assert isinstance(track, Stroke)
        far = np.abs(track.points[1] - track.points[0])
        assert sorted(far / SQUARE) == pytest.approx([0, 0.6 if move.step == "out" else 1])


@pytest.mark.parametrize("stuck", STUCK_RULES)
def test_every_ending_is_told(stuck: str):
    endings = {
        "out": "has won: all its cars are out.",
        "stuck": "Nobody has won: a side is stuck." if stuck == "draws" else " is stuck.",
        "move limit": "Nobody has won: the moves have run out.",
    }
    seen: set[str] = set()
    for index in range(60):
        played = game(stuck=stuck, index=index, most=30)
        story = story_of(played)
        assert story.steps[-1].words.endswith(endings[played.verdict.decided_by])
        seen.add(played.verdict.decided_by)
        assert sum("passes" in step.words for step in story.steps) == sum(m.step == "pass" for m in played.moves)
    assert {"out", "move limit"} <= seen
    assert stuck == "passes" or "stuck" in seen


def test_a_record_is_drawn_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game(board=3).record()))
    assert main(["draw", str(file), "--turn", "2", "--out", str(tmp_path / "two.png")]) == 0
    assert main(["draw", str(file)]) == 0
    assert main(["replay", str(file), "--gif", str(tmp_path / "game.gif"), "--out", str(tmp_path / "game.html")]) == 0
    assert capsys.readouterr().out.count(": written, ") == 4
    assert file.with_suffix(".svg").read_text().count("<path") > 20
    assert "Up: " in file.with_suffix(".html").read_text()
