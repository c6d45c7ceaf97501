"""A confidence sequence must be wrong at any of its looks in at most 1 run of 20, and so at the look that stops.

Each run is looked at some forty times, from a few games on, and counts as wrong if the truth lay outside at
any look. Of the runs at most 5 % may be wrong: were it 5 % exactly, a test would fail 1 time in 10,000. In
the short form, 150 runs, it finds a rate of 20 % with 99 %; in the long form, 1,000 runs, one of 10 %. An
ordinary interval, looked at in the same way, must be caught.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from lab.stats.intervals import Interval, mean_interval, wilson
from lab.stats.sequential import Until, mean_sequence, proportion_sequence, ratio_sequence

LOOKS = np.unique(np.geomspace(5, 3000, 40).astype(int))
FALSE_ALARM = 1e-4


def share_sequence(won):
    return proportion_sequence(int(won.sum()), won.size)


def share_interval(won):
    return wilson(int(won.sum()), won.size)


def even_games(rng, n):
    return (rng.random(n) < 0.5,), 0.5


def rare_stalls(rng, n):
    return (rng.random(n) < 0.01,), 0.01


def turns(rng, n):
    return (rng.gamma(4, 4, n),), 16.0


def longest_turns(rng, n):
    """Return a very skewed metric: most games 1, few many."""
    return (rng.geometric(0.2, n) ** 2.0,), (2 - 0.2) / 0.2**2


def lunges(rng, n):
    flicks = 5 + rng.poisson(60, n)
    return (rng.binomial(flicks, rng.beta(4, 16, n)), flicks), 0.2


def rare_kills(rng, n):
    return (rng.poisson(0.05 * rng.gamma(1, 1, n)), 20 + rng.poisson(300, n)), 0.05 / 320


def wrong_runs(sequence, metric, runs):
    """Return in how many runs the truth lay outside at some look."""
    rng = np.random.default_rng(30)
    wrong = 0
    for _ in range(runs):
        columns, truth = metric(rng, LOOKS[-1])
        found = (sequence(*(column[:look] for column in columns)) for look in LOOKS)
        wrong += any(isinstance(estimate, Interval) and not estimate.contains(truth) for estimate in found)
    return wrong


def most(runs):
    """Return the most wrong runs that an error rate of 5 % allows."""
    return stats.binom.isf(FALSE_ALARM, runs, 0.05)


CASES = [
    (share_sequence, even_games),
    (share_sequence, rare_stalls),
    (mean_sequence, turns),
    (mean_sequence, longest_turns),
    (mean_sequence, rare_stalls),
    (ratio_sequence, lunges),
    (ratio_sequence, rare_kills),
]


@pytest.mark.parametrize(("sequence", "metric"), CASES)
def test_any_look_is_wrong_in_few_runs(sequence, metric):
    assert wrong_runs(sequence, metric, 150) <= most(150)


@pytest.mark.long
@pytest.mark.parametrize(("sequence", "metric"), CASES)
def test_any_look_is_wrong_in_few_of_many_runs(sequence, metric):
    assert wrong_runs(sequence, metric, 1000) <= most(1000)


@pytest.mark.parametrize(("interval", "metric"), [(share_interval, even_games), (mean_interval, turns)])
def test_ordinary_intervals_looked_at_often_are_caught(interval, metric):
    assert wrong_runs(interval, metric, 150) > most(150)


def stopped(until, sequence, rng, share, first=50):
    """Return the estimate at the first look that meets the rule; the looks are every 50 games."""
    won = rng.random(40_000) < share
    for look in range(first, won.size, 50):
        estimate = sequence(won[:look])
        if until.met(estimate):
            return estimate
    raise AssertionError("40,000 games must do")


@pytest.mark.parametrize("share", [0.5, 0.53, 0.9])
def test_a_run_that_stops_itself_reports_an_interval_that_holds(share):
    until = Until.parse("first_player_wins half-width 0.06")
    rng = np.random.default_rng(31)
    estimates = [stopped(until, share_sequence, rng, share) for _ in range(150)]
    assert all(estimate.half_width <= 0.06 for estimate in estimates)
    assert sum(not estimate.contains(share) for estimate in estimates) <= most(150)


def test_stopping_when_a_difference_shows_is_safe_with_a_sequence_alone():
    """The temptation itself: stop as soon as the interval leaves ½ out, in games that are even."""
    rng = np.random.default_rng(32)

    def unfair(interval):
        won = rng.random(3000) < 0.5
        return any(not interval(won[:look]).contains(0.5) for look in range(100, 3000, 100))

    assert sum(unfair(share_sequence) for _ in range(150)) <= most(150)
    assert sum(unfair(share_interval) for _ in range(150)) > most(150)
