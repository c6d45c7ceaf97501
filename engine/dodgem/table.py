"""The exact solution of a board under a stuck rule, and how it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.dodgem.board import PASS, Move, Position
from engine.dodgem.kernel import score_at, scores_at
from engine.dodgem.rules import StuckRule
from engine.dodgem.state import Solution, solution_of
from engine.errors import GameError

Value = Literal["win", "loss", "draw"]

SMALLEST, LARGEST = 2, 5
"""Boards that can be solved. The next, 6 × 6, has 94 billion positions: 88 GiB at a byte each."""


@dataclass(frozen=True)
class Exact:
    """What a position is worth with perfect play.

    Attributes
    ----------
    value
        For the side to move. A draw is play without end, or a stuck side where that draws (D6).
    distance
        Moves of both sides together to the end, the winner hurrying and the loser delaying; nothing for a draw.
    """

    value: Value
    distance: int | None

    @classmethod
    def of(cls, score: int) -> Exact:
        """Return what a score of :mod:`engine.dodgem.retrograde` says."""
        if score == 0:
            return cls("draw", None)
        return cls("win" if score > 0 else "loss", abs(score) - 1)


@dataclass(frozen=True)
class Valued:
    """A move and what it is worth to the side that makes it: ``distance`` counts from before the move."""

    move: Move
    value: Value
    distance: int | None


@dataclass(frozen=True)
class Counts:
    """The positions that play reaches from the start, a position and its side to move being one state.

    One fixed side moves first; finished positions count. By the board's reflection the counts do not depend on
    which side it is (D7).

    Attributes
    ----------
    wins_in, losses_in
        States by distance to the end: item d counts those that the side to move wins, loses, in d moves.
    draws
        Drawn states.
    out
        States in which one side has driven every car out (D5).
    stuck
        States in which the side to move is stuck (D6).
    """

    wins_in: tuple[int, ...]
    losses_in: tuple[int, ...]
    draws: int
    out: int
    stuck: int

    @classmethod
    def of(cls, by_score: Sequence[int], out: int, stuck: int) -> Counts:
        """Return the counts from those of each score from −128 to 127."""
        wins = [int(count) for count in by_score[129:]]
        losses = [int(count) for count in by_score[127:0:-1]]
        return cls(_trimmed(wins), _trimmed(losses), int(by_score[128]), out, stuck)

    @property
    def wins(self) -> int:
        """States won for the side to move."""
        return sum(self.wins_in)

    @property
    def losses(self) -> int:
        """States lost for the side to move."""
        return sum(self.losses_in)

    @property
    def positions(self) -> int:
        """All states."""
        return self.wins + self.losses + self.draws

    @property
    def longest_win(self) -> int:
        """Moves to the end in the longest win."""
        return len(self.wins_in) - 1

    @property
    def longest_loss(self) -> int:
        """Moves to the end in the longest loss."""
        return len(self.losses_in) - 1


@dataclass(frozen=True)
class Table:
    """A solved board.

    Attributes
    ----------
    board
        Side of the board.
    stuck
        Stuck rule it is solved under (D6).
    scores
        Score of every position, in the order of :mod:`engine.dodgem.layout`, shape (entries,).
    counts
        What play reaches.
    """

    board: int
    stuck: StuckRule
    scores: NDArray[np.int8]
    counts: Counts

    @cached_property
    def solution(self) -> Solution:
        """The table as compiled code takes it."""
        return solution_of(self.board, self.scores)

    def look_up(self, position: Position) -> Exact:
        """Return what a position is worth; raises :class:`GameError` for another board's."""
        self._check(position)
        return Exact.of(self._score(position))

    def scores_of(self, up: ArrayLike, right: ArrayLike, to_move: ArrayLike) -> NDArray[np.int8]:
        """Look up many positions at once.

        Parameters
        ----------
        up, right
            Squares of each side's cars as bits (:class:`~engine.dodgem.board.Position`), shape (positions,). They
            must describe positions of this board: this is not checked.
        to_move
            Sides to move, shape (positions,).

        Returns
        -------
        NDArray[np.int8]
            d + 1 for a win and −(d + 1) for a loss in d moves, 0 for a draw, shape (positions,).
        """
        ups = np.ascontiguousarray(up, np.int64)
        rights = np.ascontiguousarray(right, np.int64)
        sides = np.ascontiguousarray(to_move, np.int8)
        if not ups.shape == rights.shape == sides.shape or ups.ndim != 1:
            raise ValueError(f"arrays of one shape expected, not {ups.shape}, {rights.shape}, {sides.shape}")
        scores = np.empty(len(ups), np.int8)
        scores_at(self.solution, ups, rights, sides, scores)
        return scores

    def moves(self, position: Position) -> tuple[Valued, ...]:
        """Return every move of a position and what it is worth, best first.

        Wins come first, the faster the better, then draws, then losses, the slower the better; equals in the order
        of :meth:`Position.moves`. Empty where the position ends the game.
        """
        self._check(position)
        moves = position.moves()
        if not moves and self.stuck == "passes" and position.stuck:
            moves = (PASS,)
        replies = [(self._score(position.after(move)), move) for move in moves]
        replies.sort(key=lambda reply: 1 / reply[0] if reply[0] else 0)
        return tuple(_valued(move, Exact.of(score)) for score, move in replies)

    def _score(self, position: Position) -> int:
        return int(score_at(self.solution, position.up, position.right, int(position.to_move)))

    def _check(self, position: Position) -> None:
        if position.n != self.board:
            raise GameError(f"this is the table of the {self.board} × {self.board} board, not of {position.n}")


def _valued(move: Move, reply: Exact) -> Valued:
    seen_before: dict[Value, Value] = {"win": "loss", "loss": "win", "draw": "draw"}
    distance = None if reply.distance is None else reply.distance + 1
    return Valued(move, seen_before[reply.value], distance)


def _trimmed(counts: list[int]) -> tuple[int, ...]:
    while counts and counts[-1] == 0:
        counts.pop()
    return tuple(counts)
