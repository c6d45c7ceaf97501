"""Small pages of Dotfight laid out by hand, so that a reader can check every number of a test.

Bases alternate between the sides as they are drawn: an even number is first's, an odd one second's. The men of base b
have the numbers b·k, b·k + 1, … with k men a base, and whoever is not placed has been crossed out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import pi
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE, SNIPE, Decline, Flick, Intent, Send
from engine.dotfight.adjudicate import judge_of
from engine.dotfight.game import LiveScript
from engine.dotfight.hand import HUMAN, resolve
from engine.dotfight.log import BaseEmptied, Entry
from engine.dotfight.match import Match
from engine.dotfight.outcome import KIND_NAMES, Outcome
from engine.dotfight.page import BASE, HOME, MAN, NOWHERE, ROAD, Page, count_garrisons, fresh_pen
from engine.dotfight.rules import Rules
from engine.rng import Purpose, Streams

RIGHT, DOWN, LEFT, UP = 0.0, pi / 2, pi, -pi / 2

FIRST, SECOND = 0, 1

approx = pytest.approx
both_geometries = pytest.mark.parametrize("geometry", ["shapely", "kernel"])

OUT_OF_THE_WAY = ((500.0, 1500.0), (500.0, 200.0))
"""A base of either side, far from the line y = 850 that most tests flick along."""

START = (138.0, 850.0)
AHEAD = (500.0, 850.0)
"""A base whose walls lie 300 and 424 to the right of START, its centre 362."""

OFF_THE_LINE = tuple((x, y) for y in (-35.0, 35.0) for x in (-30.0, -10.0, 10.0, 30.0))
"""Where a garrison stands about its base's centre: inside, and out of reach of the horizontal through it."""


class Met(NamedTuple):
    """One event along a line, as tests write it down."""

    kind: str
    ref: int
    d: float


class Script:
    """One action, and spots for whoever arrives meanwhile."""

    def __init__(self, action: Flick | Send | Decline) -> None:
        self._action = action

    def action(self, page: Page) -> Flick | Send | Decline:
        return self._action

    def jot(self, page: Page, base: int, count: int) -> NDArray[np.float64]:
        at = page.bases[base]
        return np.array([(at["x"] + x, at["y"] + y) for x, y in OFF_THE_LINE[:count]])


class Scene:
    """A page, its rules, and whoever is placed on it.

    Parameters
    ----------
    centres
        Where the bases are; the two of :data:`OUT_OF_THE_WAY` where none is named.
    settings
        Rules other than the defaults. A few men are not in their last stand here unless ``last_stand_at`` says so.
    """

    def __init__(self, *centres: tuple[float, float], **settings: Any) -> None:
        centres = centres or OUT_OF_THE_WAY
        self.rules = Rules(**{"bases_per_side": len(centres) // 2, "last_stand_at": 0, **settings})
        bases, men = np.zeros(self.rules.bases, BASE), np.zeros(self.rules.men, MAN)
        for b, (x, y) in enumerate(centres):
            bases[b] = (x, y, b % 2)
        men["home"] = np.repeat(np.arange(self.rules.bases), self.rules.soldiers_per_base)
        men["side"] = men["home"] % 2
        men["inside"] = men["target"] = NOWHERE
        self.page = Page(bases, men, fresh_pen())

    def man(self, base: int, x: float, y: float, status: int = HOME) -> int:
        """Place the next man of a base and return his number."""
        men, bases = self.page.men, self.page.bases
        m = int(np.flatnonzero((men["home"] == base) & (men["alive"] == 0))[0])
        within = np.hypot(bases["x"] - x, bases["y"] - y) <= self.rules.inside_reach * self.rules.base_radius
        own = np.flatnonzero(within & (bases["side"] == base % 2))
        inside = own[0] if own.size and status != ROAD else NOWHERE
        men[m] = (x, y, base % 2, 1, inside, status, base, NOWHERE, 0)
        return m

    def garrison(self, base: int, count: int, status: int = HOME) -> list[int]:
        """Place men inside their base, out of reach of a horizontal line through its centre."""
        at = self.page.bases[base]
        return [self.man(base, at["x"] + x, at["y"] + y, status) for x, y in OFF_THE_LINE[:count]]

    def snipe(self, man: int, angle: float, length: float, bend: float = 0.0) -> Outcome:
        """Return what a snipe would do."""
        return self.judge(Flick(man, SNIPE, angle, length, bend))

    def lunge(
        self, man: int, angle: float, length: float, bend: float = 0.0, normals: Sequence[float] = (0.0,)
    ) -> Outcome:
        """Return what a lunge would do; ``normals`` are the deviates of its jolts."""
        return self.judge(Flick(man, LUNGE, angle, length, bend, tuple(normals)))

    def judge(self, flick: Flick) -> Outcome:
        garrison = np.zeros(self.rules.bases, np.int64)
        count_garrisons(self.page.bases, self.page.men, garrison)
        return judge_of(self.rules, self.page.bases).judge(self.page.men, garrison, flick)

    @cached_property
    def match(self) -> Match:
        return Match(self.rules, self.page)

    def play(self, *actions: Flick | Send | Decline) -> list[Entry]:
        """Play actions and return what the log says of them, bases that were emptied left out."""
        before = len(self.match.log)
        for action in actions:
            self.match.step(Script(action))
        return [entry for entry in self.match.log[before:] if not isinstance(entry, BaseEmptied)]

    def play_snipe(self, man: int, angle: float, length: float, bend: float = 0.0) -> list[Entry]:
        return self.play(Flick(man, SNIPE, angle, length, bend))

    def play_lunge(
        self, man: int, angle: float, length: float, bend: float = 0.0, normals: Sequence[float] = (0.0,)
    ) -> list[Entry]:
        return self.play(Flick(man, LUNGE, angle, length, bend, tuple(normals)))

    def place(self, man: int) -> tuple[float, float]:
        return float(self.page.men["x"][man]), float(self.page.men["y"][man])

    def places(self, men: Sequence[int]) -> NDArray[np.float64]:
        """Return where men stand, ``(n, 2)``."""
        return np.array([self.place(man) for man in men])

    def alive(self, man: int) -> bool:
        return bool(self.page.men["alive"][man])


class Puppet:
    """A seat that does as it is told, one intent after the other, with a human hand."""

    def __init__(self, *intents: Intent) -> None:
        self.skill = HUMAN
        self._intents = list(intents)

    def draw_base(self, bases: NDArray[np.void], drawn: int, rng: np.random.Generator) -> tuple[float, float] | None:
        raise NotImplementedError

    def arrange(self, page: Page, rng: np.random.Generator) -> None:
        raise NotImplementedError

    def act(self, page: Page, rng: np.random.Generator) -> Intent:
        return self._intents.pop(0)


def live(rules: Rules, first: Sequence[Intent] = (), second: Sequence[Intent] = (), seed: int = 1) -> LiveScript:
    """Return a script whose players are told what to do and whose chance is real."""
    streams = Streams(seed, 0)
    return LiveScript(rules, (Puppet(*first), Puppet(*second)), streams, streams.stream(Purpose.SETUP))


def met(outcome: Outcome) -> list[Met]:
    """Return the events of a line in order."""
    return [Met(KIND_NAMES[event["kind"]], int(event["ref"]), float(event["d"])) for event in outcome.events]


def costs(outcome: Outcome) -> list[float]:
    """Return what each event cost: a share of the rest for a snipe, shake in rad for a lunge."""
    return outcome.events["cost"].tolist()


def end(outcome: Outcome) -> tuple[float, float]:
    """Return where a line ends."""
    return outcome.ending.end_x, outcome.ending.end_y


def resolved(
    rules: Rules,
    power: float,
    *,
    steady: bool = False,
    links: int = 0,
    angle_normal: float = 0.0,
    length_normal: float = 0.0,
    bend_uniform: float = 0.5,
) -> tuple[float, float, float]:
    """Return (angle, length, bend) of a human hand's flick meant at angle 0, its chance given."""
    chance = (angle_normal, length_normal, bend_uniform)
    return resolve(rules.numbers, *HUMAN, 0.0, power, steady, links, *chance)
