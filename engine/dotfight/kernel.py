"""The walk along a flick's ink, compiled: numbers and arrays only, no allocation.

It exists because a player previews over a hundred flicks before each one it plays, and it adjudicates where an
experiment says ``geometry = "kernel"``. ``flick.py`` is the same walk in its plain form, with Shapely; a
differential test holds the two to the same events.
"""

from __future__ import annotations

from math import cos, inf, sin

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE
from engine.dotfight.ink import lay_ink, point_at, segment_at
from engine.dotfight.meeting import (
    GOES_ON,
    NONE_YET,
    TURNS,
    Frame,
    Start,
    Work,
    earliest,
    meet_all,
    survey,
    take,
    to_page,
    turned,
)
from engine.dotfight.outcome import EDGE, MAN_HIT, WALL, Ending, Events
from engine.dotfight.page import ROAD, Bases, Men
from engine.dotfight.rules import Numbers
from engine.jit import compiled, entry_point, inlined


@inlined
def note(
    events: Events, n: int, kind: int, ref: int, d: float, x: float, y: float, free: int, cost: float, jolt: float
) -> int:
    """Write an event; return the new count."""
    if n >= events.shape[0]:
        return n
    event = events[n]
    event.kind = kind
    event.ref = ref
    event.d = d
    event.x = x
    event.y = y
    event.free = free
    event.cost = cost
    event.jolt = jolt
    return n + 1


@inlined
def hit_man(k: Numbers, men: Men, man: int, m: int, slot: int, work: Work) -> int:
    """Cross out a man met on this line (R6.5, R8.2) and return 1 if that is a kill."""
    work.spent[slot] = 1
    enemy = men[m].side != men[man].side
    if (enemy or k.friendly_fire != 0.0) and men[m].inside >= 0 and men[m].status != ROAD:
        work.garrison[men[m].inside] -= 1
    return 1 if enemy else 0


@inlined
def wall_price(k: Numbers, prices: NDArray[np.float64], base: int, work: Work) -> tuple[int, float]:
    """Return whether crossing a wall now is free (R6.4), and what it costs by the garrison that is left (R6.5)."""
    if work.backed[base]:
        work.backed[base] = 0
        return 1, 0.0
    return 0, float(prices[min(work.garrison[base], int(k.soldiers_per_base))])


@compiled
def shot_in(k: Numbers, bases: Bases, side: int, x: float, y: float, garrison: NDArray[np.int64]) -> int:
    """Return the enemy base with a living garrison in which a lunger landing at (x, y) is shot, or -1 (R8.3)."""
    for b in range(bases.shape[0]):
        if bases[b].side != side and garrison[b] > 0:
            dx, dy = x - bases[b].x, y - bases[b].y
            if dx * dx + dy * dy <= k.base_radius * k.base_radius:
                return b
    return -1


@compiled
def begin(k: Numbers, bases: Bases, men: Men, man: int, work: Work) -> None:
    """Begin a line: who holds the walls, which walls are at the flicker's back, nobody met (R6.4, R6.5)."""
    for i in range(work.foes):
        work.spent[i] = 0
    square = k.base_radius * k.base_radius
    for b in range(bases.shape[0]):
        work.garrison[b] = work.held[b]
        dx, dy = men[man].x - bases[b].x, men[man].y - bases[b].y
        work.backed[b] = 1 if dx * dx + dy * dy <= square else 0
    if men[man].inside >= 0 and men[man].status != ROAD:
        work.garrison[men[man].inside] -= 1


@compiled
def walk_snipe(
    k: Numbers,
    bases: Bases,
    men: Men,
    man: int,
    angle: float,
    length: float,
    bend: float,
    work: Work,
) -> Ending:
    """Walk a snipe (R7): the ink shortens at each wall and man. Events are left in ``work.events``."""
    begin(k, bases, men, man, work)
    ink = lay_ink(int(k.ink_segments), length, bend, work.arc)
    frame = Frame(men[man].x, men[man].y, cos(angle), sin(angle))
    n = meet_all(k, bases, man, GOES_ON, ink, frame, Start(0.0, 0, 0.0, 0.0, -1), work)
    blind = k.blind_travel * k.dot_radius
    limit = work.arc[ink.segments]
    events, kills, off_page = 0, 0, False
    while not off_page:
        i = earliest(work, n, limit)
        if i < 0:
            break
        here = take(work, i)
        free, cost = 0, 0.0
        if here.kind == EDGE:
            off_page = True
        elif here.kind == WALL:
            free, cost = wall_price(k, k.snipe_losses, here.ref, work)
        elif here.d >= blind:
            cost = k.snipe_man_loss
            kills += hit_man(k, men, man, here.ref, here.slot, work)
        else:
            continue
        x, y = to_page(frame, here.u, here.v)
        events = note(work.events, events, here.kind, here.ref, here.d, x, y, free, cost, 0.0)
        limit = here.d if off_page else here.d + (limit - here.d) * (1.0 - cost)
    u, v = point_at(ink, work.arc, segment_at(ink, work.arc, limit), limit)
    end_x, end_y = to_page(frame, u, v)
    if not off_page and limit >= blind:
        # The ink has run out short of these men's nearest points, but its end may be within reach of them. Their
        # events are at one distance, so they come in order of id.
        reach = k.hit_reach * k.hit_reach
        last = -1
        for _ in range(n):
            nearest = -1
            for j in range(n):
                m = work.meetings[j].ref
                next_one = m > last and (nearest < 0 or m < work.meetings[nearest].ref)
                if (
                    work.meetings[j].kind == MAN_HIT
                    and next_one
                    and (men[m].x - end_x) ** 2 + (men[m].y - end_y) ** 2 <= reach
                ):
                    nearest = j
            if nearest < 0:
                break
            last = work.meetings[nearest].ref
            kills += hit_man(k, men, man, last, work.meetings[nearest].slot, work)
            cost = k.snipe_man_loss
            events = note(work.events, events, MAN_HIT, last, limit, end_x, end_y, NONE_YET, cost, 0.0)
    return Ending(events, kills, 0, end_x, end_y, limit, off_page, False, -1)


@compiled
def walk_lunge(
    k: Numbers,
    bases: Bases,
    men: Men,
    man: int,
    angle: float,
    length: float,
    bend: float,
    normals: NDArray[np.float64],
    work: Work,
) -> Ending:
    """Walk a lunge (R8): each wall and man turns the rest of the path. Events are left in ``work.events``.

    ``normals`` gives the jolts their standard normal deviates, in order and then on from the start.
    """
    begin(k, bases, men, man, work)
    ink = lay_ink(int(k.ink_segments), length, bend, work.arc)
    frame = Frame(men[man].x, men[man].y, cos(angle), sin(angle))
    start = Start(0.0, 0, 0.0, 0.0, -1)
    blind = k.blind_travel * k.dot_radius
    travel = work.arc[ink.segments]
    events, kills, jolts, off_page = 0, 0, 0, False
    n = meet_all(k, bases, man, TURNS, ink, frame, start, work)
    while not off_page:
        i = earliest(work, n, inf)
        if i < 0:
            break
        here = take(work, i)
        free, cost, jolt = 0, 0.0, 0.0
        if here.kind == EDGE:
            travel, off_page = here.d, True
        elif here.kind == WALL:
            free, cost = wall_price(k, k.lunge_shakes, here.ref, work)
        elif here.d >= blind:
            cost = k.lunge_man_shake
            kills += hit_man(k, men, man, here.ref, here.slot, work)
        else:
            continue
        turns = not free and not off_page
        if turns:
            jolt = cost * float(normals[jolts % normals.shape[0]])
            jolts += 1
        before = events
        x, y = to_page(frame, here.u, here.v)
        events = note(work.events, events, here.kind, here.ref, here.d, x, y, free, cost, jolt)
        if events == before:
            break
        if turns:
            frame = turned(frame, x, y, jolt)
            # A man met at the very point where a wall turned the line leaves the ink standing on that wall.
            wall = here.ref if here.kind == WALL else (start.wall if here.d == start.d else -1)
            start = Start(here.d, here.segment, here.u, here.v, wall)
            n = meet_all(k, bases, man, TURNS, ink, frame, start, work)
    u, v = point_at(ink, work.arc, segment_at(ink, work.arc, travel), travel)
    end_x, end_y = to_page(frame, u, v)
    base = -1 if off_page else shot_in(k, bases, men[man].side, end_x, end_y, work.garrison)
    return Ending(events, kills, jolts, end_x, end_y, travel, off_page, off_page or base >= 0, base)


@compiled
def walk_any(
    k: Numbers,
    bases: Bases,
    men: Men,
    man: int,
    kind: int,
    angle: float,
    length: float,
    bend: float,
    normals: NDArray[np.float64],
    work: Work,
) -> Ending:
    """Walk a flick of either kind on a page that has been surveyed."""
    if kind == LUNGE:
        return walk_lunge(k, bases, men, man, angle, length, bend, normals, work)
    return walk_snipe(k, bases, men, man, angle, length, bend, work)


@entry_point
def walk(
    numbers: Numbers,
    bases: Bases,
    men: Men,
    man: int,
    kind: int,
    angle: float,
    length: float,
    bend: float,
    normals: NDArray[np.float64],
    workspace: NDArray[np.void],
) -> tuple[int, int, int, float, float, float, bool, bool, int]:
    """Walk a flick; its events are left in the workspace.

    Returns the fields of :class:`~engine.dotfight.outcome.Ending`, plain: a named tuple takes long to hand to Python.

    Parameters
    ----------
    numbers, workspace
        ``(1,)`` arrays of the rules' numbers and of :data:`~engine.dotfight.meeting.WORK`.
    bases, men
        The page.
    man, kind, angle, length, bend
        The flick as it left the hand.
    normals
        ``(n,)`` standard normals for a lunge's jolts, taken from the start again when they run out.
    """
    k, work = numbers[0], workspace[0]
    survey(k, bases, men, men[man].side, work)
    e = walk_any(k, bases, men, man, kind, angle, length, bend, normals, work)
    return e.events, e.kills, e.jolts, e.end_x, e.end_y, e.travel, e.off_page, e.lost, e.shot_in
