"""The report as CSV, values in full."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from lab.csv_text import csv_text
from lab.estimators import Observed
from lab.reports.reproduce.report import Report
from lab.stats.intervals import Undefined

COMPARISONS: Final = (
    *("row", "metric", "column", "unit", "published", "record_games", "rounded_to"),
    *("ours", "low", "high", "games", "difference", "standard_error", "z", "p", "p_holm"),
    *("matters", "detectable", "verdict", "note"),
)
CLAIMS: Final = (
    *("claim", "book_value", "measure", "label", "unit", "where", "range_low", "range_high", "reading"),
    *("ours", "low", "high", "games", "verdict", "note", "sweep"),
)


def comparisons_csv(report: Report) -> str:
    """Return one line a published value of the record."""
    return csv_text(COMPARISONS, _comparisons(report))


def claims_csv(report: Report) -> str:
    """Return one line a quantity measured for a claim of the book, and one a sweep that is still to be made."""
    return csv_text(CLAIMS, _claims(report))


def _comparisons(report: Report) -> Iterable[Sequence[object]]:
    for compared in report.compared:
        one = compared.comparison
        value, column, ours = one.published, one.published.column, one.ours
        yield (
            *(compared.row.name, one.metric.name, column.name, one.metric.unit),
            *(value.value, value.games, column.rounded_to),
            *((ours.estimate, ours.low, ours.high) if ours else (None, None, None)),
            *(report.games[compared.row.name], one.difference, one.error, one.z, one.p, compared.p_holm),
            *(value.matters or None, one.detectable, one.verdict, one.note),
        )


def _claims(report: Report) -> Iterable[Sequence[object]]:
    for claim, found in report.findings:
        for finding in found:
            quantity, estimate = finding.quantity, finding.estimate
            if isinstance(estimate, Undefined):
                values, note = (None, None, None), f"undefined: {estimate.reason}"
            elif isinstance(estimate, Observed):
                values, note = (estimate.estimate, None, None), "of this sample; no interval"
            else:
                values, note = (estimate.estimate, estimate.low, estimate.high), ""
            yield (
                *(
                    claim.name,
                    claim.book_value,
                    quantity.measure,
                    finding.metric.label,
                    finding.metric.unit,
                    finding.where,
                ),
                *(quantity.low, quantity.high, quantity.reading, *values, estimate.n, finding.verdict, note, None),
            )
        if claim.sweep is not None:
            blank = (None,) * (len(CLAIMS) - 5)
            yield (claim.name, claim.book_value, None, claim.quantity, *blank, claim.sweep)
