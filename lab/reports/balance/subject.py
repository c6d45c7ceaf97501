"""What a report is about: a run, or a sweep and the run of its base."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.errors import ConfigError
from lab.errors import RunError
from lab.games import adapter_of
from lab.games.adapter import Adapter
from lab.results.folder import Folder
from lab.results.parts import ranges_text
from lab.results.run import Run
from lab.spec import Experiment
from lab.summary import Line
from lab.sweeps.compare import Comparison, compare
from lab.sweeps.folder import SweepFolder
from lab.sweeps.spec import COMPARABLE
from lab.sweeps.variants import Variant


@dataclass(frozen=True)
class Subject:
    """A run, or a sweep seen from its base.

    Attributes
    ----------
    path
        The folder.
    experiment
        The run's, or that of the sweep's base.
    run
        The run, or the base's; None where a sweep's base has not been begun.
    sweep
        The sweep's folder, if it is one.
    """

    path: Path
    experiment: Experiment
    run: Run | None
    sweep: SweepFolder | None

    @property
    def adapter(self) -> Adapter[Any]:
        """The game's adapter."""
        return adapter_of(self.experiment.game)

    @property
    def games(self) -> int:
        """How many games of the run, or of the base, were played and did not fail."""
        return self.run.games - len(self.run.failures) if self.run is not None else 0

    @property
    def title(self) -> str:
        """What it is called."""
        return self.experiment.title or self.experiment.game

    @property
    def headline(self) -> tuple[str, ...]:
        """The metrics to begin with: those the game puts first, else its first that can be compared."""
        metrics = self.adapter.metrics
        comparable = tuple(metric.name for metric in metrics if isinstance(metric.estimator, COMPARABLE))
        return self.adapter.views.headline or comparable[:_HEADLINE]

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """A sweep's variants, the base first; of a run, none."""
        return self.sweep.variants() if self.sweep is not None else ()

    @cached_property
    def comparison(self) -> Comparison | None:
        """What came out of a sweep whose base has games."""
        return compare(self.sweep) if self.sweep is not None and self.games else None

    @cached_property
    def lines(self) -> list[Line]:
        """Every metric of the run, or of the base."""
        if self.comparison is not None:
            base = self.comparison.base
            return [Line(cell.metric, cell.estimate) for cell in self.comparison.cells if cell.variant is base]
        if self.run is None:
            return []
        # One metric at a time, so that of a million games only the columns it needs are in memory.
        return [
            Line(metric, metric.estimator.estimate(self.run.columns(metric.estimator.columns)))
            for metric in self.adapter.metrics
        ]

    def line(self, metric: str) -> Line | None:
        """Return a metric's line, if the game has it."""
        return next((line for line in self.lines if line.metric.name == metric), None)

    def missing(self) -> list[str]:
        """Return, in words, what has not been played, and what failed."""
        found: list[str] = []
        failed = self._failed()
        if self.sweep is None:
            runs = [("", self.run)]
        else:
            folders = [(variant.label, self.sweep.run(variant)) for variant in self.variants]
            absent = [name for name, folder in folders if not folder.exists()]
            if absent:
                found.append(f"{len(absent):,} of {len(folders):,} variants have not been begun: {_some(absent)}")
            runs = [(f"{name}: ", Run(folder.path)) for name, folder in folders if folder.exists()]
        for name, run in runs:
            if run is not None and (gaps := run.missing):
                lacking = sum(stop - start for start, stop in gaps)
                wanted = run.experiment.effort.games
                found.append(f"{name}{lacking:,} of {wanted:,} games are missing ({ranges_text(gaps)})")
            if run is not None and (failures := run.failures if failed is None else failed.get(run.path, [])):
                game, why = failures[0]
                found.append(f"{name}{len(failures):,} games failed and are left out, the first of them {game}: {why}")
        if len(found) > _MOST:
            found = [*found[:_MOST], f"and {len(found) - _MOST:,} more like these"]
        return found

    def _failed(self) -> dict[Path, list[tuple[int, str]]] | None:
        """Return a compared sweep's failures by run folder, which comparing has read; None where nothing has."""
        if self.sweep is None or self.comparison is None:
            return None
        found: dict[Path, list[tuple[int, str]]] = {}
        for variant, game, why in self.comparison.failures:
            found.setdefault(self.sweep.run(variant).path, []).append((game, why))
        return found


_MOST = 12
_HEADLINE = 6


def open_subject(path: str | Path, key: str = "RUN") -> Subject:
    """Open a folder; raises :class:`ConfigError` under ``key`` where it is no run's or sweep's of this version."""
    path = Path(path)
    try:
        if SweepFolder(path).exists():
            sweep = SweepFolder(path)
            base = sweep.variants()[0]
            folder = sweep.run(base)
            return Subject(path, base.experiment, Run(folder.path) if folder.exists() else None, sweep)
        if Folder(path).exists():
            run = Run(path)
            return Subject(path, run.experiment, run, None)
    except RunError as error:
        raise ConfigError(key, str(path), f"must be the folder of a run or a sweep that can be read: {error}") from None
    raise ConfigError(key, str(path), "must be the folder of a run (experiment.json) or of a sweep (sweep.json)")


def _some(names: list[str], most: int = 5) -> str:
    return "; ".join(names[:most]) + (f"; and {len(names) - most:,} more" if len(names) > most else "")
