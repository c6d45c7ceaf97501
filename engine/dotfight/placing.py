"""Where bases may be drawn and men may stand before the first flick (R2.2, R3.2, R3.3).

Whatever a player draws or places, and whatever a record says that one did, is held against these clauses.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.page import NOWHERE, Bases, Men, Page
from engine.dotfight.rules import Rules

SLACK = 1e-9
"""Page units that rounding may put a place beyond its bounds."""


def base_fault(rules: Rules, bases: Bases, side: int, x: float, y: float) -> str:
    """Return why ``side`` may not draw a base at (x, y) beside ``bases``, or nothing (R2.2)."""
    r = rules.base_radius - SLACK
    left, edge = rules.margin + rules.base_margin_gap, rules.base_edge_gap
    if not (x - r >= left and x + r <= rules.page_width - edge and edge <= y - r and y + r <= rules.page_height - edge):
        return "too near the page's edge or the margin line"
    gap = np.where(bases["side"] == side, rules.own_gap, rules.enemy_gap)
    near = np.flatnonzero(np.hypot(bases["x"] - x, bases["y"] - y) < 2.0 * r + gap)
    return f"too near base {near[0]}" if near.size else ""


def place_fault(rules: Rules, page: Page, which: NDArray[np.bool_]) -> str:
    """Return who of ``which`` (men,) stands where no man may be placed, or nothing; spacing is left out (R3.2)."""
    men, bases, r = page.men, page.bases, rules.base_radius
    x, y, gap = men["x"], men["y"], rules.stand_edge_gap - SLACK
    away = _squared_distances(men, bases)
    own_reach = r + rules.position_reach + SLACK
    clearance = rules.enemy_base_clearance * r - SLACK
    faults = {
        "too far from his base": away[np.arange(men.size), men["home"]] > own_reach**2,
        "too near an enemy base": ((away < clearance**2) & (bases["side"] != men["side"][:, None])).any(axis=1),
        "too near the page's edge or the margin line": (x < rules.margin + gap)
        | (x > rules.page_width - gap)
        | (y < gap)
        | (y > rules.page_height - gap),
    }
    for fault, wrong in faults.items():
        found = np.flatnonzero(wrong & which)
        if found.size:
            return f"man {found[0]} stands {fault}"
    return ""


def men_out_of_the_jotted_disc(rules: Rules, page: Page) -> NDArray[np.bool_]:
    """Return who of the men (men,) must have been placed, for nobody is jotted there (R2.3)."""
    away = _squared_distances(page.men, page.bases)[np.arange(page.men.size), page.men["home"]]
    return away > (rules.jot_radius + SLACK) ** 2


def arranging_fault(rules: Rules, page: Page, before: Men, side: int) -> str:
    """Return what is wrong with how ``side`` has moved the men of ``before``, or nothing (R3.1, R3.2)."""
    men = page.men
    moved = (men["x"] != before["x"]) | (men["y"] != before["y"])
    strangers = np.flatnonzero(moved & (men["side"] != side))
    if strangers.size:
        return f"man {strangers[0]} is not his side's to move"
    apart = _squared_distances(men, men)
    np.fill_diagonal(apart, np.inf)
    spacing = rules.stand_spacing * rules.dot_radius - SLACK
    crowded = np.flatnonzero(moved & (apart.min(axis=1) < spacing**2))
    if crowded.size:
        return f"man {crowded[0]} stands too near another"
    return place_fault(rules, page, moved)


def note_who_is_inside(rules: Rules, page: Page) -> None:
    """Write which own base each man stands inside, or NOWHERE (R3.3)."""
    men, bases = page.men, page.bases
    within = _squared_distances(men, bases) <= (rules.inside_reach * rules.base_radius) ** 2
    within &= bases["side"] == men["side"][:, None]
    men["inside"] = np.where(within.any(axis=1), within.argmax(axis=1), NOWHERE)


def _squared_distances(a: NDArray[np.void], b: NDArray[np.void]) -> NDArray[np.float64]:
    dx, dy = a["x"][:, None] - b["x"], a["y"][:, None] - b["y"]
    return dx * dx + dy * dy
