"""Ratios of sums over games: rates pooled over flicks, men or chains, with intervals over whole games."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lab.stats.bootstrap import RESAMPLES, Sums, bootstrap_of_sums
from lab.stats.intervals import LEVEL, Estimate, Undefined, as_sample


def ratio_bootstrap(
    numerators: ArrayLike,
    denominators: ArrayLike,
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Estimate:
    """Return sum(numerators) / sum(denominators) with an interval that resamples whole games.

    What happens within one game is not independent, so a game and not a flick is the unit. Games that add
    nothing to either sum say nothing of the ratio and are left out; ``n`` counts the others.

    Parameters
    ----------
    numerators, denominators
        Shape (n,), one entry a game, in the same order; denominators at least 0.
    level, seed, resamples
        As in :func:`lab.stats.bootstrap.bootstrap_of_sums`.
    """
    columns = np.stack([as_sample(numerators), as_sample(denominators)], axis=1)
    if (columns[:, 1] < 0).any():
        raise ValueError("denominators must be at least 0")
    if not columns[:, 1].any():
        return Undefined(f"the denominator is 0 in all {len(columns)} games", len(columns))
    return bootstrap_of_sums(columns[columns.any(axis=1)], _ratio, level, seed, resamples)


def _ratio(sums: Sums) -> Sums:
    return sums[..., 0] / sums[..., 1]
