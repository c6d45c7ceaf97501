"""Survival in a state that may be entered and left: who stands where the danger is, turn by turn.

Kaplan and Meier's product over turns of the share not lost, with the state as it is in each turn: whoever enters a
state joins those at risk in it, whoever leaves it is no longer followed there (Simon and Makuch 1984), and nobody is
once the game is over. So the curve says how long one would last who stayed. The interval resamples whole games, or
blocks of games, since what happens to men of one game is not independent: Greenwood's formula takes it for that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lab.stats.bootstrap import RESAMPLES, bootstraps_of_sums
from lab.stats.intervals import LEVEL, Interval

FEWEST: Final = 20
"""A curve ends where so few games have anyone at risk that their spread says little."""


@dataclass(frozen=True)
class Survival:
    """Shares that are left after turns 0, 1, 2...: shape (turns + 1,) each, between 0 and 1."""

    estimate: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def survival(
    lost: NDArray[np.float64],
    at_risk: NDArray[np.float64],
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Survival | None:
    """Return the curve with an interval at each turn by itself; None where hardly any game has anyone at risk.

    Parameters
    ----------
    lost, at_risk
        Shape (blocks, turns): sums over the games of a block (or of one game), those at risk as a turn began and those
        lost in it.
    level, seed, resamples
        As in :func:`lab.stats.bootstrap.bootstrap_of_sums`.
    """
    enough = (at_risk > 0).sum(axis=0) >= FEWEST
    turns = len(enough) if enough.all() else int(np.argmin(enough))
    if not turns:
        return None
    columns = np.concatenate([lost[:, :turns], at_risk[:, :turns]], axis=1)
    found = bootstraps_of_sums(
        columns[columns.any(axis=1)], lambda sums: _left(sums[..., :turns], sums[..., turns:]), level, seed, resamples
    )
    ends = [(one.estimate, one.low, one.high) for one in found if isinstance(one, Interval)]
    return Survival(*np.array([(1.0, 1.0, 1.0), *ends]).T)


def _left(lost: NDArray[np.float64], at_risk: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what is left after each turn; a turn in which nobody is at risk takes nobody."""
    hazard = np.divide(lost, at_risk, out=np.zeros_like(at_risk), where=at_risk > 0)
    return np.cumprod(1.0 - np.minimum(hazard, 1.0), axis=-1, dtype=np.float64)
