"""Scores as values: streaks, rates, games counted once, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.errors import RecordError
from lab.dodgem.scorebook import Result, Scorebook, Setting, Tally

EASY = Setting(3, "easy", "wins")
HARD = Setting(5, "hard", "draws")


def tally(results: str) -> Tally:
    words: dict[str, Result] = {"w": "win", "l": "loss", "d": "draw"}
    found = Tally()
    for number, letter in enumerate(results):
        found = found.with_game(words[letter], str(number))
    return found


@pytest.mark.parametrize(
    ("results", "wins", "losses", "draws", "streak", "best"),
    [
        ("", 0, 0, 0, 0, 0),
        ("w", 1, 0, 0, 1, 1),
        ("wwl", 2, 1, 0, 0, 2),
        ("wwdw", 3, 0, 1, 1, 2),
        ("lwwwlww", 5, 2, 0, 2, 3),
        ("ddl", 0, 1, 2, 0, 0),
    ],
)
def test_results_add_up(results: str, wins: int, losses: int, draws: int, streak: int, best: int):
    found = tally(results)
    assert (found.wins, found.losses, found.draws) == (wins, losses, draws)
    assert (found.streak, found.best_streak) == (streak, best)
    assert found.games == len(results)


def test_win_rate():
    assert tally("").win_rate == 0
    assert tally("wldd").win_rate == 0.25


def test_a_game_counts_once():
    once = Tally().with_game("win", "a")
    assert once.with_game("win", "a") == once
    assert once.with_game("win", "b").wins == 2


def test_settings_are_kept_apart():
    book = Scorebook().with_game(EASY, "win", "a").with_game(HARD, "loss", "b").with_game(EASY, "win", "c")
    assert (book.of(EASY).wins, book.of(HARD).losses) == (2, 1)
    assert book.of(Setting(3, "easy", "loses")) == Tally()


def test_a_game_counts_once_though_another_setting_was_played_since():
    book = Scorebook().with_game(EASY, "win", "a").with_game(HARD, "loss", "b")
    assert book.with_game(EASY, "win", "a") == book


def test_a_book_reads_back():
    book = Scorebook().with_game(EASY, "win", "a").with_game(HARD, "draw", "b")
    assert Scorebook.parse(json.loads(json.dumps(book.table()))) == book


def spoilt(**changes: Any) -> dict[str, Any]:
    table = Scorebook().with_game(EASY, "win", "a").table()
    table["scores"][0].update(changes)
    return table


@pytest.mark.parametrize(
    "table",
    [
        None,
        [],
        {},
        {"schema": "rules-lab/dodgem-scores/1"},
        {"schema": "rules-lab/dodgem-scores/1", "scores": [1]},
        spoilt(board=6),
        spoilt(board=True),
        spoilt(level="random"),
        spoilt(stuck="maybe"),
        spoilt(wins=-1),
        spoilt(wins=1.0),
        spoilt(wins=None),
        spoilt(losses=-1),
        spoilt(streak=2),
        spoilt(best_streak=2),
        spoilt(last_game=3),
        {**spoilt(), "scores": spoilt()["scores"] * 2},
    ],
)
def test_what_is_no_book_is_refused(table: object):
    with pytest.raises(RecordError):
        Scorebook.parse(table)
