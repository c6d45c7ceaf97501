"""From a sweep's comparison to its figures: what each parameter does to the chosen metrics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from engine.errors import ConfigError
from engine.parameters import Field, Param
from lab.estimators import Observed
from lab.plots.effects import Axis, Panel, Point, effects
from lab.plots.render import FORMATS, render
from lab.printable import printable
from lab.spec import canonical
from lab.stats.intervals import Undefined
from lab.stats.paired import PairedDifference
from lab.sweeps.compare import Cell, Comparison
from lab.sweeps.spec import field_of
from lab.sweeps.table import scale_of
from lab.sweeps.variants import changes_text, keys_of, value_at, value_text


def pictures(comparison: Comparison, metrics: Sequence[str], title: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each figure: one a parameter, a panel a metric, in every format."""
    least, most = min(comparison.games), max(comparison.games)
    games = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    for key in keys_of(comparison.variants):
        axis, places = axis_of(comparison, key)
        panels = [panel_of(comparison.of(metric), key, places) for metric in metrics]
        caption = printable(f"{title}: n = {games} games a variant, {len(comparison.variants):,} variants")
        figure = effects(axis, panels, caption)
        name = re.sub(r"[^A-Za-z0-9_]+", "-", key).strip("-")
        for form in FORMATS:
            yield f"{name}.{form}", render(figure, form)


def axis_of(comparison: Comparison, key: str) -> tuple[Axis, dict[str, float]]:
    """Return the axis of a key, and the place of each value, by the value's canonical text."""
    base = comparison.base.experiment
    field = _field(comparison, key)
    values: dict[str, Any] = {}
    for variant in comparison.variants:
        value = value_at(variant.experiment, key)
        values[canonical(value)] = value
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values.values())
    places = {text: float(value) if numbers else float(place) for place, (text, value) in enumerate(values.items())}
    doc = f": {field.param.doc}" if field.param.doc else ""
    source = f" ({field.param.source})" if field.param.source else ""
    unit = f" ({field.param.unit})" if field.param.unit else ""
    axis = Axis(
        title=f"{key}{doc}{source}",
        label=f"{key}{unit}",
        ticks=() if numbers else tuple(printable(value_text(value)) for value in values.values()),
        now=places[canonical(value_at(base, key))],
        whole=field.kind is int,
    )
    return axis, places


def _field(comparison: Comparison, key: str) -> Field:
    """Return a key's declaration; a whole seat, or an option that only another player has, has no words of its own."""
    try:
        return field_of(comparison.base.experiment, key)
    except ConfigError:
        return Field(key, str, None, Param(""))


def panel_of(cells: Sequence[Cell], key: str, places: dict[str, float]) -> Panel:
    """Return the panel of a metric's cells (the base's first) over the values of a key, at their places."""
    metric, base = cells[0].metric, cells[0].estimate
    now = None if isinstance(base, Undefined) else scale_of(cells[0]) * base.estimate
    points: list[Point] = []
    undefined: list[Cell] = []
    # Where this parameter never changes together with another, variants of the others say nothing of it.
    shared = any(key in cell.variant.changes and len(cell.variant.changes) > 1 for cell in cells)
    for cell in cells:
        if key not in cell.variant.changes and cell is not cells[0] and not shared:
            continue
        estimate, scale = cell.estimate, scale_of(cell)
        if isinstance(estimate, Undefined):
            undefined.append(cell)
            continue
        value = estimate.estimate
        low, high = (value, value) if isinstance(estimate, Observed) else (estimate.low, estimate.high)
        paired = None
        if isinstance(cell.difference, PairedDifference) and now is not None:
            ends = cell.difference.difference
            paired = (now + scale * ends.low, now + scale * ends.high)
        points.append(
            Point(
                x=places[canonical(value_at(cell.variant.experiment, key))],
                estimate=scale * value,
                low=scale * low,
                high=scale * high,
                paired=paired,
                others=printable(changes_text({k: v for k, v in cell.variant.changes.items() if k != key})),
                flagged=cell.flagged,
            )
        )
    considered = len(points) + len(undefined)
    note = f"undefined for {len(undefined)} of {considered} variants" if undefined else ""
    return Panel(metric.label, metric.unit, tuple(points), now, note)
