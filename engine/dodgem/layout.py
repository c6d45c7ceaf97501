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
    """What numbers the positions of an n × n board; C classes.

    Few arrays, since each is unpacked at every single look-up.

    Attributes
    ----------
    n
        Side of the board.
    entries
        Entries of a table.
    rank
        Rank of a row's cars among those of equal number that avoid the squares of another, shape (2**n, 2**n):
        ``rank[avoided, cars]``, rows as bits.
    binomial
        Binomial coefficients, shape (n + 1, n + 1).
    class_of
        Class of n counts of cars read as a number in base n, row 0 first, shape (n**n,).
    mover_entries
        Where the entries of each class of the mover begin, and how many each of its placements has, shape (C, 2).
    run_start
        Where the opponent's class begins among the entries of a mover, whose cars in each *column* make the first
        index, shape (C, C).
    """

    n: int
    entries: int
    rank: NDArray[np.int64]
    binomial: NDArray[np.int64]
    class_of: NDArray[np.int64]
    mover_entries: NDArray[np.int64]
    run_start: NDArray[np.int64]


@cache
def layout(n: int) -> Layout:
    """Return the numbering for an n × n board."""
    kinds = classes(n)
    class_of = np.zeros(n**n, np.int64)
    for index, counts in enumerate(kinds):
        class_of[_base_n(counts)] = index
    run_start = np.zeros((len(kinds), len(kinds)), np.int64)
    for index, taken in enumerate(kinds):
        runs = (prod(comb(n - used, cars) for used, cars in zip(taken, counts, strict=True)) for counts in kinds)
        run_start[index] = list(accumulate(runs, initial=0))[:-1]
    sizes = [prod(comb(n, cars) for cars in counts) for counts in kinds]
    # However a mover's cars stand, the others choose among the squares left.
    each = [sum(comb(n * n - sum(counts), others) for others in range(n)) for counts in kinds]
    begins = list(accumulate((size * entries for size, entries in zip(sizes, each, strict=True)), initial=0))
    return Layout(
        n,
        begins[-1],
        _ranks(n),
        np.array([[comb(total, chosen) for chosen in range(n + 1)] for total in range(n + 1)], np.int64),
        class_of,
        np.array([begins[:-1], each], np.int64).T.copy(),
        run_start,
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
