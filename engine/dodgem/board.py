"""A position of Dodgem and its moves: the readable form of clauses D1 to D5, to which compiled code is held.

Squares are counted from the bottom-left corner: column 0 is ``a``, row 0 is ``1``. A set of cars is an integer
whose bit ``row * n + column`` is set where a car stands, so boards of any size fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from engine.dodgem.rules import Side
from engine.errors import GameError, RecordError

Step = Literal["up", "down", "left", "right", "out", "pass"]

_OFFSETS: dict[Step, tuple[int, int]] = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
STEPS: tuple[tuple[Step, Step, Step], tuple[Step, Step, Step]] = (
    ("up", "left", "right"),
    ("right", "down", "up"),
)
"""Steps of each side (D3): forward, then sideways towards the bottom-left corner, then away from it.

The two triples are each other's reflection.
"""


@dataclass(frozen=True, slots=True)
class Move:
    """One car's move, or :data:`PASS`.

    Attributes
    ----------
    column, row
        Square the car stands on, counted from 0.
    step
        Where it goes; ``out`` is the forward step off the far edge (D4).
    """

    column: int
    row: int
    step: Step

    @property
    def target(self) -> tuple[int, int] | None:
        """Column and row the car goes to; nothing for a car that leaves and for :data:`PASS`."""
        if self.step not in _OFFSETS:
            return None
        columns, rows = _OFFSETS[self.step]
        return self.column + columns, self.row + rows

    def __str__(self) -> str:
        """Return the move as a person types it, e.g. ``b1 up``."""
        return "pass" if self.step == "pass" else f"{square_name(self.column, self.row)} {self.step}"


PASS = Move(-1, -1, "pass")
"""The only move of a stuck side where the rules let it pass (D6)."""


@dataclass(frozen=True, slots=True)
class Position:
    """Cars on a board and the side to move.

    Attributes
    ----------
    n
        Side of the board, in squares.
    up, right
        Squares of each side's cars, as bits.
    to_move
        Side to move.

    Raises
    ------
    RecordError
        When no game can hold these cars.
    """

    n: int
    up: int
    right: int
    to_move: Side

    def __post_init__(self) -> None:
        """Refuse cars that no game can hold."""
        if self.up & self.right:
            raise RecordError("position: two cars on one square")
        if (self.up | self.right) >> self.n * self.n:
            raise RecordError(f"position: a car off the {self.n} × {self.n} board")
        for side, cars in ((Side.UP, self.up), (Side.RIGHT, self.right)):
            if cars.bit_count() >= self.n:
                raise RecordError(f"position: {cars.bit_count()} cars of {side.word}, at most {self.n - 1} (D1)")
        if not self.up | self.right:
            raise RecordError("position: no car on the board, yet the first side out has won (D5)")

    def cars(self, side: Side) -> int:
        """Return the squares of a side's cars, as bits."""
        return self.right if side else self.up

    def cars_out(self, side: Side) -> int:
        """Return how many cars of a side have left the board."""
        return self.n - 1 - self.cars(side).bit_count()

    @property
    def out(self) -> Side | None:
        """The side that has won by driving every car off the board (D5), if any."""
        if not self.up:
            return Side.UP
        return None if self.right else Side.RIGHT

    @property
    def stuck(self) -> bool:
        """Whether the side to move has cars on the board, the game is open, and none of them can move (D6)."""
        return self.out is None and next(self._moves(), None) is None

    def moves(self) -> tuple[Move, ...]:
        """Return the moves of the side to move, by square (a1, b1, ...) and then in order of :data:`STEPS`.

        Empty when the game is over by D5 or the side is stuck; passing is a matter of the rules, not of the board.
        """
        return tuple(self._moves()) if self.out is None else ()

    def after(self, move: Move) -> Position:
        """Return the position after a move; raises :class:`GameError` where the board does not allow it."""
        if move == PASS:
            if not self.stuck:
                raise GameError(f"{self.to_move.word} may not pass: it can move")
            return Position(self.n, self.up, self.right, self.to_move.other)
        if self.out is not None or not self._allows(move):
            raise GameError(f"{self.to_move.word} cannot play {move}")
        cars = self.cars(self.to_move) ^ 1 << move.row * self.n + move.column
        if target := move.target:
            cars ^= 1 << target[1] * self.n + target[0]
        if self.to_move:
            return Position(self.n, self.up, cars, Side.UP)
        return Position(self.n, cars, self.right, Side.RIGHT)

    def reflected(self) -> Position:
        """Return the position seen in a mirror along the rising diagonal, which swaps the sides (D2).

        A position and its reflection have the same value for the side to move under every rule, which is why
        who moves first does not matter to it (D7) and one side to move is enough for a solver.
        """
        return Position(self.n, transposed(self.right, self.n), transposed(self.up, self.n), self.to_move.other)

    def _moves(self) -> Iterator[Move]:
        n = self.n
        cars = self.cars(self.to_move)
        for square in squares(cars):
            row, column = divmod(square, n)
            for step in STEPS[self.to_move]:
                move = Move(column, row, step)
                if self._leaves(move):
                    move = Move(column, row, "out")
                if self._allows(move):
                    yield move

    def _leaves(self, move: Move) -> bool:
        """Say whether a forward step from the far edge is meant, which is the step ``out`` (D4)."""
        far = move.column if self.to_move else move.row
        return move.step == STEPS[self.to_move][0] and far == self.n - 1

    def _allows(self, move: Move) -> bool:
        n = self.n
        if not (0 <= move.column < n and 0 <= move.row < n):
            return False
        if not self.cars(self.to_move) >> move.row * n + move.column & 1:
            return False
        if move.step == "out":
            return (move.column if self.to_move else move.row) == n - 1
        if move.step not in STEPS[self.to_move] or not (target := move.target):
            return False
        column, row = target
        if not (0 <= column < n and 0 <= row < n):
            return False
        return not (self.up | self.right) >> row * n + column & 1


@cache
def start(n: int, to_move: Side) -> Position:
    """Return the starting position (D2): Up along the bottom, Right along the left, the corner between empty."""
    bottom = (1 << n) - 2
    return Position(n, bottom, transposed(bottom, n), to_move)


def transposed(cars: int, n: int) -> int:
    """Return squares, as bits, with columns and rows exchanged."""
    return sum(1 << square % n * n + square // n for square in squares(cars))


def squares(cars: int) -> Iterator[int]:
    """Iterate over the numbers of the squares in a set of bits, lowest first."""
    while cars:
        lowest = cars & -cars
        yield lowest.bit_length() - 1
        cars ^= lowest


def square_name(column: int, row: int) -> str:
    """Return a square's name: letters for the column (``a`` to ``z``, ``aa``, ...), a number for the row."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{row + 1}"


def square_called(name: str) -> tuple[int, int]:
    """Return column and row, counted from 0, of a square named as by :func:`square_name`."""
    letters = name.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("a") + 1
    return column - 1, int(name[len(letters) :]) - 1
