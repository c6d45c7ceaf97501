"""The line that a flick leaves on the page: its ink as really run, every jolt in it (R6.1, R7.2, R8.2)."""

from __future__ import annotations

from math import cos, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import SNIPE, Flick
from engine.dotfight.ink import lay_ink
from engine.dotfight.outcome import Outcome


class Trail(NamedTuple):
    """A line on the page, from the man to where the ink stopped.

    Attributes
    ----------
    points
        ``(n, 2)`` places, those of all events among them.
    left
        ``(n,)`` ink still to come, in page units. Where a snipe loses some, the place is there twice: as the ink
        came and as it went on.
    """

    points: NDArray[np.float64]
    left: NDArray[np.float64]


def trail_of(x: float, y: float, flick: Flick, outcome: Outcome, segments: int) -> Trail:
    """Return the line of an adjudicated flick of a man at (x, y), its ink cut into ``segments`` pieces."""
    arc = np.empty(segments + 1)
    ink = lay_ink(segments, flick.length, flick.bend, arc)
    arc = arc[: ink.segments + 1]
    j = np.arange(arc.size)
    u, v = j * ink.step, ink.bow * j * (ink.segments - j)

    travel = outcome.ending.travel
    events = outcome.events
    # What happens at a place: nothing at a vertex, an event's loss and jolt, nothing where the ink stops. Sorted
    # stably, so that events at one distance keep their order.
    stops = [(float(d), 0.0, 0.0) for d in arc[arc < travel]]
    losses = events["cost"] if flick.kind == SNIPE else np.zeros(events.size)  # a lunge's cost is its shake
    stops += list(zip(events["d"].tolist(), losses.tolist(), events["jolt"].tolist(), strict=True))
    stops.append((travel, 0.0, 0.0))
    stops.sort(key=lambda stop: stop[0])

    angle, limit = flick.angle, float(arc[-1])
    points: list[tuple[float, float]] = []
    left: list[float] = []
    for d, loss, jolt in stops:
        du, dv = float(np.interp(d, arc, u)), float(np.interp(d, arc, v))
        c, s = cos(angle), sin(angle)
        here = (x + du * c - dv * s, y + du * s + dv * c)
        points.append(here)
        left.append(limit - d)
        if loss:
            limit = d + (limit - d) * (1.0 - loss)
            points.append(here)
            left.append(limit - d)
        if jolt:
            angle += jolt
            c, s = cos(angle), sin(angle)
            x, y = here[0] - (du * c - dv * s), here[1] - (du * s + dv * c)
    return Trail(np.array(points), np.maximum(np.array(left), 0.0))
