"""Legal actions and what they do to the page (R4, R7.4, R8.3-R8.5, R9-R12).

Every function here changes the page it is given and nothing else; chance comes in already resolved.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE, Arrival, Flick, Send
from engine.dotfight.outcome import MAN_HIT, Events, Outcome
from engine.dotfight.page import HOME, NOWHERE, ORDERED, ROAD, Bases, Men, Page, inside_base
from engine.dotfight.rules import Numbers, Rules
from engine.errors import GameError
from engine.jit import entry_point

Jot = Callable[[int, int], NDArray[np.float64]]
"""Jots a number of men into a base: (base, count) to ``(count, 2)`` places, clear of everyone (R9.3)."""


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


@entry_point
def anyone_can_flick(men: Men, side: int) -> bool:
    """Say whether a side has a living man neither ordered to walk nor on the road (R4.4)."""
    for m in range(men.shape[0]):
        if men[m].alive and men[m].side == side and men[m].status == HOME:
            return True
    return False


@entry_point
def strike(
    k: Numbers, bases: Bases, men: Men, man: int, kind: int, events: Events, x: float, y: float, lost: bool
) -> None:
    """Cross out the men a flick met and put a lunger where his ink stopped (R7.1, R8.1, R8.3, R8.5)."""
    for i in range(events.shape[0]):
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


class Aftermath(NamedTuple):
    """What the turn rules made of a flick: whether it earned another, and whether the pen changed hands."""

    earned: bool
    hand_over: bool


def apply_flick(rules: Rules, k: Numbers, page: Page, flick: Flick, outcome: Outcome) -> Aftermath:
    """Play a resolved flick: strike, earn, last stands, victory (R4.3, R7.4, R8.4, R11, R12.1).

    The pen is not handed over here: ``hand_over`` says that it must be.
    """
    ending = outcome.ending
    side = page.current
    strike(
        k,
        page.bases,
        page.men,
        flick.man,
        flick.kind,
        outcome.events,
        ending.end_x,
        ending.end_y,
        ending.lost,
    )
    page.flicks_left -= 1
    earned = settle_earnings(rules, page, flick, outcome)
    living = head_count(page.men)
    for who in (0, 1):
        if living[who] <= rules.last_stand_at and not page.last_stand_since[who]:
            page.last_stand_since[who] = page.turn
    if living[1 - side] == 0:  # R12.1: where both are gone, the side that flicked wins
        page.winner = side
    elif living[side] == 0:
        page.winner = 1 - side
    return Aftermath(earned, not page.over and turn_is_done(page))


def settle_earnings(rules: Rules, page: Page, flick: Flick, outcome: Outcome) -> bool:
    """Give the flicks that a flick earned and keep the chain of lunges; return whether it earned (R7.4, R8.4)."""
    kills, lost = outcome.ending.kills, outcome.ending.lost
    if flick.kind != LUNGE:
        earned = kills >= rules.snipe_earn_at
        page.flicks_left += earned
        return earned
    earned = kills > 0 and not lost
    still_owed = page.chain_owed - (1 if page.chain_man != NOWHERE else 0)
    if lost:  # what a dead man was owed goes with him
        page.flicks_left -= still_owed
        still_owed = 0
    elif earned:
        won = kills if rules.lunge_earns == "per_kill" else 1
        page.flicks_left += won
        still_owed += won
    page.chain_links = page.chain_links + 1 if still_owed else 0
    page.chain_man = flick.man if still_owed else NOWHERE
    page.chain_owed = still_owed
    return earned


def decline(page: Page) -> bool:
    """Decline the earned lunge, which uses it up (R4.4); return whether the turn is done."""
    if page.chain_man == NOWHERE:
        raise GameError("there is no earned lunge to decline (R4.4)")
    page.flicks_left -= page.chain_owed
    page.chain_man, page.chain_links, page.chain_owed = NOWHERE, 0, 0
    return turn_is_done(page)


def turn_is_done(page: Page) -> bool:
    """Say whether no flick is left, or nobody who could play one (R4.3)."""
    return page.flicks_left <= 0 or not anyone_can_flick(page.men, page.current)


def sendable(rules: Rules, page: Page, base: int) -> NDArray[np.int64]:
    """Return the ids of the men of the side to move who may be sent from ``base`` (R9.1)."""
    men, home = page.men, page.bases[base]
    reach = rules.base_radius + rules.position_reach + rules.send_slack
    near = (men["x"] - home["x"]) ** 2 + (men["y"] - home["y"]) ** 2 <= reach * reach
    free = (men["side"] == page.current) & (men["alive"] == 1) & (men["status"] == HOME)
    ids = np.flatnonzero(near & free)
    return ids[ids != page.chain_man]


def nearest_first(page: Page, ids: NDArray[np.int64], base: int) -> NDArray[np.int64]:
    """Return men in order of distance to a base's centre, ties by id (R9.1)."""
    men, goal = page.men[ids], page.bases[base]
    distance = np.hypot(men["x"] - goal["x"], men["y"] - goal["y"])
    return ids[np.lexsort((ids, distance))]


def check_send(rules: Rules, page: Page, send: Send) -> None:
    """Raise :class:`GameError` unless a send is legal now (R9.1)."""
    side = page.current
    fault = ""
    if page.send_used:
        fault = "this turn's send is used"
    elif not 1 <= len(send.men) <= rules.send_max:
        fault = f"a send takes 1 to {rules.send_max} men"
    elif send.source == send.target:
        fault = "a send goes to another base"
    elif not all(0 <= b < rules.bases and page.bases["side"][b] == side for b in (send.source, send.target)):
        fault = "a send goes between one's own bases"
    else:
        going = nearest_first(page, sendable(rules, page, send.source), send.target)
        if send.men != tuple(int(m) for m in going[: len(send.men)]):
            fault = "the men nearest the destination go"
    if fault:
        raise GameError(f"illegal send {send.source} to {send.target} of {len(send.men)}: {fault} (R9.1)")


def apply_send(rules: Rules, page: Page, send: Send) -> bool:
    """Order men to walk; return whether the turn is done because nobody is left to flick (R4.3, R9.1)."""
    check_send(rules, page, send)
    page.send_used = True
    for m in send.men:
        page.men["status"][m] = ORDERED
        page.men["target"][m] = send.target
        page.men["road_left"][m] = rules.road_turns
        page.men["home"][m] = send.source
    return turn_is_done(page)


def column(rules: Rules, page: Page, source: int, target: int, count: int, station: int) -> NDArray[np.float64]:
    """Return the places of a column on the road, front first, ``(count, 2)`` (R9.2, R9.4).

    ``station`` counts from 1; with ``road_turns`` = n the stations lie at 1/(n+1), 2/(n+1) ... of the road.
    """
    a, b = page.bases[source], page.bases[target]
    ax, ay, bx, by = float(a["x"]), float(a["y"]), float(b["x"]), float(b["y"])
    distance = hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / distance, (by - ay) / distance
    gate = rules.base_radius + rules.road_gap
    middle = gate + (distance - 2.0 * gate) * station / (rules.road_turns + 1)
    spacing = rules.road_spacing * rules.dot_radius
    along = middle + ((count - 1) / 2.0 - np.arange(count)) * spacing
    return np.column_stack([ax + ux * along, ay + uy * along])


def hand_over(rules: Rules, k: Numbers, page: Page, jot: Jot) -> list[tuple[int, int, Arrival]]:
    """Hand the pen over: convoys walk out and arrive, a stalled game ends (R9.2, R9.3, R10.1, R11.2, R12.2).

    Returns the arrivals in order, each with its turn and side. A side that cannot flick hands the pen straight
    back.
    """
    arrivals: list[tuple[int, int, Arrival]] = []
    while True:
        walk_out(rules, page, page.current)
        if page.turn >= rules.max_turns:
            page.stalled = True
            return arrivals
        page.turn += 1
        page.current = 1 - page.current
        page.send_used = False
        page.chain_man, page.chain_links, page.chain_owed = NOWHERE, 0, 0
        page.flicks_left = rules.last_stand_flicks if page.last_stand_since[page.current] else 1
        arrivals += [(page.turn, page.current, arrival) for arrival in arrive(rules, k, page, jot)]
        if anyone_can_flick(page.men, page.current):
            return arrivals


def walk_out(rules: Rules, page: Page, side: int) -> None:
    """Put a side's ordered men on the road as the pen changes hands (R9.2)."""
    men = page.men
    going = np.flatnonzero((men["side"] == side) & (men["alive"] == 1) & (men["status"] == ORDERED))
    if going.size:
        men["status"][going] = ROAD
        men["inside"][going] = NOWHERE
        place_column(rules, page, going)


def place_column(rules: Rules, page: Page, walkers: NDArray[np.int64]) -> None:
    """Stand one convoy's living men on the station they have come to, the nearest to the target in front."""
    men = page.men
    source, target = int(men["home"][walkers[0]]), int(men["target"][walkers[0]])
    station = rules.road_turns + 1 - int(men["road_left"][walkers[0]])
    ordered = nearest_first(page, walkers, target)
    spots = column(rules, page, source, target, ordered.size, station)
    men["x"][ordered], men["y"][ordered] = spots[:, 0], spots[:, 1]


def arrive(rules: Rules, k: Numbers, page: Page, jot: Jot) -> list[Arrival]:
    """Bring the walkers of the side to move one enemy turn further; jot in those who are there (R9.3)."""
    men = page.men
    walkers = np.flatnonzero((men["side"] == page.current) & (men["alive"] == 1) & (men["status"] == ROAD))
    if not walkers.size:
        return []
    men["road_left"][walkers] -= 1
    arrivals: list[Arrival] = []
    # One send a turn, so men with the same way and the same turns left are one convoy.
    convoys = {(int(men["home"][m]), int(men["target"][m]), int(men["road_left"][m])) for m in walkers}
    for source, target, left in sorted(convoys):
        convoy = walkers[
            (men["home"][walkers] == source) & (men["target"][walkers] == target) & (men["road_left"][walkers] == left)
        ]
        if left:
            place_column(rules, page, convoy)
            continue
        spots = jot(target, convoy.size)
        arrival = Arrival(target, tuple(int(m) for m in convoy), tuple((float(x), float(y)) for x, y in spots))
        settle(k, page, arrival)
        arrivals.append(arrival)
    return arrivals


def settle(k: Numbers, page: Page, arrival: Arrival) -> None:
    """Put arrived men into their new home (R9.3)."""
    men = page.men
    for m, (x, y) in zip(arrival.men, arrival.spots, strict=True):
        men["x"][m], men["y"][m] = x, y
        men["status"][m], men["target"][m] = HOME, NOWHERE
        men["home"][m] = arrival.base
        men["inside"][m] = inside_base(k, page.bases, page.current, x, y)
