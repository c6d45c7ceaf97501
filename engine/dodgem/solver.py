"""The exact solution of a board: every position's value and distance, by retrograde analysis.

The move limit and repetition (D8) are left aside: play without end is a draw. Blocks of positions
(:mod:`engine.dodgem.retrograde`) are taken layer by layer of total progress; the blocks of a layer do not depend on
each other and are shared among threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations_with_replacement
from queue import SimpleQueue

import numpy as np
from numpy.typing import NDArray

from engine.dodgem.layout import layout
from engine.dodgem.placements import Placements, classes, placements, progress
from engine.dodgem.retrograde import BY_FIRST, IMPOSSIBLE, Scratch, pack, reach_block, scratch, solve_block
from engine.dodgem.rules import STUCK_RULES, StuckRule
from engine.dodgem.table import LARGEST, SMALLEST, Counts, Table
from engine.errors import GameError

_Layers = list[list[tuple[int, int]]]


def solve(board: int, stuck: StuckRule, threads: int = 1) -> Table:
    """Solve a board.

    Parameters
    ----------
    board
        Side of the board, 2 to 5 squares.
    stuck
        What becomes of a stuck side (D6).
    threads
        Threads to work with; the result is the same.

    Returns
    -------
    Table
        The scores of all positions, reached or not, and the counts of those that play reaches.

    Raises
    ------
    GameError
        When the board is too large for a table.
    """
    if not SMALLEST <= board <= LARGEST:
        raise GameError(f"the {board} × {board} board has no table: from {SMALLEST} to {LARGEST} they are solved")
    p = placements(board)
    rule = STUCK_RULES.index(stuck)
    reached = np.zeros(len(p.cars) ** 2, np.uint8)
    scores = np.full(len(p.cars) ** 2, IMPOSSIBLE, np.int8)
    # The two sides start alike, each in its own frame: every car on the row behind it but for the first column.
    row = int(np.flatnonzero(p.cars == (1 << board) - 2)[0])
    reached[row * len(p.cars) + row] = BY_FIRST
    layers = _layers(board)
    with ThreadPoolExecutor(threads) as pool:
        work = _Sharing(pool, threads, 2 * int(np.diff(p.class_start).max()) ** 2)
        work.on(layers, lambda a, b, spare: reach_block(reached, p, a, b, rule, spare))
        work.on(reversed(layers), lambda a, b, spare: solve_block(scores, p, a, b, rule, spare))
    return _table(board, stuck, p, scores, reached)


def _layers(board: int) -> _Layers:
    """Return the blocks of each total progress, least first, as pairs of classes."""
    gained = [progress(row_counts) for row_counts in classes(board)]
    layers: _Layers = [[] for _ in range(2 * max(gained) + 1)]
    for a, b in combinations_with_replacement(range(len(gained)), 2):
        layers[gained[a] + gained[b]].append((a, b))
    return layers


class _Sharing:
    """Threads at work on blocks, each with working memory of its own."""

    def __init__(self, pool: ThreadPoolExecutor, threads: int, largest_block: int) -> None:
        self._pool = pool
        self._spare: SimpleQueue[Scratch] = SimpleQueue()
        for _ in range(threads):
            self._spare.put(scratch(largest_block))

    def on(self, layers: Iterable[list[tuple[int, int]]], work: Callable[[int, int, Scratch], None]) -> None:
        """Work on every block, a layer when the one before it is done."""

        def block(pair: tuple[int, int]) -> None:
            spare = self._spare.get()
            try:
                work(*pair, spare)
            finally:
                self._spare.put(spare)

        for layer in layers:
            for _ in self._pool.map(block, layer):
                pass


def _table(board: int, stuck: StuckRule, p: Placements, scores: NDArray[np.int8], reached: NDArray[np.uint8]) -> Table:
    packed = np.empty(layout(board).entries, np.int8)
    by_score = np.zeros(256, np.int64)
    ends = np.zeros(2, np.int64)
    pack(scores, reached, p, packed, by_score, ends)
    return Table(board, stuck, packed, Counts.of(by_score.tolist(), int(ends[0]), int(ends[1])))
