"""The state of a game: bases and men as structured arrays, and whose pen it is.

``men`` and ``bases`` are NumPy structured arrays, so that compiled code and Shapely read the very same memory.
A man's ``inside`` is kept beside his place, for it decides walls, worth and every kill-rate figure (R3.3).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

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
        ("alive", "i8"),  # 1 or 0: compiled code reads it without a branch
        ("inside", "i8"),  # own base he stands inside (R3.3), or NOWHERE; on the road too he is NOWHERE
        ("status", "i8"),
        ("home", "i8"),  # base he was jotted into last
        ("target", "i8"),  # base he is sent to, or NOWHERE
        ("road_left", "i8"),  # enemy turns still to spend on the road
    ]
)

Men = Any
"""``(men,)`` array of :data:`MAN` (typed loosely: compiled code reads its fields as attributes)."""
Bases = Any
"""``(bases,)`` array of :data:`BASE`."""


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


@compiled
def wall_strength(k: Numbers, garrison: int) -> float:
    """Return f of R6.6: 0 at an empty ring, 1 at a full or overfull base."""
    return min(1.0, garrison / k.soldiers_per_base) ** k.garrison_curve


@entry_point
def snipe_loss(k: Numbers, garrison: int) -> float:
    """Return the share of what is left that a wall takes from a snipe (R7.2)."""
    if k.flat_walls:
        return k.flat_snipe_loss
    return k.snipe_loss_empty + (k.snipe_loss_full - k.snipe_loss_empty) * wall_strength(k, garrison)


@entry_point
def lunge_shake(k: Numbers, garrison: int) -> float:
    """Return the shake in rad (one sd) that a wall gives a lunger (R8.2)."""
    if k.flat_walls:
        return k.flat_lunge_shake
    return k.lunge_shake_empty + (k.lunge_shake_full - k.lunge_shake_empty) * wall_strength(k, garrison)


@dataclass(slots=True)
class Page:
    """One moment of a game.

    Attributes
    ----------
    bases, men
        Structured arrays of :data:`BASE` and :data:`MAN`; a man's or base's id is its index.
    current
        Side whose pen it is: 0 flicked first.
    turn
        Number of the turn in progress, from 1 (R4.1).
    flicks_left
        Flicks the side may still play this turn (R4.3).
    chain_man, chain_links
        The man owed a lunge and the links he has made, or NOWHERE and 0.
    chain_owed
        Lunges he is owed: 1, or more under ``lunge_earns = "per_kill"``.
    send_used
        Whether this turn's send is used (R9.1).
    last_stand_since
        Turn in which each side's last stand began, 0 while it has not (R11.1).
    winner
        Side that has won, or NOWHERE.
    stalled
        Whether the game passed ``max_turns`` (R12.2).
    """

    bases: NDArray[np.void]
    men: NDArray[np.void]
    current: int = 0
    turn: int = 1
    flicks_left: int = 1
    chain_man: int = NOWHERE
    chain_links: int = 0
    chain_owed: int = 0
    send_used: bool = False
    last_stand_since: list[int] = field(default_factory=lambda: [0, 0])
    winner: int = NOWHERE
    stalled: bool = False

    @property
    def over(self) -> bool:
        """Whether the game has ended, won or stalled."""
        return self.winner != NOWHERE or self.stalled

    def living(self, side: int) -> NDArray[np.int64]:
        """Return the ids of a side's living men."""
        men = self.men
        return np.flatnonzero((men["side"] == side) & (men["alive"] == 1))

    def can_flick(self) -> NDArray[np.int64]:
        """Return the ids of the men who may flick now (R4.4)."""
        if self.chain_man != NOWHERE:
            return np.array([self.chain_man])
        men = self.men
        return np.flatnonzero((men["side"] == self.current) & (men["alive"] == 1) & (men["status"] == HOME))

    def steadiness(self, k: Numbers, side: int) -> float:
        """Return the factor on the hand's errors of ``side`` now (R5.4)."""
        return float(k.last_stand_steadiness) if self.last_stand_since[side] else 1.0
