"""What a hand does to an intended flick (R5)."""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

from engine.dotfight.rules import Numbers
from engine.jit import compiled, entry_point


@entry_point
def length_of(k: Numbers, power: float) -> float:
    """Return the intended length in page units for a power in [0, 1] (R5.1)."""
    return k.reach_min + (k.reach_max - k.reach_min) * power**k.reach_curve


@entry_point
def power_for(k: Numbers, length: float) -> float:
    """Return the power in [0, 1] whose intended length comes nearest to ``length`` (inverse of R5.1)."""
    if k.reach_max <= k.reach_min:
        return 0.0
    share = min(1.0, max(0.0, (length - k.reach_min) / (k.reach_max - k.reach_min)))
    return share ** (1.0 / k.reach_curve)


@entry_point
def wildness(k: Numbers, length: float) -> float:
    """Return the wildness in [0, 1] of a line of ``length`` (R5.2)."""
    share = (length - k.wild_reach_min) / (k.wild_reach_max - k.wild_reach_min)
    return min(1.0, max(0.0, share)) ** (1.0 / k.wild_reach_curve)


@entry_point
def angle_sd(k: Numbers, wild: float) -> float:
    """Return the angular error in rad, one sd, of a human hand (R5.3)."""
    return k.angle_error + k.angle_error_wild * wild * wild


JOLTS = 32
"""Standard normals drawn for the jolts of a lunge, more than any lunge has yet needed, and at every flick alike: so
variants of the rules played on the same seeds keep the same hand from flick to flick (common random numbers)."""


class Skill(NamedTuple):
    """How true a hand and eye are; (1, 0, 0) is a human hand that sees perfectly.

    ``hand`` scales the errors of R5.3; ``eye`` (rad) and ``judge`` (relative length) join them in quadrature.
    """

    hand: float
    eye: float
    judge: float


HUMAN = Skill(1.0, 0.0, 0.0)


class Spread(NamedTuple):
    """How far a flick may come out from what was meant: angle sd in rad, relative length sd, greatest bend."""

    angle: float
    length: float
    bend: float


@compiled
def spread_of(k: Numbers, skill: Skill, length: float, steadiness: float, links: int) -> Spread:
    """Return the spread of a flick meant to be ``length`` long (R5.3).

    ``steadiness`` is the last stand's factor (R5.4); ``links`` are those already made in a chain (R5.5), whose
    tremor no last stand steadies.
    """
    wild = wildness(k, length)
    aim = hypot(angle_sd(k, wild) * skill.hand, skill.eye) * steadiness
    stretch = hypot(k.length_error * skill.hand, skill.judge) * steadiness
    bow = k.bend_max * (k.bend_tame + (1.0 - k.bend_tame) * wild)
    return Spread(hypot(aim, k.link_tremor * links), stretch, bow)


@compiled
def shaken(
    k: Numbers,
    spread: Spread,
    angle: float,
    length: float,
    normal_angle: float,
    normal_length: float,
    uniform_bend: float,
) -> tuple[float, float, float]:
    """Return (angle, length, bend) as they come out of the hand.

    ``normal_angle`` and ``normal_length`` are standard normal deviates, ``uniform_bend`` is uniform in [0, 1).
    """
    factor = max(k.length_factor_min, 1.0 + spread.length * normal_length)
    return angle + spread.angle * normal_angle, length * factor, spread.bend * (2.0 * uniform_bend - 1.0)


@entry_point
def resolve(
    numbers: Numbers,
    hand: float,
    eye: float,
    judge: float,
    angle: float,
    power: float,
    steady: bool,
    links: int,
    normal_angle: float,
    normal_length: float,
    uniform_bend: float,
) -> tuple[float, float, float]:
    """Return (angle, length, bend) of a flick meant at ``angle`` with ``power`` as it leaves the hand.

    ``numbers`` is a ``(1,)`` array; ``steady`` says that the side is in its last stand; the rest is as for
    :func:`shaken`.
    """
    k = numbers[0]
    steadiness = k.last_stand_steadiness if steady else 1.0
    length = length_of(k, power)
    spread = spread_of(k, Skill(hand, eye, judge), length, steadiness, links)
    return shaken(k, spread, angle, length, normal_angle, normal_length, uniform_bend)
