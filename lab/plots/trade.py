"""Two metrics against each other, a point a variant, and which of them no other betters in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lab.plots.style import FAINT, GREEN, GREY, INK, ORANGE, chart, key, label

NAMED = 8


@dataclass(frozen=True)
class Spot:
    """A variant: its name, both metrics as (estimate, low, high), whether it is on the front, whether it is now."""

    label: str
    x: tuple[float, float, float]
    y: tuple[float, float, float]
    front: bool
    now: bool


def trade(title: str, names: tuple[str, str], spots: Sequence[Spot], caption: str) -> Figure:
    """Return the figure; spots on the front are numbered in order of the first metric, and named below the figure."""
    figure, axes = chart(title, caption, height=3.2, key_lines=2)
    front = sorted((spot for spot in spots if spot.front), key=lambda spot: spot.x[0])
    for on_front, colour, depth in ((False, FAINT, 1), (True, GREEN, 3)):
        some = np.array([(spot.x, spot.y) for spot in spots if spot.front == on_front]).reshape(-1, 2, 3)
        (x, left, right), (y, low, high) = some[:, 0].T, some[:, 1].T
        axes.hlines(y, left, right, color=colour, lw=0.9, alpha=0.7, zorder=depth)
        axes.vlines(x, low, high, color=colour, lw=0.9, alpha=0.7, zorder=depth)
        face, edge = (colour, colour) if on_front else ("white", GREY)
        axes.plot(x, y, "o", ms=6, mfc=face, mec=edge, zorder=depth + 2)
    now = [spot for spot in spots if spot.now]
    axes.plot([spot.x[0] for spot in now], [spot.y[0] for spot in now], "s", ms=6, mfc=ORANGE, mec=INK, zorder=6)
    axes.plot([spot.x[0] for spot in front], [spot.y[0] for spot in front], color=GREEN, lw=1, ls=":", zorder=2)
    for number, spot in enumerate(front[:NAMED], 1):
        axes.annotate(
            str(number), (spot.x[0], spot.y[0]), (5, 5), textcoords="offset points", fontsize=9.5, weight="bold"
        )
    label(axes, *names)
    handles = [
        Line2D([], [], color=GREEN, marker="o", ls=":", lw=1, label="front: none betters it in both"),
        Line2D([], [], color=FAINT, marker="o", mfc="white", mec=GREY, lw=0.9, label="bettered, 95% intervals"),
        Line2D([], [], color=INK, marker="s", mfc=ORANGE, mec=INK, ls="", label="now"),
    ]
    key(axes, handles, columns=2)
    return figure
