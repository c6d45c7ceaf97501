"""What all figures of a report have in common: colours all eyes tell apart, sizes a phone can show, plain text."""

from __future__ import annotations

import textwrap
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import blended_transform_factory

from lab.pages import story
from lab.printable import printable

INK: Final = "#222222"
FAINT: Final = "#9a9a9a"
PALE: Final = "#e2e0d9"
PENS: Final = story.INK
"""Blue and red: the first and the second side, and nothing else."""

GREY: Final = "#6b6b6b"
ORANGE: Final = "#e69f00"
GREEN: Final = "#009e73"
PURPLE: Final = "#cc79a7"
SERIES: Final = (GREY, ORANGE, GREEN, PURPLE)
"""Of Okabe and Ito's palette, without its blues and reds; they differ in lightness too."""

INKS: Final = tuple(LinearSegmentedColormap.from_list(f"pen{i}", ["#ffffff", PENS[i]]) for i in range(2))
LESS_MORE: Final = LinearSegmentedColormap.from_list("less-more", ["#8e4b7f", "#ffffff", "#00684c"])
"""From less by way of no difference to more: purple to green, told apart by all eyes."""

WIDTH: Final = 4.2
"""Inches: what a phone held upright shows nearly in full, so that its letters can be read there."""

_TITLE, _LABEL, _SMALL = 11.5, 10.0, 9.0
_LINE = 0.165
KEY_LINE: Final = 0.18


def plain(text: str) -> str:
    """Return any text as what matplotlib prints as it stands: nothing in it is mathematics."""
    return printable(text).replace("$", r"\$")


def chart(
    title: str,
    caption: str,
    height: float = 2.6,
    left: float = 0.75,
    right: float = 0.2,
    below: float = 0.5,
    key_lines: int = 0,
) -> tuple[Figure, Axes]:
    """Return a figure with one set of axes.

    Parameters
    ----------
    title, caption
        Above and below it; the caption gives the sample size.
    height
        Of the axes themselves, in inches.
    left, right, below
        Room for what stands beside and below the axes, in inches.
    key_lines
        Lines of the key, for which room is left above the axes.
    """
    above = KEY_LINE * key_lines + 0.06
    figure, bottom = canvas(title, caption, above + height + below)
    tall = figure.get_size_inches()[1]
    axes = figure.add_axes((left / WIDTH, (bottom + below) / tall, (WIDTH - left - right) / WIDTH, height / tall))
    tidy(axes)
    return figure, axes


def canvas(title: str, caption: str, height: float) -> tuple[Figure, float]:
    """Return a figure with title, room of this height and caption, and how far up the room begins, in inches."""
    head, foot = textwrap.wrap(plain(title), 40)[:5], textwrap.wrap(plain(caption), 60)[:7]
    top, bottom = 0.14 + 0.2 * len(head), 0.1 + _LINE * len(foot)
    figure = Figure(figsize=(WIDTH, top + height + bottom), facecolor="white")
    tall = top + height + bottom
    figure.text(
        0.12 / WIDTH, 1 - 0.07 / tall, "\n".join(head), fontsize=_TITLE, weight="bold", color=INK, va="top", ha="left"
    )
    figure.text(0.12 / WIDTH, 0.06 / tall, "\n".join(foot), fontsize=_SMALL - 0.5, color=GREY, va="bottom", ha="left")
    return figure, bottom


def tidy(axes: Axes) -> None:
    """Take away what tells nothing."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(FAINT)
    axes.tick_params(colors=INK, labelsize=_SMALL, length=3)
    # Where a title goes is told, or it is found anew at each drawing, from all that is drawn.
    axes.set_title("", y=1.0)
    # Few marks: they are what takes time to draw, and room on a phone.
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(6))


def label(axes: Axes, x: str, y: str) -> None:
    """Name the axes, with units."""
    # A long name ends where the axis does: in the middle below a short axis it might not fit.
    axes.set_xlabel(plain(x), fontsize=_LABEL, color=INK, loc="right" if len(x) > 30 else "center")
    axes.set_ylabel(plain(y), fontsize=_LABEL, color=INK)


def key(axes: Axes, handles: list[Any], columns: int = 1, above: float = 1.0) -> None:
    """Put the key above the axes, where ``chart`` left room for it, from the figure's left edge on."""
    figure = axes.get_figure(root=True)
    across = blended_transform_factory(figure.dpi_scale_trans, axes.transAxes) if figure else axes.transAxes
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0.1, above), "bbox_transform": across}
    style: dict[str, Any] = {
        "frameon": False,
        "fontsize": _SMALL,
        "handlelength": 1.6,
        "labelspacing": 0.25,
        "borderpad": 0.1,
        "borderaxespad": 0.15,
    }
    axes.legend(handles=handles, ncols=columns, columnspacing=1.2, **place, **style)


def with_unit(name: str, unit: str) -> str:
    """Return what an axis is called: a name, with its unit if it has one."""
    return f"{name} ({unit})" if unit else name
