"""Designs: which variants of a base experiment a sweep plays.

A variant is a table of what it changes, dotted key to value; what it leaves out is as in the base. A design
says how many variants it has before it makes any, so that one too large is refused at once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.errors import ConfigError

# SciPy and SALib are imported where they are used, so that a plain grid does not wait for them.
if TYPE_CHECKING:
    from lab.stats.sensitivity import MorrisScreening, SobolSampling

Variant: TypeAlias = dict[str, Any]
"""What a variant changes: dotted key to value; empty for the base itself."""


class Design(Protocol):
    """What every design offers."""

    @property
    def size(self) -> int:
        """Number of variants."""
        ...

    def variants(self) -> tuple[Variant, ...]:
        """Return the variants, always in the same order."""
        ...


def variants_within(design: Design, most: int) -> tuple[Variant, ...]:
    """Return the variants of a design, or refuse one that has more than ``most``."""
    if design.size > most:
        raise ConfigError("design", f"{design.size} variants", f"must have at most {most}")
    return design.variants()


@dataclass(frozen=True)
class Axis:
    """The values of one key, in the order they are played."""

    key: str
    values: tuple[Any, ...]

    def __post_init__(self) -> None:
        """Refuse an axis that has no values, or one value twice."""
        _check_values(self.key, self.values)


@dataclass(frozen=True)
class Grid:
    """Every combination of the values of several keys; the last key varies fastest."""

    axes: tuple[Axis, ...]

    def __post_init__(self) -> None:
        """Refuse a grid without axes, or with one key twice."""
        _check_keys(axis.key for axis in self.axes)

    @property
    def size(self) -> int:
        """Number of variants."""
        return math.prod(len(axis.values) for axis in self.axes)

    def variants(self) -> tuple[Variant, ...]:
        """Return the variants."""
        keys = [axis.key for axis in self.axes]
        return tuple(dict(zip(keys, row, strict=True)) for row in product(*(axis.values for axis in self.axes)))


@dataclass(frozen=True)
class OneAtATime:
    """The base, then each value of each key while the others stay as in the base."""

    axes: tuple[Axis, ...]

    def __post_init__(self) -> None:
        """Refuse a design without axes, or with one key twice."""
        _check_keys(axis.key for axis in self.axes)

    @property
    def size(self) -> int:
        """Number of variants."""
        return 1 + sum(len(axis.values) for axis in self.axes)

    def variants(self) -> tuple[Variant, ...]:
        """Return the variants."""
        return ({}, *({axis.key: value} for axis in self.axes for value in axis.values))


@dataclass(frozen=True)
class Explicit:
    """Variants written out one by one."""

    rows: tuple[Variant, ...]

    def __post_init__(self) -> None:
        """Refuse an empty list, or one variant twice."""
        _check_values("design.variants", self.rows)

    @property
    def size(self) -> int:
        """Number of variants."""
        return len(self.rows)

    def variants(self) -> tuple[Variant, ...]:
        """Return the variants."""
        return tuple(dict(row) for row in self.rows)


@dataclass(frozen=True)
class Pairings:
    """Every two different players against each other, in both seatings, one seating after the other.

    Attributes
    ----------
    players
        What can be seated: a name, or a table of a name and options (a stance).
    first, second
        Keys of the two seats.
    """

    players: tuple[Any, ...]
    first: str = "players.first"
    second: str = "players.second"

    def __post_init__(self) -> None:
        """Refuse fewer than two players, or one twice."""
        _check_values("design.players", self.players)
        if len(self.players) < 2:
            raise ConfigError("design.players", list(self.players), "must name two players or more")

    @property
    def size(self) -> int:
        """Number of variants."""
        return len(self.players) * (len(self.players) - 1)

    def variants(self) -> tuple[Variant, ...]:
        """Return the variants."""
        seatings = (
            seating
            for i, one in enumerate(self.players)
            for other in self.players[i + 1 :]
            for seating in ((one, other), (other, one))
        )
        return tuple({self.first: one, self.second: other} for one, other in seatings)


@dataclass(frozen=True)
class Crossed:
    """Every variant of one design with every variant of another, e.g. pairings under each rule."""

    outer: Design
    inner: Design

    @property
    def size(self) -> int:
        """Number of variants."""
        return self.outer.size * self.inner.size

    def variants(self) -> tuple[Variant, ...]:
        """Return the variants; those of the inner design vary fastest."""
        crossed: list[Variant] = []
        for outer, inner in product(self.outer.variants(), self.inner.variants()):
            if shared := outer.keys() & inner.keys():
                raise ConfigError("design", min(shared), "must be set by one of two crossed designs, not by both")
            crossed.append({**outer, **inner})
        return tuple(crossed)


class Factor(Protocol):
    """One key and the range its values are drawn from."""

    @property
    def key(self) -> str:
        """Dotted key."""
        ...

    def at(self, share: float) -> Any:
        """Return the value at ``share`` of the way along the range, from 0 to 1."""
        ...


@dataclass(frozen=True)
class Continuous:
    """A number anywhere from ``low`` to ``high``."""

    key: str
    low: float
    high: float

    def __post_init__(self) -> None:
        """Refuse a range without extent."""
        _check_range(self.key, self.low, self.high)

    def at(self, share: float) -> float:
        """Return the value at ``share`` of the way along the range, to six digits: one that a person can type."""
        value = float(f"{self.low + share * (self.high - self.low):.6g}")
        return min(max(value, self.low), self.high)


@dataclass(frozen=True)
class Integer:
    """A whole number from ``low`` to ``high``, both included, each with an equal share of the range."""

    key: str
    low: int
    high: int

    def __post_init__(self) -> None:
        """Refuse a range without extent."""
        _check_range(self.key, self.low, self.high)

    def at(self, share: float) -> int:
        """Return the value at ``share`` of the way along the range."""
        return self.low + _slot(share, self.high - self.low + 1)


@dataclass(frozen=True)
class Categorical:
    """One of several values without order, each with an equal share of the range."""

    key: str
    values: tuple[Any, ...]

    def __post_init__(self) -> None:
        """Refuse fewer than two values, or one twice."""
        _check_values(self.key, self.values)
        if len(self.values) < 2:
            raise ConfigError(self.key, list(self.values), "must offer two values or more")

    def at(self, share: float) -> Any:
        """Return the value at ``share`` of the way along the range."""
        return self.values[_slot(share, len(self.values))]


@dataclass(frozen=True)
class LatinHypercube:
    """Points of which every factor's values are spread evenly over its range (McKay and others 1979)."""

    factors: tuple[Factor, ...]
    size: int
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse a design without factors or points."""
        _check_keys(factor.key for factor in self.factors)
        if self.size < 1:
            raise ConfigError("design.points", self.size, "must be a whole number at least 1")

    def variants(self) -> tuple[Variant, ...]:
        """Return the variants."""
        from scipy.stats import qmc

        sampler = qmc.LatinHypercube(len(self.factors), rng=np.random.default_rng(self.seed))
        return _variants_at(self.factors, sampler.random(self.size))


@dataclass(frozen=True)
class SobolPoints:
    """Points of a scrambled Sobol sequence, even in all factors together (Owen 1998).

    A power of 2, because the sequence is balanced only there.
    """

    factors: tuple[Factor, ...]
    size: int
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse a design without factors, or an unbalanced number of points."""
        _check_keys(factor.key for factor in self.factors)
        if self.size < 1 or self.size & (self.size - 1):
            raise ConfigError("design.points", self.size, "must be a power of 2")

    def variants(self) -> tuple[Variant, ...]:
        """Return the variants."""
        from scipy.stats import qmc

        sampler = qmc.Sobol(len(self.factors), rng=np.random.default_rng(self.seed))
        return _variants_at(self.factors, sampler.random_base2(self.size.bit_length() - 1))


@dataclass(frozen=True)
class SensitivityDesign:
    """The points of a sensitivity analysis, in the order in which its estimates want the metric back.

    Two points that fall on one value of a whole-numbered or categorical factor give the same variant twice;
    both must stay.

    Attributes
    ----------
    factors
        What is varied.
    sampling
        The analysis, of as many factors.
    """

    factors: tuple[Factor, ...]
    sampling: MorrisScreening | SobolSampling

    def __post_init__(self) -> None:
        """Refuse an analysis of another number of factors."""
        _check_keys(factor.key for factor in self.factors)
        if self.sampling.factors != len(self.factors):
            raise ConfigError("design.factors", len(self.factors), f"must be {self.sampling.factors}, as sampled")

    @property
    def size(self) -> int:
        """Number of variants."""
        return self.sampling.runs

    def variants(self) -> tuple[Variant, ...]:
        """Return the variants."""
        return _variants_at(self.factors, self.sampling.points())


def _variants_at(factors: tuple[Factor, ...], points: NDArray[np.float64]) -> tuple[Variant, ...]:
    """Return the variant at each point of the unit cube, shape (points, factors)."""
    return tuple(
        {factor.key: factor.at(float(share)) for factor, share in zip(factors, point, strict=True)} for point in points
    )


def _slot(share: float, slots: int) -> int:
    """Return which of ``slots`` equal parts of the range ``share`` lies in."""
    return min(int(share * slots), slots - 1)


def _check_keys(keys: Iterable[str]) -> None:
    counted = Counter(keys)
    if not counted:
        raise ConfigError("design", [], "must vary at least one key")
    for key, times in counted.items():
        if times > 1:
            raise ConfigError(key, f"{times} times", "must be varied once")


def _check_values(key: str, values: tuple[Any, ...]) -> None:
    if not values:
        raise ConfigError(key, [], "must have at least one value")
    for shown, times in Counter(map(repr, values)).items():
        if times > 1:
            raise ConfigError(key, list(values), f"must not repeat {shown}")


def _check_range(key: str, low: float, high: float) -> None:
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ConfigError(key, [low, high], "must be a range from low to a higher end")
