"""Intervals of one number and of the difference of two."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep
from statsmodels.stats.weightstats import CompareMeans

from lab.stats.intervals import (
    Interval,
    Undefined,
    clopper_pearson,
    difference,
    mean_difference,
    mean_interval,
    quantile_interval,
    score_interval,
    wilson,
)


@pytest.mark.parametrize(
    ("low", "estimate", "high"),
    [(1, 0, 2), (0, 3, 2), (math.nan, 0, 1), (0, math.nan, 1), (0, 0, math.nan), (-math.inf, 0, 1), (0, 0, math.inf)],
)
def test_an_interval_is_ordered_and_finite(low, estimate, high):
    with pytest.raises(ValueError, match="not an interval"):
        Interval(estimate, low, high, 10)


def test_an_interval_contains_its_ends_and_nothing_beyond():
    interval = Interval(0.4, 0.2, 0.8, 10)
    assert interval.half_width == pytest.approx(0.3)
    assert interval.contains(0.2)
    assert interval.contains(0.8)
    assert not interval.contains(0.1999)
    assert not interval.spreadless


# Newcombe, Statistics in Medicine 17 (1998) 857-872, table I: methods 3 (score) and 5 (exact).
@pytest.mark.parametrize(
    ("successes", "n", "score", "exact"),
    [
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0000, 0.1611), (0.0000, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_proportions_are_those_of_the_paper(successes, n, score, exact):
    for interval, published in ((wilson(successes, n), score), (clopper_pearson(successes, n), exact)):
        assert (interval.low, interval.high) == pytest.approx(published, abs=5e-5)
        assert (interval.estimate, interval.n, interval.level) == (successes / n, n, 0.95)


# Newcombe, Statistics in Medicine 17 (1998) 873-890, table II: method 10.
@pytest.mark.parametrize(
    ("a", "b", "published"),
    [
        ((56, 70), (48, 80), (0.0524, 0.3339)),
        ((9, 10), (3, 10), (0.1705, 0.8090)),
        ((10, 10), (0, 10), (0.6075, 1.0000)),
    ],
)
def test_differences_of_proportions_are_those_of_the_paper(a, b, published):
    found = difference(wilson(*a), wilson(*b))
    assert (found.low, found.high) == pytest.approx(published, abs=5e-5)
    assert found.n == a[1] + b[1]


@given(st.integers(1, 200), st.integers(1, 200), st.floats(0, 1), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_differences_of_proportions_agree_with_statsmodels(n, m, p, q, level):
    a, b = round(p * n), round(q * m)
    found = difference(wilson(a, n, level), wilson(b, m, level))
    theirs = confint_proportions_2indep(a, n, b, m, method="newcomb", compare="diff", alpha=1 - level)
    assert (found.low, found.high) == pytest.approx(theirs, abs=1e-9)


def coverages(interval, n, shares):
    """Return the exact coverage of a proportion's interval at each true share."""
    found = [interval(k, n) for k in range(n + 1)]
    return [sum(stats.binom.pmf(k, n, p) for k in range(n + 1) if found[k].contains(p)) for p in shares]


@pytest.mark.parametrize("n", [1, 5, 20, 60])
def test_the_exact_interval_covers_at_every_share(n):
    assert min(coverages(clopper_pearson, n, np.linspace(0.001, 0.999, 400))) >= 0.95


def test_wilson_covers_in_the_mean_but_not_at_every_share():
    found = coverages(wilson, 60, np.linspace(0.001, 0.999, 400))
    assert 0.945 < np.mean(found) < 0.96
    assert min(found) < 0.95, "the guarantee above is one that Wilson's interval does not give"


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50))
def test_a_mean_has_students_interval(values):
    found = mean_interval(values)
    assert found.estimate == pytest.approx(np.mean(values), rel=1e-9, abs=1e-6)
    sem = stats.sem(values)
    if sem > 1e-6:
        low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), sem)
        assert (found.low, found.high) == pytest.approx((low, high), rel=1e-6, abs=1e-6)


def test_values_that_are_all_alike_are_flagged():
    assert mean_interval([4, 4, 4]).spreadless


def test_a_difference_of_means_is_welchs():
    rng = np.random.default_rng(3)
    a, b = rng.normal(1, 1, 8), rng.normal(0, 4, 20)
    theirs = CompareMeans.from_data(a, b).tconfint_diff(usevar="unequal")
    found = mean_difference(a, b)
    assert (found.low, found.high) == pytest.approx(theirs)
    assert mean_difference([2, 2], [1, 1]) == Interval(1, 1, 1, 4)


@given(st.integers(1, 300), st.floats(0, 1))
def test_scores_of_wins_and_losses_have_wilsons_interval(n, share):
    wins = round(share * n)
    found, expected = score_interval([1] * wins + [0] * (n - wins)), wilson(wins, n)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_draws_narrow_the_interval_of_a_score():
    assert score_interval([1, 0.5, 0.5, 0] * 25).half_width < wilson(50, 100).half_width
    assert 0 <= score_interval([0.5] * 100).low < 0.5, "scores that are all alike still leave room"


def test_a_quantile_follows_the_records_convention():
    values = np.random.default_rng(0).permutation(100)
    for p in (0.1, 0.25, 0.5, 0.9):
        assert quantile_interval(values, p).estimate == math.floor(p * 100)


def test_a_quantiles_ends_are_the_order_statistics_of_the_binomial_law():
    # Conover (1999), section 3.2: at n = 100 the median lies from the 40th to the 61st value with 96.48 %.
    found = quantile_interval(np.arange(1, 101), 0.5)
    assert (found.low, found.high) == (40, 61)
    assert stats.binom.cdf(60, 100, 0.5) - stats.binom.cdf(39, 100, 0.5) == pytest.approx(0.9648, abs=5e-5)


@pytest.mark.parametrize("p", [0.01, 0.1, 1 / 3, 0.5, 0.8, 0.99])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_a_quantiles_interval_is_scipys(p: float, level: float):
    for n in [*range(2, 60), 500, 1000, 100_000]:
        found = quantile_interval(values := np.arange(n), p, level)
        known: Any = stats.quantile_test(values, q=0, p=p).confidence_interval(level)
        if isinstance(found, Undefined):
            assert math.isnan(known.low) or math.isnan(known.high)
        else:
            assert (found.low, found.high) == (known.low, known.high), n


@pytest.mark.parametrize("p", [0.02, 0.1, 0.5, 0.9, 0.95, 0.99])
def test_a_sample_too_small_for_a_quantile_says_how_many_it_takes(p):
    short = quantile_interval(np.arange(5), p)
    assert isinstance(short, Undefined)
    needed = int(short.reason.split()[-1])
    assert isinstance(quantile_interval(np.arange(needed - 1), p), Undefined)
    assert isinstance(quantile_interval(np.arange(needed), p), Interval)


@pytest.mark.parametrize(
    "estimate",
    [
        wilson(0, 0),
        clopper_pearson(0, 0),
        mean_interval([]),
        mean_interval([3]),
        score_interval([]),
        quantile_interval([], 0.5),
        mean_difference([], [1, 2]),
        mean_difference([1], [1, 2]),
        difference(wilson(0, 0), wilson(1, 2)),
        difference(wilson(1, 2), wilson(0, 0)),
    ],
)
def test_what_a_sample_does_not_define_has_a_reason(estimate):
    assert isinstance(estimate, Undefined)
    assert estimate.reason


@pytest.mark.parametrize(
    "call",
    [
        lambda: wilson(3, 2),
        lambda: wilson(-1, 2),
        lambda: wilson(1, 2, level=1.0),
        lambda: wilson(1, 2, level=95),
        lambda: mean_interval([1, math.nan]),
        lambda: mean_interval([1, math.inf]),
        lambda: mean_interval([[1, 2], [3, 4]]),
        lambda: quantile_interval([1, 2, 3], 0),
        lambda: quantile_interval([1, 2, 3], 1),
        lambda: score_interval([0.5, 1.5]),
        lambda: difference(wilson(1, 2, 0.9), wilson(1, 2)),
    ],
)
def test_a_callers_mistake_is_refused(call):
    with pytest.raises(ValueError, match=r"."):
        call()
