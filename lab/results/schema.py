"""The table of results: one typed row a game, as Arrow, and what must hold in it.

Beside the columns of the game's adapter every row has ``game`` (its index), ``seed`` and ``error``: empty for
a game that was played, otherwise the text of its failure, and then the adapter's columns are all empty.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lab.estimators import Columns
from lab.games.adapter import Adapter, Column, Kind
from lab.printable import printable
from lab.results.arrow import Column as ArrowColumn
from lab.results.arrow import Schema, Table

SCHEMA: Final = "rules-lab/games/1"
SCHEMA_KEY: Final = b"rules-lab.schema"
EXPERIMENT_KEY: Final = b"rules-lab.experiment"

_ARROW: Final[dict[Kind, pa.DataType]] = {
    "int": pa.int64(),
    "float": pa.float64(),
    "bool": pa.bool_(),
    "str": pa.string(),
    "list[int]": pa.list_(pa.int64()),
    "list[float]": pa.list_(pa.float64()),
}
_OWN: Final[dict[Kind, type]] = {
    "int": int,
    "float": float,
    "bool": bool,
    "str": str,
    "list[int]": int,
    "list[float]": float,
}
"""Python's own type of a kind of column, or of what is in its lists."""

_LONGEST_ERROR = 500
_INT64 = range(-(2**63), 2**63)


class RowError(ValueError):
    """A row that cannot be a result: a value of the wrong type, or an identity that does not hold."""


def schema_of(adapter: Adapter[Any], experiment: str) -> Schema:
    """Return the Arrow schema of a run: types, units and meanings, schema version and experiment hash."""
    own = (
        Column("game", "int", "", "index of the game in the experiment, from 0"),
        Column("seed", "int", "", "seed of the experiment"),
        Column("error", "str", "", "why the game failed", optional=True),
    )
    fields = [
        pa.field(column.name, _ARROW[column.kind], metadata={"unit": column.unit, "meaning": column.meaning})
        for column in (*own, *adapter.columns)
    ]
    return pa.schema(fields, metadata={SCHEMA_KEY: SCHEMA.encode(), EXPERIMENT_KEY: experiment.encode()})


def unfit_rows(adapter: Adapter[Any], outcomes: Sequence[Mapping[str, Any] | str]) -> dict[int, str]:
    """Return the rows among the outcomes that :func:`check_row` refuses: position, and the failure in words."""
    rows = [outcome for outcome in outcomes if not isinstance(outcome, str)]
    # Nearly always every value is of Python's own type, which a look along each column tells soonest.
    if all(map(_has_columns, repeat(adapter), rows)) and all(_plainly_fits(c, rows) for c in adapter.columns):
        return {}
    unfit: dict[int, str] = {}
    for position, outcome in enumerate(outcomes):
        try:
            if not isinstance(outcome, str):
                check_row(adapter, outcome)
        except Exception as error:  # whatever a game made of its row, it is not the batch that fails
            unfit[position] = failure(error)
    return unfit


def _has_columns(adapter: Adapter[Any], row: Any) -> bool:
    return isinstance(row, dict) and len(row) == len(adapter.columns)


def _plainly_fits(column: Column, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether every row has a value of Python's own type for the column, or none where that may be."""
    try:
        values = [row[column.name] for row in rows]
    except KeyError:
        return False
    if column.optional:
        values = [value for value in values if value is not None]
    kinds = {*map(type, values)}
    if column.kind.startswith("list"):
        if not kinds <= {list}:
            return False
        values = list(chain.from_iterable(values))
        kinds = {*map(type, values)}
    own = _OWN[column.kind]
    if not kinds <= {own}:
        return False
    if own is int:
        return not values or (min(values) in _INT64 and max(values) in _INT64)
    return own is not float or math.isfinite(sum(values))


def check_row(adapter: Adapter[Any], row: Mapping[str, Any]) -> None:
    """Raise :class:`RowError` unless a row has every column, each of its type."""
    if odd := set(row) ^ {column.name for column in adapter.columns}:
        raise RowError("columns missing or not declared: " + ", ".join(sorted(odd)))
    for column in adapter.columns:
        value = row[column.name]
        if value is None:
            if not column.optional:
                raise RowError(f"{column.name} is empty")
        elif not _FITS[column.kind](value):
            raise RowError(f"{column.name} = {value!r} is no {column.kind}")


# Almost always a value is of Python's own type, which is seen at once.


def _is_int(value: Any) -> bool:
    if type(value) is not int and (not isinstance(value, (int, np.integer)) or isinstance(value, bool)):
        return False
    return int(value) in _INT64


def _is_float(value: Any) -> bool:
    return (type(value) is float or isinstance(value, (float, np.floating))) and math.isfinite(value)


def _is_bool(value: Any) -> bool:
    return type(value) is bool or isinstance(value, np.bool_)


def _is_str(value: Any) -> bool:
    return isinstance(value, str)


def _is_list(value: Any) -> bool:
    return type(value) is list or (isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str))


def _are_ints(value: Any) -> bool:
    if not _is_list(value):
        return False
    if {*map(type, value)} <= {int}:
        return len(value) == 0 or (min(value) in _INT64 and max(value) in _INT64)
    return all(map(_is_int, value))


def _are_floats(value: Any) -> bool:
    return _is_list(value) and all(map(_is_float, value))


_FITS: Final[dict[Kind, Callable[[Any], bool]]] = {
    "int": _is_int,
    "float": _is_float,
    "bool": _is_bool,
    "str": _is_str,
    "list[int]": _are_ints,
    "list[float]": _are_floats,
}


def failure(error: BaseException) -> str:
    """Return a failure as text that is the same on every machine: type and message, without addresses."""
    message = re.sub(r"\b0x[0-9a-fA-F]+\b", "0x…", str(error))
    shown = printable(" ".join(f"{type(error).__name__}: {message}".split()))
    return shown if len(shown) <= _LONGEST_ERROR else shown[: _LONGEST_ERROR - 1] + "…"


def table_of(schema: Schema, start: int, seed: int, outcomes: Sequence[Mapping[str, Any] | str]) -> Table:
    """Return consecutive games, from index ``start`` on, as a table: each a row or the text of a failure."""
    rows = [{} if isinstance(outcome, str) else outcome for outcome in outcomes]
    columns: dict[str, Iterable[Any]] = {name: [row.get(name) for row in rows] for name in schema.names}
    columns["game"] = range(start, start + len(rows))
    columns["seed"] = [seed] * len(rows)
    columns["error"] = [outcome if isinstance(outcome, str) else None for outcome in outcomes]
    return pa.table([pa.array(columns[field.name], field.type) for field in schema], schema=schema)


def columns_of(table: Table, names: Iterable[str] | None = None) -> dict[str, NDArray[Any]]:
    """Return the columns of the games that were played, as :data:`lab.estimators.Columns` wants them."""
    played = table.filter(table["error"].is_null()) if table["error"].null_count < len(table) else table
    wanted = table.column_names if names is None else names
    return {name: _numpy(played[name]) for name in wanted if name != "error"}


def _numpy(column: ArrowColumn) -> NDArray[Any]:
    absent_is_nan = column.null_count and not (pa.types.is_string(column.type) or pa.types.is_list(column.type))
    return (column.cast(pa.float64()) if absent_is_nan else column).to_numpy()


def checked_columns(adapter: Adapter[Any]) -> list[str]:
    """Return the columns that a game's identities read."""
    return list(dict.fromkeys(name for identity in adapter.identities for name in identity.columns))


def broken_identities(adapter: Adapter[Any], columns: Columns) -> list[tuple[str, NDArray[Any]]]:
    """Return the identities that do not hold, with the positions of the rows in which they do not.

    An identity of which a column is not at hand is left out.
    """
    broken: list[tuple[str, NDArray[Any]]] = []
    for identity in adapter.identities:
        if all(name in columns for name in identity.columns):
            holds = np.asarray(identity.holds(columns), dtype=bool)
            if not holds.all():
                broken.append((identity.name, np.flatnonzero(~holds)))
    return broken
