"""One game from the first flick to its end: whoever gives the actions, a pair of players or a record."""

from __future__ import annotations

from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import Decline, Flick, Send
from engine.dotfight.adjudicate import judge_of
from engine.dotfight.log import BaseEmptied, ConvoyArrived, Entry, FlickPlayed, LungeDeclined, SendOrdered
from engine.dotfight.page import Garrisons, Moment, Page, bases_in, note_empty_rings
from engine.dotfight.rules import Rules
from engine.dotfight.turn import apply_flick, apply_send, check_flick, decline, hand_over


class Script(Protocol):
    """Where the actions of a game come from, chance already resolved."""

    def action(self, page: Page) -> Flick | Send | Decline:
        """Return the next action of the side to move."""
        ...

    def jot(self, page: Page, base: int, count: int) -> NDArray[np.float64]:
        """Return ``(count, 2)`` spots for a convoy arriving at ``base``, clear of everyone (R9.3)."""
        ...


class Match:
    """A game in progress: the page, its rules and the log so far."""

    def __init__(self, rules: Rules, page: Page) -> None:
        self.rules = rules
        self.page = page
        self.log: list[Entry] = []
        self._judge = judge_of(rules, page.bases)
        self._garrisons = Garrisons(page)

    def play(self, script: Script) -> None:
        """Play to the end."""
        while not self.page.over:
            self.step(script)

    def step(self, script: Script) -> None:
        """Play one action, and hand the pen over if the turn is done."""
        page, now = self.page, self.page.moment
        action = script.action(page)
        if isinstance(action, Flick):
            done = self._flick(action, now)
        elif isinstance(action, Send):
            done = apply_send(self.rules, page, action)
            self.log.append(SendOrdered(now.turn, now.current, action))
        else:
            done = decline(page)
            self.log.append(LungeDeclined(now.turn, now.current))
        if not done:
            return
        for arrived_in, side, arrival in hand_over(self.rules, page, partial(script.jot, page)):
            self.log.append(ConvoyArrived(arrived_in, side, arrival))
        emptied = note_empty_rings(page.bases, page.men, self._garrisons.now, self._garrisons.ever_empty)
        self._note_emptied(emptied, now.turn)

    def _flick(self, flick: Flick, now: Moment) -> bool:
        """Play a resolved flick from ``now``; return whether the turn is done."""
        page = self.page
        check_flick(page, flick)
        outcome = self._judge.judge(page.men, self._garrisons.now, flick)
        after = apply_flick(self.rules, page, self._garrisons, flick, outcome)
        self.log.append(
            FlickPlayed(
                turn=now.turn,
                side=now.current,
                flick=flick,
                outcome=outcome,
                links=now.chain_links,
                owed=now.chain_man == flick.man,
                earned=after.earned,
                exposed_inside=after.exposed_inside,
                exposed_outside=after.exposed_outside,
                kills_inside=after.kills_inside,
                kills_road=after.kills_road,
                living=(after.living_first, after.living_second),
            )
        )
        self._note_emptied(after.emptied, now.turn)
        return after.hand_over

    def _note_emptied(self, emptied: int, turn: int) -> None:
        for base in bases_in(emptied):
            self.log.append(BaseEmptied(turn, base))
