"""Many comparisons at once: what may still be claimed when twenty differences were looked at."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from lab.stats.intervals import Interval, Sample, as_sample


def holm(p_values: ArrayLike) -> Sample:
    """Return p-values adjusted by Holm (1979): the chance of even one false claim stays below the level.

    For claims. Reject where the adjusted value is at most 1 − level; any dependence is allowed.
    """
    return _adjusted(p_values, "holm")


def benjamini_hochberg(p_values: ArrayLike) -> Sample:
    """Return p-values adjusted by Benjamini and Hochberg (1995): of what is flagged, few are false.

    For sweeps, where a designer wants leads. The share of false leads stays below the level in the mean, for
    independent or positively dependent tests, such as variants held against one base.
    """
    return _adjusted(p_values, "fdr_bh")


def _adjusted(p_values: ArrayLike, method: str) -> Sample:
    # Imported here: it takes a second that no other statistic should wait for.
    from statsmodels.stats.multitest import multipletests

    values = as_sample(p_values)
    if values.size == 0:
        return values
    if values.min() < 0 or values.max() > 1:
        raise ValueError("p-values lie between 0 and 1")
    return np.asarray(multipletests(values, method=method)[1], dtype=np.float64)


def p_of_z(z: float) -> float:
    """Return the two-sided p-value of a standard normal deviate."""
    return float(2 * special.ndtr(-abs(z)))


def z_of_p(p: float) -> float:
    """Return the standard normal deviate, at least 0, whose two-sided p-value is ``p``."""
    if not 0 < p <= 1:
        raise ValueError(f"p = {p}: must be above 0, at most 1")
    return float(-special.ndtri(p / 2))


def p_of_interval(interval: Interval, null: float = 0.0) -> float:
    """Return the two-sided p-value of ``null`` that an interval amounts to.

    The distance to ``null`` in standard errors, taken from the side of the interval that faces it; so it is
    below 1 − level exactly when the interval leaves ``null`` out. Where that side has no width all n values
    were alike, and the p-value is that of the sign test, 2 · 2⁻ⁿ.
    """
    distance = interval.estimate - null
    if distance == 0:
        return 1.0
    side = interval.estimate - interval.low if distance > 0 else interval.high - interval.estimate
    if side == 0:
        return min(1.0, 2.0 ** (1 - interval.n))
    return p_of_z(distance / side * z_of_p(1 - interval.level))
