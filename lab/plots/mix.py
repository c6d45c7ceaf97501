"""What is done in each phase of a game: one bar a phase, cut by kind of action."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from numpy.typing import NDArray

from lab.plots.style import SERIES, chart, key, label, plain


def mix(title: str, phases: Sequence[str], deeds: Sequence[str], shares: NDArray[np.float64], caption: str) -> Figure:
    """Return the figure; ``shares`` has shape (phases, deeds), in per cent of the actions of each phase."""
    figure, axes = chart(title, caption, height=0.5 * len(phases), left=0.85, key_lines=1)
    starts = np.cumsum(shares, axis=1) - shares
    places = np.arange(len(phases))[::-1]
    for deed, (begin, wide) in enumerate(zip(starts.T, shares.T, strict=True)):
        axes.barh(places, wide, left=begin, height=0.72, color=SERIES[deed % 4], edgecolor="white", lw=0.6)
        for at, x, width in zip(places, begin, wide, strict=True):
            if width >= 7:
                shade = "white" if deed % 4 == 0 else "black"
                axes.text(x + width / 2, at, f"{width:.0f}", ha="center", va="center", color=shade, fontsize=9.5)
    axes.set_yticks(places, [plain(phase) for phase in phases], fontsize=10)
    axes.set_xlim(0, 100)
    axes.spines["left"].set_visible(False)
    label(axes, "share of the actions in that third (%)", "")
    handles = [Patch(facecolor=SERIES[i % 4], edgecolor="white", label=plain(deed)) for i, deed in enumerate(deeds)]
    key(axes, handles, columns=len(deeds))
    return figure
