"""The rule book's claims, measured on the games played.

A claim in words is read as a range (``claims.toml`` says why). It *agrees* where our 95% interval lies within the
range, *differs* where it lies outside, and where the interval holds an end of the range these games *cannot tell*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from lab.estimators import Columns, Estimate, Ratio
from lab.games.adapter import Adapter, Metric
from lab.reports.reproduce.comparing import Verdict, scaled
from lab.reports.reproduce.published import Claim, Quantity, claims, quantities, rows
from lab.stats.bootstrap import Sums, bootstrap_of_sums
from lab.stats.intervals import Interval, wilson

SEPARATOR: Final = " / "
"""Between two rows of which the first is divided by the second."""


@dataclass(frozen=True)
class RatioOfRates:
    """Ratio of two pooled rates (the interval resamples whole games)."""

    of: str
    per: str
    to_of: str
    to_per: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns it reads."""
        return self.of, self.per, self.to_of, self.to_per

    def estimate(self, columns: Columns) -> Estimate:
        """Return the ratio of the rates with its 95% interval."""
        return bootstrap_of_sums(np.stack([columns[name].astype(float) for name in self.columns], axis=1), _ratio)


def _ratio(sums: Sums) -> Sums:
    return sums[..., 0] / sums[..., 1] / (sums[..., 2] / sums[..., 3])


@dataclass(frozen=True)
class ShareBeyond:
    """Share of games in which a number passes a limit (Wilson's interval)."""

    of: str
    limit: float

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns it reads."""
        return (self.of,)

    def estimate(self, columns: Columns) -> Estimate:
        """Return the share with its 95% interval."""
        values = columns[self.of]
        return wilson(int(np.count_nonzero(values > self.limit)), len(values))


PROTECTION: Final = Metric(
    "protection",
    "Kill rate inside / outside",
    "",
    "men crossed out per man exposed, those in their base's garrison against all others",
    RatioOfRates("kills_inside", "exposed_inside", "kills_outside", "exposed_outside"),
)
BEYOND_15: Final = Metric(
    "beyond_15",
    "Games with a turn beyond 15 flicks",
    "%",
    "share of games",
    ShareBeyond("longest_turn", 15),
)
LENGTHENING: Final = Metric(
    "lengthening",
    "Turns, garrisoned / flat walls",
    "",
    "ratio of the mean turns of two rows over the seeds that both have",
    Ratio("turns", "flat_turns"),
)


@dataclass(frozen=True)
class Finding:
    """What was measured for a claim on one row (or one against another), in the metric's unit."""

    quantity: Quantity
    where: str
    metric: Metric
    estimate: Estimate
    verdict: Verdict | None


def measures(adapter: Adapter[Any]) -> Mapping[str, Metric]:
    """Return every metric that a claim can be measured by."""
    return {metric.name: metric for metric in (*adapter.metrics, PROTECTION, BEYOND_15, LENGTHENING)}


def findings(adapter: Adapter[Any], played: Mapping[str, Columns]) -> Iterator[tuple[Claim, list[Finding]]]:
    """Yield each claim with what the played rows say of it.

    Parameters
    ----------
    adapter
        Dotfight's.
    played
        Columns of the rows that were played, by name of the row, the index ``game`` among them.
    """
    known = measures(adapter)
    for claim in claims():
        measured = [
            _finding(quantity, names, known[quantity.measure], played)
            for quantity in quantities()
            if quantity.claim == claim.name
            for names in (run.split(SEPARATOR) for run in quantity.runs)
            if all(name in played for name in names)
        ]
        yield claim, measured


def _finding(quantity: Quantity, names: Sequence[str], metric: Metric, played: Mapping[str, Columns]) -> Finding:
    labels = {row.name: row.label for row in rows()}
    columns = paired(played[names[0]], played[names[1]]) if metric is LENGTHENING else played[names[0]]
    estimate = scaled(metric, metric.estimator.estimate(columns))
    where = SEPARATOR.join(labels[name] for name in names)
    return Finding(quantity, where, metric, estimate, verdict(quantity, estimate))


def paired(manned: Columns, flat: Columns) -> Columns:
    """Return the turns of two rows over the games that both have, in which they share every seed."""
    _, here, there = np.intersect1d(manned["game"], flat["game"], return_indices=True)
    return {"turns": manned["turns"][here], "flat_turns": flat["turns"][there]}


def verdict(quantity: Quantity, estimate: Estimate) -> Verdict | None:
    """Hold an estimate to the range that the book's words are read as."""
    if quantity.low is None or quantity.high is None:
        return None
    if not isinstance(estimate, Interval):
        return "cannot tell"
    if quantity.low <= estimate.low and estimate.high <= quantity.high:
        return "agrees"
    return "differs" if estimate.high < quantity.low or estimate.low > quantity.high else "cannot tell"
