"""Two runs beside each other: every metric of both, and the difference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.estimators import Columns, Estimate, Observed
from lab.games.adapter import Metric
from lab.plots.forest import Row, forest
from lab.reports.balance.effects_of import MATTERS_PART
from lab.reports.balance.model import Picture, Section, Sheet
from lab.reports.balance.wording import shown
from lab.results.run import Run
from lab.spec import differences
from lab.stats.comparisons import benjamini_hochberg, p_of_interval
from lab.stats.intervals import Interval, Undefined, difference
from lab.stats.paired import PairedDifference
from lab.summary import Line
from lab.sweeps.compare import FALSE_LEADS, difference_of
from lab.sweeps.variants import value_text

CHANGES_SHOWN = 12


@dataclass(frozen=True)
class _Pair:
    metric: Metric
    ours: Estimate
    theirs: Estimate
    difference: Estimate


def two_runs(run: Run, other: Run, labels: tuple[str, str]) -> Section:
    """Return the section; on the same seed games are compared pair by pair, else as two samples."""
    shared = run.experiment.effort.seed == other.experiment.effort.seed
    pairs = [_pair(metric, run, other, shared) for metric in run.adapter.metrics]
    tested = [pair for pair in pairs if isinstance(pair.difference, Interval)]
    p = [p_of_interval(pair.difference) for pair in tested if isinstance(pair.difference, Interval)]
    q = dict(zip((pair.metric.name for pair in tested), benjamini_hochberg(p).tolist(), strict=True))
    rows: list[tuple[str | float, ...]] = []
    people: list[tuple[str, ...]] = []
    for pair in pairs:
        name, scale = pair.metric.name, Line(pair.metric, pair.ours).scale
        note = pair.difference.reason if isinstance(pair.difference, Undefined) else ""
        ends = [end for one in (pair.ours, pair.theirs, pair.difference) for end in _ends(one, scale)]
        rows.append((name, *ends, q.get(name, ""), pair.metric.unit, note))
        mark = " *" if q.get(name, 1.0) <= FALSE_LEADS else ""
        said = "not known" if isinstance(pair.difference, Undefined) else shown(pair.difference, scale, sign="+")
        values = (_brief(pair.ours, scale), _brief(pair.theirs, scale))
        people.append((pair.metric.label, *values, said.replace("95% interval ", "") + mark, pair.metric.unit))
    header = ("metric", *(f"{who}{end}" for who in ("this", "other", "difference") for end in ("", "_low", "_high")))
    shown_header = ("metric", *labels, f"{labels[1]} − {labels[0]}", "unit")
    sheet = Sheet("compared", "Compared", (*header, "q", "unit", "note"), rows, (shown_header, people))
    changes = differences(run.experiment.identity(), other.experiment.identity())
    told = [f"{key} is {value_text(one)} here, {value_text(two)} there" for key, one, two in changes[:CHANGES_SHOWN]]
    words = (
        "Differences: " + ("; ".join(told) + "." if told else "none; the experiments are the same."),
        "Both runs have the same seed: games are compared pair by pair."
        if shared
        else "The runs have different seeds: they are compared as two samples.",
        f"* marks what may be pointed at: q ≤ {FALSE_LEADS:g} over {len(tested):,} differences (Benjamini-Hochberg).",
    )
    return Section("The two runs beside each other", words, _picture(run, pairs, labels), (sheet,))


def _pair(metric: Metric, run: Run, other: Run, shared: bool) -> _Pair:
    names = ["game", *metric.estimator.columns]
    mine, theirs = run.columns(names), other.columns(names)
    ours, there = metric.estimator.estimate(mine), metric.estimator.estimate(theirs)
    apart = _paired(metric, theirs, mine) if shared else _independent(there, ours)
    return _Pair(metric, ours, there, apart)


def _paired(metric: Metric, theirs: Columns, mine: Columns) -> Estimate:
    _, in_theirs, in_mine = np.intersect1d(theirs["game"], mine["game"], assume_unique=True, return_indices=True)
    if not len(in_mine):
        return Undefined("the runs share no game", 0)
    found = difference_of(
        metric.estimator,
        {name: values[in_theirs] for name, values in theirs.items()},
        {name: values[in_mine] for name, values in mine.items()},
    )
    return found.difference if isinstance(found, PairedDifference) else found


def _independent(theirs: Estimate, ours: Estimate) -> Estimate:
    if isinstance(theirs, Observed) or isinstance(ours, Observed):
        return Undefined("a fact of each sample has no interval", 0)
    return difference(theirs, ours)


def _ends(estimate: Estimate, scale: float) -> tuple[str | float, ...]:
    if isinstance(estimate, Undefined):
        return ("", "", "")
    if isinstance(estimate, Observed):
        return (scale * estimate.estimate, "", "")
    return scale * estimate.estimate, scale * estimate.low, scale * estimate.high


def _brief(estimate: Estimate, scale: float) -> str:
    return f"{scale * estimate.estimate:.4g}" if not isinstance(estimate, Undefined) else "undefined"


def _picture(run: Run, pairs: list[_Pair], labels: tuple[str, str]) -> tuple[Picture, ...]:
    """Draw the headline's differences, each as a part of its value in this run."""
    rows = [
        Row(pair.metric.label, *(100 * end / abs(pair.ours.estimate) for end in _three(pair.difference)))
        for name in run.adapter.views.headline
        for pair in pairs
        if pair.metric.name == name
        and isinstance(pair.difference, Interval)
        and isinstance(pair.ours, Interval)
        and pair.ours.estimate
    ]
    if not rows:
        return ()
    caption = f"95% intervals; n = {run.games:,} games of {labels[0]}. Shaded: within {100 * MATTERS_PART:g}%"
    axis = f"{labels[1]} − {labels[0]}, in % of {labels[0]}"
    figure = forest("What is different", axis, rows, 0, 100 * MATTERS_PART, caption)
    return (Picture("compared", "Differences of the headline metrics.", figure),)


def _three(interval: Interval) -> tuple[float, float, float]:
    return interval.estimate, interval.low, interval.high
