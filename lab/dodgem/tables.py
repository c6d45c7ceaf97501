"""Solved boards, kept in files: solved when first asked for, opened from then on.

A file is used only if the code that would solve the board today is the code that solved it: its provenance has a
digest of that code. A file that is damaged or of other code is solved again, never trusted and never in silence.
"""

from __future__ import annotations

import hashlib
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TextIO

from engine.dodgem import layout, placements, retrograde, rules, solver
from engine.dodgem.rules import StuckRule
from engine.dodgem.table import LARGEST, SMALLEST, Table
from engine.errors import ConfigError, RecordError
from lab.dodgem.places import holding, tables_folder
from lab.dodgem.table_file import TableFile, open_table, write_table
from lab.progress import duration_text
from lab.results import provenance
from lab.runners.cpus import usable_cpus


@dataclass(frozen=True)
class TableFolder:
    """A folder of solved boards.

    Attributes
    ----------
    path
        The folder; made when the first table is written.
    notes
        Where to say that a board is being solved, and why a file is not used; None says nothing.
    """

    path: Path
    notes: TextIO | None = None

    def file(self, board: int, stuck: StuckRule) -> Path:
        """Return where a table is."""
        return self.path / f"{board}x{board}-{stuck}.table"

    def table(self, board: int, stuck: StuckRule) -> Table:
        """Return a solved board, solving it first where there is no sound file of it.

        Raises :class:`ConfigError` for a board that no table can hold.
        """
        if not SMALLEST <= board <= LARGEST:
            raise ConfigError("board", board, f"must be from {SMALLEST} to {LARGEST}: larger boards are not solved")
        path = self.file(board, stuck)
        if isinstance(found := _read(path, board, stuck), TableFile):
            return found.table
        with holding(path.with_suffix(".lock")):
            # Whoever held the lock before may just have solved it.
            if not isinstance(found := _read(path, board, stuck), TableFile):
                if found:
                    self._say(f"{found}; it is solved again")
                self._solve(path, board, stuck)
                found = open_table(path)
        return found.table

    def _solve(self, path: Path, board: int, stuck: StuckRule) -> None:
        threads = usable_cpus()
        origin = {
            "made": provenance.now(),
            "code": solver_digest(),
            "threads": threads,
            "versions": provenance.versions(),
            "git": provenance.git_state(Path(str(solver.__file__)).parent),
            "machine": provenance.machine(),
        }
        with _ticking(self.notes, f"Solving {board} × {board}, stuck side {stuck}") as seconds:
            table = solver.solve(board, stuck, threads)
        write_table(path, table, {**origin, "seconds": round(seconds(), 3)})
        if seconds() > 1:
            self._say(f"Solved {board} × {board}, stuck side {stuck}, in {duration_text(seconds())}: {path}")

    def _say(self, text: str) -> None:
        if self.notes is not None:
            print(text, file=self.notes, flush=True)


def _read(path: Path, board: int, stuck: StuckRule) -> TableFile | str:
    """Return a table from its file, or why it cannot be used: nothing where there is no file."""
    if not path.exists():
        return ""
    try:
        found = open_table(path)
    except RecordError as error:
        return str(error)
    if (found.table.board, found.table.stuck) != (board, stuck):
        return f"{path}: holds another board than its name says"
    if found.provenance.get("code") != solver_digest():
        return f"{path}: was solved by another version of the solver"
    return found


@cache
def kept_table(board: int, stuck: StuckRule) -> Table:
    """Return a solved board from the user's cache; what the perfect player plays from."""
    return TableFolder(tables_folder(), sys.stderr).table(board, stuck)


@cache
def solver_digest() -> str:
    """Return the SHA-256 of the code that decides what is in a table."""
    sha256 = hashlib.sha256()
    for module in (layout, placements, retrograde, rules, solver):
        sha256.update(Path(str(module.__file__)).read_bytes())
    return sha256.hexdigest()


@contextmanager
def _ticking(stream: TextIO | None, text: str) -> Generator[Callable[[], float], None, None]:
    """Show on a terminal, second by second, how long something has taken; yields a clock of it, which then stops."""
    began, ended = time.monotonic(), threading.Event()
    stopped: list[float] = []

    def tick() -> None:
        while stream is not None and not ended.wait(1.0):
            stream.write(f"\r\x1b[2K{text}: {duration_text(time.monotonic() - began)} so far")
            stream.flush()

    shown = threading.Thread(target=tick, daemon=True) if stream is not None and stream.isatty() else None
    if shown:
        shown.start()
    try:
        yield lambda: stopped[0] if stopped else time.monotonic() - began
    finally:
        stopped.append(time.monotonic() - began)
        ended.set()
        if shown and stream is not None:
            shown.join()
            stream.write("\r\x1b[2K")
            stream.flush()
