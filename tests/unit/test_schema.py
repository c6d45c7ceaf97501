"""The results table: rows of the right types only, failures in words, identities that are really checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from coinrace.adapter import ADAPTER

from engine.rng import Streams
from lab.results.schema import (
    RowError,
    broken_identities,
    check_row,
    columns_of,
    failure,
    schema_of,
    table_of,
    unfit_rows,
)

RULES, STEADY = ADAPTER.game.rules(), ADAPTER.game.players["steady"]()
SCHEMA = schema_of(ADAPTER, "0" * 64)


def row(index: int = 0) -> dict[str, Any]:
    return dict(ADAPTER.measure(ADAPTER.game.play(RULES, (STEADY, STEADY), Streams(1, index))))


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"first_head": None, "tosses": np.int64(3), "share": np.float64(1), "runs": [3]},
        {"runs": np.array([], int)},
        {"runs": np.array([1, 2])},
        {"runs": [np.int64(1), 2**63 - 1]},
    ],
)
def test_a_row_of_the_game_is_accepted(change: dict[str, Any]):
    check_row(ADAPTER, row() | change)
    assert unfit_rows(ADAPTER, ["GameError: no", row(), row() | change]) == {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tosses": 3.0}, "tosses = 3.0 is no int"),
        ({"tosses": True}, "tosses = True is no int"),
        ({"tosses": 2**63}, "is no int"),
        ({"tosses": None}, "tosses is empty"),
        ({"share": 1}, "share = 1 is no float"),
        ({"share": float("nan")}, "share = nan is no float"),
        ({"decided": 1}, "decided = 1 is no bool"),
        ({"winner": 1}, "winner = 1 is no str"),
        ({"runs": [1, 2.0]}, "is no list"),
        ({"runs": [1, 2**63]}, "is no list"),
        ({"runs": [-(2**63) - 1]}, "is no list"),
        ({"runs": [1, True]}, "is no list"),
        ({"runs": "12"}, "is no list"),
        ({"runs": 3}, "is no list"),
        ({"extra": 3}, "columns missing or not declared: extra"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(change: dict[str, Any], said: str):
    with pytest.raises(RowError, match=said):
        check_row(ADAPTER, row() | change)
    unfit = unfit_rows(ADAPTER, ["GameError: no", row(), row() | change])
    assert list(unfit) == [2]
    assert said in unfit[2]


@pytest.mark.parametrize("column", ["heads", "first_head"])
def test_a_missing_column_is_refused(column: str):
    short = row()
    del short[column]
    with pytest.raises(RowError, match=f"columns missing or not declared: {column}"):
        check_row(ADAPTER, short)
    for wrong in (short, short | {"other": 1}):
        assert f"columns missing or not declared: {column}" in unfit_rows(ADAPTER, [row(), wrong])[1]


def test_what_is_no_row_at_all_is_refused():
    wrong: Any = None
    assert list(unfit_rows(ADAPTER, [wrong, row()])) == [0]


def test_a_table_keeps_every_value_and_leaves_failed_games_empty():
    first, third = row(5), row(7) | {"first_head": None}
    table = table_of(SCHEMA, 5, 1, [first, "GameError: no", third])
    assert table.schema.equals(SCHEMA, check_metadata=True)
    rows = table.to_pylist()
    assert rows[0] == {"game": 5, "seed": 1, "error": None, **first}
    assert rows[1] == dict.fromkeys(SCHEMA.names) | {"game": 6, "seed": 1, "error": "GameError: no"}
    columns = columns_of(table)
    assert columns["game"].tolist() == [5, 7]
    assert np.isnan(columns["first_head"]).tolist() == [False, True]
    assert columns["runs"][1].tolist() == third["runs"]
    assert columns["winner"].tolist() == [first["winner"], third["winner"]]


def test_a_table_of_failures_alone_has_empty_columns():
    columns = columns_of(table_of(SCHEMA, 0, 1, ["A: a", "B: b"]))
    assert {len(values) for values in columns.values()} == {0}
    assert broken_identities(ADAPTER, columns) == []


def test_identities_hold_in_rows_that_were_played():
    table = table_of(SCHEMA, 0, 1, [row(index) for index in range(50)])
    assert broken_identities(ADAPTER, columns_of(table)) == []


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ({"heads": 99}, ["heads add up", "no more heads than tosses"]),
        ({"runs": [1]}, ["runs make up the tosses"]),
        ({"decided": False}, ["a winner or none"]),
    ],
)
def test_a_planted_fault_breaks_its_identity_in_its_row(change: dict[str, Any], broken: list[str]):
    table = table_of(SCHEMA, 0, 1, [row(0), row(1), row(2) | change, row(3)])
    found = broken_identities(ADAPTER, columns_of(table))
    assert [name for name, _ in found] == broken
    assert all(rows.tolist() == [2] for _, rows in found)


def test_an_identity_without_its_columns_is_left_out():
    table = table_of(SCHEMA, 0, 1, [row() | {"heads": 99}])
    assert broken_identities(ADAPTER, columns_of(table, ["heads", "heads_first"])) == []


def test_a_failure_in_words_has_one_line_no_address_and_an_end():
    assert failure(ValueError("a\n b\x1b[31m at 0x7f00aa")) == "ValueError: a b\\x1b[31m at 0x…"
    assert failure(ValueError()) == "ValueError:"
    assert len(failure(ValueError("x" * 10_000))) == 500
