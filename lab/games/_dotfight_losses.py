"""From a played game of Dotfight to where, when and how each man was lost, and how many stood inside when."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.dotfight.game import Played
from engine.dotfight.log import BaseEmptied, ConvoyArrived, Entry, FlickPlayed, SendOrdered
from engine.dotfight.outcome import MAN_HIT

INSIDE, OUTSIDE, ROAD, SHOT, OFF_PAGE, OWN_INK = range(6)
"""How a man is lost: crossed out by an enemy in his base's garrison, elsewhere, or on the road; as a lunger shot in an
enemy base, or off the page (R8.3); or crossed out by his own side, where the rules have it (R6.2)."""


@dataclass(frozen=True)
class Loss:
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
    course = Course(inside=[men.count()])
    for entry in game.log:
        if isinstance(entry, BaseEmptied):
            continue  # noted when the turn is over: the others come in the order of their turns
        _end_turns(course, men, entry.turn)
        if isinstance(entry, FlickPlayed):
            course.losses += men.flicked(entry)
        else:
            men.moved(entry)
    _end_turns(course, men, game.end.turn)
    if game.end.stalled:
        men.walk_out()
    course.inside.append(men.count())
    return course


def _end_turns(course: Course, men: _Men, turn: int) -> None:
    """End the turns before this one, those in which nothing was logged too."""
    while len(course.inside) < turn:
        men.walk_out()
        course.inside.append(men.count())


class _Men:
    """Who of the living stands inside his own base, and who is on the road."""

    def __init__(self, game: Played) -> None:
        rules, start = game.rules, game.start
        self._friendly_fire = rules.friendly_fire
        self._reach = (rules.inside_reach * rules.base_radius) ** 2
        self._bases = [
            [(float(base["x"]), float(base["y"])) for base in start.bases if base["side"] == side] for side in (0, 1)
        ]
        self._side: list[int] = start.men["side"].tolist()
        self._inside = {man for man, base in enumerate(start.men["inside"].tolist()) if base >= 0}
        self._ordered: set[int] = set()
        self._walking: set[int] = set()

    def walk_out(self) -> None:
        """End a turn: ordered men are on the road (R9.2)."""
        self._walking |= self._ordered
        self._inside -= self._ordered
        self._ordered.clear()

    def count(self) -> tuple[int, int]:
        """Return how many men of each side are inside, none on the road."""
        second = sum(self._side[man] for man in self._inside)
        return len(self._inside) - second, second

    def moved(self, entry: Entry) -> None:
        """Follow a send or an arrival."""
        if isinstance(entry, SendOrdered):
            self._ordered.update(entry.send.men)
        elif isinstance(entry, ConvoyArrived):
            self._walking.difference_update(entry.arrival.men)
            for man, (x, y) in zip(entry.arrival.men, entry.arrival.spots, strict=True):
                self._place(man, x, y)

    def flicked(self, entry: FlickPlayed) -> list[Loss]:
        """Follow a flick and return the men it cost."""
        events, ending, man = entry.outcome.events, entry.outcome.ending, entry.flick.man
        lost: list[Loss] = []
        for kind, hit, _, x, y, *_ in events.tolist():
            if kind != MAN_HIT:
                continue
            side = self._side[hit]
            if side == entry.side and not self._friendly_fire:
                continue
            how = ROAD if hit in self._walking else INSIDE if hit in self._inside else OUTSIDE
            lost.append(Loss(entry.turn, x, y, side, OWN_INK if side == entry.side else how))
            for places in (self._inside, self._ordered, self._walking):
                places.discard(hit)
        if entry.flick.kind:  # a lunge: the man goes with his ink
            self._inside.discard(man)
            if ending.lost:
                how = SHOT if ending.shot_in >= 0 else OFF_PAGE
                lost.append(Loss(entry.turn, ending.end_x, ending.end_y, entry.side, how))
            else:
                self._place(man, ending.end_x, ending.end_y)
        return lost

    def _place(self, man: int, x: float, y: float) -> None:
        bases = self._bases[self._side[man]]
        if any((x - at_x) ** 2 + (y - at_y) ** 2 <= self._reach for at_x, at_y in bases):
            self._inside.add(man)
        else:
            self._inside.discard(man)
