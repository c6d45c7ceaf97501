"""The bootstrap of a smooth function of sums over games, resampling whole games.

Every pooled rate of the lab is of this kind: a ratio of two sums over games, or a difference of two such
ratios. Because only sums enter, one matrix of resampling weights serves every metric of a run, and the
jackknife that corrects for bias and skewness has a closed form.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from lab.stats.intervals import LEVEL, Estimate, Interval, Undefined, check_level, t_quantile

RESAMPLES = 2000
"""Resamples where no number is named: the ends then move by about 4 % of the half-width from seed to seed."""

BLOCKS = 1024
"""Games beyond this number are first summed, in a random order, into so many blocks of equal size.

Block sums are as independent as games and their cumulants add up, so resampling blocks keeps the variance and
the skewness of the total while a million games cost no more than a thousand.
"""

Sums: TypeAlias = NDArray[np.float64]
"""Sums over games, or functions of them; any number of leading axes."""


def bootstrap_of_sums(
    columns: NDArray[np.float64],
    statistic: Callable[[Sums], Sums],
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Estimate:
    """Return the estimate and interval of a function of column sums.

    The interval is the bias-corrected and accelerated one (BCa; Efron 1987) with its normal quantiles widened
    for small samples (√(n/(n−1)) times Student's, Hesterberg 2015, section 5). The choice was measured, see
    ``tests/statistical/test_interval_coverage.py``: for ratios of counts at 20 games the percentile interval
    covered 89 to 94 %, plain BCa 93 to 94 %, the linearised t interval 92 to 96 %, this one 94 to 96 %.

    Parameters
    ----------
    columns
        Shape (n, k): what each game adds to each of the k sums; finite.
    statistic
        Maps sums of shape (..., k) to values of shape (...), with a non-finite value where it is not defined
        (a denominator that sums to 0).
    level
        Confidence level.
    seed
        Of the resampling; the same seed gives the same interval.
    resamples
        Number of resamples.
    """
    return bootstraps_of_sums(columns, lambda sums: statistic(sums)[..., np.newaxis], level, seed, resamples)[0]


def bootstraps_of_sums(
    columns: NDArray[np.float64],
    statistic: Callable[[Sums], Sums],
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> list[Estimate]:
    """Return the estimates and intervals of several functions of the same sums, each interval by itself.

    As :func:`bootstrap_of_sums`, but for the statistic, which maps sums of shape (..., k) to values of shape
    (..., m).
    """
    check_level(level)
    n = len(columns)
    with np.errstate(divide="ignore", invalid="ignore"):
        total = columns.sum(axis=0)
        estimates = statistic(total)
        if n == 0:
            return [Undefined("no values", 0)] * len(estimates)
        blocks = _blocks(columns, seed)
        left_out = statistic(total - blocks)
        resampled = np.sort(statistic(_weights(len(blocks), seed, resamples) @ blocks), axis=0)
    parts = zip(estimates.tolist(), left_out.T, resampled.T, strict=True)
    return [_interval(estimate, without, drawn, n, level) for estimate, without, drawn in parts]


def _interval(estimate: float, left_out: Sums, resampled: Sums, n: int, level: float) -> Estimate:
    """Return the interval of one statistic, from its jackknife and its sorted bootstrap values."""
    if not math.isfinite(estimate):
        return Undefined("the sums do not define it (a denominator that sums to 0)", n)
    if n == 1:
        return Undefined("one game has no spread to measure", 1)
    if not (np.isfinite(left_out).all() and np.isfinite(resampled[[0, -1]]).all()):
        return Undefined(f"{n} games are too few: without some of them there is nothing to divide by", n)
    influence = left_out.mean() - left_out
    if np.abs(influence).max() <= 1e-12 * max(abs(estimate), 1e-300):
        return Interval(estimate, estimate, estimate, n, level)
    acceleration = float((influence**3).sum() / (6 * (influence**2).sum() ** 1.5))
    below = (np.searchsorted(resampled, estimate, "left") + np.searchsorted(resampled, estimate, "right")) / 2
    m = len(resampled)
    bias = float(special.ndtri(np.clip(below / m, 1 / m, 1 - 1 / m)))
    widened = math.sqrt(n / (n - 1)) * t_quantile(level, n - 1)
    low, high = np.quantile(resampled, [_corrected(z, bias, acceleration) for z in (-widened, widened)]).tolist()
    return Interval(estimate, min(low, estimate), max(high, estimate), n, level)


def _corrected(z: float, bias: float, acceleration: float) -> float:
    """Return the share of the resamples below the end that the normal quantile ``z`` names (Efron 1987)."""
    shift = bias + z
    # With two or three games the widened quantile can pass the pole of the correction: take the extreme.
    return float(special.ndtr(bias + shift / max(1 - acceleration * shift, 1e-9)))


def _blocks(columns: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Return the games themselves, or their sums in blocks when they are many."""
    n = len(columns)
    if n <= BLOCKS:
        return columns
    label = _block_labels(n, seed)
    blocks = np.empty((BLOCKS, columns.shape[1]))
    for k, column in enumerate(columns.T):
        blocks[:, k] = np.bincount(label, weights=column, minlength=BLOCKS)
    return blocks


@lru_cache(maxsize=2)
def _block_labels(n: int, seed: int) -> NDArray[np.int64]:
    """Return the block of each row, in a random order because rows may come sorted by what they hold."""
    return np.random.default_rng(seed).permutation(n) % BLOCKS


@lru_cache(maxsize=8)
def _weights(n: int, seed: int, resamples: int) -> NDArray[np.float64]:
    """Return how often each of n rows is drawn in each resample, shape (resamples, n)."""
    weights = np.empty((resamples, n))
    for resample, drawn in enumerate(np.random.default_rng(seed).integers(n, size=(resamples, n))):
        weights[resample] = np.bincount(drawn, minlength=n)
    weights.flags.writeable = False
    return weights
