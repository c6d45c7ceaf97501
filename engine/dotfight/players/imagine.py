"""How Dawood-bot chooses a flick: imagine many, preview each with a perfect hand, retry the best with a shaky one."""

from __future__ import annotations

from math import atan2, inf, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE, SNIPE
from engine.dotfight.hand import Skill, length_of, power_for, shaken, spread_of
from engine.dotfight.kernel import walk_any
from engine.dotfight.meeting import Work, survey
from engine.dotfight.outcome import Ending
from engine.dotfight.page import HOME, NOWHERE, Bases, Men, Pen, copy_men
from engine.dotfight.players.mind import Mind
from engine.dotfight.players.sight import best_line, chained_line, links_made, outlook, too_much, value_men
from engine.dotfight.players.view import move, move_back
from engine.dotfight.rules import Numbers
from engine.dotfight.turn import strike
from engine.jit import compiled, entry_point

LUNGE_SHARE = 0.35
AIMED_SHARE = 0.94
AIM_SD = 0.025  # rad
JUST_PAST_SHARE = 0.55
NEAR_BIAS = 1.6  # exponent that favours shooters near the enemy
LOSS = 1.1  # points for losing the flicker
PEN_POINTS = 0.4  # points for keeping the pen
EARN = 0.5  # outlook for the chance to earn
LUNGES_RETRIED = 2  # lunges retried beside the best
UNIFORMS = 6  # uniform deviates that make up a candidate
SHAKES = 10  # standard normals of one shaky try: angle, length, and a lunge's jolts

RECORD_JOLTS = (
    1.626432, 1.050996, -1.184387, -0.584405, -1.093525, 1.367569, -0.377771, -0.434449,
    -0.461102, 0.767634, 0.672724, 1.279312, 0.575689, -1.069717, 1.175885, -0.743997,
    1.224213, -0.004785, -0.102113, -0.98088, -0.581745, -0.142007, 0.728128, -1.117955,
)  # fmt: skip
"""The fixed jolts of the record's player in perfect-hand previews, in order of the events that jolt."""


@compiled
def earns(k: Numbers, kind: int, ending: Ending) -> bool:
    """Say whether a flick earns another (R7.4, R8.4)."""
    if kind == LUNGE:
        return ending.kills > 0 and not ending.lost
    return ending.kills >= k.snipe_earn_at


@compiled
def rank_shooters(men: Men, pen: Pen, x: float, y: float, mind: Mind) -> int:
    """List own men who can flick in ``mind.ranked``, nearest to (x, y) first; return how many (R4.4)."""
    if pen.chain_man != NOWHERE:
        mind.ranked[0] = pen.chain_man
        return 1
    n = 0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].side == pen.current and men[m].status == HOME:
            far = (men[m].x - x) ** 2 + (men[m].y - y) ** 2
            i = n
            while i > 0 and mind.far[i - 1] > far:
                mind.ranked[i], mind.far[i] = mind.ranked[i - 1], mind.far[i - 1]
                i -= 1
            mind.ranked[i], mind.far[i] = m, far
            n += 1
    return n


@compiled
def draw_candidates(
    k: Numbers,
    men: Men,
    pen: Pen,
    uniforms: NDArray[np.float64],
    aim_normals: NDArray[np.float64],
    mind: Mind,
    work: Work,
) -> None:
    """Make up the flicks to imagine; ``mind.worth`` holds the enemies' worth and ``work.foe`` lists them."""
    enemies, weight, x, y = 0, 0.0, 0.0, 0.0
    for i in range(work.foes):
        m = work.foe[i]
        if men[m].side != pen.current:
            enemies += 1
            weight += mind.worth[m] * mind.worth[m]
            x += men[m].x
            y += men[m].y
    shooters = rank_shooters(men, pen, x / enemies, y / enemies, mind)
    for c in range(mind.imagined):
        here = mind.candidates[c]
        man = mind.ranked[int(uniforms[c, 0] ** NEAR_BIAS * shooters)]
        lunge = uniforms[c, 1] < LUNGE_SHARE and mind.may_lunge
        here.man = man
        here.kind = LUNGE if lunge or pen.chain_man != NOWHERE else SNIPE
        if uniforms[c, 2] < AIMED_SHARE:
            ticket = uniforms[c, 3] * weight
            aim = NOWHERE
            for i in range(work.foes):
                m = work.foe[i]
                if men[m].side != pen.current:
                    aim = m
                    ticket -= mind.worth[m] * mind.worth[m]
                    if ticket < 0.0:
                        break
            dx, dy = men[aim].x - men[man].x, men[aim].y - men[man].y
            distance = sqrt(dx * dx + dy * dy)
            here.angle = atan2(dy, dx) + AIM_SD * aim_normals[c]
            if uniforms[c, 4] < JUST_PAST_SHARE:
                wanted = distance + 40.0 + 60.0 * uniforms[c, 5]
            else:
                wanted = distance + 150.0 + uniforms[c, 5] * max(0.0, k.reach_max - distance)
            here.power = power_for(k, wanted)
        else:
            here.angle = 2.0 * pi * uniforms[c, 3]
            here.power = uniforms[c, 4]
        here.length = length_of(k, here.power)


@compiled
def choose_to_retry(mind: Mind) -> int:
    """List in ``mind.chosen`` the best previews and the two best lunges that live; return how many."""
    n = 0
    for c in range(mind.imagined):
        points = mind.candidates[c].points
        i = n
        if n == mind.kept:
            if points <= mind.candidates[mind.chosen[n - 1]].points:
                continue
            i = n - 1
        while i > 0 and mind.candidates[mind.chosen[i - 1]].points < points:
            mind.chosen[i] = mind.chosen[i - 1]
            i -= 1
        mind.chosen[i] = c
        n = min(mind.kept, n + 1)
    kept = n
    first, second = -1, -1
    for c in range(mind.imagined):
        here = mind.candidates[c]
        if here.kind == LUNGE and here.survived:
            if first < 0 or here.points > mind.candidates[first].points:
                first, second = c, first
            elif second < 0 or here.points > mind.candidates[second].points:
                second = c
    for c in (first, second):
        known = c < 0
        for i in range(kept):
            known = known or mind.chosen[i] == c
        if not known:
            mind.chosen[n] = c
            n += 1
    return n


@compiled
def retry(
    k: Numbers,
    bases: Bases,
    men: Men,
    pen: Pen,
    here: Any,
    shakes: NDArray[np.float64],
    bends: NDArray[np.float64],
    mind: Mind,
    work: Work,
) -> tuple[float, float, float]:
    """Return (mean points, share that keeps the pen, share that earns) of a candidate with a shaky hand.

    ``shakes`` (samples, SHAKES) are the standard normals of each try, ``bends`` (samples,) its uniform deviate.
    """
    steadiness = k.last_stand_steadiness if pen.stand_since[pen.current] else 1.0
    spread = spread_of(k, Skill(mind.hand, mind.eye, mind.judge), here.length, steadiness, links_made(pen))
    points, keeps, earned = 0.0, 0, 0
    for i in range(mind.samples):
        angle, length, bend = shaken(k, spread, here.angle, here.length, shakes[i, 0], shakes[i, 1], bends[i])
        ending = walk_any(k, bases, men, here.man, here.kind, angle, length, bend, shakes[i, 2:], work)
        earning = earns(k, here.kind, ending)
        points += ending.kills - (LOSS if ending.lost else 0.0)
        earned += 1 if earning else 0
        keeps += 1 if earning or pen.flicks_left > 1 else 0
    return points / mind.samples, keeps / mind.samples, earned / mind.samples


@compiled
def outlook_after(
    k: Numbers,
    bases: Bases,
    men: Men,
    pen: Pen,
    here: Any,
    kept: bool,
    least: float,
    jolts: NDArray[np.float64],
    mind: Mind,
    work: Work,
) -> float:
    """Return the outlook once a candidate has come out as a perfect hand would have it.

    Where that is below ``least``, some outlook below it will do.
    """
    ending = walk_any(k, bases, men, here.man, here.kind, here.angle, here.length, 0.0, jolts, work)
    if ending.kills == 0 and here.kind == SNIPE and not k.friendly_fire:
        return outlook(pen, mind.mine, mind.theirs, kept)
    after = mind.after[: men.shape[0]]
    copy_men(men, after)
    man, kind = here.man, here.kind
    strike(k, bases, after, man, kind, work.events, ending.events, ending.end_x, ending.end_y, ending.lost)
    if kind == LUNGE:
        move(mind, man)
    value_men(k, bases, after, mind)
    if kept and kind == LUNGE and pen.flicks_left == 1 and not ending.lost:
        mine = chained_line(k, after, pen, man, links_made(pen) + 1, mind)
    else:
        mine = best_line(k, after, pen, pen.current, inf, mind)
    theirs = best_line(k, after, pen, 1 - pen.current, too_much(pen, mine, least, kept), mind)
    move_back(mind)
    return outlook(pen, mine, theirs, kept)


@compiled
def pick_flick(
    k: Numbers,
    bases: Bases,
    men: Men,
    pen: Pen,
    jolts: NDArray[np.float64],
    uniforms: NDArray[np.float64],
    aim_normals: NDArray[np.float64],
    shakes: NDArray[np.float64],
    bends: NDArray[np.float64],
    mind: Mind,
    work: Work,
) -> tuple[bool, int, int, float, float]:
    """Return (declined, man, kind, angle, power): the best flick, declined if its total is negative and he may.

    The mind has taken in the page (:func:`~engine.dotfight.players.sending.weigh_sends`). Chance comes in drawn:
    ``jolts`` are the standard normals of perfect-hand previews, ``uniforms`` (imagined, UNIFORMS) and ``aim_normals``
    (imagined,) make up the candidates, ``shakes`` (retried, samples, SHAKES) and ``bends`` (retried, samples) shake
    them.
    """
    before = outlook(pen, mind.mine, mind.theirs, False)
    survey(k, bases, men, pen.current, work)
    draw_candidates(k, men, pen, uniforms, aim_normals, mind, work)
    for c in range(mind.imagined):
        here = mind.candidates[c]
        ending = walk_any(k, bases, men, here.man, here.kind, here.angle, here.length, 0.0, jolts, work)
        keeps = earns(k, here.kind, ending) or pen.flicks_left > 1
        here.points = ending.kills - (LOSS if ending.lost else 0.0) + (PEN_POINTS if keeps else 0.0)
        here.survived = 0 if ending.lost else 1
    best, best_total = -1, 0.0
    for i in range(choose_to_retry(mind)):
        here = mind.candidates[mind.chosen[i]]
        points, keep_share, earn_share = retry(k, bases, men, pen, here, shakes[i], bends[i], mind, work)
        gained = points - before + EARN * earn_share
        least = best_total - gained if best >= 0 else -inf
        after = outlook_after(k, bases, men, pen, here, keep_share > 0.5, least, jolts, mind, work)
        total = points + after - before + EARN * earn_share
        if best < 0 or total > best_total:
            best, best_total = mind.chosen[i], total
    here = mind.candidates[best]
    declined = pen.chain_man != NOWHERE and best_total < 0.0 and mind.may_decline == 1
    return declined, here.man, here.kind, here.angle, here.power


@entry_point
def choose_flick(
    numbers: Numbers,
    bases: Bases,
    men: Men,
    pens: Pen,
    jolts: NDArray[np.float64],
    uniforms: NDArray[np.float64],
    aim_normals: NDArray[np.float64],
    shakes: NDArray[np.float64],
    bends: NDArray[np.float64],
    minds: Mind,
    works: Work,
) -> tuple[bool, int, int, float, float]:
    """Do as :func:`pick_flick`; ``numbers``, ``pens``, ``minds`` and ``works`` are ``(1,)`` arrays.

    The tuple is plain: a named one takes long to hand to Python.
    """
    k, pen, mind, work = numbers[0], pens[0], minds[0], works[0]
    return pick_flick(k, bases, men, pen, jolts, uniforms, aim_normals, shakes, bends, mind, work)
