"""The decision sample, and what our Dawood-bot thinks of its positions.

This is the one file of the tests that looks into his head: it calls compiled functions of his that Python cannot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.convoy import list_going
from engine.dotfight.page import BASE, HOME, MAN, NOWHERE, ORDERED, ROAD, Page, fresh_pen
from engine.dotfight.players.dawood import LEVELS
from engine.dotfight.players.mind import fresh_mind
from engine.dotfight.players.sending import considers, send_gain
from engine.dotfight.players.sight import best_line, outlook, value_men
from engine.dotfight.players.view import look_at
from engine.dotfight.rules import Rules
from engine.jit import entry_point

SAMPLE = Path(__file__).parents[1] / "data" / "decision-sample.jsonl"
STATUS = {"home": HOME, "ordered": ORDERED, "road": ROAD}


@dataclass(frozen=True)
class Decision:
    """One position of the sample, its rules, and what the reference player thinks of it (``told``)."""

    id: int
    rules: Rules
    page: Page
    told: dict[str, Any]


def decisions() -> list[Decision]:
    return [read(json.loads(line)) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


def read(record: dict[str, Any]) -> Decision:
    rules = Rules.parse({**record["rules"], **record["size"]})
    state = record["state"]
    bases, men, pen = np.zeros(rules.bases, BASE), np.zeros(rules.men, MAN), fresh_pen()
    for base in state["bases"]:
        bases[base["id"]] = (base["x"], base["y"], base["side"])
    for man in state["men"]:
        status = STATUS[man["status"]]
        men[man["id"]] = (man["x"], man["y"], man["side"], man["alive"], NOWHERE, status, man["home"], NOWHERE, 0)
    within = np.hypot(men["x"][:, None] - bases["x"], men["y"][:, None] - bases["y"])
    within = (within <= rules.inside_reach * rules.base_radius) & (men["side"][:, None] == bases["side"])
    men["inside"] = np.where(within.any(axis=1) & (men["status"] != ROAD), within.argmax(axis=1), NOWHERE)
    pen["current"], pen["turn"], pen["flicks_left"] = state["current"], state["turn"], state["flicks_left"]
    pen["send_used"], pen["stand_since"] = state["send_used"], state["last_stand_since"]
    if state["chain"]:
        pen["chain_man"], pen["chain_links"], pen["chain_owed"] = state["chain"]["man"], state["chain"]["links"], 1
    return Decision(record["id"], rules, Page(bases, men, pen), record)


class Sight(NamedTuple):
    """What the side to move sees: best lines of either side, and the outlook if the pen passes or is kept."""

    mine: float
    theirs: float
    passed: float
    kept: float


@entry_point
def look(numbers: Any, bases: Any, men: Any, pens: Any, minds: Any) -> Sight:
    k, pen, mind = numbers[0], pens[0], minds[0]
    look_at(men, mind)
    value_men(k, bases, men, mind)
    mine = best_line(k, men, pen, pen.current, np.inf, mind)
    theirs = best_line(k, men, pen, 1 - pen.current, np.inf, mind)
    return Sight(mine, theirs, outlook(pen, mine, theirs, False), outlook(pen, mine, theirs, True))


@entry_point
def weigh(
    numbers: Any, bases: Any, men: Any, pens: Any, minds: Any, source: int, target: int, count: int, now: float
) -> tuple[int, float]:
    """Return how many may go from ``source`` to ``target``, and what sending ``count`` of them gains over ``now``."""
    k, pen, mind = numbers[0], pens[0], minds[0]
    if bases[source].side != pen.current or bases[target].side != pen.current or source == target:
        return 0, 0.0
    if not considers(bases, men, source, target):
        return 0, 0.0
    most = list_going(k, bases, men, pen, source, target, mind.ranked, mind.far)
    if count > most:
        return most, 0.0
    return most, send_gain(k, bases, men, pen, source, target, count, now, -np.inf, mind)


class Head:
    """Dawood-bot's head, at the level the sample was made with."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._mind: NDArray[np.void] = fresh_mind(rules, LEVELS["steady"].skill)

    def sees(self, page: Page) -> Sight:
        return Sight(*look(self._rules.numbers, page.bases, page.men, page.pen, self._mind))

    def worth(self, page: Page) -> NDArray[np.float64]:
        """Return what every man is worth as a target, ``(men,)``."""
        self.sees(page)
        return self._mind["worth"][0, : page.men.size].copy()

    def chance(self, distance: float, stands: bool) -> float:
        """Return the chance to hit at a distance, which he rounds to 8 units."""
        return float(self._mind["chance"][0, int(stands), int(distance / 8.0 + 0.5)])

    def sends(self, page: Page) -> Iterator[tuple[tuple[int, int, int], float]]:
        """Yield ((source, target, men), gain) of every send he considers."""
        now = self.sees(page).passed
        for source in range(self._rules.bases):
            for target in range(self._rules.bases):
                given = (self._rules.numbers, page.bases, page.men, page.pen, self._mind, source, target)
                most, _ = weigh(*given, self._rules.men + 1, now)
                for count in sorted({1, (most + 1) // 2, most}) if most else ():
                    yield (source, target, count), weigh(*given, count, now)[1]
