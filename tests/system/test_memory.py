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
from lab.results.parts import find_parts
from lab.results.run import Run
from lab.results.schema import schema_of
from lab.spec import Experiment

MIB = 1 << 20
ALLOWED = 50 * MIB

PLAY = """
import json, resource, sys
from lab.driver import run
from lab.spec import Experiment
table = {"game": "coinrace", "rules": {"heads_to_win": 1, "max_tosses": 2}, "run": {"games": int(sys.argv[1])}}
run(Experiment.parse(table), sys.argv[2], workers=0)
print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))
"""

READ = """
import json, resource, sys
from lab.results.run import Run
table = Run(sys.argv[1]).table(sys.argv[2:] or None)
print(json.dumps([len(table), table.nbytes, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024]))
"""


def measured(script: str, *arguments: object) -> Any:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def many(path: Path, games: int) -> Run:
    """Return a run of ``games`` games: a few that were played, over and over, each under an index of its own."""
    rules = {"heads_to_win": 20, "max_tosses": 200}
    experiment = Experiment.parse({"game": "coinrace", "rules": rules, "run": {"games": 2000}})
    few = run(experiment, path / "few", workers=0)
    wanted = Experiment.parse({"game": "coinrace", "rules": rules, "run": {"games": games}})
    schema = schema_of(few.adapter, wanted.hash())
    table = few.table().cast(schema)
    (path / "many" / "games").mkdir(parents=True)
    for name in ("experiment.json", "provenance.json"):
        text = (few.path / name).read_text().replace('"games": 2000', f'"games": {games}')
        (path / "many" / name).write_text(text)
    size = 50 * len(table)
    for start in range(0, games, size):
        piece = pa.concat_tables([table] * 50).combine_chunks()
        piece = piece.set_column(0, schema.field(0), pa.array(np.arange(start, start + size)))
        write_part(path / "many" / "games", start, schema, piece)
    return Run(path / "many")


@pytest.mark.long
def test_a_run_ten_times_as_long_takes_no_more_memory(tmp_path: Path):
    short = measured(PLAY, 10_000, tmp_path / "short")
    long = measured(PLAY, 100_000, tmp_path / "long")
    assert long - short < ALLOWED


@pytest.mark.long
def test_a_million_rows_are_read_by_column_and_joined_in_bounded_memory(tmp_path: Path):
    games = 1_000_000
    path = many(tmp_path, games).path
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
