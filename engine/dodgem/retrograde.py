"""Compiled retrograde analysis and reachability, one block of positions at a time.

A *block* is a pair of placement classes {a, b}: all positions in which one of them is the mover's and the other the
opponent's. Sideways moves and passes stay inside a block, forward moves lead to a block of one more total progress,
so blocks are solved from the most progress down, each once, and what is worked on fits in a cache.

A position's *score* is one signed byte: d + 1 for a win and −(d + 1) for a loss of the side to move in d moves of
both sides together, 0 for a draw.

Positions are held in square arrays, ``mover * placements + opponent``, while a board is being solved. The functions
that call each other stand in one file because Numba's cache watches only a function's own file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dodgem.placements import Placements
from engine.jit import allocating

LONGEST = 126
"""Longest distance a score can hold, in moves. The 5 × 5 board needs 87 under its longest rule."""

IMPOSSIBLE = -128
"""Score of a pair of placements that share a square, while a board is being solved."""

STUCK_WINS, STUCK_LOSES, STUCK_PASSES, STUCK_DRAWS = range(4)
"""Numbers of the stuck rules (D6), as in :data:`engine.dodgem.rules.STUCK_RULES`."""

BY_FIRST, BY_SECOND = 1, 2
"""Bits of reachability: the mover is the side that moved first, or the other one."""

_NEVER = 127
"""Stands for the moves to wait for where they do not matter: the position is at worst a draw."""

_TO_PASS = -1
"""Stands for the moves to wait for in a position in which the side to move must pass."""


class Scratch(NamedTuple):
    """Working memory for one block of up to ``size`` positions.

    Attributes
    ----------
    settled
        Final scores, 0 while open, shape (size,).
    candidate
        Best score known so far of an open position, 0 for none, shape (size,).
    waiting
        Sideways moves of an open position not yet known to lose, shape (size,).
    slowest
        Longest loss among an open position's forward moves, in moves, shape (size,).
    head, following
        Linked lists of positions to settle, one list a distance: shapes (LONGEST + 1,) and (2 * size,). A position
        enters a list at most twice: when its forward moves are known, and on account of the others.
    stack
        Positions whose moves have yet to be followed, shape (3 * size,).
    """

    settled: NDArray[np.int8]
    candidate: NDArray[np.int8]
    waiting: NDArray[np.int8]
    slowest: NDArray[np.int8]
    head: NDArray[np.int32]
    following: NDArray[np.int32]
    stack: NDArray[np.int64]


def scratch(size: int) -> Scratch:
    """Return working memory for blocks of up to ``size`` positions."""
    settled, candidate, waiting, slowest = np.empty((4, size), np.int8)
    head = np.full(LONGEST + 1, -1, np.int32)
    return Scratch(
        settled,
        candidate,
        waiting,
        slowest,
        head,
        np.empty(2 * size, np.int32),
        np.empty(3 * size, np.int64),
    )


@allocating
def solve_block(scores: NDArray[np.int8], p: Placements, a: int, b: int, stuck: int, work: Scratch) -> None:
    """Score every position of the block {a, b}, given the blocks that forward moves lead to.

    Parameters
    ----------
    scores
        Scores of all pairs, shape (placements ** 2,); those of this block are written.
    p
        The board's placements.
    a, b
        Classes; they may be the same.
    stuck
        Number of the stuck rule.
    work
        Working memory; its lists are empty before and after.
    """
    a0, b0 = p.class_start[a], p.class_start[b]
    in_a, in_b = p.class_start[a + 1] - a0, p.class_start[b + 1] - b0
    half = in_a * in_b
    parts = 1 if a == b else 2
    _open(scores, p, (a0, in_a, b0, in_b), 0, stuck, work)
    if parts == 2:
        _open(scores, p, (b0, in_b, a0, in_a), half, stuck, work)
    _settle(p, (a0, in_a, b0, in_b), parts, work)
    _write(scores, len(p.cars), (a0, in_a, b0, in_b), work.settled[:half])
    if parts == 2:
        _write(scores, len(p.cars), (b0, in_b, a0, in_a), work.settled[half : 2 * half])


@allocating
def reach_block(reached: NDArray[np.uint8], p: Placements, a: int, b: int, stuck: int, work: Scratch) -> None:
    """Mark every position of the block {a, b} that play reaches, given the blocks with less progress.

    Forward moves are followed backward, from this block to earlier ones, so that a block writes to itself alone
    and blocks of equal progress can be worked on at once.

    Parameters
    ----------
    reached
        Bits :data:`BY_FIRST` and :data:`BY_SECOND` of all pairs, shape (placements ** 2,); the start is marked.
    p, a, b, stuck, work
        As in :func:`solve_block`.
    """
    a0, b0 = p.class_start[a], p.class_start[b]
    in_a, in_b = p.class_start[a + 1] - a0, p.class_start[b + 1] - b0
    height = _entered(reached, p, (a0, in_a, b0, in_b), work.stack, 0)
    if a != b:
        height = _entered(reached, p, (b0, in_b, a0, in_a), work.stack, height)
    cars, obstacles, stack = p.cars, p.obstacles, work.stack
    start, to, square = p.sideways_start, p.sideways_to, p.sideways_square
    while height > 0:
        height -= 1
        mover, other = divmod(stack[height], len(cars))
        if cars[mover] == 0 or cars[other] == 0:
            continue
        bits = _swapped(reached[mover * len(cars) + other])
        row = other * len(cars)
        for k in range(start[mover], start[mover + 1]):
            if square[k] & obstacles[other] == 0:
                height = _mark(reached, row + to[k], bits, stack, height)
        if stuck == STUCK_PASSES and _is_stuck(p, mover, other):
            height = _mark(reached, row + mover, bits, stack, height)


@allocating
def pack(
    scores: NDArray[np.int8],
    reached: NDArray[np.uint8],
    p: Placements,
    packed: NDArray[np.int8],
    counts: NDArray[np.int64],
    ends: NDArray[np.int64],
) -> None:
    """Write the scores as a table has them, and count what is reached.

    Parameters
    ----------
    scores, reached, p
        The solved board.
    packed
        To be filled: the table's entries (:mod:`engine.dodgem.layout`).
    counts
        To be raised: reached positions by score + 128, each once for each of its bits, shape (256,).
    ends
        To be raised likewise: reached positions with every car of the opponent out, and with a stuck side to move.
    """
    cars, obstacles = p.cars, p.obstacles
    entry = 0
    for mover in range(len(cars)):
        for other in range(len(cars)):
            if cars[mover] & obstacles[other] != 0:
                continue
            here = mover * len(cars) + other
            packed[entry] = scores[here]
            entry += 1
            bits = reached[here]
            if bits:
                times = (bits & 1) + (bits >> 1)
                counts[scores[here] + 128] += times
                if cars[other] == 0:
                    ends[0] += times
                elif _is_stuck(p, mover, other):
                    ends[1] += times


@allocating
def _open(
    scores: NDArray[np.int8],
    p: Placements,
    part: tuple[int, int, int, int],
    begin: int,
    stuck: int,
    work: Scratch,
) -> None:
    """Set up the positions of a part of a block from their forward moves, whose scores are known.

    A part is the mover's first placement and their number, then the opponent's. Its positions are numbered from
    ``begin``, opponent by opponent: forward moves then read along a row of scores.
    """
    cars, obstacles = p.cars, p.obstacles
    forward_start, forward_to, forward_square = p.forward_start, p.forward_to, p.forward_square
    sideways_start, sideways_square = p.sideways_start, p.sideways_square
    settled, candidate, waiting, slowest = work.settled, work.candidate, work.waiting, work.slowest
    head, following = work.head, work.following
    mover0, movers, other0, others = part
    here = begin - 1
    for other in range(other0, other0 + others):
        taken = obstacles[other]
        row = other * len(cars)
        for mover in range(mover0, mover0 + movers):
            here += 1
            settled[here] = 0
            candidate[here] = 0
            waiting[here] = _NEVER
            if cars[mover] & taken != 0:
                settled[here] = IMPOSSIBLE
                continue
            if cars[mover] == 0:
                settled[here] = 1
                continue
            if taken == 0:
                settled[here] = -1
                continue
            moves, fastest, delay, draw = 0, LONGEST + 1, 0, False
            for k in range(forward_start[mover], forward_start[mover + 1]):
                if forward_square[k] & taken == 0:
                    moves += 1
                    reply = int(scores[row + forward_to[k]])
                    if reply < 0:
                        fastest = min(fastest, -reply)
                    elif reply > 0:
                        delay = max(delay, reply)
                    else:
                        draw = True
            sideways = 0
            for k in range(sideways_start[mover], sideways_start[mover + 1]):
                if sideways_square[k] & taken == 0:
                    sideways += 1
            if moves + sideways == 0:
                if stuck == STUCK_PASSES:
                    waiting[here] = _TO_PASS
                elif stuck != STUCK_DRAWS:
                    candidate[here] = 1 if stuck == STUCK_WINS else -1
                    _push(head, following, 0, here)
            elif fastest <= LONGEST:
                candidate[here] = fastest + 1
                _push(head, following, fastest, here)
            elif sideways == 0 and not draw:
                candidate[here] = -(delay + 1)
                _push(head, following, delay, here)
            elif not draw:
                waiting[here] = sideways
                slowest[here] = delay


@allocating
def _settle(p: Placements, block: tuple[int, int, int, int], parts: int, work: Scratch) -> None:
    """Settle a block's positions in order of distance, each telling those that lead to it by a sideways move.

    What is never settled is a draw: neither side can leave the block to its good, nor be made to.
    """
    obstacles = p.obstacles
    sideways_start, sideways_to, sideways_square = p.sideways_start, p.sideways_to, p.sideways_square
    settled, candidate, waiting, slowest = work.settled, work.candidate, work.waiting, work.slowest
    head, following = work.head, work.following
    a0, in_a, b0, in_b = block
    half = in_a * in_b
    total = parts * half
    for distance in range(LONGEST + 1):
        while head[distance] >= 0:
            entry = head[distance]
            head[distance] = following[entry]
            here = entry if entry < total else entry - total
            if settled[here] != 0:
                continue
            score = candidate[here]
            settled[here] = score
            if here < half:
                j, i = divmod(here, in_a)
                mover, other, other0, others = a0 + i, b0 + j, b0, in_b
                before = half if parts == 2 else 0
            else:
                j, i = divmod(here - half, in_b)
                mover, other, other0, others = b0 + i, a0 + j, a0, in_a
                before = 0
            # Before, the opponent was to move, and one of its cars stood a sideways step from where it is.
            before += i * others
            for k in range(sideways_start[other], sideways_start[other + 1]):
                if sideways_square[k] & obstacles[mover] != 0:
                    continue
                there = before + sideways_to[k] - other0
                if settled[there] != 0:
                    continue
                if score < 0:
                    if candidate[there] <= 0 or candidate[there] > distance + 2:
                        candidate[there] = distance + 2
                        _push(head, following, distance + 1, total + there)
                elif candidate[there] == 0 and 0 < waiting[there] < _NEVER:
                    waiting[there] -= 1
                    if waiting[there] == 0:
                        delay = max(distance + 1, int(slowest[there]))
                        candidate[there] = -(delay + 1)
                        _push(head, following, delay, total + there)
            there = before + j
            if waiting[there] == _TO_PASS:
                waiting[there] = _NEVER
                candidate[there] = distance + 2 if score < 0 else -(distance + 2)
                _push(head, following, distance + 1, total + there)


@allocating
def _push(head: NDArray[np.int32], following: NDArray[np.int32], distance: int, entry: int) -> None:
    if distance > LONGEST:
        raise OverflowError("a distance does not fit in a score")
    following[entry] = head[distance]
    head[distance] = entry


@allocating
def _write(
    scores: NDArray[np.int8], placements: int, part: tuple[int, int, int, int], settled: NDArray[np.int8]
) -> None:
    mover0, movers, other0, others = part
    for i in range(movers):
        row = (mover0 + i) * placements + other0
        for j in range(others):
            scores[row + j] = settled[j * movers + i]


@allocating
def _entered(
    reached: NDArray[np.uint8],
    p: Placements,
    part: tuple[int, int, int, int],
    stack: NDArray[np.int64],
    height: int,
) -> int:
    """Mark the positions of a part that forward moves lead to and stack all marked ones; return the height."""
    cars, obstacles, behind_start, behind = p.cars, p.obstacles, p.behind_start, p.behind
    mover0, movers, other0, others = part
    for other in range(other0, other0 + others):
        for mover in range(mover0, mover0 + movers):
            here = mover * len(cars) + other
            if cars[mover] & obstacles[other] != 0:
                continue
            bits = int(reached[here])
            if cars[mover] != 0:
                for k in range(behind_start[other], behind_start[other + 1]):
                    bits |= _swapped(int(reached[behind[k] * len(cars) + mover]))
            if bits:
                reached[here] = bits
                stack[height] = here
                height += 1
    return height


@allocating
def _mark(reached: NDArray[np.uint8], here: int, bits: int, stack: NDArray[np.int64], height: int) -> int:
    """Add bits to a position and, where that is news, stack it; return the stack's height."""
    if reached[here] | bits != reached[here]:
        reached[here] |= bits
        stack[height] = here
        height += 1
    return height


@allocating
def _swapped(bits: Any) -> int:
    """Return reachability as the side to move changes."""
    return (bits & BY_FIRST) << 1 | bits >> 1


@allocating
def _is_stuck(p: Placements, mover: int, other: int) -> bool:
    """Say whether a mover with cars on the board can move none."""
    taken = p.obstacles[other]
    for k in range(p.forward_start[mover], p.forward_start[mover + 1]):
        if p.forward_square[k] & taken == 0:
            return False
    for k in range(p.sideways_start[mover], p.sideways_start[mover + 1]):
        if p.sideways_square[k] & taken == 0:
            return False
    return p.cars[mover] != 0
