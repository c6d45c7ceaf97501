"""From a played game of Dodgem to its board on squared paper, step by step."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.dodgem.board import PASS, Move, Position, square_name, squares, start
from engine.dodgem.game import PlayedDodgem
from engine.dodgem.rules import Side
from engine.game import SEATS
from lab.pages.story import INK, PAPER, RULE, Marks, Step, Story, Stroke, Words, line

SQUARE: Final = 120.0
"""Side of a square of the board, in page units; beyond the board lies a square more on every side."""

PENCIL: Final = "#4a4a4a"
RULING: Final = SQUARE / 4.0

CAR: Final = ((-18.0, 46.0), (10.0, 46.0), (42.0, 6.0))
"""A car from back to nose (its back is round): how far ahead of its middle, and how wide there."""

PARKED: Final = 0.5
"""Opacity of a car that has left the board."""


def story_of(game: PlayedDodgem) -> Story:
    """Return a game as a page being drawn on; every move is a turn."""
    board = _Board(game)
    steps = [Step(0, "", board.beginning(), (), board.cars())]
    for number, step in enumerate(game.steps(), 1):
        words = board.words(step.position, step.move)
        drawn = board.drive(Side(step.position.to_move), step.move)
        steps.append(Step(number, SEATS[step.seat], words, drawn, board.cars()))
    steps.append(Step(len(game.moves), "", _ending(game), (), {}))
    names = [player.name for player in game.origin.players]
    return Story(
        title=f"Dodgem, game {game.origin.index} of seed {game.origin.seed}: {names[0]} against {names[1]}",
        width=board.size,
        height=board.size,
        colours={"paper": PAPER, "first": INK[0], "second": INK[1]},
        paper=board.paper(),
        steps=tuple(steps),
    )


class _Board:
    """The board and where every car is: on a square, or parked where it left (D4)."""

    def __init__(self, game: PlayedDodgem) -> None:
        self.n = game.rules.board
        self.size = SQUARE * (self.n + 2)
        self.colour = {side: INK[game.seat_of(side)] for side in Side}
        self.first = game.rules.first_side
        begin = start(self.n, self.first)
        # A car is known by its side and the square it started on.
        self._at = {
            side: {square: divmod(square, self.n)[::-1] for square in squares(begin.cars(side))} for side in Side
        }
        self._out: dict[Side, list[int]] = {side: [] for side in Side}

    def paper(self) -> Marks:
        """Return squared paper, the board, the names of its squares, and in each side's ink the edge it leaves by."""
        rows = np.arange(RULING, self.size - 1.0, RULING).tolist()
        ruling = [line(0.0, at, self.size, at, 1.0, RULE, 0.6) for at in rows]
        ruling += [line(at, 0.0, at, self.size, 1.0, RULE, 0.6) for at in rows]
        low, high = SQUARE, self.size - SQUARE
        board = [line(low, SQUARE * at, high, SQUARE * at, 2.2, PENCIL, 0.8) for at in range(1, self.n + 2)]
        board += [line(SQUARE * at, low, SQUARE * at, high, 2.2, PENCIL, 0.8) for at in range(1, self.n + 2)]
        exits = [
            line(low, low, high, low, 7.0, self.colour[Side.UP], 0.9),
            line(high, low, high, high, 7.0, self.colour[Side.RIGHT], 0.9),
        ]
        names = [
            Words(*self._place(column, -1, down=-0.2), square_name(column, 0)[:-1], 30.0, PENCIL, "middle")
            for column in range(self.n)
        ]
        names += [
            Words(*self._place(-1, row, right=0.3), str(row + 1), 30.0, PENCIL, "middle") for row in range(self.n)
        ]
        return (*ruling, *board, *exits, *names)

    def cars(self) -> dict[str, Marks]:
        """Return every car where it is."""
        found: dict[str, Marks] = {}
        for side in Side:
            for car, (column, row) in self._at[side].items():
                found[f"{side.word} {car}"] = (self._car(side, column, row),)
            for place, car in enumerate(self._out[side]):
                column, row = (place, self.n) if side == Side.UP else (self.n, place)
                found[f"{side.word} {car}"] = (self._car(side, column, row, PARKED),)
        return found

    def drive(self, side: Side, move: Move) -> Marks:
        """Move a car, and return the track it leaves on the paper."""
        if move == PASS:
            return ()
        cars = self._at[side]
        car = next(car for car, square in cars.items() if square == (move.column, move.row))
        begin = self._place(move.column, move.row)
        if (target := move.target) is None:
            del cars[car]
            self._out[side].append(car)
            beyond = (move.column, self.n - 0.4) if side == Side.UP else (self.n - 0.4, move.row)
            return (_track(begin, self._place(*beyond), self.colour[side]),)
        cars[car] = target
        return (_track(begin, self._place(*target), self.colour[side]),)

    def beginning(self) -> str:
        """Say how the game begins."""
        return f"Each side has {self.n - 1} cars; {self.first.word} moves first."

    def words(self, before: Position, move: Move) -> str:
        """Say what a side does."""
        side = Side(before.to_move)
        name = side.word.capitalize()
        if move == PASS:
            return f"{name} is stuck and passes."
        if move.step == "out":
            out = len(self._out[side]) + 1
            return f"{name}: {move}, the {_ordinal(out)} of {self.n - 1} cars."
        return f"{name}: {move}."

    def _place(self, column: float, row: float, down: float = 0.0, right: float = 0.0) -> tuple[float, float]:
        """Return the middle of a square, or a place off it by shares of a square; rows count from below."""
        return SQUARE * (column + 1.5 + right), SQUARE * (self.n - row + 0.5 + down)

    def _car(self, side: Side, column: int, row: int, opacity: float = 1.0) -> Stroke:
        """Return a car: a wedge that points the way its side drives."""
        x, y = self._place(column, row)
        ahead, width = np.array(CAR).T
        still = np.zeros(len(CAR))
        points = np.column_stack([x + still, y - ahead] if side == Side.UP else [x + ahead, y + still])
        return Stroke(points, width, self.colour[side], opacity)


def _track(begin: tuple[float, float], end: tuple[float, float], colour: str) -> Stroke:
    return line(*begin, *end, 5.0, colour, 0.55)


def _ending(game: PlayedDodgem) -> str:
    """Say how a game ended."""
    winner, why = game.verdict.winner, game.verdict.decided_by
    if winner is None:
        cause = {"stuck": "a side is stuck", "repetition": "the position stands for the third time"}
        return f"Nobody has won: {cause.get(why, 'the moves have run out')}."
    if why == "out":
        return f"{winner.word.capitalize()} has won: all its cars are out."
    stuck = game.end.to_move
    return f"{winner.word.capitalize()} has won: {stuck.word} is stuck."


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
