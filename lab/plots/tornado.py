"""How far each parameter moves a metric, the strongest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from lab.plots.style import FAINT, GREEN, INK, PURPLE, chart, key, label, plain


@dataclass(frozen=True)
class End:
    """A value of the parameter and the difference it makes, with its interval."""

    value: str
    difference: float
    low: float
    high: float
    flagged: bool


@dataclass(frozen=True)
class Bar:
    """A parameter: the values that take the metric furthest down and furthest up."""

    parameter: str
    least: End
    most: End

    @property
    def span(self) -> float:
        """How far apart the ends are, the value now (a difference of 0) between them."""
        return max(self.most.difference, 0.0) - min(self.least.difference, 0.0)


def tornado(title: str, axis: str, bars: Sequence[Bar], caption: str) -> Figure:
    """Return the figure, bars from the widest to the narrowest."""
    ordered = sorted(bars, key=lambda bar: -bar.span)
    left = min(1.9, 0.3 + 0.078 * max(len(bar.parameter) for bar in ordered))
    figure, axes = chart(title, caption, height=0.42 * len(ordered) + 0.2, left=left, right=0.3, key_lines=2)
    for place, bar in enumerate(ordered):
        ends = [bar.least] if bar.least is bar.most else [bar.least, bar.most]
        for end in ends:
            colour = GREEN if end.difference >= 0 else PURPLE
            solid: dict[str, Any] = {"color": colour} if end.flagged else {"facecolor": "white", "edgecolor": colour}
            axes.barh(place, end.difference, height=0.5, zorder=2, lw=1.2, **solid)
            axes.plot([end.low, end.high], [place, place], color=INK, lw=1.1, zorder=3, solid_capstyle="butt")
            up = end.difference >= 0
            text = axes.annotate(
                plain(end.value),
                (max(end.difference, end.high) if up else min(end.difference, end.low), place),
                (3 if up else -3, 0),
                textcoords="offset points",
                ha="left" if up else "right",
                va="center",
                fontsize=9,
                color=INK,
            )
            text.set_clip_on(False)
    axes.axvline(0, color=INK, lw=0.9, zorder=1)
    reach = max(abs(x) for bar in ordered for end in (bar.least, bar.most) for x in (end.low, end.high))
    axes.set_xlim(-1.28 * reach or -1, 1.28 * reach or 1)
    axes.set_ylim(len(ordered) - 0.5, -0.5)
    axes.set_yticks(range(len(ordered)), [plain(bar.parameter) for bar in ordered])
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=FAINT, lw=0.4, alpha=0.5, zorder=0)
    label(axes, axis, "")
    handles = [
        Patch(color=GREEN, label="more"),
        Patch(color=PURPLE, label="less"),
        Patch(facecolor="white", edgecolor=FAINT, label="hollow: not flagged (q > 0.05)"),
        Line2D([], [], color=INK, lw=1.1, label="95% interval"),
    ]
    key(axes, [handles[0], handles[1], handles[3], handles[2]], columns=2)
    return figure
