"""Paired differences on shared seeds, and seat-swapped pairs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from lab.stats.intervals import Undefined, difference, mean_difference, wilson
from lab.stats.paired import paired_means, paired_proportions, paired_ratios, seat_pairs
from lab.stats.ratios import ratio_bootstrap

RNG_SEED = 11


def on_shared_seeds(n=200):
    """Return a metric of two variants whose values correlate strongly, as on shared seeds."""
    rng = np.random.default_rng(RNG_SEED)
    shared = rng.gamma(4, 4, n)
    return shared + rng.normal(0.5, 1, n), shared + rng.normal(0, 1, n)


def test_paired_means_are_students_on_the_differences():
    a, b = on_shared_seeds()
    found = paired_means(a, b)
    low, high = stats.ttest_rel(a, b).confidence_interval()
    assert (found.difference.low, found.difference.high) == pytest.approx((low, high))


def test_pairing_gains_what_it_says():
    a, b = on_shared_seeds(4000)
    found = paired_means(a, b)
    # The variance is 64 shared and 1 of each variant's own: 2 of 130 are left.
    assert found.variance_left == pytest.approx(2 / 130, rel=0.15)
    narrower = found.difference.half_width / mean_difference(a, b).half_width
    assert narrower == pytest.approx(np.sqrt(found.variance_left), rel=0.02)


def test_pairing_independent_games_gains_nothing():
    a, b = on_shared_seeds(4000)
    assert paired_means(a, np.roll(b, 1)).variance_left == pytest.approx(1, abs=0.1)


def test_variants_that_never_vary_leave_no_share():
    assert paired_means([1, 1, 1], [2, 2, 2]).variance_left is None


def test_paired_proportions_follow_bonett_and_price():
    a = [1] * 30 + [1] * 12 + [0] * 5 + [0] * 53
    b = [1] * 30 + [0] * 12 + [1] * 5 + [0] * 53
    found = paired_proportions(a, b).difference
    p, q = 13 / 102, 6 / 102
    half = 1.959964 * np.sqrt((p + q - (p - q) ** 2) / 102)
    assert found.estimate == pytest.approx(0.07)
    assert (found.low, found.high) == pytest.approx((p - q - half, p - q + half))


def test_pairs_that_all_agree_still_leave_room():
    found = paired_proportions([1, 0] * 25, [1, 0] * 25).difference
    assert found.low < 0 < found.high
    everyone = paired_proportions([1] * 10, [0] * 10).difference
    assert everyone.estimate == everyone.high == 1
    assert everyone.low < 1


def test_paired_proportions_turn_their_sign_with_the_order():
    a, b = [1, 1, 0, 1, 0, 0, 1, 1], [0, 1, 1, 0, 0, 0, 1, 0]
    one, other = paired_proportions(a, b).difference, paired_proportions(b, a).difference
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


def test_paired_ratios_are_far_narrower_than_independent_ones():
    rng = np.random.default_rng(RNG_SEED)
    flicks = 5 + rng.poisson(60, 300)
    a = rng.binomial(flicks, rng.beta(4, 16, 300))
    b = rng.binomial(a, 0.9)
    found = paired_ratios(a, flicks, b, flicks)
    apart = difference(ratio_bootstrap(a, flicks), ratio_bootstrap(b, flicks))
    assert found.difference.estimate == pytest.approx(apart.estimate)
    assert found.difference.half_width / apart.half_width == pytest.approx(np.sqrt(found.variance_left), rel=0.1)
    assert found.variance_left < 0.2


def test_a_share_of_decided_games_pairs_though_a_seed_is_decided_in_one_variant_alone():
    decided_a, decided_b = np.array([1, 1, 0, 1, 1, 1] * 20), np.array([1, 0, 1, 1, 1, 1] * 20)
    won_a, won_b = decided_a * np.array([1, 0, 0, 1, 1, 0] * 20), decided_b * np.array([1, 0, 0, 0, 1, 0] * 20)
    found = paired_ratios(won_a, decided_a, won_b, decided_b).difference
    assert found.estimate == pytest.approx(3 / 5 - 2 / 5)
    assert found.n == 120


def test_seat_pairs_tell_the_players_from_the_seats():
    # Whoever sits first always wins: the players are even, the seat is everything.
    found = seat_pairs([1] * 50, [0] * 50)
    assert found.counts == (0, 0, 50, 0, 0)
    assert found.score.estimate == 0.5
    assert found.first_seat.estimate == 1
    # A always wins: the seats are even.
    found = seat_pairs([1] * 50, [1] * 50)
    assert found.counts == (0, 0, 0, 0, 50)
    assert (found.score.estimate, found.first_seat.estimate) == (1, 0.5)
    # Every pair score, once.
    assert seat_pairs([0, 0.5, 1, 0.5, 1], [0, 0, 0, 1, 1]).counts == (1, 1, 1, 1, 1)


def test_pairs_know_more_of_the_players_than_their_games_taken_singly():
    rng = np.random.default_rng(RNG_SEED)
    favour = rng.random(400)  # of each set-up, for whoever sits first
    first, second = rng.random(400) < favour, rng.random(400) < 1 - favour
    paired = seat_pairs(first, second).score
    singly = wilson(int(first.sum() + second.sum()), 800)
    assert paired.half_width < 0.9 * singly.half_width


@pytest.mark.parametrize(
    "found",
    [
        paired_means([], []),
        paired_means([1], [2]),
        paired_proportions([], []),
        paired_ratios([], [], [], []),
        paired_ratios([1, 1], [1, 1], [0, 0], [0, 0]),
        seat_pairs([], []).score,
        seat_pairs([], []).first_seat,
    ],
)
def test_what_the_pairs_do_not_define_has_a_reason(found):
    assert isinstance(found, Undefined)
    assert found.reason


@pytest.mark.parametrize(
    "call",
    [
        lambda: paired_means([1, 2], [1, 2, 3]),
        lambda: paired_proportions([0, 2], [0, 1]),
        lambda: paired_ratios([1, 2], [1, 2], [1], [1]),
        lambda: paired_ratios([1, 2], [1, -2], [1, 1], [1, 1]),
        lambda: seat_pairs([0.3], [0.7]),
    ],
)
def test_a_callers_mistake_is_refused(call):
    with pytest.raises(ValueError, match=r"."):
        call()
