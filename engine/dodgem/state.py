"""Positions, moves and solved boards as compiled code takes them: numbers and arrays only."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dodgem.board import PASS, STEPS, Move, Position, squares
from engine.dodgem.layout import Layout, layout
from engine.dodgem.rules import STUCK_RULES, Side, StuckRule

OUT, WALL = -1, -2
"""Stand for the square of a car that has left, and for a square that is not there."""

PASS_CODE = -1
"""Number of the move :data:`engine.dodgem.board.PASS`."""


class State(NamedTuple):
    """A position to play on, under a rule; cells and cars change as moves are made.

    Attributes
    ----------
    targets
        Where a car of a side goes from a square in each direction: a square, :data:`OUT` or :data:`WALL`, shape
        (2, n * n, 3).
    to_go
        Forward moves a car needs to leave, shape (2, n * n).
    cells
        0 where a square is empty, side + 1 where a car stands, shape (n * n,).
    cars
        Each side's squares, :data:`OUT` for cars that have left, shape (2, n - 1).
    stuck
        Number of the stuck rule (D6).
    """

    targets: NDArray[np.int16]
    to_go: NDArray[np.int16]
    cells: NDArray[np.int8]
    cars: NDArray[np.int16]
    stuck: int


class Solution(NamedTuple):
    """A solved board.

    Attributes
    ----------
    layout
        How its positions are numbered.
    scores
        Score of each (:mod:`engine.dodgem.retrograde`), read-only, shape (entries,).
    """

    layout: Layout
    scores: NDArray[np.int8]


@cache
def unsolved() -> Solution:
    """Return the solution of nothing, for players that look at none."""
    return solution_of(2, np.empty(0, np.int8))


def solution_of(n: int, scores: NDArray[np.int8]) -> Solution:
    """Return a solved board as compiled code takes it; read-only, so that there is one type to compile for."""
    view = scores.view(np.ndarray)
    view.flags.writeable = False
    return Solution(layout(n), view)


def state_of(position: Position, stuck: StuckRule) -> State:
    """Return a position as compiled code takes it."""
    n = position.n
    cells = np.zeros(n * n, np.int8)
    cars = np.full((2, n - 1), OUT, np.int16)
    for side in Side:
        for car, square in enumerate(squares(position.cars(side))):
            cells[square] = side + 1
            cars[side, car] = square
    return State(*_ways(n), cells, cars, STUCK_RULES.index(stuck))


@cache
def _ways(n: int) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return the targets and distances of an n × n board."""
    number = np.arange(n * n)
    rows, columns = np.divmod(number, n)
    up = (
        np.where(rows == n - 1, OUT, number + n),
        np.where(columns == 0, WALL, number - 1),
        np.where(columns == n - 1, WALL, number + 1),
    )
    right = (
        np.where(columns == n - 1, OUT, number + 1),
        np.where(rows == 0, WALL, number - n),
        np.where(rows == n - 1, WALL, number + n),
    )
    targets = np.array([np.stack(up, axis=1), np.stack(right, axis=1)], np.int16)
    return targets, np.array([n - rows, n - columns], np.int16)


def move_of(code: int, n: int, side: Side) -> Move:
    """Return the move that compiled code numbers ``3 * square + direction``, or :data:`PASS_CODE`."""
    if code == PASS_CODE:
        return PASS
    square, direction = divmod(code, 3)
    row, column = divmod(square, n)
    leaves = direction == 0 and (column if side else row) == n - 1
    return Move(column, row, "out" if leaves else STEPS[side][direction])


@cache
def moves_by_code(n: int, side: Side) -> tuple[Move, ...]:
    """Return a side's moves in the order of their numbers, and last :data:`PASS`, which its number −1 picks."""
    return (*(move_of(code, n, side) for code in range(3 * n * n)), PASS)


def code_of(move: Move, n: int, side: Side) -> int:
    """Return the number of a move, the inverse of :func:`move_of`."""
    if move == PASS:
        return PASS_CODE
    direction = 0 if move.step == "out" else STEPS[side].index(move.step)
    return 3 * (move.row * n + move.column) + direction
