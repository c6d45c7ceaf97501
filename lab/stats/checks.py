"""Checks of a sampler against what it should give, for tests whose outcome is random.

Such a test owes its reader two numbers: how often it fails though nothing is wrong, and how wrong things
can be without its failing. Each check states both, as in the statistical tests of TensorFlow Probability::

    check = check_proportion(heads, tosses, 0.5)
    assert check.passed, check
    assert check.detectable < 0.01, check
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special, stats

from lab.stats.intervals import Sample, as_sample, t_quantile

FALSE_ALARM = 1e-6
"""Chance that a check fails though nothing is wrong, where none is named: once in a million runs."""

DETECTION = 0.99
"""Chance that a check fails where the discrepancy is the detectable one."""


@dataclass(frozen=True)
class Check:
    """The outcome of a check.

    Attributes
    ----------
    p_value
        Two-sided.
    false_alarm
        The check fails below this p-value, so with this chance though nothing is wrong.
    detectable
        Smallest discrepancy found with the chance :data:`DETECTION`, in the unit the check names; infinite
        where the sample could not have shown any.
    n
        Size of the sample.
    """

    p_value: float
    false_alarm: float
    detectable: float
    n: int

    @property
    def passed(self) -> bool:
        """Whether the sample agrees with what it should give."""
        return self.p_value >= self.false_alarm


def check_proportion(successes: int, n: int, share: float, false_alarm: float = FALSE_ALARM) -> Check:
    """Check a count against a binomial share; exact, and the discrepancy is in the share."""
    if not (0 <= successes <= n and n > 0 and 0 < share < 1):
        raise ValueError(f"{successes} of {n} against {share}: the share must be between 0 and 1")
    law = stats.binom(n, share)
    p_value = min(1.0, 2 * min(float(law.cdf(successes)), float(law.sf(successes - 1))))
    lowest, highest = float(law.ppf(false_alarm / 2)), float(law.isf(false_alarm / 2))
    # The shares nearest to this one that seldom give a count from the lowest to the highest that passes.
    above = float(special.betaincinv(highest + 1, n - highest, DETECTION)) if highest < n else math.inf
    below = float(special.betaincinv(lowest, n - lowest + 1, 1 - DETECTION)) if lowest > 0 else -math.inf
    return Check(p_value, false_alarm, max(above - share, share - below), n)


def check_mean(values: ArrayLike, mean: float, false_alarm: float = FALSE_ALARM) -> Check:
    """Check a sample's mean by Student's test; the discrepancy is in the mean.

    The false-alarm rate is exact for normal values, and near it for others where the sample is large for
    their skewness.
    """
    sample = _at_least_two(values)
    n, error = sample.size, float(sample.std(ddof=1)) / math.sqrt(sample.size)
    off = abs(float(sample.mean()) - mean)
    if error == 0:
        return Check(float(off == 0), false_alarm, math.inf, n)
    p_value = 2 * float(stats.t.sf(off / error, n - 1))
    reach = t_quantile(1 - false_alarm, n - 1) + float(special.ndtri(DETECTION))
    return Check(p_value, false_alarm, reach * error, n)


def check_distribution(values: ArrayLike, cdf: Callable[[Sample], Sample], false_alarm: float = FALSE_ALARM) -> Check:
    """Check a sample against a continuous distribution by the Kolmogorov-Smirnov test.

    The discrepancy is the greatest distance between the distribution functions.
    """
    sample = _at_least_two(values)
    n = sample.size
    p_value = float(stats.kstest(cdf(sample), "uniform").pvalue)
    return Check(p_value, false_alarm, _critical(n, false_alarm) + _slack(n), n)


def check_same_distribution(a: ArrayLike, b: ArrayLike, false_alarm: float = FALSE_ALARM) -> Check:
    """Check two samples against each other by the Kolmogorov-Smirnov test.

    The discrepancy is the greatest distance between the distribution functions. For values with ties the
    check fails more seldom than stated.
    """
    first, second = _at_least_two(a), _at_least_two(b)
    # The asymptotic law, because the exact one takes minutes for large samples.
    result: Any = stats.ks_2samp(first, second, method="asymp")
    effective = first.size * second.size / (first.size + second.size)
    detectable = _critical(effective, false_alarm) + _slack(first.size) + _slack(second.size)
    return Check(float(result.pvalue), false_alarm, detectable, first.size + second.size)


def check_counts(counts: ArrayLike, shares: ArrayLike, false_alarm: float = FALSE_ALARM) -> Check:
    """Check counts of several kinds against their shares by Pearson's chi-square test.

    The discrepancy is Cohen's w, √Σ(q−p)²/p for true shares q instead of p. Every kind should be expected
    five times or more.
    """
    observed, expected = as_sample(counts), as_sample(shares)
    n, degrees = int(observed.sum()), observed.size - 1
    if observed.size != expected.size or degrees < 1 or n == 0:
        raise ValueError("at least two kinds, each with a count and a share, and something counted")
    if expected.min() * n < 5 or not math.isclose(float(expected.sum()), 1, rel_tol=1e-9):
        raise ValueError("shares must add up to 1, and each kind be expected 5 times or more")
    p_value = float(stats.chisquare(observed, expected * n).pvalue)
    critical = float(stats.chi2.isf(false_alarm, degrees))

    def missed(noncentrality: float) -> float:
        return float(stats.ncx2.cdf(critical, degrees, noncentrality)) - (1 - DETECTION)

    noncentrality = float(optimize.brentq(missed, 1e-9, 10 * critical + 100))
    return Check(p_value, false_alarm, math.sqrt(noncentrality / n), n)


def _critical(n: float, false_alarm: float) -> float:
    """Return the distance at which the Kolmogorov-Smirnov test fails, or a little more (Massart 1990)."""
    return math.sqrt(math.log(2 / false_alarm) / (2 * n))


def _slack(n: int) -> float:
    """Return how far an empirical distribution function can be off at one point (Hoeffding's inequality)."""
    return math.sqrt(-math.log(1 - DETECTION) / (2 * n))


def _at_least_two(values: ArrayLike) -> Sample:
    sample = as_sample(values)
    if sample.size < 2:
        raise ValueError(f"a check takes two values or more, not {np.size(sample)}")
    return sample
