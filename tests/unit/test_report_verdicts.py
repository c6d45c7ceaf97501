"""Verdicts: what an interval says of fairness, and how many games would settle what is open."""

from __future__ import annotations

import math

import pytest

from lab.reports.balance.effects_of import games_to_tell
from lab.reports.balance.model import Verdict
from lab.reports.balance.verdicts import SHOWN, fairness, undecided
from lab.reports.balance.wording import listed, rounded, shown
from lab.stats.intervals import Interval, Undefined, wilson


def share(estimate: float, low: float, high: float) -> Interval:
    return Interval(estimate, low, high, 100)


@pytest.mark.parametrize(
    ("interval", "answer"),
    [
        (share(0.51, 0.49, 0.53), "Fair"),
        (share(0.53, 0.505, 0.55), "Fair"),
        (share(0.50, 0.45, 0.55), "Fair"),
        (share(0.60, 0.551, 0.65), "Not fair"),
        (share(0.40, 0.35, 0.449), "Not fair"),
        (share(0.50, 0.44, 0.56), "Undecided"),
        (share(0.56, 0.52, 0.60), "Undecided"),
    ],
)
def test_fair_is_said_of_the_whole_interval(interval: Interval, answer: str):
    said = fairness(interval)
    assert said.answer == answer
    assert said.told == (answer != "Undecided")
    assert (said.needed is None) == said.told


def test_the_games_that_would_settle_it_do():
    """Were the share to stay even, it would be fair within 5 points after so many games, not after 0.9 of them."""
    needed = fairness(share(0.5, 0.4, 0.6)).needed
    assert needed is not None
    for games, answer in ((needed + 2, "Fair"), (int(0.9 * needed), "Undecided")):
        later = wilson(games // 2, games // 2 * 2)
        assert isinstance(later, Interval)
        assert fairness(later).answer == answer


def test_a_share_on_the_border_asks_for_many_games_but_not_for_all_there_are():
    needed = fairness(share(0.55, 0.5, 0.6)).needed
    assert needed is not None
    assert 10_000 < needed < 100_000


@pytest.mark.parametrize(
    ("ends", "limit", "games"),
    [
        (Interval(0.0, -4.0, 4.0, 100), 2.0, 400),  # half as wide: within 2 on either side
        (Interval(6.0, -2.0, 14.0, 100), 2.0, 178),  # (8 / 6)²: leaves 0 out
        (Interval(1.0, -4.0, 6.0, 100), 2.0, 2500),  # (5 / 1)²: either, at 1 from both
        (Interval(3.0, 2.0, 4.0, 100), 2.0, 100),  # settled already
    ],
)
def test_games_that_tell_a_difference_from_one_that_matters(ends: Interval, limit: float, games: int):
    assert games_to_tell(ends, limit) == games


def test_the_first_screen_lists_a_few_open_questions_and_counts_the_rest():
    many = undecided([f"question {i}" for i in range(12)])
    assert not many.told
    assert many.answer == "12 questions"
    assert len(many.lines) == SHOWN
    assert many.lines[-1] == f"{12 - SHOWN + 1} more, listed below."
    none = undecided([])
    assert none == Verdict("What is undecided?", "Nothing among the headline numbers", True, ())


def test_numbers_are_worded_with_their_intervals():
    assert shown(Interval(0.5, 0.45, 0.55, 9), 100, "%") == "50% (95% interval 45 to 55)"
    assert shown(Interval(-1.5, -2.0, -1.0, 9), 1, "turns", "+") == "−1.5 turns (95% interval −2.0 to −1.0)"
    assert shown(Undefined("no sends", 0)) == "undefined: no sends"


def test_numbers_of_games_are_rounded_up_to_two_digits():
    assert [rounded(games) for games in (7.2, 99.5, 385, 1234, 99_400)] == ["8", "100", "390", "1,300", "100,000"]
    assert math.isfinite(float(rounded(1e12).replace(",", "")))


def test_words_are_listed():
    assert [listed(words) for words in ([], ["a"], ["a", "b"], list("abc"), list("abcdef"))] == [
        *("", "a", "a and b", "a, b and c", "a, b, c, d and 2 more"),
    ]
