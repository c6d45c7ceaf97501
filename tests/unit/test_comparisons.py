"""Many comparisons at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.stats.comparisons import benjamini_hochberg, holm, p_of_interval, p_of_z, z_of_p
from lab.stats.intervals import Interval, mean_interval

P_VALUES = [0.01, 0.04, 0.03, 0.005]


def test_holm_by_hand():
    # Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1, and never falling.
    assert holm(P_VALUES) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_benjamini_hochberg_by_hand():
    # Sorted times 4/1, 4/2, 4/3, 4/4, and never rising from the end.
    assert benjamini_hochberg(P_VALUES) == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_nothing_compared_is_nothing_adjusted():
    assert holm([]).size == benjamini_hochberg([]).size == 0


def test_false_claims_stay_rare_where_unadjusted_ones_do_not(monkeypatch):
    monkeypatch.setattr("gc.collect", lambda: 0)  # statsmodels collects garbage at every call
    # 2,000 families of 20 true nulls: Holm makes a false claim in 5 % of them (standard error 0.5 points),
    # and a rule without adjustment in 64 %.
    families = np.random.default_rng(8).random((2000, 20))
    claims = np.mean([holm(family).min() <= 0.05 for family in families])
    assert claims == pytest.approx(0.05, abs=0.02)
    assert np.mean(families.min(axis=1) <= 0.05) > 0.6, "the adjustment must be needed"


@pytest.mark.parametrize(("z", "p"), [(0, 1), (1.959964, 0.05), (-1.959964, 0.05), (2.575829, 0.01)])
def test_deviates_and_p_values(z, p):
    assert p_of_z(z) == pytest.approx(p, rel=1e-5)
    assert z_of_p(p) == pytest.approx(abs(z), abs=1e-5)


@given(st.floats(-5, 5), st.floats(0.01, 5), st.floats(0.01, 5), st.sampled_from([0.9, 0.95, 0.99]))
def test_a_p_value_is_small_exactly_where_the_interval_leaves_the_null_out(estimate, below, above, level):
    interval = Interval(estimate, estimate - below, estimate + above, 10, level)
    nearest = min(abs(interval.low), abs(interval.high))
    if nearest > 1e-9:
        assert (p_of_interval(interval) < 1 - level) == (not interval.contains(0))


def test_a_p_value_of_a_mean_is_near_the_t_tests():
    interval = mean_interval(np.random.default_rng(1).normal(0.1, 1, 500))
    standard_error = interval.half_width / 1.965
    assert p_of_interval(interval) == pytest.approx(p_of_z(interval.estimate / standard_error), rel=0.02)


def test_pairs_that_all_differ_alike_have_the_sign_tests_p_value():
    assert p_of_interval(Interval(2, 2, 2, 5)) == pytest.approx(2 / 2**5)
    assert p_of_interval(Interval(0, 0, 0, 5)) == 1


@pytest.mark.parametrize(
    "call", [lambda: holm([0.5, 1.1]), lambda: holm([np.nan]), lambda: z_of_p(0), lambda: z_of_p(2)]
)
def test_a_callers_mistake_is_refused(call):
    with pytest.raises(ValueError, match=r"."):
        call()
