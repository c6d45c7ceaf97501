"""Sends: who may go, where a convoy walks (R9)."""

from __future__ import annotations

from math import hypot

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import Send
from engine.dotfight.page import HOME, NOWHERE, ROAD, Bases, Men, Page, Pen
from engine.dotfight.rules import Numbers, Rules
from engine.errors import GameError
from engine.jit import compiled, entry_point


@compiled
def list_going(
    k: Numbers,
    bases: Bases,
    men: Men,
    pen: Pen,
    source: int,
    target: int,
    ids: NDArray[np.int64],
    far: NDArray[np.float64],
) -> int:
    """List in ``ids`` (men,) who may be sent, nearest the target first, ties by id; return how many may go (R9.1).

    ``far`` (men,) is room for their squared distances.
    """
    reach = k.base_radius + k.position_reach + k.send_slack
    n = 0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].side == pen.current and men[m].status == HOME and m != pen.chain_man:
            here = (men[m].x - bases[source].x) ** 2 + (men[m].y - bases[source].y) ** 2
            if here <= reach * reach:
                there = (men[m].x - bases[target].x) ** 2 + (men[m].y - bases[target].y) ** 2
                i = n
                while i > 0 and far[i - 1] > there:
                    ids[i], far[i] = ids[i - 1], far[i - 1]
                    i -= 1
                ids[i], far[i] = m, there
                n += 1
    return min(n, int(k.send_max))


@entry_point
def fill_going(
    numbers: Numbers,
    bases: Bases,
    men: Men,
    pens: Pen,
    source: int,
    target: int,
    ids: NDArray[np.int64],
    far: NDArray[np.float64],
) -> int:
    """List who may be sent, as :func:`list_going`; ``numbers`` and ``pens`` are ``(1,)`` arrays."""
    return list_going(numbers[0], bases, men, pens[0], source, target, ids, far)


def going(rules: Rules, page: Page, source: int, target: int) -> list[int]:
    """Return the ids of the men who may be sent now, those who go first in front (R9.1)."""
    ids, far = np.empty(page.men.size, np.int64), np.empty(page.men.size)
    n = fill_going(rules.numbers, page.bases, page.men, page.pen, source, target, ids, far)
    return ids[:n].tolist()


def check_send(rules: Rules, page: Page, send: Send) -> None:
    """Raise :class:`GameError` unless a send is legal now (R9.1)."""
    side = page.current
    fault = ""
    if page.send_used:
        fault = "this turn's send is used"
    elif not 1 <= len(send.men) <= rules.send_max:
        fault = f"a send takes 1 to {rules.send_max} men"
    elif send.source == send.target:
        fault = "a send goes to another base"
    elif not all(0 <= b < rules.bases and page.bases["side"][b] == side for b in (send.source, send.target)):
        fault = "a send goes between one's own bases"
    elif send.men != tuple(going(rules, page, send.source, send.target)[: len(send.men)]):
        fault = "the men nearest the destination go"
    if fault:
        raise GameError(f"illegal send {send.source} to {send.target} of {len(send.men)}: {fault} (R9.1)")


@compiled
def station(
    k: Numbers, bases: Bases, source: int, target: int, count: int, turns_left: int, place: int
) -> tuple[float, float]:
    """Return where a walker stands on the road, the ``place``-th of ``count`` from the front (R9.2, R9.4).

    With ``road_turns`` = n the stations lie at 1/(n+1), 2/(n+1) ... of the road, the middle of it for n = 1.
    """
    ax, ay = bases[source].x, bases[source].y
    dx, dy = bases[target].x - ax, bases[target].y - ay
    distance = hypot(dx, dy)
    gate = k.base_radius + k.road_gap
    share = (k.road_turns + 1.0 - turns_left) / (k.road_turns + 1.0)
    middle = gate + (distance - 2.0 * gate) * share
    along = (middle + ((count - 1) / 2.0 - place) * k.road_spacing * k.dot_radius) / distance
    return ax + dx * along, ay + dy * along


@compiled
def same_convoy(men: Men, m: int, leader: int) -> bool:
    """Say whether man ``m`` walks with ``leader``: one send a turn, so way and turns left tell convoys apart."""
    return (
        men[m].alive
        and men[m].side == men[leader].side
        and men[m].status == ROAD
        and men[m].home == men[leader].home
        and men[m].target == men[leader].target
        and men[m].road_left == men[leader].road_left
    )


@compiled
def place_column(k: Numbers, bases: Bases, men: Men, leader: int) -> None:
    """Stand the living men of the leader's convoy on the station they have come to, the nearest in front (R9.2)."""
    source, target = men[leader].home, men[leader].target
    count = 0
    for m in range(men.shape[0]):
        if same_convoy(men, m, leader):
            count += 1
            men[m].inside = -1 - count  # not placed yet
    turns_left = men[leader].road_left
    for place in range(count):
        front, best = -1, 0.0
        for m in range(men.shape[0]):
            if men[m].inside < NOWHERE:
                far = (men[m].x - bases[target].x) ** 2 + (men[m].y - bases[target].y) ** 2
                if front < 0 or far < best:
                    front, best = m, far
        men[front].inside = NOWHERE
        x, y = station(k, bases, source, target, count, turns_left, place)
        men[front].x = x
        men[front].y = y
