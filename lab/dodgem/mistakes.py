"""Moves that give away what a position is worth, found in games by their lines and a solved board.

A move is a mistake where a position that was won is no longer so after it, or one that was drawn is lost. A move
that only takes longer to win is none; nor can a lost position be given away. The move limit (D8), which the exact
solution leaves aside, is left aside here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.dodgem.board import start
from engine.dodgem.rules import Side
from engine.dodgem.state import PASS_CODE, state_of
from engine.dodgem.table import Table

Counts = NDArray[np.int64]

KINDS = ("win to draw", "win to loss", "draw to loss")
"""What can be given away, in the order in which it is counted."""

_CHUNK = 4096


@dataclass(frozen=True)
class Mistakes:
    """Moves and mistakes of games, by seat.

    Attributes
    ----------
    moves
        Moves each seat made, passes not counted, shape (games, 2).
    given_away
        Of these the mistakes of each kind (:data:`KINDS`), shape (games, 2, 3).
    """

    moves: Counts
    given_away: Counts


def mistakes(table: Table, lines: Sequence[NDArray[np.int64]], first: Side) -> Mistakes:
    """Count the mistakes in games.

    Parameters
    ----------
    table
        The solved board, of the stuck rule under which the games were played.
    lines
        Every game's moves by number (:func:`engine.dodgem.state.code_of`), from the start on.
    first
        The side that moved first.
    """
    chunks = [_mistakes(table, lines[at : at + _CHUNK], first) for at in range(0, len(lines), _CHUNK)]
    if not chunks:
        return Mistakes(np.zeros((0, 2), np.int64), np.zeros((0, 2, len(KINDS)), np.int64))
    return Mistakes(
        np.concatenate([chunk.moves for chunk in chunks]), np.concatenate([chunk.given_away for chunk in chunks])
    )


def _mistakes(table: Table, lines: Sequence[NDArray[np.int64]], first: Side) -> Mistakes:
    played = np.zeros((len(lines), max(map(len, lines))), bool)
    codes = np.full(played.shape, PASS_CODE, np.int64)
    for game, line in enumerate(lines):
        played[game, : len(line)] = True
        codes[game, : len(line)] = line
    worth = _worth(table, codes, first)
    # What the mover had before its move, and what the move left it.
    before, after = worth[:, :-1], -worth[:, 1:]
    chosen = played & (codes != PASS_CODE)
    kinds = np.stack(
        [(before == 1) & (after == 0), (before == 1) & (after == -1), (before == 0) & (after == -1)], axis=2
    )
    kinds &= chosen[:, :, None]
    seats = [slice(0, None, 2), slice(1, None, 2)]
    return Mistakes(
        np.stack([chosen[:, seat].sum(axis=1) for seat in seats], axis=1),
        np.stack([kinds[:, seat].sum(axis=1) for seat in seats], axis=1),
    )


def _worth(table: Table, codes: NDArray[np.int64], first: Side) -> NDArray[np.int8]:
    """Return 1, 0 or −1 for each position's side to move, shape (games, moves + 1); after a game's end, nonsense."""
    begin = start(table.board, first)
    targets = state_of(begin, table.stuck).targets
    cars = np.empty((2, len(codes)), np.int64)
    cars[:] = [[begin.up], [begin.right]]
    worth = np.empty((codes.shape[0], codes.shape[1] + 1), np.int8)
    for number in range(worth.shape[1]):
        side = (int(first) + number) % 2
        scores = table.scores_of(cars[0], cars[1], np.full(len(codes), side, np.int8))
        worth[:, number] = np.sign(scores)
        if number == codes.shape[1]:
            break
        moved = codes[:, number] != PASS_CODE
        square, direction = np.divmod(np.where(moved, codes[:, number], 0), 3)
        target = targets[side, square, direction].astype(np.int64)
        step = np.left_shift(1, square) | np.where(target >= 0, np.left_shift(1, np.maximum(target, 0)), 0)
        cars[side] ^= np.where(moved, step, 0)
    return worth
