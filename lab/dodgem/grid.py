"""Tables as text for a terminal and as CSV, and the files of a report."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lab.results.files import drafting


def aligned(rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    """Return rows, the first a heading, as lines with aligned columns and a rule below the heading.

    Parameters
    ----------
    rows
        Cells, as many in each row.
    sides
        A letter a column: ``l`` or ``r``, the side it is aligned to.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(row, widths, sides, strict=True)
        ).rstrip()
        for row in rows
    ]
    return [lines[0], "─" * (sum(widths) + 2 * (len(widths) - 1)), *lines[1:]]


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows of the same keys, at least one, as CSV."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts to files by name, each whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        with drafting(folder / name) as draft:
            draft.file.write(text.encode())
