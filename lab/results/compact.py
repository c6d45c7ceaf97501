"""Writing parts, and joining many small ones into few large ones whose bytes depend on the games alone.

A run in progress writes a part for every batch, in whatever order batches come. Compacting rewrites
consecutive parts, from game 0 on, into row groups of a fixed number of games and files of a bounded size.
Where a file ends depends on its content only, so a finished run has the same files whatever batches,
workers and interruptions it had. At every moment the folder holds each game once, or twice with one part
taking in the other.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from lab.results.arrow import Schema, Table
from lab.results.files import drafting, sync_folder
from lab.results.parts import Part, digest, part_name

ROW_GROUP: Final = 1 << 13
"""Games in a row group: what is in memory at a time when files are written or read."""

FILE_BYTES: Final = 128 << 20
"""A file ends with the first whole row group that brings it to this size."""


def write_part(folder: Path, start: int, schema: Schema, table: Table) -> Part:
    """Write consecutive games from ``start`` on as one part."""
    return _write(folder, start, schema, regroup([table]), replaced=[])


def compact(folder: Path, parts: Sequence[Part], schema: Schema, file_bytes: int = FILE_BYTES) -> None:
    """Rewrite the consecutive parts from game 0 on in their final form; full files at the front stay."""
    reached = 0
    remaining = list(parts)
    while remaining and remaining[0].start == reached and _is_full(remaining[0], file_bytes):
        reached = remaining.pop(0).stop
    loose: list[Part] = []
    for part in remaining:
        if part.start != (loose[-1].stop if loose else reached):
            break
        loose.append(part)
    if len(loose) < 2:
        return
    stop = loose[-1].stop
    groups = regroup(table for part in tuple(loose) for table in part.tables())
    with _system_memory():
        while reached < stop:
            reached = _write(folder, reached, schema, groups, file_bytes=file_bytes, replaced=loose).stop


def regroup(tables: Iterable[Table], size: int = ROW_GROUP) -> Iterator[Table]:
    """Yield the same rows in the same order in tables of ``size`` rows (the last may be shorter).

    Chunks are joined, so that what is written depends on the rows alone, not on the batches they came in.
    """
    waiting: list[Table] = []
    for table in tables:
        waiting.append(table)
        while sum(map(len, waiting)) >= size:
            joined = pa.concat_tables(waiting)
            yield joined.slice(0, size).combine_chunks()
            waiting = [joined.slice(size)]
    if sum(map(len, waiting)):
        yield pa.concat_tables(waiting).combine_chunks()


@contextmanager
def _system_memory() -> Generator[None, None, None]:
    """Let Arrow take its memory from the system inside the block.

    Its own allocator keeps much of what many small files were read into: joining a million games takes 45 MiB more
    than ten thousand with it, 15 MiB more with the system's.
    """
    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(before)


def _is_full(part: Part, file_bytes: int) -> bool:
    """Say whether a part is of final form and full. Only compacting writes files of that size."""
    return part.path.stat().st_size >= file_bytes


def _write(
    folder: Path,
    start: int,
    schema: Schema,
    groups: Iterator[Table],
    *,
    file_bytes: int | None = None,
    replaced: list[Part],
) -> Part:
    """Write one part of the row groups to come, until it is full, and remove the parts that it takes in."""
    stop = start
    with drafting(folder / f"part-{start:08d}") as draft:
        writer = pq.ParquetWriter(draft.file, schema, compression="zstd", version="2.6", write_page_checksum=True)
        with writer:
            for group in groups:
                writer.write_table(group, row_group_size=ROW_GROUP)
                stop += len(group)
                if file_bytes is not None and draft.file.tell() >= file_bytes:
                    break
        draft.file.seek(0)
        draft.path = folder / part_name(start, stop, digest(draft.file))
        _cut(folder, stop, schema, replaced)
    part = Part(start, stop, draft.path)
    taken_in = [old for old in replaced if start <= old.start and old.stop <= stop and old.path != part.path]
    for old in taken_in:
        old.path.unlink(missing_ok=True)
    if taken_in:
        sync_folder(folder)
    return part


def _cut(folder: Path, at: int, schema: Schema, replaced: list[Part]) -> None:
    """Cut a part that reaches beyond game ``at`` in two, so that what is written takes parts in whole."""
    for old in [part for part in replaced if part.start < at < part.stop]:
        table = pa.concat_tables(old.tables())
        head = write_part(folder, old.start, schema, table.slice(0, at - old.start))
        tail = write_part(folder, at, schema, table.slice(at - old.start))
        old.path.unlink()
        replaced.remove(old)
        replaced += [head, tail]
