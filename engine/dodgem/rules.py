"""The rules of Dodgem as parameters: every number and every choice that a clause of RULES.md leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Literal, get_args

from engine.parameters import Param, Parameters

StuckRule = Literal["wins", "loses", "passes", "draws"]
"""What becomes of a side that is to move, has cars on the board and can move none of them (D6)."""

STUCK_RULES: tuple[StuckRule, ...] = get_args(StuckRule)
"""The stuck rules in the order of their numbers in compiled code."""


class Side(IntEnum):
    """A side, named for the way it drives (D2)."""

    UP = 0
    RIGHT = 1

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side(1 - self)

    @property
    def word(self) -> str:
        """The side's name in texts: ``up`` or ``right``."""
        return self.name.lower()


@dataclass(frozen=True, kw_only=True)
class DodgemRules(Parameters):
    """A rule set of Dodgem."""

    board: Annotated[
        int,
        Param("side of the board; each side has one car fewer", unit="squares", low=2, high=99, source="D1"),
    ] = 3
    stuck: Annotated[StuckRule, Param("what becomes of a side to move that has cars but no move", source="D6")] = "wins"
    first_mover: Annotated[Literal["up", "right"], Param("the side that moves first", source="D7")] = "up"
    max_moves: Annotated[
        int,
        Param("moves of both sides together after which the game is a draw", unit="moves", low=1, source="D8"),
    ] = 120
    repetition: Annotated[
        Literal["allowed", "draws"],
        Param("whether a position that stands for the third time, same side to move, is a draw", source="D8"),
    ] = "allowed"

    @property
    def cars(self) -> int:
        """Cars of each side at the start (D1)."""
        return self.board - 1

    @property
    def first_side(self) -> Side:
        """The side that moves first, which the first seat plays (D7)."""
        return Side[self.first_mover.upper()]
