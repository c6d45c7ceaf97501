"""Estimators: which games each counts, and what it says where there are none.

The intervals themselves are tested where they are made; here they are compared with the same function called on
the values picked by hand.
"""

from __future__ import annotations

import numpy as np
import pytest

from lab.estimators import Estimator, Maximum, Mean, Observed, Proportion, Quantile, Ratio
from lab.stats.intervals import Undefined, mean_interval, quantile_interval, wilson
from lab.stats.ratios import ratio_bootstrap

RNG = np.random.default_rng(7)
N = 80
COLUMNS = {
    "turns": RNG.integers(10, 40, N),
    "flicks": RNG.integers(20, 90, N),
    "lunges": RNG.integers(0, 20, N),
    "nothing": np.zeros(N, dtype=int),
    "decided": np.arange(N) % 4 > 0,
    "never": np.zeros(N, dtype=bool),
    "first_won": np.arange(N) % 3 == 0,
    "emptied": np.where(np.arange(N) % 5 == 0, np.nan, np.arange(N, dtype=float)),
    "absent": np.full(N, np.nan),
}
DECIDED = COLUMNS["decided"]
PRESENT = ~np.isnan(COLUMNS["emptied"])


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (Mean("turns"), mean_interval(COLUMNS["turns"])),
        (Mean("turns", "decided"), mean_interval(COLUMNS["turns"][DECIDED])),
        (Mean("emptied"), mean_interval(COLUMNS["emptied"][PRESENT])),
        (Mean("emptied", "decided"), mean_interval(COLUMNS["emptied"][PRESENT & DECIDED])),
        (Proportion("first_won"), wilson(27, N)),
        (Proportion("first_won", "decided"), wilson(int(sum(COLUMNS["first_won"][DECIDED])), 60)),
        (Quantile("turns", 0.9), quantile_interval(COLUMNS["turns"], 0.9)),
        (Ratio("lunges", "flicks"), ratio_bootstrap(COLUMNS["lunges"], COLUMNS["flicks"])),
        (Ratio("lunges", "flicks", 100), ratio_bootstrap(100.0 * COLUMNS["lunges"], COLUMNS["flicks"])),
        (
            Ratio("emptied", "flicks", among="decided"),
            ratio_bootstrap(COLUMNS["emptied"][PRESENT & DECIDED], COLUMNS["flicks"][PRESENT & DECIDED]),
        ),
        (Maximum("turns"), Observed(float(COLUMNS["turns"].max()), N)),
        (Maximum("emptied"), Observed(79.0, 64)),
    ],
)
def test_an_estimator_counts_the_games_it_says(estimator: Estimator, expected: object):
    assert estimator.estimate(COLUMNS) == expected


@pytest.mark.parametrize(
    ("estimator", "reason"),
    [
        (Mean("absent"), "no game has absent"),
        (Mean("turns", "never"), "no game with never"),
        (Proportion("first_won", "never"), "no game with never"),
        (Quantile("absent", 0.5), "no game has absent"),
        (Ratio("lunges", "nothing"), "nothing is 0 in all 80 games"),
        (Ratio("lunges", "flicks", among="never"), "no game with never"),
        (Maximum("absent"), "no game has absent"),
    ],
)
def test_where_there_is_nothing_to_estimate_from_the_reason_is_given(estimator: Estimator, reason: str):
    answer = estimator.estimate(COLUMNS)
    assert isinstance(answer, Undefined)
    assert answer.reason == reason


def test_an_estimator_names_its_columns():
    assert Mean("a").columns == ("a",)
    assert Proportion("a", "b").columns == ("a", "b")
    assert Ratio("a", "b", among="c").columns == ("a", "b", "c")
    assert Quantile("a", 0.5, "b").columns == ("a", "b")
    assert Maximum("a", "b").columns == ("a", "b")
