"""The path of a flick's ink (R6.1), in the flick's own frame.

The frame has its origin at the man, u along the chord and v to the left of travel as (-sin, cos). There the
quadratic Bézier is a parabola: cut at equal parameters, its vertices are equally spaced in u, so that which
segments come near a point can be told without walking them. A jolt turns the frame; the ink in it stays.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.jit import compiled, entry_point, inlined


class Ink(NamedTuple):
    """A flick's ink in its own frame: ``segments`` pieces, ``step`` apart in u; vertex k has v = bow·k·(n-k)."""

    segments: int
    step: float
    per_step: float
    bow: float
    crest: float


@entry_point
def lay_ink(segments: int, length: float, bend: float, arc: NDArray[np.float64]) -> Ink:
    """Return the ink of a flick and write the distance along it to each vertex into ``arc`` (segments + 1,).

    A straight line is one segment: cutting it changes nothing.
    """
    n = segments if bend != 0.0 else 1
    step = length / n
    bow = 4.0 * bend * length / (n * n)
    arc[0] = 0.0
    for j in range((n + 1) // 2):  # the curve is symmetrical: its second half has the first one's pieces
        rise = bow * (n - 1 - 2 * j)
        arc[j + 1] = arc[n - j] = sqrt(step * step + rise * rise)
    for j in range(n):
        arc[j + 1] += arc[j]
    return Ink(n, step, 1.0 / step, bow, bend * length)


@inlined
def vertex_v(ink: Ink, j: int) -> float:
    """Return v of vertex ``j``; its u is ``j * step``."""
    return ink.bow * j * (ink.segments - j)


@compiled
def point_at(ink: Ink, arc: NDArray[np.float64], j: int, d: float) -> tuple[float, float]:
    """Return (u, v) at distance ``d`` along the ink, which lies on segment ``j``."""
    share = (d - arc[j]) / (arc[j + 1] - arc[j])
    v = vertex_v(ink, j)
    return (j + share) * ink.step, v + share * (vertex_v(ink, j + 1) - v)


@compiled
def segment_at(ink: Ink, arc: NDArray[np.float64], d: float) -> int:
    """Return the segment on which distance ``d`` lies."""
    j = min(ink.segments - 1, int(d * ink.per_step))  # no piece is shorter than its step
    while j > 0 and arc[j] >= d:
        j -= 1
    return j
