"""The walk along a flick's ink, compiled: numbers and arrays only, no allocation.

It exists because a player previews over a hundred flicks before each one it plays, and it adjudicates where an
experiment says ``geometry = "kernel"``. ``flick.py`` is the same walk in its plain form, with Shapely; a
differential test holds the two to the same events.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE
from engine.dotfight.ink import Ink, lay_ink, point_at, segment_at, vertex_v
from engine.dotfight.outcome import EDGE, EVENT, MAN_HIT, WALL, Ending, Events
from engine.dotfight.page import ROAD, Bases, Men, lunge_shake, snipe_loss
from engine.dotfight.rules import Numbers, Rules
from engine.jit import compiled, entry_point

MEETING = np.dtype([("d", "f8"), ("kind", "i8"), ("ref", "i8"), ("segment", "i8"), ("u", "f8"), ("v", "f8")])

Meetings = Any
"""``(n,)`` array of :data:`MEETING`: where the ink, as it lies now, meets walls, men and the edge."""


class Workspace(NamedTuple):
    """Arrays a walk writes into, made once and used for every flick of a game size."""

    arc: NDArray[np.float64]  # (ink_segments + 1,)
    meetings: Meetings
    garrison: NDArray[np.int64]  # (bases,)
    backed: NDArray[np.int64]  # (bases,) 1 while the wall at the flicker's back is uncrossed
    spent: NDArray[np.int64]  # (men,) 1 once this line has met the man
    events: Events


def workspace(rules: Rules) -> Workspace:
    """Return a fresh workspace for games by ``rules``."""
    # A line meets each man once; a lunge may be turned through walls again and again, each time a little shorter.
    most = rules.men + 16 * rules.bases + 64
    return Workspace(
        arc=np.zeros(rules.ink_segments + 1),
        meetings=np.zeros(most, MEETING),
        garrison=np.zeros(rules.bases, np.int64),
        backed=np.zeros(rules.bases, np.int64),
        spent=np.zeros(rules.men, np.int64),
        events=np.zeros(most, EVENT),
    )


class Frame(NamedTuple):
    """Where the ink's own frame lies on the page: origin, cosine and sine of its direction."""

    x: float
    y: float
    c: float
    s: float


class Start(NamedTuple):
    """Where the ink still to be walked begins: distance, segment, local point, and the wall it stands on or -1."""

    d: float
    segment: int
    u: float
    v: float
    wall: int


@compiled
def to_page(frame: Frame, u: float, v: float) -> tuple[float, float]:
    """Return the page point of a local point."""
    return frame.x + u * frame.c - v * frame.s, frame.y + u * frame.s + v * frame.c


@compiled
def turned(frame: Frame, x: float, y: float, jolt: float) -> Frame:
    """Return the frame turned by ``jolt`` rad about the page point (x, y)."""
    c, s = cos(jolt), sin(jolt)
    dx, dy = frame.x - x, frame.y - y
    return Frame(x + c * dx - s * dy, y + s * dx + c * dy, frame.c * c - frame.s * s, frame.s * c + frame.c * s)


@compiled
def insert(meetings: Meetings, n: int, d: float, kind: int, ref: int, segment: int, u: float, v: float) -> int:
    """Insert a meeting in order of distance, then kind, then id (R6.2); return the new count."""
    if n >= meetings.shape[0]:
        return n
    i = n
    while i > 0:
        before = meetings[i - 1]
        if before.d < d:
            break
        if before.d == d and (before.kind < kind or (before.kind == kind and before.ref < ref)):
            break
        meetings[i] = before
        i -= 1
    here = meetings[i]
    here.d = d
    here.kind = kind
    here.ref = ref
    here.segment = segment
    here.u = u
    here.v = v
    return n + 1


@compiled
def meet_man(
    ink: Ink,
    arc: NDArray[np.float64],
    start: Start,
    u: float,
    v: float,
    reach: float,
    ref: int,
    meetings: Meetings,
    n: int,
) -> int:
    """Add the ink's nearest point to a man at local (u, v), if within ``reach`` of him."""
    length = ink.step * ink.segments
    if u < start.u - reach or u > length + reach:
        return n
    if v > max(0.0, ink.crest) + reach or v < min(0.0, ink.crest) - reach:
        return n
    first = max(start.segment, int((u - reach) / ink.step))
    last = min(ink.segments - 1, int((u + reach) / ink.step))
    best = reach * reach
    found, best_d, best_u, best_v = -1, 0.0, 0.0, 0.0
    for j in range(first, last + 1):
        size = arc[j + 1] - arc[j]
        a_u, a_v = j * ink.step, vertex_v(ink, j)
        e_u, e_v = ink.step / size, (vertex_v(ink, j + 1) - a_v) / size
        least = start.d - arc[j] if j == start.segment else 0.0
        along = min(size, max(least, (u - a_u) * e_u + (v - a_v) * e_v))
        p_u, p_v = a_u + along * e_u, a_v + along * e_v
        gap = (u - p_u) * (u - p_u) + (v - p_v) * (v - p_v)
        if gap < best or (gap == best and found < 0):
            found, best, best_d, best_u, best_v = j, gap, arc[j] + along, p_u, p_v
    if found < 0:
        return n
    return insert(meetings, n, best_d, MAN_HIT, ref, found, best_u, best_v)


@compiled
def meet_wall(
    ink: Ink,
    arc: NDArray[np.float64],
    start: Start,
    u: float,
    v: float,
    radius: float,
    ref: int,
    meetings: Meetings,
    n: int,
) -> int:
    """Add every crossing of the circle about local (u, v) by the ink from ``start`` on."""
    length = ink.step * ink.segments
    if u + radius < start.u or u - radius > length:
        return n
    if v - radius > max(0.0, ink.crest) or v + radius < min(0.0, ink.crest):
        return n
    first = max(start.segment, int((u - radius) / ink.step))
    last = min(ink.segments - 1, int((u + radius) / ink.step))
    square = radius * radius
    for j in range(first, last + 1):
        size = arc[j + 1] - arc[j]
        a_u, a_v = j * ink.step, vertex_v(ink, j)
        b_v = vertex_v(ink, j + 1)
        e_u, e_v = ink.step / size, (b_v - a_v) / size
        least = 0.0
        if j == start.segment:
            least = start.d - arc[j]
            a_u, a_v = start.u, start.v
        f_u, f_v = a_u - u, a_v - v
        half = f_u * e_u + f_v * e_v
        g_u, g_v = (j + 1) * ink.step - u, b_v - v
        ends_inside = g_u * g_u + g_v * g_v < square
        if j == start.segment and start.wall == ref:
            # The ink was turned on this very wall: one root of the quadratic is where it stands, the other -2 half.
            if half < 0.0 and not ends_inside:
                along = -2.0 * half
                n = insert(meetings, n, arc[j] + least + along, WALL, ref, j, a_u + along * e_u, a_v + along * e_v)
            continue
        rest = f_u * f_u + f_v * f_v - square
        starts_inside = rest < 0.0
        if starts_inside and ends_inside:
            continue
        disc = half * half - rest
        if disc <= 0.0:
            continue
        root = sqrt(disc)
        if starts_inside or ends_inside:
            along = -half + root if starts_inside else -half - root
            along = min(size - least, max(0.0, along))
            n = insert(meetings, n, arc[j] + least + along, WALL, ref, j, a_u + along * e_u, a_v + along * e_v)
        elif 0.0 < -half < size - least:
            for sign in (-1.0, 1.0):
                along = -half + sign * root
                n = insert(meetings, n, arc[j] + least + along, WALL, ref, j, a_u + along * e_u, a_v + along * e_v)
    return n


@compiled
def corner_outside(k: Numbers, frame: Frame, u: float, v: float) -> bool:
    """Say whether a local point lies off the page."""
    x, y = to_page(frame, u, v)
    return x < 0.0 or y < 0.0 or x > k.page_width or y > k.page_height


@compiled
def exit_share(k: Numbers, a_x: float, a_y: float, b_x: float, b_y: float) -> float:
    """Return the share of the way from a (on the page) to b (off it) at which the page ends."""
    share = 1.0
    if b_x < 0.0:
        share = min(share, a_x / (a_x - b_x))
    if b_x > k.page_width:
        share = min(share, (k.page_width - a_x) / (b_x - a_x))
    if b_y < 0.0:
        share = min(share, a_y / (a_y - b_y))
    if b_y > k.page_height:
        share = min(share, (k.page_height - a_y) / (b_y - a_y))
    return max(0.0, share)


@compiled
def meet_edge(k: Numbers, ink: Ink, arc: NDArray[np.float64], frame: Frame, start: Start, meetings: Meetings) -> int:
    """Put the point where the ink leaves the page first, if it does; return the count of meetings."""
    n = np.int64(0)
    length = ink.step * ink.segments
    low, high = min(0.0, ink.crest), max(0.0, ink.crest)
    if not (
        corner_outside(k, frame, start.u, low)
        or corner_outside(k, frame, start.u, high)
        or corner_outside(k, frame, length, low)
        or corner_outside(k, frame, length, high)
    ):
        return n
    u, v, d = start.u, start.v, start.d
    x, y = to_page(frame, u, v)
    for j in range(start.segment, ink.segments):
        next_u, next_v = (j + 1) * ink.step, vertex_v(ink, j + 1)
        next_x, next_y = to_page(frame, next_u, next_v)
        if next_x < 0.0 or next_y < 0.0 or next_x > k.page_width or next_y > k.page_height:
            share = exit_share(k, x, y, next_x, next_y)
            return insert(
                meetings,
                n,
                d + share * (arc[j + 1] - d),
                EDGE,
                np.int64(-1),
                j,
                u + share * (next_u - u),
                v + share * (next_v - v),
            )
        u, v, d, x, y = next_u, next_v, arc[j + 1], next_x, next_y
    return n


@compiled
def meet_all(
    k: Numbers, bases: Bases, men: Men, man: int, ink: Ink, frame: Frame, start: Start, work: Workspace
) -> int:
    """Fill ``work.meetings`` with what the ink from ``start`` on meets, in order; return how many (R6.2)."""
    meetings = work.meetings
    side = men[man].side
    friends = k.friendly_cost != 0.0 or k.friendly_fire != 0.0
    n = meet_edge(k, ink, work.arc, frame, start, meetings)
    for b in range(bases.shape[0]):
        dx, dy = bases[b].x - frame.x, bases[b].y - frame.y
        u, v = dx * frame.c + dy * frame.s, dy * frame.c - dx * frame.s
        n = meet_wall(ink, work.arc, start, u, v, k.base_radius, b, meetings, n)
    for m in range(men.shape[0]):
        if men[m].alive and not work.spent[m] and m != man and (friends or men[m].side != side):
            dx, dy = men[m].x - frame.x, men[m].y - frame.y
            u, v = dx * frame.c + dy * frame.s, dy * frame.c - dx * frame.s
            n = meet_man(ink, work.arc, start, u, v, k.hit_reach, m, meetings, n)
    return n


@compiled
def note(events: Events, n: int, here: Any, d: float, x: float, y: float, free: int, cost: float, jolt: float) -> int:
    """Write the event of meeting ``here``; return the new count."""
    if n >= events.shape[0]:
        return n
    event = events[n]
    event.kind = here.kind
    event.ref = here.ref
    event.d = d
    event.x = x
    event.y = y
    event.free = free
    event.cost = cost
    event.jolt = jolt
    return n + 1


@compiled
def hit_man(k: Numbers, men: Men, man: int, m: int, work: Workspace) -> int:
    """Cross out man ``m`` on this line (R6.5, R8.2) and return 1 if that is a kill."""
    work.spent[m] = 1
    enemy = men[m].side != men[man].side
    if (enemy or k.friendly_fire != 0.0) and men[m].inside >= 0 and men[m].status != ROAD:
        work.garrison[men[m].inside] -= 1
    return 1 if enemy else 0


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
def begin(k: Numbers, bases: Bases, men: Men, garrison: NDArray[np.int64], man: int, work: Workspace) -> None:
    """Set the workspace for a new line: who holds the walls, and which walls are at the flicker's back."""
    for m in range(men.shape[0]):
        work.spent[m] = 0
    square = k.base_radius * k.base_radius
    for b in range(bases.shape[0]):
        work.garrison[b] = garrison[b]
        dx, dy = men[man].x - bases[b].x, men[man].y - bases[b].y
        work.backed[b] = 1 if dx * dx + dy * dy <= square else 0
    if men[man].inside >= 0 and men[man].status != ROAD:
        work.garrison[men[man].inside] -= 1


@compiled
def walk_snipe(
    k: Numbers,
    bases: Bases,
    men: Men,
    garrison: NDArray[np.int64],
    man: int,
    angle: float,
    length: float,
    bend: float,
    work: Workspace,
) -> Ending:
    """Walk a snipe (R7): the ink shortens at each wall and man. Events are left in ``work.events``."""
    begin(k, bases, men, garrison, man, work)
    ink = lay_ink(int(k.ink_segments), length, bend, work.arc)
    frame = Frame(men[man].x, men[man].y, cos(angle), sin(angle))
    n = meet_all(k, bases, men, man, ink, frame, Start(0.0, 0, 0.0, 0.0, -1), work)
    blind = k.blind_travel * k.dot_radius
    limit = work.arc[ink.segments]
    events, kills, off_page = 0, 0, False
    i = 0
    while i < n and work.meetings[i].d <= limit:
        here = work.meetings[i]
        x, y = to_page(frame, here.u, here.v)
        i += 1
        free, cost = 0, 0.0
        if here.kind == EDGE:
            limit, off_page = here.d, True
        elif here.kind == WALL:
            free = work.backed[here.ref]
            work.backed[here.ref] = 0
            if not free:
                cost = snipe_loss(k, work.garrison[here.ref])
        elif here.d >= blind:
            cost = k.snipe_man_loss
            kills += hit_man(k, men, man, here.ref, work)
        else:
            continue
        events = note(work.events, events, here, here.d, x, y, free, cost, 0.0)
        if off_page:
            break
        limit = here.d + (limit - here.d) * (1.0 - cost)
    u, v = point_at(ink, work.arc, segment_at(ink, work.arc, limit), limit)
    end_x, end_y = to_page(frame, u, v)
    if not off_page and limit >= blind:
        # The ink has run out short of these men's nearest points, but its end may be within reach of them. Their
        # events are at one distance, so they come in order of id.
        reach = k.hit_reach * k.hit_reach
        last, none = -1, np.int64(0)
        for _ in range(i, n):
            nearest = -1
            for j in range(i, n):
                m = work.meetings[j].ref
                if work.meetings[j].kind == MAN_HIT and m > last and (nearest < 0 or m < work.meetings[nearest].ref):
                    if (men[m].x - end_x) ** 2 + (men[m].y - end_y) ** 2 <= reach:
                        nearest = j
            if nearest < 0:
                break
            here = work.meetings[nearest]
            last = here.ref
            kills += hit_man(k, men, man, last, work)
            events = note(work.events, events, here, limit, end_x, end_y, none, k.snipe_man_loss, 0.0)
    return Ending(events, kills, 0, end_x, end_y, limit, off_page, False, -1)


@compiled
def walk_lunge(
    k: Numbers,
    bases: Bases,
    men: Men,
    garrison: NDArray[np.int64],
    man: int,
    angle: float,
    length: float,
    bend: float,
    normals: NDArray[np.float64],
    work: Workspace,
) -> Ending:
    """Walk a lunge (R8): each wall and man turns the rest of the path. Events are left in ``work.events``.

    ``normals`` gives the jolts their standard normal deviates, in order and then on from the start.
    """
    begin(k, bases, men, garrison, man, work)
    ink = lay_ink(int(k.ink_segments), length, bend, work.arc)
    frame = Frame(men[man].x, men[man].y, cos(angle), sin(angle))
    start = Start(0.0, 0, 0.0, 0.0, -1)
    blind = k.blind_travel * k.dot_radius
    travel = work.arc[ink.segments]
    events, kills, jolts, off_page = 0, 0, 0, False
    n, i = meet_all(k, bases, men, man, ink, frame, start, work), 0
    while i < n:
        here = work.meetings[i]
        i += 1
        x, y = to_page(frame, here.u, here.v)
        free, cost, jolt = 0, 0.0, 0.0
        if here.kind == EDGE:
            travel, off_page = here.d, True
        elif here.kind == WALL:
            free = work.backed[here.ref]
            work.backed[here.ref] = 0
            if not free:
                cost = lunge_shake(k, work.garrison[here.ref])
        elif here.d >= blind:
            cost = k.lunge_man_shake
            kills += hit_man(k, men, man, here.ref, work)
        else:
            continue
        turns = not free and not off_page
        if turns:
            jolt = cost * normals[jolts % normals.shape[0]]
            jolts += 1
        before = events
        events = note(work.events, events, here, here.d, x, y, free, cost, jolt)
        if off_page or events == before:
            break
        if not turns:
            continue
        frame = turned(frame, x, y, jolt)
        # A man met at the very point where a wall turned the line leaves the ink standing on that wall.
        wall = here.ref if here.kind == WALL else (start.wall if here.d == start.d else -1)
        start = Start(here.d, here.segment, here.u, here.v, wall)
        n, i = meet_all(k, bases, men, man, ink, frame, start, work), 0
    u, v = point_at(ink, work.arc, segment_at(ink, work.arc, travel), travel)
    end_x, end_y = to_page(frame, u, v)
    base = -1 if off_page else shot_in(k, bases, men[man].side, end_x, end_y, work.garrison)
    return Ending(events, kills, jolts, end_x, end_y, travel, off_page, off_page or base >= 0, base)


@entry_point
def walk(
    k: Numbers,
    bases: Bases,
    men: Men,
    garrison: NDArray[np.int64],
    man: int,
    kind: int,
    angle: float,
    length: float,
    bend: float,
    normals: NDArray[np.float64],
    work: Workspace,
) -> Ending:
    """Walk a flick of either kind."""
    if kind == LUNGE:
        return walk_lunge(k, bases, men, garrison, man, angle, length, bend, normals, work)
    return walk_snipe(k, bases, men, garrison, man, angle, length, bend, work)
