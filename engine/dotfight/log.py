"""What happened in a game, entry by entry: enough to replay it, to draw it and to measure it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.dotfight.actions import Arrival, Flick, Send
from engine.dotfight.outcome import Outcome


class FlickPlayed(NamedTuple):
    """A flick and what came of it.

    Attributes
    ----------
    turn, side
        Whose pen it was, and in which turn.
    flick, outcome
        As it left the hand, and what the ink met.
    links
        Links already made by the man when he flicked (R5.5).
    owed
        Whether it was an earned lunge.
    earned
        Whether it earned another flick.
    exposed_inside, exposed_outside
        Living enemies when he flicked, in their own base's garrison and not.
    kills_inside, kills_road
        Enemies crossed out who were in their base's garrison when he flicked, and on the road.
    living
        Living men of both sides afterwards.
    """

    turn: int
    side: int
    flick: Flick
    outcome: Outcome
    links: int
    owed: bool
    earned: bool
    exposed_inside: int
    exposed_outside: int
    kills_inside: int
    kills_road: int
    living: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SendOrdered:
    """A send."""

    turn: int
    side: int
    send: Send


@dataclass(frozen=True, slots=True)
class LungeDeclined:
    """An earned lunge not taken."""

    turn: int
    side: int


@dataclass(frozen=True, slots=True)
class ConvoyArrived:
    """A convoy jotted into its destination at the start of its side's turn."""

    turn: int
    side: int
    arrival: Arrival


@dataclass(frozen=True, slots=True)
class BaseEmptied:
    """A base whose garrison was empty for the first time, in the turn of the action that emptied it (R2.5)."""

    turn: int
    base: int


Entry = FlickPlayed | SendOrdered | LungeDeclined | ConvoyArrived | BaseEmptied
