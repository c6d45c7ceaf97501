"""Adapters: what does not fit together is refused when it is made; games are found by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from coinrace.adapter import ADAPTER

from engine.errors import ConfigError
from lab import games
from lab.estimators import Mean
from lab.games.adapter import WINNER, Column, Identity, Metric
from lab.views import Spread, Views

TOSSES = ADAPTER.column("tosses")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"columns": ADAPTER.columns[1:]}, "with WINNER among them"),
        ({"columns": (*ADAPTER.columns, TOSSES)}, r"unique identifiers.*'tosses'"),
        ({"columns": (*ADAPTER.columns, replace(TOSSES, name="a b"))}, "'a b'"),
        ({"columns": (*ADAPTER.columns, replace(TOSSES, name="seed"))}, "'seed'"),
        ({"metrics": (*ADAPTER.metrics, ADAPTER.metrics[0])}, "metric names must be unique"),
        ({"metrics": (Metric("x", "X", "", "x", Mean("y")),)}, r"'x' reads columns that do not exist: \['y'\]"),
        ({"views": Views(length=Spread("Length", "laps", "laps"))}, r"'views' reads columns.*\['laps'\]"),
        ({"views": Views(headline=("luck",))}, r"views name metrics that do not exist: \['luck'\]"),
        ({"views": Views(trade=("tosses:low", "luck:50"))}, r"\['luck'\]"),
        ({"identities": (Identity("z", ("w",), lambda c: c["w"]),)}, r"'z' reads columns that do not exist"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], said: str):
    with pytest.raises(ValueError, match=said):
        replace(ADAPTER, **change)


def test_columns_and_metrics_are_found_by_name():
    assert ADAPTER.column("winner") == WINNER
    assert ADAPTER.metric("tosses").estimator == Mean("tosses")
    assert isinstance(ADAPTER.column("runs"), Column)
    with pytest.raises(KeyError):
        ADAPTER.column("runes")


def test_games_of_other_distributions_are_found_by_their_entry_point():
    assert {"coinrace", "faulty"} <= set(games.names())
    assert games.adapter_of("coinrace") is ADAPTER


@pytest.mark.parametrize("name", ["", "adapter", "__init__", "os", "coinrace.adapter", "../x"])
def test_what_is_no_game_is_refused(name: str):
    with pytest.raises(ConfigError, match=r"must be one of .*coinrace, .*faulty"):
        games.adapter_of(name)
