"""Where a flick's ink, as it lies now, meets walls, men and the page's edge (R6), compiled.

Everything happens in the ink's own frame (``ink.py``), in which a jolt turns the frame and leaves the ink alone.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, nan, sin, sqrt
from threading import get_ident
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.ink import Ink, vertex_v
from engine.dotfight.outcome import EDGE, EVENT, MAN_HIT, WALL
from engine.dotfight.page import Bases, Men, count_garrisons
from engine.dotfight.rules import MOST_BASES, MOST_MEN, Numbers
from engine.jit import compiled, inlined

MOST_SEGMENTS = 256
NO_REF, NONE_YET = cast(int, np.int64(-1)), cast(int, np.int64(0))  # typed, as the kinds of event are
GOES_ON, TURNS = cast(bool, np.bool_(False)), cast(bool, np.bool_(True))
"""What a line does at what it meets; typed, so that one function serves both."""
PASSED = cast(int, np.int64(3))
"""Kind of a meeting that the line has come to already."""
# A line meets each man once; a lunge may be turned through walls again and again, each time a little shorter.
MOST_EVENTS = MOST_MEN + 16 * MOST_BASES + 64

MEETING = np.dtype(
    [
        ("d", "f8"),
        ("kind", "i8"),
        ("ref", "i8"),
        ("slot", "i8"),  # a man's place in the list of those the line can meet
        ("segment", "i8"),
        ("u", "f8"),
        ("v", "f8"),
    ]
)
WORK = np.dtype(
    [
        ("held", "i8", (MOST_BASES,)),  # each base's garrison before the flick (R6.5)
        ("foes", "i8"),  # how many men the line can meet
        ("foe", "i8", (MOST_MEN,)),  # their ids
        ("foe_x", "f8", (MOST_MEN,)),
        ("foe_y", "f8", (MOST_MEN,)),
        ("foe_v", "f8", (MOST_MEN,)),  # how far to the side of the ink's chord they stand
        ("spent", "i8", (MOST_MEN,)),  # 1 once this line has met the man in that slot
        ("garrison", "i8", (MOST_BASES,)),  # who still holds the walls, as the line goes on
        ("backed", "i8", (MOST_BASES,)),  # 1 while the wall at the flicker's back is uncrossed
        ("arc", "f8", (MOST_SEGMENTS + 1,)),
        ("meetings", MEETING, (MOST_EVENTS,)),
        ("events", EVENT, (MOST_EVENTS,)),
    ]
)

Meetings = Any
"""``(n,)`` array of :data:`MEETING`."""
Work = Any
"""One record of :data:`WORK`: what a walk works in. Entry points take it as a ``(1,)`` array."""


def workspace() -> NDArray[np.void]:
    """Return this thread's ``(1,)`` array of :data:`WORK`; nothing in it is needed from one flick to the next."""
    return _workspace(get_ident())


@lru_cache(maxsize=8)
def _workspace(thread: int) -> NDArray[np.void]:
    return np.empty(1, WORK)


class Frame(NamedTuple):
    """Where the ink's own frame lies on the page: origin, cosine and sine of its direction."""

    x: float
    y: float
    c: float
    s: float


class Meeting(NamedTuple):
    """What the ink meets and where: one record of :data:`MEETING`."""

    d: float
    kind: int
    ref: int
    slot: int
    segment: int
    u: float
    v: float


class Start(NamedTuple):
    """Where the ink still to be walked begins: distance, segment, local point, and the wall it stands on or -1."""

    d: float
    segment: int
    u: float
    v: float
    wall: int


@inlined
def to_page(frame: Frame, u: float, v: float) -> tuple[float, float]:
    """Return the page point of a local point."""
    return frame.x + u * frame.c - v * frame.s, frame.y + u * frame.s + v * frame.c


@compiled
def turned(frame: Frame, x: float, y: float, jolt: float) -> Frame:
    """Return the frame turned by ``jolt`` rad about the page point (x, y)."""
    c, s = cos(jolt), sin(jolt)
    dx, dy = frame.x - x, frame.y - y
    return Frame(x + c * dx - s * dy, y + s * dx + c * dy, frame.c * c - frame.s * s, frame.s * c + frame.c * s)


@inlined
def add(work: Work, n: int, d: float, kind: int, ref: int, slot: int, segment: int, u: float, v: float) -> int:
    """Add a meeting to those found, which are in no order; return the new count."""
    if n >= work.meetings.shape[0]:
        return n
    here = work.meetings[n]
    here.d = d
    here.kind = kind
    here.ref = ref
    here.slot = slot
    here.segment = segment
    here.u = u
    here.v = v
    return n + 1


@inlined
def earliest(work: Work, n: int, limit: float) -> int:
    """Return the first of the ``n`` meetings by distance, then kind, then id (R6.2), or -1 if all lie beyond."""
    found, d, kind, ref = -1, limit, NO_REF, NO_REF
    for i in range(n):
        here = work.meetings[i]
        if here.d < d or (here.d == d and (found < 0 or here.kind < kind or (here.kind == kind and here.ref < ref))):
            found, d, kind, ref = i, here.d, here.kind, here.ref
    return found


@inlined
def take(work: Work, i: int) -> Meeting:
    """Return a meeting and mark it as passed."""
    here = work.meetings[i]
    taken = Meeting(here.d, here.kind, here.ref, here.slot, here.segment, here.u, here.v)
    here.d = nan  # neither before nor at any limit
    here.kind = PASSED
    return taken


@inlined
def meet_man(ink: Ink, start: Start, u: float, v: float, reach: float, ref: int, slot: int, work: Work, n: int) -> int:
    """Add the ink's nearest point to a man at local (u, v), if within ``reach`` of him."""
    arc = work.arc
    first = max(start.segment, int((u - reach) * ink.per_step))
    last = min(ink.segments - 1, int((u + reach) * ink.per_step))
    best = reach * reach
    found, best_d, best_u, best_v = -1, 0.0, 0.0, 0.0
    for j in range(first, last + 1):
        size = arc[j + 1] - arc[j]
        a_u, a_v = j * ink.step, vertex_v(ink, j)
        share = 1.0 / size
        e_u, e_v = ink.step * share, (vertex_v(ink, j + 1) - a_v) * share
        least = start.d - arc[j] if j == start.segment else 0.0
        along = min(size, max(least, (u - a_u) * e_u + (v - a_v) * e_v))
        p_u, p_v = a_u + along * e_u, a_v + along * e_v
        gap = (u - p_u) * (u - p_u) + (v - p_v) * (v - p_v)
        if gap < best or (gap == best and found < 0):
            found, best, best_d, best_u, best_v = j, gap, arc[j] + along, p_u, p_v
    if found < 0:
        return n
    return add(work, n, best_d, MAN_HIT, ref, slot, found, best_u, best_v)


@inlined
def meet_wall(ink: Ink, start: Start, u: float, v: float, radius: float, ref: int, work: Work, n: int) -> int:
    """Add every crossing of the circle about local (u, v) by the ink from ``start`` on."""
    arc = work.arc
    first = max(start.segment, int((u - radius) * ink.per_step))
    last = min(ink.segments - 1, int((u + radius) * ink.per_step))
    square = radius * radius
    for j in range(first, last + 1):
        size = arc[j + 1] - arc[j]
        a_u, a_v = j * ink.step, vertex_v(ink, j)
        b_v = vertex_v(ink, j + 1)
        share = 1.0 / size
        e_u, e_v = ink.step * share, (b_v - a_v) * share
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
                n = add(work, n, arc[j] + least + along, WALL, ref, ref, j, a_u + along * e_u, a_v + along * e_v)
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
            n = add(work, n, arc[j] + least + along, WALL, ref, ref, j, a_u + along * e_u, a_v + along * e_v)
        elif 0.0 < -half < size - least:
            for sign in (-1.0, 1.0):
                along = -half + sign * root
                n = add(work, n, arc[j] + least + along, WALL, ref, ref, j, a_u + along * e_u, a_v + along * e_v)
    return n


@inlined
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
def meet_edge(k: Numbers, ink: Ink, frame: Frame, start: Start, work: Work) -> int:
    """Put the point where the ink leaves the page first, if it does; return the count of meetings."""
    n = NONE_YET
    length = ink.step * ink.segments
    low, high = min(0.0, ink.crest), max(0.0, ink.crest)
    if not (
        corner_outside(k, frame, start.u, low)
        or corner_outside(k, frame, start.u, high)
        or corner_outside(k, frame, length, low)
        or corner_outside(k, frame, length, high)
    ):
        return n
    arc = work.arc
    u, v, d = start.u, start.v, start.d
    x, y = to_page(frame, u, v)
    for j in range(start.segment, ink.segments):
        next_u, next_v = (j + 1) * ink.step, vertex_v(ink, j + 1)
        next_x, next_y = to_page(frame, next_u, next_v)
        if next_x < 0.0 or next_y < 0.0 or next_x > k.page_width or next_y > k.page_height:
            share = exit_share(k, x, y, next_x, next_y)
            at = d + share * (arc[j + 1] - d)
            return add(work, n, at, EDGE, NO_REF, NO_REF, j, u + share * (next_u - u), v + share * (next_v - v))
        u, v, d, x, y = next_u, next_v, arc[j + 1], next_x, next_y
    return n


@compiled
def survey(k: Numbers, bases: Bases, men: Men, side: int, work: Work) -> None:
    """Note who holds the walls, and list the men whom lines of ``side`` can meet, before any of them is drawn."""
    count_garrisons(bases, men, work.held)
    friends = k.friendly_cost != 0.0 or k.friendly_fire != 0.0
    n = 0
    for m in range(men.shape[0]):
        if men[m].alive and (friends or men[m].side != side):
            work.foe[n] = m
            work.foe_x[n] = men[m].x
            work.foe_y[n] = men[m].y
            n += 1
    work.foes = n


@compiled
def meet_all(
    k: Numbers, bases: Bases, man: int, turning: bool, ink: Ink, frame: Frame, start: Start, work: Work
) -> int:
    """Fill ``work.meetings`` with what the ink from ``start`` on meets, in no order; return how many.

    Where the first meeting that is not free is ``turning`` the line, what lies beyond it may be left out.
    """
    n = meet_edge(k, ink, frame, start, work)
    length = ink.step * ink.segments
    low, high = min(0.0, ink.crest), max(0.0, ink.crest)
    far = length  # a place at local u is at least that far along the ink
    radius = k.base_radius
    for b in range(bases.shape[0]):
        dx, dy = bases[b].x - frame.x, bases[b].y - frame.y
        v = dy * frame.c - dx * frame.s
        if low - radius <= v <= high + radius:
            u = dx * frame.c + dy * frame.s
            if start.u - radius <= u <= far + radius:
                known = n
                n = meet_wall(ink, start, u, v, radius, b, work, n)
                if turning and n > known and not work.backed[b]:
                    far = min(far, work.meetings[known].d)
    reach = k.hit_reach
    blind = k.blind_travel * k.dot_radius
    # How far to the side of the bow a man within reach of its pieces can be: it is nowhere steeper than at its ends.
    aside = reach * (1.0 + 4.0 * abs(ink.crest) / length) + 0.25 * abs(ink.bow)
    for i in range(work.foes):  # apart from what follows, so that the processor takes several at once
        work.foe_v[i] = (work.foe_y[i] - frame.y) * frame.c - (work.foe_x[i] - frame.x) * frame.s
    for i in range(work.foes):
        v = work.foe_v[i]
        if low - reach <= v <= high + reach:
            u = (work.foe_x[i] - frame.x) * frame.c + (work.foe_y[i] - frame.y) * frame.s
            if start.u - reach <= u <= far + reach and not work.spent[i] and work.foe[i] != man:
                t = min(float(ink.segments), max(0.0, u * ink.per_step))
                if abs(v - ink.bow * t * (ink.segments - t)) <= aside:
                    known = n
                    n = meet_man(ink, start, u, v, reach, work.foe[i], i, work, n)
                    if turning and n > known and work.meetings[known].d >= blind:
                        far = min(far, work.meetings[known].d)
    return n
