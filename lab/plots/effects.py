"""What one parameter does to a few metrics: a panel a metric, intervals, and the current value marked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from lab.plots.style import FAINT, GREEN, INK, KEY_LINE, ORANGE, WIDTH, canvas, key, plain

PAIRED: Final = GREEN
NOW: Final = ORANGE

COLUMNS: Final = 2
PANEL: Final = (5.2, 3.3)
"""Width and height of a panel, in inches."""


@dataclass(frozen=True)
class Axis:
    """The parameter: where its values lie along the axis.

    Attributes
    ----------
    title, label
        Above the figure, and along the axis (with the unit).
    ticks
        Names of the places 0, 1, 2...; none where places are the values themselves.
    now
        Where the value of the base lies.
    whole
        Whether only whole numbers are marked.
    """

    title: str
    label: str
    ticks: tuple[str, ...]
    now: float
    whole: bool


@dataclass(frozen=True)
class Point:
    """A metric of one variant.

    Attributes
    ----------
    x
        Where the variant's value lies.
    estimate, low, high
        The metric with its interval (both ends the estimate where it has none).
    paired
        Ends of the interval of the difference from the base, laid on the base's estimate; None for the base, or
        where there is none.
    others
        What the variant changes beside this parameter, in words: nothing, for the base and for variants of this
        parameter alone. Points that agree in it are joined.
    flagged
        Whether the difference may be pointed at.
    """

    x: float
    estimate: float
    low: float
    high: float
    paired: tuple[float, float] | None
    others: str
    flagged: bool


@dataclass(frozen=True)
class Panel:
    """A metric: its label and unit, its points (the base's among them), its value now, and what is missing."""

    label: str
    unit: str
    points: tuple[Point, ...]
    base: float | None
    note: str = ""


def effects(axis: Axis, panels: Sequence[Panel], caption: str) -> Figure:
    """Return the figure; ``caption`` names the sweep and the sample size."""
    columns = min(COLUMNS, len(panels))
    rows = math.ceil(len(panels) / columns)
    layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)
    size = (PANEL[0] * max(columns, 1.4), PANEL[1] * rows + 1.7)
    figure = Figure(figsize=size, facecolor="white", layout=layout)
    figure.suptitle(plain(axis.title), x=0.015, ha="left", fontsize=13, color=INK, weight="bold", wrap=True)
    grid = figure.subplots(rows, columns, squeeze=False)
    for place, axes in enumerate(grid.flat):
        if place < len(panels):
            _panel(axes, axis, panels[place])
        else:
            axes.set_axis_off()
    figure.legend(
        handles=_key(panels),
        loc="outside lower left",
        ncols=2,
        frameon=False,
        fontsize=8.5,
        title=plain(caption),
        title_fontsize=8.5,
        alignment="left",
    )
    # Laid out once, not again for every format.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return figure


def effects_column(axis: Axis, panels: Sequence[Panel], caption: str) -> Figure:
    """Return the same with the panels below each other, as wide as a phone can show, for a report."""
    head = KEY_LINE * len(handles := _key(panels)) + 0.1
    height, gap, left = 2.0, 0.72, 0.75
    figure, bottom = canvas(axis.title, caption, head + (height + gap) * len(panels))
    tall = figure.get_size_inches()[1]
    for place, panel in enumerate(panels):
        up = bottom + (len(panels) - 1 - place) * (height + gap) + gap - 0.22
        axes = figure.add_axes((left / WIDTH, up / tall, (WIDTH - left - 0.2) / WIDTH, height / tall))
        axes.yaxis.set_major_locator(MaxNLocator(5))
        axes.xaxis.set_major_locator(MaxNLocator(6))
        _panel(axes, axis, panel)
        if place == 0:
            key(axes, handles, above=1.0 + 0.25 / height)
    return figure


def _panel(axes: Axes, axis: Axis, panel: Panel) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(FAINT)
    axes.tick_params(colors=INK, labelsize=9)
    axes.set_xlabel(plain(axis.label), fontsize=9.5, color=INK)
    axes.set_title(plain(panel.label), fontsize=10.5, color=INK, loc="left", y=1.0)
    axes.set_ylabel(plain(panel.unit), fontsize=9.5, color=INK)
    axes.axvline(axis.now, color=NOW, lw=5, alpha=0.35, zorder=0, solid_capstyle="butt")
    if panel.base is not None:
        axes.axhline(panel.base, color=FAINT, lw=0.9, ls=(0, (4, 3)), zorder=1)
    lines: dict[str, list[Point]] = {}
    for point in sorted(panel.points, key=lambda point: point.x):
        lines.setdefault(point.others, []).append(point)
    alone = lines.pop("", [])
    for others, points in lines.items():
        for point in points:
            axes.plot([point.x] * 2, [point.low, point.high], color=FAINT, lw=0.7, alpha=0.6, zorder=2)
            axes.plot(point.x, point.estimate, "o", ms=3.4, mec=FAINT, mfc=_fill(point, FAINT), zorder=2)
        if len(points) > 1:
            axes.plot([p.x for p in points], [p.estimate for p in points], color=FAINT, lw=0.7, zorder=2)
            end = (points[-1].x, points[-1].estimate)
            name = axes.annotate(
                plain(others), end, (0, 6), textcoords="offset points", fontsize=7.5, ha="right", color=INK, zorder=5
            )
            name.set_in_layout(False)
    if len(alone) > 1:
        axes.plot([p.x for p in alone], [p.estimate for p in alone], color=INK, lw=0.9, zorder=3)
    for point in alone:
        axes.plot([point.x] * 2, [point.low, point.high], color=INK, lw=1.1, zorder=3)
        if point.paired is not None:
            axes.plot([point.x] * 2, point.paired, color=PAIRED, lw=5, alpha=0.7, zorder=2.5, solid_capstyle="butt")
        axes.plot(point.x, point.estimate, "o", ms=6, mec=INK, mew=1.1, mfc=_fill(point, INK), zorder=4)
    if axis.ticks:
        axes.set_xticks(range(len(axis.ticks)), list(map(plain, axis.ticks)))
        axes.set_xlim(-0.5, len(axis.ticks) - 0.5)
        if sum(map(len, axis.ticks)) > 40:
            axes.tick_params(axis="x", rotation=20)
    else:
        axes.margins(x=0.06)
        if axis.whole:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if panel.points and min(point.low for point in panel.points) >= 0:
        # What cannot be below 0 has no axis there; a hair of room, so that marks at 0 are whole.
        bottom, top = axes.get_ylim()
        axes.set_ylim(bottom=max(bottom, -0.03 * top))
    if not panel.points:
        axes.set_yticks([])
    if panel.note:
        axes.text(0.02, 0.98, plain(panel.note), transform=axes.transAxes, va="top", fontsize=8, color=INK, wrap=True)


def _fill(point: Point, colour: str) -> str:
    return colour if point.flagged else "white"


def _key(panels: Sequence[Panel]) -> list[Any]:
    points = [point for panel in panels for point in panel.points]
    handles = [
        Line2D([], [], color=INK, lw=1.1, marker="o", mfc="white", mec=INK, label="estimate, 95% interval by itself"),
        Line2D([], [], ls="", marker="o", mfc=INK, mec=INK, label="filled: differs from now (q ≤ 0.05)"),
    ]
    if any(point.paired is not None and not point.others for point in points):
        text = "95% interval of the difference, on shared seeds"
        handles.append(Line2D([], [], color=PAIRED, lw=5, alpha=0.7, label=text))
    handles.append(Line2D([], [], color=NOW, lw=5, alpha=0.35, label="value now; dashed: the metric now"))
    if any(point.others for point in points):
        text = "others changed too; joined where they agree"
        handles.append(Line2D([], [], color=FAINT, lw=0.7, marker="o", ms=3.4, mfc=FAINT, mec=FAINT, label=text))
    return handles
