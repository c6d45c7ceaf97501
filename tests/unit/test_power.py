"""How many games it takes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.stats.power import TTestIndPower, TTestPower

from lab.stats.checks import check_proportion
from lab.stats.intervals import wilson
from lab.stats.power import detectable_difference, games_for_difference, games_for_half_width, sd_of_proportion

EFFECTS = [0.01, 0.04, 0.3, 0.8]


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_independent_runs_agree_with_statsmodels(effect, power):
    theirs = TTestIndPower().solve_power(effect, alpha=0.05, power=power)
    assert games_for_difference(effect, 1, power=power) == pytest.approx(theirs, abs=2, rel=2e-4)


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("level", [0.95, 0.99])
def test_shared_seeds_agree_with_statsmodels(effect, level):
    # At a correlation of a half the paired difference has the standard deviation of a single game.
    theirs = TTestPower().solve_power(effect, alpha=1 - level, power=0.8)
    assert games_for_difference(effect, 1, correlation=0.5, level=level) == pytest.approx(theirs, abs=2.5)


def test_two_points_of_a_fair_game():
    # The textbook answer: 2 · (1.96 + 0.84)² · 0.25 / 0.02² = 9,812.
    assert games_for_difference(0.02, sd_of_proportion(0.5)) == pytest.approx(9812, abs=2)
    assert games_for_difference(-0.02, 0.5) == games_for_difference(0.02, 0.5)


@pytest.mark.parametrize("correlation", [None, 0.0, 0.9])
def test_games_and_differences_are_inverse(correlation):
    seen = detectable_difference(500, 3, correlation)
    assert games_for_difference(seen * 1.0001, 3, correlation) == 500


def test_the_power_is_what_was_asked_for():
    # 4,000 experiments: false alarm 1e-4, and a power off by 4.1 points would be found.
    games, correlation, sd = games_for_difference(1.0, 3.0, correlation=0.6), 0.6, 3.0
    rng = np.random.default_rng(6)
    differences = rng.normal(1.0, sd * math.sqrt(2 * (1 - correlation)), (4000, games))
    standard_errors = differences.std(axis=1, ddof=1) / math.sqrt(games)
    seen = int((differences.mean(axis=1) > 2.006 * standard_errors).sum())
    check = check_proportion(seen, 4000, 0.8, false_alarm=1e-4)
    assert games == pytest.approx(59, abs=2)
    assert check.passed, check
    assert check.detectable < 0.041, check


def test_a_half_width_is_reached():
    games = games_for_half_width(0.01, sd_of_proportion(0.5))
    assert games == 9604
    assert wilson(games // 2, games).half_width == pytest.approx(0.01, rel=1e-3)


@pytest.mark.parametrize(
    "call",
    [
        lambda: games_for_difference(0, 1),
        lambda: games_for_difference(1, -1),
        lambda: games_for_difference(1, math.nan),
        lambda: games_for_difference(1, 1, correlation=1.5),
        lambda: games_for_difference(1, 1, power=1),
        lambda: games_for_difference(1, 1, level=1),
        lambda: detectable_difference(2, 1),
        lambda: games_for_half_width(0, 1),
        lambda: sd_of_proportion(2),
    ],
)
def test_a_callers_mistake_is_refused(call):
    with pytest.raises(ValueError, match=r"."):
        call()


def test_sure_things_take_two_or_three_games():
    assert games_for_difference(1, 0) <= 3
    assert games_for_half_width(1, 0) == 2
