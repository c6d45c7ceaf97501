"""Writing files so that a crash leaves the old one or the new one, never half of one."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO, Any

from lab.errors import RunError, other_schema

TEMPORARY = ".writing"
"""Suffix of a file being written; one left over is the trace of a crash and holds nothing."""

_NUMBERS = count()


@dataclass
class Draft:
    """A file being written, and where it goes once it is whole."""

    file: IO[bytes]
    path: Path


@contextmanager
def drafting(path: Path) -> Generator[Draft, None, None]:
    """Open a draft beside ``path``; when the block ends well, move it to ``draft.path``, durably."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{next(_NUMBERS)}{TEMPORARY}")
    try:
        with temporary.open("w+b") as file:
            draft = Draft(file, path)
            yield draft
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(draft.path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Make names created, moved or removed in a folder durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_leftovers(folder: Path) -> None:
    """Remove what writers that died left half written in ``folder``."""
    for path in folder.glob(f".*{TEMPORARY}"):
        path.unlink(missing_ok=True)


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write plain values as readable JSON."""
    with drafting(path) as draft:
        draft.file.write(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False).encode() + b"\n")


def read_json(path: Path, schema: str) -> dict[str, Any]:
    """Read a JSON object that must carry this schema; raises :class:`RunError` naming the file."""
    try:
        value = json.loads(path.read_bytes())
    except OSError as error:
        raise RunError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path}: is not JSON ({error})") from None
    found = value.get("schema") if isinstance(value, dict) else None
    if found != schema:
        raise other_schema(path, found, schema)
    return value
