"""Where results come from: code, versions, machine, command and times, kept beside them."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import engine
from lab import measures
from lab.games.adapter import Adapter

SCHEMA: Final = "rules-lab/provenance/1"
PACKAGES: Final = ("rules-lab", "numpy", "scipy", "shapely", "numba", "pyarrow", "ray")


def code_hash(adapter: Adapter[Any]) -> str:
    """Return the SHA-256 of the code that decides what a game is: engine, the game's package, its adapter."""
    sha256 = hashlib.sha256()
    for name, path in sorted(_sources(adapter)):
        content = path.read_bytes()
        sha256.update(f"{name} {len(content)}\n".encode() + content)
    return sha256.hexdigest()


def _sources(adapter: Adapter[Any]) -> Iterator[tuple[str, Path]]:
    """Yield the source files, each under a name that is the same on every machine."""
    for package, folder in (("engine", Path(engine.__file__).parent), ("lab.measures", Path(measures.__file__).parent)):
        for path in folder.glob("*.py"):
            yield f"{package}/{path.name}", path
    for module in {_module_of(adapter.game), _module_of(adapter.measure)}:
        folder = Path(str(sys.modules[module].__file__)).parent
        package = str(sys.modules[module].__package__)
        # Adapters share a folder, in which each one's files bear the name of its game.
        pattern = f"*{adapter.game.name}*.py" if package == "lab.games" else "*.py"
        for path in folder.rglob(pattern):
            yield f"{package}/{path.relative_to(folder).as_posix()}", path


def _module_of(thing: object) -> str:
    return str(getattr(thing, "__module__", None) or type(thing).__module__)


def session(command: list[str], workers: int | None) -> dict[str, Any]:
    """Return what is known when a run begins: command, time, versions, git state and machine."""
    return {
        "command": command,
        "started": now(),
        "ended": None,
        "workers": workers,
        "versions": versions(),
        "git": git_state(Path(engine.__file__).parent),
        "machine": machine(),
    }


def now() -> str:
    """Return the time in UTC, to the second, in ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that results can depend on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def git_state(folder: Path) -> dict[str, Any] | None:
    """Return commit and dirty flag of the checkout that tracks ``folder``; None where none does."""

    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True, timeout=10
        )
        return done.stdout.strip()

    try:
        git("ls-files", "--error-unmatch", "game.py")
        return {"commit": git("rev-parse", "HEAD"), "dirty": bool(git("status", "--porcelain", "-uno"))}
    except (OSError, subprocess.SubprocessError):
        return None


def machine() -> dict[str, Any]:
    """Return what kind of machine this is (not which one)."""
    return {"system": platform.platform(), "processor": platform.machine(), "cpus": os.cpu_count()}
