"""The errors of the lab that are nobody's setting."""

from __future__ import annotations

import reprlib
from pathlib import Path


class RunError(RuntimeError):
    """A run folder that cannot be read, written or trusted; the message names the file and the fault."""


class RunnerError(RuntimeError):
    """The processes that should play cannot be started or were lost; the message says what to do."""


def other_schema(path: Path, found: object, expected: str) -> RunError:
    """Return the error of a file that has another schema than ``expected``, however long what it has instead."""
    return RunError(f"{path}: has schema {reprlib.repr(found)}; this version reads {expected!r}")
