"""A batch of consecutive games: the unit of work of every runner, and how it is played.

What a batch needs travels with it, so it can be played in any process on any machine, and twice if need be.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, takewhile
from typing import Any, Final, TypeVar

import numpy as np

from engine.game import Played
from engine.rng import Streams
from lab.games import adapter_of
from lab.games.adapter import Adapter
from lab.results.arrow import Schema, Table
from lab.results.schema import (
    RowError,
    broken_identities,
    checked_columns,
    columns_of,
    failure,
    schema_of,
    table_of,
    unfit_rows,
)
from lab.runners.limit import give_up, watched, within
from lab.spec import Experiment, canonical

PROCESS_DIED: Final = "ProcessDied: the process that played this game died or had to be ended, every time it was tried"
"""Failure of a game that takes its process with it (out of memory, compiled code that crashes or never returns)."""

PIECES: Final = 16
"""Into how many a batch is split that lost its process: few rounds find the game, and few batches are played anew."""

ATTEMPTS: Final = 2
"""How often a game is tried until it has failed."""

TOGETHER: Final = 32
"""Games that are played before their rows are made: what makes a row leaves the processor's cache while a game is
played, so that rows made one after the other take a third less."""

T = TypeVar("T")


@dataclass(frozen=True)
class Batch:
    """Games ``start`` to ``stop`` (exclusive) of an experiment, which is given as JSON text."""

    experiment: str
    start: int
    stop: int

    def __len__(self) -> int:
        """Return the number of games."""
        return self.stop - self.start

    @property
    def game(self) -> str:
        """The name of the game, whether it is known here or not."""
        return json.loads(self.experiment)["game"]

    def pieces(self) -> list[Batch]:
        """Return the batch as several."""
        size = -(-len(self) // PIECES)
        starts = range(self.start, self.stop, size)
        return [replace(self, start=start, stop=min(start + size, self.stop)) for start in starts]


@dataclass(frozen=True)
class Outcome:
    """A batch as played: the games from ``start`` on, one row each, and the seconds it took."""

    start: int
    table: Table
    seconds: float

    @property
    def stop(self) -> int:
        """Index after the last game."""
        return self.start + len(self.table)


def job_text(experiment: Experiment) -> str:
    """Return an experiment as the text that travels with its batches."""
    return canonical(experiment.table())


def play_batch(
    batch: Batch, stopping: Callable[[], bool] = lambda: False, overdue: Callable[[int], None] = give_up
) -> Outcome:
    """Play a batch.

    Parameters
    ----------
    batch
        The games to play.
    stopping
        Asked between games; where it says true, the outcome has only the games played until then.
    overdue
        Told of a game that is over its time limit and cannot be interrupted, to end this process.
    """
    began = time.perf_counter()
    experiment, adapter, schema = _resolved(batch.experiment)
    outcomes: list[Mapping[str, Any] | str] = []
    indices = takewhile(lambda _: not stopping(), range(batch.start, batch.stop))
    with watched(overdue):
        while group := list(islice(indices, TOGETHER)):
            played = [play_game(experiment, adapter, index) for index in group]
            outcomes += [measured(experiment, adapter, *one) for one in zip(group, played, strict=True)]
    for position, text in unfit_rows(adapter, outcomes).items():
        outcomes[position] = text
    table = table_of(schema, batch.start, experiment.effort.seed, outcomes)
    if broken := _broken_rows(adapter, table):
        for position, text in broken.items():
            outcomes[position] = text
        table = table_of(schema, batch.start, experiment.effort.seed, outcomes)
    return Outcome(batch.start, table, time.perf_counter() - began)


def play_game(experiment: Experiment, adapter: Adapter[Any], index: int) -> Played | str:
    """Return one game as played or, if it failed twice, the text of its failure."""
    seed = experiment.effort.seed
    play = adapter.game.play
    return _tried(experiment, index, lambda: play(experiment.rules, experiment.players, Streams(seed, index)))


def measured(
    experiment: Experiment, adapter: Adapter[Any], index: int, played: Played | str
) -> Mapping[str, Any] | str:
    """Return the row of a played game, or the text of its failure."""
    return played if isinstance(played, str) else _tried(experiment, index, lambda: adapter.measure(played))


def _tried(experiment: Experiment, index: int, attempt: Callable[[], T]) -> T | str:
    """Return what an attempt at a game returns or, if it failed each time, the text of its failure.

    Twice, because a machine can fail as well as a game: what lacked memory may find it the second time. A
    game that fails by its own fault fails the same way again, so this stays a function of seed and index.
    """
    said = ""
    for _ in range(ATTEMPTS):
        try:
            return within(experiment.effort.time_limit_s, index, attempt)
        except (Exception, SystemExit) as error:
            said = failure(error)
    return said


def failed_batch(batch: Batch, text: str) -> Outcome:
    """Return a batch of which every game failed, for a reason that the process playing it could not tell."""
    experiment, _, schema = _resolved(batch.experiment)
    return Outcome(batch.start, table_of(schema, batch.start, experiment.effort.seed, [text] * len(batch)), 0.0)


def _broken_rows(adapter: Adapter[Any], table: Table) -> dict[int, str]:
    """Return the rows in which an identity does not hold: position in the table, and the failure in words."""
    played = np.flatnonzero(table["error"].is_null().to_numpy())
    return {
        int(played[row]): failure(RowError(f"does not hold: {name}"))
        for name, rows in reversed(broken_identities(adapter, columns_of(table, checked_columns(adapter))))
        for row in rows
    }


@lru_cache(maxsize=64)
def _resolved(text: str) -> tuple[Experiment, Adapter[Any], Schema]:
    experiment = Experiment.parse(json.loads(text))
    adapter = adapter_of(experiment.game)
    return experiment, adapter, schema_of(adapter, experiment.hash())
