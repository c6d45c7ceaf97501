"""Confidence sequences at one look, and the stopping rule. Their error over many looks is a statistical test."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from engine.errors import ConfigError
from lab.stats.intervals import Interval, Undefined, mean_interval, wilson
from lab.stats.ratios import ratio_bootstrap
from lab.stats.sequential import Until, mean_sequence, proportion_sequence, ratio_sequence


@pytest.mark.parametrize(("successes", "n"), [(0, 12), (3, 12), (12, 12), (40, 90), (1, 150)])
def test_a_proportion_ends_where_the_mixture_is_20_times_as_likely(successes, n):
    found = proportion_sequence(successes, n)

    def mixture(q):
        prior = (stats.beta.pdf(q, 1, 1) + stats.beta.pdf(q, 100, 100)) / 2
        return prior * stats.binom.pmf(successes, n, q)

    mixed = integrate.quad(mixture, 0, 1, points=[0.4, 0.5, 0.6], limit=200)[0]
    for end in (found.low, found.high):
        if 0 < end < 1:
            assert mixed / stats.binom.pmf(successes, n, end) == pytest.approx(20, rel=1e-6)
    assert found.low == 0 or successes > 0
    assert found.high == 1 or successes < n


@pytest.mark.parametrize(("successes", "n"), [(50, 100), (500, 1000), (20, 1000), (50_000, 100_000)])
def test_looking_often_costs_width_but_not_too_much(successes, n):
    assert 1.3 < proportion_sequence(successes, n).half_width / wilson(successes, n).half_width < 2.3


@pytest.mark.parametrize("n", [100, 1000, 30_000])
def test_means_and_ratios_cost_as_much(n):
    rng = np.random.default_rng(n)
    values, per = rng.normal(10, 3, n), rng.integers(5, 15, n)
    assert 1.4 < mean_sequence(values).half_width / mean_interval(values).half_width < 2
    assert 1.3 < ratio_sequence(values, per).half_width / ratio_bootstrap(values, per).half_width < 2.1


def test_a_ratio_over_games_of_one_flick_is_a_mean():
    values = np.random.default_rng(0).gamma(4, 4, 500)
    ratio, mean = ratio_sequence(values, np.ones(500)), mean_sequence(values)
    assert (ratio.low, ratio.high) == pytest.approx((mean.low, mean.high))


def test_a_mean_ends_where_the_bayes_factor_is_20():
    values = np.random.default_rng(4).normal(size=50)
    end, n, nu = mean_sequence(values).high, 50, 49
    g = (-2 * np.log(0.05) + np.log(-2 * np.log(0.05)) + 1) / 1000
    t = stats.ttest_1samp(values, end).statistic
    # The right Haar prior on the scale and normal(0, g) on the standardised mean, by numerical integration.
    mixed = integrate.quad(
        lambda delta: stats.norm.pdf(delta, scale=np.sqrt(g)) * stats.nct.pdf(t, nu, delta * np.sqrt(n)), -2, 2
    )[0]
    assert mixed / stats.t.pdf(t, nu) == pytest.approx(20, rel=1e-6)


@pytest.mark.parametrize(
    ("estimate", "word"),
    [
        (proportion_sequence(0, 0), "nothing"),
        (mean_sequence([]), "no values"),
        (mean_sequence([1]), "alike"),
        (mean_sequence([3, 3, 3]), "alike"),
        (mean_sequence([1, 2, 3]), "too few"),
        (mean_sequence([0] * 99 + [1]), "skewed"),
        (ratio_sequence([], []), "denominator"),
        (ratio_sequence([0, 0], [0, 0]), "denominator"),
    ],
)
def test_a_look_too_early_says_why(estimate, word):
    assert isinstance(estimate, Undefined)
    assert word in estimate.reason


def test_the_rule_reads_its_text():
    assert Until.parse("first_player_wins half-width 0.01") == Until("first_player_wins", 0.01)


@pytest.mark.parametrize(
    "text",
    ["", "turns", "turns half-width", "turns width 0.1", "turns half-width 0.1 please"],
)
def test_the_rule_refuses_other_text(text):
    with pytest.raises(ConfigError, match="METRIC half-width NUMBER"):
        Until.parse(text)


@pytest.mark.parametrize("number", ["x", "0", "-1", "nan", "inf"])
def test_the_rule_refuses_a_width_that_is_none(number):
    with pytest.raises(ConfigError, match="the number above 0"):
        Until.parse(f"turns half-width {number}")


def test_the_rule_is_met_by_a_narrow_interval_alone():
    until = Until("turns", 0.5)
    assert until.met(Interval(10, 9.5, 10.5, 100))
    assert not until.met(Interval(10, 9.4, 10.5, 100))
    assert not until.met(Undefined("no values", 0))


@pytest.mark.parametrize(
    "call",
    [
        lambda: proportion_sequence(3, 2),
        lambda: proportion_sequence(1, 2, level=1.5),
        lambda: mean_sequence([1, np.nan]),
        lambda: ratio_sequence([1, 2], [1]),
        lambda: ratio_sequence([1, 2], [1, -1]),
    ],
)
def test_a_callers_mistake_is_refused(call):
    with pytest.raises(ValueError, match=r"."):
        call()
