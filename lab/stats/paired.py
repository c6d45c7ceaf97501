"""Differences between two variants played on the same seeds (common random numbers), and seat-swapped pairs.

Game i of one variant shares every random stream with game i of the other, so the two are compared pair by
pair: what the seed did to both cancels. Each result says how much of the variance is left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from lab.stats.bootstrap import RESAMPLES, Sums, bootstrap_of_sums
from lab.stats.intervals import (
    LEVEL,
    Estimate,
    Interval,
    Sample,
    Undefined,
    as_sample,
    check_level,
    mean_interval,
    score_interval,
)


@dataclass(frozen=True)
class PairedDifference:
    """A difference a − b on shared seeds.

    Attributes
    ----------
    difference
        Estimate and interval; ``n`` counts pairs.
    variance_left
        Variance of the paired difference over that of two independent runs of as many games: 0 where the
        seeds explain everything, 1 where sharing them gained nothing. Its inverse is how many times more
        games independent runs would need. ``None`` where neither variant varies.
    """

    difference: Interval
    variance_left: float | None


def paired_means(a: ArrayLike, b: ArrayLike, level: float = LEVEL) -> PairedDifference | Undefined:
    """Return mean(a) − mean(b) with Student's t on the differences.

    Parameters
    ----------
    a, b
        Shape (n,), entry i of both from the same seed.
    """
    first, second = _pairs(a, b)
    return _with_gain(mean_interval(first - second, level), first, second)


def paired_proportions(a: ArrayLike, b: ArrayLike, level: float = LEVEL) -> PairedDifference | Undefined:
    """Return share(a) − share(b) with the adjusted interval of Bonett and Price (2012).

    One imaginary pair is added to each of the two kinds that disagree, which keeps the coverage near its
    level where few pairs disagree or none does; the unadjusted interval would then claim to be certain.

    Parameters
    ----------
    a, b
        Shape (n,), of true and false (or 1 and 0), entry i of both from the same seed.
    """
    check_level(level)
    first, second = _pairs(a, b)
    if not (np.isin(first, (0, 1)).all() and np.isin(second, (0, 1)).all()):
        raise ValueError("proportions are of true and false, or of 1 and 0")
    n = first.size
    if n == 0:
        return Undefined("no pairs", 0)
    only_first, only_second = int((first > second).sum()), int((second > first).sum())
    p, q = (only_first + 1) / (n + 2), (only_second + 1) / (n + 2)
    half = float(special.ndtri((1 + level) / 2)) * math.sqrt((p + q - (p - q) ** 2) / (n + 2))
    estimate = (only_first - only_second) / n
    low, high = max(-1.0, min(p - q - half, estimate)), min(1.0, max(p - q + half, estimate))
    return _with_gain(Interval(estimate, low, high, n, level), first, second)


def paired_ratios(
    numerators_a: ArrayLike,
    denominators_a: ArrayLike,
    numerators_b: ArrayLike,
    denominators_b: ArrayLike,
    *,
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> PairedDifference | Undefined:
    """Return the difference of two ratios of sums, resampling pairs of games.

    A share among games that count, where a seed may count in one variant alone (wins among decided games), is
    such a ratio too. For the ratio of two means on shared seeds, mean(a) / mean(b), resample pairs with
    :func:`lab.stats.ratios.ratio_bootstrap` itself.

    Parameters
    ----------
    numerators_a, denominators_a, numerators_b, denominators_b
        Shape (n,), entry i of all four from the same seed; denominators at least 0.
    level, seed, resamples
        As in :func:`lab.stats.bootstrap.bootstrap_of_sums`.
    """
    num_a, den_a = _pairs(numerators_a, denominators_a)
    num_b, den_b = _pairs(numerators_b, denominators_b)
    _pairs(num_a, num_b)
    if min(den_a.min(initial=0), den_b.min(initial=0)) < 0:
        raise ValueError("denominators must be at least 0")
    for den, which in ((den_a, "first"), (den_b, "second")):
        if not den.any():
            return Undefined(f"the denominator of the {which} is 0 in all {den.size} games", den.size)
    columns = np.stack([num_a, den_a, num_b, den_b], axis=1)
    estimate = bootstrap_of_sums(columns[columns.any(axis=1)], _ratio_difference, level, seed, resamples)
    return _with_gain(estimate, _linearised(num_a, den_a), _linearised(num_b, den_b))


@dataclass(frozen=True)
class SeatPairs:
    """Two players, A and B, who play every seed twice with the seats swapped.

    Attributes
    ----------
    counts
        Pairs in which A scored 0, ½, 1, 1½ and 2 of the two games (the pentanomial of engine testing).
    score
        A's mean score per game, between 0 and 1; ½ is even.
    first_seat
        Mean score of whoever sat first; ½ is a fair seat. Players of any strength, since each sat there.
    """

    counts: tuple[int, int, int, int, int]
    score: Estimate
    first_seat: Estimate


def seat_pairs(a_first: ArrayLike, a_second: ArrayLike, level: float = LEVEL) -> SeatPairs:
    """Return what seat-swapped pairs say of the players and of the seats.

    The two games of a pair share a set-up and are not independent; the pair is the unit.

    Parameters
    ----------
    a_first
        Shape (n,): A's score (win 1, draw ½, loss 0) in the game of each pair in which A sits first.
    a_second
        Shape (n,): A's score in the other game of the same pair.
    """
    first, second = _pairs(a_first, a_second)
    if not (np.isin(first, (0, 0.5, 1)).all() and np.isin(second, (0, 0.5, 1)).all()):
        raise ValueError("scores are 1 for a win, 0.5 for a draw and 0 for a loss")
    c = np.bincount(np.rint(2 * (first + second)).astype(np.int64), minlength=5)
    return SeatPairs(
        counts=(int(c[0]), int(c[1]), int(c[2]), int(c[3]), int(c[4])),
        score=score_interval((first + second) / 2, level),
        first_seat=score_interval((first + 1 - second) / 2, level),
    )


def _ratio_difference(sums: Sums) -> Sums:
    return sums[..., 0] / sums[..., 1] - sums[..., 2] / sums[..., 3]


def _linearised(numerators: Sample, denominators: Sample) -> Sample:
    """Return what each game adds to the error of a ratio of sums, to first order."""
    return (numerators - numerators.sum() / denominators.sum() * denominators) / denominators.mean()


def _with_gain(estimate: Estimate, first: Sample, second: Sample) -> PairedDifference | Undefined:
    if isinstance(estimate, Undefined):
        return estimate
    apart = float(first.var() + second.var())
    return PairedDifference(estimate, float((first - second).var()) / apart if apart > 0 else None)


def _pairs(a: ArrayLike, b: ArrayLike) -> tuple[Sample, Sample]:
    first, second = as_sample(a), as_sample(b)
    if first.size != second.size:
        raise ValueError(f"{first.size} and {second.size} values do not pair")
    return first, second
