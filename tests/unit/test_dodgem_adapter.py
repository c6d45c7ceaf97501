"""Dodgem's row: what is counted of a game, and what a stuck rule changes in games of one seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.dodgem.board import PASS
from engine.dodgem.game import Dodgem, PlayedDodgem
from engine.dodgem.match import Match, Verdict
from engine.dodgem.notation import parse_move
from engine.dodgem.players import Random
from engine.dodgem.record import Origin
from engine.dodgem.rules import STUCK_RULES, DodgemRules, StuckRule
from engine.dodgem.state import move_of
from engine.rng import Streams
from lab.experiment_file import load
from lab.games.dodgem import describe, measure
from lab.results.run import Run
from lab.runners.batch import Batch, job_text, play_batch

CONFIGS = Path(__file__).parents[2] / "configs" / "dodgem"


def played(rules: DodgemRules, *moves: str) -> PlayedDodgem:
    match = Match.begin(rules)
    for text in moves:
        match = match.after(PASS if text == "pass" else parse_move(text, match.position))
    return PlayedDodgem(rules, Origin((Random(), Random()), 1, 0), match.moves, match.verdict or Verdict(None, "out"))


def test_the_row_of_a_game():
    line = ("c1 up", "a2 right", "c2 up", "b2 right", "c3 out", "c2 out", "b1 up", "a3 down", "b2 up", "a2 right")
    row = measure(played(DodgemRules(), *line, "b3 out"))
    assert row == {
        "winner": "first",
        "decided": True,
        "drawn": False,
        "first_won": True,
        "first_score": 1.0,
        "ended_out": True,
        "ended_stuck": False,
        "ended_limit": False,
        "ended_repetition": False,
        "moves": 11,
        "forward": 10,
        "sideways": 1,
        "passes": 0,
        "cars": 2,
        "out_first": 2,
        "out_second": 1,
        "loser_left": 1,
        "opening": "c1 up",
        "opening_sideways": False,
        "line": [6, 9, 15, 12, 24, 15, 3, 19, 12, 9, 21],
        "lead_changes": 0,
        "lead_final_share": 4 / 6,
        "drama": 0.0,
        "lead_half": 0,
    }


def test_seats_follow_the_first_mover():
    """The mirrored game, Right moving first, has the same row but for the names of squares."""
    line = ("a3 right", "b1 up", "b3 right", "b2 up", "c3 out", "b3 out", "a2 right", "c1 left", "b2 right", "b1 up")
    row = measure(played(DodgemRules(first_mover="right"), *line, "c2 out"))
    assert (row["winner"], row["out_first"], row["out_second"], row["loser_left"]) == ("first", 2, 1, 1)


def test_a_game_that_runs_out_of_moves():
    row = measure(played(DodgemRules(max_moves=2), "b1 left", "a2 right"))
    assert (row["winner"], row["drawn"], row["ended_limit"], row["first_score"]) == ("none", True, True, 0.5)
    assert row["loser_left"] is None
    assert row["opening_sideways"]


@pytest.mark.parametrize("first", ["up", "right"])
def test_the_line_can_be_read_back(first: str):
    """Passes included: 4 × 4 games of random moves in which a stuck side passes."""
    rules = DodgemRules.parse({"board": 4, "stuck": "passes", "first_mover": first})
    found = [Dodgem().play(rules, (Random(), Random()), Streams(8, index)) for index in range(60)]
    sides = (rules.first_side, rules.first_side.other)
    for game in found:
        line = measure(game)["line"]
        assert tuple(move_of(code, 4, sides[number % 2]) for number, code in enumerate(line)) == game.moves
    assert any(measure(game)["passes"] for game in found), "no game has a pass to read back"


def test_a_game_in_words():
    text = describe(played(DodgemRules(max_moves=3), "c1 up", "a2 right", "b1 left"))
    assert "  1. c1 up,  a2 right\n  2. b1 left\n" in text
    assert "nobody won after 3 moves, decided by: move limit" in text


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_config_is_an_experiment_that_can_be_played(path: Path):
    experiment = load(path)
    outcome = play_batch(Batch(job_text(experiment), 0, 2))
    assert outcome.table["error"].null_count == 2


def games_under(stuck: StuckRule, games: int) -> list[dict[str, object]]:
    """Games of the comparison's config, between random players, who do not look at the rule."""
    experiment = load(
        CONFIGS / f"stuck-{stuck}.toml", {"players.first.name": "random", "players.second.name": "random"}
    )
    table = play_batch(Batch(job_text(experiment), 0, games)).table
    assert set(table["seed"].to_pylist()) == {20261130}
    return table.to_pylist()


def test_the_stuck_rules_are_compared_on_the_same_seeds():
    """Random players play the same game under every rule until a side is stuck, and then only the rule differs."""
    rows = {stuck: games_under(stuck, 300) for stuck in STUCK_RULES}
    met = 0
    for wins, loses, draws, passes in zip(*(rows[rule] for rule in ("wins", "loses", "draws", "passes")), strict=True):
        assert wins["line"] == loses["line"] == draws["line"]
        if not wins["ended_stuck"]:
            assert wins == loses == draws == passes
            continue
        met += 1
        assert {wins["winner"], loses["winner"]} == {"first", "second"}
        assert draws["winner"] == "none"
        assert passes["line"][: len(wins["line"]) + 1] == [*wins["line"], -1]
    assert met >= 10, "too few games with a stuck side to show anything"


def test_another_seed_is_another_comparison():
    """The planted fault: on another seed the games differ though nobody is stuck."""
    experiment = load(CONFIGS / "stuck-wins.toml", {"players.first.name": "random", "run.seed": 5})
    other = play_batch(Batch(job_text(experiment), 0, 20)).table
    assert other["line"].to_pylist() != [row["line"] for row in games_under("wins", 20)]


def test_a_run_of_dodgem_is_a_run_like_any_other(tmp_path: Path):
    from lab.driver import run

    found = run(load(CONFIGS / "3x3.toml", {"run.games": 40}), tmp_path / "run", workers=0)
    assert isinstance(found, Run)
    assert found.games == 40
    estimates = {line.metric.name: line.estimate for line in found.summary()}
    assert estimates["ended_repetition"].estimate == 0
