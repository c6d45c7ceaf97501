"""The parts of a report, before they are files or a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from matplotlib.figure import Figure


@dataclass(frozen=True)
class Verdict:
    """An answer to one of a designer's questions.

    Attributes
    ----------
    question
        What was asked.
    answer
        The answer in a few words.
    told
        Whether it can be told.
    lines
        The numbers it rests on, each a sentence with its interval.
    """

    question: str
    answer: str
    told: bool
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """A figure, under the name its files have, with a sentence that says what is to be seen."""

    name: str
    alt: str
    figure: Figure


@dataclass(frozen=True)
class Sheet:
    """A table, under the name its CSV file has.

    Attributes
    ----------
    name, title
        Of the file, and for people.
    header, rows
        Cells in full, as the CSV file has them.
    shown
        Header and rows for people; None where the page only links the file.
    """

    name: str
    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    shown: tuple[Sequence[str], Sequence[Sequence[str]]] | None = None


@dataclass(frozen=True)
class Section:
    """One part of the page.

    Attributes
    ----------
    title
        Its heading.
    words
        Paragraphs.
    pictures, sheets
        Figures and tables.
    absent
        Why something that belongs here is not there.
    points
        A list, after the paragraphs.
    """

    title: str
    words: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    absent: tuple[str, ...] = ()
    points: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sample:
    """A game to be looked at: what it is, its number, what to type, and its player's file (None where it has none)."""

    label: str
    game: int
    command: str
    file: str | None


@dataclass(frozen=True)
class Report:
    """All of it.

    Attributes
    ----------
    title, about
        What the report is of: a heading and a few lines.
    missing
        What has not been played or failed.
    verdicts, sections, samples
        See there.
    files
        Further files by name, relative to the report's folder.
    """

    title: str
    about: tuple[str, ...]
    missing: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    sections: tuple[Section, ...]
    samples: tuple[Sample, ...] = ()
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
