"""A game of Dodgem in progress: the rules in their readable form, clauses D5 to D8 included.

Compiled play is held to this form, records are replayed through it, and people play with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from engine.dodgem.board import PASS, Move, Position, start
from engine.dodgem.rules import DodgemRules, Side
from engine.errors import GameError

Cause = Literal["out", "stuck", "move limit", "repetition"]
CAUSES: tuple[Cause, ...] = ("out", "stuck", "move limit", "repetition")
"""What may decide a game, in the order of the numbers in compiled code."""


@dataclass(frozen=True)
class Verdict:
    """How a game ended.

    Attributes
    ----------
    winner
        The side that won; nobody in a draw.
    decided_by
        What ended it: D5, D6, D8, or the repetition option.
    """

    winner: Side | None
    decided_by: Cause


@dataclass(frozen=True)
class Match:
    """A game and how it came about; each move makes a new one, so going back is keeping the old one.

    Attributes
    ----------
    rules
        Rule set.
    moves
        Moves played, in order.
    positions
        Positions before each move and the one that stands now: one more than moves.
    """

    rules: DodgemRules
    moves: tuple[Move, ...]
    positions: tuple[Position, ...]

    @classmethod
    def begin(cls, rules: DodgemRules) -> Match:
        """Return a game in which nobody has moved."""
        return cls(rules, (), (start(rules.board, rules.first_side),))

    @property
    def position(self) -> Position:
        """The position that stands now."""
        return self.positions[-1]

    @cached_property
    def verdict(self) -> Verdict | None:
        """How the game ended; nothing while it goes on.

        The position itself speaks before the count of moves: a side driven out or stuck by the last permitted
        move decides the game (D5 and D6 before D8).
        """
        decided = verdict_on(self.position, self.rules)
        if decided is None and self.rules.repetition == "draws" and self.positions.count(self.position) >= 3:
            decided = Verdict(None, "repetition")
        if decided is None and len(self.moves) >= self.rules.max_moves:
            decided = Verdict(None, "move limit")
        return decided

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the moves that may be played now, :data:`PASS` where it is the only one; empty at the end."""
        if self.verdict is not None:
            return ()
        return self.position.moves() or (PASS,)

    def after(self, move: Move) -> Match:
        """Return the game after a move; raises :class:`GameError` where it is over or the move is illegal."""
        if self.verdict is not None:
            raise GameError(f"{move}: the game is over")
        following = self.position.after(move)
        return Match(self.rules, (*self.moves, move), (*self.positions, following))


def verdict_on(position: Position, rules: DodgemRules) -> Verdict | None:
    """Return how a position by itself ends the game (D5, D6); nothing where play goes on."""
    if position.out is not None:
        return Verdict(position.out, "out")
    if rules.stuck == "passes" or not position.stuck:
        return None
    winners = {"wins": position.to_move, "loses": position.to_move.other, "draws": None}
    return Verdict(winners[rules.stuck], "stuck")
