"""Estimates with intervals, one a line, beside a line that they are held against."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matplotlib.figure import Figure

from lab.plots.style import FAINT, GREEN, INK, chart, label, plain

WIDEST: Final = 20
"""Letters of a name in one line."""


@dataclass(frozen=True)
class Row:
    """One estimate with its interval."""

    label: str
    estimate: float
    low: float
    high: float


def forest(title: str, axis: str, rows: Sequence[Row], against: float, within: float, caption: str) -> Figure:
    """Return the figure; ``within`` on either side of ``against`` is shaded as what does not matter."""
    names = [textwrap.fill(plain(row.label), WIDEST) for row in rows]
    lines = [line for name in names for line in name.splitlines()]
    left = 0.3 + 0.075 * max(map(len, lines))
    figure, axes = chart(title, caption, height=0.17 * len(lines) + 0.14 * len(rows) + 0.2, left=left)
    axes.axvspan(against - within, against + within, color=GREEN, alpha=0.16, lw=0, zorder=0)
    axes.axvline(against, color=INK, lw=0.9, zorder=1)
    for place, row in enumerate(rows):
        axes.plot([row.low, row.high], [place, place], color=INK, lw=1.3, zorder=2, solid_capstyle="butt")
        axes.plot(row.estimate, place, "o", color=INK, ms=5, zorder=3)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), names)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=FAINT, lw=0.4, alpha=0.5, zorder=0)
    label(axes, axis, "")
    return figure
