"""Playing until a metric is known well enough: the rule, the looks at which it is asked, and where it stopped.

A rule is asked after fixed numbers of games, of the first so many by index. So a run stops after the same game
whatever the workers, the batches and the interruptions. The interval it goes by holds at every look at once
(:mod:`lab.stats.sequential`), which an ordinary interval does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.errors import ConfigError
from lab.errors import RunError
from lab.estimators import Columns, Estimator, Mean, Proportion, Ratio, present
from lab.games import adapter_of
from lab.games.adapter import Metric
from lab.results.files import read_json, write_json
from lab.results.folder import Folder
from lab.results.run import Run
from lab.schemas import breaches, published
from lab.stats.intervals import Interval, Undefined
from lab.stats.sequential import Until, mean_sequence, proportion_sequence, ratio_sequence

if TYPE_CHECKING:
    from lab.results.store import Store

SCHEMA: Final = "rules-lab/until/1"
OPTION: Final = "--until"
FILE: Final = "until.json"
"""In a run folder: the rules it was played until, and where each stopped."""

FIRST_LOOK: Final = 100
MOST_GAMES: Final = 100_000


def looks(most: int) -> Iterator[int]:
    """Yield the numbers of games at which a rule is asked: hundreds at first, then a tenth more each; last ``most``."""
    games = FIRST_LOOK
    while games < most:
        yield games
        games += max(FIRST_LOOK, games // 1000 * 100)
    yield most


@dataclass(frozen=True)
class Look:
    """What a rule said after so many games.

    Attributes
    ----------
    rule
        The rule's text.
    games
        How many games it was asked of.
    estimate
        The metric by its confidence sequence.
    met
        Whether that is narrow enough.
    """

    rule: str
    games: int
    estimate: Interval | Undefined
    met: bool


@dataclass(frozen=True)
class StoppingRule:
    """A rule about one metric of a game."""

    until: Until
    metric: Metric

    @classmethod
    def parse(cls, text: str, game: str) -> StoppingRule:
        """Read a rule for a game, e.g. ``first_player_wins half-width 0.01``; raises :class:`ConfigError`.

        The half-width of a share (unit %) is a number below ½, 0.01 being one point; of any other metric it is in
        the metric's unit.
        """
        try:
            until = Until.parse(text)
        except ConfigError as error:
            raise ConfigError(OPTION, text, error.allowed) from None
        known = {metric.name: metric for metric in adapter_of(game).metrics if _watchable(metric.estimator)}
        if until.metric not in known:
            allowed = "must name a metric of the game that has a confidence sequence: " + ", ".join(known)
            raise ConfigError(OPTION, text, allowed)
        metric = known[until.metric]
        if isinstance(metric.estimator, Proportion) and until.half_width >= 0.5:
            raise ConfigError(OPTION, text, "must have a half-width below 0.5: of a share, 0.01 is one point")
        return cls(until, metric)

    def ask(self, folder: Folder, games: int) -> Look:
        """Say what the first ``games`` games in a folder make of the rule; games that failed are left out."""
        columns = Run(folder.path).columns(["game", *self.metric.estimator.columns])
        first = columns["game"] < games
        estimate = _sequence(self.metric.estimator, {name: values[first] for name, values in columns.items()})
        return Look(str(self.until), games, estimate, self.until.met(estimate))

    def foreseen(self, look: Look, most: int) -> int:
        """Return about how many games it will take, going by a look: half-widths shrink as the root of the games."""
        if isinstance(look.estimate, Undefined):
            return min(most, 2 * look.games)
        share = look.estimate.half_width / self.until.half_width
        return min(most, math.ceil(look.games * max(1.0, share) ** 2))


class Patience:
    """How many games a store is still to be filled with before a rule lets go of it."""

    def __init__(self, rule: StoppingRule, store: Store, most: int) -> None:
        self._rule, self._store, self._most = rule, store, most
        self._looks = looks(most)
        self._next = next(self._looks)
        self.foreseen = self._next
        """About how many games there will be in all."""

    def missing(self) -> list[tuple[int, int]]:
        """Return the ranges of games to play next: none once the rule is met, or there are as many as may be.

        Notes in the folder where that was.
        """
        while True:
            self._store.want(self._next)
            if missing := self._store.missing():
                return missing
            look = self._rule.ask(self._store.folder, self._next)
            following = next(self._looks, None)
            if look.met or following is None:
                _note(self._store.folder, look)
                return []
            self._next = following
            self.foreseen = max(following, self._rule.foreseen(look, self._most))


def stops_of(folder: Folder) -> list[Look]:
    """Return where the rules stopped that a folder was played until."""
    return [_look(entry) for entry in _entries(folder)]


def look_text(look: Look, metric: Metric) -> str:
    """Return in a line where a rule stopped."""
    scale = 100.0 if metric.unit == "%" else 1.0
    verb = "met" if look.met else "not met"
    if isinstance(look.estimate, Undefined):
        said = look.estimate.reason
    else:
        shown = (f"{scale * value:.5g}" for value in (look.estimate.estimate, look.estimate.low, look.estimate.high))
        said = "{} {unit}, {} – {} at every look (confidence sequence, 95%)".format(*shown, unit=metric.unit)
    return f"until {look.rule}: {verb} after {look.games:,} games: {said}"


def _note(folder: Folder, look: Look) -> None:
    others = [entry for entry in _entries(folder) if entry["rule"] != look.rule]
    entry: dict[str, Any] = {"rule": look.rule, "games": look.games, "met": look.met}
    if isinstance(look.estimate, Undefined):
        entry |= {"n": look.estimate.n, "undefined": look.estimate.reason}
    else:
        ends = {name: getattr(look.estimate, name) for name in ("n", "estimate", "low", "high", "level")}
        entry |= ends
    write_json(folder.path / FILE, {"schema": SCHEMA, "stops": [*others, entry]})


def _entries(folder: Folder) -> list[dict[str, Any]]:
    path = folder.path / FILE
    if not path.exists():
        return []
    table = read_json(path, SCHEMA)
    for breach in breaches(published(SCHEMA), table):
        raise RunError(f"{path}: does not follow its schema: {breach}")
    return table["stops"]


def _look(entry: dict[str, Any]) -> Look:
    if "undefined" in entry:
        estimate: Interval | Undefined = Undefined(entry["undefined"], entry["n"])
    else:
        estimate = Interval(entry["estimate"], entry["low"], entry["high"], entry["n"], entry["level"])
    return Look(entry["rule"], entry["games"], estimate, entry["met"])


def _watchable(estimator: Estimator) -> bool:
    return isinstance(estimator, (Mean, Proportion, Ratio))


def _sequence(estimator: Estimator, columns: Columns) -> Interval | Undefined:
    """Return what an estimator estimates, with a confidence sequence's interval."""
    match estimator:
        case Mean(of, among):
            (values,) = present(columns, (of,), among)
            return mean_sequence(values)
        case Proportion(of, among):
            (values,) = present(columns, (of,), among)
            return proportion_sequence(int(np.count_nonzero(values)), len(values))
        case Ratio(of, per, scale, among):
            numerators, denominators = present(columns, (of, per), among)
            return ratio_sequence(scale * numerators.astype(float), denominators.astype(float))
        case _:
            raise TypeError(f"{type(estimator).__name__} has no confidence sequence")
