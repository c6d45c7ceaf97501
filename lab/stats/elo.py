"""Strength of players from their games: Bradley-Terry ratings on the Elo scale, with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special

from lab.stats.intervals import LEVEL, Estimate, Interval, Undefined, as_sample, check_level

Matrix: TypeAlias = NDArray[np.float64]

ELO_PER_LOGIT = 400 / math.log(10)
"""Elo points of one unit of log odds: 400 points are odds of 10 to 1 (Elo 1978)."""


def elo_of_score(score: Estimate) -> Estimate:
    """Return the Elo difference that a mean score (win 1, draw ½, loss 0) amounts to, with its interval.

    Undefined where the interval reaches 0 or 1: the sample then gives no bound on one side.
    """
    if isinstance(score, Undefined):
        return score
    if score.low <= 0 or score.high >= 1:
        return Undefined(f"a score of {score.estimate:g} in {score.n} leaves the difference unbounded", score.n)
    ends = (score.low, score.estimate, score.high)
    low, estimate, high = (ELO_PER_LOGIT * float(special.logit(end)) for end in ends)
    return Interval(estimate, low, high, score.n, score.level)


@dataclass(frozen=True)
class Ratings:
    """Strengths of players and seats, in Elo points.

    Attributes
    ----------
    players
        Rating of each player, in the order of their numbers; the mean of the estimates is 0.
    first_seat
        What sitting first is worth; 0 is a fair seat.
    """

    players: tuple[Interval, ...]
    first_seat: Interval


def elo_ratings(
    first: ArrayLike,
    second: ArrayLike,
    scores: ArrayLike,
    pairs: ArrayLike | None = None,
    level: float = LEVEL,
) -> Ratings | Undefined:
    """Fit ratings and the worth of the first seat to games.

    The log odds of the first seat are the difference of the ratings and the seat's worth; a draw is half a
    win (Bradley and Terry 1952; Davidson and Beaver 1977 for the seat). The intervals are of the sandwich
    kind (White 1982), summed over pairs, so they hold for draws and for seat-swapped games of one seed.

    Parameters
    ----------
    first, second
        Shape (n,): numbers of the players, from 0, who sat first and second in each game.
    scores
        Shape (n,): score of the one who sat first, 1, ½ or 0.
    pairs
        Shape (n,): label shared by games that are not independent; by default every game stands alone.

    Returns
    -------
    Ratings or Undefined
        Undefined where no finite ratings fit best: the players fall into groups that never met or of which
        one won every game, or seat and player cannot be told apart.
    """
    check_level(level)
    score = as_sample(scores)
    seats = np.stack([np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)])
    n = score.size
    if seats.shape != (2, n):
        raise ValueError("first, second and scores must have one entry a game")
    if n == 0:
        return Undefined("no games", 0)
    if seats.min() < 0 or (seats[0] == seats[1]).any() or score.min() < 0 or score.max() > 1:
        raise ValueError("players are numbered from 0, no one plays himself, and scores lie between 0 and 1")
    count = int(seats.max()) + 1
    pairings, kind = np.unique(seats[0] * count + seats[1], return_inverse=True)
    kinds = np.zeros((pairings.size, count + 1))
    rows = np.arange(pairings.size)
    kinds[rows, pairings // count], kinds[rows, pairings % count], kinds[:, count] = 1, -1, 1
    played, won = _sums(kind, np.ones(n)), _sums(kind, score)
    if np.linalg.matrix_rank(kinds) < count:
        return Undefined("players who never met, even by way of others, or who never swapped seats", n)
    if _one_sided(kinds, won, played - won):
        return Undefined("a group of players won every game it played against the rest: ratings unbounded", n)
    logits, inverse = _fit(kinds, won, played)
    cluster = np.arange(n) if pairs is None else np.unique(np.asarray(pairs), return_inverse=True)[1]
    residual = score - special.expit(kinds @ logits)[kind]
    pull = np.stack([_sums(cluster, column[kind] * residual) for column in kinds.T], axis=1)
    covariance = inverse @ (pull.T @ pull) @ inverse
    half = ELO_PER_LOGIT * float(special.ndtri((1 + level) / 2)) * np.sqrt(np.diag(covariance))
    elo = ELO_PER_LOGIT * logits
    *players, seat = (Interval(float(e), float(e - h), float(e + h), n, level) for e, h in zip(elo, half, strict=True))
    return Ratings(tuple(players), seat)


def _one_sided(kinds: Matrix, won: Matrix, lost: Matrix) -> bool:
    """Say whether some direction of the ratings fits the better the further one goes (Konis 2007).

    It does if along it no kind of game becomes less likely in its outcome and some kind more likely.
    """
    gains = np.concatenate([kinds[won > 0], -kinds[lost > 0]])
    towards = gains.sum(axis=0)
    best: Any = optimize.linprog(-towards, A_ub=-gains, b_ub=np.zeros(len(gains)), bounds=(-1, 1))
    return float(towards @ best.x) > 1e-9


def _fit(kinds: Matrix, won: Matrix, played: Matrix) -> tuple[Matrix, Matrix]:
    """Return the maximum likelihood by Newton's steps, and the inverse information there.

    The pseudo-inverse keeps to ratings that add up to 0, along which alone the likelihood changes.
    """
    logits = np.zeros(kinds.shape[1])
    for _ in range(200):
        share = special.expit(kinds @ logits)
        information = (kinds.T * (played * share * (1 - share))) @ kinds
        inverse = np.asarray(np.linalg.pinv(information, hermitian=True), dtype=np.float64)
        step = inverse @ (kinds.T @ (won - played * share))
        size = float(np.abs(step).max())
        if size < 1e-10:
            return logits, inverse
        logits += step * min(1.0, 1.0 / size)
    raise ArithmeticError("the ratings did not settle")


def _sums(group: NDArray[np.intp], values: Matrix) -> Matrix:
    """Return the sum of ``values`` in each group."""
    return np.asarray(np.bincount(group, weights=values), dtype=np.float64)
