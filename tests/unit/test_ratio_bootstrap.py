"""The bootstrap of ratios over whole games."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from lab.stats import bootstrap
from lab.stats.intervals import Interval, Undefined
from lab.stats.ratios import ratio_bootstrap


def lunges(n, seed=1):
    rng = np.random.default_rng(seed)
    flicks = 5 + rng.poisson(60, n)
    return rng.binomial(flicks, rng.beta(4, 16, n)), flicks


def test_it_agrees_with_scipys_bca_on_many_games():
    lunged, flicks = lunges(800)
    found = ratio_bootstrap(lunged, flicks, resamples=20_000)
    theirs = stats.bootstrap(
        (lunged, flicks),
        lambda x, y, axis: x.sum(axis=axis) / y.sum(axis=axis),
        paired=True,
        n_resamples=20_000,
        method="BCa",
        batch=1000,
        rng=np.random.default_rng(2),
    ).confidence_interval
    # 20,000 resamples place each end to 1.3 % of the half-width: 8 % are 4 standard errors of the difference.
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.08 * found.half_width)


def test_a_skewed_ratio_has_a_longer_upper_side():
    rng = np.random.default_rng(5)
    events, flicks = rng.poisson(0.5 * rng.gamma(1, 1, 60)), rng.poisson(300, 60)
    found = ratio_bootstrap(events, flicks)
    assert found.high - found.estimate > 1.1 * (found.estimate - found.low)


def test_small_samples_are_widened():
    lunged, flicks = lunges(10)
    found = ratio_bootstrap(lunged, flicks)
    linear = (lunged - found.estimate * flicks) / flicks.mean()
    normal_half_width = 1.96 * linear.std() / np.sqrt(10)
    assert found.half_width > 1.1 * normal_half_width


def test_games_that_add_nothing_change_nothing():
    lunged, flicks = lunges(50)
    padded = ratio_bootstrap(np.append(lunged, [0] * 30), np.append(flicks, [0] * 30))
    assert padded == ratio_bootstrap(lunged, flicks)
    assert padded.n == 50


def test_many_games_are_summed_in_blocks_without_changing_the_interval(monkeypatch):
    lunged, flicks = lunges(5000)
    blocks = ratio_bootstrap(lunged, flicks)
    monkeypatch.setattr(bootstrap, "BLOCKS", 5000)
    games = ratio_bootstrap(lunged, flicks)
    assert blocks.estimate == pytest.approx(games.estimate)
    # The spread of 1,024 blocks is known to 2.2 %, that of 2,000 resamples to 1.6 %: 12 % are 4 standard
    # errors.
    assert blocks.half_width == pytest.approx(games.half_width, rel=0.12)


def test_the_order_of_the_games_does_not_matter_to_blocks():
    lunged, flicks = lunges(20_000)
    by_share = np.argsort(lunged / flicks)
    played, ordered = ratio_bootstrap(lunged, flicks), ratio_bootstrap(lunged[by_share], flicks[by_share])
    # Blocks of neighbours, or of every 1,024th game, would be wrong several times over in a sorted table.
    assert ordered.half_width == pytest.approx(played.half_width, rel=0.15)


def test_one_seed_gives_one_interval_and_leaves_numpys_state_alone():
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - it is this state that must not change
    lunged, flicks = lunges(40)
    assert ratio_bootstrap(lunged, flicks, seed=0) == ratio_bootstrap(lunged, flicks, seed=0)
    assert ratio_bootstrap(lunged, flicks, seed=0) != ratio_bootstrap(lunged, flicks, seed=1)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


def test_units_scale_the_interval():
    lunged, flicks = lunges(40)
    one, hundred = ratio_bootstrap(lunged, flicks), ratio_bootstrap(100 * lunged, flicks)
    assert (hundred.low, hundred.high) == pytest.approx((100 * one.low, 100 * one.high))


def test_a_ratio_that_never_varies_is_flagged():
    assert ratio_bootstrap([1, 2, 3], [2, 4, 6]) == Interval(0.5, 0.5, 0.5, 3)
    assert ratio_bootstrap([0, 0, 0], [2, 4, 6]).spreadless


@pytest.mark.parametrize(
    ("numerators", "denominators"),
    [([], []), ([0, 0], [0, 0]), ([1, 1], [0, 0]), ([0, 3], [0, 7]), ([1, 1, 1], [0, 0, 2])],
)
def test_what_the_games_do_not_define_has_a_reason(numerators, denominators):
    found = ratio_bootstrap(numerators, denominators)
    assert isinstance(found, Undefined)
    assert found.reason


@pytest.mark.parametrize(
    ("numerators", "denominators"), [([1, 2], [1, -1]), ([1, np.nan], [1, 1]), ([1, 2, 3], [1, 2])]
)
def test_a_callers_mistake_is_refused(numerators, denominators):
    with pytest.raises(ValueError, match=r"."):
        ratio_bootstrap(numerators, denominators)
