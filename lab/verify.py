"""Checking a run folder from end to end: that nothing is lost, doubled, altered or invented."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from lab.errors import RunError
from lab.games import adapter_of
from lab.games.adapter import Adapter
from lab.results import provenance
from lab.results.arrow import Schema, Table
from lab.results.folder import Folder
from lab.results.parts import Part, ranges_text
from lab.results.schema import broken_identities, columns_of, schema_of
from lab.runners.batch import PROCESS_DIED, Batch, job_text, play_batch
from lab.runners.limit import GameTimeout
from lab.spec import Experiment

_OF_THE_MACHINE = (PROCESS_DIED.partition(":")[0], GameTimeout.__name__, MemoryError.__name__)
"""Failures that say as much of the machine as of the game: played again it may go well, or take this process too."""


def faults(path: str | Path, replayed: int = 20) -> Iterator[str]:
    """Yield every fault of a run folder, in words that name the file or the game.

    Parameters
    ----------
    path
        The folder. Raises :class:`lab.errors.RunError` where it is none, or its files overlap.
    replayed
        How many games, drawn at random from those there are, are played again from their seeds and compared
        with their rows in every column.
    """
    folder = Folder(Path(path))
    experiment = folder.experiment()
    adapter = adapter_of(experiment.game)
    schema = schema_of(adapter, experiment.hash())
    if folder.provenance()["code"] != provenance.code_hash(adapter):
        yield "the game's code has changed since these games were played, so they may play differently now"
    parts = folder.parts()
    for part in parts.superseded:
        yield f"{part.path}: is left over from a crash; its games are in a wider file too"
    if missing := parts.missing(experiment.effort.games):
        yield f"games are missing: {ranges_text(missing)}"
    sound: list[Part] = []
    for part in parts.current:
        found = list(_faults_of_part(part, experiment, adapter, schema))
        yield from found
        if not found:
            sound.append(part)
    yield from _faults_of_replay(sound, experiment, replayed)


def _faults_of_part(part: Part, experiment: Experiment, adapter: Adapter[Any], schema: Schema) -> Iterator[str]:
    try:
        part.check_bytes()
        part.check_schema(schema)
        for table in part.tables():
            yield from (f"{part.path}: {fault}" for fault in _faults_of_rows(table, experiment, adapter))
    except RunError as error:
        yield str(error)


def _faults_of_rows(table: Table, experiment: Experiment, adapter: Adapter[Any]) -> Iterator[str]:
    if any(seed != experiment.effort.seed for seed in table["seed"].unique().to_pylist()):
        yield "has games of another seed"
    played = table.filter(table["error"].is_null())
    failed = table.filter(table["error"].is_valid())
    for column in adapter.columns:
        if played[column.name].null_count and not column.optional:
            yield f"{column.name} is empty in a game that was played"
        if failed[column.name].null_count < len(failed):
            yield f"{column.name} is filled in a game that failed"
    columns = columns_of(table)
    for name, rows in broken_identities(adapter, columns):
        yield f"does not hold in game {columns['game'][rows[0]]}: {name}"


def _faults_of_replay(parts: list[Part], experiment: Experiment, replayed: int) -> Iterator[str]:
    """Play a random sample of games again and compare every column."""
    counts = np.array([part.stop - part.start for part in parts], dtype=int)
    if not counts.sum():
        return
    chosen = np.random.default_rng().choice(counts.sum(), min(replayed, counts.sum()), replace=False)
    starts = np.cumsum(counts) - counts
    for number in np.unique(np.searchsorted(starts, chosen, side="right") - 1):
        part = parts[number]
        offsets = chosen[(chosen >= starts[number]) & (chosen < starts[number] + counts[number])] - starts[number]
        stored = pa.concat_tables(part.tables())
        for offset in sorted(int(offset) for offset in offsets):
            game = part.start + offset
            if (stored["error"][offset].as_py() or "").startswith(_OF_THE_MACHINE):
                continue
            again = play_batch(Batch(job_text(experiment), game, game + 1)).table
            (before,), (now,) = stored.slice(offset, 1).to_pylist(), again.to_pylist()
            if differing := [name for name in before if before[name] != now[name]]:
                yield f"game {game} plays differently from its seed: {', '.join(differing)}"
