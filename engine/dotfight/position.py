"""Positions and flicks in the form in which engines are compared: one JSON object with rules, state and flicks.

The form is that of ``rules-lab`` traces: ``id``; ``rules``, of which what is absent has its default; ``size``;
``state``; and ``flicks``, each judged on its own from that state. It says of walkers where they come from and not
where they go or how long they have walked, which no answer depends on while a road takes one enemy turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import KINDS, Flick
from engine.dotfight.page import BASE, HOME, MAN, NOWHERE, ORDERED, ROAD, Page, fresh_pen, inside_base
from engine.dotfight.record import Reader
from engine.dotfight.rules import Rules
from engine.errors import ConfigError, RecordError

STATUS: Final = {"home": HOME, "ordered": ORDERED, "road": ROAD}
MOST: Final = 10**6
"""Whole numbers that nothing else bounds go up to here."""

_SIZE: Final = ("bases_per_side", "soldiers_per_base")
_STATE: Final = (
    *("current", "turn", "flicks_left", "chain", "send_used", "last_stand_since"),
    *("bases", "men", "can_flick", "sendable"),
)


@dataclass(frozen=True)
class Position:
    """A page in the middle of a game, and flicks to judge from it.

    Attributes
    ----------
    id
        As given: a whole number or text.
    rules, page
        The rules and the state.
    flicks
        As they left the hand.
    """

    id: int | str
    rules: Rules
    page: Page
    flicks: tuple[Flick, ...]


def read_position(value: Any, where: str, geometry: str) -> Position:
    """Read a position; raises :class:`RecordError` naming what is wrong and what is allowed.

    Parameters
    ----------
    value
        Plain JSON values.
    where
        Where it stands, in front of every key.
    geometry
        Who is to adjudicate: shapely or kernel.
    """
    root = _table(Reader(value, where), ("id", "rules", "size", "state", "flicks"))
    rules = _rules(root, geometry)
    state = _table(root.get("state"), _STATE)
    bases = _bases(state.get("bases"), rules)
    current = state.get("current").whole(0, 1)
    page = Page(bases, _men(state.get("men"), rules, bases, current), fresh_pen())
    page.current = current
    page.turn = state.get("turn").whole(1, rules.max_turns)
    page.flicks_left = state.get("flicks_left").whole(1, MOST)
    page.send_used = _flag(state.get("send_used"))
    for side, since in enumerate(state.get("last_stand_since").items(2)):
        page.stand_since[side] = since.whole(0, page.turn)
    _chain(state.get("chain"), rules, page)
    _check_garrisons(state.get("bases"), page)
    for side in (0, 1):
        if not page.living(side).size:
            raise state.get("men").refuse(f"must have a living man of side {side}: this game is over (R12.1)")
    return Position(
        _id(root.get("id")),
        rules,
        page,
        tuple(_flick(flick, rules) for flick in root.get("flicks").items()),
    )


def _rules(root: Reader, geometry: str) -> Rules:
    given, size = root.get("rules"), _table(root.get("size"), _SIZE)
    if not isinstance(given.value, dict):
        raise given.refuse("must be a table")
    numbers = {name: size.get(name).whole(1, MOST) for name in _SIZE}
    if both := sorted(set(numbers) & set(given.value)):
        raise given.get(both[0]).refuse("must be said in size alone")
    try:
        return Rules.parse({**given.value, **numbers, "geometry": geometry})
    except ConfigError as error:
        table = "size" if error.key in numbers else "rules"
        raise RecordError(str(error.inside(f"{root.where}.{table}"))) from None


def _bases(readers: Reader, rules: Rules) -> NDArray[np.void]:
    bases = np.zeros(rules.bases, BASE)
    for b, base in enumerate(_by_id(readers, rules.bases, ("id", "side", "x", "y", "r", "garrison"))):
        if (radius := base.get("r")).number() != rules.base_radius:
            raise radius.refuse(f"must be the rules' base_radius, {rules.base_radius:g}")
        bases[b] = (*_place(base, rules), base.get("side").whole(0, 1))
    if np.count_nonzero(bases["side"]) != rules.bases_per_side:
        raise readers.refuse(f"must be {rules.bases_per_side} of each side")
    return bases


def _men(readers: Reader, rules: Rules, bases: NDArray[np.void], current: int) -> NDArray[np.void]:
    men = np.zeros(rules.men, MAN)
    for m, man in enumerate(_by_id(readers, rules.men, ("id", "side", "x", "y", "alive", "home", "status"))):
        side, alive = man.get("side").whole(0, 1), _flag(man.get("alive"))
        home = (base := man.get("home")).whole(0, rules.bases - 1)
        if bases["side"][home] != side:
            raise base.refuse(f"must be a base of his side, {side}")
        x, y = _place(man, rules) if alive else (man.get("x").number(), man.get("y").number())
        status = STATUS[(told := man.get("status")).text(*STATUS)]
        target, road_left = NOWHERE, 0
        if alive and status != HOME:
            if (side == current) != (status == ORDERED):
                raise told.refuse("must be home, ordered (side to move) or road (other side), R9.2")
            target, road_left = _destination(told, rules, bases, home), 1
        inside = inside_base(rules.numbers[0], bases, side, x, y) if status != ROAD else NOWHERE
        men[m] = (x, y, side, alive, inside, status, home, target, road_left)
    if np.count_nonzero(men["side"]) * 2 != rules.men:
        raise readers.refuse(f"must be {rules.men // 2} of each side")
    return men


def _destination(status: Reader, rules: Rules, bases: NDArray[np.void], home: int) -> int:
    """Return some base that a walker from ``home`` may be going to: which one, no answer tells."""
    if rules.road_turns != 1:
        raise status.refuse("must be home where road_turns is not 1: how long he has walked is not said")
    others = np.flatnonzero(bases["side"] == bases["side"][home])
    others = others[others != home]
    if not others.size:
        raise status.refuse("must be home where each side has one base")
    return int(others[0])


def _chain(chain: Reader, rules: Rules, page: Page) -> None:
    if chain.value is None:
        return
    _table(chain, ("man", "links"))
    if rules.lunge_earns != "per_lunge":
        raise chain.refuse("must be null where each kill earns a lunge: how many are owed is not said")
    man = (owed := chain.get("man")).whole(0, rules.men - 1)
    if man not in page.can_flick():
        raise owed.refuse("must be a living man of the side to move, not ordered to walk or on the road (R4.4)")
    page.chain_man, page.chain_owed = man, 1
    page.chain_links = chain.get("links").whole(1, MOST)


def _check_garrisons(readers: Reader, page: Page) -> None:
    """Refuse a garrison that R6.5 does not count so: the flicks would be judged on other walls than meant."""
    men = page.men
    manning = (men["alive"] == 1) & (men["status"] != ROAD)
    for base in readers.items():
        told = base.get("garrison")
        counted = np.flatnonzero(manning & (men["inside"] == base.value["id"])).tolist()
        if sorted(_ids(told, men.size)) != counted:
            raise told.refuse(f"must be the men that R6.5 counts there, {counted}")


def _flick(flick: Reader, rules: Rules) -> Flick:
    _table(flick, ("man", "kind", "angle", "length", "bend", "normals", "hand", "out", "after"))
    return Flick(
        man=flick.get("man").whole(0, rules.men - 1),
        kind=KINDS.index(flick.get("kind").text(*KINDS)),
        angle=flick.get("angle").number(),
        length=flick.get("length").length(),
        bend=flick.get("bend").number(),
        normals=tuple(normal.number() for normal in flick.get("normals").items()),
    )


def _table(reader: Reader, known: Sequence[str]) -> Reader:
    """Return a reader of a table that has no keys but those known."""
    if not isinstance(reader.value, dict):
        raise reader.refuse("must be a table")
    for key in reader.value:
        if key not in known:
            raise reader.get(key).refuse("unknown key; known here: " + ", ".join(known))
    return reader


def _by_id(readers: Reader, count: int, known: Sequence[str]) -> list[Reader]:
    """Return the tables of a list in order of ``id``, which must be 0 to ``count`` − 1, each once."""
    found: dict[int, Reader] = {}
    for item in readers.items(count):
        number = (reader := _table(item, known).get("id")).whole(0, count - 1)
        if number in found:
            raise reader.refuse("must be there once")
        found[number] = item
    return [found[number] for number in range(count)]


def _place(reader: Reader, rules: Rules) -> tuple[float, float]:
    """Return a place on the page."""
    return _within(reader.get("x"), rules.page_width), _within(reader.get("y"), rules.page_height)


def _within(reader: Reader, high: float) -> float:
    value = reader.number()
    if not 0.0 <= value <= high:
        raise reader.refuse(f"must be on the page, from 0 to {high:g}")
    return value


def _ids(reader: Reader, count: int) -> list[int]:
    return [item.whole(0, count - 1) for item in reader.items()]


def _flag(reader: Reader) -> bool:
    if not isinstance(reader.value, bool):
        raise reader.refuse("must be true or false")
    return reader.value


def _id(reader: Reader) -> int | str:
    if isinstance(reader.value, bool) or not isinstance(reader.value, (int, str)):
        raise reader.refuse("must be a whole number or text")
    return reader.value
