"""A game as JSON: rules, players, seed, the page at the first flick, and every action as resolved (R1.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import KINDS, Action, Arrival, Decline, Flick, Send
from engine.dotfight.page import BASE, Page, fresh_pen
from engine.dotfight.placing import SLACK, base_fault, men_out_of_the_jotted_disc, note_who_is_inside, place_fault
from engine.dotfight.rules import Rules
from engine.dotfight.setup import first_turn, muster
from engine.errors import ConfigError, GameError, RecordError

SCHEMA = "dotfight-record/1"

_MOST = 1e9
_LEAST_LENGTH = 1e-20
"""Below what any rules allow a flick (R5.1, R5.3); of far shorter ones the squares are 0."""


@dataclass(frozen=True)
class Origin:
    """Where a game came from: who played, with which options, and its place in an experiment."""

    players: tuple[dict[str, Any], dict[str, Any]]
    seed: int
    index: int


def write_record(rules: Rules, origin: Origin, start: Page, actions: Sequence[Action], end: Page) -> dict[str, Any]:
    """Return a game as plain JSON values; doubles are kept in full."""
    return {
        "schema": SCHEMA,
        "game": "dotfight",
        "rules": rules.table(),
        "players": {"first": origin.players[0], "second": origin.players[1]},
        "seed": origin.seed,
        "index": origin.index,
        "bases": [[float(b["x"]), float(b["y"])] for b in start.bases],
        "men": [[float(m["x"]), float(m["y"])] for m in start.men],
        "actions": [write_action(action) for action in actions],
        "result": {
            "winner": (None, "first", "second")[end.winner + 1],
            "stalled": bool(end.stalled),
            "turns": end.turn,
        },
    }


def write_action(action: Action) -> dict[str, Any]:
    """Return one action as plain values."""
    if isinstance(action, Flick):
        return {
            "do": KINDS[action.kind],
            "man": action.man,
            "angle": action.angle,
            "length": action.length,
            "bend": action.bend,
            "normals": list(action.normals),
        }
    if isinstance(action, Send):
        return {"do": "send", "from": action.source, "to": action.target, "men": list(action.men)}
    if isinstance(action, Arrival):
        return {
            "do": "arrive",
            "base": action.base,
            "men": list(action.men),
            "spots": [list(spot) for spot in action.spots],
        }
    return {"do": "decline"}


class Reader:
    """Reads plain values strictly; every refusal says where."""

    def __init__(self, value: Any, where: str) -> None:
        self.value = value
        self.where = where

    def refuse(self, allowed: str) -> RecordError:
        """Return the error that says what is allowed here."""
        shown = repr(self.value)
        return RecordError(f"{self.where} = {shown[:80]}: {allowed}")

    def get(self, key: str) -> Reader:
        """Return the value under ``key`` of a table."""
        if not isinstance(self.value, Mapping):
            raise self.refuse("must be a table")
        if key not in self.value:
            raise RecordError(f"{self.where}.{key}: missing")
        return Reader(self.value[key], f"{self.where}.{key}")

    def items(self, count: int | None = None) -> list[Reader]:
        """Return the members of a list, of which there must be ``count``."""
        if not isinstance(self.value, list) or (count is not None and len(self.value) != count):
            raise self.refuse("must be a list" + ("" if count is None else f" of {count}"))
        return [Reader(item, f"{self.where}[{i}]") for i, item in enumerate(self.value)]

    def number(self) -> float:
        """Return a finite number."""
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
            raise self.refuse("must be a number")
        # So written, NaN is refused too, and a whole number too large to be a float.
        if not abs(self.value) <= _MOST:
            raise self.refuse("must be a finite number")
        return float(self.value)

    def length(self) -> float:
        """Return the length of a flick."""
        if (value := self.number()) < _LEAST_LENGTH:
            raise self.refuse(f"must be above 0, {_LEAST_LENGTH:g} at least")
        return value

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not low <= self.value <= high:
            raise self.refuse(f"must be a whole number from {low} to {high}")
        return self.value

    def switch(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            raise self.refuse("must be true or false")
        return self.value

    def text(self, *choices: str) -> str:
        """Return one of ``choices``."""
        if self.value not in choices:
            raise self.refuse("must be one of " + ", ".join(choices))
        return self.value

    def places(self, count: int | None = None) -> NDArray[np.float64]:
        """Return ``(count, 2)`` places."""
        rows = [[xy.number() for xy in row.items(2)] for row in self.items(count)]
        return np.array(rows).reshape(len(rows), 2)


def read_action(reader: Reader, rules: Rules) -> Action:
    """Read one action; raises :class:`RecordError`."""
    man = rules.men - 1
    base = rules.bases - 1
    do = reader.get("do").text(*KINDS, "send", "arrive", "decline")
    if do in KINDS:
        return Flick(
            man=reader.get("man").whole(0, man),
            kind=KINDS.index(do),
            angle=reader.get("angle").number(),
            length=reader.get("length").length(),
            bend=reader.get("bend").number(),
            normals=tuple(normal.number() for normal in reader.get("normals").items()),
        )
    if do == "decline":
        return Decline()
    men = tuple(item.whole(0, man) for item in reader.get("men").items())
    if do == "send":
        return Send(reader.get("from").whole(0, base), reader.get("to").whole(0, base), men)
    spots = reader.get("spots").places(len(men))
    return Arrival(reader.get("base").whole(0, base), men, tuple((float(x), float(y)) for x, y in spots))


class RecordedScript:
    """The actions of a record, one after the other (:class:`engine.dotfight.match.Script`)."""

    def __init__(self, rules: Rules, actions: Sequence[Action]) -> None:
        self._reach = rules.jot_radius + SLACK
        self._actions = list(actions)
        self._next = 0

    @property
    def finished(self) -> bool:
        """Whether every action has been played."""
        return self._next == len(self._actions)

    def _take(self) -> Action:
        if self.finished:
            raise RecordError(f"record.actions: ends after {self._next} actions, before the game is over")
        self._next += 1
        return self._actions[self._next - 1]

    def action(self, page: Page) -> Flick | Send | Decline:
        """Return the next action."""
        action = self._take()
        if isinstance(action, Arrival):
            raise RecordError(f"record.actions[{self._next - 1}]: an arrival, but no convoy is due")
        return action

    def jot(self, page: Page, base: int, count: int) -> NDArray[np.float64]:
        """Return the spots of the next arrival."""
        action = self._take()
        where = f"record.actions[{self._next - 1}]"
        if not isinstance(action, Arrival) or action.base != base or len(action.men) != count:
            raise RecordError(f"{where}: {count} men arrive at base {base} here, the record differs")
        spots, home = np.array(action.spots).reshape(count, 2), page.bases[base]
        if np.any(np.hypot(spots[:, 0] - home["x"], spots[:, 1] - home["y"]) > self._reach):
            raise RecordError(f"{where}.spots: must lie in base {base} (R2.3, R9.3)")
        return spots


@dataclass(frozen=True)
class ReadRecord:
    """A record that has been read: everything to play it again."""

    rules: Rules
    origin: Origin
    start: Page
    actions: list[Action]
    result: tuple[str | None, bool, int]


def read_record(record: Mapping[str, Any]) -> ReadRecord:
    """Read a record; raises :class:`RecordError` naming what is wrong, never anything else."""
    root = Reader(record, "record")
    root.get("schema").text(SCHEMA)
    root.get("game").text("dotfight")
    table = root.get("rules")
    if not isinstance(table.value, Mapping):
        raise table.refuse("must be a table")
    try:
        rules = Rules.parse(table.value)
    except ConfigError as error:
        raise RecordError(str(error.inside("record.rules"))) from error
    places = root.get("bases").places(rules.bases)
    bases = np.zeros(rules.bases, BASE)
    bases["x"], bases["y"] = places[:, 0], places[:, 1]
    bases["side"] = np.arange(rules.bases) % 2
    spots = root.get("men").places(rules.men)
    page = Page(bases, muster(bases, np.repeat(np.arange(rules.bases), rules.soldiers_per_base), spots), fresh_pen())
    note_who_is_inside(rules, page)
    for b, base in enumerate(bases):
        fault = base_fault(rules, bases[:b], int(base["side"]), float(base["x"]), float(base["y"]))
        if fault:
            raise RecordError(f"record.bases[{b}]: {fault} (R2.2)")
    fault = place_fault(rules, page, men_out_of_the_jotted_disc(rules, page))
    if fault:
        raise RecordError(f"record.men: {fault} (R3.2)")
    first_turn(rules, page)
    players = root.get("players")
    names = (players.get("first").value, players.get("second").value)
    if not all(isinstance(name, Mapping) for name in names):
        raise players.refuse("must name the players of both seats")
    origin = Origin(
        (dict(names[0]), dict(names[1])),
        root.get("seed").whole(0, 2**128),
        root.get("index").whole(0, 2**63),
    )
    actions = [read_action(action, rules) for action in root.get("actions").items()]
    result = root.get("result")
    winner = result.get("winner")
    ended = (
        None if winner.value is None else winner.text("first", "second"),
        result.get("stalled").switch(),
        result.get("turns").whole(1, rules.max_turns),
    )
    return ReadRecord(rules, origin, page, actions, ended)


def guarded(play: Callable[[], None]) -> None:
    """Turn an illegal action in a record into a :class:`RecordError`."""
    try:
        play()
    except GameError as error:
        raise RecordError(f"record.actions: {error}") from error
