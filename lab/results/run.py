"""Reading a run: by column, whole or in progress."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from numpy.typing import NDArray

from lab.errors import RunError
from lab.games import adapter_of
from lab.games.adapter import Adapter
from lab.results.arrow import Table
from lab.results.folder import Folder
from lab.results.parts import Parts
from lab.results.schema import broken_identities, columns_of, schema_of
from lab.spec import Experiment

if TYPE_CHECKING:
    import pandas as pd

    from lab.summary import Line


class Run:
    """The games of a run folder, as they are when it is opened.

    Parameters
    ----------
    path
        The folder. Raises :class:`lab.errors.RunError` where it is none, or damaged.
    """

    def __init__(self, path: str | Path) -> None:
        self.folder = Folder(Path(path))
        self.experiment: Experiment = self.folder.experiment()
        self.adapter: Adapter[Any] = adapter_of(self.experiment.game)
        self._parts: Parts = self.folder.parts()
        self._schema = schema_of(self.adapter, self.experiment.hash())
        for part in self._parts.current:
            part.check_schema(self._schema)

    @property
    def path(self) -> Path:
        """The run's folder."""
        return self.folder.path

    @property
    def games(self) -> int:
        """How many games there are, failed ones included."""
        return self._parts.games

    @property
    def missing(self) -> list[tuple[int, int]]:
        """Half-open ranges of the games that are wanted and not there."""
        return self._parts.missing(self.experiment.effort.games)

    def table(self, columns: Sequence[str] | None = None) -> Table:
        """Return the games in order as an Arrow table, one row each.

        Parameters
        ----------
        columns
            Which columns to read (default: all); nothing else is loaded. ``game`` always comes first, and
            ``error`` is there to tell failed games, whose other columns are empty.

        Raises
        ------
        lab.errors.RunError
            Where a file is damaged, or an identity does not hold whose columns are all read.
        """
        names = self._schema.names if columns is None else ["game", *columns, "error"]
        if unknown := [name for name in names if name not in self._schema.names]:
            raise KeyError(f"no column {unknown[0]!r}; there are: {', '.join(self._schema.names)}")
        names = list(dict.fromkeys(names))
        tables = [table.select(names) for part in self._parts.current for table in part.tables(names)]
        table = pa.concat_tables(tables) if tables else self._schema.empty_table().select(names)
        if broken := broken_identities(self.adapter, columns_of(table)):
            games = columns_of(table, ["game"])["game"]
            raise RunError(f"{self.path}: does not hold in game {games[broken[0][1][0]]}: {broken[0][0]}")
        return table

    def columns(self, names: Iterable[str] | None = None) -> dict[str, NDArray[Any]]:
        """Return columns of the games that were played, as :data:`lab.estimators.Columns` describes them."""
        wanted = [column.name for column in self.adapter.columns] if names is None else list(names)
        return columns_of(self.table(wanted), wanted)

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return the games that were played as a data frame, its index the index of the game."""
        table = self.table(columns)
        return table.filter(table["error"].is_null()).drop_columns("error").to_pandas().set_index("game")

    @cached_property
    def failures(self) -> list[tuple[int, str]]:
        """The games that failed: index, and why."""
        table = self.table(["error"])
        failed = table.filter(table["error"].is_valid())
        return list(zip(failed["game"].to_pylist(), failed["error"].to_pylist(), strict=True))

    def summary(self) -> list[Line]:
        """Return every metric of the game with its interval, or why it has none."""
        from lab.summary import summarise

        return summarise(self.adapter.metrics, self.columns(metric_columns(self.adapter)))


def metric_columns(adapter: Adapter[Any]) -> list[str]:
    """Return the columns that a game's metrics read."""
    return list(dict.fromkeys(name for metric in adapter.metrics for name in metric.estimator.columns))
