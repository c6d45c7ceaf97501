"""The trade-off front, by hand, and how its aims are read."""

from __future__ import annotations

import pytest

from lab.measures.front import Aim, front, parse_aim


def test_the_front_is_what_nothing_betters_in_both():
    points = [(1.0, 5.0), (2.0, 3.0), (3.0, 3.0), (4.0, 1.0), (4.0, 2.0)]
    assert front(points) == [True, True, False, True, False]


def test_equals_stand_on_the_front_together():
    assert front([(1.0, 1.0), (1.0, 1.0)]) == [True, True]


@pytest.mark.parametrize(
    ("text", "aim"),
    [
        ("turns", Aim("turns", "high")),
        ("turns:high", Aim("turns", "high")),
        ("turns:low", Aim("turns", "low")),
        ("first_player_wins:50", Aim("first_player_wins", 50.0)),
    ],
)
def test_an_aim_is_read(text: str, aim: Aim):
    assert parse_aim(text) == aim


@pytest.mark.parametrize("text", ["turns:lower", "turns:nan", "turns:inf", "turns:1e999"])
def test_what_is_no_aim_is_refused(text: str):
    with pytest.raises(ValueError):  # noqa: PT011 - the command line names the option
        parse_aim(text)


def test_a_loss_is_small_where_the_value_is_as_wanted():
    assert Aim("m", "low").loss(2.0) < Aim("m", "low").loss(3.0)
    assert Aim("m", "high").loss(3.0) < Aim("m", "high").loss(2.0)
    assert Aim("m", 50.0).loss(52.0) == Aim("m", 50.0).loss(48.0) < Aim("m", 50.0).loss(40.0)
