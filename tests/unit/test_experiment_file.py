"""Experiment files: what they may leave out, what is refused, and how each refusal names what to mend."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import ConfigError
from lab.experiment_file import load, parse_change
from lab.spec import Experiment

FULL = """
game = "coinrace"
title = "Five heads"
[rules]
heads_to_win = 5
[players.first]
name = "steady"
heads = 0.25
[run]
games = 12
seed = 9
"""


@pytest.fixture
def write(tmp_path: Path):
    def write_file(text: str, name: str = "experiment.toml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write_file


def test_a_rule_set_is_an_experiment_with_defaults(write):
    experiment = load(write('game = "coinrace"'))
    assert experiment.rules.table() == {"heads_to_win": 3, "max_tosses": 40}
    assert [seat.table() for seat in experiment.seats] == [{"name": "steady", "heads": 0.5}] * 2
    assert experiment.effort.table() == {"games": 1000, "seed": 1, "time_limit_s": 600.0}


def test_everything_in_the_file_is_taken_up(write):
    assert load(write(FULL)).table() == {
        "game": "coinrace",
        "title": "Five heads",
        "rules": {"heads_to_win": 5, "max_tosses": 40},
        "players": {
            "first": {"name": "steady", "heads": 0.25},
            "second": {"name": "steady", "heads": 0.5},
        },
        "run": {"games": 12, "seed": 9, "time_limit_s": 600.0},
    }


def test_rules_from_takes_rules_and_nothing_else(write):
    write(FULL + "time_limit_s = 3\n", "base/five.toml")
    mine = 'game = "coinrace"\nrules_from = "../base/five.toml"\n[rules]\nmax_tosses = 50'
    path = write(mine, "a/mine.toml")
    experiment = load(path)
    assert experiment.rules.table() == {"heads_to_win": 5, "max_tosses": 50}
    assert experiment.effort.table() == {"games": 1000, "seed": 1, "time_limit_s": 600.0}
    assert experiment.seats[0].table() == {"name": "steady", "heads": 0.5}


def test_changes_reach_rules_by_bare_key_and_anything_by_dotted_key(write):
    changes = {"max_tosses": 60, "rules.heads_to_win": 7, "players.second.heads": 1, "run.seed": 4}
    experiment = load(write(FULL), changes)
    assert experiment.rules.table() == {"heads_to_win": 7, "max_tosses": 60}
    assert experiment.seats[1].table() == {"name": "steady", "heads": 1.0}
    assert experiment.effort.seed == 4


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("a=1", ("a", 1)),
        ("a = 1.5 ", ("a", 1.5)),
        ("a=true", ("a", True)),
        ('a="x y"', ("a", "x y")),
        ("players.first.stance=all", ("players.first.stance", "all")),
        ("a=[1, 2]", ("a", [1, 2])),
        ("a=b=c", ("a", "b=c")),
        ("a=", ("a", "")),
        ("a=1\nb = 2", ("a", "1\nb = 2")),
    ],
)
def test_a_change_is_a_toml_value_or_else_text(argument: str, expected: tuple[str, object]):
    assert parse_change(argument) == expected


@pytest.mark.parametrize("argument", ["a", "=1", "", " =3"])
def test_a_change_without_key_or_value_is_refused(argument: str):
    with pytest.raises(ConfigError, match="must be key=value"):
        parse_change(argument)


REFUSED = [
    # text of the file, key, a part of what is allowed
    ("", "game", "must be given"),
    ("game = 3", "game", "must be text"),
    ('game = "chess"', "game", "must be one of "),
    ('game = "coinrace"\nrulez = 1', "rulez", "unknown key; known here: game, title, rules_from, rules"),
    ('game = "coinrace"\ntitle = 1', "title", "must be text"),
    ('game = "coinrace"\nrules = 1', "rules", "must be a table"),
    ('game = "coinrace"\n[rules]\nheads = 1', "rules.heads", "unknown key; known here: heads_to_win"),
    ('game = "coinrace"\n[rules]\nheads_to_win = 0', "rules.heads_to_win", "from 1 to 100 (heads)"),
    ('game = "coinrace"\n[rules]\nheads_to_win = 2.0', "rules.heads_to_win", "a whole number"),
    ('game = "coinrace"\n[rules]\nheads_to_win = true', "rules.heads_to_win", "a whole number"),
    ('game = "coinrace"\n[rules]\nmax_tosses = 2', "rules.max_tosses", "must be at least heads_to_win"),
    ('game = "coinrace"\nplayers = "steady"', "players", "must be a table"),
    ('game = "coinrace"\n[players.third]\n', "players.third", "unknown key; known here: first, second"),
    ('game = "coinrace"\n[players]\nfirst = "steady"', "players.first", "must be a table"),
    ('game = "coinrace"\n[players.first]\nname = "x"', "players.first.name", "must be one of steady"),
    ('game = "coinrace"\n[players.first]\nname = 1', "players.first.name", "must be text"),
    ('game = "coinrace"\n[players.first]\nheads = 1.5', "players.first.heads", "from 0 to 1"),
    ('game = "coinrace"\n[players.first]\nheads = nan', "players.first.heads", "from 0 to 1"),
    ('game = "coinrace"\n[players.first]\nheads = inf', "players.first.heads", "from 0 to 1"),
    ('game = "coinrace"\n[players.first]\nhands = 1', "players.first.hands", "unknown key"),
    ('game = "coinrace"\n[run]\ngames = 0', "run.games", "from 1 to"),
    ('game = "coinrace"\n[run]\nseed = -1', "run.seed", "from 0"),
    ('game = "coinrace"\n[run]\nworkers = 2', "run.workers", "unknown key"),
    ('game = "coinrace"\n[rules]\nmax_tosses = ' + "9" * 400, "rules.max_tosses", "must fit into 64 bits"),
    ('game = "coinrace"\n[rules]\nmax_tosses = 0x' + "f" * 9000, "rules.max_tosses", "must fit into 64 bits"),
    ('game = "coinrace"\n[rules]\nmax_tosses = [0x' + "f" * 9000 + "]", "rules.max_tosses", "64 bits"),
    ('game = "coinrace"\n[rules]\nmax_tosses = 1979-05-27', "rules.max_tosses", "a whole number"),
]


@pytest.mark.parametrize(("text", "key", "allowed"), REFUSED)
def test_a_wrong_setting_is_refused_by_file_key_value_and_what_is_allowed(write, text, key, allowed):
    path = write(text)
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert caught.value.key == key
    assert caught.value.file == str(path)
    assert allowed in caught.value.allowed
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "allowed"),
    [
        (b"game = ", "is not TOML"),
        (b"game = 'a'\ngame = 'b'", "is not TOML"),
        (b"\xff\xfe", "UTF-8"),
        (b"a = " + b"[" * 5000, "nested too deeply"),
        (b"#" * (1 << 20) + b"#", "bytes long"),
        (b"a = " + b"1" * 5000, "cannot be read|is not TOML"),
    ],
)
def test_a_file_that_is_no_toml_is_refused(tmp_path: Path, content: bytes, allowed: str):
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=allowed):
        load(path)


@pytest.mark.parametrize("name", ["missing.toml", ".", "a\0b.toml", "x" * 5000, "pipe"])
def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path, name: str):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigError, match=r"cannot be read|must be a regular file"):
        load(tmp_path / name)


def test_the_error_of_a_change_names_the_command_line(write):
    with pytest.raises(ConfigError) as caught:
        load(write(FULL), {"max_tosses": "many"})
    assert (caught.value.file, caught.value.key) == ("command line", "rules.max_tosses")
    with pytest.raises(ConfigError, match=r"command line: title\.a\.b = 1: title is no table"):
        load(write(FULL), {"title.a.b": 1})


@pytest.mark.parametrize("key", ["a..b", ".", "rules.", "players.first", "game", "players.first.name.x"])
def test_a_change_of_something_odd_is_refused(write, key: str):
    with pytest.raises(ConfigError):
        load(write(FULL), {key: 1})


def test_rules_from_refuses_cycles_other_games_and_wrong_rules(write):
    one = write('game = "coinrace"\nrules_from = "two.toml"', "one.toml")
    two = write('game = "coinrace"\nrules_from = "one.toml"', "two.toml")
    with pytest.raises(ConfigError, match="must not lead back") as caught:
        load(one)
    assert (caught.value.key, caught.value.file) == ("rules_from", str(two))

    write('game = "faulty"', "two.toml")
    with pytest.raises(ConfigError, match="must be a rule set of 'coinrace'; this is one of 'faulty'"):
        load(one)

    write('game = "coinrace"\n[rules]\nheads_to_win = 0', "two.toml")
    with pytest.raises(ConfigError) as caught:
        load(one)
    assert (caught.value.key, caught.value.file) == ("rules.heads_to_win", str(two))

    two.unlink()
    with pytest.raises(ConfigError, match="cannot be read") as caught:
        load(one)
    assert (caught.value.key, caught.value.file) == ("rules_from", str(one))


def test_a_resolved_experiment_reads_back_as_itself(write):
    experiment = load(write(FULL))
    assert Experiment.parse(experiment.table()) == experiment


# Whatever is read, the only error is one that names what to mend.

KEYS = st.sampled_from(
    [
        "game",
        "title",
        "rules_from",
        "rules",
        "players",
        "run",
        "first",
        "second",
        "name",
        "heads",
        "heads_to_win",
        "max_tosses",
        "games",
        "seed",
    ]
)
VALUES = st.one_of(
    st.integers(), st.floats(), st.booleans(), st.text(max_size=5), st.sampled_from(["coinrace", "steady", "faulty"])
)
TABLES = st.recursive(VALUES, lambda inner: st.dictionaries(KEYS, inner) | st.lists(inner, max_size=2), max_leaves=12)


@given(st.dictionaries(KEYS, TABLES), st.booleans())
def test_any_tables_are_an_experiment_or_a_config_error(table: dict[str, object], named: bool):
    with suppress(ConfigError):
        experiment = Experiment.parse(table | ({"game": "coinrace"} if named else {}))
        assert Experiment.parse(experiment.table()) == experiment


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60) | st.text("game=\"'[]{}\\n#.,-+_0123456789einfatxyz\\\\ ", max_size=60).map(str.encode))
def test_any_bytes_are_an_experiment_or_a_config_error(tmp_path: Path, content: bytes):
    path = tmp_path / "any.toml"
    for text in (content, b'game = "coinrace"\n' + content):
        path.write_bytes(text)
        with suppress(ConfigError):
            assert load(path).game == "coinrace"


@given(st.text(max_size=30))
def test_any_change_is_taken_or_refused(argument: str):
    for text in (argument, f"a={argument}"):
        with suppress(ConfigError):
            assert parse_change(text)[0]
