"""Survival in a state that may be entered and left: who stands where the danger is, turn by turn.

Kaplan and Meier's product over turns of the share not lost, with the state as it is in each turn: whoever enters a
state joins those at risk in it, whoever leaves it is no longer followed there (Simon and Makuch 1984). So the curve
says how long one would last who stayed. The interval resamples whole games, or blocks of games, since what happens to
men of one game is not independent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.stats.intervals import LEVEL

FEWEST: int = 20
"""A curve ends where fewer than so many are at risk."""


@dataclass(frozen=True)
class Survival:
    """Shares that are left after turns 0, 1, 2...: shape (turns + 1,) each, between 0 and 1."""

    estimate: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def survival(
    lost: NDArray[np.float64], at_risk: NDArray[np.float64], level: float = LEVEL, seed: int = 0, resamples: int = 1000
) -> Survival | None:
    """Return the curve with a pointwise percentile interval; None where hardly anyone was at risk at all.

    Parameters
    ----------
    lost, at_risk
        Shape (blocks, turns): sums over the games of a block, those at risk as a turn began and those lost in it.
    level, seed, resamples
        Of the interval.
    """
    enough = at_risk.sum(axis=0) >= FEWEST
    turns = len(enough) if enough.all() else int(np.argmin(enough))
    if not turns:
        return None
    lost, at_risk = lost[:, :turns], at_risk[:, :turns]
    blocks = len(lost)
    weights = np.random.default_rng(seed).multinomial(blocks, np.full(blocks, 1 / blocks), resamples).astype(float)
    ends = np.quantile(_left(weights @ lost, weights @ at_risk), ((1 - level) / 2, (1 + level) / 2), axis=0)
    return Survival(_left(lost.sum(axis=0), at_risk.sum(axis=0)), ends[0], ends[1])


def _left(lost: NDArray[np.float64], at_risk: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what is left after each turn, the start first."""
    hazard = np.divide(lost, at_risk, out=np.zeros_like(at_risk), where=at_risk > 0)
    left = np.cumprod(1.0 - np.minimum(hazard, 1.0), axis=-1, dtype=np.float64)
    return np.concatenate([np.ones_like(left[..., :1]), left], axis=-1)
