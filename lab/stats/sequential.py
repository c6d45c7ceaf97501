"""Confidence sequences: intervals that stay valid however often one looks, and the rule that stops on them.

An ordinary 95 % interval is wrong 1 time in 20 at one look; looked at after every batch, some look goes
wrong far more often. A confidence sequence is wrong at *any* look at most 1 time in 20, so a run may stop
at whichever look it likes. It pays with width: 1.5 to 2 times the ordinary interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from numpy.typing import ArrayLike
from scipy import optimize, special

from engine.errors import ConfigError
from lab.stats.intervals import LEVEL, Estimate, Interval, Sample, Undefined, as_sample, check_level

PRIORS = (1.0, 100.0)
"""Symmetric Beta priors mixed in equal parts for a proportion.

The uniform one serves every share; the one gathered around ½ makes the sequence a tenth narrower where the
first seat's share of wins is sought, and costs the others 4 %. Chosen before any data, as validity asks.
"""

NARROWEST_AT = 1000
"""Number of games at which the sequence for a mean is tuned to be narrowest."""


COCHRAN = 25
"""Values needed before a mean is bounded, in squared skewnesses of the values (Cochran 1977, section 2.15).

Where events are rare the central limit theorem comes late: without this wait the sequence for a share of 2 %
taken as a mean went wrong 1 time in 10.
"""


def proportion_sequence(successes: int, n: int, level: float = LEVEL) -> Estimate:
    """Return a confidence sequence's interval for a proportion at the present look.

    The proportions that the mixture likelihood ratio has not ruled out: those p at which the Beta-mixed
    likelihood is less than 1/(1 − level) times the likelihood of p (Robbins 1970; Howard, Ramdas, McAuliffe
    and Sekhon 2021). Exact for any n, by Ville's inequality.

    Parameters
    ----------
    successes, n
        Counts so far, ``0 <= successes <= n``.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}: must be from 0 to the number of trials")
    check_level(level)
    if n == 0:
        return Undefined("nothing to count: 0 cases", 0)
    failures = n - successes
    mixed = [special.betaln(a + successes, a + failures) - special.betaln(a, a) for a in PRIORS]
    threshold = float(special.logsumexp(mixed)) - math.log(len(PRIORS)) + math.log(1 - level)

    def ruled_out(p: float) -> float:
        """Return a convex function of p, positive where p is ruled out."""
        hits = successes * math.log(p) if successes else 0.0
        return threshold - hits - (failures * math.log1p(-p) if failures else 0.0)

    share, edge = successes / n, 1e-15
    low = 0.0 if successes == 0 else float(optimize.brentq(ruled_out, edge * share, share))
    high = 1.0 if failures == 0 else float(optimize.brentq(ruled_out, share, 1 - edge))
    return Interval(share, min(low, share), max(high, share), n, level)


def mean_sequence(values: ArrayLike, level: float = LEVEL) -> Estimate:
    """Return a confidence sequence's interval for a mean at the present look.

    Student's t mixed over a normal prior on the standardised mean: exact at any look for normal values
    (Wang and Ramdas 2024), and by the central limit theorem for others, where it comes to the asymptotic
    sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024).

    Parameters
    ----------
    values
        Shape (n,): the values so far, in any order.
    """
    sample = as_sample(values)
    if sample.size == 0:
        return Undefined("no values", 0)
    return _t_sequence(float(sample.mean()), sample - sample.mean(), level)


def ratio_sequence(numerators: ArrayLike, denominators: ArrayLike, level: float = LEVEL) -> Estimate:
    """Return a confidence sequence's interval for a ratio of sums over games at the present look.

    The sequence for a mean, on what each game adds to the error of the ratio to first order.

    Parameters
    ----------
    numerators, denominators
        Shape (n,), one entry a game so far; denominators at least 0. Games that add to neither sum are left
        out, as in :func:`lab.stats.ratios.ratio_bootstrap`.
    """
    num, den = as_sample(numerators), as_sample(denominators)
    if num.size != den.size:
        raise ValueError(f"{num.size} numerators and {den.size} denominators")
    if (den < 0).any():
        raise ValueError("denominators must be at least 0")
    if not den.any():
        return Undefined(f"the denominator is 0 in all {den.size} games", den.size)
    counts = (num != 0) | (den != 0)
    num, den = num[counts], den[counts]
    ratio = float(num.sum() / den.sum())
    return _t_sequence(ratio, (num - ratio * den) / den.mean(), level)


def _t_sequence(estimate: float, errors: Sample, level: float) -> Estimate:
    check_level(level)
    n = errors.size
    spread = float(errors.std())
    if spread <= 1e-12 * abs(estimate):
        return Undefined(f"all {n} values are alike: there is no spread to go by yet", n)
    skewness = float((errors**3).mean()) / spread**3
    if n < COCHRAN * skewness**2:
        return Undefined(f"{n} values so skewed are too few: it takes {COCHRAN * skewness**2:.0f}", n)
    alpha = 1 - level
    # The prior's variance that makes the interval narrowest at NARROWEST_AT (Howard et al. 2021, section
    # 3.5).
    g = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / NARROWEST_AT
    grown = 1 + n * g
    # The Bayes factor grown**-½ · ((1 + u) / (1 + u/grown))**(n/2), u = t²/(n−1), reaches 1/alpha at this u.
    power = math.exp(2 / n * math.log(math.sqrt(grown) / alpha))
    if power >= grown:
        return Undefined(f"{n} values are too few to bound it at every look", n)
    u = (power - 1) / (1 - power / grown)
    half = math.sqrt(u) * spread
    return Interval(estimate, estimate - half, estimate + half, n, level)


@dataclass(frozen=True)
class Until:
    """A stopping rule: play until a metric's confidence sequence is narrow enough.

    Attributes
    ----------
    metric
        Name of the metric watched.
    half_width
        Half-width that is narrow enough, in the metric's unit.
    """

    metric: str
    half_width: float

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``METRIC half-width NUMBER``, e.g. ``first_player_wins half-width 0.01``."""
        match text.split():
            case [metric, "half-width", number]:
                try:
                    half_width = float(number)
                except ValueError:
                    half_width = math.nan
                if math.isfinite(half_width) and half_width > 0:
                    return cls(metric, half_width)
            case _:
                pass
        raise ConfigError("until", text, "must read: METRIC half-width NUMBER, the number above 0")

    def __str__(self) -> str:
        """Return the text that :meth:`parse` reads."""
        return f"{self.metric} half-width {self.half_width:g}"

    def met(self, estimate: Estimate) -> bool:
        """Say whether to stop; ``estimate`` must come from a confidence sequence."""
        return isinstance(estimate, Interval) and estimate.half_width <= self.half_width
