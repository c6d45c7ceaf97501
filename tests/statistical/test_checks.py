"""The checks themselves: right samplers pass as often as stated, wrong ones are found as often as stated."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from lab.stats.checks import (
    DETECTION,
    Check,
    check_counts,
    check_distribution,
    check_mean,
    check_proportion,
    check_same_distribution,
)

TIMES = 400
N = 400


def proportion(rng, off, false_alarm):
    return check_proportion(int(rng.binomial(N, 0.3 + off)), N, 0.3, false_alarm)


def mean(rng, off, false_alarm):
    return check_mean(rng.normal(5 + off, 2, N), 5, false_alarm)


def distribution(rng, off, false_alarm):
    # Below ``off`` nothing: the greatest distance between the distribution functions is ``off``, at that
    # point.
    sample = rng.random(N)
    return check_distribution(np.where(sample < off, off, sample), lambda x: x, false_alarm)


def same_distribution(rng, off, false_alarm):
    a, b = rng.random((2, N))
    return check_same_distribution(a, np.where(b < off, off + b / 1e6, b), false_alarm)


def counts(rng, off, false_alarm):
    shares = np.array([0.5, 0.3, 0.2])
    tilt = np.array([1, -1, 0]) * off / math.sqrt(1 / 0.5 + 1 / 0.3)  # Cohen's w is then ``off``
    return check_counts(rng.multinomial(N, shares + tilt), shares, false_alarm)


KINDS = [proportion, mean, distribution, same_distribution, counts]


@pytest.mark.parametrize("kind", KINDS)
def test_right_samplers_fail_no_more_often_than_stated(kind):
    # Of 1,000 at a false-alarm rate of 1 in 20, 50 fail, give or take 6.9: up to 80 is 1 false alarm in
    # 50,000.
    rng = np.random.default_rng(1)
    failed = sum(not kind(rng, 0.0, 0.05).passed for _ in range(TIMES))
    assert failed <= 38
    assert failed >= 4, "a check that fails too seldom sees too little"


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_samplers_are_found_as_often_as_stated(kind):
    rng = np.random.default_rng(2)
    detectable = kind(rng, 0.0, 1e-4).detectable
    found = sum(not kind(rng, detectable, 1e-4).passed for _ in range(TIMES))
    # 4 of 400 escape, give or take 2; more than 12 in 1 run of 4,000.
    assert found >= TIMES * DETECTION - 8


@pytest.mark.parametrize("kind", [proportion, mean, counts])
def test_the_detectable_discrepancy_is_not_overstated(kind):
    # Half of it must go unseen more often than not; the Kolmogorov-Smirnov bound is looser by its nature.
    rng = np.random.default_rng(3)
    detectable = kind(rng, 0.0, 1e-4).detectable
    found = sum(not kind(rng, detectable / 2, 1e-4).passed for _ in range(TIMES))
    assert found < TIMES / 2


def wrong_normals(rng, n):
    """Return uniform values with the mean and the variance of a standard normal."""
    return (rng.random(n) - 0.5) * math.sqrt(12)


@pytest.mark.parametrize(
    "check",
    [
        lambda rng: check_proportion(int((rng.random(100_000) ** 1.04 < 0.5).sum()), 100_000, 0.5),
        lambda rng: check_mean(rng.exponential(1.05, 50_000), 1),
        lambda rng: check_distribution(wrong_normals(rng, 100_000), stats.norm.cdf),
        lambda rng: check_same_distribution(rng.normal(size=50_000), wrong_normals(rng, 50_000)),
        lambda rng: check_counts(np.bincount(rng.integers(0, 7, 30_000) % 6, minlength=6), [1 / 6] * 6),
    ],
)
def test_plausible_faults_are_found_at_one_false_alarm_in_a_million(check):
    found = check(np.random.default_rng(4))
    assert not found.passed
    assert math.isfinite(found.detectable)


def test_a_sample_that_could_show_nothing_says_so():
    assert check_proportion(1, 3, 0.5).detectable == math.inf
    assert check_mean([2, 2, 2], 2) == Check(1.0, 1e-6, math.inf, 3)
    assert not check_mean([2, 2, 2], 2.1).passed


@pytest.mark.parametrize("n", [50, 500, 5000])
def test_more_games_detect_less(n):
    for small, large in (
        (check_proportion(n // 2, n, 0.5), check_proportion(n * 2, n * 4, 0.5)),
        (check_counts([n, n], [0.5, 0.5]), check_counts([4 * n, 4 * n], [0.5, 0.5])),
    ):
        assert large.detectable == pytest.approx(small.detectable / 2, rel=0.15)


@pytest.mark.parametrize(
    "call",
    [
        lambda: check_proportion(3, 2, 0.5),
        lambda: check_proportion(0, 0, 0.5),
        lambda: check_proportion(1, 2, 1.0),
        lambda: check_mean([1], 1),
        lambda: check_mean([1, np.nan], 1),
        lambda: check_distribution([], lambda x: x),
        lambda: check_same_distribution([1, 2], [1]),
        lambda: check_counts([10], [1.0]),
        lambda: check_counts([10, 10], [0.5, 0.6]),
        lambda: check_counts([1, 1], [0.5, 0.5]),
        lambda: check_counts([10, 10], [0.5, 0.3, 0.2]),
    ],
)
def test_a_callers_mistake_is_refused(call):
    with pytest.raises(ValueError, match=r"."):
        call()
