"""The state of a game: bases, men, and whose pen it is, as structured arrays that compiled code shares.

A man's or base's id is its index. A man's ``inside`` is kept beside his place, for it decides walls, worth and
every kill-rate figure (R3.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.rules import Numbers
from engine.jit import compiled, entry_point

HOME, ORDERED, ROAD = 0, 1, 2
"""A man's status: at home, ordered to walk but still at home, on the road (R9)."""

NOWHERE = -1

BASE = np.dtype([("x", "f8"), ("y", "f8"), ("side", "i8")])
MAN = np.dtype(
    [
        ("x", "f8"),
        ("y", "f8"),
        ("side", "i8"),
        ("alive", "i8"),  # 1 or 0
        ("inside", "i8"),  # own base he stands inside (R3.3), or NOWHERE; on the road too he is NOWHERE
        ("status", "i8"),
        ("home", "i8"),  # base he was jotted into last
        ("target", "i8"),  # base he is sent to, or NOWHERE
        ("road_left", "i8"),  # enemy turns still to spend on the road
    ]
)
PEN = np.dtype(
    [
        ("current", "i8"),  # side whose pen it is: 0 flicked first
        ("turn", "i8"),  # number of the turn in progress, from 1 (R4.1)
        ("flicks_left", "i8"),  # flicks the side may still play this turn (R4.3)
        ("chain_man", "i8"),  # man owed a lunge, or NOWHERE
        ("chain_links", "i8"),  # links he has made (R5.5)
        ("chain_owed", "i8"),  # lunges he is owed: more than 1 only if each kill earns one (R8.4)
        ("send_used", "i8"),  # 1 once this turn's send is used (R9.1)
        ("stand_since", "i8", (2,)),  # turn in which each side's last stand began, 0 while it has not (R11.1)
        ("winner", "i8"),  # side that has won, or NOWHERE
        ("stalled", "i8"),  # 1 once the game has passed ``max_turns`` (R12.2)
    ]
)

Men = Any
"""``(men,)`` array of :data:`MAN` (typed loosely: compiled code reads its fields as attributes)."""
Bases = Any
"""``(bases,)`` array of :data:`BASE`."""
Pen = Any
"""One record of :data:`PEN`; entry points take it as a ``(1,)`` array."""


@entry_point
def inside_base(k: Numbers, bases: Bases, side: int, x: float, y: float) -> int:
    """Return the base of ``side`` that the point lies inside (R3.3), or NOWHERE."""
    reach = k.inside_reach * k.base_radius
    for b in range(bases.shape[0]):
        if bases[b].side == side:
            dx, dy = x - bases[b].x, y - bases[b].y
            if dx * dx + dy * dy <= reach * reach:
                return b
    return NOWHERE


@compiled
def copy_men(men: Men, out: Men) -> None:
    """Copy every man into ``out``."""
    for m in range(men.shape[0]):
        out[m] = men[m]


@entry_point
def count_garrisons(bases: Bases, men: Men, out: NDArray[np.int64]) -> None:
    """Count each base's own living men inside it, none on the road, into ``out`` (R6.5)."""
    for b in range(bases.shape[0]):
        out[b] = 0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].inside >= 0 and men[m].status != ROAD:
            out[men[m].inside] += 1


@entry_point
def note_empty_rings(bases: Bases, men: Men, garrison: NDArray[np.int64], ever: NDArray[np.int64]) -> int:
    """Count the garrisons anew and mark in ``ever`` the bases that are empty rings (R2.5).

    Returns the bases that are so for the first time as the bits of a whole number.
    """
    count_garrisons(bases, men, garrison)
    new = 0
    for b in range(bases.shape[0]):
        if garrison[b] == 0 and ever[b] == 0:
            ever[b] = 1
            new |= 1 << b
    return new


def bases_in(bits: int) -> list[int]:
    """Return the bases that stand in the bits of a whole number, in order."""
    return [b for b in range(bits.bit_length()) if bits >> b & 1]


class Man(NamedTuple):
    """The fields of a man, read at once (:data:`MAN`)."""

    x: float
    y: float
    side: int
    alive: int
    inside: int
    status: int
    home: int
    target: int
    road_left: int


def man_at(men: Men, man: int) -> Man:
    """Return one of the men, read at once, which takes as long as one field."""
    return Man._make(men.item(man))


class Moment(NamedTuple):
    """The fields of a pen, read at once (:data:`PEN`)."""

    current: int
    turn: int
    flicks_left: int
    chain_man: int
    chain_links: int
    chain_owed: int
    send_used: int
    stand_since: NDArray[np.int64]
    winner: int
    stalled: int

    @property
    def over(self) -> bool:
        """Whether the game has ended, won or stalled."""
        return self.winner != NOWHERE or bool(self.stalled)


class _Of:
    """A whole number of the pen, read and written as an attribute of the page."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, page: Page, owner: type[Page]) -> int:
        return int(page.pen[self._name][0])

    def __set__(self, page: Page, value: int) -> None:
        page.pen[self._name][0] = value


@dataclass(slots=True, eq=False)
class Page:
    """One moment of a game.

    Attributes
    ----------
    bases, men
        Structured arrays of :data:`BASE` and :data:`MAN`.
    pen
        ``(1,)`` array of :data:`PEN`, whose fields are attributes of the page too.
    """

    bases: NDArray[np.void]
    men: NDArray[np.void]
    pen: NDArray[np.void]

    current = _Of("current")
    turn = _Of("turn")
    flicks_left = _Of("flicks_left")
    chain_man = _Of("chain_man")
    chain_links = _Of("chain_links")
    chain_owed = _Of("chain_owed")
    send_used = _Of("send_used")
    winner = _Of("winner")
    stalled = _Of("stalled")

    @property
    def moment(self) -> Moment:
        """All of the pen at once, which takes as long as one field."""
        return Moment._make(self.pen.item())

    @property
    def stand_since(self) -> NDArray[np.int64]:
        """Turn in which each side's last stand began, ``(2,)``, 0 while it has not (R11.1)."""
        return self.pen["stand_since"][0]

    @property
    def over(self) -> bool:
        """Whether the game has ended, won or stalled."""
        return self.moment.over

    def copy(self) -> Page:
        """Return the same moment, apart."""
        return Page(self.bases.copy(), self.men.copy(), self.pen.copy())

    def living(self, side: int) -> NDArray[np.int64]:
        """Return the ids of a side's living men."""
        return np.flatnonzero((self.men["side"] == side) & (self.men["alive"] == 1))

    def can_flick(self) -> NDArray[np.int64]:
        """Return the ids of the men who may flick now (R4.4)."""
        if self.chain_man != NOWHERE:
            return np.array([self.chain_man])
        men = self.men
        return np.flatnonzero((men["side"] == self.current) & (men["alive"] == 1) & (men["status"] == HOME))


class Garrisons:
    """Who holds the walls as a game goes on.

    Attributes
    ----------
    now
        Each base's own living men inside it, none on the road, ``(bases,)`` (R6.5).
    ever_empty
        1 for each base that has been an empty ring, ``(bases,)`` (R2.5); those empty from the start are marked with
        the first turn that ends.
    """

    __slots__ = ("ever_empty", "now")

    def __init__(self, page: Page) -> None:
        self.now = np.zeros(page.bases.size, np.int64)
        self.ever_empty = np.zeros(page.bases.size, np.int64)
        count_garrisons(page.bases, page.men, self.now)


def fresh_pen() -> NDArray[np.void]:
    """Return the pen before the first flick, with nothing owed and nobody in a last stand."""
    pen = np.zeros(1, PEN)
    pen["turn"] = pen["flicks_left"] = 1
    pen["chain_man"] = pen["winner"] = NOWHERE
    return pen
