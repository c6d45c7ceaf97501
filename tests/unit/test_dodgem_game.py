"""Dodgem's games: what is kept of them, their records, and their chance."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from typing import Any

import pytest

from engine.dodgem.game import GAME, Dodgem, in_memory
from engine.dodgem.match import Match
from engine.dodgem.players import PLAYERS, Easy, Hard, Normal, Perfect, Random
from engine.dodgem.rules import STUCK_RULES, DodgemRules, Side
from engine.errors import ConfigError, RecordError
from engine.rng import Streams


@pytest.mark.parametrize("first", ["up", "right"])
@pytest.mark.parametrize("stuck", STUCK_RULES)
def test_what_is_kept_adds_up(stuck: str, first: str):
    rules = DodgemRules.parse({"board": 4, "stuck": stuck, "first_mover": first})
    for index in range(50):
        game = GAME.play(rules, (Random(), Easy()), Streams(2, index))
        steps = list(game.steps())
        assert tuple(step.move for step in steps) == game.moves
        assert [step.seat for step in steps] == [number % 2 for number in range(len(steps))]
        assert all(game.seat_of(step.position.to_move) == step.seat for step in steps)
        assert len(game.moves_of(0)) + len(game.moves_of(1)) == len(game.moves) <= rules.max_moves
        assert game.end == steps[-1].position.after(steps[-1].move)
        for side in Side:
            assert game.cars_out(game.seat_of(side)) == game.end.cars_out(side)
        if game.verdict.decided_by == "out":
            assert game.winner is not None
            assert game.cars_out(game.winner) == rules.cars
        assert (game.winner is None) == (game.verdict.winner is None)


def test_a_record_is_plain_and_plays_again_to_the_same_game():
    for index in range(20):
        game = GAME.play(DodgemRules(board=4, stuck="passes"), (Normal(), Random()), Streams(9, index))
        record = json.loads(json.dumps(game.record(), allow_nan=False))
        assert record == game.record()
        assert GAME.replay(record) == game


def test_a_game_and_its_class_travel_between_processes():
    game = GAME.play(DodgemRules(), (Normal(), Hard(depth=2)), Streams(1, 1))
    assert pickle.loads(pickle.dumps(game)) == game
    again = pickle.loads(pickle.dumps(GAME)).play(game.rules, game.origin.players, Streams(1, 1))
    assert again == game


RECORD: dict[str, Any] = GAME.play(DodgemRules(), (Normal(), Random()), Streams(9, 0)).record()


def broken(path: str, value: Any) -> dict[str, Any]:
    record = deepcopy(RECORD)
    place: Any = record
    *way, last = path.split(".")
    for key in way:
        place = place[key]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return record


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("schema", "dodgem-record/0", "record.schema = 'dodgem-record/0'"),
        ("schema", None, "record.schema = None"),
        ("game", "chess", "record.game = 'chess'"),
        ("rules", None, "record.rules: is missing"),
        ("rules", 3, "record.rules = 3: must be a table"),
        ("rules.board", 1, "record.rules.board = 1"),
        ("rules.colour", "red", "record.rules.colour = 'red': unknown key"),
        ("players.third", {}, "record.players"),
        ("players.first", "easy", "record.players.first = 'easy': must be a table"),
        ("players.first.name", "expert", "record.players.first.name = 'expert': must be one of random, easy"),
        ("players.first.depth", 0, "record.players.first.depth = 0"),
        ("players.second.depth", 1, "record.players.second.depth = 1: unknown key"),
        ("seed", -1, "record.seed = -1"),
        ("index", "0", "record.index = '0'"),
        ("actions", "b1 up", "record.actions = 'b1 up': must be a list"),
        ("actions", [], "record.actions: end before the game is over"),
        ("actions", RECORD["actions"][:-1], "record.actions: end before the game is over"),
        ("actions", [*RECORD["actions"], "b1 up"], "record.actions"),
        ("actions", ["a3 right"], "record.actions[0]: column 1: no car of up stands on a3"),
        ("actions", ["b1 up", 7], "record.actions[1]: 7 is not a move"),
        ("result", {"winner": "nobody", "decided_by": "out"}, "record.result"),
        ("remark", "nice", "record.remark: unknown key"),
    ],
)
def test_a_record_that_is_not_one_is_refused(path: str, value: Any, problem: str):
    with pytest.raises(RecordError) as error:
        GAME.replay(broken(path, value))
    assert problem in str(error.value)


def test_a_side_has_the_same_chance_whoever_sits_opposite():
    """Common random numbers: a random player's first move depends on its own stream alone."""
    rules = DodgemRules(board=5)
    for index in range(20):
        openings = {GAME.play(rules, (Random(), foe), Streams(4, index)).moves[0] for foe in (Random(), Easy())}
        assert len(openings) == 1


def test_stuck_rules_share_the_game_up_to_the_first_stuck_side():
    games = [
        [
            GAME.play(DodgemRules.parse({"stuck": stuck}), (Random(), Random()), Streams(8, index))
            for stuck in STUCK_RULES
        ]
        for index in range(100)
    ]
    stuck_somewhere = 0
    for variants in games:
        length = min(len(game.moves) for game in variants)
        assert len({game.moves[:length] for game in variants}) == 1
        stuck_somewhere += len({game.verdict for game in variants}) > 1
    assert stuck_somewhere


def test_tables_are_asked_for_only_where_somebody_plays_perfectly():
    asked: list[tuple[int, str]] = []

    def tables(board: int, stuck: Any) -> Any:
        asked.append((board, stuck))
        return in_memory(board, stuck)

    game = Dodgem(tables)
    game.play(DodgemRules(board=5), (Normal(), Random()), Streams(1, 0))
    assert asked == []
    game.play(DodgemRules(stuck="loses"), (Normal(), Perfect()), Streams(1, 0))
    assert asked == [(3, "loses")]


def test_players_are_registered_by_their_names():
    assert list(PLAYERS) == ["random", "easy", "normal", "hard", "crazy", "perfect"]
    assert GAME.default_player in GAME.players


def test_levels_look_further_and_err_less_often():
    levels = [PLAYERS[name]().table() for name in ("easy", "normal", "hard", "crazy")]
    depths = [level["depth"] for level in levels]
    randomness = [level["randomness"] for level in levels]
    assert depths == sorted(set(depths))
    assert depths[0] == 1
    assert randomness == sorted(set(randomness), reverse=True)
    assert randomness[0] == pytest.approx(1 / 3)
    assert randomness[-1] == 0


@pytest.mark.parametrize(("key", "value"), [("depth", 0), ("depth", 2.5), ("randomness", 1.01), ("skill", 3)])
def test_options_out_of_range_are_refused(key: str, value: object):
    with pytest.raises(ConfigError, match=key):
        Easy.parse({key: value})


def test_a_game_goes_on_from_any_match():
    """Undo is keeping the match before: what was played from there on does not matter."""
    before = Match.begin(DodgemRules())
    one, other = (before.after(move) for move in before.legal_moves()[:2])
    assert before.moves == ()
    assert one.positions[0] == other.positions[0]
    assert one.position != other.position
