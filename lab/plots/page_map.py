"""Where on the page things were lost: a map for each way to be lost, and for each side."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from lab.plots.style import FAINT, INK, INKS, PENS, WIDTH, canvas, plain


@dataclass(frozen=True)
class Layer:
    """Losses in one way: ``counts`` has shape (2, rows, columns), a map for each side, top row first."""

    label: str
    counts: NDArray[np.int64]


def page_map(
    title: str,
    layers: Sequence[Layer],
    page: tuple[float, float],
    games: int,
    sides: tuple[str, str],
    caption: str,
) -> Figure:
    """Return the maps, a column a layer and a row a side, in losses for each game and cell; blue and red are the pens.

    Every map has its own scale, whose end is written below it: rare losses would else not be seen beside common ones.
    """
    gap, left, head = 0.12, 0.34, 0.36
    wide = min((WIDTH - left - 0.12) / len(layers) - gap, 1.5)
    tall = min(wide * page[1] / page[0], 2.6)
    wide = tall * page[0] / page[1]
    figure, bottom = canvas(title, caption, head + 2 * (tall + 0.26))
    height = figure.get_size_inches()[1]
    for column, layer in enumerate(layers):
        for side in (0, 1):
            x = left + column * (wide + gap)
            y = bottom + 0.26 + (1 - side) * (tall + 0.26)
            axes = figure.add_axes((x / WIDTH, y / height, wide / WIDTH, tall / height))
            counts = layer.counts[side] / games
            most = float(counts.max())
            axes.imshow(counts, cmap=INKS[side], vmin=0, vmax=most or 1, extent=(0, page[0], page[1], 0), aspect="auto")
            axes.set_xticks([])
            axes.set_yticks([])
            for spine in axes.spines.values():
                spine.set_color(FAINT)
            share = f"darkest: {most:.2g} a game" if most else "none"
            axes.set_xlabel(
                share if wide > 1.4 else share.removeprefix("darkest: "), fontsize=8.5, color=INK, labelpad=2
            )
            if side == 0:
                name = textwrap.fill(plain(layer.label), max(8, int(wide / 0.078)))
                axes.set_title(name, fontsize=9, color=INK, pad=3, y=1.0)
            if column == 0:
                axes.set_ylabel(plain(sides[side]), fontsize=9.5, color=PENS[side])
    return figure
