"""What each swept parameter does: which of its values move a metric, which cannot, and which are still open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lab.estimators import Observed
from lab.games.adapter import Metric
from lab.stats.intervals import Interval, Undefined
from lab.stats.paired import PairedDifference
from lab.sweeps.compare import Cell, Comparison
from lab.sweeps.table import scale_of
from lab.sweeps.variants import keys_of, value_at, value_text

MATTERS_SHARE = 5.0
"""Percentage points from which a difference of a share matters."""

MATTERS_PART = 0.10
"""Part of its present value from which a difference of any other metric matters."""

State = Literal["moves", "still", "open"]


@dataclass(frozen=True)
class Effect:
    """What one parameter, changed alone, does to one metric.

    Attributes
    ----------
    key, metric
        Which.
    cells
        Its variants that have a difference, in the order of their values.
    state
        ``moves``: a difference is flagged; ``still``: no difference of any value can matter; ``open``: neither.
    games
        Games of each variant that would settle what is open; None where nothing is.
    """

    key: str
    metric: Metric
    cells: tuple[Cell, ...]
    state: State
    games: int | None

    def value(self, cell: Cell) -> str:
        """Return the parameter's value in a cell, as people write it."""
        return value_text(value_at(cell.variant.experiment, self.key))

    @property
    def strongest(self) -> Cell:
        """The cell whose difference is largest, a flagged one if there is any."""
        flagged = [cell for cell in self.cells if cell.flagged] or list(self.cells)
        return max(flagged, key=lambda cell: abs(difference(cell).estimate))


def difference(cell: Cell) -> Interval:
    """Return a cell's difference in the metric's unit."""
    found = cell.difference
    if not isinstance(found, PairedDifference):
        raise ValueError("the cell has no difference")
    ends, scale = found.difference, scale_of(cell)
    return Interval(scale * ends.estimate, scale * ends.low, scale * ends.high, ends.n, ends.level)


def matters(base: Cell) -> float | None:
    """Return from what size on a difference of this metric matters; None where the base says nothing."""
    if base.metric.unit.startswith("%"):
        return MATTERS_SHARE
    if isinstance(base.estimate, Undefined) or not base.estimate.estimate:
        return None
    return MATTERS_PART * abs(scale_of(base) * base.estimate.estimate)


def alone(comparison: Comparison, key: str, metric: str) -> list[Cell]:
    """Return the cells of variants that change this key and nothing else, and have a difference."""
    return [
        cell
        for cell in comparison.of(metric)
        if set(cell.variant.changes) == {key} and isinstance(cell.difference, PairedDifference)
    ]


def effects_of(comparison: Comparison, metrics: Sequence[str]) -> list[Effect]:
    """Return the effect of every parameter that some variant changes alone on each of these metrics."""
    found: list[Effect] = []
    for name in metrics:
        base = comparison.of(name)[0]
        for key in keys_of(comparison.variants):
            if cells := alone(comparison, key, name):
                found.append(_effect(key, base, cells))
    return found


def _effect(key: str, base: Cell, cells: list[Cell]) -> Effect:
    limit = matters(base)
    undecided = [] if limit is None else [cell for cell in cells if not cell.flagged and not _within(cell, limit)]
    state: State = "moves" if any(cell.flagged for cell in cells) else "open" if undecided or limit is None else "still"
    games = max((games_to_tell(difference(cell), limit) for cell in undecided), default=0) if limit else 0
    return Effect(key, base.metric, tuple(cells), state, games or None)


def _within(cell: Cell, limit: float) -> bool:
    ends = difference(cell)
    return -limit <= ends.low and ends.high <= limit


def games_to_tell(ends: Interval, limit: float) -> int:
    """Return the games after which a difference that stayed as it is would be told from one that matters.

    Its interval would then lie within ``limit`` on either side of 0, or leave 0 out: whichever is sooner. Half-widths
    shrink with the root of the games.
    """
    size = abs(ends.estimate)
    aim = max(size, limit - size, limit / 10)
    return round(ends.n * max(1.0, (ends.half_width / aim) ** 2))


def observed(cell: Cell) -> tuple[float, float, float] | None:
    """Return a cell's estimate and its ends in the metric's unit; None where it is undefined."""
    estimate, scale = cell.estimate, scale_of(cell)
    if isinstance(estimate, Undefined):
        return None
    if isinstance(estimate, Observed):
        value = scale * estimate.estimate
        return value, value, value
    return scale * estimate.estimate, scale * estimate.low, scale * estimate.high
