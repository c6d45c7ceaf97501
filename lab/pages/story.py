"""What a game looks like, step by step, in three kinds of mark: all that the drawing of it knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

PAPER: Final = "#fdfbf3"
RULE: Final = "#c3d3e6"
INK: Final = ("#1f3f9e", "#d2402b")
"""The pens of both seats. The blue is much the darker, so that they differ in any eyes and in grey."""

OLD: Final = 0.5
"""Opacity of what was drawn in earlier turns, so that the present one stands out."""


@dataclass(frozen=True, eq=False)
class Stroke:
    """A stroke of a pen, round at both ends.

    Attributes
    ----------
    points
        ``(n, 2)`` places in page units.
    width
        ``(n,)`` width of the ink there.
    colour
        ``#rrggbb``.
    opacity
        From 0 to 1.
    """

    points: NDArray[np.float64]
    width: NDArray[np.float64]
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Dot:
    """A filled disc."""

    x: float
    y: float
    radius: float
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Words:
    """A line of text, its baseline beginning, centred or ending at (x, y); ``size`` is in page units."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    anchor: Literal["start", "middle", "end"] = "start"
    opacity: float = 1.0


Mark = Stroke | Dot | Words
Marks = tuple[Mark, ...]


def line(x0: float, y0: float, x1: float, y1: float, width: float, colour: str, opacity: float = 1.0) -> Stroke:
    """Return a straight stroke of even width."""
    return Stroke(np.array([[x0, y0], [x1, y1]]), np.full(2, width), colour, opacity)


@dataclass(frozen=True)
class Step:
    """One thing that happened.

    Attributes
    ----------
    turn
        The turn it belongs to, 0 before the first.
    seat
        Whose doing it was: ``first``, ``second`` or nothing.
    words
        What happened, in a line of plain text.
    drawn
        Marks that stay on the page for good.
    standing
        Marks of things that may move or go, by the thing's name; each replaces what the name stood for before.
    """

    turn: int
    seat: str
    words: str
    drawn: Marks = ()
    standing: Mapping[str, Marks] = field(default_factory=dict[str, Marks])


@dataclass(frozen=True)
class Story:
    """A game as a page being drawn on.

    Attributes
    ----------
    title
        Plain text.
    width, height
        Size of the page in page units.
    colours
        Colour of the paper and of both seats' pens, ``#rrggbb``.
    paper
        What the page shows before anything has happened.
    steps
        What happened; the first is how the game stood before its first turn.
    """

    title: str
    width: float
    height: float
    colours: Mapping[Literal["paper", "first", "second"], str]
    paper: Marks
    steps: tuple[Step, ...]

    @property
    def turns(self) -> int:
        """Number of the last turn."""
        return self.steps[-1].turn

    def steps_until(self, turn: int) -> int:
        """Return how many steps have been made when this turn is done."""
        return sum(step.turn <= turn for step in self.steps)

    def page(self, count: int) -> Iterator[Mark]:
        """Yield the marks on the page after ``count`` steps, in the order in which they are laid down."""
        done = self.steps[:count]
        now = done[-1].turn
        yield from self.paper
        for step in done:
            yield from step.drawn if step.turn in (0, now) else map(aged, step.drawn)
        standing: dict[str, Marks] = {}
        for step in done:
            standing.update(step.standing)
        for marks in standing.values():
            yield from marks


def aged(mark: Mark) -> Mark:
    """Return a mark as it looks once its turn is over."""
    return replace(mark, opacity=mark.opacity * OLD)
