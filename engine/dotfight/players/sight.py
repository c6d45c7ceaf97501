"""What Dawood-bot sees in a position: what men are worth as targets, the best line either side has, the outlook."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, erf, hypot, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.hand import Skill, angle_sd, wildness
from engine.dotfight.page import HOME, Bases, Men, lunge_shake, snipe_loss
from engine.dotfight.rules import Numbers, Rules, numbers
from engine.jit import compiled, entry_point

SHOOTERS = 6  # nearest the targets' mean place
AIMS = 7  # nearest targets of each
MARGIN = 60.0  # a shooter means to reach this far past his man
GRAIN = 8.0  # distances are rounded to this, halves up
LINE_WIDTH = 1.1  # in hit_reach: how near a straight line a man counts as on it
LINE_START = 14.0
WORTH_OPEN, WORTH_FLAT, WORTH_LEAST, WORTH_MOST = 1.3, 0.9, 0.3, 1.25


class Sight(NamedTuple):
    """How a player sees: his skill, his chances by distance, and arrays to work in.

    ``chance[s, i]`` is the chance to hit at distance ``i * GRAIN``: row 0 with an ordinary hand, row 1 in a last
    stand.
    """

    skill: Skill
    chance: NDArray[np.float64]
    target: NDArray[np.int64]  # (men,) ids of the targets
    dx: NDArray[np.float64]  # (men,) from the shooter to each target
    dy: NDArray[np.float64]
    far: NDArray[np.float64]  # (men,) squared distances
    shooter: NDArray[np.int64]  # (SHOOTERS,) nearest first
    shooter_far: NDArray[np.float64]
    aim: NDArray[np.int64]  # (AIMS,) nearest first
    aim_far: NDArray[np.float64]


@entry_point
def hit_chance(k: Numbers, skill: Skill, distance: float, steadiness: float) -> float:
    """Return the chance that a straight flick meant for a man at ``distance`` touches him."""
    if distance <= 0.0:
        return 1.0
    spread = hypot(angle_sd(k, wildness(k, distance + MARGIN)) * skill.hand, skill.eye) * steadiness * distance
    return erf(k.hit_reach / (sqrt(2.0) * spread)) if spread > 0.0 else 1.0


@lru_cache(maxsize=64)
def chance_table(rules: Rules, skill: Skill) -> NDArray[np.float64]:
    """Return ``(2, n)`` chances to hit by distance in steps of GRAIN: ordinary hand, last stand."""
    k = numbers(rules)
    n = ceil(hypot(rules.page_width, rules.page_height) / GRAIN) + 2
    table = np.array(
        [
            [hit_chance(k, skill, i * GRAIN, steadiness) for i in range(n)]
            for steadiness in (1.0, rules.last_stand_steadiness)
        ]
    )
    table.setflags(write=False)
    return table


def sight(rules: Rules, skill: Skill) -> Sight:
    """Return a player's sight for games by ``rules``."""
    men = rules.men
    return Sight(
        skill=skill,
        chance=chance_table(rules, skill).copy(),
        target=np.zeros(men, np.int64),
        dx=np.zeros(men),
        dy=np.zeros(men),
        far=np.zeros(men),
        shooter=np.zeros(SHOOTERS, np.int64),
        shooter_far=np.zeros(SHOOTERS),
        aim=np.zeros(AIMS, np.int64),
        aim_far=np.zeros(AIMS),
    )


@compiled
def worth_inside(k: Numbers, garrison: int) -> float:
    """Return the worth as a target of a man inside his own base."""
    if k.flat_walls:
        return WORTH_FLAT
    worth = 1.0 - snipe_loss(k, garrison) - 0.5 * lunge_shake(k, garrison)
    return min(WORTH_MOST, max(WORTH_LEAST, worth))


@entry_point
def value_men(k: Numbers, bases: Bases, men: Men, garrison: NDArray[np.int64], worth: NDArray[np.float64]) -> None:
    """Write each living man's worth as a target into ``worth``.

    ``garrison`` (bases,) is written too: the men standing inside each base, walkers left out.
    """
    for b in range(bases.shape[0]):
        garrison[b] = 0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].inside >= 0 and men[m].status == HOME:
            garrison[men[m].inside] += 1
    for m in range(men.shape[0]):
        if men[m].status != HOME or men[m].inside < 0:
            worth[m] = WORTH_OPEN
        else:
            worth[m] = worth_inside(k, garrison[men[m].inside])


@compiled
def keep_nearest(ids: NDArray[np.int64], far: NDArray[np.float64], n: int, who: int, distance: float) -> int:
    """Insert ``who`` into the list of the nearest that ``ids`` has room for, first come first; return its length."""
    most = ids.shape[0]
    if n == most and distance >= far[n - 1]:
        return n
    i = n if n < most else most - 1
    while i > 0 and far[i - 1] > distance:
        ids[i], far[i] = ids[i - 1], far[i - 1]
        i -= 1
    ids[i], far[i] = who, distance
    return min(most, n + 1)


@compiled
def find_targets(men: Men, side: int, see: Sight) -> tuple[int, float, float]:
    """List the living men of ``side`` in ``see.target``; return how many and their mean place."""
    n, x, y = 0, 0.0, 0.0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].side == side:
            see.target[n] = m
            n += 1
            x += men[m].x
            y += men[m].y
    return n, x / max(1, n), y / max(1, n)


@compiled
def best_from(
    k: Numbers,
    men: Men,
    worth: NDArray[np.float64],
    n: int,
    x: float,
    y: float,
    stand: int,
    tremor: float,
    see: Sight,
) -> float:
    """Return the best line of one shooter at (x, y) at the first ``n`` of ``see.target``.

    ``tremor`` above 1 is a lunger's shakiness, a factor on his spread beside the last stand's.
    """
    aims = 0
    for i in range(n):
        m = see.target[i]
        dx, dy = men[m].x - x, men[m].y - y
        see.dx[i], see.dy[i] = dx, dy
        aims = keep_nearest(see.aim, see.aim_far, aims, i, dx * dx + dy * dy)
    best = 0.0
    width = LINE_WIDTH * k.hit_reach
    for a in range(aims):
        distance = sqrt(see.aim_far[a])
        if distance <= 0.0:
            continue
        grains = int(distance / GRAIN + 0.5)
        if tremor == 1.0:
            chance = see.chance[stand, min(grains, see.chance.shape[1] - 1)]
        else:
            steadiness = tremor * (k.last_stand_steadiness if stand else 1.0)
            chance = hit_chance(k, see.skill, grains * GRAIN, steadiness)
        ex, ey = see.dx[see.aim[a]] / distance, see.dy[see.aim[a]] / distance
        total = 0.0
        for i in range(n):
            along = see.dx[i] * ex + see.dy[i] * ey
            if LINE_START <= along <= k.reach_max and -width <= see.dx[i] * ey - see.dy[i] * ex <= width:
                total += worth[see.target[i]]
        best = max(best, chance * total)
    return best


@entry_point
def best_line(k: Numbers, men: Men, worth: NDArray[np.float64], side: int, stand: int, see: Sight) -> float:
    """Return the best line that ``side`` has at the other's men: chance to hit times the worth on the line.

    ``stand`` is 1 while ``side`` is in its last stand. Walkers are targets, not shooters.
    """
    n, x, y = find_targets(men, 1 - side, see)
    if n == 0:
        return 0.0
    shooters = 0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].side == side and men[m].status == HOME:
            far = (men[m].x - x) ** 2 + (men[m].y - y) ** 2
            shooters = keep_nearest(see.shooter, see.shooter_far, shooters, m, far)
    best = 0.0
    for i in range(shooters):
        m = see.shooter[i]
        best = max(best, best_from(k, men, worth, n, men[m].x, men[m].y, stand, 1.0, see))
    return best


@compiled
def chained_line(
    k: Numbers, men: Men, worth: NDArray[np.float64], man: int, stand: int, links: int, see: Sight
) -> float:
    """Return the best line of a lunger who has made ``links`` links, from where he stands."""
    n, _, _ = find_targets(men, 1 - men[man].side, see)
    tremor = sqrt(1.0 + (k.link_tremor * links / angle_sd(k, 0.5)) ** 2)
    return best_from(k, men, worth, n, men[man].x, men[man].y, stand, tremor, see)


@entry_point
def outlook(mine: float, theirs: float, enemy_stands: int, kept: bool) -> float:
    """Weigh my best line against theirs; their last stand makes their line count for more."""
    threat = theirs * (1.6 if enemy_stands else 1.0)
    return 0.9 * mine - 0.5 * threat if kept else 0.45 * mine - 0.85 * threat
