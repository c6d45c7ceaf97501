"""How fast the lab is on this machine: `make bench` runs it and writes README.md beside it.

Every figure is the median of several runs, with the smallest and the largest; what is compared is measured in turn
within one run, so that a ratio holds where a single figure would drift with the machine.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
CONFIGS = HERE.parent.parent / "configs" / "dotfight"
SIZES = {"3 × 8": ("quick.toml", 60), "4 × 8": ("classic.toml", 40), "5 × 10": ("dawood.toml", 16)}
GEOMETRIES = ("kernel", "shapely")
ROUNDS = 5
RAY_GAMES = 2000
FIRST_GAME = """
import time
start = time.perf_counter()
from engine.dotfight.game import DOTFIGHT
from engine.dotfight.players.dawood import Dawood
from engine.dotfight.rules import Rules
from engine.rng import Streams
loaded = time.perf_counter()
DOTFIGHT.play(Rules(bases_per_side=3), (Dawood(), Dawood()), Streams(1, 0))
print(loaded - start, time.perf_counter() - loaded)
"""


@dataclass(frozen=True)
class Figure:
    """One figure: its runs, and its unit."""

    name: str
    runs: list[float]
    unit: str

    def row(self) -> str:
        """Return the figure as a row of a table: median, smallest, largest."""
        cells = (f"{value:,.3g}" if value < 100 else f"{value:,.0f}" for value in (median(self.runs), *self.spread()))
        return f"| {self.name} | {' | '.join(cells)} | {self.unit} |"

    def spread(self) -> tuple[float, float]:
        """Return the smallest and the largest run."""
        return min(self.runs), max(self.runs)


def seconds(work: Callable[[], object]) -> float:
    """Return how long ``work`` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def games_per_second() -> list[Figure]:
    """Measure one core by size and geometry, the geometries in turn."""
    from engine.rng import Streams
    from lab.experiment_file import load, parse_change
    from lab.games import adapter_of

    adapter = adapter_of("dotfight")
    figures: list[Figure] = []
    for size, (config, games) in SIZES.items():
        kinds = {
            geometry: load(CONFIGS / config, dict([parse_change(f"geometry={geometry}")])) for geometry in GEOMETRIES
        }
        rates: dict[str, list[float]] = {geometry: [] for geometry in GEOMETRIES}
        for round_ in range(ROUNDS + 1):  # the first warms up
            for geometry, experiment in kinds.items():
                players = tuple(seat.options for seat in experiment.seats)
                first = round_ * games

                def play(experiment=experiment, players=players, first=first, games=games) -> None:
                    for index in range(first, first + games):
                        adapter.measure(adapter.game.play(experiment.rules, players, Streams(1, index)))

                elapsed = seconds(play)
                if round_:
                    rates[geometry].append(games / elapsed)
        figures += [Figure(f"{size}, {geometry} adjudicates", rates[geometry], "games/s") for geometry in GEOMETRIES]
        ratios = [s / k for k, s in zip(rates["kernel"], rates["shapely"], strict=True)]
        figures.append(Figure(f"{size}, Shapely / kernel", ratios, "ratio"))
    return figures


def start_up() -> list[Figure]:
    """Measure a new process to its first game: with nothing compiled yet, and with everything cached."""
    cold: list[float] = []
    warm: list[float] = []
    imports: list[float] = []
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        for run in range(ROUNDS):
            command = [sys.executable, "-c", FIRST_GAME]
            printed = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
            loaded, first_game = map(float, printed.split())
            imports.append(loaded)
            (warm if run else cold).append(first_game)
    return [
        Figure("imports", imports, "s"),
        Figure("first game, nothing compiled", cold, "s"),
        Figure("first game, cached", warm, "s"),
    ]


def ray_scaling() -> list[Figure]:
    """Measure one run of many games on one core without Ray, then by Ray on two, start-up apart."""
    from lab.driver import run
    from lab.experiment_file import load, parse_change

    def experiment(games: int):
        return load(CONFIGS / "quick.toml", dict([parse_change(f"run.games={games}")]))

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        serial = seconds(lambda: run(experiment(RAY_GAMES), root / "serial", workers=0))
        begin = seconds(lambda: run(experiment(2), root / "start", workers=2))
        two = seconds(lambda: run(experiment(RAY_GAMES), root / "ray", workers=2))
    return [
        Figure(f"{RAY_GAMES:,} games on one core, no Ray", [serial], "s"),
        Figure("Ray started and stopped around 2 games", [begin], "s"),
        Figure(f"{RAY_GAMES:,} games by Ray on 2 cores, all told", [two], "s"),
        Figure("speed-up by Ray on 2 cores, all told", [serial / two], "ratio"),
        Figure("speed-up by Ray on 2 cores, start and stop apart", [serial / (two - begin)], "ratio"),
    ]


SECTIONS = {
    "Games a second on one core": games_per_second,
    "Start-up": start_up,
    "Ray": ray_scaling,
}


def main() -> None:
    """Measure, print, and write the page."""
    page = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Dawood-bot steady against itself, the rule book's rules. Median, smallest, largest.",
        "",
        f"Measured on {platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}, "
        f"{time.strftime('%Y-%m-%d')}.",
    ]
    for title, measure in SECTIONS.items():
        rows = ["", f"## {title}", "", "| | median | smallest | largest | unit |", "|---|---|---|---|---|"]
        rows += [figure.row() for figure in measure()]
        print("\n".join(rows), flush=True)
        page += rows
    (HERE / "README.md").write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
