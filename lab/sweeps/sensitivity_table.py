"""A sensitivity analysis as text for people and as CSV for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from lab.csv_text import csv_text
from lab.design import Categorical, Factor
from lab.estimators import Estimate, Observed
from lab.printable import printable
from lab.stats.intervals import Interval, Undefined
from lab.stats.sensitivity import ElementaryEffect, MorrisScreening, SobolIndex
from lab.summary import decimals
from lab.sweeps.sensitivity import Analysis, Importance, Sensitivity
from lab.sweeps.table import aligned, failures_text
from lab.sweeps.variants import value_at, value_text

HEADER: Final = (
    *("metric", "unit", "parameter", "range", "measure"),
    *("estimate", "low", "high", "level", "chance", "points", "games", "note"),
)


ABOUT_EFFECTS: Final = """\
Effects are of moving a parameter over its whole range, in the metric's unit: mu* is their mean size, mu their mean
with its sign, sigma their spread (0 where a parameter acts alone and along a line). By chance is the mu* that a
parameter without any effect would show at this number of games; * marks those whose whole 95% interval lies above
it, each looked at by itself."""

ABOUT_INDICES: Final = """\
S1 is the share of the variance between points that a parameter explains by itself, ST the share it has a part in,
alone or with others; 95% intervals, each by itself. Chance adds to every ST."""


def design_text(analysis: Analysis) -> str:
    """Return the sampling in words."""
    sampling = analysis.design.sampling
    factors, different = len(analysis.design.factors), len({variant.folder for variant in analysis.points})
    if isinstance(sampling, MorrisScreening):
        kind = f"Morris screening of {factors} parameters: {sampling.trajectories} trajectories"
    else:
        kind = f"Sobol indices of {factors} parameters: {sampling.replicates} samples of {sampling.base} base points"
    return f"{kind}, {sampling.runs:,} points, {different:,} of them different"


def sensitivity_text(found: Sensitivity) -> str:
    """Return for each metric a table of the parameters, the most important first."""
    least, most = found.games
    games = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    parts = [f"{design_text(found.analysis)}; {games} games each"]
    parts += [_metric_text(importance, found.factors) for importance in found.importances]
    parts.append(ABOUT_EFFECTS if isinstance(found.analysis.design.sampling, MorrisScreening) else ABOUT_INDICES)
    if found.failures:
        parts.append(failures_text(found.failures))
    return "\n\n".join(parts)


def sensitivity_csv(found: Sensitivity) -> str:
    """Return every effect or index of every metric as CSV, effects in the metric's unit."""
    points, games = len(found.analysis.points), found.games[0]
    rows: list[tuple[Any, ...]] = []
    for importance in found.importances:
        for place, factor in enumerate(found.factors):
            named = (importance.metric.name, importance.metric.unit, factor.key, range_text(factor))
            for measure, row in _measures(importance, place):
                rows.append((*named, measure, *row[:5], points, games, row[5]))
    return csv_text(HEADER, rows)


def points_csv(found: Sensitivity) -> str:
    """Return the points in the design's order as CSV: each parameter's value, each metric's estimate."""
    keys = [factor.key for factor in found.factors]
    rows: list[tuple[Any, ...]] = []
    for place, variant in enumerate(found.analysis.points):
        values = [value_text(value_at(variant.experiment, key)) for key in keys]
        estimates = [_number(importance, importance.values[place]) for importance in found.importances]
        rows.append((place, *values, *estimates))
    return csv_text(("point", *keys, *(importance.metric.name for importance in found.importances)), rows)


def range_text(factor: Factor) -> str:
    """Return what a parameter is drawn from."""
    if isinstance(factor, Categorical):
        return ", ".join(map(value_text, factor.values))
    return f"{value_text(factor.at(0.0))} – {value_text(factor.at(1.0))}"


def scale_of(importance: Importance) -> float:
    """Return what a metric's values are multiplied by to be in its unit: shares print in per cent."""
    return 100.0 if importance.metric.unit == "%" else 1.0


def _metric_text(importance: Importance, factors: Sequence[Factor]) -> str:
    metric, effects = importance.metric, importance.effects
    head = printable(f"{metric.label} ({metric.unit})" if metric.unit else metric.label)
    if isinstance(effects, Undefined):
        return f"{head}\nundefined: {effects.reason}"
    rows: list[tuple[float, tuple[str, ...]]] = []
    for place, (factor, effect) in enumerate(zip(factors, effects, strict=True)):
        named = (printable(factor.key), printable(range_text(factor)))
        if isinstance(effect, ElementaryEffect):
            scale = scale_of(importance)
            chance = importance.chance[place]
            digits = decimals(scale * 2 * effect.mean_absolute.half_width)
            marked = "*" if chance is not None and effect.mean_absolute.low > chance else " "
            cells = (
                *_shown(effect.mean_absolute, scale, mark=marked),
                "" if chance is None else f"{scale * chance:.{digits}f}",
                *_shown(effect.mean, scale, "+"),
                f"{scale * effect.sd:.{digits}f}",
            )
            rows.append((effect.mean_absolute.estimate, (*named, *cells)))
        else:
            rows.append((effect.total.estimate, (*named, *_shown(effect.first), *_shown(effect.total))))
    heads = (
        ("mu*", "95% interval", "by chance", "mu", "95% interval", "sigma")
        if isinstance(effects[0], ElementaryEffect)
        else ("S1", "95% interval", "ST", "95% interval")
    )
    ordered = [cells for _, cells in sorted(rows, key=lambda row: -row[0])]
    text = f"{head}\n{aligned([('parameter', 'range', *heads), *ordered], left=2)}"
    if isinstance(effects[0], SobolIndex) and importance.chance[0] is not None:
        text += f"\nchance of so few games: at most {importance.chance[0]:.0%} of the variance between points"
    return text


def _shown(value: Interval, scale: float = 1.0, sign: str = "", mark: str = "") -> tuple[str, str]:
    digits = decimals(scale * (value.high - value.low))
    form = f"{sign}.{digits}f"
    return f"{scale * value.estimate:{form}}{mark}", f"{scale * value.low:{form}} – {scale * value.high:{form}}"


def _measures(importance: Importance, place: int) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the measures of a parameter: name; estimate, low, high, level, chance, note."""
    effects, chance = importance.effects, importance.chance
    if isinstance(effects, Undefined):
        yield "", ("", "", "", "", "", f"undefined: {effects.reason}")
        return
    effect = effects[place]
    if isinstance(effect, ElementaryEffect):
        scale = scale_of(importance)
        alone = chance[place]
        yield "mu_star", (*_ends(effect.mean_absolute, scale), "" if alone is None else scale * alone, "")
        yield "mu", (*_ends(effect.mean, scale), "", "")
        yield "sigma", (scale * effect.sd, "", "", "", "", "no interval")
        return
    yield "S1", (*_ends(effect.first, 1.0), "", "")
    yield "ST", (*_ends(effect.total, 1.0), "" if chance[0] is None else chance[0], "")


def _ends(value: Interval, scale: float) -> tuple[float, ...]:
    return (scale * value.estimate, scale * value.low, scale * value.high, value.level)


def _number(importance: Importance, value: Estimate) -> Any:
    return scale_of(importance) * value.estimate if isinstance(value, (Interval, Observed)) else ""
