"""How Dawood-bot draws his bases and arranges his men before the first flick (R2, R3)."""

from __future__ import annotations

from math import cos, hypot, pi, sin, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.page import Bases, Men, Pen, inside_base
from engine.dotfight.players.mind import Mind
from engine.dotfight.players.sight import best_line, value_men
from engine.dotfight.players.view import look_at, move
from engine.dotfight.rules import Numbers
from engine.jit import compiled, entry_point

BANDS = (((0.58, 0.92), (0.08, 0.42)), ((0.53, 0.95), (0.05, 0.47)), ((0.0, 1.0), (0.0, 1.0)))
"""Bands of the page's height for either side's bases, first choice first."""
BAND_TRIES = 400
LAST_TRIES = 20_000  # anywhere on the page, before the page is called full

SPOTS, SPOTS_MUST = 10, 40
SPREAD_REACH = 0.9  # of the placing reach
OWN_SPACING = 2.6  # dot radii from own men
CROWD, CROWD_WEIGHT = 60.0, 0.15
BETTER = 0.01


@compiled
def base_fits(k: Numbers, bases: Bases, drawn: int, side: int, x: float, y: float) -> bool:
    """Say whether a base may be drawn at (x, y) beside the first ``drawn`` of ``bases`` (R2.2)."""
    r = k.base_radius
    if x - r < k.margin + k.base_margin_gap or x + r > k.page_width - k.base_edge_gap:
        return False
    if y - r < k.base_edge_gap or y + r > k.page_height - k.base_edge_gap:
        return False
    for b in range(drawn):
        gap = k.own_gap if bases[b].side == side else k.enemy_gap
        reach = 2.0 * r + gap
        if (x - bases[b].x) ** 2 + (y - bases[b].y) ** 2 < reach * reach:
            return False
    return True


@entry_point
def draw_in_band(
    numbers: Numbers,
    rng: Any,
    bases: Bases,
    drawn: int,
    side: int,
    low: float,
    high: float,
    inset: float,
    tries: int,
) -> tuple[bool, float, float]:
    """Try to find a place for a base with x uniform ``inset`` from margin and edge, y in a band of the height."""
    k = numbers[0]
    for _ in range(tries):
        x = k.margin + inset + rng.random() * (k.page_width - k.margin - 2.0 * inset)
        y = k.page_height * (low + rng.random() * (high - low))
        if base_fits(k, bases, drawn, side, x, y):
            return True, x, y
    return False, 0.0, 0.0


def draw_base(
    k: Numbers, rng: np.random.Generator, bases: NDArray[np.void], drawn: int, side: int
) -> tuple[float, float] | None:
    """Return where Dawood-bot draws his next base, or None when the page has no room for it."""
    for choice, bands in enumerate(BANDS):
        low, high = bands[side]
        inset = 1.4 * float(k["base_radius"][0]) if choice == 0 else 0.0
        tries = LAST_TRIES if choice == len(BANDS) - 1 else BAND_TRIES
        found, x, y = draw_in_band(k, rng, bases, drawn, side, low, high, inset, tries)
        if found:
            return x, y
    return None


@compiled
def may_stand(k: Numbers, bases: Bases, men: Men, man: int, home: int, x: float, y: float) -> bool:
    """Say whether a man may be placed at (x, y) about his base (R3.2)."""
    gap = k.stand_edge_gap
    if x < k.margin + gap or x > k.page_width - gap or y < gap or y > k.page_height - gap:
        return False
    if hypot(x - bases[home].x, y - bases[home].y) > k.base_radius + k.position_reach:
        return False
    for b in range(bases.shape[0]):
        if bases[b].side != men[man].side:
            reach = k.enemy_base_clearance * k.base_radius
            if (x - bases[b].x) ** 2 + (y - bases[b].y) ** 2 < reach * reach:
                return False
    spacing = k.stand_spacing * k.dot_radius
    for m in range(men.shape[0]):
        if m != man and men[m].alive and (x - men[m].x) ** 2 + (y - men[m].y) ** 2 < spacing * spacing:
            return False
    return True


@compiled
def crowding(k: Numbers, men: Men, man: int, x: float, y: float) -> float:
    """Return how crowded (x, y) is with own men, or infinity where one stands too near."""
    total = 0.0
    for m in range(men.shape[0]):
        if m != man and men[m].alive and men[m].side == men[man].side:
            far = (x - men[m].x) ** 2 + (y - men[m].y) ** 2
            if far < (OWN_SPACING * k.dot_radius) ** 2:
                return np.inf
            if far < CROWD * CROWD:
                total += (CROWD - sqrt(far)) / CROWD
    return CROWD_WEIGHT * total


@compiled
def danger(k: Numbers, bases: Bases, men: Men, pen: Pen, man: int, x: float, y: float, mind: Mind) -> float:
    """Return the enemy's best line at us if ``man`` stood at (x, y)."""
    here = men[man]
    old_x, old_y, old_inside = here.x, here.y, here.inside
    here.x = x
    here.y = y
    here.inside = inside_base(k, bases, here.side, x, y)
    value_men(k, bases, men, mind)
    line = best_line(k, men, pen, 1 - here.side, mind)
    here.x = old_x
    here.y = old_y
    here.inside = old_inside
    return line


@entry_point
def arrange(
    numbers: Numbers,
    bases: Bases,
    men: Men,
    pens: Pen,
    side: int,
    least_inside: float,
    most_inside: float,
    rng: Any,
    minds: Mind,
) -> None:
    """Move the men of ``side`` one by one, in random order, to safer places, within the stance's bounds.

    ``least_inside`` and ``most_inside`` bound the share of each base's men inside it; ``numbers``, ``pens`` and
    ``minds`` are ``(1,)`` arrays.
    """
    k, pen, mind = numbers[0], pens[0], minds[0]
    order = mind.ranked
    n = 0
    for m in range(men.shape[0]):
        if men[m].side == side:
            order[n] = m
            n += 1
    for i in range(n - 1, 0, -1):
        j = int(rng.random() * (i + 1))
        order[i], order[j] = order[j], order[i]
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
            score = danger(k, bases, men, pen, man, men[man].x, men[man].y, mind)
            score += crowding(k, men, man, men[man].x, men[man].y)
        best_x, best_y = men[man].x, men[man].y
        for _ in range(SPOTS_MUST if must else SPOTS):
            angle = 2.0 * pi * rng.random()
            if must and is_in:
                low = k.inside_reach * k.base_radius + 1.0
                reach = low + rng.random() * (k.base_radius + k.position_reach - 1.0 - low)
            else:
                reach = sqrt(rng.random()) * (k.base_radius + SPREAD_REACH * k.position_reach)
            x, y = bases[home].x + reach * cos(angle), bases[home].y + reach * sin(angle)
            goes_in = inside_base(k, bases, side, x, y) == home
            if not (may_in if goes_in else may_out):
                continue
            if not may_stand(k, bases, men, man, home, x, y):
                continue
            crowd = crowding(k, men, man, x, y)
            if crowd == np.inf:
                continue
            spot = danger(k, bases, men, pen, man, x, y, mind) + crowd
            if spot < score - BETTER:
                score, best_x, best_y = spot, x, y
        men[man].x = best_x
        men[man].y = best_y
        men[man].inside = inside_base(k, bases, side, best_x, best_y)
