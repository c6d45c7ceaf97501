"""Solved boards in files: written whole or not at all, checked when opened, read in place.

The only place where a table meets a file: ``engine`` solves boards and asks tables, and knows nothing of files.

A file is a header and the scores as they are in memory, one signed byte a position in the order of
:mod:`engine.dodgem.layout`, so that opening one maps it and reads nothing twice::

    16 bytes   "dodgem-table/1" and two zeros
     8 bytes   length of the header, little-endian
    32 bytes   SHA-256 of the header
    header     JSON: board, stuck rule, counts, SHA-256 of the scores, where they come from
    zeros      up to a multiple of 4096 bytes
    scores
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.dodgem.layout import layout
from engine.dodgem.table import Counts, Table
from engine.errors import RecordError
from lab.results.files import drafting

_MAGIC = b"dodgem-table/1\0\0"
_PAGE = 4096
_PREFIX = len(_MAGIC) + 8 + 32


@dataclass(frozen=True)
class TableFile:
    """A table read from a file.

    Attributes
    ----------
    table
        The table; its scores are mapped, not loaded.
    provenance
        How it was made, as given to :func:`write_table`.
    """

    table: Table
    provenance: Mapping[str, Any]


def write_table(path: Path, table: Table, provenance: Mapping[str, Any]) -> None:
    """Write a table, atomically.

    Parameters
    ----------
    path
        Where to; an older file is replaced.
    table
        The solved board.
    provenance
        Plain JSON values that say how it was made (:mod:`lab.results.provenance`).
    """
    header = json.dumps(
        {
            "board": table.board,
            "stuck": table.stuck,
            "counts": asdict(table.counts),
            "scores_sha256": hashlib.sha256(table.scores.data).hexdigest(),
            "provenance": provenance,
        },
        allow_nan=False,
    ).encode()
    with drafting(path) as draft:
        draft.file.write(_MAGIC + len(header).to_bytes(8, "little") + hashlib.sha256(header).digest() + header)
        draft.file.write(bytes(-draft.file.tell() % _PAGE))
        draft.file.write(table.scores.data)


def open_table(path: Path) -> TableFile:
    """Open a table and check all of it; on 5 × 5 that takes a fraction of a second.

    Raises
    ------
    RecordError
        When the file cannot be read, is not a table of this version, or was damaged; it names the file.
    """
    try:
        with path.open("rb") as file:
            prefix = file.read(_PREFIX)
            length = int.from_bytes(prefix[len(_MAGIC) : len(_MAGIC) + 8], "little")
            size = path.stat().st_size
            if prefix[: len(_MAGIC)] != _MAGIC or length > size:
                raise RecordError(f"{path}: is not a Dodgem table of this version")
            text = file.read(length)
            padding = file.read(-(_PREFIX + length) % _PAGE)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror})") from None
    if hashlib.sha256(text).digest() != prefix[-32:]:
        raise RecordError(f"{path}: is damaged, its header does not have its checksum")
    header = json.loads(text)
    begin = _PREFIX + length + len(padding)
    count = layout(header["board"]).entries
    if size != begin + count or any(padding):
        raise RecordError(f"{path}: is damaged, or has {size} bytes instead of {begin + count}")
    scores = np.memmap(path, np.int8, "r", begin, (count,))
    if hashlib.sha256(scores.data).hexdigest() != header["scores_sha256"]:
        raise RecordError(f"{path}: is damaged, its scores do not have their checksum")
    found = header["counts"]
    counts = Counts(tuple(found["wins_in"]), tuple(found["losses_in"]), found["draws"], found["out"], found["stuck"])
    return TableFile(Table(header["board"], header["stuck"], scores, counts), header["provenance"])
