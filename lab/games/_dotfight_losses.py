"""From a played game of Dotfight to where, when and how each man was lost, and how many stood inside when."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from engine.dotfight.actions import LUNGE
from engine.dotfight.game import Played
from engine.dotfight.log import BaseEmptied, ConvoyArrived, FlickPlayed, SendOrdered
from engine.dotfight.outcome import MAN_HIT

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
    for entry in game.log:
        if isinstance(entry, BaseEmptied):
            continue  # noted when the turn is over: the others come in the order of their turns
        if entry.turn > len(course.inside):
            _end_turns(course, men, entry.turn)
        if isinstance(entry, FlickPlayed):
            men.flick(entry, course.losses)
        elif isinstance(entry, SendOrdered):
            men.order(entry.send.men)
        elif isinstance(entry, ConvoyArrived):
            men.arrive(entry)
    _end_turns(course, men, game.end.turn)
    if game.end.stalled:
        men.walk_out()
    course.inside.append(men.inside())
    return course


def _end_turns(course: Course, men: _Men, turn: int) -> None:
    """End the turns before this one, those in which nothing was logged too."""
    while len(course.inside) < turn:
        men.walk_out()
        course.inside.append(men.inside())


class _Men:
    """Where every man is, and how many of each side stand inside."""

    def __init__(self, game: Played) -> None:
        rules, start = game.rules, game.start
        self._friendly_fire = rules.friendly_fire
        self._reach = (rules.inside_reach * rules.base_radius) ** 2
        bases = list(zip(*(start.bases[name].tolist() for name in ("side", "x", "y")), strict=True))
        self._bases = [[(x, y) for side, x, y in bases if side == of] for of in (0, 1)]
        self._side: list[int] = start.men["side"].tolist()
        self._place = [INSIDE if base >= 0 else OUTSIDE for base in start.men["inside"].tolist()]
        self._inside = [0, 0]
        for side, place in zip(self._side, self._place, strict=True):
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
            if self._place[man] != _GONE:
                self._put(man, ROAD)
        self._ordered.clear()

    def arrive(self, entry: ConvoyArrived) -> None:
        """Put a convoy's men on their spots (R9.3)."""
        for man, (x, y) in zip(entry.arrival.men, entry.arrival.spots, strict=True):
            self._stand(man, x, y)

    def flick(self, entry: FlickPlayed, losses: list[Loss]) -> None:
        """Follow a flick, and add the men it cost to the ``losses``."""
        turn, side, ending = entry.turn, entry.side, entry.outcome.ending
        # Most flicks meet walls alone.
        for kind, man, _, x, y, *_ in entry.outcome.events.tolist() if ending.kills or self._friendly_fire else ():
            if kind != MAN_HIT:
                continue
            if self._side[man] != side:
                losses.append(Loss(turn, x, y, 1 - side, self._place[man]))
            elif self._friendly_fire:
                losses.append(Loss(turn, x, y, side, OWN_INK))
            else:
                continue
            self._put(man, _GONE)
        if entry.flick.kind != LUNGE:
            return
        # The man goes with his ink.
        if ending.lost:
            losses.append(Loss(turn, ending.end_x, ending.end_y, side, SHOT if ending.shot_in >= 0 else OFF_PAGE))
            self._put(entry.flick.man, _GONE)
        else:
            self._stand(entry.flick.man, ending.end_x, ending.end_y)

    def _stand(self, man: int, x: float, y: float) -> None:
        for at_x, at_y in self._bases[self._side[man]]:
            if (x - at_x) ** 2 + (y - at_y) ** 2 <= self._reach:
                self._put(man, INSIDE)
                return
        self._put(man, OUTSIDE)

    def _put(self, man: int, place: int) -> None:
        self._inside[self._side[man]] += (place == INSIDE) - (self._place[man] == INSIDE)
        self._place[man] = place
