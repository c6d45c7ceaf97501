"""How Dawood-bot chooses a flick: imagine many, preview each with a perfect hand, retry the best with a shaky one."""

from __future__ import annotations

from math import atan2, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE, SNIPE
from engine.dotfight.hand import Skill, length_of, power_for, shaken
from engine.dotfight.kernel import Workspace, walk, workspace
from engine.dotfight.outcome import Ending
from engine.dotfight.page import HOME, MAN, NOWHERE, Bases, Men, copy_men, count_garrisons
from engine.dotfight.players.moment import Moment
from engine.dotfight.players.sight import Sight, best_line, chained_line, outlook, sight, value_men
from engine.dotfight.rules import Numbers, Rules
from engine.dotfight.turn import strike
from engine.jit import compiled, entry_point

LUNGE_SHARE = 0.35
AIMED_SHARE = 0.94
AIM_SD = 0.025  # rad
JUST_PAST_SHARE = 0.55
NEAR_BIAS = 1.6  # exponent that favours shooters near the enemy
LOSS = 1.1  # points for losing the flicker
PEN = 0.4  # points for keeping the pen
EARN = 0.5  # outlook for the chance to earn
LUNGES_RETRIED = 2
TWISTS = 24  # standard normals drawn for each imagined shaky lunge

RECORD_JOLTS = (
    1.626432, 1.050996, -1.184387, -0.584405, -1.093525, 1.367569, -0.377771, -0.434449,
    -0.461102, 0.767634, 0.672724, 1.279312, 0.575689, -1.069717, 1.175885, -0.743997,
    1.224213, -0.004785, -0.102113, -0.98088, -0.581745, -0.142007, 0.728128, -1.117955,
)  # fmt: skip
"""The fixed jolts of the record's player in perfect-hand previews, in order of the events that jolt."""

CANDIDATE = np.dtype(
    [
        ("man", "i8"),
        ("kind", "i8"),
        ("angle", "f8"),
        ("power", "f8"),
        ("points", "f8"),  # of the perfect-hand preview, pen included
        ("survived", "i8"),  # 1 unless the flicker was lost in it
    ]
)

Candidates = Any
"""``(n,)`` array of :data:`CANDIDATE`."""


class Habits(NamedTuple):
    """How much a player looks, and what he never does.

    ``may_lunge`` and ``may_decline`` are 1 or 0; ``jolts`` are the standard normals of perfect-hand previews.
    """

    candidates: int
    kept: int
    samples: int
    may_lunge: int
    may_decline: int
    jolts: NDArray[np.float64]


class Choice(NamedTuple):
    """A flick chosen; ``declined`` says that the earned lunge is not worth taking."""

    man: int
    kind: int
    angle: float
    power: float
    declined: bool


class Mind(NamedTuple):
    """Arrays a decision works in."""

    work: Workspace
    see: Sight
    candidates: Candidates
    chosen: NDArray[np.int64]  # candidates to retry
    after: Men
    worth: NDArray[np.float64]
    garrison: NDArray[np.int64]  # R6.5, before the flick
    manned: NDArray[np.int64]  # the same without walkers, in the position judged
    ranked: NDArray[np.int64]
    far: NDArray[np.float64]
    twists: NDArray[np.float64]


def mind(rules: Rules, skill: Skill, candidates: int, kept: int) -> Mind:
    """Return the arrays for decisions in games by ``rules``."""
    return Mind(
        work=workspace(rules),
        see=sight(rules, skill),
        candidates=np.zeros(candidates, CANDIDATE),
        chosen=np.zeros(kept + LUNGES_RETRIED, np.int64),
        after=np.zeros(rules.men, MAN),
        worth=np.zeros(rules.men),
        garrison=np.zeros(rules.bases, np.int64),
        manned=np.zeros(rules.bases, np.int64),
        ranked=np.zeros(rules.men, np.int64),
        far=np.zeros(rules.men),
        twists=np.zeros(TWISTS),
    )


@compiled
def earns(k: Numbers, kind: int, ending: Ending) -> bool:
    """Say whether a flick earns another (R7.4, R8.4)."""
    if kind == LUNGE:
        return ending.kills > 0 and not ending.lost
    return ending.kills >= k.snipe_earn_at


@compiled
def rank_shooters(men: Men, now: Moment, x: float, y: float, m: Mind) -> int:
    """List own men who can flick in ``m.ranked``, nearest to (x, y) first; return how many (R4.4)."""
    if now.chain_man != NOWHERE:
        m.ranked[0] = now.chain_man
        return 1
    n = 0
    for i in range(men.shape[0]):
        if men[i].alive and men[i].side == now.side and men[i].status == HOME:
            far = (men[i].x - x) ** 2 + (men[i].y - y) ** 2
            j = n
            while j > 0 and m.far[j - 1] > far:
                m.ranked[j], m.far[j] = m.ranked[j - 1], m.far[j - 1]
                j -= 1
            m.ranked[j], m.far[j] = i, far
            n += 1
    return n


@compiled
def draw_candidates(k: Numbers, men: Men, now: Moment, habits: Habits, rng: Any, m: Mind) -> None:
    """Draw the flicks to imagine into ``m.candidates``; ``m.worth`` holds the enemies' worth."""
    enemies, weight, x, y = 0, 0.0, 0.0, 0.0
    for i in range(men.shape[0]):
        if men[i].alive and men[i].side != now.side:
            enemies += 1
            weight += m.worth[i] * m.worth[i]
            x += men[i].x
            y += men[i].y
    shooters = rank_shooters(men, now, x / enemies, y / enemies, m)
    for c in range(habits.candidates):
        here = m.candidates[c]
        man = m.ranked[int(rng.random() ** NEAR_BIAS * shooters)]
        lunge = rng.random() < LUNGE_SHARE and habits.may_lunge
        here.man = man
        here.kind = LUNGE if lunge or now.chain_man != NOWHERE else SNIPE
        if rng.random() < AIMED_SHARE:
            ticket = rng.random() * weight
            aim = -1
            for i in range(men.shape[0]):
                if men[i].alive and men[i].side != now.side:
                    aim = i
                    ticket -= m.worth[i] * m.worth[i]
                    if ticket < 0.0:
                        break
            dx, dy = men[aim].x - men[man].x, men[aim].y - men[man].y
            distance = sqrt(dx * dx + dy * dy)
            here.angle = atan2(dy, dx) + AIM_SD * rng.standard_normal()
            if rng.random() < JUST_PAST_SHARE:
                wanted = distance + 40.0 + 60.0 * rng.random()
            else:
                wanted = distance + 150.0 + rng.random() * max(0.0, k.reach_max - distance)
            here.power = power_for(k, wanted)
        else:
            here.angle = 2.0 * np.pi * rng.random()
            here.power = rng.random()


@compiled
def preview(k: Numbers, bases: Bases, men: Men, now: Moment, habits: Habits, here: Any, m: Mind) -> Ending:
    """Walk a candidate with a perfect hand; the events are left in ``m.work``."""
    length = length_of(k, here.power)
    return walk(k, bases, men, m.garrison, here.man, here.kind, here.angle, length, 0.0, habits.jolts, m.work)


@compiled
def choose_to_retry(habits: Habits, m: Mind) -> int:
    """List in ``m.chosen`` the best previews and the two best lunges that live; return how many."""
    n = 0
    for c in range(habits.candidates):
        points = m.candidates[c].points
        i = min(n, habits.kept)
        if n == habits.kept:
            if points <= m.candidates[m.chosen[n - 1]].points:
                continue
            i = n - 1
        while i > 0 and m.candidates[m.chosen[i - 1]].points < points:
            m.chosen[i] = m.chosen[i - 1]
            i -= 1
        m.chosen[i] = c
        n = min(habits.kept, n + 1)
    kept = n
    first, second = -1, -1
    for c in range(habits.candidates):
        here = m.candidates[c]
        if here.kind == LUNGE and here.survived:
            if first < 0 or here.points > m.candidates[first].points:
                first, second = c, first
            elif second < 0 or here.points > m.candidates[second].points:
                second = c
    for c in (first, second):
        known = c < 0
        for i in range(kept):
            known = known or m.chosen[i] == c
        if not known:
            m.chosen[n] = c
            n += 1
    return n


@compiled
def retry(
    k: Numbers, bases: Bases, men: Men, now: Moment, habits: Habits, rng: Any, here: Any, m: Mind
) -> tuple[float, float, float]:
    """Return (mean points, share that keeps the pen, share that earns) of a candidate with a shaky hand."""
    steadiness = k.last_stand_steadiness if now.stand_mine else 1.0
    links = now.chain_links if now.chain_man != NOWHERE else 0
    meant = length_of(k, here.power)
    points, keeps, earned = 0.0, 0, 0
    for _ in range(habits.samples):
        angle, length, bend = shaken(
            k,
            m.see.skill,
            here.angle,
            meant,
            steadiness,
            links,
            rng.standard_normal(),
            rng.standard_normal(),
            rng.random(),
        )
        if here.kind == LUNGE:
            for i in range(m.twists.shape[0]):
                m.twists[i] = rng.standard_normal()
        ending = walk(k, bases, men, m.garrison, here.man, here.kind, angle, length, bend, m.twists, m.work)
        earning = earns(k, here.kind, ending)
        points += ending.kills - (LOSS if ending.lost else 0.0)
        earned += 1 if earning else 0
        keeps += 1 if earning or now.flicks_left > 1 else 0
    return points / habits.samples, keeps / habits.samples, earned / habits.samples


@compiled
def outlook_after(
    k: Numbers, bases: Bases, men: Men, now: Moment, habits: Habits, here: Any, kept: bool, m: Mind
) -> float:
    """Return the outlook once a candidate has come out as a perfect hand would have it."""
    ending = preview(k, bases, men, now, habits, here, m)
    copy_men(men, m.after)
    strike(
        k,
        bases,
        m.after,
        here.man,
        here.kind,
        m.work.events[: ending.events],
        ending.end_x,
        ending.end_y,
        ending.lost,
    )
    value_men(k, bases, m.after, m.manned, m.worth)
    theirs = best_line(k, m.after, m.worth, 1 - now.side, now.stand_theirs, m.see)
    if kept and here.kind == LUNGE and now.flicks_left == 1 and not ending.lost:
        links = (now.chain_links if now.chain_man != NOWHERE else 0) + 1
        mine = chained_line(k, m.after, m.worth, here.man, now.stand_mine, links, m.see)
    else:
        mine = best_line(k, m.after, m.worth, now.side, now.stand_mine, m.see)
    return outlook(mine, theirs, now.stand_theirs, kept)


@entry_point
def outlook_now(k: Numbers, bases: Bases, men: Men, now: Moment, m: Mind) -> float:
    """Return the outlook as things are, as if the pen passed; the men's worth is left in ``m.worth``."""
    value_men(k, bases, men, m.manned, m.worth)
    mine = best_line(k, men, m.worth, now.side, now.stand_mine, m.see)
    theirs = best_line(k, men, m.worth, 1 - now.side, now.stand_theirs, m.see)
    return outlook(mine, theirs, now.stand_theirs, False)


@entry_point
def choose_flick(k: Numbers, bases: Bases, men: Men, now: Moment, habits: Habits, rng: Any, m: Mind) -> Choice:
    """Choose a flick, or decline an earned lunge whose best total is negative."""
    count_garrisons(bases, men, m.garrison)
    before = outlook_now(k, bases, men, now, m)
    draw_candidates(k, men, now, habits, rng, m)
    for c in range(habits.candidates):
        here = m.candidates[c]
        ending = preview(k, bases, men, now, habits, here, m)
        keeps = earns(k, here.kind, ending) or now.flicks_left > 1
        here.points = ending.kills - (LOSS if ending.lost else 0.0) + (PEN if keeps else 0.0)
        here.survived = 0 if ending.lost else 1
    best, best_total = -1, 0.0
    for i in range(choose_to_retry(habits, m)):
        here = m.candidates[m.chosen[i]]
        points, keep_share, earn_share = retry(k, bases, men, now, habits, rng, here, m)
        after = outlook_after(k, bases, men, now, habits, here, keep_share > 0.5, m)
        total = points + after - before + EARN * earn_share
        if best < 0 or total > best_total:
            best, best_total = m.chosen[i], total
    here = m.candidates[best]
    declined = now.chain_man != NOWHERE and best_total < 0.0 and habits.may_decline == 1
    return Choice(here.man, here.kind, here.angle, here.power, declined)
