"""Where results come from: a hash that changes with the game's code and with nothing else."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from coinrace import adapter as module

from lab.results import provenance


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The coin race's package, where it may be changed."""
    package = shutil.copytree(Path(str(module.__file__)).parent, tmp_path / "coinrace")
    monkeypatch.setattr(module, "__file__", str(package / "adapter.py"))
    monkeypatch.setattr("coinrace.game.__file__", str(package / "game.py"))
    return package


def test_the_code_hash_is_that_of_the_files_content(copied: Path):
    before = provenance.code_hash(module.ADAPTER)
    assert provenance.code_hash(module.ADAPTER) == before
    for name in ("game.py", "adapter.py"):
        text = (copied / name).read_text()
        (copied / name).write_text(text + "\n")
        assert provenance.code_hash(module.ADAPTER) != before
        (copied / name).write_text(text)
    (copied / "notes.txt").write_text("no code")
    assert provenance.code_hash(module.ADAPTER) == before
    (copied / "more.py").write_text("")
    assert provenance.code_hash(module.ADAPTER) != before


def test_an_adapter_in_the_lab_counts_its_own_files_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("coinrace.py", "_coinrace_row.py", "other.py", "adapter.py"):
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(module, "__file__", str(tmp_path / "coinrace.py"))
    monkeypatch.setattr(module, "__package__", "lab.games")
    before = provenance.code_hash(module.ADAPTER)
    (tmp_path / "other.py").write_text("changed")
    assert provenance.code_hash(module.ADAPTER) == before
    (tmp_path / "_coinrace_row.py").write_text("changed")
    assert provenance.code_hash(module.ADAPTER) != before


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    done = subprocess.run(["git", "-C", str(folder), *identity, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_git_state_is_that_of_the_checkout_that_tracks_the_code(tmp_path: Path):
    assert provenance.git_state(tmp_path) is None
    git(tmp_path, "init", "-q")
    (tmp_path / "game.py").write_text("a")
    assert provenance.git_state(tmp_path) is None, "a checkout around code that it does not track says nothing of it"
    git(tmp_path, "add", "game.py")
    git(tmp_path, "commit", "-q", "-m", "a")
    assert provenance.git_state(tmp_path) == {"commit": git(tmp_path, "rev-parse", "HEAD"), "dirty": False}
    (tmp_path / "game.py").write_text("b")
    state = provenance.git_state(tmp_path)
    assert state is not None
    assert state["dirty"]
    assert provenance.git_state(tmp_path / "missing") is None


def test_a_session_says_what_can_matter():
    entry = provenance.session(["lab", "run"], 2)
    assert entry["command"] == ["lab", "run"]
    assert entry["ended"] is None
    assert {"python", "numpy", "pyarrow", "rules-lab"} <= set(entry["versions"])
    assert entry["started"].endswith("+00:00")
