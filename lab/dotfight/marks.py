"""The marks of Dotfight's page: ruled paper, bases, men, lines of ink, crosses, footprints."""

from __future__ import annotations

from math import atan2, cos, pi, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import SNIPE
from engine.dotfight.log import FlickPlayed
from engine.dotfight.page import Bases, Men
from engine.dotfight.rules import Rules
from engine.dotfight.trail import trail_of
from lab.pages.story import INK, PAPER, RULE, Dot, Mark, Marks, Stroke, Words, line

MARGIN: Final = "#e9a3a0"
RULING: Final = 34.0
"""Page units between two lines of the paper."""

SNIPE_WIDTH: Final = (6.0, 0.8)
"""Of a snipe's ink: where all of it is still to come, and where it runs out."""

LUNGE_WIDTH: Final = 2.1


def ruled_paper(rules: Rules) -> Marks:
    """Return the lines of an exercise book's page."""
    rows = np.arange(2.0 * RULING, rules.page_height - RULING / 2.0, RULING).tolist()
    ruling = [line(0.0, y, rules.page_width, y, 1.1, RULE, 0.75) for y in rows]
    return (*ruling, line(rules.margin, 0.0, rules.margin, rules.page_height, 2.0, MARGIN, 0.9))


def base(rules: Rules, bases: Bases, b: int) -> Marks:
    """Return a base as it was drawn, its number faintly behind the men."""
    x, y, side = float(bases["x"][b]), float(bases["y"][b]), int(bases["side"][b])
    return (
        hand_drawn_circle(x, y, rules.base_radius, 2.6, INK[side], b),
        Words(x, y + 12.0, str(b), 34.0, INK[side], "middle", 0.34),
    )


def ring(rules: Rules, bases: Bases, b: int) -> Marks:
    """Return the ring round a base that has no garrison (R2.5)."""
    x, y, side = float(bases["x"][b]), float(bases["y"][b]), int(bases["side"][b])
    return (hand_drawn_circle(x, y, rules.base_radius + 6.5, 1.5, INK[side], rules.bases + b),)


def man(rules: Rules, men: Men, m: int, opacity: float = 1.0) -> Marks:
    """Return a man's dot, his number in it."""
    x, y, r = float(men["x"][m]), float(men["y"][m]), rules.dot_radius
    return (
        Dot(x, y, r, INK[int(men["side"][m])], opacity),
        Words(x, y + 0.38 * r, str(m), r * (1.15 if m < 100 else 0.9), PAPER, "middle", opacity),
    )


def crossed_out(rules: Rules, men: Men, m: int, side: int) -> Marks:
    """Return a man whom ``side`` has crossed out."""
    return (*man(rules, men, m, 0.45), *cross(float(men["x"][m]), float(men["y"][m]), side, m))


def flick(rules: Rules, before: Men, played: FlickPlayed) -> Marks:
    """Return what a flick leaves on the page: its line, and the place that a lunger left."""
    m, ink = played.flick.man, INK[played.side]
    x, y = float(before["x"][m]), float(before["y"][m])
    trail = trail_of(x, y, played.flick, played.outcome, rules.ink_segments)
    if played.flick.kind == SNIPE:
        full, empty = SNIPE_WIDTH
        share = trail.left / max(float(trail.left[0]), 1e-9)
        return (Stroke(trail.points, empty + (full - empty) * share, ink, 0.88),)
    return (
        hand_drawn_circle(x, y, rules.dot_radius, 1.2, ink, m),
        Stroke(trail.points, np.full(len(trail.points), LUNGE_WIDTH), ink, 0.88),
    )


def cross(x: float, y: float, side: int, seed: int) -> Marks:
    """Return a cross of two quick strokes."""
    rng = np.random.default_rng(seed)
    tilt, bow = rng.normal(0.0, 0.12, 2), rng.normal(0.0, 0.9, 2)
    found: list[Mark] = []
    for arm in range(2):
        angle = pi / 4.0 + arm * pi / 2.0 + float(tilt[arm])
        t = np.linspace(-1.0, 1.0, 7)
        u, v = 12.0 * t, float(bow[arm]) * (1.0 - t * t)
        points = np.column_stack([x + u * cos(angle) - v * sin(angle), y + u * sin(angle) + v * cos(angle)])
        found.append(Stroke(points, 2.9 - 0.7 * t, INK[side]))
    return tuple(found)


def footprints(begin: NDArray[np.float64], end: NDArray[np.float64], side: int) -> Marks:
    """Return the footprints of a convoy that walked from one place to another, left and right in turn."""
    way = end - begin
    length = float(np.hypot(*way))
    angle = atan2(way[1], way[0])
    c, s = cos(angle), sin(angle)
    found: list[Mark] = []
    for i, u in enumerate(np.arange(5.0, length - 3.0, 9.5).tolist()):
        v = 4.2 if i % 2 else -4.2
        foot = np.array([[u - 2.6, v], [u + 0.4, v * 1.08], [u + 2.8, v]])
        points = begin + np.column_stack([foot[:, 0] * c - foot[:, 1] * s, foot[:, 0] * s + foot[:, 1] * c])
        found.append(Stroke(points, np.array([1.7, 2.0, 3.0]), INK[side], 0.75))
    return tuple(found)


def hand_drawn_circle(x: float, y: float, radius: float, width: float, colour: str, seed: int) -> Stroke:
    """Return a circle drawn by hand: a little out of round, its end running past its beginning."""
    rng = np.random.default_rng(seed)
    begin, phase = rng.uniform(0.0, 2.0 * pi, 2)
    turn = np.linspace(0.0, 2.0 * pi + 0.22, max(16, round(radius)))
    wobble = 0.013 * np.sin(2.0 * turn + phase) + 0.007 * np.sin(3.0 * turn - phase) + 0.02 * (turn / pi - 1.0)
    far = radius * (1.0 + wobble)
    points = np.column_stack([x + far * np.cos(begin + turn), y + far * np.sin(begin + turn)])
    ends = np.minimum(1.0, 12.0 * np.minimum(turn, turn[-1] - turn) / (2.0 * pi) + 0.45)
    return Stroke(points, width * ends, colour)
