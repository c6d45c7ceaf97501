"""Who adjudicates a flick that is played: Shapely, or the compiled kernel."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import Flick
from engine.dotfight.flick import Umpire
from engine.dotfight.kernel import walk
from engine.dotfight.meeting import workspace
from engine.dotfight.outcome import Ending, Outcome
from engine.dotfight.page import Bases, Men
from engine.dotfight.rules import Rules


class Judge(Protocol):
    """Judges the flicks of one game, whose rules and bases do not change."""

    def judge(self, men: Men, garrison: NDArray[np.int64], flick: Flick) -> Outcome:
        """Return what a flick does; nothing is changed.

        Parameters
        ----------
        men
            ``(men,)`` array of :data:`~engine.dotfight.page.MAN`.
        garrison
            ``(bases,)`` own living men inside each base before the flick (R6.5).
        flick
            As it left the hand. A lunge turned more often than it has normals takes them from the first again
            (``outcome.ending.jolts`` tells); one that has none is not turned at all.
        """
        ...


class KernelUmpire:
    """Judges with the compiled walk, which counts garrisons itself."""

    def __init__(self, rules: Rules, bases: Bases) -> None:
        self._numbers = rules.numbers
        self._bases = bases
        self._work = workspace()
        self._events = self._work["events"][0]
        self._unturned = np.zeros(1)

    def judge(self, men: Men, garrison: NDArray[np.int64], flick: Flick) -> Outcome:
        """Return what a flick does; nothing is changed."""
        ending = Ending._make(
            walk(
                self._numbers,
                self._bases,
                men,
                flick.man,
                flick.kind,
                flick.angle,
                flick.length,
                flick.bend,
                np.array(flick.normals) if flick.normals else self._unturned,
                self._work,
            )
        )
        return Outcome(ending, self._events[: ending.events].copy())


def judge_of(rules: Rules, bases: Bases) -> Judge:
    """Return the judge that ``rules.geometry`` names, for a game on these bases."""
    return KernelUmpire(rules, bases) if rules.geometry == "kernel" else Umpire(rules, bases)
