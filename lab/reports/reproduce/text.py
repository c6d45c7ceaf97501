"""The report for people, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from lab.estimators import Estimate, Maximum, Observed, Quantile
from lab.games.adapter import Metric
from lab.printable import printable
from lab.reports.reproduce.claims import Finding
from lab.reports.reproduce.published import Claim, Quantity, Row
from lab.reports.reproduce.report import VERDICTS, Compared, Report
from lab.stats.intervals import Undefined
from lab.summary import decimals

FAILURES_SHOWN: Final = 5
FURTHEST_SHOWN: Final = 5
FEWEST_ROWS: Final = 3
"""A metric is said to lean one way from so many rows on."""

_RAISED: Final = "¹²³⁴⁵⁶⁷⁸⁹"


def report_text(report: Report) -> str:
    """Return the whole report."""
    parts = (_head(report), _record(report), _book(report), _whole(report))
    return "\n".join(line for part in parts for line in part)


def _head(report: Report) -> Iterator[str]:
    games = sum(report.games.values())
    yield "Dotfight in the lab, beside the public record and the rule book"
    yield f"{report.size} size, seed {report.seed}: {games:,} games of {len(report.games)} rows"
    if report.failed:
        yield f"{len(report.failed):,} games failed and are left out:"
        yield from (f"  {row}, game {game}: {printable(why)}" for row, game, why in report.failed[:FAILURES_SHOWN])
        if len(report.failed) > FAILURES_SHOWN:
            yield f"  and {len(report.failed) - FAILURES_SHOWN:,} more"


def _record(report: Report) -> Iterator[str]:
    if not report.compared:
        return
    yield from _title("The public record")
    yield "s.e.         lab − published in standard errors: of both samples, and of the record's rounding"
    yield "differs      beyond 3 standard errors; † where it stands with all comparisons taken together (Holm)"
    yield "cannot tell  a difference that matters could well have stayed unseen with so many games, here or there"
    for row, group in groupby(report.compared, lambda one: one.row):
        yield from _row(row, list(group), report.games[row.name])


def _row(row: Row, compared: Sequence[Compared], games: int) -> Iterator[str]:
    notes = list(dict.fromkeys(one.comparison.note for one in compared if one.comparison.note))
    yield ""
    yield f"{row.label}: {compared[0].comparison.published.games:,} games there, {games:,} here"
    header = ("", "", "published", "lab", "95% interval", "difference", "s.e.", "verdict")
    yield from _table([header, *(_comparison(one, notes) for one in compared)], left=(0, 1, 7))
    yield from (f"  {mark} {note}" for mark, note in zip(_RAISED, notes, strict=False))


def _comparison(compared: Compared, notes: Sequence[str]) -> tuple[str, ...]:
    one = compared.comparison
    label = one.metric.label + (f" {_RAISED[notes.index(one.note)]}" if one.note else "")
    verdict = (one.verdict or "–") + (" †" if compared.stands else "")
    if one.ours is None or one.difference is None or one.z is None:
        return label, one.metric.unit, one.published.text, "", "", "", "", verdict
    shown, interval = values(one.metric, one.ours)
    digits = len(one.published.text.partition(".")[2]) or (1 if one.published.column.rounded_to else 0)
    return (
        *(label, one.metric.unit, one.published.text, shown, interval),
        *(_signed(one.difference, digits), _signed(one.z, 1), verdict),
    )


def _book(report: Report) -> Iterator[str]:
    yield from _title("The claims of the rule book")
    yield "agrees       our 95% interval lies within the range that the book's words are read as; differs: outside it"
    yield "book         the book's game, whose flicks reach 200 to 2000; those of the record's rows, 300 to 1800"
    for claim, found in report.findings:
        if found:
            yield ""
            yield f"{claim.name}: {claim.quantity}: {claim.book_value}"
            for reading, group in groupby(found, lambda one: one.quantity.reading):
                lines = list(group)
                yield f"  {reading}{_range(lines[0].quantity)}"
                yield from _table([_finding(one) for one in lines], left=(0, 1, 2, 5), indent=4)
    if unmeasured := [claim.name for claim, found in report.findings if not found and not claim.sweep]:
        yield ""
        yield "Not measured, since the rows that it takes were not played: " + ", ".join(unmeasured)
    yield ""
    yield "Claims that take a sweep, and the experiment that is to answer each:"
    yield from _table([_sweep(claim) for claim, _ in report.findings if claim.sweep], left=(0, 1))


def _range(quantity: Quantity) -> str:
    if quantity.low is None or quantity.high is None:
        return ""
    return f" ({quantity.low:.3g} to {quantity.high:.3g})"


def _finding(finding: Finding) -> tuple[str, ...]:
    shown, interval = values(finding.metric, finding.estimate)
    return finding.metric.label, finding.metric.unit, finding.where, shown, interval, finding.verdict or "measured"


def _sweep(claim: Claim) -> tuple[str, str]:
    return f"{claim.quantity}: {claim.book_value}", f"experiment {claim.sweep}"


def _whole(report: Report) -> Iterator[str]:
    tested = report.tested
    if not tested:
        return
    n = len(tested)
    yield from _title("The whole record")
    counts = ", ".join(f"{report.count(verdict):,} {verdict}" for verdict in VERDICTS)
    yield f"{len(report.judged):,} comparisons with the record: {counts}."
    yield f"Of the {n:,} with a difference in standard errors:"
    yield from _table(
        [
            (
                f"within {errors} standard errors: {report.within(errors) / n:.1%}",
                f"{n - report.within(errors):,} beyond; {report.expected_beyond(errors):.1f} expected by chance alone",
            )
            for errors in (2, 3, 5)
        ],
        left=(0, 1),
    )
    stand = sum(one.stands for one in tested)
    yield f"  differing with all comparisons taken together (Holm, 5%): {stand:,}"
    yield ""
    yield "Furthest apart:"
    yield from _table([_far(one) for one in report.furthest()[:FURTHEST_SHOWN]], left=(0, 1, 4))
    if trends := [trend for trend in report.trends() if trend.rows >= FEWEST_ROWS]:
        yield ""
        yield "Metrics that lean most to one side over the rows (which share their seeds, so a little of it is common):"
        yield from _table(
            [
                (
                    trend.label,
                    f"{_signed(trend.mean_z, 2)} s.e. in the mean of {trend.rows} rows",
                    f"{abs(trend.mean_z) / trend.error:.1f} times what chance gives that mean",
                )
                for trend in trends[:FURTHEST_SHOWN]
            ],
            left=(0,),
        )


def _far(compared: Compared) -> tuple[str, ...]:
    one = compared.comparison
    shown = values(one.metric, one.ours)[0] if one.ours else ""
    where = (compared.row.label, one.metric.label)
    return *where, f"{one.published.text} published", f"{shown} here", f"{_signed(one.z or 0.0, 1)} s.e."


def values(metric: Metric, estimate: Estimate) -> tuple[str, str]:
    """Return an estimate and its interval, with as many digits as the interval's width gives sense to."""
    if isinstance(estimate, Undefined):
        return "", f"undefined: {estimate.reason}"
    if isinstance(estimate, Observed):
        return f"{estimate.estimate:g}", f"in {estimate.n:,} games"
    digits = decimals(estimate.high - estimate.low)
    if isinstance(metric.estimator, (Maximum, Quantile)):
        digits = 0
    ends = f"{estimate.low:.{digits}f} – {estimate.high:.{digits}f}"
    return f"{estimate.estimate:.{digits}f}", ends


def _signed(value: float, digits: int) -> str:
    """Return a number with its sign, and nothing as plain 0."""
    text = f"{value:+.{digits}f}".replace("-", "−")
    return text if text.strip("+−0.") else text[1:]


def _title(title: str) -> Iterator[str]:
    yield ""
    yield title
    yield "═" * len(title)


def _table(rows: Sequence[tuple[str, ...]], left: tuple[int, ...], indent: int = 2) -> Iterator[str]:
    """Yield rows in columns, those in ``left`` flush left, the others flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield (" " * indent + "  ".join(cells)).rstrip()
