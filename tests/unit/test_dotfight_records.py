"""Dotfight's random streams are keyed, and its records replay exactly or are refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from engine.dotfight.actions import Action, Flick
from engine.dotfight.game import DOTFIGHT, Played
from engine.dotfight.players import PLAYERS
from engine.dotfight.rules import Rules
from engine.errors import RecordError
from engine.rng import Streams

SMALL = Rules(bases_per_side=2, soldiers_per_base=3, geometry="kernel")
NAMES = sorted(PLAYERS)
SEED_WITH_EVERYTHING = 18
Json = Any


@cache
def game(name: str = "random", seed: int = 1, index: int = 0, rules: Rules = SMALL) -> Played:
    return DOTFIGHT.play(rules, (PLAYERS[name](), PLAYERS[name]()), Streams(seed, index))


def text_of(played: Played) -> str:
    return json.dumps(played.record(), allow_nan=False)


def fresh_record() -> Json:
    """Return a record with flicks of both kinds, a send and an arrival; spoil it as you like."""
    record = game(seed=SEED_WITH_EVERYTHING).record()
    assert {action["do"] for action in record["actions"]} >= {"snipe", "lunge", "send", "arrive"}
    return copy.deepcopy(record)


# Keyed streams


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_and_index_give_the_same_record(name: str):
    DOTFIGHT.play(SMALL, (PLAYERS["random"](), PLAYERS["dawood"]()), Streams(9, 9))  # whatever was played before
    again = DOTFIGHT.play(SMALL, (PLAYERS[name](), PLAYERS[name]()), Streams(1, 0))
    assert text_of(again) == text_of(game(name))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("seed", "index"), [(1, 1), (2, 0)])
def test_another_index_or_seed_gives_another_game(name: str, seed: int, index: int):
    other, this = game(name, seed, index).record(), game(name).record()
    assert (other["seed"], other["index"]) == (seed, index)
    for part in ("bases", "men", "actions"):
        assert other[part] != this[part]


def test_swapping_seed_and_index_gives_another_game():
    assert game(seed=1, index=2).record()["men"] != game(seed=2, index=1).record()["men"]


def test_variants_on_the_same_seed_share_their_chance():
    """A rule that has nothing to do with it changes neither where bases and dots are nor the first flick."""
    this, other = game("dawood"), game("dawood", rules=Rules.parse({"last_stand_flicks": 3}, SMALL))
    assert other.start.men.tobytes() == this.start.men.tobytes()
    assert other.start.bases.tobytes() == this.start.bases.tobytes()
    assert other.actions()[0] == this.actions()[0]


def test_one_players_choices_leave_the_others_streams_alone():
    """Second is greedy in both games, and his setup does not depend on who sits opposite."""
    games = [
        DOTFIGHT.play(SMALL, (PLAYERS[name](), PLAYERS["greedy"]()), Streams(4, 0)) for name in ("random", "greedy")
    ]
    assert games[0].start.men.tobytes() == games[1].start.men.tobytes()
    assert games[0].actions() != games[1].actions()


@pytest.mark.parametrize("name", NAMES)
def test_the_geometry_changes_no_game(name: str):
    """Nor what a player makes of the page, though places agree to rounding only."""
    by_shapely = game(name, rules=Rules.parse({"geometry": "shapely"}, SMALL))
    for this, other in zip(by_shapely.actions(), game(name).actions(), strict=True):
        assert type(this) is type(other)
        for mine, theirs in zip(values(this), values(other), strict=True):
            assert mine == pytest.approx(theirs, rel=1e-9)


def values(action: Action) -> list[Any]:
    if isinstance(action, Flick):
        return [np.array(value) for value in action]
    return [np.array(getattr(action, field.name)) for field in fields(action)]


# Records


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("index", range(3))
def test_a_record_comes_back_from_json_byte_for_byte(name: str, index: int):
    text = text_of(game(name, index=index))
    assert text_of(DOTFIGHT.replay(json.loads(text))) == text


@pytest.mark.parametrize("name", NAMES)
def test_a_replay_has_the_same_log_and_the_same_page(name: str):
    played = game(name)
    again = DOTFIGHT.replay(played.record())
    assert [type(entry) for entry in again.log] == [type(entry) for entry in played.log]
    assert again.end.men.tobytes() == played.end.men.tobytes()
    assert again.end.pen.tobytes() == played.end.pen.tobytes()
    assert again.start.men.tobytes() == played.start.men.tobytes()


def test_a_record_says_what_it_is():
    record = fresh_record()
    assert record["schema"] == "dotfight-record/1"
    assert record["players"]["first"]["name"] == "random"
    assert record["rules"] == SMALL.table()
    assert (record["seed"], record["index"]) == (SEED_WITH_EVERYTHING, 0)


def refusal(record: Json) -> str:
    with pytest.raises(RecordError) as caught:
        DOTFIGHT.replay(record)
    return str(caught.value)


@pytest.mark.parametrize("schema", ["dotfight-record/2", "dotfight-record", "dodgem-record/1", "", None, 1])
def test_an_unknown_schema_is_refused(schema: object):
    assert "record.schema" in refusal({**fresh_record(), "schema": schema})


def test_a_record_of_another_game_is_refused():
    assert "record.game" in refusal({**fresh_record(), "game": "dodgem"})


@pytest.mark.parametrize("key", sorted(game().record()))
def test_a_record_that_lacks_something_is_refused(key: str):
    record = fresh_record()
    del record[key]
    assert f"record.{key}: missing" in refusal(record)


def change(*path: object, to: object) -> Callable[[Json], None]:
    def spoil(record: Json) -> None:
        for key in path[:-1]:
            record = record[key]
        record[path[-1]] = to

    return spoil


def first_of(kind: str, **change_to: object) -> Callable[[Json], None]:
    """Change the first action of a kind."""

    def spoil(record: Json) -> None:
        next(action for action in record["actions"] if action["do"] == kind).update(change_to)

    return spoil


def swap_winner(record: Json) -> None:
    record["result"]["winner"] = {"first": "second", "second": "first"}[record["result"]["winner"]]


def later_end(record: Json) -> None:
    record["result"]["turns"] += 1


def cut_short(record: Json) -> None:
    record["actions"].pop()


def play_on(record: Json) -> None:
    record["actions"].append({"do": "decline"})


def arrive_twice(record: Json) -> None:
    arrival = next(i for i, action in enumerate(record["actions"]) if action["do"] == "arrive")
    record["actions"].insert(arrival, record["actions"][arrival])


def arrive_elsewhere(record: Json) -> None:
    arrival = next(action for action in record["actions"] if action["do"] == "arrive")
    arrival["spots"][0][0] += 100.0


def arrive_as_another(record: Json) -> None:
    arrival = next(action for action in record["actions"] if action["do"] == "arrive")
    arrival["men"][0] = next(man for man in range(SMALL.men) if man not in arrival["men"])


def give_unused_chance(record: Json) -> None:
    next(action for action in record["actions"] if action["do"] == "lunge")["normals"] += [0.5] * 9


def overlapping_bases(record: Json) -> None:
    record["bases"][1] = record["bases"][0]


def man_out_of_bounds(record: Json) -> None:
    """The wall is 62 from the centre, and he may be placed 20 outside it."""
    x, y = record["bases"][0]
    record["men"][0] = [x, y - 82.1]


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (swap_winner, "record.result: says"),
        (later_end, "record.result: says"),
        (change("result", "stalled", to=True), "record.result: says"),
        (change("result", "stalled", to=None), "record.result.stalled = None: must be true or false"),
        (cut_short, "before the game is over"),
        (play_on, "record.actions: go on after the game is over"),
        (arrive_twice, "record.actions["),
        (arrive_elsewhere, "must lie in base"),
        (arrive_as_another, "what comes of it is"),
        (give_unused_chance, "what comes of it is"),
        (overlapping_bases, "record.bases[1]: too near base 0 (R2.2)"),
        (man_out_of_bounds, "record.men: man 0 stands too far from his base (R3.2)"),
        (change("men", 0, to=[1.0]), "record.men[0]"),
        (change("men", 0, 0, to=float("nan")), "record.men[0][0]"),
        (change("men", to=[]), "record.men"),
        (change("bases", to={}), "record.bases"),
        (change("rules", "reach_mini", to=1), "record.rules.reach_mini"),
        (change("rules", "reach_min", to=-1.0), "record.rules.reach_min"),
        (change("rules", to=[]), "record.rules"),
        (change("players", "first", to="random"), "record.players"),
        (change("seed", to=-1), "record.seed"),
        (change("index", to=1.5), "record.index"),
        (first_of("snipe", man=99), "man"),
        (first_of("snipe", man=True), "man"),
        (first_of("snipe", angle=float("inf")), "angle"),
        (first_of("snipe", length=0.0), "length"),
        (first_of("snipe", length=1e-300), "length"),
        (first_of("snipe", angle=10**400), "angle"),
        (first_of("snipe", bend=None), "bend"),
        (first_of("lunge", normals=["a"]), "normals"),
        (first_of("snipe", do="jump"), "do"),
        (first_of("send", to=99), "to"),
        (first_of("arrive", spots=[]), "spots"),
    ],
)
def test_a_record_that_has_been_tampered_with_is_refused(spoil: Callable[[Json], None], says: str):
    record = fresh_record()
    spoil(record)
    assert says in refusal(record)


@pytest.mark.parametrize(
    ("action", "clause"),
    [
        ({"do": "decline"}, "R4.4"),
        ({"do": "send", "from": 0, "to": 1, "men": [0]}, "R9.1"),
        ({"do": "snipe", "man": 3, "angle": 0.0, "length": 300.0, "bend": 0.0, "normals": []}, "R4.4"),
    ],
)
def test_an_illegal_action_is_refused_with_its_clause(action: Json, clause: str):
    """Men 3 to 5 are second's, and base 1 too."""
    record = fresh_record()
    record["actions"].insert(0, action)
    assert f"({clause})" in refusal(record)


@pytest.mark.parametrize("record", [[], {}, None, "record", 1])
def test_what_is_no_record_is_refused(record: Json):
    assert refusal(record).startswith("record")


# Nothing but RecordError, whatever is in it


def paths(value: Json, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """Yield the way to every value in a record but the rules, whose reading has tests of its own."""
    if path and path[0] == "rules":
        return
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from paths(item, (*path, key))


JUNK = (None, True, "junk", 0, -1, 10**30, 1e9, 1e300, 1e-320, float("nan"), [], {}, [[1.0]])


def test_junk_anywhere_is_refused_or_harmless():
    """Replace each value by junk: the record is refused, or what it says is what comes back."""
    record = fresh_record()
    rng = np.random.default_rng(20261130)
    refused = harmless = 0
    assert DOTFIGHT.replay(record).record() == record
    for path in paths(record):
        junk = JUNK[int(rng.integers(len(JUNK)))]
        spoilt = copy.deepcopy(record)
        change(*path, to=junk)(spoilt)
        try:
            played = DOTFIGHT.replay(spoilt)
        except RecordError:
            refused += 1
        else:
            harmless += 1
            assert played.record() == spoilt
    assert refused > 200
    assert harmless > 0


def test_lives_only_go_down_and_turns_only_up_in_every_log():
    for name in NAMES:
        flicks = [entry for entry in game(name).log if hasattr(entry, "flick")]
        for before, after in pairwise(flicks):
            assert after.turn >= before.turn
            assert all(a <= b for a, b in zip(after.living, before.living, strict=True))
