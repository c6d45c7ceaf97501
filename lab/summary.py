"""From the columns of a run to its metrics with intervals, as text for people and as CSV for programs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lab.csv_text import csv_text
from lab.estimators import Columns, Estimate, Observed
from lab.games.adapter import Metric
from lab.stats.intervals import Undefined

CSV_HEADER = ("metric", "estimate", "low", "high", "level", "unit", "games", "note")


@dataclass(frozen=True)
class Line:
    """One metric of a run: its estimate with an interval, or why there is none."""

    metric: Metric
    estimate: Estimate

    @property
    def scale(self) -> float:
        """What a value is multiplied by to be in the metric's unit: shares print in per cent."""
        return 100.0 if self.metric.unit == "%" else 1.0


def summarise(metrics: Iterable[Metric], columns: Columns) -> list[Line]:
    """Estimate metrics from the columns of the games that were played."""
    return [Line(metric, metric.estimator.estimate(columns)) for metric in metrics]


def text_table(lines: Sequence[Line]) -> str:
    """Return lines as an aligned table: metric, estimate, 95% interval, unit, number of games it rests on."""
    rows = [("metric", "estimate", "95% interval", "unit", "games")]
    notes: dict[int, str] = {}
    for line in lines:
        estimate, metric = line.estimate, line.metric
        if isinstance(estimate, Undefined):
            notes[len(rows)] = f"undefined: {estimate.reason}"
            rows.append((metric.label, "", "", "", ""))
            continue
        if isinstance(estimate, Observed):
            shown, interval = f"{line.scale * estimate.estimate:g}", ""
        else:
            low, high = line.scale * estimate.low, line.scale * estimate.high
            digits = decimals(high - low)
            shown = f"{line.scale * estimate.estimate:.{digits}f}"
            interval = f"{low:.{digits}f} – {high:.{digits}f}"
        rows.append((metric.label, shown, interval, metric.unit, f"{estimate.n:,}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    text: list[str] = []
    for number, (label, *rest) in enumerate(rows):
        cells = [label.ljust(widths[0])]
        if number in notes:
            cells.append(notes[number])
        else:
            shown, interval, unit, games = rest
            cells += [shown.rjust(widths[1]), interval.rjust(widths[2]), unit.ljust(widths[3])]
            cells.append(games.rjust(widths[4]))
        text.append("  ".join(cells).rstrip())
        if number == 0:
            text.append("─" * (sum(widths) + 2 * (len(widths) - 1)))
    return "\n".join(text)


def summary_csv(lines: Iterable[Line]) -> str:
    """Return lines as CSV: values in the metric's unit, in full; ``note`` says why a value is not there."""
    return csv_text(CSV_HEADER, map(_csv_row, lines))


def _csv_row(line: Line) -> tuple[str | float, ...]:
    name, unit, estimate, scale = line.metric.name, line.metric.unit, line.estimate, line.scale
    if isinstance(estimate, Undefined):
        return name, "", "", "", "", unit, estimate.n, f"undefined: {estimate.reason}"
    if isinstance(estimate, Observed):
        return name, scale * estimate.estimate, "", "", "", unit, estimate.n, "of this sample; no interval"
    values = (scale * value for value in (estimate.estimate, estimate.low, estimate.high))
    return name, *values, estimate.level, unit, estimate.n, ""


def decimals(width: float) -> int:
    """Return how many decimals show an interval of this width to two significant digits."""
    return 2 if width <= 0 else min(9, max(0, 1 - math.floor(math.log10(width))))
