"""Solved boards in files: read back as written, refused when damaged, never half written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.dodgem.board import start
from engine.dodgem.game import Dodgem, in_memory
from engine.dodgem.players import Perfect, Random
from engine.dodgem.rules import DodgemRules, Side
from engine.errors import RecordError
from engine.rng import Streams
from lab.dodgem.table_file import open_table, write_table

PROVENANCE = {"versions": {"rules-lab": "0.1.0"}, "seconds": 0.25}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "4-loses.table"
    write_table(path, in_memory(4, "loses"), PROVENANCE)
    return path


def test_a_table_reads_back_as_written(path: Path):
    file = open_table(path)
    written = in_memory(4, "loses")
    assert file.provenance == PROVENANCE
    assert (file.table.board, file.table.stuck, file.table.counts) == (4, "loses", written.counts)
    assert np.array_equal(file.table.scores, written.scores)
    assert file.table.look_up(start(4, Side.UP)) == written.look_up(start(4, Side.UP))


def test_a_table_is_mapped_and_cannot_be_written_to(path: Path):
    table = open_table(path).table
    assert isinstance(table.scores, np.memmap)
    assert table.scores.offset % 4096 == 0
    with pytest.raises(ValueError, match="read-only"):
        table.scores[0] = 1


def test_a_perfect_player_plays_from_a_mapped_table(path: Path):
    """The same game as from the table in memory."""
    rules = DodgemRules(board=4, stuck="loses")
    players = (Perfect(), Random())
    mapped = Dodgem(lambda board, stuck: open_table(path).table).play(rules, players, Streams(1, 2))
    assert mapped == Dodgem().play(rules, players, Streams(1, 2))


@pytest.mark.parametrize("at", [0, 14, 20, 30, 60, 300, 4000, 5000, -1])
def test_any_damage_is_found(path: Path, at: int):
    content = bytearray(path.read_bytes())
    content[at] ^= 4
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"4-loses\.table: is (damaged|not a Dodgem table)"):
        open_table(path)


@pytest.mark.parametrize("length", [0, 10, 40, 500, 4096, 100_000, -1])
def test_a_file_cut_short_is_refused(path: Path, length: int):
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(RecordError, match=r"4-loses\.table: is"):
        open_table(path)


def test_a_file_with_more_behind_it_is_refused(path: Path):
    path.write_bytes(path.read_bytes() + b"\0")
    with pytest.raises(RecordError, match="bytes instead of"):
        open_table(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(RecordError, match="none\\.table: cannot be read"):
        open_table(tmp_path / "none.table")


def test_provenance_that_is_not_json_leaves_the_old_table(path: Path):
    before = path.read_bytes()
    with pytest.raises(TypeError):
        write_table(path, in_memory(4, "wins"), {"when": object()})
    assert path.read_bytes() == before


def test_a_crash_while_writing_leaves_the_old_table(path: Path):
    before = path.read_bytes()

    script = (
        "import os, sys\nfrom pathlib import Path\nfrom lab.results import files\n"
        "files.os.fsync = lambda descriptor: os._exit(9)\n"
        "from engine.dodgem.solver import solve\nfrom lab.dodgem.table_file import write_table\n"
        "write_table(Path(sys.argv[1]), solve(3, 'wins'), {})\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert done.returncode == 9
    assert path.read_bytes() == before
    assert open_table(path).table.stuck == "loses"
