"""Where bases may be drawn and men may stand before the first flick (R2.2, R3.2, R3.3).

One set of tests, compiled: players ask it thousands of times before they draw or place, strictly; and whatever a
player has drawn or placed, or a record says that one did, is held against it with :data:`SLACK` for rounding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.page import NOWHERE, Bases, Men, Page, inside_base
from engine.dotfight.rules import Numbers, Rules
from engine.jit import compiled, entry_point

SLACK = 1e-9
"""Page units that rounding may put a place beyond its bounds."""

EDGE_FAULT = "too near the page's edge or the margin line"
NOTHING, EDGE = -2, -1
"""What may be in the way of a base, where it is not another base."""
STANDING_FAULTS = ("", EDGE_FAULT, "too far from his base", "too near an enemy base")


@entry_point
def base_obstacle(numbers: Numbers, bases: Bases, side: int, x: float, y: float, slack: float) -> int:
    """Return what is in the way of a base of ``side`` at (x, y): NOTHING, the page's EDGE, or a base (R2.2).

    ``numbers`` is a ``(1,)`` array; ``bases`` are those drawn before.
    """
    k = numbers[0]
    r = k.base_radius - slack
    if x - r < k.margin + k.base_margin_gap or x + r > k.page_width - k.base_edge_gap:
        return EDGE
    if y - r < k.base_edge_gap or y + r > k.page_height - k.base_edge_gap:
        return EDGE
    for b in range(bases.shape[0]):
        reach = 2.0 * r + (k.own_gap if bases[b].side == side else k.enemy_gap)
        if (x - bases[b].x) ** 2 + (y - bases[b].y) ** 2 < reach * reach:
            return b
    return NOTHING


@compiled
def standing_fault(k: Numbers, bases: Bases, home: int, x: float, y: float, slack: float) -> int:
    """Return the index in STANDING_FAULTS of why no man of base ``home`` may be placed at (x, y), 0 if one may (R3.2).

    Spacing is left out.
    """
    gap = k.stand_edge_gap - slack
    if x < k.margin + gap or x > k.page_width - gap or y < gap or y > k.page_height - gap:
        return 1
    reach = k.base_radius + k.position_reach + slack
    if (x - bases[home].x) ** 2 + (y - bases[home].y) ** 2 > reach * reach:
        return 2
    clearance = k.enemy_base_clearance * k.base_radius - slack
    for b in range(bases.shape[0]):
        if bases[b].side != bases[home].side and (x - bases[b].x) ** 2 + (y - bases[b].y) ** 2 < clearance * clearance:
            return 3
    return 0


@compiled
def is_crowded(k: Numbers, men: Men, man: int, x: float, y: float, slack: float) -> bool:
    """Say whether a living man other than ``man`` stands too near (x, y) to be placed there (R3.2)."""
    spacing = k.stand_spacing * k.dot_radius - slack
    for m in range(men.shape[0]):
        if m != man and men[m].alive and (x - men[m].x) ** 2 + (y - men[m].y) ** 2 < spacing * spacing:
            return True
    return False


@entry_point
def check_standing(numbers: Numbers, bases: Bases, men: Men, which: NDArray[np.bool_]) -> tuple[int, int, int]:
    """Hold ``which`` of the men (men,) against R3.2.

    Returns the first who stands too near another man, the first who stands where none may, or NOWHERE each, and the
    index in STANDING_FAULTS of the latter's fault.
    """
    k = numbers[0]
    crowded = misplaced = NOWHERE
    fault = 0
    for m in range(men.shape[0]):
        man = men[m]
        if which[m] and crowded == NOWHERE and is_crowded(k, men, m, man.x, man.y, SLACK):
            crowded = m
        if which[m] and fault == 0:
            fault = standing_fault(k, bases, man.home, man.x, man.y, SLACK)
            misplaced = m if fault else NOWHERE
    return crowded, misplaced, fault


@entry_point
def fill_inside(numbers: Numbers, bases: Bases, men: Men) -> None:
    """Write which own base each man stands inside, or NOWHERE (R3.3)."""
    for m in range(men.shape[0]):
        men[m].inside = inside_base(numbers[0], bases, men[m].side, men[m].x, men[m].y)


def base_fault(rules: Rules, bases: Bases, side: int, x: float, y: float) -> str:
    """Return why ``side`` may not draw a base at (x, y) beside ``bases``, or nothing (R2.2)."""
    obstacle = base_obstacle(rules.numbers, bases, side, x, y, SLACK)
    return {NOTHING: "", EDGE: EDGE_FAULT}.get(obstacle, f"too near base {obstacle}")


def place_fault(rules: Rules, page: Page, which: NDArray[np.bool_]) -> str:
    """Return who of ``which`` (men,) stands where no man may be placed, or nothing; spacing is left out (R3.2)."""
    _, man, fault = check_standing(rules.numbers, page.bases, page.men, which)
    return f"man {man} stands {STANDING_FAULTS[fault]}" if fault else ""


def men_out_of_the_jotted_disc(rules: Rules, page: Page) -> NDArray[np.bool_]:
    """Return who of the men (men,) must have been placed, for nobody is jotted there (R2.3)."""
    homes = page.bases[page.men["home"]]
    away = np.hypot(page.men["x"] - homes["x"], page.men["y"] - homes["y"])
    return away > rules.jot_radius + SLACK


def arranging_fault(rules: Rules, page: Page, before: Men, side: int) -> str:
    """Return what is wrong with how ``side`` has moved the men of ``before``, or nothing (R3.1, R3.2)."""
    men = page.men
    moved = (men["x"] != before["x"]) | (men["y"] != before["y"])
    strangers = np.flatnonzero(moved & (men["side"] != side))
    if strangers.size:
        return f"man {strangers[0]} is not his side's to move"
    crowded, man, fault = check_standing(rules.numbers, page.bases, men, moved)
    if crowded != NOWHERE:
        return f"man {crowded} stands too near another"
    return f"man {man} stands {STANDING_FAULTS[fault]}" if fault else ""


def note_who_is_inside(rules: Rules, page: Page) -> None:
    """Write which own base each man stands inside, or NOWHERE (R3.3)."""
    fill_inside(rules.numbers, page.bases, page.men)
