"""Jotting dots into a base (R2.3, R9.3)."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.page import Men, Page
from engine.dotfight.rules import Numbers, Rules
from engine.jit import entry_point

BLOCK = 64  # tries that chance is drawn for at a time


@entry_point
def try_spots(
    numbers: Numbers,
    x: float,
    y: float,
    men: Men,
    spots: NDArray[np.float64],
    placed: int,
    tries: int,
    spacing: float,
    uniforms: NDArray[np.float64],
) -> tuple[int, int, float]:
    """Go on jotting with ``(n, 2)`` uniform deviates; return how many spots are placed, the tries, the spacing."""
    k = numbers[0]
    radius = k.base_radius - k.jot_inset * k.dot_radius
    for i in range(uniforms.shape[0]):
        if placed == spots.shape[0]:
            break
        if tries >= k.jot_tries:
            tries, spacing = 0, spacing * k.jot_shrink
        tries += 1
        angle, reach = 2.0 * pi * uniforms[i, 0], radius * sqrt(uniforms[i, 1])
        a, b = x + reach * cos(angle), y + reach * sin(angle)
        clear = True
        for j in range(placed):
            clear = clear and (a - spots[j, 0]) ** 2 + (b - spots[j, 1]) ** 2 >= spacing * spacing
        for m in range(men.shape[0]):
            if men[m].alive:
                clear = clear and (a - men[m].x) ** 2 + (b - men[m].y) ** 2 >= spacing * spacing
        if clear:
            spots[placed, 0], spots[placed, 1] = a, b
            placed += 1
    return placed, tries, spacing


def jot(rules: Rules, rng: np.random.Generator, x: float, y: float, count: int, men: Men) -> NDArray[np.float64]:
    """Jot ``count`` dots into the base about (x, y), clear of each other and of all living ``men`` (R2.3).

    Returns ``(count, 2)`` places, uniform over the disc; the spacing shrinks when ``jot_tries`` tries in a row have
    not finished the job.
    """
    spots = np.empty((count, 2))
    placed, tries, spacing = 0, 0, rules.jot_spacing * rules.dot_radius
    while placed < count:
        uniforms = rng.random((BLOCK, 2))
        placed, tries, spacing = try_spots(rules.numbers, x, y, men, spots, placed, tries, spacing, uniforms)
    return spots


def jot_convoy(rules: Rules, rng: np.random.Generator, page: Page, base: int, count: int) -> NDArray[np.float64]:
    """Jot an arriving convoy into its base, clear of every living man (R9.3)."""
    home = page.bases[base]
    return jot(rules, rng, float(home["x"]), float(home["y"]), count, page.men)
