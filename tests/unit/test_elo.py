"""Ratings from games."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special

from lab.stats.elo import ELO_PER_LOGIT, elo_of_score, elo_ratings
from lab.stats.intervals import Interval, Undefined, wilson


def test_ten_to_one_is_400_points():
    found = elo_of_score(Interval(10 / 11, 0.5, 100 / 101, 50))
    assert (found.low, found.estimate, found.high) == pytest.approx((0, 400, 800))
    assert found.n == 50


@pytest.mark.parametrize("score", [wilson(10, 10), wilson(0, 10), wilson(0, 0)])
def test_a_one_sided_score_has_no_elo(score):
    assert isinstance(elo_of_score(score), Undefined)


def played(*results):
    """Return first, second and score of games from (first, second, wins, draws, losses of the first)."""
    first = np.concatenate([[a] * (w + d + x) for a, _, w, d, x in results])
    second = np.concatenate([[b] * (w + d + x) for _, b, w, d, x in results])
    return first, second, np.concatenate([[1] * w + [0.5] * d + [0] * x for *_, w, d, x in results])


def test_two_players_have_the_ratings_of_their_scores():
    found = elo_ratings(*played((0, 1, 70, 20, 10), (1, 0, 30, 20, 50)))
    as_first, as_second = special.logit(0.8), special.logit(1 - 0.4)
    strength, seat = (as_first + as_second) / 2, (as_first - as_second) / 2
    a, b = (player.estimate for player in found.players)
    assert (a, b) == pytest.approx((strength / 2 * ELO_PER_LOGIT, -strength / 2 * ELO_PER_LOGIT))
    assert found.first_seat.estimate == pytest.approx(seat * ELO_PER_LOGIT)


def test_the_interval_without_draws_is_that_of_log_odds():
    found = elo_ratings(*played((0, 1, 70, 0, 30), (1, 0, 30, 0, 70)))
    se_of_logit = 1 / math.sqrt(100 * 0.7 * 0.3)
    # The difference of the players is the mean of two logits; each rating is half of it.
    half_width = 1.959964 * se_of_logit / math.sqrt(2) / 2 * ELO_PER_LOGIT
    assert found.players[0].half_width == pytest.approx(half_width, rel=1e-4)


def test_draws_narrow_the_interval():
    with_draws = elo_ratings(*played((0, 1, 30, 60, 10), (1, 0, 10, 60, 30)))
    without = elo_ratings(*played((0, 1, 60, 0, 40), (1, 0, 40, 0, 60)))
    assert with_draws.players[0].half_width < 0.8 * without.players[0].half_width


def test_games_counted_twice_under_one_label_tell_nothing_new():
    first, second, scores = played((0, 1, 60, 5, 35), (1, 0, 45, 0, 55), (1, 2, 60, 0, 40), (2, 0, 20, 0, 80))
    label = np.arange(scores.size)
    once = elo_ratings(first, second, scores)
    twice = [np.tile(column, 2) for column in (first, second, scores)]
    labelled, unlabelled = elo_ratings(*twice, pairs=np.tile(label, 2)), elo_ratings(*twice)
    for a, b, c in zip(once.players, labelled.players, unlabelled.players, strict=True):
        assert b.half_width == pytest.approx(a.half_width)
        assert c.half_width == pytest.approx(a.half_width / math.sqrt(2)), "without labels they seem to"


def test_ratings_add_up_to_nothing():
    found = elo_ratings(*played((0, 1, 6, 0, 4), (1, 0, 5, 0, 5), (1, 2, 6, 0, 4), (2, 0, 2, 0, 8)))
    assert sum(player.estimate for player in found.players) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("games", "word"),
    [
        (([], [], []), "no games"),
        (played((0, 1, 5, 0, 5)), "swapped"),
        (played((0, 1, 5, 0, 5), (2, 3, 5, 0, 5), (1, 0, 5, 0, 5), (3, 2, 5, 0, 5)), "never met"),
        (played((0, 1, 5, 0, 0), (1, 0, 0, 0, 5)), "unbounded"),
        (played((0, 1, 5, 0, 5), (1, 0, 5, 0, 5), (2, 0, 5, 0, 0), (1, 2, 0, 0, 5)), "unbounded"),
    ],
)
def test_games_that_fix_no_ratings_say_why(games, word):
    found = elo_ratings(*games)
    assert isinstance(found, Undefined)
    assert word in found.reason


@pytest.mark.parametrize(
    "call",
    [
        lambda: elo_ratings([0], [0], [1]),
        lambda: elo_ratings([0, 1], [1, 0], [1, 2]),
        lambda: elo_ratings([0, 1], [1, 0], [1]),
        lambda: elo_ratings([-1, 0], [0, -1], [1, 0]),
    ],
)
def test_a_callers_mistake_is_refused(call):
    with pytest.raises(ValueError, match=r"."):
        call()
