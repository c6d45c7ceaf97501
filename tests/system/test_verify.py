"""`lab verify`: a sound run passes, and every planted fault is named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from lab.cli import main
from lab.driver import run
from lab.results import provenance
from lab.results.compact import write_part
from lab.results.parts import find_parts
from lab.results.schema import schema_of
from lab.runners import plan
from lab.spec import Experiment
from lab.verify import faults

EXPERIMENT = Experiment.parse({"game": "coinrace", "run": {"games": 90}})


@pytest.fixture
def sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of 90 games in files of 30."""
    monkeypatch.setattr(plan, "LARGEST_BATCH", 30)
    monkeypatch.setattr("lab.results.store.compact", lambda *_: None)
    path = run(EXPERIMENT, tmp_path / "run", workers=0).path
    table = pa.concat_tables(piece for part in find_parts(path / "games").current for piece in part.tables())
    for part in find_parts(path / "games").current:
        part.path.unlink()
    for start in (0, 30, 60):
        write_part(path / "games", start, table.schema, table.slice(start, 30))
    return path


def middle(path: Path) -> Path:
    return next((path / "games").glob("part-00000030-*"))


def rewrite(path: Path, change: Callable[[list[dict[str, object]]], None]) -> None:
    """Put altered rows into a file that is whole in every other way."""
    part = find_parts(path / "games").current[1]
    rows = pa.concat_tables(part.tables()).to_pylist()
    change(rows)
    part.path.unlink()
    table = pa.Table.from_pylist(rows, schema=part_schema(path))
    write_part(path / "games", part.start, table.schema, table)


def part_schema(path: Path) -> pa.Schema:
    from lab.games import adapter_of

    return schema_of(adapter_of("coinrace"), EXPERIMENT.hash())


def test_a_sound_run_has_no_fault(sound: Path, capsys: pytest.CaptureFixture[str]):
    assert list(faults(sound, replayed=90)) == []
    assert main(["verify", str(sound)]) == 0
    assert capsys.readouterr().out == f"{sound}: nothing is wrong\n"


def truncate(path: Path) -> None:
    middle(path).write_bytes(middle(path).read_bytes()[:-50])


def alter(path: Path) -> None:
    whole = middle(path).read_bytes()
    middle(path).write_bytes(whole[:400] + bytes([whole[400] ^ 1]) + whole[401:])


def delete(path: Path) -> None:
    middle(path).unlink()


def copy_as_other_games(path: Path) -> None:
    shutil.copy(middle(path), middle(path).with_name(middle(path).name.replace("30-00000060", "90-00000120")))


def take_from_another_run(path: Path) -> None:
    other = run(
        Experiment.parse({"game": "coinrace", "run": {"games": 120, "seed": 2}}), path.parent / "other", workers=0
    )
    table = other.table().slice(90, 30)
    write_part(path / "games", 90, table.schema, table)


def leave_over(path: Path) -> None:
    part = find_parts(path / "games").current[1]
    table = pa.concat_tables(part.tables())
    write_part(path / "games", 30, table.schema, table.slice(0, 10))


def invent_a_seed(path: Path) -> None:
    rewrite(path, lambda rows: rows[0].update(seed=2))


def break_an_identity(path: Path) -> None:
    rewrite(path, lambda rows: rows[4].update(heads=99))


def improve_a_result(path: Path) -> None:
    def change(rows: list[dict[str, object]]) -> None:
        for row in rows:
            row["first_won"] = True

    rewrite(path, change)


def empty_a_value(path: Path) -> None:
    rewrite(path, lambda rows: rows[0].update(share=None))


def fill_a_failure(path: Path) -> None:
    rewrite(path, lambda rows: rows[0].update(error="GameError: planted"))


def change_the_code(path: Path) -> None:
    file = path / "provenance.json"
    table = json.loads(file.read_text())
    assert table["schema"] == provenance.SCHEMA
    file.write_text(json.dumps(table | {"code": "0" * 64}))


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (truncate, "is damaged"),
        (alter, "is damaged"),
        (delete, "games are missing: 30–59"),
        (copy_as_other_games, "holds other games than its name says"),
        (take_from_another_run, "belongs to another experiment"),
        (leave_over, "is left over from a crash"),
        (invent_a_seed, "has games of another seed"),
        (break_an_identity, "does not hold in game 34: heads add up"),
        (improve_a_result, "plays differently from its seed: first_won"),
        (empty_a_value, "share is empty in a game that was played"),
        (fill_a_failure, "winner is filled in a game that failed"),
        (change_the_code, "the game's code has changed"),
    ],
)
def test_a_planted_fault_is_named(
    sound: Path, capsys: pytest.CaptureFixture[str], plant: Callable[[Path], None], said: str
):
    plant(sound)
    assert main(["verify", str(sound), "--replay", "90"]) == 1
    assert said in capsys.readouterr().out


def test_a_doubled_file_is_refused(sound: Path, capsys: pytest.CaptureFixture[str]):
    shutil.copy(middle(sound), middle(sound).with_name("part-00000045-00000075.0123456789abcdef.parquet"))
    assert main(["verify", str(sound)]) == 1
    assert "0123456789abcdef.parquet: is damaged" in capsys.readouterr().err
