"""How a metric is estimated from the rows of a run: declared by a game's adapter, carried out here.

An estimator names the columns it needs and turns them into an interval. A game whose value is absent (an
empty cell: nothing to measure in that game) is left out of that estimator alone; ``among`` names a column of
true and false that says which games count. Where there is nothing to estimate from, the answer says why.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

# The statistics are imported where they are used: workers load adapters, and need none of them.
if TYPE_CHECKING:
    from lab.stats.intervals import Interval, Undefined

Columns: TypeAlias = Mapping[str, NDArray[Any]]
"""Columns of a run by name, shape (games,) each: absent numbers are NaN, lists are arrays in an array."""


@dataclass(frozen=True)
class Observed:
    """A fact of the games played, for which no interval is claimed (a maximum)."""

    estimate: float
    n: int


Estimate: TypeAlias = "Interval | Observed | Undefined"


class Estimator(Protocol):
    """What every estimator offers."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns it reads."""
        ...

    def estimate(self, columns: Columns) -> Estimate:
        """Return the estimate with its 95% interval, or why there is none."""
        ...


class _OfOneColumn(ABC):
    """An estimator that reads one column, of the games that count and have a value."""

    of: str
    among: str | None

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns it reads."""
        return _named(self.of, self.among)

    def estimate(self, columns: Columns) -> Estimate:
        """Return the estimate with its 95% interval, or why there is none."""
        (values,) = present(columns, (self.of,), self.among)
        return self.of_values(values) if len(values) else _nothing(self.of, self.among)

    @abstractmethod
    def of_values(self, values: NDArray[Any]) -> Estimate:
        """Return the estimate from values, of which there are some."""


@dataclass(frozen=True)
class Mean(_OfOneColumn):
    """Mean over games of a number (Student's interval)."""

    of: str
    among: str | None = None

    def of_values(self, values: NDArray[Any]) -> Estimate:
        """Return the mean with its 95% interval."""
        from lab.stats.intervals import mean_interval

        return mean_interval(values)


@dataclass(frozen=True)
class Proportion(_OfOneColumn):
    """Share of games in which a column of true and false is true (Wilson's interval)."""

    of: str
    among: str | None = None

    def of_values(self, values: NDArray[Any]) -> Estimate:
        """Return the share with its 95% interval."""
        from lab.stats.intervals import wilson

        return wilson(int(np.count_nonzero(values)), len(values))


@dataclass(frozen=True)
class Ratio:
    """Ratio of two sums over games, times ``scale`` (the interval resamples whole games)."""

    of: str
    per: str
    scale: float = 1.0
    among: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns it reads."""
        return _named(self.of, self.per, self.among)

    def estimate(self, columns: Columns) -> Estimate:
        """Return the ratio with its 95% interval."""
        from lab.stats.intervals import Undefined
        from lab.stats.ratios import ratio_bootstrap

        numerators, denominators = present(columns, (self.of, self.per), self.among)
        if not len(denominators):
            return _nothing(self.per, self.among)
        if not denominators.any():
            return Undefined(f"{self.per} is 0 in all {len(denominators):,} games", len(denominators))
        return ratio_bootstrap(self.scale * numerators.astype(float), denominators.astype(float))


@dataclass(frozen=True)
class Quantile(_OfOneColumn):
    """Value at index ⌊p·n⌋ of the sorted sample (order-statistic interval)."""

    of: str
    p: float
    among: str | None = None

    def of_values(self, values: NDArray[Any]) -> Estimate:
        """Return the quantile with its 95% interval."""
        from lab.stats.intervals import quantile_interval

        return quantile_interval(values, self.p)


@dataclass(frozen=True)
class Maximum(_OfOneColumn):
    """Largest value in any game: a fact of the sample, growing with its size, so it has no interval."""

    of: str
    among: str | None = None

    def of_values(self, values: NDArray[Any]) -> Estimate:
        """Return the maximum."""
        return Observed(float(np.max(values)), len(values))


@dataclass(frozen=True)
class LogitSlope:
    """Slope of the logit of a column of true and false on a number (logistic regression, Wald's interval)."""

    of: str
    on: str
    among: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns it reads."""
        return _named(self.of, self.on, self.among)

    def estimate(self, columns: Columns) -> Estimate:
        """Return the slope with its 95% interval."""
        from lab.stats.logit import logit_slope

        outcomes, values = present(columns, (self.of, self.on), self.among)
        return logit_slope(outcomes, values) if len(values) else _nothing(self.on, self.among)


def _named(*columns: str | None) -> tuple[str, ...]:
    return tuple(column for column in columns if column is not None)


def present(columns: Columns, of: tuple[str, ...], among: str | None) -> list[NDArray[Any]]:
    """Return the columns ``of``, in the games that count and have a value in each."""
    chosen = [columns[name] if among is None else columns[name][columns[among].astype(bool)] for name in of]
    absent = [np.isnan(values) for values in chosen if values.dtype.kind == "f"]
    return [values[~np.logical_or.reduce(absent)] for values in chosen] if absent else chosen


def _nothing(of: str, among: str | None) -> Undefined:
    from lab.stats.intervals import Undefined

    return Undefined(f"no game with {among}" if among else f"no game has {of}", 0)
