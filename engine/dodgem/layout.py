"""How the positions of a small board are numbered: the order of a table's entries.

A position is a pair (mover's cars, opponent's cars), each in its own frame (:mod:`engine.dodgem.placements`), so
one table serves both sides to move. For each placement of the mover in order, a table holds every placement of the
opponent that shares no square with it, in order. The opponent's rows are the mover's columns, so the number of a
pair is found row by row from a few small arrays, without a search and without a list of all pairs: what a table of
120 million entries needs to be opened is a third of a megabyte, computed in milliseconds.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate, product
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dodgem.placements import classes, rows_with


class Layout(NamedTuple):
    """The arrays that number positions of an n × n board; C classes, P placements, 2**n states of a row.

    Attributes
    ----------
    n
        Side of the board.
    spread
        A row's bits moved to a column: bit c to bit c * n, shape (2**n,).
    cars_in
        Cars in a row, shape (2**n,).
    rank
        Rank of a row's cars among those of equal number that avoid the squares of another, shape (2**n, 2**n):
        ``rank[avoided, cars]``.
    binomial
        Binomial coefficients, shape (n + 1, n + 1).
    class_of
        Class of n counts of cars read as a number in base n, row 0 first, shape (n**n,).
    class_start
        Number of the first placement of each class, shape (C + 1,).
    run_start
        Where the opponent's class begins among the entries of a mover, whose cars in each *column* make the first
        index, shape (C, C).
    mover_start
        Where the entries of each placement of the mover begin, and the end, shape (P + 1,).
    """

    n: int
    spread: NDArray[np.int64]
    cars_in: NDArray[np.int64]
    rank: NDArray[np.int64]
    binomial: NDArray[np.int64]
    class_of: NDArray[np.int64]
    class_start: NDArray[np.int64]
    run_start: NDArray[np.int64]
    mover_start: NDArray[np.int64]

    @property
    def entries(self) -> int:
        """Entries of a table."""
        return int(self.mover_start[-1])


@cache
def layout(n: int) -> Layout:
    """Return the arrays for an n × n board."""
    kinds = classes(n)
    class_of = np.zeros(n**n, np.int64)
    for index, counts in enumerate(kinds):
        class_of[_base_n(counts)] = index
    sizes = [prod(comb(n, cars) for cars in counts) for counts in kinds]
    run_start = np.zeros((len(kinds), len(kinds)), np.int64)
    for index, taken in enumerate(kinds):
        runs = (prod(comb(n - used, cars) for used, cars in zip(taken, counts, strict=True)) for counts in kinds)
        run_start[index] = list(accumulate(runs, initial=0))[:-1]
    # However a mover's cars stand, the others choose among the squares left.
    opponents = [sum(comb(n * n - cars, others) for others in range(n)) for cars in range(n)]
    entries = np.repeat([opponents[sum(counts)] for counts in kinds], sizes)
    return Layout(
        n,
        np.array([sum((row >> c & 1) << c * n for c in range(n)) for row in range(2**n)], np.int64),
        np.array([row.bit_count() for row in range(2**n)], np.int64),
        _ranks(n),
        np.array([[comb(total, chosen) for chosen in range(n + 1)] for total in range(n + 1)], np.int64),
        class_of,
        np.array([0, *accumulate(sizes)], np.int64),
        run_start,
        np.array([0, *np.cumsum(entries)], np.int64),
    )


def _base_n(counts: tuple[int, ...]) -> int:
    number = 0
    for cars in counts:
        number = number * len(counts) + cars
    return number


def _ranks(n: int) -> NDArray[np.int64]:
    ranks = np.zeros((2**n, 2**n), np.int64)
    for avoided, cars in product(range(2**n), range(n + 1)):
        allowed = (row for row in rows_with(n, cars) if not row & avoided)
        for rank, row in enumerate(allowed):
            ranks[avoided, row] = rank
    return ranks
