"""Dotfight's rules and players' options are refused where they are wrong, with one clear error."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from engine.dotfight.game import DOTFIGHT
from engine.dotfight.players import PLAYERS
from engine.dotfight.rules import Rules
from engine.errors import ConfigError, GameError
from engine.parameters import Field, declared
from engine.rng import Streams

NUMBERS = [field for field in declared(Rules) if field.kind in (int, float)]
CHOICES = [field for field in declared(Rules) if field.kind not in (int, float, bool)]
SWITCHES = [field for field in declared(Rules) if field.kind is bool]


def refusal(**settings: object) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        Rules.parse(settings)
    return caught.value


def by_name(field: Field) -> str:
    return field.name


def out_of_range(field: Field) -> Iterator[float]:
    """Yield numbers just outside what a setting allows."""
    step = 1 if field.kind is int else 1e-6
    if field.param.low is not None:
        yield field.kind(field.param.low - step)
    if field.param.above is not None:
        yield field.kind(field.param.above)
        yield field.kind(field.param.above - step)
    if field.param.high is not None:
        yield field.kind(field.param.high + step)


def test_the_defaults_are_accepted_and_the_table_gives_them_back():
    assert Rules.parse(Rules().table()) == Rules()


@pytest.mark.parametrize("key", ["reach_mini", "Reach_min", "", "bases", "men", "numbers"])
def test_an_unknown_key_is_refused_with_those_that_are_known(key: str):
    error = refusal(**{key: 1})
    assert (error.key, error.value) == (key, 1)
    assert "unknown key" in error.allowed
    assert all(field.name in error.allowed for field in declared(Rules))


@pytest.mark.parametrize("value", ["8", None, True, [8], {}, "eight"])
@pytest.mark.parametrize("field", NUMBERS, ids=by_name)
def test_what_is_no_number_is_refused(field: Field, value: object):
    error = refusal(**{field.name: value})
    assert (error.key, error.value) == (field.name, value)
    assert error.allowed.startswith("must be a whole number" if field.kind is int else "must be a number")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", NUMBERS, ids=by_name)
def test_a_number_that_is_not_finite_is_refused(field: Field, value: float):
    error = refusal(**{field.name: value})
    assert error.key == field.name
    assert error.value is value


@pytest.mark.parametrize("field", [field for field in NUMBERS if field.kind is int], ids=by_name)
def test_a_broken_number_is_refused_where_a_whole_one_is_asked(field: Field):
    assert refusal(**{field.name: field.default + 0.5}).key == field.name


@pytest.mark.parametrize("field", NUMBERS, ids=by_name)
def test_every_number_has_a_range_and_what_lies_outside_is_refused(field: Field):
    outside = list(out_of_range(field))
    assert outside
    for value in outside:
        error = refusal(**{field.name: value})
        assert (error.key, error.value) == (field.name, value)
        assert field.param.range_words() in error.allowed


@pytest.mark.parametrize("field", SWITCHES, ids=by_name)
@pytest.mark.parametrize("value", [0, 1, "true", None])
def test_a_switch_is_true_or_false(field: Field, value: object):
    assert refusal(**{field.name: value}).allowed == "must be true or false"


@pytest.mark.parametrize("field", CHOICES, ids=by_name)
@pytest.mark.parametrize("value", ["", "Manned", 1, None, ["flat"]])
def test_a_choice_is_one_of_those_listed(field: Field, value: object):
    error = refusal(**{field.name: value})
    assert error.key == field.name
    assert str(field.default) in error.allowed


@pytest.mark.parametrize(
    ("settings", "key", "allowed"),
    [
        ({"reach_min": 500.0, "reach_max": 400.0}, "reach_min", "at most reach_max (400)"),
        ({"wild_reach_min": 1800.0}, "wild_reach_min", "below wild_reach_max (1800)"),
        ({"snipe_loss_empty": 0.9}, "snipe_loss_empty", "at most snipe_loss_full (0.85)"),
        ({"lunge_shake_empty": 1.5}, "lunge_shake_empty", "at most lunge_shake_full (1)"),
        ({"snipe_man_loss": -0.05}, "snipe_man_loss", "from 0 to 1"),
        ({"base_radius": 453.1}, "base_radius", "at most 453 to fit on the page"),
        ({"page_height": 155.0}, "base_radius", "at most 61.5 to fit on the page"),
        ({"jot_inset": 9.0}, "jot_inset", "below 8.85714 to leave room for dots"),
        ({"own_gap": 6.1}, "own_gap", "at least 6.2, so that no man is inside two bases"),
        ({"soldiers_per_base": 47}, "soldiers_per_base", "at most 46, what a base of radius 62 can hold"),
        ({"soldiers_per_base": 8, "base_radius": 25.0}, "soldiers_per_base", "at most 4"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(settings: dict[str, Any], key: str, allowed: str):
    error = refusal(**settings)
    assert error.key == key
    assert allowed in error.allowed
    assert f"{key} = " in str(error)
    assert allowed in str(error)


@pytest.mark.parametrize(
    "settings",
    [
        {"reach_min": 400.0, "reach_max": 400.0},
        {"snipe_loss_empty": 0.85},
        {"lunge_shake_empty": 1.0},
        {"base_radius": 453.0, "own_gap": 45.4},
        {"page_height": 156.0},
        {"own_gap": 6.2},
        {"base_radius": 499.8, "base_edge_gap": 0.1, "margin": 0.2, "base_margin_gap": 0.1, "own_gap": 50.0},
        {"soldiers_per_base": 46},
        {"snipe_man_loss": 0.0},
    ],
)
def test_at_the_very_edge_they_are_accepted(settings: dict[str, Any]):
    assert Rules.parse(settings).table() == {**Rules().table(), **settings}


@pytest.mark.parametrize("name", sorted(PLAYERS))
@pytest.mark.parametrize(
    ("options", "key"),
    [({"forbid": ["snipe"]}, "forbid"), ({"forbid": "lunge"}, "forbid"), ({"levle": "steady"}, "levle")],
)
def test_players_options_are_as_strict(name: str, options: dict[str, Any], key: str):
    with pytest.raises(ConfigError) as caught:
        PLAYERS[name].parse(options)
    assert caught.value.key == key


@pytest.mark.parametrize("options", [{"level": "blunt"}, {"stance": "some"}, {"perfect_jolts": "all"}, {"level": 1}])
def test_dawood_bots_choices_are_those_listed(options: dict[str, Any]):
    with pytest.raises(ConfigError, match="must be one of"):
        PLAYERS["dawood"].parse(options)


@pytest.mark.parametrize("name", sorted(PLAYERS))
@pytest.mark.parametrize("settings", [{"bases_per_side": 20}, {"enemy_gap": 2000.0}, {"own_gap": 2000.0}])
def test_a_page_that_cannot_hold_the_bases_is_an_error_that_names_the_seed(name: str, settings: dict[str, Any]):
    rules = Rules(**{"bases_per_side": 2, "soldiers_per_base": 1, **settings})
    with pytest.raises(GameError, match=r"cannot be drawn: no room found on the page \(R2.2; seed 77, game 5\)"):
        DOTFIGHT.play(rules, (PLAYERS[name](), PLAYERS[name]()), Streams(77, 5))


SMALL = {"bases_per_side": 2, "soldiers_per_base": 3, "max_turns": 12, "geometry": "kernel"}


@pytest.mark.parametrize("name", ["dawood", "random"])
@pytest.mark.parametrize("field", [field for field in NUMBERS if field.name not in SMALL], ids=by_name)
def test_a_number_at_either_end_of_its_range_is_played_or_refused(field: Field, name: str):
    for value in (field.param.low, field.param.high):
        assert value is not None, "there is no end"
        try:
            rules = Rules(**{**SMALL, field.name: field.kind(value)})
            played = DOTFIGHT.play(rules, (PLAYERS[name](), PLAYERS[name]()), Streams(1, 0))
        except (ConfigError, GameError):
            continue
        assert 1 <= played.record()["result"]["turns"] <= rules.max_turns


@pytest.mark.parametrize("value", [1e300, 10**400])
@pytest.mark.parametrize("field", NUMBERS, ids=by_name)
def test_a_number_beyond_any_game_is_refused(field: Field, value: float):
    assert refusal(**{field.name: value}).key == field.name


def test_a_dot_too_small_to_reckon_with_is_refused():
    assert refusal(dot_radius=1e-300).allowed == "must be a number from 1e-09 to 1e+09 (page units)"
