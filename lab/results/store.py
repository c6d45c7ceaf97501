"""Taking in the outcomes of a run: each checked, written whole, and counted once."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from lab.errors import RunError
from lab.games import adapter_of
from lab.results import provenance
from lab.results.compact import compact, write_part
from lab.results.files import write_json
from lab.results.folder import Folder
from lab.results.parts import Part, Parts
from lab.results.schema import broken_identities, checked_columns, columns_of, schema_of
from lab.runners.batch import Outcome
from lab.spec import Experiment

LOOSE_PARTS: Final = 512
"""Parts are compacted in passing when so many have come since the last time.

That rewrites one unfilled file at most, some seconds of work in the minutes that so many batches take, and keeps
the number of files, and the room their headers take, small however long the run.
"""


class Store:
    """A run folder that takes in games; make one with :func:`writing_to`."""

    def __init__(self, folder: Folder, experiment: Experiment) -> None:
        self.folder = folder
        self.experiment = experiment
        self._adapter = adapter_of(experiment.game)
        self._schema = schema_of(self._adapter, experiment.hash())
        self._parts = folder.parts()
        for part in self._parts.current:
            part.check_bytes()
            part.check_schema(self._schema)
        # Only now that the parts which took them in are known to be sound.
        for part in self._parts.superseded:
            part.path.unlink()
        self._loose = len(self._parts.current)

    @property
    def games(self) -> int:
        """How many games there are."""
        return self._parts.games

    def missing(self) -> list[tuple[int, int]]:
        """Return the half-open ranges of games that are wanted and not there."""
        return self._parts.missing(self.experiment.effort.games)

    def want(self, games: int) -> None:
        """Want so many games, where that is more than the folder does already."""
        effort = replace(self.experiment.effort, games=games)
        self.experiment = self.folder.want(replace(self.experiment, effort=effort))

    def add(self, outcome: Outcome) -> None:
        """Write the games of an outcome; raises :class:`RunError` where they are not what they should be."""
        table = outcome.table
        if not len(table):
            return
        if not table.schema.equals(self._schema, check_metadata=True):
            raise RunError(f"games {outcome.start}–{outcome.stop - 1}: columns are not those of this experiment")
        if broken := broken_identities(self._adapter, columns_of(table, checked_columns(self._adapter))):
            raise RunError(f"games {outcome.start}–{outcome.stop - 1}: does not hold: {broken[0][0]}")
        part = write_part(self.folder.games, outcome.start, self._schema, table)
        self._parts = _with(self._parts, part)
        self._loose += 1
        if self._loose >= LOOSE_PARTS:
            self.compact()

    def compact(self) -> None:
        """Join parts; of a finished run, into its final files."""
        compact(self.folder.games, self._parts.current, self._schema)
        self._parts = self.folder.parts()
        self._loose = 0

    @contextmanager
    def session(self, command: list[str], workers: int | None) -> Generator[dict[str, Any], None, None]:
        """Note in the provenance a session of playing, as it begins and as it ends; yields its entry."""
        table = self.folder.provenance()
        entry = provenance.session(command, workers) | {"games_before": self.games}
        table["sessions"].append(entry)
        write_json(self.folder.provenance_file, table)
        try:
            yield entry
        finally:
            entry |= {"ended": provenance.now(), "games_after": self.games}
            write_json(self.folder.provenance_file, table)


@contextmanager
def writing_to(folder: Folder, experiment: Experiment) -> Generator[Store, None, None]:
    """Open a run folder, new or of the same experiment, to add games to it.

    Raises :class:`engine.errors.ConfigError` where the folder is something else, and
    :class:`lab.errors.RunError` where another process is playing into it or its files are damaged.
    """
    code = provenance.code_hash(adapter_of(experiment.game))
    folder.admit(experiment, code)
    with folder.locked():
        folder.admit(experiment, code)
        yield Store(folder, folder.prepare(experiment, code))


def _with(parts: Parts, part: Part) -> Parts:
    current = sorted([*parts.current, part], key=lambda one: one.start)
    return Parts(current, parts.superseded)
