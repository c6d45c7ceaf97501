"""The outline of a stroke whose width changes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lab.pages.story import Stroke

CAP: int = 4
"""Corners of a round end between its two sides."""


def outline(stroke: Stroke) -> NDArray[np.float64]:
    """Return the corners of a stroke's outline, ``(m, 2)``, going down one side of it and back up the other.

    Where the stroke bends, its sides are set off along the bisector. It ends in half circles.
    """
    points, half = stroke.points, stroke.width / 2.0
    steps = np.diff(points, axis=0)
    size = np.hypot(steps[:, 0], steps[:, 1])
    moving = size > 0.0
    if not moving.any():
        turn = np.linspace(0.0, 2.0 * np.pi, 2 * CAP, endpoint=False)
        return points[0] + half.max() * np.column_stack([np.cos(turn), np.sin(turn)])
    along = np.zeros_like(steps)
    along[moving] = steps[moving] / size[moving, None]
    # A place that is there twice, where the width jumps, takes the direction of the pieces about it.
    for j in np.flatnonzero(~moving):
        along[j] = along[j - 1] if j and along[j - 1].any() else along[np.flatnonzero(moving)[0]]
    tangent = np.vstack([along[:1], along[:-1] + along[1:], along[-1:]])
    length = np.hypot(tangent[:, 0], tangent[:, 1])
    straight = length > 0.2  # else the stroke turns back on itself
    tangent[straight] /= length[straight, None]
    tangent[~straight] = np.vstack([along, along[-1:]])[~straight]
    side = np.column_stack([-tangent[:, 1], tangent[:, 0]]) * half[:, None]
    return np.vstack([points + side, _cap(points[-1], side[-1]), (points - side)[::-1], _cap(points[0], -side[0])])


def _cap(centre: NDArray[np.float64], side: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the corners of a half circle from one side round the end to the other, both left out."""
    turn = -np.pi * np.arange(1, CAP) / CAP
    c, s = np.cos(turn), np.sin(turn)
    return centre + np.column_stack([c * side[0] - s * side[1], s * side[0] + c * side[1]])
