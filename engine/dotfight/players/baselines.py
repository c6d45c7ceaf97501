"""Two players to measure others against: one who acts at random, one who flicks softly at the nearest man."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, hypot
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE, SNIPE, Decline, FlickIntent, Intent, Send
from engine.dotfight.convoy import going
from engine.dotfight.hand import HUMAN, power_for
from engine.dotfight.page import NOWHERE, Page
from engine.dotfight.players.arranging import draw_base
from engine.dotfight.players.seat import Forbidden
from engine.dotfight.rules import Rules
from engine.parameters import Param, Parameters

SOFT_MARGIN = 40.0  # page units past the man


class PlainSeat:
    """A human hand that draws bases as Dawood-bot does and leaves its men as they were jotted."""

    skill = HUMAN

    def __init__(self, rules: Rules, side: int, forbid: tuple[Forbidden, ...] = ()) -> None:
        self.rules = rules
        self.side = side
        self.forbid = forbid
        self.k = rules.numbers

    def draw_base(self, bases: NDArray[np.void], drawn: int, rng: np.random.Generator) -> tuple[float, float] | None:
        """Draw in this side's band of the page, then wider, then anywhere."""
        return draw_base(self.k, rng, bases, drawn, self.side)

    def arrange(self, page: Page, rng: np.random.Generator) -> None:
        """Leave the men where they are."""


@dataclass(frozen=True, kw_only=True)
class RandomPlayer(Parameters):
    """Options of the player who takes a uniform legal action."""

    forbid: Annotated[tuple[Forbidden, ...], Param("what he never does")] = ()

    def take_seat(self, rules: Rules, side: int) -> RandomSeat:
        """Return the random player ready for one game."""
        return RandomSeat(rules, side, self.forbid)


class RandomSeat(PlainSeat):
    """A uniform choice of the legal actions: each man's snipe and lunge, each send, a decline where owed.

    A flick's angle and power are uniform; a send is one choice for each pair of bases and each number of men.
    """

    def act(self, page: Page, rng: np.random.Generator) -> Intent:
        """Return an action drawn uniformly."""
        men = page.can_flick()
        owed = page.chain_man != NOWHERE
        kinds = [LUNGE] if owed else [SNIPE] if "lunge" in self.forbid else [SNIPE, LUNGE]
        flicks = [(int(man), kind) for man in men for kind in kinds]
        sends = [] if page.send_used or "send" in self.forbid else self._sends(page)
        declines = int(owed and "decline" not in self.forbid)
        pick = int(rng.integers(len(flicks) + len(sends) + declines))
        if pick < len(flicks):
            man, kind = flicks[pick]
            return FlickIntent(man, kind, 2.0 * np.pi * rng.random(), rng.random())
        if pick < len(flicks) + len(sends):
            return sends[pick - len(flicks)]
        return Decline()

    def _sends(self, page: Page) -> list[Send]:
        own = [int(b) for b in np.flatnonzero(page.bases["side"] == self.side)]
        found: list[Send] = []
        for source in own:
            for target in own:
                if target != source:
                    men = going(self.rules, page, source, target)
                    found += [Send(source, target, tuple(men[:n])) for n in range(1, len(men) + 1)]
        return found


@dataclass(frozen=True, kw_only=True)
class Greedy(Parameters):
    """Options of the player who always goes for the nearest man."""

    forbid: Annotated[tuple[Forbidden, ...], Param("what he never does")] = ()

    def take_seat(self, rules: Rules, side: int) -> GreedySeat:
        """Return the greedy player ready for one game."""
        return GreedySeat(rules, side, self.forbid)


class GreedySeat(PlainSeat):
    """Snipes softly at the enemy nearest to any of his men, and takes every lunge he is owed."""

    def act(self, page: Page, rng: np.random.Generator) -> Intent:
        """Return a soft snipe along the shortest way to an enemy; he neither sends nor, unless owed, lunges."""
        men = page.men
        own, enemies = page.can_flick(), page.living(1 - self.side)
        dx = men["x"][enemies][None, :] - men["x"][own][:, None]
        dy = men["y"][enemies][None, :] - men["y"][own][:, None]
        i, j = np.unravel_index(int(np.argmin(dx * dx + dy * dy)), dx.shape)
        x, y = float(dx[i, j]), float(dy[i, j])
        kind = LUNGE if page.chain_man != NOWHERE else SNIPE
        return FlickIntent(int(own[i]), kind, atan2(y, x), power_for(self.k[0], hypot(x, y) + SOFT_MARGIN))
