"""The published data and how it is mapped: nothing left out, rounded as stated, played by the rules of the record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lab.commands.reproduce import experiment_of
from lab.games import adapter_of
from lab.reports.reproduce.claims import SEPARATOR, measures
from lab.reports.reproduce.published import (
    SIZES,
    Row,
    claims,
    columns,
    published,
    quantities,
    record,
    rows,
    settings,
)

ROOT = Path(__file__).parents[2]
RECORD_ROWS = [row for row in rows() if row.record is not None]


def rules_and_players(row: Row) -> tuple[dict[str, Any], dict[str, Any]]:
    table = experiment_of(row, "full", 1).table()
    return table["rules"], table["players"]


def test_every_column_of_the_record_is_a_metric_or_a_setting():
    names = {name for cells in record().values() for name in cells}
    assert names == set(columns()) | settings()
    assert not set(columns()) & settings()


def test_every_row_of_the_record_is_played_once():
    assert sorted(row.record for row in RECORD_ROWS if row.record) == sorted(record())
    assert len({row.name for row in rows()}) == len(rows())


def test_every_metric_exists_and_matters_by_some_measure_or_has_a_law_of_its_own():
    known = {metric.name for metric in adapter_of("dotfight").metrics}
    for column in columns().values():
        assert column.metric in known
        assert column.matters or column.matters_share or column.metric.endswith("_max")


@pytest.mark.parametrize("name", columns())
def test_values_are_rounded_as_stated(name: str):
    """To that step, and not to one ten times coarser: of values that vary, some would else be no multiple of it."""
    column = columns()[name]
    values = [float(cells[name]) for cells in record().values() if cells.get(name)]
    step = column.rounded_to or 1.0
    assert all(abs(value / step - round(value / step)) < 1e-6 for value in values)
    if len(set(values)) > 2:
        assert not all(abs(value / step / 10 - round(value / step / 10)) < 1e-6 for value in values)


@pytest.mark.parametrize("row", RECORD_ROWS, ids=lambda row: row.name)
def test_a_row_is_played_by_the_rules_that_the_record_states(row: Row):
    assert row.record is not None
    cells = record()[row.record]
    rules, players = rules_and_players(row)
    assert (rules["bases_per_side"], rules["soldiers_per_base"]) == (int(cells["bases"]), int(cells["soldiers"]))
    assert (rules["reach_min"], rules["reach_max"], rules["reach_curve"]) == (300, 1800, 0.9)
    assert all(player["name"] == "dawood" and player["level"] == "steady" for player in players.values())
    stances = [cells.get(f"stance_{seat}") or "half" for seat in ("first", "second")]
    assert [players[seat]["stance"] for seat in ("first", "second")] == stances
    if "flat" in row.name:
        assert rules["garrison"] == "flat"
        losses = [cells.get("snipe_loss_empty") or "0.10", cells.get("lunge_shake_empty_rad") or "0.08"]
        assert [rules["flat_snipe_loss"], rules["flat_lunge_shake"]] == [float(loss) for loss in losses]
    else:
        assert rules["garrison"] == "manned"
        names = ("snipe_loss_empty", "snipe_loss_full", "garrison_curve")
        assert [rules[name] for name in names] == [float(cells[name]) for name in names]
        assert rules["lunge_shake_empty"] == float(cells["lunge_shake_empty_rad"])
        assert rules["lunge_shake_full"] == float(cells["lunge_shake_full_rad"])
    assert rules["link_tremor"] == float(cells.get("link_tremor_rad") or 0.05)


def test_sizes_grow_and_full_is_no_less_than_the_record():
    for row in rows():
        quick, default, full = (row.games[size] for size in SIZES)
        assert 20 <= quick <= default <= full
        assert row.record is None or full >= int(record()[row.record]["games"])


def test_rows_of_the_same_rules_are_different_games():
    played = [experiment_of(row, "quick", 1).hash() for row in rows()]
    assert len(set(played)) == len(played)


def test_every_claim_is_measured_or_names_its_sweep():
    measured = {quantity.claim for quantity in quantities()}
    assert measured <= {claim.name for claim in claims()}
    for claim in claims():
        assert claim.name in measured or claim.sweep
    assert len(claims()) == 15


def test_every_quantity_can_be_measured():
    names = {row.name: row for row in rows()}
    for quantity in quantities():
        assert quantity.measure in measures(adapter_of("dotfight"))
        assert (quantity.low is None) == (quantity.high is None)
        assert quantity.low is None or quantity.high is None or quantity.low < quantity.high
        for run in quantity.runs:
            manned, *flat = (names[name] for name in run.split(SEPARATOR))
            assert bool(flat) == (quantity.measure == "lengthening")
            for other in flat:
                assert other.seed_step == manned.seed_step
                (rules, players), (flat_rules, flat_players) = rules_and_players(manned), rules_and_players(other)
                assert players == flat_players
                assert (rules["garrison"], flat_rules["garrison"]) == ("manned", "flat")
                walls = ("garrison", "snipe_loss_empty", "snipe_loss_full", "lunge_shake_empty", "lunge_shake_full")
                rest = {key: value for key, value in rules.items() if key not in walls}
                assert rest == {key: value for key, value in flat_rules.items() if key not in walls}


def test_published_values_carry_their_games():
    row = next(row for row in rows() if row.name == "round-4-3x8-b-lin-85-100-all-v-all")
    values = {value.column.name: value for value in published(row)}
    assert values["more_inside_side_win_pct"].among == 0
    assert values["turns_mean"].games == 400
    assert values["turns_mean"].text == "28.8"
    assert values["stalled_pct"].text == "0"
    assert values["kill_rate_outside_per_100"].text == "24.83"
    assert values["turns_mean"].matters == pytest.approx(2.88)
    assert list(published(next(row for row in rows() if row.record is None))) == []
