"""What Dawood-bot keeps in his head: his skill and habits, what he imagines, and room to work in.

All of it is one structured record, so that a compiled function takes it as one pointer.
"""

from __future__ import annotations

from functools import lru_cache
from math import erf, hypot, sqrt
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.hand import Skill, angle_sd, wildness
from engine.dotfight.page import MAN
from engine.dotfight.rules import MOST_BASES, MOST_MEN, MOST_SOLDIERS, Numbers, Rules
from engine.jit import compiled, entry_point

GRAIN = 8.0  # page units: distances are rounded to this, halves up
MARGIN = 60.0  # page units: a shooter means to reach this far past his man
GRAINS = 1024  # farther men are met by computing the chance anew
MOST_CANDIDATES = 256
MOST_KEPT = 32
WORTH_OPEN, WORTH_FLAT, WORTH_LEAST, WORTH_MOST = 1.3, 0.9, 0.3, 1.25
# Typed, and lists of the nearest all of one size, since the compiler makes a function anew for each.
SHOOTERS = cast(int, np.int64(6))  # nearest the targets' mean place
AIMS = cast(int, np.int64(7))  # nearest targets of each
AHEAD = cast(int, np.int64(12))  # targets that a view lists, so that it still has AIMS when some are gone
ON_LINE = 16  # men on one line that a view has room for
MOST_VIEWS = 128  # views remembered of one look at the page: more shooters than ever come near

CANDIDATE = np.dtype(
    [
        ("man", "i8"),
        ("kind", "i8"),
        ("angle", "f8"),
        ("power", "f8"),
        ("length", "f8"),  # that the power is meant to give
        ("points", "f8"),  # of the perfect-hand preview, pen included
        ("survived", "i8"),  # 1 unless the flicker was lost in it
    ]
)
VIEW = np.dtype(
    [
        ("whole", "i8"),  # 1 unless it lacks room for somebody
        ("aims", "i8"),  # targets listed
        ("aim", "i8", (AHEAD,)),  # their ids, nearest first
        ("far", "f8", (AHEAD,)),  # their squared distances
        ("ex", "f8", (AHEAD,)),  # their directions
        ("ey", "f8", (AHEAD,)),
        ("chance", "f8", (AHEAD,)),  # to hit them
        ("held", "i8", (AHEAD,)),  # targets on the line to each
        ("line", "i2", (AHEAD, ON_LINE)),  # their ids, in order
    ]
)
"""What one man sees of the other side from where he stands (``view.py``)."""
MIND = np.dtype(
    [
        # skill, as engine.dotfight.hand.Skill
        ("hand", "f8"),
        ("eye", "f8"),
        ("judge", "f8"),
        # habits: how much he looks, and what he may do (1 or 0)
        ("imagined", "i8"),
        ("kept", "i8"),
        ("samples", "i8"),
        ("may_lunge", "i8"),
        ("may_send", "i8"),
        ("may_decline", "i8"),
        ("chance", "f8", (2, GRAINS)),  # to hit, by distance in grains: ordinary hand, last stand
        # the flicks imagined, and the position that one of them leaves
        ("candidates", CANDIDATE, (MOST_CANDIDATES,)),
        ("chosen", "i8", (MOST_KEPT,)),
        ("after", MAN, (MOST_MEN,)),
        ("worth_inside", "f8", (MOST_SOLDIERS + 1,)),  # worth as a target, by the garrison of his base
        ("worth", "f8", (MOST_MEN,)),
        ("manned", "i8", (MOST_BASES,)),  # each base's garrison without walkers
        # what has been seen of the page as it is, and who is imagined to stand elsewhere
        ("look", "i8"),  # number of the look that the views are from
        ("seen", MAN, (MOST_MEN,)),
        ("viewed", "i8", (MOST_MEN,)),  # look at which each man's view was taken last
        ("place", "i8", (MOST_MEN,)),  # of his view in this list
        ("views", VIEW, (MOST_VIEWS,)),
        ("taken", "i8"),  # views of this look
        ("moves", "i8"),
        ("mover", "i8", (MOST_MEN,)),  # ids of those who stand elsewhere, in order
        ("elsewhere", "i8", (MOST_MEN,)),  # 1 for each of them
        ("manned_wrongly", "i8", (MOST_BASES,)),  # 1 where a base as jotted breaks the stance
        ("mine", "f8"),  # best lines as things are
        ("theirs", "f8"),
        # room to work in
        ("ranked", "i8", (MOST_MEN,)),
        ("far", "f8", (MOST_MEN,)),
        ("target_x", "f8", (MOST_MEN,)),
        ("target_y", "f8", (MOST_MEN,)),
        ("target_worth", "f8", (MOST_MEN,)),
        ("shooter", "i8", (AHEAD,)),
        ("shooter_far", "f8", (AHEAD,)),
        ("aim", "i8", (AHEAD,)),
        ("aim_far", "f8", (AHEAD,)),
        ("new", "i8", (MOST_MEN,)),  # targets that stand elsewhere, in order of their ids, as one shooter sees them
        ("new_dx", "f8", (MOST_MEN,)),
        ("new_dy", "f8", (MOST_MEN,)),
        ("nearest", "i8", (AHEAD,)),  # of them, as places in this list
        ("nearest_far", "f8", (AHEAD,)),
    ]
)

Mind = Any
"""One record of :data:`MIND`; entry points take it as a ``(1,)`` array."""


@compiled
def hit_chance(k: Numbers, hand: float, eye: float, distance: float, steadiness: float) -> float:
    """Return the chance that a straight flick meant for a man at ``distance`` touches him."""
    spread = hypot(angle_sd(k, wildness(k, distance + MARGIN)) * hand, eye) * steadiness * distance
    return erf(k.hit_reach / (sqrt(2.0) * spread)) if spread > 0.0 else 1.0


@entry_point
def fill_chances(numbers: Numbers, hand: float, eye: float, out: NDArray[np.float64]) -> None:
    """Fill ``out`` (2, n) with the chances to hit by distance in grains: ordinary hand, last stand."""
    k = numbers[0]
    for i in range(out.shape[1]):
        out[0, i] = hit_chance(k, hand, eye, i * GRAIN, 1.0)
        out[1, i] = hit_chance(k, hand, eye, i * GRAIN, k.last_stand_steadiness)


def worth_inside(rules: Rules, garrison: int) -> float:
    """Return the worth as a target of a man inside his own base of that garrison."""
    if rules.garrison == "flat":
        return WORTH_FLAT
    worth = 1.0 - rules.snipe_loss(garrison) - 0.5 * rules.lunge_shake(garrison)
    return min(WORTH_MOST, max(WORTH_LEAST, worth))


@lru_cache(maxsize=16)
def _tables(rules: Rules, skill: Skill) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    chances = np.empty((2, GRAINS))
    fill_chances(rules.numbers, skill.hand, skill.eye, chances)
    worth = np.array([worth_inside(rules, garrison) for garrison in range(MOST_SOLDIERS + 1)])
    return chances, worth


def fresh_mind(rules: Rules, skill: Skill) -> NDArray[np.void]:
    """Return a ``(1,)`` array of :data:`MIND` that knows its chances; habits are left to the caller."""
    mind = np.empty(1, MIND)  # most of it is room to work in, and too much to clear for each game
    for name in ("look", "viewed", "moves", "elsewhere"):
        mind[name] = 0
    mind["hand"], mind["eye"], mind["judge"] = skill
    mind["chance"][0], mind["worth_inside"][0] = _tables(rules, skill)
    return mind
