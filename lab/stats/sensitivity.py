"""Which settings a metric depends on: Morris screening and Sobol indices, sampled and estimated by SALib.

Both work on the unit cube, one axis a factor; what a coordinate means is the design's business. Each is one
object that gives the points to play and later takes the metric at those points, in the same order.

The metric of finitely many games is noisy, and noise looks like dependence: it raises every total effect
and every mean absolute effect, and lowers first-order indices. The intervals say how far the numbers would
move on another such sample, noise included; they do not take the noise out. Games on shared seeds make
little of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.errors import ConfigError
from lab.stats.intervals import LEVEL, Interval, Sample, Undefined, as_sample, t_quantile

Points: TypeAlias = NDArray[np.float64]
"""Points of the unit cube, shape (runs, factors)."""


@dataclass(frozen=True)
class ElementaryEffect:
    """What moving one factor does to a metric, per full range of the factor (Morris 1991).

    Attributes
    ----------
    mean
        Mean effect; effects of both signs cancel.
    mean_absolute
        Mean of the absolute effects, μ* (Campolongo, Cariboni and Saltelli 2007): the importance. Its interval
        ends at 0.
    sd
        Standard deviation of the effects: 0 where the factor acts alone and along a line.
    """

    mean: Interval
    mean_absolute: Interval
    sd: float


@dataclass(frozen=True)
class MorrisScreening:
    """A Morris screening: random trajectories on a grid, along which one factor moves at a time.

    Attributes
    ----------
    factors
        Number of factors.
    trajectories
        Number of trajectories, at least 2; each takes ``factors + 1`` points.
    levels
        Levels of the grid, an even number.
    seed
        Of the trajectories; not negative.
    """

    factors: int
    trajectories: int = 20
    levels: int = 4
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse sizes that have no trajectories."""
        _at_least("factors", self.factors, 1)
        _at_least("trajectories", self.trajectories, 2)
        if self.levels < 2 or self.levels % 2:
            raise ConfigError("levels", self.levels, "must be an even whole number at least 2")

    @property
    def runs(self) -> int:
        """Number of points."""
        return self.trajectories * (self.factors + 1)

    def points(self) -> Points:
        """Return the points to play, shape (runs, factors)."""
        from SALib.sample import morris

        problem = _unit_cube(self.factors)
        generator = np.random.default_rng(self.seed)
        return np.asarray(morris.sample(problem, self.trajectories, self.levels, seed=generator))

    def effects(self, values: ArrayLike, level: float = LEVEL) -> tuple[ElementaryEffect, ...] | Undefined:
        """Return each factor's effects from the metric at :meth:`points`, in the order of the factors.

        The intervals are Student's, over trajectories. SALib's own are a normal bootstrap, which at ten
        trajectories covers 90 %.
        """
        from SALib.analyze import morris

        sample = _metric(values, self.runs)
        if isinstance(sample, Undefined):
            return sample
        # The seed is of SALib's bootstrap, of which nothing is kept.
        found = morris.analyze(
            _unit_cube(self.factors), self.points(), sample, num_levels=self.levels, num_resamples=2, seed=1
        )
        r = self.trajectories
        mean, absolute, sd = (np.asarray(found[key], dtype=np.float64) for key in ("mu", "mu_star", "sigma"))
        # The effects and their absolute values have one mean square, which gives the spread of the latter.
        squares = mean**2 + sd**2 * (r - 1) / r
        sd_absolute = np.sqrt(np.maximum(squares - absolute**2, 0) * r / (r - 1))
        return tuple(
            ElementaryEffect(
                mean=_student(mean[k], sd[k], r, level),
                mean_absolute=_student(absolute[k], sd_absolute[k], r, level, least=0.0),
                sd=float(sd[k]),
            )
            for k in range(self.factors)
        )


@dataclass(frozen=True)
class SobolIndex:
    """Shares of a metric's variance over the whole cube that one factor explains.

    Attributes
    ----------
    first
        First-order index: the factor alone.
    total
        Total index: the factor alone and in company. Both can stray a little below 0 or above 1.
    """

    first: Interval
    total: Interval


@dataclass(frozen=True)
class SobolSampling:
    """Saltelli's sampling for Sobol indices, from several independently scrambled Sobol sequences.

    Attributes
    ----------
    factors
        Number of factors.
    base
        Base points of each replicate, a power of 2, at least 8.
    replicates
        Independent scramblings, at least 2. Each takes ``base · (factors + 2)`` points.
    seed
        Of the scramblings; not negative.

    Notes
    -----
    The intervals are Student's over the replicates. SALib's bootstrap takes the points for independent
    draws, which a Sobol sequence is not: on the Ishigami function and a linear one with 512 base points it
    covered 87 to 100 %, and its intervals were up to 4 times as wide as those of 8 replicates of 64.
    """

    factors: int
    base: int = 16
    replicates: int = 8
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse sizes for which a Sobol sequence is not balanced."""
        _at_least("factors", self.factors, 1)
        _at_least("replicates", self.replicates, 2)
        if self.base < 8 or self.base & (self.base - 1):
            raise ConfigError("base", self.base, "must be a power of 2, at least 8")

    @property
    def runs(self) -> int:
        """Number of points."""
        return self.replicates * self.base * (self.factors + 2)

    def points(self) -> Points:
        """Return the points to play, shape (runs, factors)."""
        from SALib.sample import sobol

        # A generator and not a number, because SALib takes the seed 0 for none.
        generators = np.random.default_rng(self.seed).spawn(self.replicates)
        problem = _unit_cube(self.factors)
        return np.concatenate(
            [sobol.sample(problem, self.base, calc_second_order=False, seed=each) for each in generators]
        )

    def indices(self, values: ArrayLike, level: float = LEVEL) -> tuple[SobolIndex, ...] | Undefined:
        """Return each factor's indices from the metric at :meth:`points`, in the order of the factors."""
        from SALib.analyze import sobol

        sample = _metric(values, self.runs)
        if isinstance(sample, Undefined):
            return sample
        parts = sample.reshape(self.replicates, -1)
        if (np.ptp(parts, axis=1) == 0).any():
            return Undefined("the metric is the same at every point of a replicate: too few points", sample.size)
        # The seed is of SALib's bootstrap, of which nothing is kept; 0 would draw on NumPy's global state.
        found = [
            sobol.analyze(_unit_cube(self.factors), part, calc_second_order=False, num_resamples=2, seed=1)
            for part in parts
        ]
        first, total = (np.array([each[key] for each in found]) for key in ("S1", "ST"))
        return tuple(
            SobolIndex(_over_replicates(first[:, k], level), _over_replicates(total[:, k], level))
            for k in range(self.factors)
        )


def _at_least(key: str, value: int, least: int) -> None:
    if value < least:
        raise ConfigError(key, value, f"must be a whole number at least {least}")


def _unit_cube(factors: int) -> dict[str, Any]:
    """Return SALib's description of the unit cube."""
    return {"num_vars": factors, "names": [f"x{k}" for k in range(factors)], "bounds": [[0.0, 1.0]] * factors}


def _metric(values: ArrayLike, runs: int) -> Sample | Undefined:
    sample = as_sample(values)
    if sample.size != runs:
        raise ValueError(f"{sample.size} values for {runs} points")
    if np.ptp(sample) == 0:
        return Undefined("the metric is the same at every point: nothing to explain", runs)
    return sample


def _student(mean: float, sd: float, n: int, level: float, least: float = -math.inf) -> Interval:
    half = t_quantile(level, n - 1) * float(sd) / math.sqrt(n)
    return Interval(float(mean), max(float(mean) - half, least), float(mean) + half, n, level)


def _over_replicates(index: Sample, level: float) -> Interval:
    return _student(float(index.mean()), float(index.std(ddof=1)), index.size, level)
