"""What a game's adapter tells the lab: which columns a game has, which metrics they feed, what must hold.

An adapter is one module in ``lab/games`` that exports ``ADAPTER``. It is all the lab ever knows of a game::

    ADAPTER = Adapter(
        game=COIN_RACE,
        columns=(WINNER, Column("tosses", "int", "tosses", "tosses until somebody won")),
        metrics=(Metric("tosses", "Tosses", "tosses", "mean over games", Mean("tosses")),),
        identities=(Identity("at least one toss", ("tosses",), lambda c: c["tosses"] >= 1),),
        measure=measure,
        describe=describe,
    )
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from numpy.typing import NDArray

from engine.game import Game, Played
from lab.estimators import Columns, Estimator
from lab.views import NOTHING, Views

if TYPE_CHECKING:
    from lab.pages.story import Story

Kind = Literal["int", "float", "bool", "str", "list[int]", "list[float]"]

RESERVED = ("game", "seed", "error")
"""Columns that the lab adds to every row: index of the game, seed of the experiment, text of its failure."""


@dataclass(frozen=True)
class Column:
    """One value a game.

    Attributes
    ----------
    name
        Lower-case identifier.
    kind
        Type of the value. Whole numbers are 64-bit, numbers are finite doubles.
    unit
        Unit of the value; empty for text, true or false, and pure numbers.
    meaning
        What it is, in a line a reader of a table understands.
    optional
        Whether a game may have no such value (``None``): the turn of an event that did not happen. It reaches
        identities and estimators as NaN.
    """

    name: str
    kind: Kind
    unit: str
    meaning: str
    optional: bool = False


WINNER = Column("winner", "str", "", "seat that won: first, second or none")
"""Every game has this column, so that pairings, ladders and seat swaps need to know no game."""


@dataclass(frozen=True)
class Metric:
    """A quantity of a run, pooled over its games.

    Attributes
    ----------
    name
        Lower-case identifier, as in tables and CSV files.
    label
        How it is called in a table for people.
    unit
        Unit of the estimate; ``%`` prints a proportion in per cent.
    definition
        What is counted and how it is pooled, with clause or source.
    estimator
        How it is computed from the columns (:mod:`lab.estimators`).
    """

    name: str
    label: str
    unit: str
    definition: str
    estimator: Estimator


@dataclass(frozen=True)
class Identity:
    """An arithmetic fact that holds in every game; checked when rows are written and when they are read.

    Attributes
    ----------
    name
        The fact in words, as an error will quote it.
    columns
        Columns it reads.
    holds
        From columns, shape (games,) each, to true or false for each game, shape (games,).
    """

    name: str
    columns: tuple[str, ...]
    holds: Callable[[Columns], NDArray[Any]]


PlayedT = TypeVar("PlayedT", bound=Played)


@dataclass(frozen=True, kw_only=True)
class Adapter(Generic[PlayedT]):
    """A game as the lab sees it.

    Attributes
    ----------
    game
        The game (:class:`engine.game.Game`).
    columns
        Its columns; :data:`WINNER` is one of them.
    metrics
        Its metrics, in the order in which a table shows them.
    identities
        What must hold in every row.
    measure
        From a played game to its row: one value for every column, by name.
    describe
        From a played game to a few lines that say how it went, for ``lab play``.
    story
        From a played game to a page being drawn on, for ``lab draw`` and ``lab replay``; None where a game has no page.
    views
        What its columns mean to a designer, for ``lab report``.
    to_compile
        From the players to what a first game between them has to compile: functions that processes can call side by
        side, that which takes longest first; none where a game compiles nothing.
    """

    game: Game[Any, PlayedT]
    columns: tuple[Column, ...]
    metrics: tuple[Metric, ...]
    identities: tuple[Identity, ...]
    measure: Callable[[PlayedT], Mapping[str, Any]]
    describe: Callable[[PlayedT], str]
    story: Callable[[PlayedT], Story] | None = None
    views: Views = NOTHING
    to_compile: Callable[[tuple[Any, Any]], tuple[Callable[[], None], ...]] = lambda players: ()

    def __post_init__(self) -> None:
        """Check that names are unique and that what is referred to exists."""
        names = [column.name for column in self.columns]
        wrong = [name for name in names if not name.isidentifier() or name in RESERVED or names.count(name) > 1]
        if wrong or WINNER not in self.columns:
            raise ValueError(f"{self.game.name}: columns must be unique identifiers with WINNER among them: {wrong}")
        labels = [metric.name for metric in self.metrics]
        if len(set(labels)) < len(labels):
            raise ValueError(f"{self.game.name}: metric names must be unique: {labels}")
        uses = [(metric.name, metric.estimator.columns) for metric in self.metrics]
        uses += [(identity.name, identity.columns) for identity in self.identities]
        uses.append(("views", self.views.columns))
        for user, columns in uses:
            if missing := sorted(set(columns) - set(names)):
                raise ValueError(f"{self.game.name}: {user!r} reads columns that do not exist: {missing}")
        if missing := sorted(set(self.views.metrics) - set(labels)):
            raise ValueError(f"{self.game.name}: views name metrics that do not exist: {missing}")

    def column(self, name: str) -> Column:
        """Return the column of that name; raises :class:`KeyError`."""
        return {column.name: column for column in self.columns}[name]

    def metric(self, name: str) -> Metric:
        """Return the metric of that name; raises :class:`KeyError`."""
        return {metric.name: metric for metric in self.metrics}[name]
