"""Differences from published values, in standard errors: a line a metric, a mark a row, beside what chance would do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import NDArray
from scipy import special

from lab.plots.style import FAINT, GREY, INK, PALE

BANDS: Final = ((3.0, "#f1f0ec"), (2.0, PALE))
"""Standard errors and shade, widest first."""

EDGE: Final = 5.0
"""The axis ends here; what lies further out is drawn at the edge, with its number."""

BIN: Final = 0.5

FEWEST: Final = 3
"""A line of so many marks shows their mean."""


@dataclass(frozen=True)
class Series:
    """How the marks of one row are drawn and what the key calls it."""

    label: str
    marker: str
    colour: str


@dataclass(frozen=True)
class Point:
    """One difference.

    Attributes
    ----------
    theme, line
        Group and metric: points of a line come together, and lines of a theme.
    series
        Label of its series.
    z
        The difference in standard errors.
    told
        Whether the samples were large enough to tell; others are drawn hollow.
    whole
        Whether it is of a whole number with ties, so that chance would have it nearer to 0 than the normal law.
    """

    theme: str
    line: str
    series: str
    z: float
    told: bool
    whole: bool


def differences(points: Sequence[Point], series: Sequence[Series], title: str, caption: str) -> Figure:
    """Return the figure; ``points`` in the order of their lines, from the top down."""
    lines = [list(group) for _, group in groupby(points, lambda point: (point.theme, point.line))]
    heights = (1.7, 0.25 * len(lines) + 0.3 * len({point.theme for point in points}) + 0.4)
    layout = ConstrainedLayoutEngine(w_pad=0.15, h_pad=0.08)
    figure = Figure(figsize=(11.0, sum(heights) + 2.4), facecolor="white", layout=layout)
    top, main = figure.subplots(2, 1, sharex=True, height_ratios=heights)
    figure.suptitle(title, x=0.015, ha="left", fontsize=15, color=INK, weight="bold")
    _histogram(top, points)
    _lines(main, lines, series)
    figure.legend(
        handles=_key(series),
        loc="outside lower left",
        ncols=3,
        frameon=False,
        fontsize=9,
        title=caption,
        title_fontsize=9,
        alignment="left",
    )
    return figure


def _bands(axes: Axes) -> None:
    for reach, shade in BANDS:
        axes.axvspan(-reach, reach, color=shade, zorder=0, lw=0)
    axes.axvline(0, color=INK, lw=0.8, zorder=1)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)
    axes.tick_params(colors=INK, length=0, labelsize=9.5)
    axes.set_xlim(-EDGE - 0.3, EDGE + 0.3)


def _histogram(axes: Axes, points: Sequence[Point]) -> None:
    _bands(axes)
    edges = np.arange(-EDGE - BIN / 2, EDGE + BIN, BIN)
    held = [np.clip([p.z for p in points if p.whole == whole], -EDGE, EDGE) for whole in (False, True)]
    axes.hist(held, edges.tolist(), stacked=True, color=[GREY, "#c4c0b6"], rwidth=0.86, zorder=2)
    grid = np.linspace(-EDGE, EDGE, 401)
    expected = len(points) * BIN * np.exp(-(grid**2) / 2) / math.sqrt(2 * math.pi)
    axes.plot(grid, expected, color=INK, lw=1.4, ls=(0, (4, 2)), zorder=3)
    axes.set_yticks([])
    axes.spines["bottom"].set_visible(False)
    for place, (reach, _) in enumerate(reversed(BANDS)):
        within = sum(abs(point.z) <= reach for point in points) / len(points)
        text = f"within {reach:.0f}: {within:.1%}\n(chance: {1 - 2 * special.ndtr(-reach):.1%})"
        axes.text(
            EDGE + 0.3, 0.98 - 0.3 * place, text, transform=axes.get_xaxis_transform(), ha="right", va="top", fontsize=9
        )
    axes.legend(
        handles=[
            Patch(color=GREY, label="means, shares and rates"),
            Patch(color="#c4c0b6", label="whole numbers with ties, and one-sided"),
            Line2D([], [], color=INK, lw=1.4, ls=(0, (4, 2)), label="chance alone"),
        ],
        loc="upper left",
        frameon=False,
        fontsize=9,
        title=f"all {len(points):,} comparisons",
        title_fontsize=9,
        alignment="left",
        borderaxespad=0,
    )


def _lines(axes: Axes, lines: Sequence[Sequence[Point]], series: Sequence[Series]) -> None:
    _bands(axes)
    places = {one.label: 0.66 * ((place + 0.5) / len(series) - 0.5) for place, one in enumerate(series)}
    marks: dict[tuple[str, bool], list[tuple[float, float]]] = {}
    ticks: list[float] = []
    means: list[tuple[float, float]] = []
    y, theme = 0.0, ""
    for line in lines:
        if line[0].theme != theme:
            theme = line[0].theme
            y += 1.2
            where = axes.get_yaxis_transform()
            axes.text(0, y, theme, transform=where, weight="bold", fontsize=10, va="center", color=INK)
        y += 1.0
        ticks.append(y)
        for point in line:
            marks.setdefault((point.series, point.told), []).append((point.z, y + places[point.series]))
        if len(line) >= FEWEST:
            means.append((float(np.mean([point.z for point in line])), y))
    axes.hlines(ticks, -EDGE, EDGE, color="white", lw=0.8, zorder=0.5)
    axes.vlines([x for x, _ in means], [y - 0.4 for _, y in means], [y + 0.4 for _, y in means], color=INK, lw=1.6)
    for one in series:
        for told in (True, False):
            _marks(axes, np.array(marks.get((one.label, told), [])).reshape(-1, 2), one, told)
    axes.set_ylim(y + 0.8, 0.5)
    axes.set_yticks(ticks, [line[0].line for line in lines])
    axes.set_xticks(range(-int(EDGE), int(EDGE) + 1))
    axes.set_xlabel("lab − published, in standard errors of the difference", fontsize=10.5, color=INK)


def _marks(axes: Axes, places: NDArray[np.float64], style: Series, told: bool) -> None:
    x, y = np.clip(places[:, 0], -EDGE, EDGE), places[:, 1]
    face = style.colour if told else "white"
    axes.scatter(x, y, s=30, marker=style.marker, fc=face, ec=style.colour, lw=1.1, zorder=3, clip_on=False)
    for z, at, level in zip(places[:, 0], x, y, strict=True):
        if abs(z) > EDGE:
            text = f"{z:+.1f}".replace("-", "−")
            axes.annotate(text, (at, level), (0, 5), textcoords="offset points", fontsize=7.5, ha="center")


def _key(series: Sequence[Series]) -> list[Any]:
    marks = [Line2D([], [], marker=one.marker, color=one.colour, ls="", ms=6.5, label=one.label) for one in series]
    hollow = Line2D([], [], marker="o", mfc="white", mec=INK, ls="", ms=6.5, label="hollow: cannot tell at this size")
    mean = Line2D(
        [], [], marker="|", color=INK, ls="", ms=10, mew=1.6, label="mean over the rows, where there are three"
    )
    return [
        *marks,
        hollow,
        mean,
        Patch(color=BANDS[1][1], label="within 2 standard errors"),
        Patch(color=BANDS[0][1], label="within 3"),
    ]
