"""A third game costs one folder in `engine` and one file in `lab/games`, and no edit elsewhere.

The coin race of the tests is put into a copy of the two packages, as its README says, and played from the command
line.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "tests" / "data" / "games" / "coinrace"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for package in ("engine", "lab"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def lab(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = "import sys; from lab.cli import main; sys.exit(main(sys.argv[1:]))"
    environment = os.environ | {"PYTHONPATH": str(checkout)}
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_one_folder_and_one_file_make_a_game(checkout: Path):
    (checkout / "race.toml").write_text('game = "coinrace"\n[rules]\nheads_to_win = 2\n')
    before = lab(checkout, "run", "race.toml")
    assert before.returncode == 2
    assert "race.toml: game = 'coinrace': must be one of" in before.stderr

    shutil.copytree(EXAMPLE, checkout / "engine" / "coinrace", ignore=shutil.ignore_patterns("adapter.py"))
    adapter = (EXAMPLE / "adapter.py").read_text().replace("from coinrace.", "from engine.coinrace.")
    (checkout / "lab" / "games" / "coinrace.py").write_text(adapter)

    after = lab(checkout, "run", "race.toml", "--games", "20", "--workers", "0", "--out", "out")
    assert after.returncode == 0, after.stderr
    assert "First seat wins" in after.stdout
    shown = lab(checkout, "show", "out", "--csv")
    assert shown.stdout.splitlines()[1].startswith("first_wins,")
