"""Sums over the games of a run that need its columns of lists, read a piece at a time.

A million games do not fit into memory as lists; their sums do. Where an interval needs to know how games vary, sums
are kept by block: game i goes to block i mod :data:`BLOCKS`, so with fewer games than that each is its own block.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from lab.results.arrow import Table
from lab.results.run import Run
from lab.views import Deeds, Losses, State, Views

BLOCKS: Final = 500
CELLS: Final = 24
"""Cells across the page of a map; as many down it as keep them square."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Tallies:
    """What was counted.

    Attributes
    ----------
    games
        Games that were played.
    deeds
        Shape (blocks, kinds, phases): actions; None where the game has no such columns.
    lost, at_risk
        Shape (states, blocks, turns): lost in each state and turn, and at risk as the turn began.
    places
        Shape (ways, sides, rows, columns): losses on the page, in the order of the declared ways.
    """

    games: int
    deeds: NDArray[np.float64] | None
    lost: NDArray[np.float64] | None
    at_risk: NDArray[np.float64] | None
    places: Numbers | None


def tally(run: Run, views: Views) -> Tallies:
    """Read a run's lists, in pieces, and sum them up."""
    deeds, losses = views.deeds, views.losses
    names = list(deeds.columns.values()) if deeds else []
    if losses:
        names += [losses.turn, losses.x, losses.y, losses.side, losses.how]
        names += [name for state in losses.states for name in (*state.standing, *state.less)]
    counter = _Counter(run, deeds, losses)
    for part in run.folder.parts().current:
        for table in part.tables(list(dict.fromkeys((*names, "error")))):
            counter.add(table.filter(table["error"].is_null()))
    return counter.tallies()


class _Counter:
    """The sums so far."""

    def __init__(self, run: Run, deeds: Deeds | None, losses: Losses | None) -> None:
        self.losses = losses
        self._columns = list(deeds.columns.values()) if deeds else []
        self._games = 0
        self._blocks = max(1, min(BLOCKS, run.games))
        self._deeds = np.zeros((self._blocks, len(self._columns), len(deeds.phases) if deeds else 0))
        states = len(losses.states) if losses else 0
        self._lost, self._at_risk = (np.zeros((states, self._blocks, 0)) for _ in range(2))
        if losses:
            width, height = losses.page(run.experiment.rules)
            self._page = (width, height)
            rows = max(1, round(CELLS * height / width))
            self._places = np.zeros((len(losses.ways), 2, rows, CELLS), np.int64)

    def add(self, table: Table) -> None:
        """Add the games of a table."""
        self._games += len(table)
        block = cast(Numbers, table["game"].to_numpy()) % self._blocks
        for kind, name in enumerate(self._columns):
            values, game, place = _flat(table, name)
            phases = self._deeds.shape[2]
            cell = block[game] * phases + place
            self._deeds[:, kind] += np.bincount(cell, values, self._blocks * phases).reshape(self._blocks, phases)
        if self.losses is not None:
            self._add_losses(table, block, self.losses)

    def _add_losses(self, table: Table, block: Numbers, losses: Losses) -> None:
        turn, game, _ = _flat(table, losses.turn)
        x, y, side, how = (_flat(table, name)[0] for name in (losses.x, losses.y, losses.side, losses.how))
        _, _, rows, columns = self._places.shape
        column = np.clip(x * columns // self._page[0], 0, columns - 1).astype(np.int64)
        row = np.clip(y * rows // self._page[1], 0, rows - 1).astype(np.int64)
        way = np.searchsorted(np.array(sorted(losses.ways)), how)
        cells = ((way * 2 + side) * rows + row) * columns + column
        self._places += np.bincount(cells, minlength=self._places.size).reshape(self._places.shape)
        for number, state in enumerate(losses.states):
            here = np.isin(how, state.ways)
            self._lost = _summed(self._lost, number, block[game[here]], turn[here] - 1, np.ones(int(here.sum())))
            self._at_risk = self._standing(table, block, number, state)

    def _standing(self, table: Table, block: Numbers, number: int, state: State) -> NDArray[np.float64]:
        """Add those at risk: who stood there after the turn before."""
        at_risk = self._at_risk
        for sign, names in ((1.0, state.standing), (-1.0, state.less)):
            for name in names:
                values, game, turn = _flat(table, name)
                # The last entry is the end of the game: no turn comes after it.
                last = np.append(game[1:] != game[:-1], True) if game.size else np.zeros(0, bool)
                kept = ~last
                at_risk = _summed(at_risk, number, block[game[kept]], turn[kept], sign * values[kept])
        return at_risk

    def tallies(self) -> Tallies:
        """Return the sums."""
        some = self._games > 0
        lost, at_risk = _alike(self._lost, self._at_risk)
        return Tallies(
            self._games,
            self._deeds if some and self._columns else None,
            lost if some and self.losses else None,
            at_risk if some and self.losses else None,
            self._places if some and self.losses else None,
        )


def _flat(table: Table, name: str) -> tuple[Numbers, Numbers, Numbers]:
    """Return the entries of a column of lists: values, the row of each, and its place in its list."""
    lists: Any = table[name].combine_chunks()
    if isinstance(lists, list) or not len(lists):
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64)
    offsets = np.asarray(lists.offsets.to_numpy(), dtype=np.int64)
    lengths = np.diff(offsets)
    row = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(row)) - np.repeat(offsets[:-1] - offsets[0], lengths)
    return np.asarray(lists.flatten().to_numpy(), dtype=np.int64), row, place


def _summed(
    sums: NDArray[np.float64], number: int, block: Numbers, turn: Numbers, values: NDArray[Any]
) -> NDArray[np.float64]:
    """Return sums (states, blocks, turns) with values added to one state, made longer where a turn asks for it."""
    longest = int(turn.max()) + 1 if turn.size else 0
    if longest > sums.shape[2]:
        sums = np.pad(sums, ((0, 0), (0, 0), (0, longest - sums.shape[2])))
    blocks, turns = sums.shape[1:]
    sums[number] += np.bincount(block * turns + turn, values, blocks * turns).reshape(blocks, turns)
    return sums


def _alike(one: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    turns = max(one.shape[2], other.shape[2])
    padded = [np.pad(sums, ((0, 0), (0, 0), (0, turns - sums.shape[2]))) for sums in (one, other)]
    return padded[0], padded[1]
