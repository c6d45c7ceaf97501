"""The sections that only a sweep of parameters has: effects, sensitivities, maps of two parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from engine.errors import ConfigError
from engine.parameters import Field
from lab.plots.effects import effects_column
from lab.plots.grid_map import grid_map
from lab.plots.style import with_unit
from lab.plots.tornado import Bar, End, tornado
from lab.reports.balance.effects_of import Effect, difference, effects_of, observed
from lab.reports.balance.model import Picture, Section, Sheet
from lab.spec import canonical
from lab.summary import decimals
from lab.sweeps.compare import Comparison
from lab.sweeps.pictures import axis_of, panel_of
from lab.sweeps.spec import field_of
from lab.sweeps.variants import keys_of, value_at, value_text

PANELS = 3
"""Metrics drawn for each parameter and each pair of them; the tables have all."""

TORNADOES = 5
"""Metrics whose sensitivities are drawn; the table has all."""

FEWEST_CELLS = 0.6
"""Share of the pairs of values that must have been played for a map of two parameters."""


def file_name(*words: str) -> str:
    """Return words as the name of a file."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", "-".join(words)).strip("-")[:80]


def parameters(comparison: Comparison, metrics: Sequence[str]) -> Section:
    """Return the section of effects: a figure a parameter."""
    title = "What each parameter does"
    caption = f"n = {games_text(comparison)} games a variant"
    pictures: list[Picture] = []
    for key in keys_of(comparison.variants):
        axis, places = axis_of(comparison, key)
        panels = [panel_of(comparison.of(metric), key, places) for metric in metrics[:PANELS]]
        alt = f"{key}: " + ", ".join(panel.label for panel in panels) + " at each of its values."
        pictures.append(Picture(f"effect-{file_name(key)}", alt, effects_column(axis, panels, caption)))
    rows: list[tuple[str | float, ...]] = []
    for effect in effects_of(comparison, metrics):
        for cell in effect.cells:
            ends = difference(cell)
            rows.append(
                (
                    effect.key,
                    effect.value(cell),
                    effect.metric.name,
                    ends.estimate,
                    ends.low,
                    ends.high,
                    cell.q or 0.0,
                    effect.metric.unit,
                    effect.state,
                )
            )
    header = ("parameter", "value", "metric", "difference", "low", "high", "q", "unit", "parameter_state")
    absent = () if pictures else ("No variant differs from the base.",)
    return Section(title, (), tuple(pictures), (Sheet("effects", "Differences from the base", header, rows),), absent)


def sensitivities(comparison: Comparison, metrics: Sequence[str]) -> Section:
    """Return the section of tornado diagrams: a figure a metric."""
    title = "Which parameters matter most"
    found = effects_of(comparison, metrics)
    if len({effect.key for effect in found}) < 2:
        reason = "Tornado diagrams need at least two parameters that variants change one at a time."
        return Section(title, absent=(reason,))
    pictures: list[Picture] = []
    rows: list[tuple[str | float, ...]] = []
    for name in metrics:
        bars = [_bar(effect) for effect in found if effect.metric.name == name]
        if not bars:
            continue
        metric = next(effect.metric for effect in found if effect.metric.name == name)
        unit = "percentage points" if metric.unit.startswith("%") else metric.unit
        axis = with_unit("change", unit)
        caption = f"n = {games_text(comparison)} games a variant, on shared seeds; the values furthest apart are named"
        if len(pictures) < TORNADOES:
            figure = tornado(f"{metric.label}: what moves it", axis, bars, caption)
            pictures.append(Picture(f"tornado-{name}", f"{metric.label}: how far each parameter moves it.", figure))
        ordered = sorted(bars, key=lambda bar: -bar.span)
        rows += [
            (name, bar.parameter, bar.least.value, bar.least.difference, bar.most.value, bar.most.difference, bar.span)
            for bar in ordered
        ]
    header = ("metric", "parameter", "value_of_least", "least", "value_of_most", "most", "span")
    return Section(title, (), tuple(pictures), (Sheet("tornado", "Sensitivities", header, rows),))


def _bar(effect: Effect) -> Bar:
    ordered = sorted(effect.cells, key=lambda cell: difference(cell).estimate)
    ends: list[End] = []
    for cell in (ordered[0], ordered[-1]):
        shift = difference(cell)
        ends.append(End(effect.value(cell), shift.estimate, shift.low, shift.high, cell.flagged))
    # Where both ends lie on one side of now, the nearer says nothing that the bar does not.
    if ends[0].difference >= 0:
        ends[0] = ends[1]
    elif ends[1].difference <= 0:
        ends[1] = ends[0]
    return Bar(effect.key, ends[0], ends[1])


def pairs_of_parameters(comparison: Comparison, metrics: Sequence[str]) -> Section:
    """Return the section of maps over two parameters that were varied together."""
    title = "Two parameters together"
    pictures: list[Picture] = []
    rows: list[tuple[str | float, ...]] = []
    for one, other in combinations(keys_of(comparison.variants), 2):
        for name in metrics[:PANELS]:
            made = _map(comparison, (one, other), name)
            if made is not None:
                pictures.append(made[0])
                rows += made[1]
    if not pictures:
        return Section(title, absent=("No two parameters were varied together over a grid.",))
    header = ("metric", "parameter", "value", "other_parameter", "other_value", "estimate", "low", "high")
    return Section(title, (), tuple(pictures), (Sheet("two-parameters", "Two parameters", header, rows),))


def _map(
    comparison: Comparison, keys: tuple[str, str], name: str
) -> tuple[Picture, list[tuple[str | float, ...]]] | None:
    cells = [cell for cell in comparison.of(name) if set(cell.variant.changes) <= set(keys)]
    if not any(set(cell.variant.changes) == set(keys) for cell in cells):
        return None
    values = [_values(comparison, key) for key in keys]
    across, up = ({canonical(value): place for place, value in enumerate(axis)} for axis in values)
    if len(cells) < FEWEST_CELLS * len(across) * len(up) or min(len(across), len(up)) < 2:
        return None
    grid, told = np.full((len(up), len(across)), np.nan), np.zeros((len(up), len(across)), bool)
    rows: list[tuple[str | float, ...]] = []
    widths: list[float] = []
    for cell in cells:
        here = [value_at(cell.variant.experiment, key) for key in keys]
        place = up[canonical(here[1])], across[canonical(here[0])]
        if (ends := observed(cell)) is None:
            continue
        grid[place], told[place] = ends[0], cell.flagged
        widths.append(ends[2] - ends[1])
        rows.append((name, keys[0], value_text(here[0]), keys[1], value_text(here[1]), *ends))
    if not rows:
        return None
    base = comparison.base.experiment
    now = up[canonical(value_at(base, keys[1]))], across[canonical(value_at(base, keys[0]))]
    metric = cells[0].metric
    caption = f"n = {games_text(comparison)} games a variant. Framed: now. Bold: differs from now (q ≤ 0.05)"
    figure = grid_map(
        f"{with_unit(metric.label, metric.unit)} by {keys[0]} and {keys[1]}",
        (_named(comparison, keys[0]), _named(comparison, keys[1])),
        ([value_text(value) for value in values[0]], [value_text(value) for value in values[1]]),
        grid,
        told,
        now,
        min(3, decimals(float(np.median(widths)))),
        caption,
    )
    return Picture(file_name("map", name, *keys), f"{metric.label} over {keys[0]} and {keys[1]}.", figure), rows


def _values(comparison: Comparison, key: str) -> list[object]:
    """Return the values of a key that come up, numbers in ascending order, others as they come."""
    found = {canonical(value): value for v in comparison.variants for value in [value_at(v.experiment, key)]}
    values = list(found.values())
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
    return sorted(values, key=lambda value: float(str(value))) if numbers else values


def _named(comparison: Comparison, key: str) -> str:
    try:
        field: Field = field_of(comparison.base.experiment, key)
    except ConfigError:
        return key
    return with_unit(key, field.param.unit)


def games_text(comparison: Comparison) -> str:
    """Return how many games the variants have."""
    least, most = min(comparison.games), max(comparison.games)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"
