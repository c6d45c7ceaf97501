"""What sets variants apart: every metric of each, and its difference from the base on shared seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.game import SEATS
from lab.estimators import Columns, Estimate, Estimator, Mean, Proportion, Ratio
from lab.games import adapter_of
from lab.games.adapter import WINNER, Metric
from lab.results.run import Run, metric_columns
from lab.spec import canonical
from lab.stats.comparisons import benjamini_hochberg, p_of_interval
from lab.stats.intervals import Undefined
from lab.stats.paired import PairedDifference, SeatPairs, paired_means, paired_proportions, paired_ratios, seat_pairs
from lab.sweeps.folder import SweepFolder
from lab.sweeps.variants import Variant, seat_text

FALSE_LEADS: Final = 0.05
"""Share of false ones that is accepted among the differences that are flagged (Benjamini and Hochberg 1995)."""


@dataclass(frozen=True)
class Cell:
    """One metric of one variant.

    Attributes
    ----------
    variant, metric
        Which.
    estimate
        From all the variant's games.
    difference
        From the base, on the games both have; None for the base itself.
    q
        The difference's p-value, adjusted over all differences of the sweep; None where there is no difference.
    """

    variant: Variant
    metric: Metric
    estimate: Estimate
    difference: PairedDifference | Undefined | None
    q: float | None = None

    @property
    def flagged(self) -> bool:
        """Whether the sweep may point at this difference."""
        return self.q is not None and self.q <= FALSE_LEADS


@dataclass(frozen=True)
class Pairing:
    """Two players under one set of rules, each seed played twice with the seats swapped."""

    players: tuple[str, str]
    rules: Mapping[str, Any]
    pairs: SeatPairs


@dataclass(frozen=True)
class Comparison:
    """What came out of a sweep.

    Attributes
    ----------
    variants
        Those that have games, the base first.
    games
        Games played of each variant, those that failed left out.
    cells
        By metric, in the game's order, then by variant.
    pairings
        Where seats were swapped.
    failures
        Variant, game and text of each game that failed.
    """

    variants: tuple[Variant, ...]
    games: tuple[int, ...]
    cells: tuple[Cell, ...]
    pairings: tuple[Pairing, ...]
    failures: tuple[tuple[Variant, int, str], ...]

    @property
    def base(self) -> Variant:
        """What all others are compared with."""
        return self.variants[0]

    def of(self, metric: str) -> list[Cell]:
        """Return a metric's cells, the base's first."""
        return self._by_metric[metric]

    @cached_property
    def _by_metric(self) -> dict[str, list[Cell]]:
        found: dict[str, list[Cell]] = {}
        for cell in self.cells:
            found.setdefault(cell.metric.name, []).append(cell)
        return found


def compare(folder: SweepFolder) -> Comparison:
    """Estimate every metric of every variant that has games, and its difference from the base."""
    base, *others = folder.variants()
    adapter = adapter_of(base.experiment.game)
    names = list(dict.fromkeys(("game", WINNER.name, *metric_columns(adapter))))
    present = [base, *(variant for variant in others if folder.run(variant).parts().games)]
    runs = [Run(folder.run(variant).path) for variant in present]
    played = [run.columns(names) for run in runs]
    shared = [shared_games(columns, played[0]) for columns in played]
    cells: list[Cell] = []
    for metric in adapter.metrics:
        for variant, columns, both in zip(present, played, shared, strict=True):
            estimate = metric.estimator.estimate(columns)
            difference = None if variant is base else difference_of(metric.estimator, *both)
            cells.append(Cell(variant, metric, estimate, difference))
    return Comparison(
        variants=tuple(present),
        games=tuple(len(columns["game"]) for columns in played),
        cells=tuple(_adjusted(cells)),
        pairings=tuple(_pairings(present, played)),
        failures=tuple(
            (variant, game, text) for variant, run in zip(present, runs, strict=True) for game, text in run.failures
        ),
    )


def difference_of(estimator: Estimator, a: Columns, b: Columns) -> PairedDifference | Undefined:
    """Return the difference a − b of what an estimator estimates, as games in a row share their seed.

    Where a game may count in one variant and not in the other, the quantity is a ratio of two sums (what
    counted, how often it did), and pairs of games are resampled.
    """
    match estimator:
        case Mean(of, among):
            if not _always(a, of, among) or not _always(b, of, among):
                return _difference_of_ratios(*_sums(a, of, None, among), *_sums(b, of, None, among))
            return paired_means(a[of], b[of])
        case Proportion(of, among):
            if among is not None:
                return _difference_of_ratios(*_sums(a, of, None, among), *_sums(b, of, None, among))
            return paired_proportions(a[of], b[of])
        case Ratio(of, per, scale, among):
            return _difference_of_ratios(*_sums(a, of, per, among, scale), *_sums(b, of, per, among, scale))
        case _:
            kind = type(estimator).__name__.lower()
            return Undefined(f"no paired interval is known here for a {kind}", len(a["game"]))


def _always(columns: Columns, of: str, among: str | None) -> bool:
    return among is None and not np.isnan(columns[of].astype(float)).any()


def _sums(
    columns: Columns, of: str, per: str | None, among: str | None, scale: float = 1.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what each game adds to numerator and denominator: nothing where it does not count."""
    numerator = columns[of].astype(float)
    denominator = np.ones(len(numerator)) if per is None else columns[per].astype(float)
    counts = ~(np.isnan(numerator) | np.isnan(denominator))
    if among is not None:
        counts &= columns[among].astype(bool)
    return np.where(counts, scale * numerator, 0.0), np.where(counts, denominator, 0.0)


def _difference_of_ratios(
    over_a: NDArray[np.float64],
    under_a: NDArray[np.float64],
    over_b: NDArray[np.float64],
    under_b: NDArray[np.float64],
) -> PairedDifference | Undefined:
    return paired_ratios(over_a, under_a, over_b, under_b)


def shared_games(a: Columns, b: Columns) -> tuple[Columns, Columns]:
    """Return the rows of the games that both have."""
    if np.array_equal(a["game"], b["game"]):
        return a, b
    _, in_a, in_b = np.intersect1d(a["game"], b["game"], assume_unique=True, return_indices=True)
    return {name: c[in_a] for name, c in a.items()}, {name: c[in_b] for name, c in b.items()}


def _adjusted(cells: Sequence[Cell]) -> list[Cell]:
    tested = [place for place, cell in enumerate(cells) if isinstance(cell.difference, PairedDifference)]
    intervals = [cell.difference.difference for cell in cells if isinstance(cell.difference, PairedDifference)]
    adjusted = benjamini_hochberg([p_of_interval(interval) for interval in intervals])
    found = list(cells)
    for place, q in zip(tested, adjusted.tolist(), strict=True):
        found[place] = replace(cells[place], q=q)
    return found


def _pairings(variants: Sequence[Variant], played: Sequence[Columns]) -> list[Pairing]:
    """Find variants that are each other with the seats swapped, and analyse their games as pairs."""
    places = {_seating(variant): place for place, variant in enumerate(variants)}
    found: list[Pairing] = []
    for place, variant in enumerate(variants):
        one, other = variant.experiment.seats
        swapped = places.get(_seating(variant, swapped=True))
        if swapped is None or swapped <= place:
            continue
        there, back = shared_games(played[place], played[swapped])
        pairs = seat_pairs(_scores(there, SEATS[0]), _scores(back, SEATS[1]))
        rules = {key: value for key, value in variant.changes.items() if not key.startswith("players.")}
        found.append(Pairing((seat_text(one), seat_text(other)), rules, pairs))
    return found


def _seating(variant: Variant, swapped: bool = False) -> str:
    experiment = variant.experiment
    seats = [seat.table() for seat in experiment.seats]
    return canonical([experiment.rules.table(), seats[::-1] if swapped else seats])


def _scores(columns: Columns, seat: str) -> NDArray[np.float64]:
    """Return a seat's score in each game: 1 for a win, ½ where nobody won, 0 for a loss."""
    winner = columns[WINNER.name]
    return np.where(winner == seat, 1.0, np.where(winner == "none", 0.5, 0.0))
