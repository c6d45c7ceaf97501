"""Notes that compiled code takes of a game, and the log that becomes of them (``log.py``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE, Arrival, Flick, Send
from engine.dotfight.hand import JOLTS
from engine.dotfight.log import BaseEmptied, ConvoyArrived, Entry, FlickPlayed, LungeDeclined, SendOrdered
from engine.dotfight.meeting import MOST_EVENTS
from engine.dotfight.outcome import EVENT, Ending, Outcome
from engine.dotfight.page import Pen, bases_in
from engine.dotfight.players.mind import Mind
from engine.dotfight.rules import MOST_MEN
from engine.jit import compiled, entry_point

FLICK, SEND, DECLINE, ARRIVAL, EMPTIED = range(5)  # what a note is of
ACT, JUDGED, HANDED_OVER = range(3)  # where the game goes on

PROGRESS = np.dtype(
    [
        ("phase", "i8"),  # ACT, JUDGED or HANDED_OVER
        ("turn", "i8"),  # in which the last action was played
        ("acted", "i8", (2,)),  # actions of each side since chance was drawn for it
        ("flicked", "i8", (2,)),
        ("notes", "i8"),
        ("events", "i8"),
        ("going", "i8"),
        ("arriving", "i8"),
    ]
)

Notes = Any
"""``(NOTES,)`` array of :data:`NOTE`."""


class Note(NamedTuple):
    """What is noted of whatever happened; what does not apply is not set.

    ``links`` to ``living_second`` are as in :class:`~engine.dotfight.log.FlickPlayed`, ``kills`` to ``shot_in`` as in
    :class:`~engine.dotfight.outcome.Ending`. ``first`` and ``size`` say where a flick's events or a send's men stand
    in the list of all; ``emptied`` has the bits of the bases.
    """

    what: int
    turn: int
    side: int
    man: int
    kind: int
    angle: float
    length: float
    bend: float
    links: int
    owed: int
    earned: int
    exposed_inside: int
    exposed_outside: int
    kills_inside: int
    kills_road: int
    living_first: int
    living_second: int
    first: int
    size: int
    kills: int
    jolts: int
    end_x: float
    end_y: float
    travel: float
    off_page: int
    lost: int
    shot_in: int
    source: int
    target: int
    emptied: int

    def ending(self) -> Ending:
        """Return how it ended."""
        return Ending(
            self.size,
            self.kills,
            self.jolts,
            self.end_x,
            self.end_y,
            self.travel,
            bool(self.off_page),
            bool(self.lost),
            self.shot_in,
        )


NOTE = np.dtype([(name, "f8" if kind is float else "i8") for name, kind in get_type_hints(Note).items()])
NOTES = 512
"""Notes taken before they become a part of the log."""


@compiled
def note(pen: Pen, what: int, notes: Notes, progress: Any) -> Any:
    """Begin a note."""
    here = notes[progress.notes]
    here.what = what
    here.turn = pen.turn
    here.side = pen.current
    progress.notes += 1
    return here


@compiled
def note_send(
    pen: Pen, mind: Mind, men: int, source: int, target: int, notes: Notes, going: NDArray[np.int64], progress: Any
) -> None:
    """Note a send of the first ``men`` of ``mind.ranked``."""
    here = note(pen, SEND, notes, progress)
    here.source = source
    here.target = target
    here.first = progress.going
    here.size = men
    for i in range(men):
        going[progress.going + i] = mind.ranked[i]
    progress.going += men


@compiled
def note_emptied(turn: int, emptied: int, pen: Pen, notes: Notes, progress: Any) -> None:
    """Note which bases are empty rings for the first time, if any (R2.5)."""
    if emptied:
        here = note(pen, EMPTIED, notes, progress)
        here.turn = turn
        here.emptied = emptied


@compiled
def note_ending(here: Any, ending: Ending, progress: Any) -> None:
    """Note how a flick ended, its events being the last of all."""
    here.first = progress.events
    here.size = ending.events
    here.kills = ending.kills
    here.jolts = ending.jolts
    here.end_x = ending.end_x
    here.end_y = ending.end_y
    here.travel = ending.travel
    here.off_page = ending.off_page
    here.lost = ending.lost
    here.shot_in = ending.shot_in
    progress.events += ending.events


@entry_point
def write_ending(
    notes: Notes,
    progresses: Any,
    events: int,
    kills: int,
    jolts: int,
    end_x: float,
    end_y: float,
    travel: float,
    off_page: bool,
    lost: bool,
    shot_in: int,
) -> None:
    """Note how the last flick ended, which Python had judged; its events are written already."""
    progress = progresses[0]
    ending = Ending(events, kills, jolts, end_x, end_y, travel, off_page, lost, shot_in)
    note_ending(notes[progress.notes - 1], ending, progress)
    progress.phase = JUDGED


class Paper(NamedTuple):
    """What a game is noted on.

    Attributes
    ----------
    notes, normals
        ``(NOTES,)`` array of :data:`NOTE`, and ``(NOTES, JOLTS)`` standard normals for the jolts of each flick noted.
    events, going
        The events of the flicks, and the men of the sends.
    """

    notes: NDArray[np.void]
    normals: NDArray[np.float64]
    events: NDArray[np.void]
    going: NDArray[np.int64]

    def flick(self, i: int, noted: Note) -> Flick:
        """Return the flick of note ``i``."""
        normals = tuple(self.normals[i].tolist()) if noted.kind == LUNGE else ()
        return Flick(noted.man, noted.kind, noted.angle, noted.length, noted.bend, normals)

    def entries(self, size: int, arrivals: Iterator[Arrival]) -> Iterable[Entry]:
        """Yield the entries of the log that the first ``size`` notes are; ``arrivals`` are the convoys noted."""
        for i, values in enumerate(self.notes[:size].tolist()):
            noted = Note._make(values)
            if noted.what == FLICK:
                yield self.played(i, noted)
            elif noted.what == SEND:
                men: list[int] = self.going[noted.first : noted.first + noted.size].tolist()
                yield SendOrdered(noted.turn, noted.side, Send(noted.source, noted.target, tuple(men)))
            elif noted.what == DECLINE:
                yield LungeDeclined(noted.turn, noted.side)
            elif noted.what == ARRIVAL:
                yield ConvoyArrived(noted.turn, noted.side, next(arrivals))
            else:
                yield from (BaseEmptied(noted.turn, base) for base in bases_in(noted.emptied))

    def played(self, i: int, noted: Note) -> FlickPlayed:
        """Return the flick of note ``i`` with what came of it."""
        return FlickPlayed(
            turn=noted.turn,
            side=noted.side,
            flick=self.flick(i, noted),
            outcome=Outcome(noted.ending(), self.events[noted.first : noted.first + noted.size].copy()),
            links=noted.links,
            owed=bool(noted.owed),
            earned=bool(noted.earned),
            exposed_inside=noted.exposed_inside,
            exposed_outside=noted.exposed_outside,
            kills_inside=noted.kills_inside,
            kills_road=noted.kills_road,
            living=(noted.living_first, noted.living_second),
        )


@lru_cache(maxsize=8)
def paper_of(thread: int) -> Paper:
    """Return a thread's paper: whatever is on it has become a log before the next game."""
    return Paper(
        np.empty(NOTES, NOTE),
        np.empty((NOTES, JOLTS)),
        np.empty(2 * MOST_EVENTS, EVENT),
        np.empty(2 * MOST_MEN, np.int64),
    )
