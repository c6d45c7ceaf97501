"""What a report costs: a million games, and a sweep of forty variants, within the memory and the size they may take.

Games are made by drawing rows of a few real ones again and again. Nothing is timed here: a machine may be busy.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from lab.cli import main
from lab.results.compact import write_part
from lab.results.run import Run
from lab.results.schema import schema_of

pytestmark = pytest.mark.long

MIB = 1 << 20
PIECE = 1 << 16
MEASURED = """
import sys
from pathlib import Path
from lab.cli import main
status = main(sys.argv[1:])
# Not ru_maxrss: that begins with the size of the process which started this one.
(most,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print(int(most.split()[1]) // 1024)
sys.exit(status)
"""


def report(folder: Path, out: Path) -> int:
    """Report on a folder in a process of its own; return the most memory it had, in MiB."""
    words = [sys.executable, "-c", MEASURED, "report", str(folder), "--out", str(out)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])


def swell(folder: Path, games: int) -> None:
    """Replace a run's games by as many drawn from them."""
    run = Run(folder)
    table, schema = run.table(), schema_of(run.adapter, run.experiment.hash())
    for path in (folder / "games").iterdir():
        path.unlink()
    stored = json.loads((folder / "experiment.json").read_text())
    stored["run"]["games"] = games
    (folder / "experiment.json").write_text(json.dumps(stored))
    rng = np.random.default_rng(1)
    for start in range(0, games, PIECE):
        count = min(PIECE, games - start)
        drawn = table.take(pa.array(rng.integers(len(table), size=count)))
        numbered = drawn.set_column(0, schema.field("game"), pa.array(np.arange(start, start + count)))
        write_part(folder / "games", start, schema, numbered.cast(schema))


@pytest.fixture(scope="module")
def run_of(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two hundred quick games of Dotfight."""
    here = tmp_path_factory.mktemp("limits")
    (here / "dots.toml").write_text(
        'game = "dotfight"\n[rules]\nbases_per_side = 3\ngeometry = "kernel"\n'
        '[players.first]\nname = "greedy"\n[players.second]\nname = "greedy"\n[run]\ngames = 200\n'
    )
    assert main(["run", str(here / "dots.toml"), "--workers", "0", "--out", str(here / "run")]) == 0
    return here


def test_a_million_games_fit_into_two_gibibytes(run_of: Path):
    assert main(["run", str(run_of / "dots.toml"), "--workers", "0", "--out", str(run_of / "many")]) == 0
    swell(run_of / "many", 1_000_000)
    most = report(run_of / "many", run_of / "out")
    assert most < 2048
    assert "1,000,000 games" in (run_of / "out/index.html").read_text(encoding="utf-8")


def test_the_page_of_a_sweep_of_forty_variants_is_at_most_five_megabytes(run_of: Path):
    parameters = [
        "position_reach = [0, 10, 40, 80, 60]",
        "reach_max = [1000, 1500, 2500, 3000, 1200]",
        "reach_curve = [0.5, 1, 3, 4, 5]",
        "link_tremor = [0, 0.025, 0.1, 0.2, 0.3]",
        "garrison_curve = [0.25, 0.5, 2, 4, 3]",
        "snipe_earn_at = [1, 3, 4, 5, 6]",
        "send_max = [0, 1, 3, 8, 4]",
        "last_stand_at = [0, 2, 6, 8, 3]",
    ]
    design = '[run]\ngames = 10\n[design]\nkind = "one-at-a-time"\n[parameters]\n'
    (run_of / "forty.toml").write_text('base = "dots.toml"\n' + design + "\n".join(parameters) + "\n")
    assert main(["sweep", str(run_of / "forty.toml"), "--workers", "0", "--out", str(run_of / "forty")]) == 0
    folders = list((run_of / "forty/runs").iterdir())
    assert len(folders) > 36
    for folder in folders:
        swell(folder, 200)
    assert report(run_of / "forty", run_of / "sweep-out") < 1024
    assert (run_of / "sweep-out/index.html").stat().st_size <= 5 * MIB
    assert "effect-link_tremor" in {path.stem for path in (run_of / "sweep-out/figures").glob("*.svg")}
