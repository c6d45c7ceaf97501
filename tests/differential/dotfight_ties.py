"""How near a flick came to a tie: to something that the last digits decide, in any geometry."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from dotfight_cases import Case, place
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE
from engine.dotfight.flick import Umpire
from engine.dotfight.geometry import Meeting, Path
from engine.dotfight.outcome import MAN_HIT, Outcome

TINY = 1e-6  # page units: distances along the ink that differ by less are one place

Steps = list[tuple[Path, list[Meeting]]]
"""Every path that a walk looked along, and what it met there."""


def watched(case: Case) -> tuple[Outcome, Steps]:
    """Judge a case with Shapely, and return the steps of the walk too."""
    umpire, steps = Umpire(case.rules, case.bases), Steps()
    meetings = umpire.ground.meetings

    def watch(path: Path, targets: NDArray[np.int64]) -> list[Meeting]:
        found = meetings(path, targets)
        steps.append((path, found))
        return found

    umpire.ground.meetings = watch
    return umpire.judge(case.men, case.garrison, case.flick), steps


def tie_gap(case: Case, outcome: Outcome, steps: Steps) -> float:
    """Return by how little, in page units, the least decided question of a walk was decided.

    The questions: does a path pass within a wall or a man's reach, does it begin or end there, is a man near the
    start, does a vertex lie off the page, which of two comes first, which of two nearest points is nearer, does the
    ink last that long, does its end reach a man, is the landing inside. It is worked out here by itself, in NumPy.
    """
    rules, flick = case.rules, case.flick
    centres = case.bases["x"] + 1j * case.bases["y"]
    start = place(case.men, flick.man)
    gaps = [np.abs(np.abs(centres - start) - rules.base_radius).min()]
    others = case.men["alive"] == 1
    others[flick.man] = False
    if not (rules.friendly_cost or rules.friendly_fire):
        others &= case.men["side"] != case.men["side"][flick.man]
    men = case.men["x"][others] + 1j * case.men["y"][others]
    for path, found in steps:
        gaps += [wall_gap(path, centres, rules.base_radius), man_gap(path, men, rules.hit_reach)]
        x, y = path.points.real, path.points.imag
        gaps += [np.abs(edge).min() for edge in (x, y, x - rules.page_width, y - rules.page_height)]
        # Men nearest to one vertex are met there exactly together, in any geometry, and R6.2 decides.
        arc = np.array(path.arc)
        gaps += [b - a for (a, *_), (b, *_) in pairwise(found) if a != b or np.abs(arc - a).min() > TINY]
        blind = rules.blind_travel * rules.dot_radius
        gaps += [abs(d - blind) for d, kind, _ in found if kind == MAN_HIT and blind > 0.0]
    end = complex(outcome.ending.end_x, outcome.ending.end_y)
    if flick.kind == LUNGE:
        gaps.append(np.abs(np.abs(centres - end) - rules.base_radius).min())
    else:
        gaps.append(ink_gap(outcome, *steps[0]))
        gaps += np.abs(np.abs(men - end) - rules.hit_reach).tolist()
    return float(min(gaps))


def seen_from(path: Path, centres: NDArray[np.complex128]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return each piece's least distance from each centre, and how far along the ink, both (pieces, centres)."""
    a, step = path.points[:-1, None] - centres, np.diff(path.points)[:, None]
    size = np.abs(step) ** 2
    share = np.clip(np.divide(-(a.conj() * step).real, size, out=np.zeros(a.shape), where=size > 0.0), 0.0, 1.0)
    arc = np.array(path.arc)
    return np.abs(a + share * step), arc[:-1, None] + share * np.diff(arc)[:, None]


def wall_gap(path: Path, centres: NDArray[np.complex128], radius: float) -> float:
    """Return how near a path comes to touching a wall without crossing it, or to beginning or ending on one."""
    touch = np.abs(seen_from(path, centres)[0] - radius)
    ends = np.abs(np.abs(path.points[[0, -1], None] - centres) - radius)
    if path.wall >= 0:  # it was turned on this wall: what decides is whether it goes in or out, and how steeply
        step = path.points[1] - path.points[0]
        inward = (path.points[0] - centres[path.wall]).conjugate() * step
        touch[0, path.wall] = abs(inward.real / radius / abs(step)) if step else np.inf
        ends[0, path.wall] = np.inf
    return float(min(touch.min(), ends.min()))


def man_gap(path: Path, men: NDArray[np.complex128], reach: float) -> float:
    """Return how near a path comes to just reaching a man, or to having two nearest points to one it reaches."""
    if not men.size:
        return np.inf
    distance, along = seen_from(path, men)
    least = distance.min(axis=0)
    nearest = np.take_along_axis(along, distance.argmin(axis=0)[None], axis=0)
    rivals = (np.abs(along - nearest) > TINY) & (least < reach + TINY)
    return float(min(np.abs(least - reach).min(), (distance - least).min(initial=np.inf, where=rivals)))


def ink_gap(outcome: Outcome, path: Path, found: list[Meeting]) -> float:
    """Return by how little a snipe's ink reached an event, or fell short of the next; its very end is no tie."""
    whole = left = path.arc[-1]
    gap = np.inf
    for event in outcome.events:
        d = float(event["d"])
        if whole - d > TINY and d != outcome.ending.travel:
            gap = min(gap, left - d)
        left = d + (left - d) * (1.0 - float(event["cost"]))
    later = [d - outcome.ending.travel for d, _, _ in found if d > outcome.ending.travel and whole - d > TINY]
    return float(min([gap, *later]))
