"""Confidence intervals for one number: a proportion, a mean, a quantile; and for the difference of two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

LEVEL = 0.95
"""Confidence level where none is named."""


@dataclass(frozen=True)
class Interval:
    """An estimate with its two-sided confidence interval.

    Attributes
    ----------
    estimate, low, high
        In the unit of what is estimated; ``low <= estimate <= high``, all finite.
    n
        Number of independent observations it rests on (games, as a rule; both samples' for a difference).
    level
        Confidence level, between 0 and 1.
    """

    estimate: float
    low: float
    high: float
    n: int
    level: float = LEVEL

    def __post_init__(self) -> None:
        """Refuse what is not an interval, so that no NaN can travel on."""
        ends_finite = math.isfinite(self.low) and math.isfinite(self.high)
        if not (ends_finite and self.low <= self.estimate <= self.high):
            raise ValueError(f"not an interval: {self.low} <= {self.estimate} <= {self.high}, all finite")

    @property
    def half_width(self) -> float:
        """Half the distance between the ends."""
        return (self.high - self.low) / 2

    @property
    def spreadless(self) -> bool:
        """Whether the ends coincide: all observations were alike and say nothing of their error."""
        return self.low == self.high

    def contains(self, value: float) -> bool:
        """Say whether ``value`` lies in the interval, ends included."""
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Undefined:
    """A number the sample does not define.

    Attributes
    ----------
    reason
        Why, in words that can be printed.
    n
        Number of observations there were.
    """

    reason: str
    n: int


Estimate: TypeAlias = Interval | Undefined

Sample: TypeAlias = NDArray[np.float64]
"""Observations, shape (n,), all finite."""


def wilson(successes: int, n: int, level: float = LEVEL) -> Estimate:
    """Return Wilson's score interval for a proportion.

    The lab's interval for every share of games: unlike the textbook normal interval it keeps its coverage
    near 0 and 1 and never leaves [0, 1] (Wilson 1927; Brown, Cai and DasGupta 2001).

    Parameters
    ----------
    successes, n
        Counts, ``0 <= successes <= n``.
    """
    _check_counts(successes, n)
    check_level(level)
    if n == 0:
        return Undefined("nothing to count: 0 cases", 0)
    return _wilson(successes / n, n, n, level)


def clopper_pearson(successes: int, n: int, level: float = LEVEL) -> Estimate:
    """Return the exact binomial interval, which covers at least ``level`` at every true proportion.

    For claims that must not be overstated ("no game in 1000 stalled"); wider than :func:`wilson` on average
    (Clopper and Pearson 1934).
    """
    _check_counts(successes, n)
    check_level(level)
    if n == 0:
        return Undefined("nothing to count: 0 cases", 0)
    tail = (1 - level) / 2
    low = float(special.betaincinv(successes, n - successes + 1, tail)) if successes > 0 else 0.0
    high = float(special.betaincinv(successes + 1, n - successes, 1 - tail)) if successes < n else 1.0
    return Interval(successes / n, low, high, n, level)


def _check_counts(successes: int, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}: must be from 0 to the number of trials")


def _wilson(share: float, trials: float, n: int, level: float) -> Interval:
    """Return Wilson's interval for a share seen in as many trials, which need not be a whole number."""
    z = _z_quantile(level)
    centre = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    half = z / (1 + z**2 / trials) * math.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    # At shares of 0 and 1 rounding can leave an end a hair inside the estimate.
    return Interval(share, max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share)), n, level)


def mean_interval(values: ArrayLike, level: float = LEVEL) -> Estimate:
    """Return Student's t interval for a mean.

    t and not the normal: the spread is estimated from the same few games, and with 10 of them the normal
    interval covers 92 % where it says 95 %. From some hundred games on the two agree.

    Parameters
    ----------
    values
        Shape (n,), independent observations.
    """
    check_level(level)
    sample = as_sample(values)
    n = sample.size
    if n == 0:
        return Undefined("no values", 0)
    if n == 1:
        return Undefined("one value has no spread to measure", 1)
    mean, half = float(sample.mean()), t_quantile(level, n - 1) * float(sample.std(ddof=1)) / math.sqrt(n)
    return Interval(mean, mean - half, mean + half, n, level)


def score_interval(scores: ArrayLike, level: float = LEVEL) -> Estimate:
    """Return an interval for the mean of scores between 0 and 1 (win 1, draw ½, loss 0; pairs in quarters).

    Wilson's interval for as many win-or-lose games as would leave the same uncertainty: n·m(1−m)/s² of them,
    as s² is what the scores really vary by, and never fewer than n. Near 0 and 1 Student's interval leaves
    the range and fails to cover. For scores of 0 and 1 alone this is Wilson's interval; scores that are all
    alike count as n games. The device is that of Korn and Graubard (1998) for survey proportions.

    Parameters
    ----------
    scores
        Shape (n,), independent: one a game, or one a seat-swapped pair.
    """
    check_level(level)
    sample = as_sample(scores)
    n = sample.size
    if n == 0:
        return Undefined("no scores", 0)
    if sample.min() < 0 or sample.max() > 1:
        raise ValueError("scores must lie between 0 and 1")
    mean = float(sample.mean())
    variance = float(sample.var(ddof=1)) if n > 1 else 0.0
    equivalent = float(n)
    if variance > 0:
        # Student's quantile beside z, because the variance is estimated from the same scores.
        shrunk = (_z_quantile(level) / t_quantile(level, n - 1)) ** 2
        equivalent = max(n, n * mean * (1 - mean) / variance * shrunk)
    return _wilson(mean, equivalent, n, level)


def quantile_interval(values: ArrayLike, p: float, level: float = LEVEL) -> Estimate:
    """Return a quantile with its order-statistic interval.

    The estimate is the value at index ⌊p·n⌋ of the sorted sample, counted from 0. The ends are order
    statistics chosen by the binomial law of how many values fall below the true quantile (Conover 1999,
    section 3.2), so nothing is assumed of the distribution; for values with ties the coverage is higher.

    Parameters
    ----------
    values
        Shape (n,), independent observations.
    p
        Between 0 and 1, ends excluded.
    """
    check_level(level)
    if not 0 < p < 1:
        raise ValueError(f"p = {p}: must be between 0 and 1, ends excluded")
    sample = np.sort(as_sample(values))
    n = sample.size
    if n == 0:
        return Undefined("no values", 0)
    tail = (1 - level) / 2
    needed = math.ceil(math.log(tail) / math.log(max(p, 1 - p)))
    if n < needed:
        return Undefined(f"{n} values cannot bound the {p:g} quantile at level {level:g}: it takes {needed}", n)
    # As scipy.stats.quantile_test has it, whose import and whose call take longer than all else here.
    low, high = _binomial_quantile(tail, n, p) - 1, n - _binomial_quantile(tail, n, 1 - p)
    return Interval(float(sample[math.floor(p * n)]), float(sample[low]), float(sample[high]), n, level)


def mean_difference(a: ArrayLike, b: ArrayLike, level: float = LEVEL) -> Estimate:
    """Return Welch's interval for mean(a) − mean(b), two independent samples of unlike spread.

    Parameters
    ----------
    a, b
        Shapes (n,) and (m,). For samples played on shared seeds use :mod:`lab.stats.paired`.
    """
    check_level(level)
    first, second = as_sample(a), as_sample(b)
    n = first.size + second.size
    if min(first.size, second.size) < 2:
        return Undefined("each side needs two values or more", n)
    estimate = float(first.mean() - second.mean())
    if first.std() == 0 and second.std() == 0:
        return Interval(estimate, estimate, estimate, n, level)
    # Loading scipy.stats takes a second: only where it is needed.
    from scipy import stats

    ci = stats.ttest_ind(first, second, equal_var=False).confidence_interval(level)
    return Interval(estimate, float(ci.low), float(ci.high), n, level)


def difference(a: Estimate, b: Estimate) -> Estimate:
    """Return the interval for a − b from two independent intervals of the same level.

    The square-and-add rule: each end of the difference lies as far out as the root of the summed squares of
    the distances of the two ends that push it there. For Wilson intervals this is Newcombe's interval for two
    proportions (1998, method 10); Zou and Donner (2008) carry it to any two intervals, ratios included.
    """
    if isinstance(a, Undefined):
        return a
    if isinstance(b, Undefined):
        return b
    if a.level != b.level:
        raise ValueError(f"levels {a.level} and {b.level} differ")
    estimate = a.estimate - b.estimate
    low = estimate - math.hypot(a.estimate - a.low, b.high - b.estimate)
    high = estimate + math.hypot(a.high - a.estimate, b.estimate - b.low)
    return Interval(estimate, low, high, a.n + b.n, a.level)


def as_sample(values: ArrayLike) -> Sample:
    """Return ``values`` as a flat float array; a NaN or an infinity in it is the caller's mistake."""
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1:
        raise ValueError(f"one value an observation is needed, not an array of shape {sample.shape}")
    if not np.isfinite(sample).all():
        raise ValueError("values must be finite: drop the undefined ones first, and say how many")
    return sample


def check_level(level: float) -> None:
    """Refuse a confidence level that is not between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"level = {level}: must be between 0 and 1, ends excluded")


def _binomial_quantile(q: float, n: int, p: float) -> int:
    """Return the least k for which at most k successes of n have a probability of q or more."""
    k = max(math.ceil(float(special.bdtrik(q, n, p))), 0)
    # The inverse is that of a continuous law, and may round to either side of a whole number.
    while k > 0 and float(special.bdtr(k - 1, n, p)) >= q:
        k -= 1
    while k < n and float(special.bdtr(k, n, p)) < q:
        k += 1
    return k


def _z_quantile(level: float) -> float:
    return float(special.ndtri((1 + level) / 2))


def t_quantile(level: float, degrees: float) -> float:
    """Return Student's two-sided critical value at ``level``."""
    return float(special.stdtrit(degrees, (1 + level) / 2))
