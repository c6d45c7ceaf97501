"""Where files of Dodgem are kept between commands, and how two processes keep out of each other's way."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


def tables_folder() -> Path:
    """Return where solved boards are kept: a cache, which may be deleted at any time."""
    return _base("XDG_CACHE_HOME", ".cache") / "rules-lab" / "dodgem"


def saves_folder() -> Path:
    """Return where a person's games and statistics are kept."""
    return _base("XDG_DATA_HOME", ".local/share") / "rules-lab" / "dodgem"


def _base(variable: str, otherwise: str) -> Path:
    """Return a folder of the XDG base directory specification, which has relative paths ignored."""
    given = Path(os.environ.get(variable, ""))
    return given if given.is_absolute() else Path.home() / otherwise


@contextmanager
def holding(path: Path, wait: bool = True) -> Generator[None, None, None]:
    """Hold a lock file while the block runs; the system lets go of it when the process ends, however it ends.

    Raises :class:`BlockingIOError` where another process holds it and ``wait`` is false.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield
    finally:
        os.close(descriptor)
