"""Logistic regression of a yes or no on one number: by how much each unit of it moves the odds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special

from lab.stats.intervals import LEVEL, Estimate, Interval, Undefined, as_sample, check_level


@dataclass(frozen=True)
class LogitFit:
    """The fitted line: its value at 0 in log odds, and its slope in log odds for each unit."""

    intercept: float
    slope: Interval

    def share(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return the fitted shares at these values."""
        return special.expit(self.intercept + self.slope.estimate * np.asarray(values, dtype=float))


def logit_slope(outcomes: ArrayLike, values: ArrayLike, level: float = LEVEL) -> Estimate:
    """Return the slope alone; see :func:`logit_fit`."""
    fit = logit_fit(outcomes, values, level)
    return fit if isinstance(fit, Undefined) else fit.slope


def logit_fit(outcomes: ArrayLike, values: ArrayLike, level: float = LEVEL) -> LogitFit | Undefined:
    """Fit the logit of ``outcomes`` as a line over ``values`` by maximum likelihood.

    The interval is Wald's. Games that agree in their value are fitted as one binomial count, which is the same
    likelihood and makes a million games cost no more than the values they take. (The same fit in statsmodels, which
    the tests hold this to, warns where there are two values only.)

    Parameters
    ----------
    outcomes
        Shape (n,), of true and false.
    values
        Shape (n,), one number a game.

    Returns
    -------
    LogitFit or Undefined
        Undefined where the slope is not finite: all outcomes or all values are alike, or one threshold tells all
        yes from all no (Albert and Anderson 1984).
    """
    check_level(level)
    yes, x = np.asarray(outcomes, dtype=bool), as_sample(values)
    n = x.size
    if yes.shape != x.shape:
        raise ValueError(f"{yes.size} outcomes and {n} values do not pair")
    if yes.all() or not yes.any():
        return Undefined(f"all {n} outcomes are alike", n)
    if not (x[yes].max() > x[~yes].min() and x[~yes].max() > x[yes].min()):
        return Undefined(f"in {n} games the outcomes do not overlap: no finite slope fits best", n)
    at, place = np.unique(x, return_inverse=True)
    games, won = np.bincount(place), np.bincount(place, weights=yes)
    unit = float(x.std())
    design = np.stack([np.ones(at.size), (at - x.mean()) / unit], axis=1)

    def loss(b: NDArray[np.float64]) -> float:
        return float((games * np.logaddexp(0, design @ b) - won * (design @ b)).sum())

    def slope_of_loss(b: NDArray[np.float64]) -> NDArray[np.float64]:
        return design.T @ (games * special.expit(design @ b) - won)

    def information(b: NDArray[np.float64]) -> NDArray[np.float64]:
        p = special.expit(design @ b)
        return (design.T * (games * p * (1 - p))) @ design

    fitted: Any = optimize.minimize(
        loss, np.zeros(2), jac=slope_of_loss, hess=information, method="trust-exact", options={"gtol": 1e-8 * n}
    )
    error = math.sqrt(np.linalg.inv(information(fitted.x))[1, 1])
    estimate, half = fitted.x[1] / unit, special.ndtri((1 + level) / 2) * error / unit
    slope = Interval(float(estimate), float(estimate - half), float(estimate + half), n, level)
    return LogitFit(float(fitted.x[0] - estimate * x.mean()), slope)
