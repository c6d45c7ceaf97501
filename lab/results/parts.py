"""The Parquet files of a run: each holds consecutive games; its name says which, and what its bytes hash to.

``part-<first game>-<after the last>.<SHA-256, first 16 digits>.parquet``. So a file that is cut short,
altered or copied in from elsewhere gives itself away, and which games are missing can be told from the
names alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from lab.errors import RunError, other_schema
from lab.results.arrow import Schema, Table
from lab.results.schema import EXPERIMENT_KEY, SCHEMA, SCHEMA_KEY

_FEW = 1 << 10

_NAME = re.compile(r"part-(\d{8,})-(\d{8,})\.([0-9a-f]{16})\.parquet")


@dataclass(frozen=True)
class Part:
    """A file of games ``start`` to ``stop`` (exclusive)."""

    start: int
    stop: int
    path: Path

    def check_bytes(self) -> None:
        """Raise :class:`RunError` unless the file's bytes are those its name promises."""
        try:
            with self.path.open("rb") as file:
                found = digest(file)
        except OSError as error:
            raise RunError(f"{self.path}: cannot be read ({error.strerror})") from None
        if found != self.path.name.split(".")[1]:
            raise RunError(
                f"{self.path}: is damaged: not what was written; once it is removed, its games are played again"
            )

    def check_schema(self, expected: Schema) -> None:
        """Raise :class:`RunError` unless the file has this schema, version and experiment included."""
        with _naming(self.path):
            found = pq.read_schema(self.path)
        tags = found.metadata or {}
        version = tags.get(SCHEMA_KEY, b"none").decode(errors="replace")
        if version != SCHEMA:
            raise other_schema(self.path, version, SCHEMA)
        if tags.get(EXPERIMENT_KEY) != expected.metadata[EXPERIMENT_KEY]:
            raise RunError(f"{self.path}: belongs to another experiment")
        if not found.equals(expected):
            odd = ", ".join(sorted(set(found.names) ^ set(expected.names)))
            raise RunError(f"{self.path}: its columns are not this game's ({odd or 'types differ'})")

    def tables(self, columns: Sequence[str] | None = None) -> Iterator[Table]:
        """Yield the file's rows in order, a row group at a time; only ``columns`` are read where given.

        Raises :class:`RunError` where a page does not match its checksum or the games are not those promised.
        """
        reached = self.start
        wanted = None if columns is None else list(dict.fromkeys(("game", *columns)))
        # A few games are read in one go: their columns one by one, or by several threads, would take twice as long.
        few = self.stop - self.start <= _FEW
        with (
            _naming(self.path),
            BytesIO(self.path.read_bytes()) if few else nullcontext(self.path) as source,
            pq.ParquetFile(source, page_checksum_verification=True) as file,
        ):
            for group in range(file.num_row_groups):
                table = file.read_row_group(group, columns=wanted, use_threads=not few)
                if not np.array_equal(table["game"].to_numpy(), np.arange(reached, reached + len(table))):
                    raise RunError(f"{self.path}: holds other games than its name says")
                reached += len(table)
                yield table
        if reached != self.stop:
            raise RunError(f"{self.path}: holds {reached - self.start:,} games, not those its name says")


def digest(file: IO[bytes]) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of what is left of a file."""
    sha256 = hashlib.sha256()
    while block := file.read(1 << 20):
        sha256.update(block)
    return sha256.hexdigest()[:16]


def part_name(start: int, stop: int, content: str) -> str:
    """Return the name of the file of games ``start`` to ``stop`` (exclusive) with this digest."""
    return f"part-{start:08d}-{stop:08d}.{content}.parquet"


@dataclass(frozen=True)
class Parts:
    """The parts of a folder: those that count, in order of game, and those taken in by a wider one.

    A part is left ``superseded`` by a crash between writing the wider part and removing it.
    """

    current: list[Part]
    superseded: list[Part]

    @property
    def games(self) -> int:
        """How many games there are."""
        return sum(part.stop - part.start for part in self.current)

    def missing(self, games: int) -> list[tuple[int, int]]:
        """Return the half-open ranges of games, from 0 to ``games``, that no part has."""
        starts = [*(min(part.start, games) for part in self.current), games]
        stops = [0, *(min(part.stop, games) for part in self.current)]
        return [(stop, start) for stop, start in zip(stops, starts, strict=True) if stop < start]


def find_parts(folder: Path) -> Parts:
    """Return the parts in a folder.

    Raises :class:`RunError` where parts overlap without one taking in the other, or a file is no part.
    """
    found: list[Part] = []
    try:
        names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise RunError(f"{folder}: cannot be read ({error.strerror})") from None
    for name in names:
        match = _NAME.fullmatch(name)
        if match is None or int(match[1]) >= int(match[2]):
            raise RunError(f"{folder / name}: is no file of a run")
        found.append(Part(int(match[1]), int(match[2]), folder / name))
    parts = Parts([], [])
    for part in sorted(found, key=lambda part: (part.start, -part.stop)):
        last = parts.current[-1] if parts.current else None
        if last is None or part.start >= last.stop:
            parts.current.append(part)
        elif part.stop <= last.stop and (part.start, part.stop) != (last.start, last.stop):
            parts.superseded.append(part)
        else:
            # Where one of the two is not what was written, that is the one to name.
            last.check_bytes()
            part.check_bytes()
            raise RunError(f"{part.path}: has games that {last.path.name} has too")
    return parts


@contextmanager
def _naming(path: Path) -> Generator[None, None, None]:
    """Turn what Arrow says of a file it cannot read into an error that names it."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise RunError(f"{path}: cannot be read ({' '.join(str(error).split())[:200]})") from None


def ranges_text(ranges: Iterable[tuple[int, int]], limit: int = 5) -> str:
    """Return half-open ranges of games in words, the first few of them."""
    listed = [f"{start}" if stop == start + 1 else f"{start}–{stop - 1}" for start, stop in ranges]
    return ", ".join(listed[:limit]) + (f" and {len(listed) - limit} more" if len(listed) > limit else "")
