"""A 95 % interval of each kind must cover the truth 95 % of the time, give or take 1.5 points.

Each case draws a fresh sample and says whether its interval held the truth. In the long form the share that
did must lie within 1.5 points of the level. A kind that covers 95 % exactly fails that in fewer than 1 of
10,000 runs (of 4,000 draws 1.5 points are 4.4 standard errors); one that covers less than 92 % or more than
97.5 % passes in fewer than 1 of 1,000. For the sensitivity analyses, with 1,500 draws, these are 1 in 100,
and 1 of 400 at 91.5 % or 98 %.

The short form, run every time, takes 250 draws, fails 1 run in 10,000 where the coverage is right, and
finds a coverage 12 points too low, or one of 100 %, with 99 %; with the 40 draws of the sensitivity
analyses, one 36 points too low. It catches a kind that is plainly wrong, such as each of the planted
faults.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import special, stats

from lab.stats.bootstrap import bootstrap_of_sums
from lab.stats.checks import check_proportion
from lab.stats.elo import ELO_PER_LOGIT, elo_of_score, elo_ratings
from lab.stats.intervals import (
    clopper_pearson,
    difference,
    mean_difference,
    mean_interval,
    quantile_interval,
    score_interval,
    wilson,
)
from lab.stats.logit import logit_slope
from lab.stats.paired import paired_means, paired_proportions, paired_ratios, seat_pairs
from lab.stats.ratios import ratio_bootstrap
from lab.stats.sensitivity import MorrisScreening, SobolSampling
from lab.stats.survival import survival

LEVEL = 0.95
Rng = np.random.Generator
Draw = Callable[[Rng], bool]
"""Draws a sample and says whether its interval held the truth."""


def lunges(rng, n, rate=4.0):
    """Return lunges and flicks of n games: a share that differs from game to game, 0.2 in the mean."""
    flicks = 5 + rng.poisson(60, n)
    return rng.binomial(flicks, rng.beta(rate, 4 * rate, n)), flicks


def rare_events(rng, n):
    """Return rare, clumped events and the flicks in which they might have happened: 0.5 in 320."""
    return rng.poisson(0.5 * rng.gamma(1, 1, n)), 20 + rng.poisson(300, n)


def covers_wilson(rng):
    p = rng.random()
    return wilson(rng.binomial(100, p), 100).contains(p)


def covers_wilson_rare(rng):
    p = rng.uniform(0.01, 0.05)
    return wilson(rng.binomial(200, p), 200).contains(p)


def covers_mean_of_five(rng):
    return mean_interval(rng.normal(3, 2, 5)).contains(3)


def covers_mean_of_turns(rng):
    return mean_interval(rng.gamma(4, 4, 100)).contains(16)


def covers_score(rng):
    scores = rng.choice([0, 0.5, 1], size=60, p=[0.05, 0.1, 0.85])
    return score_interval(scores).contains(0.9)


def covers_median(rng):
    return quantile_interval(rng.exponential(size=501), 0.5).contains(math.log(2))


def covers_ninetieth_percentile(rng):
    return quantile_interval(rng.exponential(size=1000), 0.9).contains(math.log(10))


def covers_difference_of_proportions(rng):
    p, q = rng.random(2)
    return difference(wilson(rng.binomial(80, p), 80), wilson(rng.binomial(50, q), 50)).contains(p - q)


def covers_difference_of_means(rng):
    return mean_difference(rng.normal(1, 1, 8), rng.normal(0, 4, 20)).contains(1)


def covers_difference_of_ratios(rng):
    a, b = ratio_bootstrap(*lunges(rng, 60)), ratio_bootstrap(*lunges(rng, 40, rate=20.0))
    return difference(a, b).contains(0)


def covers_ratio_of_thirty(rng):
    return ratio_bootstrap(*lunges(rng, 30)).contains(0.2)


def covers_ratio_of_rare_events(rng):
    return ratio_bootstrap(*rare_events(rng, 200)).contains(0.5 / 320)


def covers_ratio_of_blocks(rng):
    return ratio_bootstrap(*lunges(rng, 3000)).contains(0.2)


def covers_quotient_of_ratios(rng):
    """The kill rate inside over that outside: two ratios from the same games."""
    inside, exposed_inside = lunges(rng, 60)
    outside, exposed_outside = lunges(rng, 60, rate=20.0)
    sums = np.stack([inside, exposed_inside, outside, exposed_outside], axis=1).astype(float)
    return bootstrap_of_sums(sums, lambda s: s[..., 0] / s[..., 1] / (s[..., 2] / s[..., 3])).contains(1)


@dataclass(frozen=True)
class Course:
    """How games of two kinds, equally frequent, go: every man's hazard in a turn, and the game's of ending after it.

    Men of one game share their luck; where the kinds end at different times, as a stall lasts longest and takes
    fewest, who is still followed is no fair sample of the men who began.
    """

    hazard: tuple[float, float]
    over: tuple[float, float]
    turns: int = 6

    def played(self, rng: Rng, games: int, men: int = 12):
        """Return those lost and those at risk by game and turn; games that last longer are cut off, as at a cap."""
        kind = rng.integers(2, size=games)
        hazard, over = np.array(self.hazard)[kind], np.array(self.over)[kind]
        alive, lasts = np.full(games, men), np.ones(games, bool)
        lost, at_risk = np.zeros((2, games, self.turns))
        for turn in range(self.turns):
            at_risk[:, turn] = alive * lasts
            lost[:, turn] = rng.binomial(alive * lasts, hazard)
            alive = alive - lost[:, turn].astype(int)
            lasts &= rng.random(games) >= over
        return lost, at_risk

    @property
    def left(self) -> float:
        """What is left after all turns, of those who stay: each turn takes its share of those at risk in it."""
        hazard, over = np.array(self.hazard), np.array(self.over)
        followed = ((1 - hazard) * (1 - over)) ** np.arange(self.turns)[:, None]
        return float(np.prod(1 - (followed * hazard).sum(axis=1) / followed.sum(axis=1)))


STALLS = Course(hazard=(0.02, 0.38), over=(0.05, 0.2))
RARE = Course(hazard=(0.005, 0.01), over=(0.1, 0.1))


def covers_survival(rng):
    curve = survival(*STALLS.played(rng, 60))
    return curve.low[-1] <= STALLS.left <= curve.high[-1]


def covers_survival_where_few_are_lost(rng):
    curve = survival(*RARE.played(rng, 60))
    return curve.low[-1] <= RARE.left <= curve.high[-1]


def covers_logit_slope(rng):
    """Whether the side ahead wins, by its lead at half-time in men."""
    lead = rng.integers(-6, 7, 200)
    return logit_slope(rng.random(200) < special.expit(0.1 + 0.2 * lead), lead).contains(0.2)


def covers_paired_means(rng):
    shared = rng.gamma(4, 4, 40)
    return paired_means(shared + rng.normal(1, 2, 40), shared).difference.contains(1)


def covers_paired_proportions(rng):
    shared, both = rng.normal(size=(2, 100)), rng.normal(size=100)
    a, b = both + 0.7 * shared[0] > 0.5, both + 0.7 * shared[1] > 0.8
    sd = math.sqrt(1 + 0.49)
    return paired_proportions(a, b).difference.contains(stats.norm.sf(0.5 / sd) - stats.norm.sf(0.8 / sd))


def covers_paired_ratios(rng):
    flicks = 5 + rng.poisson(60, 50)
    share = rng.beta(4, 16, 50)
    a, b = rng.binomial(flicks, share), rng.binomial(flicks, share / 2)
    return paired_ratios(a, flicks, b, flicks).difference.contains(0.1)


def seat_swapped(rng, n):
    """Return A's scores first and second: each set-up favours the first seat by an amount of its own."""
    favour = rng.normal(0.3, 1, n)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    as_first = float(weights @ special.expit(0.5 + 0.3 + nodes))
    as_second = float(weights @ special.expit(0.5 - 0.3 + nodes))
    first = rng.random(n) < special.expit(0.5 + favour)
    second = rng.random(n) < special.expit(0.5 - favour)
    return first, second, (as_first + as_second) / 2, (as_first + 1 - as_second) / 2


def covers_seat_pairs_score(rng):
    first, second, score, _ = seat_swapped(rng, 100)
    return seat_pairs(first, second).score.contains(score)


def covers_seat_pairs_seat(rng):
    first, second, _, seat = seat_swapped(rng, 100)
    return seat_pairs(first, second).first_seat.contains(seat)


def covers_elo_of_score(rng):
    truth = float(special.logit(0.7)) * ELO_PER_LOGIT
    return elo_of_score(wilson(rng.binomial(301, 0.7), 301)).contains(truth)


def covers_elo_ratings(rng):
    truth = np.array([-100.0, 20.0, 80.0])
    first = rng.integers(3, size=300)
    second = (first + rng.integers(1, 3, size=300)) % 3
    share = special.expit((truth[first] - truth[second] + 50) / ELO_PER_LOGIT)
    scores = rng.binomial(2, share) / 2  # draws, with the expected score the model says
    return elo_ratings(first, second, scores).players[0].contains(truth[0])


def covers_elo_of_first_seat(rng):
    first, second, score, seat = seat_swapped(rng, 150)
    a, b = np.zeros(150, dtype=int), np.ones(150, dtype=int)
    as_first, as_second = special.logit(score + seat - 0.5), special.logit(score - seat + 0.5)
    ratings = elo_ratings(
        np.concatenate([a, b]),
        np.concatenate([b, a]),
        np.concatenate([first, ~second]),
        pairs=np.tile(np.arange(150), 2),
    )
    return ratings.first_seat.contains((as_first - as_second) / 2 * ELO_PER_LOGIT)


def screened(points):
    return points[:, 0] + np.sin(6 * points[:, 1]) * points[:, 2]


def covers_morris(rng):
    screening = MorrisScreening(3, trajectories=20, seed=int(rng.integers(2**31)))
    # Levels 0, 1/3, 2/3 and 1 of the second factor, steps of 2/3, and the mean of the third one's levels,
    # 1/2.
    rises = np.abs(np.sin([4.0, 6.0]) - np.sin([0.0, 2.0]))
    return screening.effects(screened(screening.points()))[1].mean_absolute.contains(rises.mean() * 0.75)


def covers_morris_mean(rng):
    screening = MorrisScreening(3, trajectories=20, seed=int(rng.integers(2**31)))
    rises = np.sin([4.0, 6.0]) - np.sin([0.0, 2.0])
    return screening.effects(screened(screening.points()))[1].mean.contains(rises.mean() * 0.75)


def ishigami(points):
    x = math.pi * (2 * points - 1)
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


ISHIGAMI_FIRST, ISHIGAMI_TOTAL = 0.3139, 0.5576
"""Indices of the first factor (Ishigami and Homma 1990, with a = 7 and b = 0.1)."""


def covers_sobol_first(rng):
    sampling = SobolSampling(3, base=64, seed=int(rng.integers(2**31)))
    return sampling.indices(ishigami(sampling.points()))[0].first.contains(ISHIGAMI_FIRST)


def covers_sobol_total(rng):
    sampling = SobolSampling(3, base=64, seed=int(rng.integers(2**31)))
    return sampling.indices(ishigami(sampling.points()))[0].total.contains(ISHIGAMI_TOTAL)


QUICK = [
    covers_wilson,
    covers_wilson_rare,
    covers_mean_of_five,
    covers_mean_of_turns,
    covers_score,
    covers_median,
    covers_ninetieth_percentile,
    covers_difference_of_proportions,
    covers_difference_of_means,
    covers_difference_of_ratios,
    covers_ratio_of_thirty,
    covers_ratio_of_rare_events,
    covers_ratio_of_blocks,
    covers_quotient_of_ratios,
    covers_survival,
    covers_survival_where_few_are_lost,
    covers_logit_slope,
    covers_paired_means,
    covers_paired_proportions,
    covers_paired_ratios,
    covers_seat_pairs_score,
    covers_seat_pairs_seat,
    covers_elo_of_score,
    covers_elo_ratings,
    covers_elo_of_first_seat,
]
SLOW = [covers_morris, covers_morris_mean, covers_sobol_first, covers_sobol_total]
"""Cases that take tens of milliseconds a draw."""


def covered(case: Draw, draws: int) -> int:
    rng = np.random.default_rng(20)
    return sum(bool(case(rng)) for _ in range(draws))


@pytest.mark.long
@pytest.mark.parametrize("case", QUICK + SLOW)
def test_intervals_cover_what_they_say(case):
    draws = 1500 if case in SLOW else 4000
    assert covered(case, draws) / draws == pytest.approx(LEVEL, abs=0.015)


@pytest.mark.parametrize("case", QUICK + SLOW)
def test_intervals_cover_about_what_they_say(case):
    draws = 40 if case in SLOW else 250
    check = check_proportion(covered(case, draws), draws, LEVEL, false_alarm=1e-4)
    assert check.passed, check


@pytest.mark.long
def test_the_exact_interval_never_covers_less():
    def covers(rng):
        p = rng.uniform(0.01, 0.3)
        return clopper_pearson(rng.binomial(60, p), 60).contains(p)

    # It covers 97 % here, by design; below 95 % the check would fail 1 run in a million were it exactly 95 %.
    assert covered(covers, 4000) >= stats.binom.ppf(1e-6, 4000, LEVEL)


def normal_for_student(rng):
    """Three values, and the normal quantile in place of Student's."""
    sample = rng.normal(3, 2, 3)
    return abs(sample.mean() - 3) <= 1.96 * stats.sem(sample)


def normal_for_wilson(rng):
    """The textbook interval of a rare event, p ± 1.96 √(p(1−p)/n)."""
    p = rng.binomial(50, 0.02) / 50
    return abs(p - 0.02) <= 1.96 * math.sqrt(p * (1 - p) / 50)


def flicks_for_games(rng):
    """Flicks taken as independent, though the share of lunges differs from game to game."""
    lunged, flicks = lunges(rng, 30)
    return wilson(int(lunged.sum()), int(flicks.sum())).contains(0.2)


def apart_for_paired(rng):
    """Two runs on shared seeds, analysed as if they had none in common."""
    shared = rng.gamma(4, 4, 40)
    return mean_difference(shared + rng.normal(1, 2, 40), shared + rng.normal(0, 2, 40)).contains(1)


def games_for_pairs(rng):
    """Seat-swapped games taken singly, where the set-up decides both games of a pair for one seat."""
    first_seat_wins = rng.random(100) < 0.5
    return wilson(2 * int(first_seat_wins.sum()), 200).contains(0.5)


def percentile_of_few(rng):
    """The plain percentile bootstrap of ten games with rare events."""
    events, flicks = rare_events(rng, 10)
    drawn = rng.integers(10, size=(400, 10))
    resampled = events[drawn].sum(axis=1) / flicks[drawn].sum(axis=1)
    low, high = np.quantile(resampled, [0.025, 0.975])
    return low <= 0.5 / 320 <= high


def men_for_games(rng):
    """Greenwood's interval of a survival curve, which takes men of one game as independent."""
    lost, at_risk = (part.sum(axis=0) for part in STALLS.played(rng, 60))
    left = np.prod(1 - lost / at_risk)
    return abs(left - STALLS.left) <= 1.96 * left * math.sqrt((lost / (at_risk * (at_risk - lost))).sum())


def stalled_for_survived(rng):
    """A survival curve for which men whose game is over have come through the turns that were not played."""
    lost, at_risk = STALLS.played(rng, 60)
    survivors = at_risk[:, :1] - np.cumsum(lost, axis=1)
    curve = survival(lost, np.concatenate([at_risk[:, :1], survivors[:, :-1]], axis=1))
    return curve.low[-1] <= STALLS.left <= curve.high[-1]


@pytest.mark.parametrize(
    "fault",
    [
        normal_for_student,
        normal_for_wilson,
        flicks_for_games,
        apart_for_paired,
        games_for_pairs,
        percentile_of_few,
        men_for_games,
        stalled_for_survived,
    ],
)
def test_the_short_form_catches_planted_faults(fault):
    check = check_proportion(covered(fault, 250), 250, LEVEL, false_alarm=1e-4)
    assert not check.passed, check


def test_saltelli_intervals_that_take_a_sobol_sequence_for_chance_are_caught():
    from SALib.analyze import sobol as analysis
    from SALib.sample import sobol as sampling

    cube = {"num_vars": 3, "names": ["a", "b", "c"], "bounds": [[0, 1]] * 3}

    def covers(rng):
        points = sampling.sample(cube, 256, calc_second_order=False, seed=rng.spawn(1)[0])
        metric = points @ np.array([1.0, 2.0, 4.0])
        found = analysis.analyze(cube, metric, calc_second_order=False, seed=int(rng.integers(1, 2**31)))
        return abs(found["S1"][2] - 16 / 21) <= found["S1_conf"][2]

    check = check_proportion(covered(covers, 250), 250, LEVEL, false_alarm=1e-4)
    assert not check.passed, check
