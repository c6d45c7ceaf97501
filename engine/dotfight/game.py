"""Dotfight as the lab sees it (:class:`engine.game.Game`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE, Action, Decline, Flick, FlickIntent, Send
from engine.dotfight.duel import Duel
from engine.dotfight.hand import JOLTS, resolve
from engine.dotfight.jot import jot_convoy
from engine.dotfight.log import ConvoyArrived, Entry, FlickPlayed, LungeDeclined, SendOrdered
from engine.dotfight.match import Match
from engine.dotfight.page import Page
from engine.dotfight.players import PLAYERS
from engine.dotfight.players.dawood import DawoodSeat
from engine.dotfight.players.seat import Player, Seat
from engine.dotfight.record import Origin, RecordedScript, guarded, read_record, write_record
from engine.dotfight.rules import Rules
from engine.dotfight.setup import set_up, setup_stream
from engine.errors import RecordError
from engine.parameters import Parameters
from engine.rng import DECISIONS, HAND, Streams


@dataclass(frozen=True)
class Played:
    """A game of Dotfight played to its end: where it began, what happened, where it ended."""

    rules: Rules
    origin: Origin
    start: Page
    log: Sequence[Entry]
    end: Page

    def actions(self) -> list[Action]:
        """Return the actions in order, chance resolved."""
        found: list[Action] = []
        for entry in self.log:
            if isinstance(entry, FlickPlayed):
                used = min(entry.outcome.ending.jolts, len(entry.flick.normals))
                flick = entry.flick
                found.append(Flick(flick.man, flick.kind, flick.angle, flick.length, flick.bend, flick.normals[:used]))
            elif isinstance(entry, SendOrdered):
                found.append(entry.send)
            elif isinstance(entry, LungeDeclined):
                found.append(Decline())
            elif isinstance(entry, ConvoyArrived):
                found.append(entry.arrival)
        return found

    def record(self) -> dict[str, Any]:
        """Return the game as plain JSON values."""
        return write_record(self.rules, self.origin, self.start, self.actions(), self.end)


class LiveScript:
    """Two players and the chance of one game (:class:`engine.dotfight.match.Script`)."""

    def __init__(self, rules: Rules, seats: tuple[Seat, Seat], streams: Streams, jotting: np.random.Generator) -> None:
        self._rules = rules
        self._seats = seats
        self._decisions = [streams.stream(purpose) for purpose in DECISIONS]
        self._hands = [streams.stream(purpose) for purpose in HAND]
        self._jotting = jotting

    def action(self, page: Page) -> Flick | Send | Decline:
        """Ask the side to move, and let the hand have its say (R5)."""
        now = page.moment
        side = now.current
        intent = self._seats[side].act(page, self._decisions[side])
        if not isinstance(intent, FlickIntent):
            return intent
        hand = self._hands[side]
        normals = hand.standard_normal(2 + JOLTS).tolist()
        angle, length, bend = resolve(
            self._rules.numbers,
            *self._seats[side].skill,
            intent.angle,
            intent.power,
            bool(now.stand_since[side]),
            now.chain_links,
            normals[0],
            normals[1],
            hand.random(),
        )
        jolts = tuple(normals[2:]) if intent.kind == LUNGE else ()
        return Flick(intent.man, intent.kind, angle, length, bend, jolts)

    def jot(self, page: Page, base: int, count: int) -> NDArray[np.float64]:
        """Jot an arriving convoy, clear of every living man (R9.3)."""
        return jot_convoy(self._rules, self._jotting, page, base, count)


class Dotfight:
    """The game of Dotfight."""

    name = "dotfight"
    rules = Rules
    players: Mapping[str, type[Parameters]] = PLAYERS
    default_player = "dawood"

    def play(self, rules: Rules, players: tuple[Parameters, Parameters], streams: Streams) -> Played:
        """Play one game between two players' options; raises :class:`engine.errors.GameError`."""
        first, second = (cast(Player, options).take_seat(rules, side) for side, options in enumerate(players))
        jotting = setup_stream(streams)
        page = set_up(rules, (first, second), streams, jotting)
        start = page.copy()
        if isinstance(first, DawoodSeat) and isinstance(second, DawoodSeat):
            log = Duel(rules, page, (first, second), streams, jotting).play()
        else:
            match = Match(rules, page)
            match.play(LiveScript(rules, (first, second), streams, jotting))
            log = match.log
        origin = Origin((_named(players[0]), _named(players[1])), streams.seed, streams.index)
        return Played(rules, origin, start, log, page)

    def replay(self, record: Mapping[str, Any]) -> Played:
        """Play a record again; raises :class:`engine.errors.RecordError` where it is not one or does not end so."""
        read = read_record(record)
        page = read.start.copy()
        match = Match(read.rules, page)
        script = RecordedScript(read.rules, read.actions)
        guarded(lambda: match.play(script))
        if not script.finished:
            raise RecordError("record.actions: go on after the game is over")
        ended = ((None, "first", "second")[page.winner + 1], bool(page.stalled), page.turn)
        if ended != read.result:
            raise RecordError(f"record.result: says {read.result}, the actions give {ended}")
        played = Played(read.rules, read.origin, read.start, match.log, page)
        for i, (given, done) in enumerate(zip(read.actions, played.actions(), strict=True)):
            if given != done:
                raise RecordError(f"record.actions[{i}]: says {given}, what comes of it is {done}")
        return played


def _named(options: Parameters) -> dict[str, Any]:
    name = next(name for name, kind in PLAYERS.items() if kind is type(options))
    return {"name": name, **options.table()}


DOTFIGHT = Dotfight()
