"""The command line in a process of its own, to be stopped or killed; and what such a process leaves behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

LAB = [sys.executable, "-c", "import sys; from lab.cli import main; sys.exit(main(sys.argv[1:]))"]


def files(path: Path) -> list[str]:
    """Return the names of a run's result files; they hold the hash of what is in them."""
    return sorted(file.name for file in (path / "games").iterdir())


def begin(
    folder: Path, arguments: Sequence[str], environment: Mapping[str, str] = os.environ, *, own_group: bool = False
) -> subprocess.Popen[str]:
    """Start ``lab`` with these arguments in a folder."""
    return subprocess.Popen(
        [*LAB, *arguments],
        cwd=folder,
        env=environment,
        start_new_session=own_group,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def stored(path: Path) -> int:
    """Return the number of games after the last one that a run has stored."""
    names = [part.name for part in (path / "games").glob("part-*")] if (path / "games").is_dir() else []
    return max((int(name[14:22]) for name in names), default=0)


def wait_for_games(path: Path, games: int = 1, seconds: float = 60) -> None:
    """Wait until a run has stored so many games."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if stored(path) >= games:
            return
        time.sleep(0.01)
    raise TimeoutError(f"{path} has no {games} games after {seconds} s")


def processes_with(mark: str, patience_s: float = 10) -> list[str]:
    """Return the command lines of processes with this in their environment, once they had time to end."""
    end = time.monotonic() + patience_s
    while True:
        found: list[str] = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if mark.encode() in (folder / "environ").read_bytes():
                    found.append((folder / "cmdline").read_text().replace("\0", " "))
            except OSError:
                continue
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.1)
