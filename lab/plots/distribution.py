"""How a number a game is distributed: bars of the share of games, one series or two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from lab.plots.style import FAINT, GREEN, GREY, INK, ORANGE, chart, key, label, plain

MOST_BARS: Final = 40


@dataclass(frozen=True)
class Counts:
    """Games by value.

    Attributes
    ----------
    label
        Name of the series.
    values
        Shape (k,): the values that come up, ascending.
    games
        Shape (k,): games of each.
    """

    label: str
    values: NDArray[np.float64]
    games: NDArray[np.int64]

    @property
    def n(self) -> int:
        """How many games there are."""
        return int(self.games.sum())

    def percentile(self, p: float) -> float:
        """Return the value at index ⌊p·n⌋ of the sorted sample."""
        place = min(int(p * self.n), self.n - 1)
        return float(self.values[np.searchsorted(np.cumsum(self.games), place, side="right")])


def bins(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return edges of at most :data:`MOST_BARS` bars: whole numbers have one each, or a whole number of them do."""
    low, high = float(values.min()), float(values.max())
    if np.equal(values, np.rint(values)).all():
        step = max(1.0, float(np.ceil((high - low + 1) / MOST_BARS)))
        return np.arange(low - 0.5, high + step + 0.5, step)
    return np.linspace(low, high, MOST_BARS // 2 + 1)


def distribution(
    title: str, axis: str, series: Sequence[Counts], caption: str, band: tuple[float, float] | None = None
) -> Figure:
    """Return the figure; ``band`` shades a target, and what lies in it is shown in words by the caller."""
    figure, axes = chart(title, caption, key_lines=1 + len(series) + (band is not None))
    edges = bins(np.concatenate([one.values for one in series]))
    handles: list[Any] = []
    if band is not None:
        axes.axvspan(band[0] - 0.5, band[1] + 0.5, color=GREEN, alpha=0.16, lw=0, zorder=0)
        handles.append(Patch(color=GREEN, alpha=0.16, label=f"target {band[0]:g} to {band[1]:g}"))
    for place, one in enumerate(series):
        held, _ = np.histogram(one.values, edges, weights=one.games)
        share = 100 * held / one.n
        if place == 0:
            axes.bar(edges[:-1], share, np.diff(edges) * 0.9, align="edge", color=GREY, zorder=2, lw=0)
            handles.append(Patch(color=GREY, label=plain(one.label)))
        else:
            axes.stairs(share, edges, color=ORANGE, lw=2, zorder=3)
            handles.append(Line2D([], [], color=ORANGE, lw=2, label=plain(one.label)))
    middle = series[0]
    low, median, high = (middle.percentile(p) for p in (0.1, 0.5, 0.9))
    top = axes.get_ylim()[1]
    axes.set_ylim(0, 1.14 * top)
    axes.plot([low, high], [1.06 * top] * 2, color=INK, lw=1.2, zorder=4, solid_capstyle="butt")
    axes.plot([median], [1.06 * top], "o", color=INK, ms=5, zorder=4)
    text = f"median {median:.2g}, eight games in ten {low:.2g} to {high:.2g}"
    handles.append(Line2D([], [], color=INK, lw=1.2, marker="o", ms=5, label=text))
    if np.equal(middle.values, np.rint(middle.values)).all():
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color=FAINT, lw=0.4, alpha=0.5, zorder=0)
    label(axes, axis, "games (%)")
    key(axes, handles)
    return figure
