"""What one man sees of the other side: the nearest men he can aim at, and who else stands on the line to each.

Dawood-bot weighs many positions that differ from the one before him by a man or two. Where a shooter has not moved,
his view of that one still serves: those who are gone are passed over, those who stand elsewhere are looked at anew.
The result is that of looking afresh to the last digit, since worth is added up in the same order.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.page import Men, copy_men
from engine.dotfight.players.mind import AHEAD, AIMS, GRAIN, GRAINS, ON_LINE, Mind, hit_chance
from engine.dotfight.rules import Numbers
from engine.jit import compiled, inlined

LINE_WIDTH = 1.1  # in hit_reach: how near a straight line a man counts as on it
LINE_START = 14.0  # page units


@compiled
def keep_nearest(most: int, ids: NDArray[np.int64], far: NDArray[np.float64], n: int, who: int, distance: float) -> int:
    """Insert ``who`` into the list of the ``most`` nearest, first come first; return its length."""
    if n == most and distance >= far[n - 1]:
        return n
    i = n if n < most else most - 1
    while i > 0 and far[i - 1] > distance:
        ids[i], far[i] = ids[i - 1], far[i - 1]
        i -= 1
    ids[i], far[i] = who, distance
    return min(most, n + 1)


@inlined
def is_on_line(k: Numbers, dx: float, dy: float, ex: float, ey: float) -> bool:
    """Say whether a man at (dx, dy) from the shooter is on the straight line in direction (ex, ey)."""
    return abs(dx * ey - dy * ex) <= LINE_WIDTH * k.hit_reach and LINE_START <= dx * ex + dy * ey <= k.reach_max


@inlined
def chance_at(k: Numbers, distance: float, stand: int, tremor: float, mind: Mind) -> float:
    """Return the chance to hit a man at that distance."""
    grains = int(distance / GRAIN + 0.5)
    if tremor == 1.0 and grains < GRAINS:
        return mind.chance[stand, grains]
    steadiness = tremor * (k.last_stand_steadiness if stand else 1.0)
    return hit_chance(k, mind.hand, mind.eye, grains * GRAIN, steadiness)


@inlined
def worth_on_line(k: Numbers, n: int, x: float, y: float, ex: float, ey: float, mind: Mind) -> float:
    """Return the worth of the targets on the line from (x, y) in direction (ex, ey)."""
    total = 0.0
    for i in range(n):
        if is_on_line(k, mind.target_x[i] - x, mind.target_y[i] - y, ex, ey):
            total += mind.target_worth[i]
    return total


@compiled
def best_from(k: Numbers, n: int, x: float, y: float, stand: int, tremor: float, mind: Mind) -> float:
    """Return the best line of one shooter at (x, y) at the ``n`` targets listed.

    ``tremor`` above 1 is a lunger's shakiness, a factor on his spread beside the last stand's.
    """
    aims = 0
    for i in range(n):
        dx, dy = mind.target_x[i] - x, mind.target_y[i] - y
        aims = keep_nearest(AIMS, mind.aim, mind.aim_far, aims, i, dx * dx + dy * dy)
    best = 0.0
    for a in range(aims):
        distance = sqrt(mind.aim_far[a])
        if distance > 0.0:
            i = mind.aim[a]
            ex, ey = (mind.target_x[i] - x) / distance, (mind.target_y[i] - y) / distance
            chance = chance_at(k, distance, stand, tremor, mind)
            best = max(best, chance * worth_on_line(k, n, x, y, ex, ey, mind))
    return best


@compiled
def move(mind: Mind, man: int) -> None:
    """Note that a man is imagined to stand elsewhere."""
    i = mind.moves
    while i > 0 and mind.mover[i - 1] > man:
        mind.mover[i] = mind.mover[i - 1]
        i -= 1
    mind.mover[i] = man
    mind.elsewhere[man] = 1
    mind.moves += 1


@compiled
def move_back(mind: Mind) -> None:
    """Note that everybody stands where he was seen."""
    for i in range(mind.moves):
        mind.elsewhere[mind.mover[i]] = 0
    mind.moves = 0


@compiled
def look_at(men: Men, mind: Mind) -> None:
    """Take ``men`` as those whose views are remembered from now on; nobody stands elsewhere."""
    copy_men(men, mind.seen)
    mind.look += 1
    mind.taken = 0
    move_back(mind)


@compiled
def take_view(k: Numbers, count: int, man: int, stand: int, mind: Mind) -> None:
    """Look at the page from where ``man`` was seen; it has ``count`` men."""
    mind.viewed[man] = mind.look
    mind.place[man] = mind.taken
    mind.taken += 1
    view, men = mind.views[mind.place[man]], mind.seen
    view.whole = 1
    x, y, side = men[man].x, men[man].y, men[man].side
    aims = 0
    for m in range(count):
        if men[m].alive and men[m].side != side:
            dx, dy = men[m].x - x, men[m].y - y
            aims = keep_nearest(AHEAD, view.aim, view.far, aims, m, dx * dx + dy * dy)
    view.aims = aims
    for a in range(aims):
        distance = sqrt(view.far[a])
        m = view.aim[a]
        view.chance[a] = chance_at(k, distance, stand, 1.0, mind) if distance > 0.0 else 0.0
        view.ex[a] = (men[m].x - x) / distance if distance > 0.0 else 1.0
        view.ey[a] = (men[m].y - y) / distance if distance > 0.0 else 0.0
        view.held[a] = 0
    for m in range(count):
        if men[m].alive and men[m].side != side:
            dx, dy = men[m].x - x, men[m].y - y
            for a in range(aims):
                if is_on_line(k, dx, dy, view.ex[a], view.ey[a]):
                    if view.held[a] < ON_LINE:
                        view.line[a, view.held[a]] = m
                        view.held[a] += 1
                    else:
                        view.whole = 0


@inlined
def list_new(men: Men, man: int, mind: Mind) -> int:
    """List the targets that stand elsewhere, as ``man`` sees them, and the nearest of these; return how many."""
    n = near = 0
    for i in range(mind.moves):
        m = mind.mover[i]
        if men[m].alive and men[m].side != men[man].side:
            dx, dy = men[m].x - men[man].x, men[m].y - men[man].y
            mind.new[n] = m
            mind.new_dx[n] = dx
            mind.new_dy[n] = dy
            near = keep_nearest(AIMS, mind.nearest, mind.nearest_far, near, n, dx * dx + dy * dy)
            n += 1
    return n


@inlined
def worth_in_view(k: Numbers, men: Men, view: Any, a: int, new: int, mind: Mind) -> float:
    """Return the worth on the line to aim ``a``, with ``new`` targets that stand elsewhere, in order of their ids."""
    total, p = 0.0, 0
    for q in range(view.held[a]):
        m = view.line[a, q]
        while p < new and mind.new[p] < m:
            if is_on_line(k, mind.new_dx[p], mind.new_dy[p], view.ex[a], view.ey[a]):
                total += mind.worth[mind.new[p]]
            p += 1
        if men[m].alive and not mind.elsewhere[m]:
            total += mind.worth[m]
    while p < new:
        if is_on_line(k, mind.new_dx[p], mind.new_dy[p], view.ex[a], view.ey[a]):
            total += mind.worth[mind.new[p]]
        p += 1
    return total


@compiled
def best_in_view(k: Numbers, men: Men, n: int, man: int, stand: int, mind: Mind) -> float:
    """Return the best line of a man who stands where he was seen, at the ``n`` targets listed."""
    x, y = men[man].x, men[man].y
    if mind.viewed[man] != mind.look:
        if mind.taken == mind.views.shape[0]:
            return best_from(k, n, x, y, stand, 1.0, mind)
        take_view(k, men.shape[0], man, stand, mind)
    view = mind.views[mind.place[man]]
    new = list_new(men, man, mind) if mind.moves else 0
    best, a, i = 0.0, 0, 0
    for _ in range(min(n, AIMS)):
        while a < view.aims and (not men[view.aim[a]].alive or mind.elsewhere[view.aim[a]]):
            a += 1
        if view.whole == 0 or (a == view.aims and view.aims == AHEAD):  # there may be more than it has room for
            return best_from(k, n, x, y, stand, 1.0, mind)
        if i < min(new, AIMS) and (a == view.aims or mind.nearest_far[i] < view.far[a]):
            p = mind.nearest[i]
            distance = sqrt(mind.nearest_far[i])
            i += 1
            if distance > 0.0:
                ex, ey = mind.new_dx[p] / distance, mind.new_dy[p] / distance
                chance = chance_at(k, distance, stand, 1.0, mind)
                best = max(best, chance * worth_on_line(k, n, x, y, ex, ey, mind))
        else:
            best = max(best, view.chance[a] * worth_in_view(k, men, view, a, new, mind))
            a += 1
    return best
