"""A metric over two parameters, as a map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from lab.plots.style import INK, LESS_MORE, chart, label, plain


def grid_map(
    title: str,
    names: tuple[str, str],
    ticks: tuple[Sequence[str], Sequence[str]],
    values: NDArray[np.float64],
    told: NDArray[np.bool_],
    now: tuple[int, int] | None,
    digits: int,
    caption: str,
) -> Figure:
    """Return the figure.

    Parameters
    ----------
    names, ticks
        Of the parameter that goes to the right and of the one that goes up, with units.
    values
        Shape (ticks up, ticks right); NaN where there is no variant.
    told
        Same shape: whether the cell is flagged as different from now; others are written in grey.
    now
        Place (up, right) of the present values, framed; the colours go out from there.
    digits
        Decimals written.
    """
    across, up = len(ticks[0]), len(ticks[1])
    figure, axes = chart(title, caption, height=max(1.9, min(3.8, 0.5 * up)), left=0.95)
    centre = values[now] if now is not None and np.isfinite(values[now]) else float(np.nanmean(values))
    reach = float(np.nanmax(np.abs(values - centre))) or 1.0
    shown = np.ma.masked_invalid(values)
    axes.imshow(shown, cmap=LESS_MORE, vmin=centre - reach, vmax=centre + reach, origin="lower", aspect="auto")
    for row in range(up):
        for column in range(across):
            if np.isfinite(values[row, column]):
                deep = abs(values[row, column] - centre) > 0.55 * reach
                axes.text(
                    column,
                    row,
                    f"{values[row, column]:.{digits}f}",
                    ha="center",
                    va="center",
                    fontsize=9 if across <= 6 else 8,
                    color="white" if deep else INK,
                    weight="bold" if told[row, column] else "normal",
                )
    if now is not None:
        axes.add_patch(Rectangle((now[1] - 0.48, now[0] - 0.48), 0.96, 0.96, fill=False, ec=INK, lw=2.2))
    axes.set_xticks(range(across), [plain(tick) for tick in ticks[0]])
    axes.set_yticks(range(up), [plain(tick) for tick in ticks[1]])
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    label(axes, *names)
    return figure
