"""Figures of a benchmark: what was measured, how it is shown, and how it compares with what was committed last."""

from __future__ import annotations

import csv
import os
import platform
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
PAGE = HERE / "README.md"
FIGURES = HERE / "figures.csv"
WORSE = 0.2
"""A figure this share worse than the committed one is printed as a regression."""
SMALLER_IS_BETTER = ("s", "ms", "MiB", "bytes", "%")
HEADING = "## "


@dataclass(frozen=True)
class Figure:
    """One figure: its runs, and its unit."""

    name: str
    runs: list[float]
    unit: str

    @property
    def middle(self) -> float:
        """Return the median run."""
        return median(self.runs)

    def row(self) -> str:
        """Return the figure as a row of a table: median, smallest, largest."""
        cells = (shown(value) for value in (self.middle, min(self.runs), max(self.runs)))
        return f"| {self.name} | {' | '.join(cells)} | {self.unit} |"


def shown(value: float) -> str:
    """Return a number to three digits."""
    return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def table(figures: Iterable[Figure]) -> str:
    """Return figures as a Markdown table."""
    head = ["| | median | smallest | largest | unit |", "|---|---|---|---|---|"]
    return "\n".join(head + [figure.row() for figure in figures])


def seconds(work: Callable[[], object]) -> float:
    """Return how long ``work`` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def committed() -> dict[str, float]:
    """Return the figures that were written last, by name."""
    if not FIGURES.exists():
        return {}
    with FIGURES.open(encoding="utf-8", newline="") as file:
        return {row["figure"]: float(row["median"]) for row in csv.DictReader(file)}


def write_figures(figures: Iterable[Figure]) -> None:
    """Write figures for the next run to compare with."""
    with FIGURES.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("figure", "median", "unit"))
        writer.writerows((figure.name, f"{figure.middle:.6g}", figure.unit) for figure in figures)


def regressions(figures: Iterable[Figure], before: Mapping[str, float]) -> list[str]:
    """Return, in words, the figures that are worse than before by more than :data:`WORSE`."""
    found: list[str] = []
    for figure in figures:
        old = before.get(figure.name)
        if not old:
            continue
        change = figure.middle / old - 1.0
        if (change if figure.unit in SMALLER_IS_BETTER else -change) > WORSE:
            found.append(
                f"{figure.name}: {shown(old)} before, {shown(figure.middle)} {figure.unit} now ({change:+.0%})"
            )
    return found


def sections() -> dict[str, str]:
    """Return what stands on the page, by heading; the empty heading is what comes before the first."""
    found: dict[str, str] = {}
    heading = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else ():
        if line.startswith(HEADING):
            heading = line.removeprefix(HEADING)
        else:
            found[heading] = found.get(heading, "") + line + "\n"
    return {heading: text.strip() for heading, text in found.items()}


def write_sections(new: Mapping[str, str]) -> None:
    """Put sections on the page, each in the place of the one with its heading or at the end."""
    parts = {**sections(), "": preamble(), **new}
    text = parts.pop("") + "\n"
    for heading, body in parts.items():
        text += f"\n{HEADING}{heading}\n\n{body}\n"
    PAGE.write_text(text, encoding="utf-8")


def preamble() -> str:
    """Return what stands at the top of the page."""
    return (
        "# Benchmarks\n\n"
        "Written by `make bench` and, where the time goes, by `make profile`. Dawood-bot steady against itself, the\n"
        "rule book's rules, unless a line says otherwise. Median, smallest and largest of several runs; what is\n"
        "compared is measured in turn within one run, so a ratio holds where a single figure drifts with the machine.\n"
        "What these figures mean for long runs: [SCALING.md](SCALING.md).\n\n"
        f"Last measured on {platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}, "
        f"{time.strftime('%Y-%m-%d')}."
    )
