"""One game from the first flick to its end: whoever gives the actions, a pair of players or a record."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import Decline, Flick, Send
from engine.dotfight.adjudicate import adjudicate
from engine.dotfight.log import BaseEmptied, ConvoyArrived, Entry, FlickPlayed, LungeDeclined, SendOrdered
from engine.dotfight.outcome import MAN_HIT, Events
from engine.dotfight.page import ROAD, Men, Page, count_garrisons
from engine.dotfight.rules import Rules, numbers
from engine.dotfight.turn import apply_flick, apply_send, decline, hand_over, head_count
from engine.errors import GameError
from engine.jit import entry_point


class Script(Protocol):
    """Where the actions of a game come from, chance already resolved."""

    def action(self, page: Page) -> Flick | Send | Decline:
        """Return the next action of the side to move."""
        ...

    def jot(self, page: Page, base: int, count: int) -> NDArray[np.float64]:
        """Return ``(count, 2)`` spots for a convoy arriving at ``base``, clear of everyone (R9.3)."""
        ...


@entry_point
def exposure(men: Men, side: int) -> tuple[int, int]:
    """Return the living enemies of ``side`` in their own base's garrison, and the others."""
    inside = outside = 0
    for m in range(men.shape[0]):
        if men[m].alive and men[m].side != side:
            if men[m].inside >= 0 and men[m].status != ROAD:
                inside += 1
            else:
                outside += 1
    return inside, outside


@entry_point
def count_kills(men: Men, side: int, events: Events) -> tuple[int, int]:
    """Return how many of the enemies crossed out were in their base's garrison, and how many on the road."""
    inside = road = 0
    for i in range(events.shape[0]):
        if events[i].kind == MAN_HIT and men[events[i].ref].side != side:
            man = men[events[i].ref]
            if man.status == ROAD:
                road += 1
            elif man.inside >= 0:
                inside += 1
    return inside, road


class Match:
    """A game in progress: the page, its rules and the log so far."""

    def __init__(self, rules: Rules, page: Page) -> None:
        self.rules = rules
        self.page = page
        self.log: list[Entry] = []
        self._k = numbers(rules)
        self._garrison = np.zeros(rules.bases, np.int64)
        self._emptied = np.zeros(rules.bases, bool)

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
        arrivals = hand_over(self.rules, self._k, page, lambda base, count: script.jot(page, base, count))
        for arrived_in, side, arrival in arrivals:
            self.log.append(ConvoyArrived(arrived_in, side, arrival))
        self._note_emptied(turn)

    def flick(self, flick: Flick) -> bool:
        """Play a resolved flick; return whether the turn is done."""
        page, k = self.page, self._k
        self._check_flick(flick)
        count_garrisons(page.bases, page.men, self._garrison)
        outcome = adjudicate(self.rules, page.bases, page.men, self._garrison, flick)
        turn, side = page.turn, page.current
        owed, links = page.chain_man == flick.man, page.chain_links
        exposed = exposure(page.men, side)
        kills = count_kills(page.men, side, outcome.events)
        after = apply_flick(self.rules, k, page, flick, outcome)
        self.log.append(
            FlickPlayed(
                turn=turn,
                side=side,
                flick=flick,
                outcome=outcome,
                links=links,
                owed=owed,
                earned=after.earned,
                exposed_inside=exposed[0],
                exposed_outside=exposed[1],
                kills_inside=kills[0],
                kills_road=kills[1],
                living=head_count(page.men),
            )
        )
        self._note_emptied(turn)
        return after.hand_over

    def _check_flick(self, flick: Flick) -> None:
        page = self.page
        if not 0 <= flick.man < page.men.size:
            raise GameError(f"there is no man {flick.man}")
        man = page.men[flick.man]
        fault = ""
        if man["side"] != page.current:
            fault = "it is not his side's turn"
        elif not man["alive"]:
            fault = "he is crossed out"
        elif man["status"]:
            fault = "he is ordered to walk or on the road"
        elif page.chain_man not in (-1, flick.man):
            fault = f"man {page.chain_man} is owed a lunge"
        elif page.chain_man == flick.man and flick.kind == 0:
            fault = "he is owed a lunge, not a snipe"
        if fault:
            raise GameError(f"man {flick.man} may not flick in turn {page.turn}: {fault} (R4.4)")

    def _note_emptied(self, turn: int) -> None:
        if self._emptied.all():
            return
        count_garrisons(self.page.bases, self.page.men, self._garrison)
        for base in np.flatnonzero((self._garrison == 0) & ~self._emptied):
            self._emptied[base] = True
            self.log.append(BaseEmptied(turn, int(base)))
