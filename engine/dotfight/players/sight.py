"""What Dawood-bot sees in a position: what men are worth as targets, the best line either side has, the outlook."""

from __future__ import annotations

from math import inf, sqrt

from engine.dotfight.hand import angle_sd
from engine.dotfight.page import HOME, NOWHERE, Bases, Men, Pen
from engine.dotfight.players.mind import SHOOTERS, WORTH_OPEN, Mind
from engine.dotfight.players.view import best_from, best_in_view, keep_nearest
from engine.dotfight.rules import Numbers
from engine.jit import compiled

LAST_STAND_THREAT = 1.6
ROUNDING = 1e-9  # more than sums of a few men's worth are rounded by


@compiled
def value_men(k: Numbers, bases: Bases, men: Men, mind: Mind) -> None:
    """Write each man's worth as a target into ``mind.worth``, and who mans each base into ``mind.manned``."""
    for b in range(bases.shape[0]):
        mind.manned[b] = 0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].inside >= 0 and men[m].status == HOME:
            mind.manned[men[m].inside] += 1
    full = int(k.soldiers_per_base)
    for m in range(men.shape[0]):
        if men[m].status != HOME or men[m].inside < 0:
            mind.worth[m] = WORTH_OPEN
        else:
            mind.worth[m] = mind.worth_inside[min(full, mind.manned[men[m].inside])]


@compiled
def find_targets(men: Men, side: int, mind: Mind) -> tuple[int, float, float]:
    """List where the living men of ``side`` stand, and their worth; return how many and their mean place."""
    n, x, y = 0, 0.0, 0.0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].side == side:
            mind.target_x[n] = men[m].x
            mind.target_y[n] = men[m].y
            mind.target_worth[n] = mind.worth[m]
            n += 1
            x += men[m].x
            y += men[m].y
    return n, x / max(1, n), y / max(1, n)


@compiled
def best_line(k: Numbers, men: Men, pen: Pen, side: int, enough: float, mind: Mind) -> float:
    """Return the best line that ``side`` has at the other's men: chance to hit times the worth on the line.

    Where there is one of ``enough`` or more, the first such found will do.
    Walkers are targets, not shooters. ``mind.worth`` holds the men's worth. ``men`` stand as they did in the last
    look (:func:`~engine.dotfight.players.view.look_at`), but for those noted as standing elsewhere.
    """
    n, x, y = find_targets(men, 1 - side, mind)
    if n == 0:
        return 0.0
    shooters = 0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].side == side and men[m].status == HOME:
            far = (men[m].x - x) ** 2 + (men[m].y - y) ** 2
            shooters = keep_nearest(SHOOTERS, mind.shooter, mind.shooter_far, shooters, m, far)
    stand = 1 if pen.stand_since[side] else 0
    best = 0.0
    for i in range(shooters):
        if best >= enough:
            break
        m = mind.shooter[i]
        if mind.elsewhere[m]:
            best = max(best, best_from(k, n, men[m].x, men[m].y, stand, 1.0, mind))
        else:
            best = max(best, best_in_view(k, men, n, m, stand, mind))
    return best


@compiled
def chained_line(k: Numbers, men: Men, pen: Pen, man: int, links: int, mind: Mind) -> float:
    """Return the best line of a lunger who has made ``links`` links, from where he stands."""
    n, _, _ = find_targets(men, 1 - men[man].side, mind)
    tremor = sqrt(1.0 + (k.link_tremor * links / angle_sd(k, 0.5)) ** 2)
    stand = 1 if pen.stand_since[men[man].side] else 0
    return best_from(k, n, men[man].x, men[man].y, stand, tremor, mind)


@compiled
def links_made(pen: Pen) -> int:
    """Return the links already made by the man to flick, 0 unless he is owed a lunge."""
    return pen.chain_links if pen.chain_man != NOWHERE else 0


@compiled
def weights(pen: Pen, kept: bool) -> tuple[float, float, float]:
    """Return what the best line of the side to move counts, what the other's does, and how much more its threat is.

    ``kept`` says whether the pen stays where it is. A side in its last stand threatens more.
    """
    threat = LAST_STAND_THREAT if pen.stand_since[1 - pen.current] else 1.0
    return (0.9, 0.5, threat) if kept else (0.45, 0.85, threat)


@compiled
def outlook(pen: Pen, mine: float, theirs: float, kept: bool) -> float:
    """Weigh the best line of the side to move against the other's; ``kept`` says whether the pen stays."""
    hope, fear, threat = weights(pen, kept)
    return hope * mine - fear * (theirs * threat)


@compiled
def too_much(pen: Pen, mine: float, least: float, kept: bool) -> float:
    """Return how good a line of theirs makes the outlook, ``mine`` being ours, fall below ``least`` however rounded."""
    hope, fear, threat = weights(pen, kept)
    return (hope * mine - least) / (fear * threat) + ROUNDING


@compiled
def outlook_of(k: Numbers, bases: Bases, men: Men, pen: Pen, least: float, mind: Mind) -> float:
    """Return the outlook of a position as if the pen passed, or one below ``least`` if it is below that.

    The men's worth is left in ``mind.worth``.
    """
    value_men(k, bases, men, mind)
    mine = best_line(k, men, pen, pen.current, inf, mind)
    theirs = best_line(k, men, pen, 1 - pen.current, too_much(pen, mine, least, False), mind)
    return outlook(pen, mine, theirs, False)
