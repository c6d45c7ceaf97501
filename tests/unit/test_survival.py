"""Survival in a state that is entered and left, by hand; how often its interval covers is checked with the others."""

from __future__ import annotations

import numpy as np
import pytest

from lab.stats.survival import FEWEST, survival


def games(*rows: tuple[list[float], list[float]]):
    """Return games of each kind in turn, enough of them: those lost and those at risk, by turn."""
    return (np.repeat([row[part] for row in rows], FEWEST, axis=0) for part in (0, 1))


def test_what_is_left_is_the_product_over_turns_of_those_not_lost():
    curve = survival(*games(([10.0, 0.0, 30.0], [100.0, 90.0, 60.0])))
    assert curve is not None
    assert curve.estimate.tolist() == pytest.approx([1.0, 0.9, 0.9, 0.45])
    assert curve.low.tolist() == curve.high.tolist() == curve.estimate.tolist(), "games alike have no spread"


def test_games_are_pooled_and_late_comers_join_those_at_risk():
    # 55 came into the state after the first turn of every other game.
    curve = survival(*games(([5.0, 5.0], [50.0, 45.0]), ([0.0, 10.0], [50.0, 105.0])))
    assert curve is not None
    assert curve.estimate.tolist() == pytest.approx([1.0, 0.95, 0.95 * 0.9])
    assert curve.low[0] == curve.high[0] == 1
    assert (curve.low[1:] < curve.estimate[1:]).all()
    assert (curve.estimate[1:] < curve.high[1:]).all()


def test_games_with_nobody_at_risk_change_nothing():
    lost, at_risk = games(([5.0, 5.0], [50.0, 45.0]), ([0.0, 10.0], [50.0, 105.0]))
    curve = survival(lost, at_risk)
    more = survival(np.pad(lost, ((0, 9), (0, 0))), np.pad(at_risk, ((0, 9), (0, 0))))
    assert curve is not None
    assert more is not None
    assert np.array_equal([curve.estimate, curve.low, curve.high], [more.estimate, more.low, more.high])


def test_a_curve_ends_where_hardly_any_game_has_anyone_at_risk():
    at_risk = np.full((FEWEST, 4), 100.0)
    at_risk[0, 2] = 0
    curve = survival(np.zeros((FEWEST, 4)), at_risk)
    assert curve is not None
    assert len(curve.estimate) == 3
    assert survival(np.zeros((FEWEST - 1, 1)), np.full((FEWEST - 1, 1), 100.0)) is None
