"""How many games it takes to see a difference, and what difference a number of games can show.

In closed form, with Guenther's allowance for Student's t: within a game of the noncentral t up to effects of
one standard deviation. (The solver of statsmodels, which the tests hold this to, gives up on larger ones.)
"""

from __future__ import annotations

import math

from scipy import special

from lab.stats.intervals import LEVEL, check_level

POWER = 0.8
"""Chance of seeing a difference that is there, where none is named."""


def sd_of_proportion(share: float) -> float:
    """Return the standard deviation of a single game's yes or no, for use as ``sd`` below."""
    if not 0 <= share <= 1:
        raise ValueError(f"share = {share}: must be from 0 to 1")
    return math.sqrt(share * (1 - share))


def games_for_difference(
    difference: float,
    sd: float,
    correlation: float | None = None,
    level: float = LEVEL,
    power: float = POWER,
) -> int:
    """Return the games each of two variants must play so that their difference in a mean is seen.

    Parameters
    ----------
    difference
        The true difference, in the metric's unit; its sign does not matter, 0 is never seen.
    sd
        Standard deviation of the metric over games (:func:`sd_of_proportion` for a share).
    correlation
        Between the two variants' values on the same seed; ``None`` where the runs are independent.
    level, power
        Level of the interval that must leave 0 out, and the chance that it does.
    """
    if difference == 0:
        raise ValueError("a difference of 0 takes no number of games")
    normal = (_reach(level, power) * _sd_of_difference(sd, correlation) / difference) ** 2
    return max(2, math.ceil(normal + _price_of_t(level, correlation)))


def detectable_difference(
    games: int, sd: float, correlation: float | None = None, level: float = LEVEL, power: float = POWER
) -> float:
    """Return the smallest true difference that ``games`` a variant show with the chance ``power``.

    Parameters as in :func:`games_for_difference`; at least 3 games, below which no difference is safe.
    """
    if games < 3:
        raise ValueError(f"games = {games}: must be at least 3")
    left = games - _price_of_t(level, correlation)
    return _reach(level, power) * _sd_of_difference(sd, correlation) / math.sqrt(left)


def games_for_half_width(half_width: float, sd: float, level: float = LEVEL) -> int:
    """Return the games after which a single metric's ordinary interval has this half-width."""
    if half_width <= 0:
        raise ValueError(f"half_width = {half_width}: must be above 0")
    return max(2, math.ceil((_z(level) * sd / half_width) ** 2))


def _z(level: float) -> float:
    check_level(level)
    return float(special.ndtri((1 + level) / 2))


def _reach(level: float, power: float) -> float:
    """Return how many standard errors away a difference must be to be seen."""
    if not 0.5 <= power < 1:
        raise ValueError(f"power = {power}: must be from 0.5 to below 1")
    return _z(level) + float(special.ndtri(power))


def _price_of_t(level: float, correlation: float | None) -> float:
    """Return the games more that Student's t asks for than the normal does (Guenther 1981)."""
    return _z(level) ** 2 / (4 if correlation is None else 2)


def _sd_of_difference(sd: float, correlation: float | None) -> float:
    if not sd >= 0:
        raise ValueError(f"sd = {sd}: must be at least 0")
    shared = correlation if correlation is not None else 0.0
    if not -1 <= shared <= 1:
        raise ValueError(f"correlation = {correlation}: must be from -1 to 1")
    return sd * math.sqrt(2 * (1 - shared))
