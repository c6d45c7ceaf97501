"""What the games of a ladder say of its levels: results, ratings, mistakes, and how near they come to the ceiling."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from engine.dodgem.table import Table
from lab.dodgem.answers import start_of
from lab.dodgem.ladder import Result
from lab.stats.elo import Ratings, elo_ratings
from lab.stats.intervals import Estimate, Undefined, score_interval, wilson
from lab.stats.ratios import ratio_bootstrap

PERFECT = "perfect"


@dataclass(frozen=True)
class Meeting:
    """Two levels, or one and itself, on one board.

    Attributes
    ----------
    one, other
        The levels; all below is from the view of ``one``, who had both seats equally often. A level that plays
        itself is seen in the first seat.
    games
        Games played.
    won, drawn, lost
        Shares of games.
    points
        Mean score, a win 1 and a draw ½; games of one index in both seatings are taken as one observation.
    stuck
        Share of games that a stuck side ended.
    """

    one: str
    other: str
    games: int
    won: Estimate
    drawn: Estimate
    lost: Estimate
    points: Estimate
    stuck: Estimate


@dataclass(frozen=True)
class Level:
    """A level on one board.

    Attributes
    ----------
    name
        The level.
    elo
        Its rating; the mean of those rated is 0.
    moves
        Moves it made, passes not counted.
    mistakes
        Share of its moves that gave away what the position was worth.
    given_away
        Number of these of each kind (:data:`lab.dodgem.mistakes.KINDS`).
    against_perfect
        Points against the perfect player in the first seat and in the second.
    """

    name: str
    elo: Estimate
    moves: int
    mistakes: Estimate
    given_away: tuple[int, ...]
    against_perfect: tuple[Estimate, Estimate]


@dataclass(frozen=True)
class Standings:
    """A ladder on one board.

    Attributes
    ----------
    table
        The solved board.
    meetings
        Every two levels, and each against itself.
    levels
        Every level, in the order of the ladder.
    first_seat
        What the first seat is worth, in Elo points.
    failures
        Games that could not be played.
    """

    table: Table
    meetings: tuple[Meeting, ...]
    levels: tuple[Level, ...]
    first_seat: Estimate
    failures: int

    @property
    def ceilings(self) -> tuple[float, float]:
        """The most points that can be had against perfect play in the first and in the second seat."""
        first = {"win": 1.0, "draw": 0.5, "loss": 0.0}[start_of(self.table).value]
        return first, 1.0 - first


def standings(table: Table, found: Sequence[Result], levels: Sequence[str]) -> Standings:
    """Return the standings on a board from all its results."""
    seated = {(result.rung.first, result.rung.second): result for result in found}
    elo, first_seat = _ratings(found, levels)
    return Standings(
        table,
        tuple(
            _meeting(one, other, seated[one, other], seated[other, one])
            for number, one in enumerate(levels)
            for other in levels[: number + 1]
        ),
        tuple(_level(level, estimate, seated) for level, estimate in zip(levels, elo, strict=True)),
        first_seat,
        sum(result.failures for result in found),
    )


def _meeting(one: str, other: str, first: Result, second: Result) -> Meeting:
    if one == other:
        score, stuck, points = first.score, first.stuck, score_interval(first.score)
    else:
        score = np.concatenate([first.score, 1 - second.score])
        stuck = np.concatenate([first.stuck, second.stuck])
        points = score_interval(_by_index(score, np.concatenate([first.game, second.game])))
    n = len(score)
    won, drawn, lost, ended = (
        wilson(int(np.count_nonzero(which)), n) for which in (score == 1, score == 0.5, score == 0, stuck)
    )
    return Meeting(one, other, n, won, drawn, lost, points, ended)


def _by_index(score: NDArray[np.float64], game: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the mean score of the games of each index."""
    _, label = np.unique(game, return_inverse=True)
    return np.bincount(label, score) / np.bincount(label)


def _ratings(found: Iterable[Result], levels: Sequence[str]) -> tuple[list[Estimate], Estimate]:
    """Return a rating for each level and what the first seat is worth, from the games between different levels.

    Ratings are finite only among levels of which no group won every game against the rest (Ford 1957): the largest
    such set is rated, and of the others it is said that they stand above or below it, or apart. Games of one index
    in both seatings are pairs.
    """
    between = [one for one in found if one.rung.first != one.rung.second]
    seats = [(levels.index(one.rung.first), levels.index(one.rung.second)) for one in between]
    took_points = np.zeros((len(levels), len(levels)), bool)
    for (first, second), one in zip(seats, between, strict=True):
        took_points[first, second] |= bool((one.score > 0).any())
        took_points[second, first] |= bool((one.score < 1).any())
    _, group = connected_components(took_points, connection="strong")
    rated = np.flatnonzero(group == np.bincount(group).argmax())
    number = {int(level): place for place, level in enumerate(rated)}
    kept = [
        (number[first], number[second], one)
        for (first, second), one in zip(seats, between, strict=True)
        if first in number and second in number
    ]
    ratings = _fitted(kept)
    found_elo: list[Estimate] = []
    for level in range(len(levels)):
        if level in number:
            found_elo.append(ratings if isinstance(ratings, Undefined) else ratings.players[number[level]])
            continue
        above, below = took_points[level, rated].any(), took_points[rated, level].any()
        reason = "above all rated" if above and not below else "below all rated" if below and not above else "apart"
        found_elo.append(Undefined(reason, 0))
    return found_elo, ratings if isinstance(ratings, Undefined) else ratings.first_seat


def _fitted(kept: Sequence[tuple[int, int, Result]]) -> Ratings | Undefined:
    if not kept:
        return Undefined("no two levels can be rated", 0)
    sizes = [len(one.score) for _, _, one in kept]
    game = np.concatenate([one.game for _, _, one in kept])
    pairing = np.repeat([min(first, second) * len(kept) + max(first, second) for first, second, _ in kept], sizes)
    return elo_ratings(
        np.repeat([first for first, _, _ in kept], sizes),
        np.repeat([second for _, second, _ in kept], sizes),
        np.concatenate([one.score for _, _, one in kept]),
        pairing * (int(game.max(initial=0)) + 1) + game,
    )


def _level(name: str, elo: Estimate, seated: dict[tuple[str, str], Result]) -> Level:
    moves: list[NDArray[np.int64]] = []
    given: list[NDArray[np.int64]] = []
    for players, result in seated.items():
        if name not in players:
            continue
        seats = [seat for seat, player in enumerate(players) if player == name]
        moves.append(result.mistakes.moves[:, seats].sum(axis=1))
        given.append(result.mistakes.given_away[:, seats].sum(axis=1))
    all_moves, all_given = np.concatenate(moves), np.concatenate(given)
    return Level(
        name,
        elo,
        int(all_moves.sum()),
        ratio_bootstrap(all_given.sum(axis=1).astype(float), all_moves.astype(float)),
        tuple(int(count) for count in all_given.sum(axis=0)),
        (_points(seated.get((name, PERFECT)), 0), _points(seated.get((PERFECT, name)), 1)),
    )


def _points(result: Result | None, seat: int) -> Estimate:
    if result is None:
        return Undefined("the perfect player is not on this ladder", 0)
    return score_interval(1 - result.score if seat else result.score)
