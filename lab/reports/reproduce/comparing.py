"""Holding one of our metrics to its published value: how far apart, in standard errors, and what that says.

Both sides sampled games, and the record rounded what it printed. With d = ours − published, chance alone makes d the
sum of a normal error, of standard deviation s = √(ours² + theirs²), and of a rounding error, anything up to half a
step, evenly. *ours* is the half-width of our 95% interval over 1.96. *theirs* is what the same interval would be at
the record's number of games: Wilson's for the published share, and for a mean or a pooled rate our own error times
√(our games / theirs), since the record does not print its spread and under agreement it has ours.

The difference in standard errors, z, is the normal deviate that has the chance of so large a |d| under that sum. Where
sampling errors are well above the step it is d/√(s² + step²/12), to a hundredth or so. Where they are well below, that
formula would let pass what no rounding can make of a true value, since half a step is only 1.7 of its standard errors;
and taking half a step off d as well as adding its variance would allow for it twice. As it is, the numbers beyond 2
and 3 can be held to the 4.6 % and 0.3 % that chance puts there.

Two kinds of metric are told apart otherwise, by exact laws that need no spread. They are whole numbers with ties, so
their z leans towards 0:

* a percentile q: whether the share of our games below q, or up to q, passes p by more than the binomial errors of
  both samples;
* a maximum: were the games exchangeable, the K of ours that pass the published maximum would all be ours with
  probability C(n,K)/C(n+N,K), n games here and N there. A maximum grows with the number of games, so what is shown of
  ours is the maximum of as many games as the record played: its median, and the range it falls in 95 times in 100.

The verdict is *differs* beyond 3 standard errors, a chance of 1 in 370 where there is no difference. Otherwise it is
*cannot tell* unless a difference that matters would have had four chances in five to leave the 95% interval (2.8
standard errors at most what matters, ``columns.toml``), and *agrees* if it would.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from lab.estimators import Columns, Estimate, Maximum, Observed, Proportion, Quantile
from lab.games.adapter import Metric
from lab.reports.reproduce.published import Published
from lab.stats.comparisons import p_of_z, z_of_p
from lab.stats.intervals import LEVEL, Interval, Undefined, wilson
from lab.stats.power import POWER
from lab.summary import Line

Verdict = Literal["agrees", "differs", "cannot tell"]

BEYOND: Final = 3.0
"""Standard errors from which a value differs."""

Z: Final = float(special.ndtri((1 + LEVEL) / 2))
SEEN: Final = Z + float(special.ndtri(POWER))
"""A difference of so many standard errors leaves the 95% interval with the chance POWER."""

FEWEST: Final = 20
"""Standard errors mean little in fewer games than these."""

LEAST_P: Final = 1e-300

LATE: Final = "the record took this after the hand-over, so some of its turns are one late: up to 1 below agrees"
NONE_THERE: Final = "the record has no such game"


@dataclass(frozen=True)
class Comparison:
    """A published value beside ours, both in the metric's unit.

    Attributes
    ----------
    published, metric
        What is compared.
    ours
        Our estimate with its 95% interval, where there is one.
    error
        Standard error of the difference, √(s² + step²/12).
    z
        The difference in standard errors, positive where ours is larger: a normal deviate, as said above.
    verdict
        None where there is nothing to compare.
    note
        What a reader must know.
    """

    published: Published
    metric: Metric
    ours: Interval | None = None
    error: float | None = None
    z: float | None = None
    verdict: Verdict | None = None
    note: str = ""

    @property
    def difference(self) -> float | None:
        """Ours less the published value."""
        return None if self.ours is None else self.ours.estimate - self.published.value

    @property
    def detectable(self) -> float | None:
        """The smallest difference that four such comparisons in five would show."""
        return None if self.error is None else SEEN * self.error

    @property
    def p(self) -> float | None:
        """Two-sided p-value of the difference."""
        return None if self.z is None else p_of_z(self.z)


def compare(published: Published, metric: Metric, columns: Columns) -> Comparison:
    """Compare a published value with the games played, given by their columns, the index ``game`` among them."""
    games = len(columns["game"])
    if published.among == 0:
        return Comparison(published, metric, note=NONE_THERE)
    if games < FEWEST:
        return Comparison(published, metric, verdict="cannot tell", note=f"fewer than {FEWEST} games")
    if isinstance(metric.estimator, Maximum):
        return _maximum(published, metric, columns[metric.estimator.of])
    ours = scaled(metric, metric.estimator.estimate(columns))
    if not isinstance(ours, Interval):
        reason = ours.reason if isinstance(ours, Undefined) else "no interval"
        return Comparison(published, metric, verdict="cannot tell", note=reason)
    step, sampling = published.column.rounded_to, _sampling_error(published, metric, ours, games)
    error = math.sqrt(sampling**2 + step**2 / 12)
    if isinstance(metric.estimator, Quantile):
        z = _quantile_z(published, metric.estimator, columns)
    else:
        z = deviate(_distance(ours.estimate, published), sampling, step)
    verdict = _verdict(z, SEEN * error <= published.matters)
    return Comparison(published, metric, ours, error, z, verdict, LATE if published.column.late else "")


def deviate(difference: float, error: float, step: float) -> float:
    """Return the normal deviate with the chance of a difference: normal error and rounding to a step, together.

    With G(t) = t·Q(t) − φ(t), the integral of the normal's upper tail Q, the sum passes d with the chance
    (s/step)·[G((d + step/2)/s) − G((d − step/2)/s)].
    """
    s = max(error, 1e-9 * step)
    far, near = (abs(difference) + step / 2) / s, (abs(difference) - step / 2) / s
    chance = float(s / step * (_tail_integral(far) - _tail_integral(near)))
    return math.copysign(z_of_p(min(1.0, max(2 * chance, LEAST_P))), difference)


def _tail_integral(t: float) -> float:
    return float(t * special.ndtr(-t) - math.exp(-t * t / 2) / math.sqrt(2 * math.pi))


def _verdict(z: float, would_have_shown: bool) -> Verdict:
    if abs(z) > BEYOND:
        return "differs"
    return "agrees" if would_have_shown else "cannot tell"


def _distance(ours: float, published: Published) -> float:
    """Return how far ours lies from the published value, or from the range it may lie in."""
    return ours - min(max(ours, published.value - published.column.late), published.value)


def _sampling_error(published: Published, metric: Metric, ours: Interval, games: int) -> float:
    """Return the standard error that sampling on both sides gives the difference."""
    own = ours.half_width / Z
    if isinstance(metric.estimator, Proportion):
        counted = published.among if published.among is not None else round(published.games * ours.n / games)
        share = wilson(round(published.value / 100 * counted), counted)
        theirs = 100 * share.half_width / Z if isinstance(share, Interval) else math.inf
    else:
        theirs = own * math.sqrt(games / published.games)
    return math.hypot(own, theirs)


def _quantile_z(published: Published, quantile: Quantile, columns: Columns) -> float:
    """Return how far p lies from the shares of our games below and up to the published percentile."""
    values = columns[quantile.of]
    below, up_to = float(np.mean(values < published.value)), float(np.mean(values <= published.value))
    spread = math.sqrt(quantile.p * (1 - quantile.p) * (1 / len(values) + 1 / published.games))
    return (quantile.p - min(max(quantile.p, below), up_to)) / spread


def _maximum(published: Published, metric: Metric, values: NDArray[Any]) -> Comparison:
    ordered, n = np.sort(values.astype(float)), len(values)
    if not n:
        return Comparison(published, metric, verdict="cannot tell", note="no games")
    # The most of N games is at most x with probability F(x)^N.
    low, middle, high = (
        float(ordered[min(n - 1, math.ceil(n * level ** (1 / published.games)) - 1)])
        for level in ((1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2)
    )
    ours = Interval(middle, low, high, n)
    beyond = int(np.count_nonzero(ordered > published.value))
    z = _all_ours(beyond, n, published.games)
    if beyond == 0 and ordered[-1] < published.value:
        z = -_all_ours(1, published.games, n)
    enough = n >= published.games
    note = "the most of as many games as the record's" + ("" if enough else "; ours are fewer, so it could be more")
    return Comparison(published, metric, ours, z=z, verdict=_verdict(z, enough), note=note)


def _all_ours(beyond: int, games: int, others: int) -> float:
    """Return the normal deviate of all ``beyond`` games being among ``games`` and none among the ``others``."""
    chance = math.prod((games - i) / (games + others - i) for i in range(beyond))
    return z_of_p(min(1.0, 2 * max(chance, LEAST_P)))


def scaled(metric: Metric, estimate: Estimate) -> Estimate:
    """Return an estimate in the metric's unit."""
    scale = Line(metric, estimate).scale
    if isinstance(estimate, Undefined):
        return estimate
    if isinstance(estimate, Observed):
        return Observed(scale * estimate.estimate, estimate.n)
    ends = (scale * estimate.estimate, scale * estimate.low, scale * estimate.high)
    return Interval(*ends, estimate.n, estimate.level)
