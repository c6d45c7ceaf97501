"""What a side can do: as a player means it, and as it is played once the hand has had its say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

SNIPE, LUNGE = 0, 1
KINDS = ("snipe", "lunge")


@dataclass(frozen=True, slots=True)
class FlickIntent:
    """A flick as a player means it: the man, SNIPE or LUNGE, the angle in rad and the power in [0, 1]."""

    man: int
    kind: int
    angle: float
    power: float


@dataclass(frozen=True, slots=True)
class Send:
    """Men ordered to walk from one base to another, the front of the column first (R9)."""

    source: int
    target: int
    men: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decline:
    """An earned lunge not taken (R4.4)."""


Intent = FlickIntent | Send | Decline


class Flick(NamedTuple):
    """A flick as it leaves the hand: length in page units, bend as a share of it, normals for a lunge's jolts."""

    man: int
    kind: int
    angle: float
    length: float
    bend: float
    normals: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrival:
    """A convoy's men and the spots they are jotted into at the start of their side's turn (R9.3)."""

    base: int
    men: tuple[int, ...]
    spots: tuple[tuple[float, float], ...]


Action = Flick | Send | Decline | Arrival
