"""Who adjudicates a flick that is played: Shapely, or the compiled kernel."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import Flick
from engine.dotfight.flick import Umpire
from engine.dotfight.kernel import Workspace, walk, workspace
from engine.dotfight.outcome import Outcome
from engine.dotfight.page import BASE, Bases, Men
from engine.dotfight.rules import Rules, numbers

_workspace = lru_cache(maxsize=8)(workspace)


@lru_cache(maxsize=8)
def _umpire(rules: Rules, bases: bytes) -> Umpire:
    return Umpire(rules, np.frombuffer(bases, BASE))


def adjudicate(rules: Rules, bases: Bases, men: Men, garrison: NDArray[np.int64], flick: Flick) -> Outcome:
    """Return what a flick does, by ``rules.geometry``; nothing is changed.

    Parameters
    ----------
    bases, men
        ``(bases,)`` and ``(men,)`` arrays of :data:`~engine.dotfight.page.BASE` and
        :data:`~engine.dotfight.page.MAN`.
    garrison
        ``(bases,)`` own living men inside each base before the flick (R6.5).
    flick
        As it left the hand. A lunge turned more often than it has normals takes them from the first again
        (``outcome.ending.jolts`` tells); one that has none is not turned at all.
    """
    if rules.geometry == "kernel":
        return by_kernel(rules, bases, men, garrison, flick)
    return by_shapely(rules, bases, men, garrison, flick)


def by_shapely(rules: Rules, bases: Bases, men: Men, garrison: NDArray[np.int64], flick: Flick) -> Outcome:
    """Adjudicate with the plain walk."""
    return _umpire(rules, bases.tobytes()).judge(men, garrison, flick)


def by_kernel(rules: Rules, bases: Bases, men: Men, garrison: NDArray[np.int64], flick: Flick) -> Outcome:
    """Adjudicate with the compiled walk."""
    work: Workspace = _workspace(rules)
    ending = walk(
        numbers(rules),
        bases,
        men,
        garrison,
        flick.man,
        flick.kind,
        flick.angle,
        flick.length,
        flick.bend,
        np.array(flick.normals or (0.0,)),
        work,
    )
    return Outcome(ending, work.events[: ending.events].copy())
