"""Which parameters a metric depends on: Morris effects or Sobol indices from the games of a sweep's points."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from lab.design import Factor, SensitivityDesign
from lab.estimators import Columns, Estimate, Estimator
from lab.games import adapter_of
from lab.games.adapter import Metric
from lab.results.run import Run
from lab.stats.comparisons import z_of_p
from lab.stats.intervals import LEVEL, Interval, Undefined
from lab.stats.paired import PairedDifference
from lab.stats.sensitivity import ElementaryEffect, MorrisScreening, SobolIndex
from lab.sweeps.compare import difference_of, shared_games
from lab.sweeps.folder import SweepFolder
from lab.sweeps.variants import Variant

_EVEN = math.sqrt(2 / math.pi)
"""Mean absolute value of a standard normal deviate."""


@dataclass(frozen=True)
class Analysis:
    """What a sensitivity analysis asks for.

    Attributes
    ----------
    design
        Its factors and its sampling.
    points
        The variant at each point, in the design's order; points that fall on the same values share one.
    """

    design: SensitivityDesign
    points: tuple[Variant, ...]


Effects: TypeAlias = "tuple[ElementaryEffect, ...] | tuple[SobolIndex, ...] | Undefined"


@dataclass(frozen=True)
class Importance:
    """What one metric depends on.

    Attributes
    ----------
    metric
        Which.
    values
        Its estimate at each point.
    effects
        Of each factor, or why there are none.
    chance
        Morris: for each factor the mean absolute effect that chance alone would show were there none. Sobol indices:
        a single number, the share of the variance between points that is no more than the chance of so few games.
        None where no interval tells.
    """

    metric: Metric
    values: tuple[Estimate, ...]
    effects: Effects
    chance: tuple[float | None, ...]


@dataclass(frozen=True)
class Sensitivity:
    """A sensitivity analysis carried out.

    Attributes
    ----------
    analysis
        What was asked for.
    importances
        One for each metric asked for.
    games
        Games of each point, those that failed left out: the fewest and the most.
    failures
        Variant, game and text of each game that failed.
    """

    analysis: Analysis
    importances: tuple[Importance, ...]
    games: tuple[int, int]
    failures: tuple[tuple[Variant, int, str], ...]

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The parameters, in the file's order."""
        return self.analysis.design.factors

    @cached_property
    def different(self) -> int:
        """How many of the points differ from each other."""
        return len({variant.folder for variant in self.analysis.points})


def analyse(folder: SweepFolder, analysis: Analysis, metrics: Sequence[str]) -> Sensitivity:
    """Estimate the chosen metrics at every point, and from them what each depends on."""
    adapter = adapter_of(analysis.points[0].experiment.game)
    chosen = [adapter.metric(name) for name in metrics]
    names = list(dict.fromkeys(("game", *(name for metric in chosen for name in metric.estimator.columns))))
    different = {variant.folder: variant for variant in analysis.points}
    runs = {name: Run(folder.run(variant).path) for name, variant in different.items()}
    played = {name: run.columns(names) for name, run in runs.items()}
    counts = [len(columns["game"]) for columns in played.values()]
    return Sensitivity(
        analysis,
        tuple(_importance(metric, analysis, played) for metric in chosen),
        (min(counts), max(counts)),
        tuple((different[name], game, text) for name, run in runs.items() for game, text in run.failures),
    )


def _importance(metric: Metric, analysis: Analysis, played: Mapping[str, Columns]) -> Importance:
    estimates = {name: metric.estimator.estimate(columns) for name, columns in played.items()}
    values = tuple(estimates[variant.folder] for variant in analysis.points)
    numbers = [value.estimate for value in values if not isinstance(value, Undefined)]
    if len(numbers) < len(values):
        reason = next(value.reason for value in values if isinstance(value, Undefined))
        lacking = f"undefined at {len(values) - len(numbers):,} of {len(values):,} points ({reason})"
        return Importance(metric, values, Undefined(lacking, len(numbers)), ())
    sampling = analysis.design.sampling
    if isinstance(sampling, MorrisScreening):
        return Importance(metric, values, sampling.effects(numbers), _chance_of_effects(metric, analysis, played))
    return Importance(metric, values, sampling.indices(numbers), _chance_of_variance(values, numbers))


def _chance_of_effects(metric: Metric, analysis: Analysis, played: Mapping[str, Columns]) -> tuple[float | None, ...]:
    """Return each factor's mean absolute effect were there none: that of the errors of its differences alone."""
    points, size = analysis.design.sampling.points(), len(analysis.design.factors)
    errors: dict[tuple[str, str], float | None] = {}
    by_chance: list[list[float | None]] = [[] for _ in range(size)]
    for place in range(1, len(points)):
        if place % (size + 1) == 0:
            continue  # the first point of the next trajectory
        step = points[place] - points[place - 1]
        moved = int(np.argmax(np.abs(step)))
        pair = analysis.points[place].folder, analysis.points[place - 1].folder
        if pair not in errors:
            errors[pair] = _error(metric.estimator, played[pair[0]], played[pair[1]])
        error = errors[pair]
        by_chance[moved].append(None if error is None else _EVEN * error / abs(float(step[moved])))
    return tuple(_mean_of_all(effects) for effects in by_chance)


def _mean_of_all(values: Sequence[float | None]) -> float | None:
    """Return the mean, or None where a value is missing."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if len(known) == len(values) else None


def _error(estimator: Estimator, a: Columns, b: Columns) -> float | None:
    """Return the standard error of a difference on shared seeds."""
    if a is b:
        return 0.0
    difference = difference_of(estimator, *shared_games(a, b))
    if not isinstance(difference, PairedDifference):
        return None
    return difference.difference.half_width / z_of_p(1 - LEVEL)


def _chance_of_variance(values: Sequence[Estimate], numbers: Sequence[float]) -> tuple[float | None, ...]:
    """Return at most how much of the variance between points is chance; shared seeds make it less."""
    intervals = [value for value in values if isinstance(value, Interval)]
    between = float(np.var(numbers))
    if len(intervals) < len(values) or between == 0:
        return (None,)
    within = np.mean([(interval.half_width / z_of_p(1 - LEVEL)) ** 2 for interval in intervals])
    return (min(1.0, float(within) / between),)
