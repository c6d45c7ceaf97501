"""Jotting dots into a base (R2.3, R9.3)."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.rules import Numbers
from engine.jit import entry_point


@entry_point
def jot(
    numbers: Numbers, rng: Any, x: float, y: float, others: NDArray[np.float64], spots: NDArray[np.float64]
) -> None:
    """Jot dots into the base about (x, y), clear of each other and of ``others`` (R2.3).

    Parameters
    ----------
    numbers
        ``(1,)`` array of the rules' numbers.
    rng
        NumPy generator.
    x, y
        Centre of the base.
    others
        ``(n, 2)`` places to keep clear of.
    spots
        ``(count, 2)``: the places jotted are written here.
    """
    k = numbers[0]
    radius = k.base_radius - k.jot_inset * k.dot_radius
    spacing = k.jot_spacing * k.dot_radius
    placed, tries = 0, 0
    while placed < spots.shape[0]:
        if tries >= k.jot_tries:
            tries, spacing = 0, spacing * k.jot_shrink
        tries += 1
        angle, reach = 2.0 * pi * rng.random(), radius * sqrt(rng.random())
        a, b = x + reach * cos(angle), y + reach * sin(angle)
        clear = True
        for i in range(placed):
            clear = clear and (a - spots[i, 0]) ** 2 + (b - spots[i, 1]) ** 2 >= spacing * spacing
        for i in range(others.shape[0]):
            clear = clear and (a - others[i, 0]) ** 2 + (b - others[i, 1]) ** 2 >= spacing * spacing
        if clear:
            spots[placed, 0], spots[placed, 1] = a, b
            placed += 1
