"""What a game's columns mean to a designer: declared by a game's adapter, drawn by the balance report.

All is optional. What a game does not declare its report leaves out, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Spread:
    """A number a game whose distribution is worth a look.

    Attributes
    ----------
    title, axis
        What it is, for the head of a figure and along its axis.
    column
        Where it stands; games without a value are left out.
    """

    title: str
    axis: str
    column: str


@dataclass(frozen=True)
class Lead:
    """The lead of the side that moved first, at shares of the game.

    Attributes
    ----------
    unit
        What it is counted in, one and many: ``("man", "men")``.
    won, among
        Columns of true and false: the first side won, among the games that count.
    at
        Share of the game to the column that holds the lead then.
    """

    unit: tuple[str, str]
    won: str
    among: str
    at: Mapping[float, str]


@dataclass(frozen=True)
class Deeds:
    """Actions by phase of the game: name of a kind of action to the column that lists its count in each phase."""

    phases: tuple[str, ...]
    columns: Mapping[str, str]


@dataclass(frozen=True)
class State:
    """A state in which something may be lost.

    Attributes
    ----------
    label
        Its name.
    standing
        Columns of lists: how many are in it after each turn, the start first; summed.
    less
        Columns of lists to be taken off.
    ways
        Ways to be lost (values of :attr:`Losses.how`) that happen in this state.
    """

    label: str
    standing: tuple[str, ...]
    less: tuple[str, ...]
    ways: tuple[int, ...]


@dataclass(frozen=True)
class Losses:
    """Everything lost in a game, as columns of lists that go together, one entry a loss.

    Attributes
    ----------
    thing
        What is lost: ``man``.
    turn, x, y, side, how
        Columns: the turn, the place, whose it was (0 or 1), and in which way.
    ways
        What the values of ``how`` mean.
    page
        From the rules to width and height of the page, in the unit of the places.
    unit
        Unit of the places.
    states
        States whose survival is drawn.
    """

    thing: str
    turn: str
    x: str
    y: str
    side: str
    how: str
    ways: Mapping[int, str]
    page: Callable[[Any], tuple[float, float]]
    unit: str
    states: tuple[State, ...]


@dataclass(frozen=True)
class Extreme:
    """A game worth seeing: that with the largest value of a column, if any is above 0."""

    label: str
    column: str


@dataclass(frozen=True)
class Views:
    """What there is to see of a game.

    Attributes
    ----------
    headline
        Names of the metrics a sweep's figures show, most telling first.
    length
        Column of a game's length.
    spreads
        Distributions beside that of the length.
    lead, deeds, losses
        See there.
    extremes
        Games to link.
    trade
        Metrics whose trade-off is shown where none are named, each with what is better: ``name:low``,
        ``name:high``, or ``name:50`` for what is best near a value.
    """

    headline: tuple[str, ...] = ()
    length: Spread | None = None
    spreads: tuple[Spread, ...] = ()
    lead: Lead | None = None
    deeds: Deeds | None = None
    losses: Losses | None = None
    extremes: tuple[Extreme, ...] = ()
    trade: tuple[str, str] | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that is named."""
        names = [spread.column for spread in (self.length, *self.spreads) if spread is not None]
        if self.lead is not None:
            names += [self.lead.won, self.lead.among, *self.lead.at.values()]
        if self.deeds is not None:
            names += self.deeds.columns.values()
        if (lost := self.losses) is not None:
            names += [lost.turn, lost.x, lost.y, lost.side, lost.how]
            names += [name for state in lost.states for name in (*state.standing, *state.less)]
        return (*names, *(extreme.column for extreme in self.extremes))

    @property
    def metrics(self) -> tuple[str, ...]:
        """Every metric that is named."""
        return (*self.headline, *(name.partition(":")[0] for name in self.trade or ()))


NOTHING = Views()
"""For a game that declares nothing."""
