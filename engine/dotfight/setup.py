"""Before the first flick: drawing bases, jotting men, arranging them (R2, R3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.jot import jot
from engine.dotfight.page import BASE, HOME, MAN, NOWHERE, Page, fresh_pen
from engine.dotfight.placing import arranging_fault, base_fault, note_who_is_inside
from engine.dotfight.players.seat import Seat
from engine.dotfight.rules import Rules
from engine.dotfight.turn import head_count
from engine.errors import GameError
from engine.rng import POSITIONING, Purpose, Streams


def draw_bases(rules: Rules, seats: Sequence[Seat], streams: Streams, rng: np.random.Generator) -> NDArray[np.void]:
    """Let the two sides draw bases in turn (R2.1).

    Raises :class:`GameError`, which names the seed, where the page has no room left or a base may not be drawn (R2.2).
    """
    bases = np.zeros(rules.bases, BASE)
    for b in range(rules.bases):
        side = b % 2
        place = seats[side].draw_base(bases, b, rng)
        fault = "no room found on the page" if place is None else base_fault(rules, bases[:b], side, *place)
        if place is None or fault:
            raise GameError(f"base {b + 1} of {rules.bases} cannot be drawn: {fault} (R2.2; {_named(streams)})")
        bases[b] = (*place, side)
    return bases


def jot_men(rules: Rules, bases: NDArray[np.void], rng: np.random.Generator) -> NDArray[np.void]:
    """Jot every base full of men (R2.3); a base's men have ids in a row."""
    nobody = np.zeros(0, MAN)
    spots = np.concatenate(
        [jot(rules, rng, float(b["x"]), float(b["y"]), rules.soldiers_per_base, nobody) for b in bases]
    )
    home = np.repeat(np.arange(rules.bases), rules.soldiers_per_base)
    return muster(bases, home, spots)


def muster(bases: NDArray[np.void], home: NDArray[np.int64], spots: NDArray[np.float64]) -> NDArray[np.void]:
    """Return living men standing in their home bases at ``spots``, ``(men, 2)``."""
    men = np.zeros(home.size, MAN)
    men["x"], men["y"] = spots[:, 0], spots[:, 1]
    men["side"] = bases["side"][home]
    men["alive"] = 1
    men["inside"] = men["home"] = home
    men["status"] = HOME
    men["target"] = NOWHERE
    return men


def first_turn(rules: Rules, page: Page) -> None:
    """Begin turn 1: a side that starts with few enough men starts in its last stand (R4.1, R11)."""
    for side, living in enumerate(head_count(page.men)):
        if living <= rules.last_stand_at:
            page.stand_since[side] = page.turn
    page.flicks_left = rules.last_stand_flicks if page.stand_since[page.current] else 1


def set_up(rules: Rules, seats: Sequence[Seat], streams: Streams, rng: np.random.Generator) -> Page:
    """Return the page at the first flick: bases drawn, men jotted, first side arranged, then the second (R3.1).

    Raises :class:`GameError`, which names the seed, where a player draws or arranges against the rules (R2.2, R3.2).
    """
    bases = draw_bases(rules, seats, streams, rng)
    page = Page(bases, jot_men(rules, bases, rng), fresh_pen())
    for side, seat in enumerate(seats):
        before = page.men.copy()
        seat.arrange(page, streams.stream(POSITIONING[side]))
        fault = arranging_fault(rules, page, before, side)
        if fault:
            raise GameError(f"side {side} may not arrange its men so: {fault} (R3.2; {_named(streams)})")
        note_who_is_inside(rules, page)
    first_turn(rules, page)
    return page


def setup_stream(streams: Streams) -> np.random.Generator:
    """Return the stream that bases, dots and arrivals are drawn from."""
    return streams.stream(Purpose.SETUP)


def _named(streams: Streams) -> str:
    return f"seed {streams.seed}, game {streams.index}"
