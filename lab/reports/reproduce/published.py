"""What others have published of Dotfight, as data: see ``data/README.md`` for the sources."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, cast

Size = Literal["quick", "default", "full"]
SIZES: Final[tuple[Size, ...]] = ("quick", "default", "full")

_DATA = files("lab.reports.reproduce") / "data"


@dataclass(frozen=True)
class Row:
    """A rule set that is played: a row of the record, or the rule book's game at one of its sizes.

    Attributes
    ----------
    name, label
        Name of its run folder and of ``--rows``, and how tables call it.
    config
        File under ``configs/dotfight``.
    games
        How many games are played at each size.
    cost
        Seconds a game takes, as a multiple of those of a game of 3 bases of 8.
    seed_step
        Added to the seed: rows of the same rules are then different games.
    changes
        Rules changed from the config's.
    record
        File and row of the record that it answers to, if any.
    mark
        Marker and colour in the figure.
    """

    name: str
    label: str
    config: str
    games: Mapping[Size, int]
    cost: float
    seed_step: int = 0
    changes: Mapping[str, object] = field(default_factory=dict[str, object])
    record: tuple[str, str] | None = None
    mark: tuple[str, str] = ("o", "#000000")


@dataclass(frozen=True)
class Column:
    """A column of the record: the metric it is, its rounding, and the difference that matters (``columns.toml``).

    Attributes
    ----------
    name, metric, theme
        Name in the record, of the metric, and of what it is drawn with.
    rounded_to
        Step that values were rounded to; 0 where they were printed as they are.
    matters, matters_share
        Smallest difference that matters, in the metric's unit and as a share of the published value; the larger
        of the two counts. Both 0 where no difference is too small (a maximum).
    among
        Column with the number of games that a share is of.
    late
        The published value may be up to so much too high.
    """

    name: str
    metric: str
    theme: str
    rounded_to: float
    matters: float = 0.0
    matters_share: float = 0.0
    among: str | None = None
    late: float = 0.0


@dataclass(frozen=True)
class Published:
    """One published value.

    Attributes
    ----------
    column
        What it is.
    value
        As published.
    games
        Games the row rests on.
    among
        Games the value is a share of, where the record says so.
    """

    column: Column
    value: float
    games: int
    among: int | None = None

    @property
    def matters(self) -> float:
        """The smallest difference that matters, in the metric's unit."""
        return max(self.column.matters, self.column.matters_share * abs(self.value))

    @property
    def text(self) -> str:
        """The value with the decimals it was published with."""
        step = self.column.rounded_to
        decimals = 0 if step in (0.0, 1.0) else len(f"{step:g}") - 2
        return f"{self.value:.{decimals}f}"


@dataclass(frozen=True)
class Claim:
    """A claim of the rule book: its row of ``book-claims.csv``, and the sweep that answers what runs cannot."""

    name: str
    quantity: str
    book_value: str
    sweep: str | None = None


@dataclass(frozen=True)
class Quantity:
    """What is measured for a claim, on which rows, and the range its words are read as (``claims.toml``)."""

    claim: str
    measure: str
    runs: tuple[str, ...]
    reading: str
    low: float | None = None
    high: float | None = None


@cache
def rows() -> tuple[Row, ...]:
    """Return every row there is to play, in the order of the report."""
    return tuple(Row(**_frozen(table)) for table in _toml("rows.toml")["rows"])


@cache
def columns() -> Mapping[str, Column]:
    """Return the columns of the record that are metrics, by name, in the order of the report."""
    return {name: Column(name, **table) for name, table in _toml("columns.toml")["columns"].items()}


@cache
def settings() -> frozenset[str]:
    """Return the columns of the record that say what was played."""
    return frozenset(_toml("columns.toml")["settings"])


@cache
def record() -> Mapping[tuple[str, str], Mapping[str, str]]:
    """Return the rows of the record as text, by file and name."""
    return {(row["record"], row["row"]): row for file in ("round-3.csv", "round-4.csv") for row in _csv(file)}


def published(row: Row) -> Iterator[Published]:
    """Yield what the record says of a row."""
    if row.record is None:
        return
    cells = record()[row.record]
    for column in columns().values():
        if cells.get(column.name):
            among = int(cells[column.among]) if column.among is not None else None
            yield Published(column, float(cells[column.name]), int(cells["games"]), among)


@cache
def claims() -> tuple[Claim, ...]:
    """Return the claims of the rule book, in its order."""
    sweeps: dict[str, str | None] = {table["name"]: table.get("sweep") for table in _toml("claims.toml")["claims"]}
    return tuple(
        Claim(row["claim"], row["quantity"], row["book_value"], sweeps[row["claim"]]) for row in _csv("book-claims.csv")
    )


@cache
def quantities() -> tuple[Quantity, ...]:
    """Return what is measured for the claims."""
    return tuple(Quantity(**_frozen(table)) for table in _toml("claims.toml")["quantities"])


def _frozen(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with tuples for its lists."""
    return {key: tuple(cast("list[Any]", value)) if isinstance(value, list) else value for key, value in table.items()}


def _csv(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((_DATA / name).read_text(encoding="utf-8").splitlines()))


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((_DATA / name).read_text(encoding="utf-8"))
