"""The squares one side's cars can stand on, in its own frame, and the moves between them.

Each side's cars are written in the side's *own frame*, in which it drives up: bit ``row * n + column``, row 0
behind it. The board's reflection turns Right's own frame into the board's, so both sides share these tables.

A *placement* is a set of squares for 0 to n − 1 cars. Placements fall into *classes* by the number of cars in each
row. Sideways moves stay inside a class; forward moves leave it and never come back, since they raise the side's
*progress*: the forward moves made since all cars stood on row 0, a car that has left counting n.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


@cache
def classes(n: int) -> tuple[tuple[int, ...], ...]:
    """Return the classes as numbers of cars in each row, by progress and then lexicographically."""
    counts = (row_counts for row_counts in product(range(n), repeat=n) if sum(row_counts) < n)
    return tuple(sorted(counts, key=lambda row_counts: (progress(row_counts), row_counts)))


def progress(row_counts: tuple[int, ...]) -> int:
    """Return the forward moves that led from the start to a class."""
    n = len(row_counts)
    return n * (n - 1) - sum((n - row) * cars for row, cars in enumerate(row_counts))


def rows_with(n: int, cars: int) -> list[int]:
    """Return the rows of n squares that hold so many cars, as bits, ascending."""
    return sorted(sum(1 << column for column in chosen) for chosen in combinations(range(n), cars))


class Placements(NamedTuple):
    """All placements on an n × n board; moves are ragged lists, ``start`` arrays mark where each list begins.

    Attributes
    ----------
    cars
        Squares of the cars as bits, shape (placements,).
    obstacles
        The same squares in the other side's frame, shape (placements,).
    class_start
        First placement of each class and the end, shape (classes + 1,).
    forward_start, forward_to, forward_square
        Forward moves: placement reached, and the landing square as one bit, 0 for a car that leaves.
    sideways_start, sideways_to, sideways_square
        Sideways moves, likewise. They can be taken back: each list is also that of the moves that lead here.
    behind_start, behind
        Placements from which a forward move leads here.
    """

    cars: NDArray[np.int32]
    obstacles: NDArray[np.int32]
    class_start: NDArray[np.int32]
    forward_start: NDArray[np.int32]
    forward_to: NDArray[np.int32]
    forward_square: NDArray[np.int32]
    sideways_start: NDArray[np.int32]
    sideways_to: NDArray[np.int32]
    sideways_square: NDArray[np.int32]
    behind_start: NDArray[np.int32]
    behind: NDArray[np.int32]


def placements(n: int) -> Placements:
    """Return all placements in order of class, then row by row from row 0, each row's cars ascending as bits."""
    cars: list[int] = []
    class_start = [0]
    for row_counts in classes(n):
        for rows in product(*(rows_with(n, count) for count in row_counts)):
            cars.append(sum(bits << n * row for row, bits in enumerate(rows)))
        class_start.append(len(cars))
    number = {bits: index for index, bits in enumerate(cars)}
    forward = [[(number[after], square) for after, square in _forward(bits, n)] for bits in cars]
    sideways = [[(number[after], square) for after, square in _sideways(bits, n)] for bits in cars]
    behind: list[list[tuple[int, int]]] = [[] for _ in cars]
    for index, moves in enumerate(forward):
        for after, square in moves:
            behind[after].append((index, square))
    behind_start, behind_from, _ = _ragged(behind)
    return Placements(
        np.array(cars, np.int32),
        np.array([_transposed(bits, n) for bits in cars], np.int32),
        np.array(class_start, np.int32),
        *_ragged(forward),
        *_ragged(sideways),
        behind_start,
        behind_from,
    )


def _forward(cars: int, n: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for square in range(n * n):
        if not cars >> square & 1:
            continue
        landing = 1 << square + n if square + n < n * n else 0
        if not cars & landing:
            found.append((cars ^ 1 << square | landing, landing))
    return found


def _sideways(cars: int, n: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for square in range(n * n):
        if not cars >> square & 1:
            continue
        for step in (-1, 1):
            landing = square + step
            if 0 <= square % n + step < n and not cars >> landing & 1:
                found.append((cars ^ 1 << square ^ 1 << landing, 1 << landing))
    return found


def _transposed(cars: int, n: int) -> int:
    return sum(1 << square % n * n + square // n for square in range(n * n) if cars >> square & 1)


def _ragged(
    lists: list[list[tuple[int, int]]],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    starts = np.cumsum([0, *(len(entries) for entries in lists)], dtype=np.int32)
    flat = np.array([entry for entries in lists for entry in entries], np.int32).reshape(-1, 2)
    return starts, flat[:, 0].copy(), flat[:, 1].copy()
