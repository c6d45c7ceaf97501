"""Who adjudicates a flick that is played: Shapely, or the compiled kernel."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import Flick
from engine.dotfight.kernel import Workspace, walk, workspace
from engine.dotfight.outcome import Outcome
from engine.dotfight.rules import Rules, numbers

_workspace = lru_cache(maxsize=8)(workspace)


def adjudicate(
    rules: Rules, bases: NDArray[np.void], men: NDArray[np.void], garrison: NDArray[np.int64], flick: Flick
) -> Outcome:
    """Return what a flick does, by ``rules.geometry``.

    ``garrison`` (bases,) counts each base's men before the flick (R6.5).
    """
    return by_kernel(rules, bases, men, garrison, flick)


def by_kernel(
    rules: Rules, bases: NDArray[np.void], men: NDArray[np.void], garrison: NDArray[np.int64], flick: Flick
) -> Outcome:
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
