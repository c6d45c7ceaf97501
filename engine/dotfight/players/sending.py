"""How Dawood-bot weighs a send: half for the convoy on the road, half for the convoy arrived."""

from __future__ import annotations

from math import cos, hypot, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.page import HOME, MAN, ROAD, Bases, Men, copy_men
from engine.dotfight.players.moment import Moment
from engine.dotfight.players.sight import Sight, best_line, outlook, value_men
from engine.dotfight.rules import Numbers, Rules
from engine.jit import compiled, entry_point

ARRIVED_RADIUS = 0.5  # of the base's: where arrived men are imagined
ARRIVED_STEP = 2.4  # rad from one to the next
RING_BONUS = 0.4  # a man, for manning an empty ring
BARE_MALUS = 0.6  # for leaving nobody in the source's garrison


class SendPlan(NamedTuple):
    """A send as weighed: bases, how many men, and the gain in outlook."""

    source: int
    target: int
    count: int
    gain: float


class SendRoom(NamedTuple):
    """Arrays that sends are imagined in."""

    men: Men
    worth: NDArray[np.float64]
    garrison: NDArray[np.int64]
    going: NDArray[np.int64]
    far: NDArray[np.float64]


def send_room(rules: Rules) -> SendRoom:
    """Return the arrays to imagine sends in, for games by ``rules``."""
    return SendRoom(
        men=np.zeros(rules.men, MAN),
        worth=np.zeros(rules.men),
        garrison=np.zeros(rules.bases, np.int64),
        going=np.zeros(max(1, rules.send_max), np.int64),
        far=np.zeros(max(1, rules.send_max)),
    )


@entry_point
def list_going(
    k: Numbers, bases: Bases, men: Men, side: int, source: int, target: int, owed: int, room: SendRoom
) -> int:
    """List in ``room.going`` who would go, nearest the target first, ties by id; return how many (R9.1)."""
    reach = k.base_radius + k.position_reach + k.send_slack
    n = 0
    most = int(k.send_max)
    for m in range(men.shape[0]):
        if men[m].alive and men[m].side == side and men[m].status == HOME and m != owed:
            here = (men[m].x - bases[source].x) ** 2 + (men[m].y - bases[source].y) ** 2
            if here <= reach * reach:
                there = (men[m].x - bases[target].x) ** 2 + (men[m].y - bases[target].y) ** 2
                i = n if n < most else most - 1
                if n == most and there >= room.far[i]:
                    continue
                while i > 0 and room.far[i - 1] > there:
                    room.going[i], room.far[i] = room.going[i - 1], room.far[i - 1]
                    i -= 1
                room.going[i], room.far[i] = m, there
                n = min(most, n + 1)
    return n


@compiled
def imagined_outlook(k: Numbers, bases: Bases, moment: Moment, see: Sight, room: SendRoom) -> float:
    """Return the outlook of the position in ``room.men``, the pen passing."""
    value_men(k, bases, room.men, room.garrison, room.worth)
    mine = best_line(k, room.men, room.worth, moment.side, moment.stand_mine, see)
    theirs = best_line(k, room.men, room.worth, 1 - moment.side, moment.stand_theirs, see)
    return outlook(mine, theirs, moment.stand_theirs, False)


@entry_point
def send_gain(
    k: Numbers,
    bases: Bases,
    men: Men,
    garrison: NDArray[np.int64],
    moment: Moment,
    source: int,
    target: int,
    count: int,
    now: float,
    see: Sight,
    room: SendRoom,
) -> float:
    """Return what sending the first ``count`` of ``room.going`` gains over ``now``, the outlook without it.

    ``garrison`` (bases,) counts the men inside each base before anyone leaves.
    """
    ax, ay, bx, by = bases[source].x, bases[source].y, bases[target].x, bases[target].y
    distance = hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / distance, (by - ay) / distance
    gate = k.base_radius + k.road_gap
    middle = gate + (distance - 2.0 * gate) / (k.road_turns + 1.0)
    spacing = k.road_spacing * k.dot_radius
    left = garrison[source]
    copy_men(men, room.men)
    for i in range(count):
        m = room.going[i]
        along = middle + ((count - 1) / 2.0 - i) * spacing
        if men[m].inside == source:
            left -= 1
        walker = room.men[m]
        walker.x, walker.y = ax + ux * along, ay + uy * along
        walker.status, walker.inside = ROAD, -1
    on_road = imagined_outlook(k, bases, moment, see, room)
    for i in range(count):
        walker = room.men[room.going[i]]
        reach = ARRIVED_RADIUS * k.base_radius
        walker.x, walker.y = bx + reach * cos(ARRIVED_STEP * i), by + reach * sin(ARRIVED_STEP * i)
        walker.status, walker.inside = HOME, target
    arrived = imagined_outlook(k, bases, moment, see, room)
    gain = 0.5 * on_road + 0.5 * arrived - now
    if garrison[target] == 0:
        gain += RING_BONUS * count
    if left == 0:
        gain -= BARE_MALUS
    return gain


@entry_point
def worth_a_look(bases: Bases, garrison: NDArray[np.int64], side: int, source: int, target: int) -> bool:
    """Say whether a send from ``source`` considers ``target``: the nearest, the thinnest, or an empty ring."""
    if garrison[target] == 0:
        return True
    nearest, thinnest, best_far = -1, -1, 0.0
    for b in range(bases.shape[0]):
        if bases[b].side == side and b != source:
            far = (bases[b].x - bases[source].x) ** 2 + (bases[b].y - bases[source].y) ** 2
            if nearest < 0 or far < best_far:
                nearest, best_far = b, far
            if thinnest < 0 or garrison[b] < garrison[thinnest]:
                thinnest = b
    return target in (nearest, thinnest)


@entry_point
def best_send(
    k: Numbers,
    bases: Bases,
    men: Men,
    garrison: NDArray[np.int64],
    moment: Moment,
    now: float,
    see: Sight,
    room: SendRoom,
) -> SendPlan:
    """Return the send with the highest gain, the first found where equal; its count is 0 if there is none."""
    best = SendPlan(-1, -1, 0, 0.0)
    side = moment.side
    for source in range(bases.shape[0]):
        for target in range(bases.shape[0]):
            if bases[source].side != side or bases[target].side != side or source == target:
                continue
            if not worth_a_look(bases, garrison, side, source, target):
                continue
            most = list_going(k, bases, men, side, source, target, moment.chain_man, room)
            previous = 0
            for step in range(3):
                count = 1 if step == 0 else ((most + 1) // 2 if step == 1 else most)
                if count <= previous or count > most:
                    continue
                previous = count
                gain = send_gain(k, bases, men, garrison, moment, source, target, count, now, see, room)
                if best.count == 0 or gain > best.gain:
                    best = SendPlan(source, target, count, gain)
    return best
