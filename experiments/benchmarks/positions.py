"""Positions of real games for benchmarks, with what Dawood-bot makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.dotfight.actions import Decline, Flick, Send
from engine.dotfight.game import DOTFIGHT
from engine.dotfight.match import Match
from engine.dotfight.page import Garrisons, Page
from engine.dotfight.players.dawood import Dawood, DawoodSeat
from engine.dotfight.record import RecordedScript
from engine.dotfight.rules import Rules
from engine.rng import Streams

SEED = 11


@dataclass(frozen=True)
class Position:
    """A page at somebody's pen, what was done there, and a seat that has just decided there."""

    page: Page
    action: Flick | Send | Decline
    seat: DawoodSeat


@dataclass(frozen=True)
class Look:
    """A script that keeps each page as it asks for the next action of a record."""

    script: RecordedScript
    seen: list[tuple[Page, Flick | Send | Decline]]

    def action(self, page: Page) -> Flick | Send | Decline:
        """Return the next action, and keep the page."""
        before = page.copy()
        action = self.script.action(page)
        self.seen.append((before, action))
        return action

    def jot(self, page: Page, base: int, count: int) -> Any:
        """Return the spots of the next arrival."""
        return self.script.jot(page, base, count)


def positions(rules: Rules, games: int) -> Iterator[list[Position]]:
    """Yield the positions of some games, game by game."""
    for index in range(games):
        played = DOTFIGHT.play(rules, (Dawood(), Dawood()), Streams(SEED, index))
        look = Look(RecordedScript(rules, played.actions()), [])
        Match(rules, played.start.copy()).play(look)
        found: list[Position] = []
        for number, (page, action) in enumerate(look.seen):
            seat = Dawood().take_seat(rules, page.current)
            seat.mind = seat.mind.copy()  # apart from those of the other positions
            seat.act(page, np.random.default_rng((SEED, index, number)))
            found.append(Position(page, action, seat))
        yield found


def garrison_of(page: Page) -> Any:
    """Return each base's garrison, ``(bases,)``."""
    return Garrisons(page).now
