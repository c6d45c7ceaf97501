"""What came out of a sweep, as text for people and as CSV for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from lab.csv_text import csv_text
from lab.estimators import Estimate
from lab.printable import printable
from lab.results.parts import ranges_text
from lab.stats.elo import elo_of_score
from lab.stats.intervals import Interval, Undefined
from lab.summary import decimals
from lab.sweeps.compare import FALSE_LEADS, Cell, Comparison
from lab.sweeps.variants import Variant, changes_text, keys_of, value_at, value_text

FAILURES_SHOWN: Final = 5
LONGEST_LABEL: Final = 72
HEADER: Final = (
    *("metric", "estimate", "low", "high", "level", "unit", "games"),
    *("difference", "difference_low", "difference_high", "pairs", "variance_left", "q", "note"),
)


def comparison_text(comparison: Comparison, metrics: Sequence[str]) -> str:
    """Return the tables of the chosen metrics, and what else a reader must know."""
    parts = [_metric_text(comparison.of(name)) for name in metrics]
    tested = [cell for cell in comparison.cells if cell.q is not None]
    flagged = [cell for cell in tested if cell.flagged]
    parts.append(
        f"Differences are from the base on the same seeds, with 95% intervals. * marks those the sweep may point at:\n"
        f"q, adjusted over all {len(tested):,} differences of the sweep (Benjamini-Hochberg), is at most "
        f"{FALSE_LEADS:g} for {len(flagged):,}."
    )
    others = [cell for cell in flagged if cell.metric.name not in metrics]
    if others:
        named = dict.fromkeys(cell.metric.name for cell in others)
        parts.append(f"Flagged, but not shown: {', '.join(named)}.")
    if comparison.pairings:
        parts.append(_pairings_text(comparison))
    if comparison.failures:
        parts.append(failures_text(comparison.failures))
    return "\n\n".join(parts)


def failures_text(failures: Sequence[tuple[Variant, int, str]]) -> str:
    """Return the games that failed, the first few of them."""
    lines = [f"{len(failures):,} games failed and are left out above:"]
    for variant, game, text in failures[:FAILURES_SHOWN]:
        lines.append(f"  {printable(variant.label)}, game {ranges_text([(game, game + 1)])}: {text}")
    if len(failures) > FAILURES_SHOWN:
        lines.append(f"  and {len(failures) - FAILURES_SHOWN:,} more")
    return "\n".join(lines)


def results_csv(comparison: Comparison) -> str:
    """Return every metric of every variant as CSV.

    A column for each key that any variant changes holds the variant's value. Values are in the metric's unit
    (differences of shares in percentage points), in full; ``note`` says why one is not there.
    """
    keys = keys_of(comparison.variants)
    values = {
        variant.label: [value_text(value_at(variant.experiment, key)) for key in keys]
        for variant in comparison.variants
    }
    rows = ((cell.variant.label, *values[cell.variant.label], *_cell_row(cell)) for cell in comparison.cells)
    return csv_text(("variant", *keys, *HEADER), rows)


def pairings_csv(comparison: Comparison) -> str:
    """Return seat-swapped pairs as CSV: scores per game between 0 and 1 of the first player and the first seat, and
    the Elo points by which the player is the stronger.
    """
    keys = list(dict.fromkeys(key for pairing in comparison.pairings for key in pairing.rules))
    bounds = [f"{what}{end}" for what in ("score", "first_seat", "elo") for end in ("", "_low", "_high")]
    header = ("player", "opponent", *keys, *bounds, "pairs", *(f"pairs_{half / 2:g}" for half in range(5)))
    rows: list[tuple[Any, ...]] = []
    for pairing in comparison.pairings:
        score, seat = pairing.pairs.score, pairing.pairs.first_seat
        ends = [value for one in (score, seat, elo_of_score(score)) for value in _ends(one, 1.0)]
        rules = [value_text(pairing.rules.get(key, value_at(comparison.base.experiment, key))) for key in keys]
        rows.append((*pairing.players, *rules, *ends, sum(pairing.pairs.counts), *pairing.pairs.counts))
    return csv_text(header, rows)


def scale_of(cell: Cell) -> float:
    """Return what a cell's values are multiplied by to be in the metric's unit: shares print in per cent."""
    return 100.0 if cell.metric.unit == "%" else 1.0


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return rows as a table: the first ``left`` columns flush left, the others right, a line below the head."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "─" * (sum(widths) + 2 * (len(widths) - 1)), *lines[1:]])


def _metric_text(cells: Sequence[Cell]) -> str:
    metric = cells[0].metric
    unit = f" ({metric.unit})" if metric.unit else ""
    rows = [("variant", metric.label + unit, "95% interval", "difference", "95% interval", "q", "games")]
    for cell in cells:
        label = printable(cell.variant.label)
        label = label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"
        shown, interval = _shown(cell.estimate, scale_of(cell))
        difference = cell.difference
        if difference is None:
            rows.append((label, shown, interval, "", "", "", f"{cell.estimate.n:,}"))
            continue
        apart, ends = _shown(
            difference if isinstance(difference, Undefined) else difference.difference, scale_of(cell), sign="+"
        )
        q = "" if cell.q is None else ("<0.001" if cell.q < 0.001 else f"{cell.q:.3f}") + ("*" if cell.flagged else " ")
        rows.append((label, shown, interval, apart, ends, q, f"{cell.estimate.n:,}"))
    reasons = {
        part.reason for cell in cells for part in (cell.estimate, cell.difference) if isinstance(part, Undefined)
    }
    return "\n".join([aligned(rows), *(f"undefined: {reason}" for reason in sorted(reasons))])


def _pairings_text(comparison: Comparison) -> str:
    measured = ("score", "95% interval", "Elo", "95% interval", "first seat", "95% interval")
    rows: list[tuple[str, ...]] = [("player", "against", "rules", *measured, "pairs")]
    for pairing in comparison.pairings:
        rules = changes_text(pairing.rules) or "base"
        score, seat = _shown(pairing.pairs.score, 100.0), _shown(pairing.pairs.first_seat, 100.0)
        one, other = map(printable, pairing.players)
        elo = _shown(elo_of_score(pairing.pairs.score), 1.0, sign="+")
        rows.append((one, other, printable(rules), *score, *elo, *seat, f"{sum(pairing.pairs.counts):,}"))
    head = "Seats swapped: the player's and the first seat's share of the points (%), by pairs of games"
    return f"{head}\n{aligned(rows, left=3)}"


def _shown(value: Estimate, scale: float, sign: str = "") -> tuple[str, str]:
    """Return a value and its interval as a table prints them."""
    if isinstance(value, Undefined):
        return "undefined", ""
    if not isinstance(value, Interval):
        return f"{scale * value.estimate:{sign}g}", ""
    low, high = scale * value.low, scale * value.high
    digits = decimals(high - low)
    form = f"{sign}.{digits}f"
    return f"{scale * value.estimate:{form}}", f"{low:{form}} – {high:{form}}"


def _ends(value: Estimate, scale: float) -> list[Any]:
    if isinstance(value, Undefined):
        return ["", "", ""]
    if not isinstance(value, Interval):
        return [scale * value.estimate, "", ""]
    return [scale * value.estimate, scale * value.low, scale * value.high]


def _cell_row(cell: Cell) -> list[Any]:
    estimate, difference, scale = cell.estimate, cell.difference, scale_of(cell)
    level = estimate.level if isinstance(estimate, Interval) else ""
    notes = [f"undefined: {estimate.reason}"] if isinstance(estimate, Undefined) else []
    row = [cell.metric.name, *_ends(estimate, scale), level, cell.metric.unit, estimate.n]
    if difference is None:
        return [*row, "", "", "", "", "", "", "; ".join(["the base", *notes])]
    if isinstance(difference, Undefined):
        notes.append(f"no difference: {difference.reason}")
        return [*row, "", "", "", difference.n, "", "", "; ".join(notes)]
    left = "" if difference.variance_left is None else difference.variance_left
    return [*row, *_ends(difference.difference, scale), difference.difference.n, left, cell.q, "; ".join(notes)]
