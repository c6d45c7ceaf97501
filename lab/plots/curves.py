"""Curves with their intervals: how many are still there after so many turns, and what a lead is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from lab.plots.style import FAINT, GREEN, GREY, INK, ORANGE, PURPLE, chart, key, label, plain

COLOURS = (GREEN, ORANGE, PURPLE, GREY)
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1, 1.5)))


@dataclass(frozen=True)
class Curve:
    """One curve, in per cent.

    Attributes
    ----------
    label
        Its name.
    x, y
        Shape (k,).
    low, high
        Shape (k,): the ends of its interval at each place; None where none is drawn.
    """

    label: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Marks:
    """Points with intervals, in per cent: shape (k,) each."""

    label: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def survival(title: str, axis: str, share: str, curves: Sequence[Curve], caption: str) -> Figure:
    """Return curves that step down from 100 %; ``share`` names what is left."""
    figure, axes = chart(title, caption, key_lines=len(curves))
    handles: list[Any] = []
    for curve, colour, dash in zip(curves, COLOURS, DASHES, strict=False):
        if curve.low is not None and curve.high is not None:
            axes.fill_between(curve.x, curve.low, curve.high, step="post", color=colour, alpha=0.22, lw=0)
        axes.step(curve.x, curve.y, where="post", color=colour, lw=1.8, ls=dash)
        handles.append(Line2D([], [], color=colour, lw=1.8, ls=dash, label=plain(curve.label)))
    axes.set_ylim(0, 102)
    axes.set_xlim(left=0)
    axes.grid(color=FAINT, lw=0.4, alpha=0.5)
    label(axes, axis, share)
    key(axes, handles)
    return figure


def snowball(title: str, axis: str, marks: Marks, curves: Sequence[Curve], caption: str) -> Figure:
    """Return the share won against the lead: what was counted at one moment, and fitted curves for several."""
    figure, axes = chart(title, caption, key_lines=1 + len(curves))
    axes.axhline(50, color=FAINT, lw=0.8)
    axes.axvline(0, color=FAINT, lw=0.8)
    handles: list[Any] = []
    for curve, colour, dash in zip(curves, COLOURS, DASHES, strict=False):
        axes.plot(curve.x, curve.y, color=colour, lw=1.8, ls=dash, zorder=2)
        handles.append(Line2D([], [], color=colour, lw=1.8, ls=dash, label=plain(curve.label)))
    axes.vlines(marks.x, marks.low, marks.high, color=INK, lw=1, zorder=3)
    axes.plot(marks.x, marks.y, "o", ms=4.5, mfc="white", mec=INK, zorder=4)
    handles.append(Line2D([], [], color=INK, lw=1, marker="o", ms=4.5, mfc="white", label=plain(marks.label)))
    axes.set_ylim(-2, 102)
    label(axes, axis, "won by the side that moved first (%)")
    key(axes, handles)
    return figure
