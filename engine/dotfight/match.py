"""One game from the first flick to its end: whoever gives the actions, a pair of players or a record."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import Decline, Flick, Send
from engine.dotfight.adjudicate import judge_of
from engine.dotfight.log import BaseEmptied, ConvoyArrived, Entry, FlickPlayed, LungeDeclined, SendOrdered
from engine.dotfight.page import Page, count_garrisons, note_empty_rings
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
        self._garrison = np.zeros(rules.bases, np.int64)
        self._ever_empty = np.zeros(rules.bases, np.int64)
        count_garrisons(page.bases, page.men, self._garrison)

    def play(self, script: Script) -> None:
        """Play to the end."""
        while not self.page.over:
            self.step(script)

    def step(self, script: Script) -> None:
        """Play one action, and hand the pen over if the turn is done."""
        page, turn = self.page, self.page.turn
        action = script.action(page)
        if isinstance(action, Flick):
            done = self.flick(action)
        elif isinstance(action, Send):
            done = apply_send(self.rules, page, action)
            self.log.append(SendOrdered(turn, page.current, action))
        else:
            done = decline(page)
            self.log.append(LungeDeclined(turn, page.current))
        if not done:
            return
        for arrived_in, side, arrival in hand_over(self.rules, page, lambda base, n: script.jot(page, base, n)):
            self.log.append(ConvoyArrived(arrived_in, side, arrival))
        self._note_emptied(turn)

    def flick(self, flick: Flick) -> bool:
        """Play a resolved flick; return whether the turn is done."""
        page = self.page
        check_flick(page, flick)
        outcome = self._judge.judge(page.men, self._garrison, flick)
        turn, side = page.turn, page.current
        owed, links = page.chain_man == flick.man, page.chain_links
        after = apply_flick(self.rules, page, flick, outcome)
        self.log.append(
            FlickPlayed(
                turn=turn,
                side=side,
                flick=flick,
                outcome=outcome,
                links=links,
                owed=owed,
                earned=after.earned,
                exposed_inside=after.exposed_inside,
                exposed_outside=after.exposed_outside,
                kills_inside=after.kills_inside,
                kills_road=after.kills_road,
                living=(after.living_first, after.living_second),
            )
        )
        self._note_emptied(turn)
        return after.hand_over

    def _note_emptied(self, turn: int) -> None:
        """Count the garrisons anew, and note the bases that are empty rings for the first time (R2.5)."""
        known = self._ever_empty.copy()
        if note_empty_rings(self.page.bases, self.page.men, self._garrison, self._ever_empty):
            for base in np.flatnonzero(self._ever_empty != known).tolist():
                self.log.append(BaseEmptied(turn, base))
