"""Readers under coverage-guided fuzzing, in processes of their own: what it finds ends the process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from readers import READERS, examples

SCRIPT = Path(__file__).parents[1] / "fuzz_readers.py"
SECONDS = 20
SPOILT = 64
"""Inputs that the script begins with beside the examples."""

PLANTED = """
import sys
from pathlib import Path
sys.path.insert(0, {folder!r})
import fuzz_readers
from engine.parameters import Param
admits = Param.admits
def fault(self, value):
    if value == 2**63 - 1:
        raise TypeError("planted")
    return admits(self, value)
Param.admits = fault
fuzz_readers.main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
"""


def fuzz(reader: str, folder: Path, seconds: int, script: Path = SCRIPT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script), reader, str(folder), str(seconds)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
def test_fuzzing_finds_no_traceback_and_no_hang(tmp_path: Path, reader: str):
    pytest.importorskip("atheris")
    done = fuzz(reader, tmp_path, SECONDS)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    assert len(list(tmp_path.iterdir())) > len(examples(reader)) + SPOILT, "nothing was tried that reached new code"


@pytest.mark.long
def test_fuzzing_finds_a_planted_traceback(tmp_path: Path):
    pytest.importorskip("atheris")
    planted = tmp_path / "planted.py"
    planted.write_text(PLANTED.format(folder=str(SCRIPT.parent)))
    (tmp_path / "found").mkdir()
    done = fuzz("experiment", tmp_path / "found", SECONDS, planted)
    assert done.returncode != 0
    assert "TypeError: planted" in done.stdout + done.stderr
