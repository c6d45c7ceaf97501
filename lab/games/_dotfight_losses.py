"""From a played game of Dotfight to where, when and how each man was lost, and how many stood inside when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from engine.dotfight.actions import LUNGE
from engine.dotfight.game import Played
from engine.dotfight.log import BaseEmptied, ConvoyArrived, Entry, FlickPlayed, SendOrdered
from engine.dotfight.outcome import EVENT, MAN_HIT

INSIDE, OUTSIDE, ROAD, SHOT, OFF_PAGE, OWN_INK = range(6)
"""How a man is lost: crossed out by an enemy in his base's garrison, elsewhere, or on the road; as a lunger shot in an
enemy base, or off the page (R8.3); or crossed out by his own side, where the rules have it (R6.2)."""

_GONE = -1
"""Where a man is who was lost; the living are INSIDE, OUTSIDE or on the ROAD."""


class Loss(NamedTuple):
    """A man lost: in which turn, at which place, whose man, and how."""

    turn: int
    x: float
    y: float
    side: int
    how: int


@dataclass
class Course:
    """The losses of a game in order, and the men inside after each turn, the start first: a pair of counts by side."""

    losses: list[Loss] = field(default_factory=list[Loss])
    inside: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])


def course_of(game: Played) -> Course:
    """Follow the men through a game's log.

    The log tells who was met where along the ink; who stood inside, and who was on the road, follows from where the
    men began, where lungers landed, and who was sent and arrived (R3.3, R9).
    """
    men = _Men(game)
    course = Course(inside=[men.inside()])
    losses, inside, own_too = course.losses, course.inside, game.rules.friendly_fire
    met = iter(_men_met(game.log))
    for entry in game.log:
        if isinstance(entry, BaseEmptied):
            continue  # noted when the turn is over: the others come in the order of their turns
        while len(inside) < entry.turn:  # turns in which nothing was logged end too
            men.walk_out()
            inside.append(men.inside())
        if isinstance(entry, FlickPlayed):
            ending = entry.outcome.ending
            for man, x, y in next(met):
                if (side := men.side[man]) != entry.side or own_too:
                    how = OWN_INK if side == entry.side else men.place[man]
                    losses.append(Loss(entry.turn, x, y, side, how))
                    men.put(man, _GONE)
            if entry.flick.kind != LUNGE:
                continue
            # The man goes with his ink.
            if ending.lost:
                how = SHOT if ending.shot_in >= 0 else OFF_PAGE
                losses.append(Loss(entry.turn, ending.end_x, ending.end_y, entry.side, how))
                men.put(entry.flick.man, _GONE)
            else:
                men.stand(entry.flick.man, ending.end_x, ending.end_y)
        elif isinstance(entry, SendOrdered):
            men.order(entry.send.men)
        elif isinstance(entry, ConvoyArrived):
            for man, (x, y) in zip(entry.arrival.men, entry.arrival.spots, strict=True):
                men.stand(man, x, y)
    while len(inside) < game.end.turn:
        men.walk_out()
        inside.append(men.inside())
    if game.end.stalled:
        men.walk_out()
    inside.append(men.inside())
    return course


def _men_met(log: Sequence[Entry]) -> list[list[tuple[int, float, float]]]:
    """Return, for every flick, the men its ink met and where, in order (R6.1); of all flicks in one go."""
    flicks = [entry for entry in log if isinstance(entry, FlickPlayed)]
    met: list[list[tuple[int, float, float]]] = [[] for _ in flicks]
    # Joined as bytes: NumPy would compare the types of all records anew for every array it concatenates.
    events = np.frombuffer(b"".join(flick.outcome.events.tobytes() for flick in flicks), EVENT)
    hits = np.flatnonzero(events["kind"] == MAN_HIT)
    flick_of = np.repeat(np.arange(len(flicks)), [len(flick.outcome.events) for flick in flicks])[hits]
    columns = (flick_of, *(events[name][hits] for name in ("ref", "x", "y")))
    for flick, man, x, y in zip(*(column.tolist() for column in columns), strict=True):
        met[flick].append((man, x, y))
    return met


class _Men:
    """Where every man is, and how many of each side stand inside."""

    def __init__(self, game: Played) -> None:
        rules, start = game.rules, game.start
        self._reach = (rules.inside_reach * rules.base_radius) ** 2
        bases = list(zip(*(start.bases[name].tolist() for name in ("side", "x", "y")), strict=True))
        self._bases = [[(x, y) for side, x, y in bases if side == of] for of in (0, 1)]
        self.side: list[int] = start.men["side"].tolist()
        self.place = [INSIDE if base >= 0 else OUTSIDE for base in start.men["inside"].tolist()]
        self._inside = [0, 0]
        for side, place in zip(self.side, self.place, strict=True):
            self._inside[side] += place == INSIDE
        self._ordered: list[int] = []

    def inside(self) -> tuple[int, int]:
        """Return how many men of each side are inside, none on the road."""
        first, second = self._inside
        return first, second

    def order(self, men: tuple[int, ...]) -> None:
        """Note men who are to walk when the turn is over (R9.1)."""
        self._ordered += men

    def walk_out(self) -> None:
        """End a turn: ordered men who live are on the road (R9.2)."""
        for man in self._ordered:
            if self.place[man] != _GONE:
                self.put(man, ROAD)
        self._ordered.clear()

    def stand(self, man: int, x: float, y: float) -> None:
        """Put a man where he landed or arrived."""
        for at_x, at_y in self._bases[self.side[man]]:
            if (x - at_x) ** 2 + (y - at_y) ** 2 <= self._reach:
                self.put(man, INSIDE)
                return
        self.put(man, OUTSIDE)

    def put(self, man: int, place: int) -> None:
        """Put a man in a place, and count him where he is."""
        self._inside[self.side[man]] += (place == INSIDE) - (self.place[man] == INSIDE)
        self.place[man] = place
