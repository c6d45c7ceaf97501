"""Parts of a run: found, missing, damaged, joined; and what a crash at any moment of joining leaves."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from coinrace.adapter import ADAPTER

from lab.errors import RunError
from lab.results import compact as compacting
from lab.results.compact import compact, regroup, write_part
from lab.results.files import drafting, remove_leftovers
from lab.results.parts import find_parts, ranges_text
from lab.results.schema import schema_of, table_of

SCHEMA = schema_of(ADAPTER, "0" * 64)
GAMES = 600
RNG = np.random.default_rng(0)
TEXTS = [bytes(RNG.integers(65, 90, 200, dtype=np.uint8)).decode() for _ in range(GAMES)]


@pytest.fixture(autouse=True)
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row groups of 64 games, so that a few hundred games show what millions do."""
    monkeypatch.setattr(compacting, "ROW_GROUP", 64)
    monkeypatch.setattr(regroup, "__defaults__", (64,))


def table(start: int, stop: int) -> pa.Table:
    return table_of(SCHEMA, start, 1, TEXTS[start:stop])


def written(folder: Path, cuts: list[int]) -> Path:
    folder.mkdir(exist_ok=True)
    for start, stop in pairwise(cuts):
        write_part(folder, start, SCHEMA, table(start, stop))
    return folder


def content(folder: Path) -> pa.Table:
    return pa.concat_tables(piece for part in find_parts(folder).current for piece in part.tables())


def test_parts_are_found_in_order_and_what_lacks_is_told(tmp_path: Path):
    folder = written(tmp_path / "games", [100, 130])
    written(folder, [10, 40, 50])
    parts = find_parts(folder)
    assert [(part.start, part.stop) for part in parts.current] == [(10, 40), (40, 50), (100, 130)]
    assert parts.games == 70
    assert parts.missing(200) == [(0, 10), (50, 100), (130, 200)]
    assert parts.missing(120) == [(0, 10), (50, 100)]
    assert parts.missing(45) == [(0, 10)]
    assert find_parts(folder).missing(10) == [(0, 10)]


def test_no_parts_lack_everything(tmp_path: Path):
    assert find_parts(tmp_path).missing(7) == [(0, 7)]


def test_ranges_in_words():
    assert ranges_text([(0, 1), (3, 8)]) == "0, 3–7"
    assert ranges_text([(index, index + 1) for index in range(0, 20, 2)], limit=2) == "0, 2 and 8 more"


@pytest.mark.parametrize(
    "cuts", [[*range(0, 600, 7), 600], [*range(0, 600, 64), 600], [0, 1, 64, 65, *range(100, 601, 50)]]
)
@pytest.mark.parametrize("file_bytes", [20_000, 40_000, 1 << 30])
def test_joined_files_depend_on_the_games_alone(tmp_path: Path, cuts: list[int], file_bytes: int):
    folder = written(tmp_path / "games", cuts)
    compact(folder, find_parts(folder).current, SCHEMA, file_bytes)
    reference = written(tmp_path / "reference", list(range(0, GAMES + 1, 50)))
    compact(reference, find_parts(reference).current, SCHEMA, file_bytes)
    assert sorted(p.name for p in folder.iterdir()) == sorted(p.name for p in reference.iterdir())
    assert content(folder).equals(table(0, GAMES))


def test_joining_again_changes_nothing_and_more_games_change_the_last_file_only(tmp_path: Path):
    folder = written(tmp_path / "games", list(range(0, 401, 10)))
    compact(folder, find_parts(folder).current, SCHEMA, 20_000)
    first = sorted(path.name for path in folder.iterdir())
    assert len(first) > 2
    compact(folder, find_parts(folder).current, SCHEMA, 20_000)
    assert sorted(path.name for path in folder.iterdir()) == first
    written(folder, list(range(400, 601, 10)))
    compact(folder, find_parts(folder).current, SCHEMA, 20_000)
    assert set(first[:-1]) < {path.name for path in folder.iterdir()}
    assert content(folder).equals(table(0, GAMES))


def test_games_after_a_gap_stay_as_they_are(tmp_path: Path):
    folder = written(tmp_path / "games", [0, 10, 20])
    written(folder, [30, 40, 50])
    compact(folder, find_parts(folder).current, SCHEMA)
    assert [(part.start, part.stop) for part in find_parts(folder).current] == [(0, 20), (30, 40), (40, 50)]


class Crash(BaseException):
    """The process ends here."""


def test_a_crash_at_any_step_of_joining_loses_and_doubles_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source = written(tmp_path / "source", list(range(0, GAMES + 1, 50)))
    steps = crash_after(monkeypatch, None)
    count = shutil.copytree(source, tmp_path / "count")
    compact(count, find_parts(count).current, SCHEMA, 20_000)
    assert steps[0] > 20
    for step in range(steps[0]):
        folder = shutil.copytree(source, tmp_path / f"crash-{step}")
        crash_after(monkeypatch, step)
        with pytest.raises(Crash):
            compact(folder, find_parts(folder).current, SCHEMA, 20_000)
        monkeypatch.undo()
        small_files.__wrapped__(monkeypatch)
        assert content(folder).equals(table(0, GAMES)), f"crash at step {step}"
        remove_leftovers(folder)
        for part in find_parts(folder).superseded:
            part.path.unlink()
        compact(folder, find_parts(folder).current, SCHEMA, 20_000)
        assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in count.iterdir())


def crash_after(monkeypatch: pytest.MonkeyPatch, steps: int | None) -> list[int]:
    """Crash at the call that follows ``steps`` calls that change a folder; count them."""
    counted = [0]
    unlink, replace = Path.unlink, Path.replace

    def step() -> None:
        if counted[0] == steps:
            raise Crash
        counted[0] += 1

    def unlinking(self: Path, missing_ok: bool = False) -> None:
        # A crash runs no clean-up: what a draft would remove on its way out stays.
        if not self.name.endswith(".writing"):
            step()
            unlink(self, missing_ok)

    def replacing(self: Path, target: Path) -> Path:
        step()
        return replace(self, target)

    monkeypatch.setattr(Path, "unlink", unlinking)
    monkeypatch.setattr(Path, "replace", replacing)
    return counted


def test_damage_is_named(tmp_path: Path):
    folder = written(tmp_path / "games", [0, 64])
    (part,) = find_parts(folder).current
    whole = part.path.read_bytes()
    part.check_bytes()
    for damaged in (whole[:-1], whole[:100], b"", whole[:200] + bytes([whole[200] ^ 1]) + whole[201:]):
        part.path.write_bytes(damaged)
        with pytest.raises(RunError, match="is damaged"):
            part.check_bytes()
    part.path.write_bytes(whole[:100])
    with pytest.raises(RunError, match="cannot be read"):
        list(part.tables())
    with pytest.raises(RunError, match="cannot be read"):
        part.check_schema(SCHEMA)


def test_an_altered_value_is_not_read(tmp_path: Path):
    folder = written(tmp_path / "games", [0, 64])
    (part,) = find_parts(folder).current
    whole = part.path.read_bytes()
    refused = 0
    for position in range(4, len(whole) // 2, 97):
        part.path.write_bytes(whole[:position] + bytes([whole[position] ^ 0x10]) + whole[position + 1 :])
        try:
            read = pa.concat_tables(part.tables())
        except RunError:
            refused += 1
        else:
            assert read.equals(table(0, 64))
    assert refused > 10


@pytest.mark.parametrize("games", ["00000010-00000020", "00000000-00000011", "00000000-00000009"])
def test_a_part_under_the_name_of_other_games_is_refused(tmp_path: Path, games: str):
    folder = written(tmp_path / "games", [0, 10])
    (part,) = find_parts(folder).current
    part.path.rename(folder / part.path.name.replace("00000000-00000010", games))
    (part,) = find_parts(folder).current
    with pytest.raises(RunError, match=r"not those its name says|other games than its name says"):
        list(part.tables())


def test_overlapping_parts_are_refused(tmp_path: Path):
    folder = written(tmp_path / "games", [0, 10])
    written(folder, [5, 15])
    with pytest.raises(RunError, match="has games that part-00000000-00000010"):
        find_parts(folder)


@pytest.mark.parametrize("content", ["0" * 16, "f" * 16])
def test_of_two_files_of_the_same_games_the_one_that_is_not_what_was_written_is_named(tmp_path: Path, content: str):
    folder = written(tmp_path / "games", [0, 10])
    (part,) = find_parts(folder).current
    shutil.copy(part.path, folder / f"part-00000000-00000010.{content}.parquet")
    with pytest.raises(RunError, match=f"{content}.parquet: is damaged"):
        find_parts(folder)


@pytest.mark.parametrize("name", ["notes.txt", "part-1-2.parquet", "part-00000009-00000003.0123456789abcdef.parquet"])
def test_a_file_that_is_no_part_is_named(tmp_path: Path, name: str):
    (tmp_path / name).touch()
    with pytest.raises(RunError, match="is no file of a run"):
        find_parts(tmp_path)


def test_other_schemas_are_refused_by_name(tmp_path: Path):
    other = schema_of(ADAPTER, "1" * 64)
    part = write_part(tmp_path, 0, other, table_of(other, 0, 1, ["A: a"]))
    with pytest.raises(RunError, match="belongs to another experiment"):
        part.check_schema(SCHEMA)
    newer = SCHEMA.with_metadata({**SCHEMA.metadata, b"rules-lab.schema": b"rules-lab/games/9"})
    part = write_part(tmp_path, 1, newer, table_of(SCHEMA, 1, 1, ["A: a"]).cast(newer))
    with pytest.raises(RunError, match="has schema 'rules-lab/games/9'; this version reads 'rules-lab/games/1'"):
        part.check_schema(SCHEMA)
    fewer = SCHEMA.remove(len(SCHEMA) - 1)
    part = write_part(tmp_path, 2, fewer, table_of(fewer, 2, 1, ["A: a"]))
    with pytest.raises(RunError, match=r"its columns are not this game's \(runs\)"):
        part.check_schema(SCHEMA)


def test_a_draft_that_fails_leaves_nothing(tmp_path: Path):
    def fail() -> None:
        with drafting(tmp_path / "x") as draft:
            draft.file.write(b"half")
            raise Crash

    with pytest.raises(Crash):
        fail()
    assert list(tmp_path.iterdir()) == []
