"""Standard errors of a comparison with rounded, published values: true where the two agree, and awake where not.

Record and lab are drawn from one law; the record publishes its estimate rounded. Over 300 such pairs the number with
|z| above 1.96 is binomial. Each bound below is passed by chance with probability 1e-4 at most. A standard error a
quarter too small would put 14 % beyond instead of 5 %, which the upper bound sees with probability 0.98.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from lab.estimators import Maximum, Mean, Proportion, Quantile, Ratio
from lab.games.adapter import Metric
from lab.reports.reproduce.comparing import FEWEST, Comparison, compare, deviate
from lab.reports.reproduce.published import Column, Published

PAIRS = 300
HERE, THERE = 120, 80
LEAST, MOST = (int(stats.binom.ppf(p, PAIRS, 0.05)) for p in (1e-4, 1 - 1e-4))

Games = Mapping[str, NDArray[Any]]


def games(rng: np.random.Generator, n: int, more: float = 1.0) -> Games:
    """Return n games whose values vary together as a game's do; ``more`` scales what they are about."""
    long = rng.gamma(8.0, more, n)
    flicks = 5 + rng.poisson(5 * long)
    return {
        "game": np.arange(n),
        "turns": 6 + rng.poisson(long),
        "flicks": flicks,
        "lunges": rng.binomial(flicks, np.clip(rng.normal(0.6, 0.1, n) * more, 0.01, 0.99)),
        "won": rng.random(n) < 0.4 * more,
        "counts": rng.random(n) < 0.8,
    }


METRICS = {
    "mean": (Mean("turns"), 0.1),
    "ratio": (Ratio("lunges", "flicks", 100.0), 1.0),
    "proportion": (Proportion("won"), 1.0),
    "proportion among": (Proportion("won", "counts"), 1.0),
    "coarse mean": (Mean("turns"), 1.0),
    "quantile": (Quantile("turns", 0.9), 0.0),
    "maximum": (Maximum("turns"), 0.0),
}
WHOLE = ("quantile", "maximum")


def metric_of(name: str) -> tuple[Metric, Column]:
    estimator, step = METRICS[name]
    unit = "%" if name.startswith("proportion") else ""
    return Metric(name, name, unit, "", estimator), Column(name, name, "", step, matters=1.0)


def publish(name: str, there: Games) -> Published:
    metric, column = metric_of(name)
    estimate: Any = metric.estimator.estimate(there)
    value = estimate.estimate * (100 if metric.unit == "%" else 1)
    step = column.rounded_to
    return Published(column, round(value / step) * step if step else value, len(there["game"]))


def comparisons(
    name: str, seed: int, more: float = 1.0, spoil: Callable[[Published], Published] = lambda published: published
) -> list[Comparison]:
    found: list[Comparison] = []
    for pair in range(PAIRS):
        rng = np.random.default_rng([seed, pair])
        published = spoil(publish(name, games(rng, THERE)))
        found.append(compare(published, metric_of(name)[0], games(rng, HERE, more)))
    return found


def beyond(found: list[Comparison], errors: float = 1.96) -> int:
    return sum(abs(one.z or 0.0) > errors for one in found)


@pytest.mark.parametrize("name", METRICS)
def test_where_both_agree_one_in_twenty_lies_beyond_two_standard_errors(name: str):
    found = comparisons(name, seed=1)
    assert beyond(found) <= MOST
    if name not in WHOLE:
        assert beyond(found) >= LEAST
        assert abs(np.mean([one.z for one in found])) < 0.2, "4 standard errors of the mean"


@pytest.mark.parametrize("name", METRICS)
def test_a_difference_is_seen(name: str):
    """Games half as long again, shares up by half: most pairs show it, to the side where it is."""
    found = comparisons(name, seed=2, more=1.5)
    share = {"proportion": 0.7, "proportion among": 0.55, "maximum": 0.4}.get(name, 0.9)
    assert np.mean([(one.z or 0.0) > 1.96 for one in found]) > share


@pytest.mark.parametrize("name", ["mean", "ratio", "proportion"])
def test_forgetting_that_the_record_is_a_sample_would_be_noticed(name: str):
    assert beyond(comparisons(name, seed=3, spoil=lambda value: replace(value, games=10**9))) > MOST


def test_forgetting_that_the_record_is_rounded_would_be_noticed():
    """Shares about 40 that spread by 7, published as 30 or 50."""

    def coarse(value: Published) -> Published:
        shown = round((value.value - 10) / 20) * 20 + 10
        return replace(value, value=shown, column=replace(value.column, rounded_to=step))

    step = 20.0
    assert beyond(comparisons("proportion", seed=4, spoil=coarse)) <= MOST
    step = 1.0
    assert beyond(comparisons("proportion", seed=4, spoil=coarse)) > MOST


def test_the_deviate_is_that_of_the_sum_of_both_errors():
    """Against the integral over the rounding error; far from rounding against d / √(s² + step²/12)."""
    for difference, error, step in ((0.4, 0.3, 1.0), (-1.3, 0.3, 1.0), (2.0, 0.5, 0.1), (0.6, 0.05, 1.0)):
        rounding = (np.arange(20_000) + 0.5) / 20_000 * step - step / 2
        d = abs(difference)
        chance = float(
            np.mean(stats.norm.sf((d - rounding) / error)) + np.mean(stats.norm.cdf((-d - rounding) / error))
        )
        z = deviate(difference, error, step)
        assert np.sign(z) == np.sign(difference)
        assert stats.norm.sf(abs(z)) * 2 == pytest.approx(chance, rel=1e-5)
    assert deviate(2.0, 1.0, 0.1) == pytest.approx(2 / np.sqrt(1 + 0.01 / 12), abs=1e-3)
    assert deviate(0.0, 0.0, 1.0) == pytest.approx(0, abs=1e-9)
    assert deviate(0.25, 0.0, 1.0) == pytest.approx(stats.norm.isf(0.25)), "half of all rounding errors are larger"
    assert deviate(0.51, 1e-3, 1.0) > 10, "no rounding does that"
    assert deviate(-1e9, 1.0, 0.1) < -30


def test_verdicts():
    rng = np.random.default_rng(5)
    metric, column = metric_of("mean")
    here, there = games(rng, 2000), publish("mean", games(rng, 2000))
    assert compare(there, metric, here).verdict == "agrees"
    assert compare(replace(there, value=there.value + 1), metric, here).verdict == "differs"
    few = games(rng, 50)
    assert compare(there, metric, few).verdict == "cannot tell"
    one = compare(replace(there, column=replace(column, matters=9.0)), metric, few)
    assert one.verdict == "agrees"
    assert one.detectable is not None
    assert one.detectable < 9
    tiny = compare(there, metric, games(rng, FEWEST - 1))
    assert (tiny.verdict, tiny.z, tiny.note) == ("cannot tell", None, "fewer than 20 games")


def test_a_value_that_may_be_late_agrees_up_to_so_much_below():
    rng = np.random.default_rng(6)
    metric, column = metric_of("mean")
    late = replace(column, late=1.0)
    here = games(rng, 5000)
    mean = float(np.mean(here["turns"]))
    for shift, z in ((0.0, 0.0), (0.5, 0.0), (1.0, 0.0)):
        assert compare(Published(late, mean + shift, 5000), metric, here).z == pytest.approx(z, abs=1e-9)
    assert (compare(Published(late, mean + 1.5, 5000), metric, here).z or 0.0) < -3
    assert (compare(Published(late, mean - 0.5, 5000), metric, here).z or 0.0) > 3


def test_a_value_of_no_games_is_not_compared():
    metric, column = metric_of("proportion")
    one = compare(Published(column, 0.0, 400, among=0), metric, games(np.random.default_rng(7), 100))
    assert (one.verdict, one.z, one.ours) == (None, None, None)


def test_a_maximum_is_shown_at_the_size_of_the_record():
    """Of 1 to 1000, the most of 10 games is at most x with probability (x/1000)^10."""
    metric, column = metric_of("maximum")
    here = {"game": np.arange(1000), "turns": np.arange(1, 1001)}
    ours = compare(Published(column, 900.0, 10), metric, here).ours
    assert ours is not None
    expected = [1000 * p ** (1 / 10) for p in (0.025, 0.5, 0.975)]
    assert [ours.low, ours.estimate, ours.high] == pytest.approx(expected, abs=1)


def test_the_law_of_maxima_is_that_of_exchangeable_games():
    """Of 30 games here and 20 there, the 3 highest are all here with probability 30·29·28 / (50·49·48)."""
    metric, column = metric_of("maximum")
    here = {"game": np.arange(30), "turns": np.array([5] * 27 + [9, 8, 7])}
    one = compare(Published(column, 6.0, 20), metric, here)
    assert one.p == pytest.approx(2 * 30 * 29 * 28 / (50 * 49 * 48))
    assert (one.z or 0.0) > 0
    below = compare(Published(column, 10.0, 20), metric, here)
    assert below.p == pytest.approx(2 * 20 / 50)
    assert (below.z or 0.0) < 0
    assert compare(Published(column, 9.0, 20), metric, here).z == 0
