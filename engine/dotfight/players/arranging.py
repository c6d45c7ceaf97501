"""How Dawood-bot draws his bases and arranges his men before the first flick (R2, R3)."""

from __future__ import annotations

from math import cos, inf, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.page import Bases, Men, Pen, inside_base
from engine.dotfight.placing import NOTHING, base_obstacle, is_crowded, standing_fault
from engine.dotfight.players.mind import Mind
from engine.dotfight.players.sight import ROUNDING, best_line, value_men
from engine.dotfight.players.view import look_at, move
from engine.dotfight.rules import Numbers
from engine.jit import compiled, entry_point

BANDS = (((0.58, 0.92), (0.08, 0.42)), ((0.53, 0.95), (0.05, 0.47)), ((0.0, 1.0), (0.0, 1.0)))
"""Bands of the page's height for either side's bases, first choice first."""
BAND_TRIES = 400
LAST_TRIES = 20_000  # anywhere on the page, before the page is called full

SPOTS, SPOTS_MUST = 10, 40
# 2026-11-30: a man tries 40 spots if he must move now, or if his base as jotted breaks the stance. The player's
# description leaves open when that is judged. By turns only, a spreading side has 23.7% of its men inside and 42% of
# games start unequal; so, 22.8% and 55%; the record has 23% and 221 of 400 (experiments/0001-public-record).
SPREAD_REACH = 0.9  # of the placing reach
OWN_SPACING = 2.6  # dot radii from own men
CROWD, CROWD_WEIGHT = 60.0, 0.15
BETTER = 0.01


def draw_base(
    k: Numbers, rng: np.random.Generator, bases: NDArray[np.void], drawn: int, side: int
) -> tuple[float, float] | None:
    """Return where Dawood-bot draws his next base beside the first ``drawn``, or None when the page is full."""
    margin, width, height = float(k["margin"][0]), float(k["page_width"][0]), float(k["page_height"][0])
    for choice, bands in enumerate(BANDS):
        low, high = bands[side]
        inset = 1.4 * float(k["base_radius"][0]) if choice == 0 else 0.0
        for _ in range(LAST_TRIES if choice == len(BANDS) - 1 else BAND_TRIES):
            x = margin + inset + rng.random() * (width - margin - 2.0 * inset)
            y = height * (low + rng.random() * (high - low))
            if base_obstacle(k, bases[:drawn], side, x, y, 0.0) == NOTHING:
                return x, y
    return None


@compiled
def crowding(k: Numbers, men: Men, man: int, x: float, y: float) -> float:
    """Return how crowded (x, y) is with own men, or infinity where one stands too near."""
    total = 0.0
    for m in range(men.shape[0]):
        if m != man and men[m].alive and men[m].side == men[man].side:
            far = (x - men[m].x) ** 2 + (y - men[m].y) ** 2
            if far < (OWN_SPACING * k.dot_radius) ** 2:
                return inf
            if far < CROWD * CROWD:
                total += (CROWD - sqrt(far)) / CROWD
    return CROWD_WEIGHT * total


@compiled
def danger(
    k: Numbers, bases: Bases, men: Men, pen: Pen, man: int, x: float, y: float, enough: float, mind: Mind
) -> float:
    """Return the enemy's best line at us if ``man`` stood at (x, y), or one of ``enough`` or more."""
    here = men[man]
    old_x, old_y, old_inside = here.x, here.y, here.inside
    here.x = x
    here.y = y
    here.inside = inside_base(k, bases, here.side, x, y)
    value_men(k, bases, men, mind)
    line = best_line(k, men, pen, 1 - here.side, enough, mind)
    here.x = old_x
    here.y = old_y
    here.inside = old_inside
    return line


def chance_needed(men: int) -> int:
    """Return how many uniform deviates arranging takes at most, with that many men on the page."""
    return men * (1 + 2 * max(SPOTS, SPOTS_MUST))


@entry_point
def arrange(
    numbers: Numbers,
    bases: Bases,
    men: Men,
    pens: Pen,
    side: int,
    least_inside: float,
    most_inside: float,
    uniforms: NDArray[np.float64],
    minds: Mind,
) -> None:
    """Move the men of ``side`` one by one, in random order, to safer places, within the stance's bounds.

    ``least_inside`` and ``most_inside`` bound the share of each base's men inside it; ``uniforms`` are
    :func:`chance_needed` uniform deviates; ``numbers``, ``pens`` and ``minds`` are ``(1,)`` arrays.
    """
    k, pen, mind = numbers[0], pens[0], minds[0]
    order = mind.ranked
    n = 0
    for m in range(men.shape[0]):
        if men[m].side == side:
            order[n] = m
            n += 1
    used = 0
    for i in range(n - 1, 0, -1):
        j = int(uniforms[used] * (i + 1))
        used += 1
        order[i], order[j] = order[j], order[i]
    for b in range(bases.shape[0]):
        mates = inside = 0
        for m in range(men.shape[0]):
            if men[m].home == b:
                mates += 1
                inside += 1 if men[m].inside == b else 0
        fits = least_inside * mates - 1e-9 <= inside <= most_inside * mates + 1e-9
        mind.manned_wrongly[b] = 0 if fits else 1
    for i in range(n):
        man = order[i]
        look_at(men, mind)
        move(mind, man)
        home = men[man].home
        mates = others_inside = 0
        for m in range(men.shape[0]):
            if men[m].home == home:
                mates += 1
                if m != man and men[m].inside == home:
                    others_inside += 1
        may_in = others_inside + 1 <= most_inside * mates + 1e-9
        may_out = others_inside >= least_inside * mates - 1e-9
        is_in = men[man].inside == home
        must = not (may_in if is_in else may_out)
        if must:
            score = np.inf
        else:
            score = danger(k, bases, men, pen, man, men[man].x, men[man].y, inf, mind)
            score += crowding(k, men, man, men[man].x, men[man].y)
        best_x, best_y = men[man].x, men[man].y
        for _ in range(SPOTS_MUST if must or mind.manned_wrongly[home] else SPOTS):
            angle, out = 2.0 * pi * uniforms[used], uniforms[used + 1]
            used += 2
            if must and is_in:
                low = k.inside_reach * k.base_radius + 1.0
                reach = low + out * (k.base_radius + k.position_reach - 1.0 - low)
            else:
                reach = sqrt(out) * (k.base_radius + SPREAD_REACH * k.position_reach)
            x, y = bases[home].x + reach * cos(angle), bases[home].y + reach * sin(angle)
            goes_in = inside_base(k, bases, side, x, y) == home
            if not (may_in if goes_in else may_out):
                continue
            if standing_fault(k, bases, home, x, y, 0.0) or is_crowded(k, men, man, x, y, 0.0):
                continue
            crowd = crowding(k, men, man, x, y)
            if crowd == inf:
                continue
            enough = score - BETTER - crowd + ROUNDING
            spot = danger(k, bases, men, pen, man, x, y, enough, mind) + crowd
            if spot < score - BETTER:
                score, best_x, best_y = spot, x, y
        men[man].x = best_x
        men[man].y = best_y
        men[man].inside = inside_base(k, bases, side, best_x, best_y)
