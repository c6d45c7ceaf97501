"""A run folder: what is where in it, and who may write to it.

::

    experiment.json     the resolved experiment and its hash
    provenance.json     every session that played for it
    games/              Parquet parts (lab.results.parts)
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.errors import ConfigError
from lab.errors import RunError
from lab.results import provenance
from lab.results.files import read_json, remove_leftovers, write_json
from lab.results.parts import Parts, find_parts
from lab.schemas import breaches, published
from lab.spec import SCHEMA, Experiment, differences

LOCK = ".lock"


@dataclass(frozen=True)
class Folder:
    """Paths of a run folder."""

    path: Path

    @property
    def experiment_file(self) -> Path:
        """The resolved experiment."""
        return self.path / "experiment.json"

    @property
    def provenance_file(self) -> Path:
        """The sessions that played for it."""
        return self.path / "provenance.json"

    @property
    def games(self) -> Path:
        """Where the parts are."""
        return self.path / "games"

    def exists(self) -> bool:
        """Say whether there is a run here."""
        return self.experiment_file.is_file()

    def experiment(self) -> Experiment:
        """Read the experiment; raises :class:`RunError` where it is not what was written."""
        if not self.exists():
            raise RunError(f"{self.path}: is no run folder (it has no {self.experiment_file.name})")
        stored = read_json(self.experiment_file, SCHEMA)
        table = {key: value for key, value in stored.items() if key not in ("schema", "hash")}
        try:
            experiment = Experiment.parse(table)
        except ConfigError as error:
            raise RunError(f"{self.experiment_file}: {error}") from None
        if experiment.hash() != stored.get("hash"):
            raise RunError(
                f"{self.experiment_file}: is not the experiment its hash names: it was edited, or written "
                f"by a version with other rules"
            )
        return experiment

    def provenance(self) -> dict[str, Any]:
        """Read the provenance; raises :class:`RunError` where it does not follow its schema."""
        table = read_json(self.provenance_file, provenance.SCHEMA)
        for breach in breaches(published(provenance.SCHEMA), table):
            raise RunError(f"{self.provenance_file}: does not follow its schema: {breach}")
        return table

    def parts(self) -> Parts:
        """Find the parts (none before there is a folder for them)."""
        return find_parts(self.games) if self.games.is_dir() else Parts([], [])

    def admit(self, experiment: Experiment, code: str) -> None:
        """Raise :class:`ConfigError` unless games of ``experiment`` may be written here; writes nothing.

        A folder that does not exist, is empty, or holds the same experiment played by the same code admits
        it.
        """
        path = str(self.path)
        if not self.exists():
            if self.path.exists() and not self.path.is_dir():
                raise ConfigError("out", path, "must be a folder, and is a file")
            if self.path.exists() and not all(item.name.startswith(".") for item in self.path.iterdir()):
                raise ConfigError("out", path, "must be a new or empty folder, or that of a run")
            return
        there = self.experiment()
        if found := differences(there.identity(), experiment.identity()):
            shown = "; ".join(f"{key} is {there!r} there, {here!r} here" for key, there, here in found[:3])
            more = f"; and {len(found) - 3} more" if len(found) > 3 else ""
            raise ConfigError("out", path, f"must not hold another experiment: {shown}{more}")
        if self.provenance_file.exists() and self.provenance()["code"] != code:
            allowed = "must hold games of the same code: the game's code has changed since; play into a new folder"
            raise ConfigError("out", path, allowed)

    def prepare(self, experiment: Experiment, code: str) -> Experiment:
        """Make the folder ready for games of ``experiment``.

        Returns it, wanting no fewer games than the folder's experiment did.
        """
        remove_leftovers(self.path)
        # First of all the experiment, by which the folder is known; games only once all else is there.
        experiment = self.want(experiment)
        if not self.provenance_file.exists():
            first = {"schema": provenance.SCHEMA, "experiment": experiment.hash(), "code": code, "sessions": []}
            write_json(self.provenance_file, first)
        self.games.mkdir(exist_ok=True)
        remove_leftovers(self.games)
        return experiment

    def want(self, experiment: Experiment) -> Experiment:
        """Note the experiment, wanting no fewer games than the one that is there, and return it so."""
        if self.exists():
            wanted = max(self.experiment().effort.games, experiment.effort.games)
            experiment = replace(experiment, effort=replace(experiment.effort, games=wanted))
        write_json(self.experiment_file, {"schema": SCHEMA, "hash": experiment.hash(), **experiment.table()})
        return experiment

    @contextmanager
    def locked(self) -> Generator[None, None, None]:
        """Hold the folder for writing; the system lets go of it when this process ends, however it ends."""
        self.path.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip() or "unknown"
                raise RunError(f"{self.path}: process {holder} is playing into it") from None
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
            yield
        finally:
            os.close(descriptor)
