"""Memory that does not grow with the number of games, and rows read by column."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lab.driver import run
from lab.results.compact import FILE_BYTES, ROW_GROUP, compact, write_part
from lab.results.folder import Folder
from lab.results.parts import find_parts
from lab.results.run import Run
from lab.results.schema import schema_of
from lab.results.store import writing_to
from lab.spec import Experiment

MIB = 1 << 20
ALLOWED = 50 * MIB

PEAK = """
import json, sys
from pathlib import Path
from lab.results.run import Run

def peak():
    # Not by getrusage, which also counts the process that started this one.
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024
"""

FINISH = (
    PEAK
    + """
from lab.driver import run
run(Run(sys.argv[1]).experiment, sys.argv[1], workers=0)
print(json.dumps(peak()))
"""
)

READ = (
    PEAK
    + """
table = Run(sys.argv[1]).table(sys.argv[2:] or None)
print(json.dumps([len(table), table.nbytes, peak()]))
"""
)


def measured(script: str, *arguments: object) -> Any:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


RACE = {"game": "coinrace", "rules": {"heads_to_win": 20, "max_tosses": 200}}
DODGEM = {"game": "dodgem", "players": {"first": {"name": "random"}, "second": {"name": "random"}}}


def many(path: Path, table: dict[str, Any], games: int, of_a_part: int, left: int = 0) -> Run:
    """Return a run of ``games`` games, all but the last ``left`` there, in parts that are not joined.

    They are a few that were played, over and over, each under an index of its own.
    """
    few = run(Experiment.parse(table | {"run": {"games": 2000}}), path / "few", workers=0)
    wanted = Experiment.parse(table | {"run": {"games": games}})
    schema = schema_of(few.adapter, wanted.hash())
    rows = few.table().cast(schema)
    piece = pa.concat_tables([rows] * -(-of_a_part // len(rows)))
    with writing_to(Folder(path / "many"), wanted) as store:
        for start in range(0, games - left, of_a_part):
            size = min(of_a_part, games - left - start)
            numbered = piece.slice(0, size).set_column(0, schema.field(0), pa.array(np.arange(start, start + size)))
            write_part(store.folder.games, start, schema, numbered)
    return Run(path / "many")


@pytest.mark.long
def test_a_run_a_hundred_times_as_long_takes_no_more_memory_its_joining_included(tmp_path: Path):
    peaks: list[int] = []
    for games, parts in ((10_000, 5), (1_000_000, 500)):
        path = many(tmp_path / str(games), DODGEM, games, of_a_part=games // parts, left=100).path
        assert len(list((path / "games").iterdir())) == parts
        peaks.append(measured(FINISH, path))
        assert (Run(path).games, len(list((path / "games").iterdir()))) == (games, 1)
    short, long = peaks
    assert long - short < ALLOWED


@pytest.mark.long
def test_a_million_rows_are_read_by_column_and_joined_in_bounded_memory(tmp_path: Path):
    games = 1_000_000
    path = many(tmp_path, RACE, games, of_a_part=100_000).path
    assert len(list((path / "games").iterdir())) == games // 100_000
    pool = pa.default_memory_pool()
    before = pool.bytes_allocated()
    schema = schema_of(Run(path).adapter, Run(path).experiment.hash())
    compact(path / "games", find_parts(path / "games").current, schema)
    assert pool.bytes_allocated() - before < ALLOWED
    (whole,) = find_parts(path / "games").current
    assert (whole.start, whole.stop) == (0, games)
    assert whole.path.stat().st_size < FILE_BYTES
    assert max(len(table) for table in whole.tables(["tosses"])) == ROW_GROUP

    games_of_one, bytes_of_one, peak_of_one = measured(READ, path, "tosses")
    games_of_all, bytes_of_all, peak_of_all = measured(READ, path)
    assert games_of_one == games_of_all == games
    assert bytes_of_one < 20 * MIB
    assert bytes_of_all > 10 * bytes_of_one
    assert peak_of_all - peak_of_one > 0.5 * (bytes_of_all - bytes_of_one)
