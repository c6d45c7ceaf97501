"""Dotfight's results are the same to the last bit for any workers, batches and interruptions."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from lab_processes import files

from lab.driver import RunInterrupted, run
from lab.progress import Progress
from lab.results.compact import write_part
from lab.results.run import Run
from lab.results.schema import schema_of
from lab.runners import plan
from lab.spec import Experiment

RULES = {"bases_per_side": 2, "soldiers_per_base": 3}
GAMES = 24
SEATS = {"first": {"name": "dawood"}, "second": {"name": "greedy"}}


def dotfight(games: int = GAMES) -> Experiment:
    return Experiment.parse({"game": "dotfight", "rules": RULES, "players": SEATS, "run": {"games": games, "seed": 11}})


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(dotfight(), tmp_path_factory.mktemp("bits") / "run", workers=0)


def bits(played: Run) -> dict[str, list[Any]]:
    """Return every column as it is in memory: the bytes of its values and of what says which are empty."""
    table = played.table().combine_chunks()
    return {
        name: [None if buffer is None else bytes(buffer) for buffer in table[name].chunk(0).buffers()]
        for name in table.column_names
    }


def check_same(played: Run, reference: Run) -> None:
    assert bits(played) == bits(reference)
    assert files(played.path) == files(reference.path)


def test_the_reference_is_a_run_worth_comparing(reference: Run):
    assert (reference.games, reference.failures) == (GAMES, [])
    assert len(bits(reference)) > 40
    assert len(set(reference.columns(["turns"])["turns"].tolist())) > 5


@pytest.mark.parametrize("largest", [1, 5])
def test_for_any_size_of_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: Run, largest: int):
    monkeypatch.setattr(plan, "LARGEST_BATCH", largest)
    check_same(run(dotfight(), tmp_path / "run", workers=0), reference)


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("workers", [1, 2])
def test_for_any_number_of_workers(tmp_path: Path, reference: Run, workers: int):
    check_same(run(dotfight(), tmp_path / "run", workers=workers), reference)


class _Interrupting(Progress):
    """Presses Ctrl-C once so many games are stored."""

    def __init__(self, games: int) -> None:
        super().__init__(None)
        self.left = games

    def advance(self, games: int) -> None:
        before, self.left = self.left, self.left - games
        if before > 0 >= self.left:
            os.kill(os.getpid(), signal.SIGINT)


def test_for_a_run_that_is_interrupted_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: Run):
    monkeypatch.setattr(plan, "LARGEST_BATCH", 3)
    for games in (4, 7):
        with pytest.raises(RunInterrupted):
            run(dotfight(), tmp_path / "run", workers=0, progress=_Interrupting(games))
    assert 11 <= Run(tmp_path / "run").games < GAMES
    check_same(run(dotfight(), tmp_path / "run", workers=0), reference)


@pytest.mark.long
@pytest.mark.usefixtures("cluster")
def test_for_a_run_that_is_interrupted_on_two_workers_and_extended(tmp_path: Path, reference: Run):
    with pytest.raises(RunInterrupted):
        run(dotfight(GAMES - 6), tmp_path / "run", workers=2, progress=_Interrupting(1))
    run(dotfight(GAMES - 5), tmp_path / "run", workers=0)
    check_same(run(dotfight(), tmp_path / "run", workers=2), reference)


def test_a_single_planted_bit_is_seen(tmp_path: Path, reference: Run):
    schema = schema_of(reference.adapter, reference.experiment.hash())
    table = reference.table().cast(schema)
    assert [write_part(tmp_path, 0, schema, table).path.name] == files(reference.path)
    place = next(place for place, field in enumerate(schema) if pa.types.is_floating(field.type))
    values = table.column(place).to_numpy().copy()
    values.view("int64")[7] ^= 1
    other = table.set_column(place, schema.field(place), pa.array(values, from_pandas=True))
    assert [write_part(tmp_path, 0, schema, other).path.name] != files(reference.path)
