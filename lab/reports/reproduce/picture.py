"""The report as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.estimators import Maximum, Quantile
from lab.plots.differences import Point, Series, differences
from lab.reports.reproduce.published import Column, columns
from lab.reports.reproduce.report import Compared, Report

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def picture(report: Report) -> Figure | None:
    """Return the differences from the record in standard errors, or None where nothing was compared."""
    if not report.tested:
        return None
    order = list(columns())
    points = [_point(one) for one in sorted(report.tested, key=lambda one: order.index(_column(one).name))]
    rows = list({one.row.name: one.row for one in report.tested}.values())
    series = [Series(row.label, *row.mark) for row in rows]
    games = sum(report.games[row.name] for row in rows)
    return differences(
        points,
        series,
        "Dotfight in the lab beside the public record",
        f"{games:,} games of the lab ({report.size} size, seed {report.seed}) against {len(rows)} rows of the record",
    )


def _point(one: Compared) -> Point:
    comparison, column, metric = one.comparison, _column(one), one.comparison.metric
    whole = isinstance(metric.estimator, (Maximum, Quantile)) or column.late > 0
    return Point(
        theme=column.theme,
        line=metric.label,
        series=one.row.label,
        z=comparison.z or 0.0,
        told=comparison.verdict != "cannot tell",
        whole=whole,
    )


def _column(one: Compared) -> Column:
    return one.comparison.published.column
