"""How Dawood-bot weighs a send: half for the convoy on the road, half for the convoy arrived."""

from __future__ import annotations

from math import cos, inf, sin
from typing import NamedTuple

from engine.dotfight.convoy import list_going, station
from engine.dotfight.page import HOME, NOWHERE, ROAD, Bases, Men, Pen, copy_men
from engine.dotfight.players.mind import Mind
from engine.dotfight.players.sight import best_line, outlook, outlook_of, value_men
from engine.dotfight.players.view import look_at, move, move_back
from engine.dotfight.rules import Numbers
from engine.jit import compiled, entry_point

SEND_THRESHOLD = 0.2
ARRIVED_RADIUS = 0.5  # of the base's: where arrived men are imagined
ARRIVED_STEP = 2.4  # rad from one to the next
RING_BONUS = 0.4  # a man, for manning an empty ring
BARE_MALUS = 0.6  # for leaving nobody in the source's garrison


class SendPlan(NamedTuple):
    """A send as weighed: bases, how many men (0 for no send), and the gain in outlook."""

    source: int
    target: int
    men: int
    gain: float


@compiled
def send_gain(
    k: Numbers,
    bases: Bases,
    men: Men,
    pen: Pen,
    source: int,
    target: int,
    count: int,
    now: float,
    least: float,
    mind: Mind,
) -> float:
    """Return what sending the first ``count`` of ``mind.ranked`` gains over ``now``, the outlook without it.

    Where that is below ``least``, some gain below it will do.
    """
    after = mind.after[: men.shape[0]]
    copy_men(men, after)
    stay = to_ring = 0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].status == HOME:
            stay += 1 if men[m].inside == source else 0
            to_ring += 1 if men[m].inside == target else 0
    for i in range(count):
        m = mind.ranked[i]
        stay -= 1 if men[m].inside == source else 0
        walker = after[m]
        x, y = station(k, bases, source, target, count, int(k.road_turns), i)
        walker.x = x
        walker.y = y
        walker.status = ROAD
        walker.inside = NOWHERE
        move(mind, m)
    bonus = (RING_BONUS * count if to_ring == 0 else 0.0) - (BARE_MALUS if stay == 0 else 0.0)
    on_road = outlook_of(k, bases, after, pen, -inf, mind)
    reach = ARRIVED_RADIUS * k.base_radius
    for i in range(count):
        walker = after[mind.ranked[i]]
        walker.x = bases[target].x + reach * cos(ARRIVED_STEP * i)
        walker.y = bases[target].y + reach * sin(ARRIVED_STEP * i)
        walker.status = HOME
        walker.inside = target
    arrived = outlook_of(k, bases, after, pen, 2.0 * (least + now - bonus) - on_road, mind)
    move_back(mind)
    return 0.5 * on_road + 0.5 * arrived - now + bonus


@compiled
def manned_by(men: Men, base: int) -> int:
    """Return how many men stand inside a base, walkers left out."""
    n = 0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].inside == base and men[m].status == HOME:
            n += 1
    return n


@compiled
def considers(bases: Bases, men: Men, source: int, target: int) -> bool:
    """Say whether a send from ``source`` considers ``target``: the nearest own base, the thinnest, an empty ring."""
    held = manned_by(men, target)
    if held == 0:
        return True
    nearest = thinnest = True
    far = (bases[target].x - bases[source].x) ** 2 + (bases[target].y - bases[source].y) ** 2
    for b in range(bases.shape[0]):
        if bases[b].side == bases[source].side and b not in (source, target):
            other = (bases[b].x - bases[source].x) ** 2 + (bases[b].y - bases[source].y) ** 2
            if other < far or (other == far and b < target):
                nearest = False
            men_there = manned_by(men, b)
            if men_there < held or (men_there == held and b < target):
                thinnest = False
    return nearest or thinnest


@compiled
def best_send(k: Numbers, bases: Bases, men: Men, pen: Pen, now: float, least: float, mind: Mind) -> SendPlan:
    """Return the send with the highest gain over ``now``, the first found where equal, if it is above ``least``.

    Those who may go are left in ``mind.ranked`` for the last send looked at, not for the best.
    """
    best = SendPlan(NOWHERE, NOWHERE, 0, least)
    for source in range(bases.shape[0]):
        for target in range(bases.shape[0]):
            if bases[source].side != pen.current or bases[target].side != pen.current or source == target:
                continue
            if not considers(bases, men, source, target):
                continue
            most = list_going(k, bases, men, pen, source, target, mind.ranked, mind.far)
            previous = 0
            for step in range(3):
                count = 1 if step == 0 else ((most + 1) // 2 if step == 1 else most)
                if count <= previous or count > most:
                    continue
                previous = count
                gain = send_gain(k, bases, men, pen, source, target, count, now, best.gain, mind)
                if gain > best.gain:
                    best = SendPlan(source, target, count, gain)
    return best


@compiled
def weigh_sends(k: Numbers, bases: Bases, men: Men, pen: Pen, mind: Mind) -> tuple[int, int, int]:
    """Take in the page, then return (men to send or 0, source, target); who goes is left in ``mind.ranked``.

    The mind is left with the page's views, best lines and worth.
    """
    look_at(men, mind)
    value_men(k, bases, men, mind)
    mind.mine = best_line(k, men, pen, pen.current, inf, mind)
    mind.theirs = best_line(k, men, pen, 1 - pen.current, inf, mind)
    if not mind.may_send or pen.send_used or pen.chain_man != NOWHERE:
        return 0, NOWHERE, NOWHERE
    now = outlook(pen, mind.mine, mind.theirs, False)
    plan = best_send(k, bases, men, pen, now, SEND_THRESHOLD, mind)
    if plan.men > 0:
        list_going(k, bases, men, pen, plan.source, plan.target, mind.ranked, mind.far)
    else:
        value_men(k, bases, men, mind)
    return plan.men, plan.source, plan.target


@entry_point
def consider_sends(numbers: Numbers, bases: Bases, men: Men, pens: Pen, minds: Mind) -> tuple[int, int, int]:
    """Do as :func:`weigh_sends`; ``numbers``, ``pens`` and ``minds`` are ``(1,)`` arrays.

    The tuple is plain: a named one takes long to hand to Python.
    """
    return weigh_sends(numbers[0], bases, men, pens[0], minds[0])
