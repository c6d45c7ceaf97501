"""What every game must satisfy that joins the lab, whatever it is: the adapters are found, not listed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from engine.parameters import declared
from engine.rng import Streams
from lab.estimators import Observed
from lab.games import adapter_of, names
from lab.games.adapter import Adapter
from lab.results.schema import broken_identities, check_row, columns_of, schema_of, table_of
from lab.spec import Experiment
from lab.stats.intervals import Interval, Undefined

GAMES = 6

pytestmark = pytest.mark.parametrize("name", names())


def experiment_of(name: str) -> Experiment:
    return Experiment.parse({"game": name, "run": {"seed": 20261130}})


def play(name: str, index: int, seed: int | None = None) -> Any:
    experiment = experiment_of(name)
    streams = Streams(experiment.effort.seed if seed is None else seed, index)
    return adapter_of(name).game.play(experiment.rules, experiment.players, streams)


@cache
def some_games(name: str) -> list[Any]:
    return [play(name, index) for index in range(GAMES)]


def some_rows(name: str) -> list[dict[str, Any]]:
    return [dict(adapter_of(name).measure(played)) for played in some_games(name)]


def some_columns(name: str) -> dict[str, Any]:
    adapter = adapter_of(name)
    return columns_of(table_of(schema_of(adapter, "0" * 64), 0, 1, some_rows(name)))


def test_it_is_known_by_its_name_and_can_be_played_with_nothing_said(name: str):
    adapter = adapter_of(name)
    assert adapter.game.name == name
    assert adapter.game.default_player in adapter.game.players
    assert Experiment.parse(experiment_of(name).table()) == experiment_of(name)


def test_settings_say_what_they_are(name: str):
    game = adapter_of(name).game
    for settings in (game.rules, *game.players.values()):
        for field in declared(settings):
            assert field.param.doc, f"{settings.__name__}.{field.name} has no meaning"
            assert field.name != "name", f"{settings.__name__}: an experiment uses 'name' for the player"


def test_columns_and_metrics_say_what_they_are(name: str):
    adapter = adapter_of(name)
    for column in adapter.columns:
        assert column.meaning, f"column {column.name} has no meaning"
    for metric in adapter.metrics:
        assert metric.label, f"metric {metric.name} has no label"
        assert metric.definition, f"metric {metric.name} has no definition"


def test_a_game_is_a_function_of_seed_and_index_alone(name: str):
    forwards = [played.record() for played in some_games(name)[:3]]
    backwards = [play(name, index).record() for index in (2, 1, 0)]
    assert forwards == backwards[::-1]
    assert forwards[0] != forwards[1]
    assert play(name, 0, seed=1).record() != forwards[0]


def test_a_record_is_plain_json_and_replays_to_the_same_game(name: str):
    adapter = adapter_of(name)
    for played in some_games(name):
        record = played.record()
        text = json.dumps(record, allow_nan=False)
        assert json.loads(text) == record, "the record is not made of plain JSON values"
        assert isinstance(record.get("schema"), str), "the record names no schema"
        replayed = adapter.game.replay(json.loads(text))
        assert replayed.record() == record
        assert adapter.measure(replayed) == adapter.measure(played)


def test_rows_have_the_declared_columns_and_the_identities_hold(name: str):
    adapter = adapter_of(name)
    rows = some_rows(name)
    for row in rows:
        check_row(adapter, row)
        assert row["winner"] in ("first", "second", "none")
    table = table_of(schema_of(adapter, "0" * 64), 0, 1, rows)
    assert broken_identities(adapter, columns_of(table)) == []
    assert [{key: row[key] for key in rows[0]} for row in table.to_pylist()] == rows


def test_identities_are_not_empty_words(name: str):
    """Each identity catches a fault planted in a column that it reads."""
    adapter = adapter_of(name)
    columns = some_columns(name)
    assert adapter.identities
    for identity in adapter.identities:
        faults = [{**columns, name: wrong} for name in identity.columns for wrong in spoilt(columns[name])]
        only = replace(adapter, identities=(identity,))
        assert any(broken_identities(only, fault) for fault in faults), f"nothing breaks {identity.name!r}"


def spoilt(values: np.ndarray[Any, Any]) -> Iterator[np.ndarray[Any, Any]]:
    """Yield a column with values that are not its own: the opposite, far too large, far too small."""
    if values.dtype == bool:
        yield ~values
    elif values.dtype == object:
        wrong = np.empty_like(values)
        wrong[:] = ["nonsense" if isinstance(value, str) else np.append(value, 10**6) for value in values]
        yield wrong
    else:
        yield values + 10**6
        yield values - 10**6
        yield np.full_like(values, -(10**6))


def test_every_metric_has_a_value_or_a_reason(name: str):
    adapter: Adapter[Any] = adapter_of(name)
    some = some_columns(name)
    none = {key: values[:0] for key, values in some.items()}
    for metric in adapter.metrics:
        assert isinstance(metric.estimator.estimate(some), Interval | Observed | Undefined)
        nothing = metric.estimator.estimate(none)
        assert isinstance(nothing, Undefined), f"{metric.name} of no games"
        assert nothing.reason


def test_a_game_is_described_in_words(name: str):
    assert adapter_of(name).describe(some_games(name)[0]).strip()
