"""The skill ladder: every level against every level, both seats, each board, as runs of the lab like any other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.dodgem.players import PLAYERS
from engine.dodgem.rules import DodgemRules, StuckRule
from engine.dodgem.table import Table
from engine.errors import ConfigError
from lab.design import Axis, Crossed, Explicit, Grid, Pairings, Variant
from lab.dodgem.mistakes import Mistakes, mistakes
from lab.experiment_file import load
from lab.results.run import Run
from lab.spec import Experiment

LEVELS = tuple(PLAYERS)
"""Every level, weakest first."""


@dataclass(frozen=True)
class Rung:
    """One pairing in one seating on one board."""

    board: int
    first: str
    second: str
    experiment: Experiment

    @property
    def rules(self) -> DodgemRules:
        """Its rules."""
        rules = self.experiment.rules
        assert isinstance(rules, DodgemRules)
        return rules

    @property
    def name(self) -> str:
        """Name of its run's folder."""
        return f"{self.board}x{self.board}-{self.first}-{self.second}"


@dataclass(frozen=True)
class Result:
    """The games of a rung, failed ones left out.

    Attributes
    ----------
    rung
        Who played where.
    game
        Index of each game, which a game of the swapped seating shares, seed and all; shape (games,).
    score
        Points of the first seat, 1, ½ or 0, shape (games,).
    stuck
        Whether a stuck side ended the game, shape (games,).
    mistakes
        Moves that gave away what the position was worth.
    failures
        Games that could not be played.
    """

    rung: Rung
    game: NDArray[np.int64]
    score: NDArray[np.float64]
    stuck: NDArray[np.bool_]
    mistakes: Mistakes
    failures: int


def levels_called(names: Iterable[str]) -> list[str]:
    """Return levels, weakest first; raises :class:`ConfigError` for unknown ones and for fewer than two."""
    given = list(names)
    for name in given:
        if name not in LEVELS:
            raise ConfigError("--levels", name, f"must be one of {', '.join(LEVELS)}")
    found = [level for level in LEVELS if level in given]
    if len(found) < 2:
        raise ConfigError("--levels", " ".join(given), "must be two levels or more")
    return found


def rungs(config: str, boards: Sequence[int], levels: Sequence[str], games: int | None = None) -> list[Rung]:
    """Return the rungs of a ladder.

    Parameters
    ----------
    config
        The experiment they all start from: rules, seed, number of games of each.
    boards
        Sides of the boards.
    levels
        As :func:`levels_called` returns them.
    games
        Games of each rung, where not as the config says.

    Raises
    ------
    ConfigError
        Where the config cannot be used or is not one of Dodgem, or there is no such board.
    """
    if (base := load(config)).game != "dodgem":
        raise ConfigError("game", base.game, "must be 'dodgem' for a ladder of its levels", config)
    changes = {} if games is None else {"run.games": games}
    found: list[Rung] = []
    for variant in variants(boards, levels):
        experiment = load(config, {**variant, **changes})
        first, second = (seat.name for seat in experiment.seats)
        found.append(Rung(int(variant["rules.board"]), first, second, experiment))
    return found


def variants(boards: Sequence[int], levels: Sequence[str]) -> tuple[Variant, ...]:
    """Return what each rung changes in the config: every two levels in both seatings, and each against itself."""
    players = tuple({"name": level} for level in levels)
    board = Grid((Axis("rules.board", tuple(boards)),))
    mirrors = Explicit(tuple({"players.first": player, "players.second": player} for player in players))
    return (*Crossed(board, Pairings(players)).variants(), *Crossed(board, mirrors).variants())


def results(found: Sequence[Rung], folder: Path, tables: Callable[[int, StuckRule], Table]) -> Iterator[Result]:
    """Read the runs of rungs that have been played; ``tables`` is where solved boards come from."""
    for rung in found:
        run = Run(folder / rung.name)
        columns = run.columns(["game", "first_score", "ended_stuck", "line"])
        table = tables(rung.rules.board, rung.rules.stuck)
        yield Result(
            rung,
            columns["game"],
            columns["first_score"],
            columns["ended_stuck"],
            mistakes(table, list(columns["line"]), rung.rules.first_side),
            len(run.failures),
        )
