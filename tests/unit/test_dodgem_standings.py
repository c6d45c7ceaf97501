"""Standings of a ladder from results made up for the purpose."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.dodgem.game import in_memory
from engine.errors import ConfigError
from lab.dodgem.ladder import Result, Rung, levels_called, rungs, variants
from lab.dodgem.ladder_report import level_rows, meeting_rows, report_text
from lab.dodgem.mistakes import Mistakes
from lab.dodgem.standings import Standings, standings
from lab.experiment_file import load
from lab.stats.intervals import Interval, Undefined

CONFIG = str(Path(__file__).parents[2] / "configs" / "dodgem" / "ladder.toml")


def result(first: str, second: str, scores: list[float], given: int = 0) -> Result:
    n = len(scores)
    away = np.zeros((n, 2, 3), np.int64)
    away[0, 0, 1] = given
    rung = Rung(3, first, second, load(CONFIG))
    moves = Mistakes(np.full((n, 2), 10, np.int64), away)
    return Result(rung, np.arange(n), np.array(scores), np.arange(n) == 0, moves, failures=0)


def ladder(levels: dict[str, float], games: int = 20) -> Standings:
    """A ladder in which a level of strength p takes share p / (p + q) of the points from one of strength q."""
    found: list[Result] = []
    for first, p in levels.items():
        for second, q in levels.items():
            wins = round(games * p / (p + q)) if first != second else games // 2
            found.append(result(first, second, [1.0] * wins + [0.0] * (games - wins)))
    return standings(in_memory(3, "wins"), found, list(levels))


def test_meetings_are_seen_from_one_side_and_hold_both_seats():
    found = ladder({"random": 1, "easy": 4})
    meeting = next(one for one in found.meetings if one.one != one.other)
    assert (meeting.one, meeting.other, meeting.games) == ("easy", "random", 40)
    assert isinstance(meeting.won, Interval)
    assert (meeting.won.estimate, meeting.points.estimate) == (0.8, 0.8)
    assert meeting.points.n == 20, "games of one index in both seats are one observation"
    assert meeting.stuck.estimate == 2 / 40
    mirror = next(one for one in found.meetings if one.one == one.other)
    assert mirror.games == 20


def test_ratings_follow_the_points():
    """Odds of 4 to 1 are 241 Elo points."""
    found = ladder({"random": 1, "easy": 4, "normal": 16})
    elos = [level.elo for level in found.levels]
    assert all(isinstance(elo, Interval) for elo in elos)
    values = [elo.estimate for elo in elos if isinstance(elo, Interval)]
    assert values == pytest.approx([-241, 0, 241], abs=12)
    assert isinstance(found.first_seat, Interval)
    assert found.first_seat.contains(0)


def test_who_wins_or_loses_every_game_is_above_or_below_all_rated():
    found = ladder({"random": 0, "easy": 1, "normal": 3, "perfect": 1e9})
    low, easy, normal, high = (level.elo for level in found.levels)
    assert isinstance(low, Undefined)
    assert isinstance(high, Undefined)
    assert (low.reason, high.reason) == ("below all rated", "above all rated")
    assert isinstance(easy, Interval)
    assert isinstance(normal, Interval)
    assert normal.estimate > easy.estimate


def test_two_levels_of_which_one_won_everything_cannot_be_rated():
    found = ladder({"random": 0, "perfect": 1})
    assert all(isinstance(level.elo, Undefined) for level in found.levels)
    assert "no two levels can be rated" in report_text([found])


def test_mistakes_are_counted_for_whoever_made_them():
    found = [
        result("random", "easy", [0.0, 1.0], given=3),
        result("easy", "random", [1.0, 0.0]),
        result("random", "random", [1.0, 0.0], given=2),
        result("easy", "easy", [1.0, 0.0], given=1),
    ]
    random, easy = standings(in_memory(3, "wins"), found, ["random", "easy"]).levels
    assert (random.moves, random.given_away) == (80, (0, 5, 0))
    assert (easy.moves, easy.given_away) == (80, (0, 1, 0))
    assert random.mistakes.estimate == 5 / 80


def test_the_ceiling_is_what_the_start_is_worth():
    assert ladder({"random": 1, "perfect": 9}).ceilings == (1.0, 0.0)
    drawn = replace(ladder({"random": 1, "perfect": 9}), table=in_memory(4, "wins"))
    assert drawn.ceilings == (0.5, 0.5)


def test_rows_have_one_shape():
    found = ladder({"random": 0, "easy": 1, "normal": 3, "perfect": 1e9})
    for rows in (meeting_rows([found]), level_rows([found])):
        assert len({tuple(row) for row in rows}) == 1
    by_level = {row["level"]: row for row in level_rows([found])}
    assert by_level["perfect"]["elo"] == ""
    assert by_level["perfect"]["first_ceiling"] == 1.0


def test_every_pairing_in_both_seatings_and_each_level_against_itself():
    found = variants([3, 4], ["random", "easy", "normal"])
    assert len(found) == len({repr(variant) for variant in found}) == 2 * 9
    names = {rung.name for rung in rungs(CONFIG, [3], ["random", "easy"], games=7)}
    assert names == {"3x3-random-easy", "3x3-easy-random", "3x3-random-random", "3x3-easy-easy"}


def test_rungs_differ_in_board_and_players_alone():
    found = rungs(CONFIG, [3, 4], ["random", "easy"], games=7)
    assert {rung.experiment.effort.seed for rung in found} == {20261130}
    assert {rung.experiment.effort.games for rung in found} == {7}
    assert {rung.rules.table()["stuck"] for rung in found} == {"wins"}


@pytest.mark.parametrize("names", [["easy", "nobody"], ["easy"], ["easy", "easy"]])
def test_levels_that_make_no_ladder(names: list[str]):
    with pytest.raises(ConfigError, match="--levels"):
        levels_called(names)


def test_levels_come_weakest_first():
    assert levels_called(["crazy", "random", "hard"]) == ["random", "hard", "crazy"]
