"""Files of positions and flicks, one JSON object a line, and their answers, one line a flick."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from engine.dotfight.position import read_position
from engine.dotfight.trace import answers
from engine.errors import RecordError

LONGEST_LINE: Final = 64 << 20


def answer_lines(path: Path, geometry: str) -> Iterator[str]:
    """Yield the answers to a file's flicks, as JSON without line ends.

    Parameters
    ----------
    path
        The file.
    geometry
        Who adjudicates: shapely or kernel.

    Raises
    ------
    engine.errors.RecordError
        Naming file, line, key, value and what is allowed.
    """
    for number, line in enumerate(_lines(path), 1):
        try:
            position = read_position(_object(line), "trace", geometry)
            for answer in answers(position, "trace"):
                yield json.dumps(answer, allow_nan=False)
        except RecordError as error:
            raise RecordError(f"{path}, line {number}: {error}") from None


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while line := file.readline(LONGEST_LINE + 1):
                yield line
    except OSError as error:
        raise RecordError(f"file = {str(path)!r}: cannot be read ({error.strerror})") from None


def _object(line: bytes) -> Any:
    if len(line) > LONGEST_LINE:
        raise RecordError(f"trace: must be at most {LONGEST_LINE:,} bytes long")
    try:
        return json.loads(line.decode(), object_pairs_hook=_once, parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise RecordError("trace: must be text in UTF-8") from None
    except RecordError:
        raise
    except (ValueError, RecursionError) as error:
        raise RecordError(f"trace: must be one JSON object ({error})") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that is there twice, of which JSON would keep the last in silence."""
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RecordError(f"trace: must have each key once in a table, and has {twice!r} twice")
    return table


def _no_constant(name: str) -> float:
    raise RecordError(f"trace: must hold finite numbers, and has {name}")
