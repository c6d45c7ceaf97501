"""All comparisons together: what the report is made of, and whether the whole looks as chance would have it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from lab.estimators import Columns
from lab.games.adapter import Adapter
from lab.reports.reproduce.claims import Finding, findings, measures
from lab.reports.reproduce.comparing import Comparison, Verdict, compare
from lab.reports.reproduce.published import Claim, Row, Size, published, rows
from lab.stats.comparisons import holm, p_of_z
from lab.stats.intervals import LEVEL

VERDICTS: Final[tuple[Verdict, ...]] = ("agrees", "differs", "cannot tell")


@dataclass(frozen=True)
class Compared:
    """One comparison in the report: its row, and its p-value adjusted for all of them (Holm)."""

    row: Row
    comparison: Comparison
    p_holm: float | None

    @property
    def stands(self) -> bool:
        """Whether the difference remains when all comparisons are taken together."""
        return self.p_holm is not None and self.p_holm <= 1 - LEVEL


@dataclass(frozen=True)
class Trend:
    """One metric over all rows of the record: the mean of its differences, and the error of that mean."""

    label: str
    mean_z: float
    rows: int

    @property
    def error(self) -> float:
        """What the mean would spread by if all rows agreed and were independent."""
        return 1 / math.sqrt(self.rows)


@dataclass(frozen=True)
class Report:
    """What was played, and how it compares.

    Attributes
    ----------
    size, seed
        As asked for.
    games
        Games of each row that were played to the end, by the row's name.
    failed
        Games that failed and are left out: row, index, why.
    compared
        The record's values beside ours.
    findings
        What was measured for each claim of the book.
    """

    size: Size
    seed: int
    games: Mapping[str, int]
    failed: Sequence[tuple[str, int, str]]
    compared: Sequence[Compared]
    findings: Sequence[tuple[Claim, Sequence[Finding]]]

    @cached_property
    def tested(self) -> list[Compared]:
        """The comparisons that have a difference in standard errors."""
        return [one for one in self.compared if one.comparison.z is not None]

    @cached_property
    def judged(self) -> list[Compared]:
        """The comparisons that have a verdict."""
        return [one for one in self.compared if one.comparison.verdict is not None]

    def count(self, verdict: Verdict) -> int:
        """Return how many comparisons with the record have this verdict."""
        return sum(one.comparison.verdict == verdict for one in self.compared)

    def within(self, errors: float) -> int:
        """Return how many comparisons lie within so many standard errors."""
        return sum(abs(one.comparison.z or 0.0) <= errors for one in self.tested)

    def expected_beyond(self, errors: float) -> float:
        """Return how many would lie beyond so many standard errors, were there no difference at all."""
        return len(self.tested) * p_of_z(errors)

    def furthest(self) -> list[Compared]:
        """Return the comparisons by how far apart the two sides are, furthest first."""
        return sorted(self.tested, key=lambda one: -abs(one.comparison.z or 0.0))

    def trends(self) -> list[Trend]:
        """Return the metrics by how far their differences lean to one side over all rows, furthest first."""
        of: dict[str, list[float]] = {}
        for one in self.tested:
            of.setdefault(one.comparison.metric.label, []).append(one.comparison.z or 0.0)
        trends = [Trend(label, sum(zs) / len(zs), len(zs)) for label, zs in of.items()]
        return sorted(trends, key=lambda trend: -abs(trend.mean_z / trend.error))


def columns_read(adapter: Adapter[Any]) -> list[str]:
    """Return the columns of a game's rows that the report is made from."""
    read = (name for metric in measures(adapter).values() for name in metric.estimator.columns)
    known = {column.name for column in adapter.columns}
    return [name for name in dict.fromkeys(read) if name in known]


def build(
    adapter: Adapter[Any],
    played: Mapping[str, Columns],
    failed: Sequence[tuple[str, int, str]],
    size: Size,
    seed: int,
) -> Report:
    """Compare the games of the rows that were played, given by their columns, with all that is published."""
    compared = [
        (row, compare(value, adapter.metric(value.column.metric), played[row.name]))
        for row in rows()
        if row.name in played
        for value in published(row)
    ]
    tested = [comparison.p for _, comparison in compared if comparison.p is not None]
    adjusted = iter(holm(tested).tolist())
    return Report(
        size=size,
        seed=seed,
        games={row.name: len(played[row.name]["game"]) for row in rows() if row.name in played},
        failed=failed,
        compared=[Compared(row, one, None if one.p is None else next(adjusted)) for row, one in compared],
        findings=list(findings(adapter, played)),
    )
