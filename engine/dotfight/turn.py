"""Legal actions and what they do to the page (R4, R7.4, R8.3-R8.5, R9-R12).

Every function here changes the page it is given and nothing else; chance comes in already resolved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE, Arrival, Flick, Send
from engine.dotfight.convoy import check_send, place_column
from engine.dotfight.outcome import MAN_HIT, Events, Outcome
from engine.dotfight.page import (
    HOME,
    NOWHERE,
    ORDERED,
    ROAD,
    Bases,
    Garrisons,
    Men,
    Page,
    Pen,
    inside_base,
    note_empty_rings,
)
from engine.dotfight.rules import Numbers, Rules
from engine.errors import GameError
from engine.jit import compiled, entry_point

Jot = Callable[[int, int], NDArray[np.float64]]
"""Jots a number of men into a base: (base, count) to ``(count, 2)`` places, clear of everyone (R9.3)."""


class Aftermath(NamedTuple):
    """What the turn rules made of a flick, and what was at stake in it.

    ``exposed_*`` count the living enemies before it, in their own base's garrison and not; ``kills_*`` those of
    them crossed out who were in their garrison, and on the road; ``living_*`` each side's living men after it.
    ``emptied`` has the bits of the bases that are empty rings for the first time (R2.5).
    """

    earned: bool
    hand_over: bool
    exposed_inside: int
    exposed_outside: int
    kills_inside: int
    kills_road: int
    living_first: int
    living_second: int
    emptied: int


@entry_point
def head_count(men: Men) -> tuple[int, int]:
    """Return the living men of both sides."""
    first = second = 0
    for m in range(men.shape[0]):
        if men[m].alive:
            if men[m].side == 0:
                first += 1
            else:
                second += 1
    return first, second


@compiled
def anyone_can_flick(men: Men, side: int) -> bool:
    """Say whether a side has a living man neither ordered to walk nor on the road (R4.4)."""
    for m in range(men.shape[0]):  # noqa: SIM110 - compiled code has no generators
        if men[m].alive and men[m].side == side and men[m].status == HOME:
            return True
    return False


@compiled
def turn_is_done(men: Men, pen: Pen) -> bool:
    """Say whether no flick is left, or nobody who could play one (R4.3)."""
    return pen.flicks_left <= 0 or not anyone_can_flick(men, pen.current)


@compiled
def exposure(men: Men, side: int) -> tuple[int, int]:
    """Return the living enemies of ``side`` in their own base's garrison, and the others."""
    inside = outside = 0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].side != side:
            if men[m].inside >= 0 and men[m].status != ROAD:
                inside += 1
            else:
                outside += 1
    return inside, outside


@compiled
def count_kills(men: Men, side: int, events: Events) -> tuple[int, int]:
    """Return how many of the enemies to be crossed out are in their base's garrison, and how many on the road."""
    inside = road = 0
    for i in range(events.shape[0]):
        if events[i].kind == MAN_HIT:
            m = events[i].ref
            if men[m].side != side and men[m].status == ROAD:
                road += 1
            elif men[m].side != side and men[m].inside >= 0:
                inside += 1
    return inside, road


@compiled
def strike(
    k: Numbers, bases: Bases, men: Men, man: int, kind: int, events: Events, n: int, x: float, y: float, lost: bool
) -> None:
    """Cross out the men met in the first ``n`` events and put a lunger where his ink stopped (R7.1, R8.1-R8.5)."""
    for i in range(n):
        if events[i].kind == MAN_HIT:
            m = events[i].ref
            if men[m].side != men[man].side or k.friendly_fire != 0.0:
                men[m].alive = 0
    if kind == LUNGE:
        men[man].x = x
        men[man].y = y
        men[man].inside = inside_base(k, bases, men[man].side, x, y)
        if lost:
            men[man].alive = 0


@compiled
def settle_earnings(k: Numbers, pen: Pen, man: int, kind: int, kills: int, lost: bool) -> bool:
    """Give the flicks that a flick earned and keep the chain of lunges; return whether it earned (R7.4, R8.4)."""
    pen.flicks_left -= 1
    if kind != LUNGE:
        earned = kills >= k.snipe_earn_at
        if earned:
            pen.flicks_left += 1
        return earned
    owed = pen.chain_owed - 1 if pen.chain_man != NOWHERE else 0
    earned = kills > 0 and not lost
    if lost:  # what a dead man was owed goes with him
        pen.flicks_left -= owed
        owed = 0
    elif earned:
        won = kills if k.per_kill else 1
        pen.flicks_left += won
        owed += won
    pen.chain_links = pen.chain_links + 1 if owed else 0
    pen.chain_man = man if owed else NOWHERE
    pen.chain_owed = owed
    return earned


@compiled
def note_last_stands(k: Numbers, pen: Pen, first: int, second: int) -> None:
    """Begin the last stand of a side with few enough men (R11.1)."""
    if first <= k.last_stand_at and not pen.stand_since[0]:
        pen.stand_since[0] = pen.turn
    if second <= k.last_stand_at and not pen.stand_since[1]:
        pen.stand_since[1] = pen.turn


@entry_point
def play_flick(
    numbers: Numbers,
    bases: Bases,
    men: Men,
    pens: Pen,
    garrison: NDArray[np.int64],
    ever_empty: NDArray[np.int64],
    man: int,
    kind: int,
    events: Events,
    kills: int,
    x: float,
    y: float,
    lost: bool,
) -> tuple[bool, bool, int, int, int, int, int, int, int]:
    """Play a resolved flick: strike, earn, last stands, victory (R4.3, R7.4, R8.4, R11, R12.1).

    ``numbers`` and ``pens`` are ``(1,)`` arrays; ``garrison`` and ``ever_empty`` (bases,) are brought up to date.
    Returns the fields of :class:`Aftermath`, plain: a named tuple takes long to hand to Python.
    """
    k, pen = numbers[0], pens[0]
    side = pen.current
    exposed = exposure(men, side)
    struck = count_kills(men, side, events)
    strike(k, bases, men, man, kind, events, events.shape[0], x, y, lost)
    earned = settle_earnings(k, pen, man, kind, kills, lost)
    first, second = head_count(men)
    note_last_stands(k, pen, first, second)
    own, others = (first, second) if side == 0 else (second, first)
    if others == 0:  # where both are gone, the side that flicked wins (R12.1)
        pen.winner = side
    elif own == 0:
        pen.winner = 1 - side
    done = pen.winner == NOWHERE and turn_is_done(men, pen)
    emptied = note_empty_rings(bases, men, garrison, ever_empty)
    return earned, done, exposed[0], exposed[1], struck[0], struck[1], first, second, emptied


def apply_flick(rules: Rules, page: Page, garrisons: Garrisons, flick: Flick, outcome: Outcome) -> Aftermath:
    """Play a resolved flick; the pen is not handed over here, ``hand_over`` says that it must be."""
    ending = outcome.ending
    return Aftermath._make(
        play_flick(
            rules.numbers,
            page.bases,
            page.men,
            page.pen,
            garrisons.now,
            garrisons.ever_empty,
            flick.man,
            flick.kind,
            outcome.events,
            ending.kills,
            ending.end_x,
            ending.end_y,
            ending.lost,
        )
    )


@entry_point
def decline_lunge(men: Men, pens: Pen) -> bool:
    """Use up the earned lunges and return whether the turn is done."""
    pen = pens[0]
    pen.flicks_left -= pen.chain_owed
    pen.chain_man = NOWHERE
    pen.chain_links = 0
    pen.chain_owed = 0
    return turn_is_done(men, pen)


def decline(page: Page) -> bool:
    """Decline the earned lunge, which uses it up (R4.4); return whether the turn is done."""
    if page.chain_man == NOWHERE:
        raise GameError("there is no earned lunge to decline (R4.4)")
    return decline_lunge(page.men, page.pen)


FAULTS = (
    "",
    "it is not his side's turn",
    "he is crossed out",
    "he is ordered to walk or on the road",
    "another man is owed a lunge",
    "he is owed a lunge, not a snipe",
)


@entry_point
def flick_fault(men: Men, pens: Pen, man: int, kind: int) -> int:
    """Return the index in FAULTS of why a man may not play this kind of flick now, 0 where he may (R4.4)."""
    pen, here = pens[0], men[man]
    if here.side != pen.current:
        return 1
    if not here.alive:
        return 2
    if here.status != HOME:
        return 3
    if pen.chain_man not in (NOWHERE, man):
        return 4
    return 5 if pen.chain_man == man and kind != LUNGE else 0


def check_flick(page: Page, flick: Flick) -> None:
    """Raise :class:`GameError` unless the man may play this kind of flick now (R4.4)."""
    if not 0 <= flick.man < page.men.size:
        raise GameError(f"there is no man {flick.man}")
    if fault := flick_fault(page.men, page.pen, flick.man, flick.kind):
        raise GameError(f"man {flick.man} may not flick in turn {page.turn}: {FAULTS[fault]} (R4.4)")


@entry_point
def order_to_walk(men: Men, pens: Pen, going: NDArray[np.int64], source: int, target: int, turns: int) -> bool:
    """Order men to walk and return whether nobody is left to flick (R4.3)."""
    pen = pens[0]
    pen.send_used = 1
    for i in range(going.shape[0]):
        man = men[going[i]]
        man.status = ORDERED
        man.home = source
        man.target = target
        man.road_left = turns
    return turn_is_done(men, pen)


def apply_send(rules: Rules, page: Page, send: Send) -> bool:
    """Order men to walk; return whether the turn is done because nobody is left to flick (R4.3, R9.1)."""
    check_send(rules, page, send)
    return order_to_walk(page.men, page.pen, np.array(send.men), send.source, send.target, rules.road_turns)


@entry_point
def pass_pen(numbers: Numbers, bases: Bases, men: Men, pens: Pen, arriving: NDArray[np.int64]) -> tuple[int, bool]:
    """Hand the pen over: the convoy walks out, the other side's turn begins, its convoys come one turn nearer.

    Returns how many men arrive (R9.3), and whether anyone of their side can flick already; the ids of those who
    arrive are in ``arriving`` (men,) and wait to be jotted in. There is at most one convoy a turn. R9.2, R9.4, R11.2,
    R12.2.
    """
    k, pen = numbers[0], pens[0]
    leader = -1
    for m in range(men.shape[0]):
        if men[m].alive and men[m].side == pen.current and men[m].status == ORDERED:
            men[m].status = ROAD
            leader = m
    if leader >= 0:
        place_column(k, bases, men, leader)
    if pen.turn >= k.max_turns:
        pen.stalled = 1
        return 0, False
    pen.turn += 1
    pen.current = 1 - pen.current
    pen.send_used = 0
    pen.chain_man = NOWHERE
    pen.chain_links = 0
    pen.chain_owed = 0
    pen.flicks_left = int(k.last_stand_flicks) if pen.stand_since[pen.current] else 1
    n = 0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].side == pen.current and men[m].status == ROAD:
            men[m].road_left -= 1
            if men[m].road_left == 0:
                arriving[n] = m
                n += 1
    for left in range(1, int(k.road_turns)):  # with more than one turn on the road, the others move on a station
        for m in range(men.shape[0]):
            if men[m].alive and men[m].side == pen.current and men[m].status == ROAD and men[m].road_left == left:
                place_column(k, bases, men, m)
                break
    return n, anyone_can_flick(men, pen.current)


@entry_point
def settle(
    numbers: Numbers, bases: Bases, men: Men, pens: Pen, arrived: NDArray[np.int64], spots: NDArray[np.float64]
) -> None:
    """Put arrived men at their ``(n, 2)`` spots (R9.3): they can flick now."""
    k, pen = numbers[0], pens[0]
    for i in range(arrived.shape[0]):
        man = men[arrived[i]]
        man.x = spots[i, 0]
        man.y = spots[i, 1]
        man.status = HOME
        man.home = man.target
        man.target = NOWHERE
        man.inside = inside_base(k, bases, pen.current, man.x, man.y)


def let_arrive(rules: Rules, page: Page, jot: Jot, arriving: NDArray[np.int64]) -> Arrival:
    """Jot the men who arrive into their base (R9.3)."""
    men = tuple(arriving.tolist())
    base = int(page.men["target"][men[0]])
    spots = jot(base, len(men))
    settle(rules.numbers, page.bases, page.men, page.pen, arriving, spots)
    return Arrival(base, men, tuple(map(tuple, spots.tolist())))


def hand_over(rules: Rules, page: Page, jot: Jot) -> list[tuple[int, int, Arrival]]:
    """Hand the pen over, and back again where a side has nobody to flick (R9.2, R9.3, R10.1, R12.2).

    Returns the arrivals in order, each with its turn and side.
    """
    k = rules.numbers
    arriving = np.empty(page.men.size, np.int64)
    arrivals: list[tuple[int, int, Arrival]] = []
    while True:
        n, can_flick = pass_pen(k, page.bases, page.men, page.pen, arriving)
        if n:
            arrivals.append((page.turn, page.current, let_arrive(rules, page, jot, arriving[:n])))
        if n or can_flick or page.stalled:
            return arrivals
