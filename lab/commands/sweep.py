"""Play variants of an experiment on the same seeds and print what sets them apart.

A folder that has games of the sweep already is continued; more games, or more variants of the same base, extend
it. Beside the runs it then holds results.csv and, in effects/, a figure for each parameter; of a sensitivity analysis
(designs morris and sobol-indices) sensitivity.csv, what each metric depends on, and points.csv.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lab.commands._workers import add_workers, check_workers

if TYPE_CHECKING:
    from lab.sweeps.folder import SweepFolder
    from lab.sweeps.spec import Sweep

VARIANTS_SHOWN = 200


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab sweep``."""
    parser.add_argument("sweep", metavar="SWEEP", help="TOML file: a base experiment and what to vary")
    parser.add_argument("--games", type=int, metavar="N", help="games of each variant (default: the file's)")
    add_workers(parser)
    parser.add_argument("--out", metavar="DIR", help="the sweep's folder (default: runs/NAME-HASH)")
    parser.add_argument("--dry-run", action="store_true", help="print variants, games and time; play a few at most")
    parser.add_argument(
        "--max-games",
        type=int,
        metavar="N",
        help="refuse a sweep of more games in all (default: 100000)",
    )


def execute(arguments: argparse.Namespace) -> int:
    """Play, then compare, print and save."""
    from engine.errors import ConfigError
    from lab.driver import default_folder
    from lab.progress import Progress, duration_text
    from lab.sweeps.folder import SweepFolder
    from lab.sweeps.play import missing_games, play, seconds_per_game, workers_for
    from lab.sweeps.spec import MOST_GAMES, read_sweep

    check_workers(arguments)
    most = MOST_GAMES if arguments.max_games is None else arguments.max_games
    if most < 1:
        raise ConfigError("--max-games", most, "must be 1 or more")
    sweep = read_sweep(arguments.sweep, arguments.games, most)
    folder = SweepFolder(Path(arguments.out or default_folder(sweep.base, sweep.title)))
    folder.admit(sweep.variants)
    missing = missing_games(folder, sweep.variants)
    progress = Progress(sys.stderr)
    seconds = 0.0
    workers: int | None = arguments.workers
    if missing and (arguments.dry_run or (workers is None and arguments.address is None)):
        seconds = missing * seconds_per_game(sweep.variants, progress.say)
    if workers is None and arguments.address is None:
        workers = workers_for(seconds)
    if arguments.dry_run:
        print(plan_text(sweep, folder, missing))
        if missing:
            by = f"{workers} processes" if workers else "one process"
            print(f"about {duration_text(seconds / (workers or 1))} by {by}, as timed on a few games just now")
        return 0
    try:
        play(folder, sweep.variants, workers, progress, arguments.address)
    except KeyboardInterrupt:
        progress.say(f"Stopped; all that was played is stored. To continue:\n  {resume_command(arguments, folder)}")
        raise
    finally:
        progress.close()
    return report(sweep, folder)


def plan_text(sweep: Sweep, folder: SweepFolder, missing: int) -> str:
    """Return what a sweep would play, as text."""
    from lab.commands._show import heading
    from lab.printable import printable
    from lab.sweeps.sensitivity_table import design_text

    lines = [heading(sweep.base), ""]
    if sweep.analysis is not None:
        lines += [design_text(sweep.analysis), ""]
    lines += [f"  {printable(variant.label)}" for variant in sweep.variants[:VARIANTS_SHOWN]]
    if len(sweep.variants) > VARIANTS_SHOWN:
        lines.append(f"  and {len(sweep.variants) - VARIANTS_SHOWN:,} more")
    lines += ["", f"{len(sweep.variants):,} variants of {sweep.base.effort.games:,} games: {sweep.games:,} games"]
    if missing < sweep.games:
        lines.append(f"{sweep.games - missing:,} of them are there already, in {folder.path}")
    return "\n".join(lines)


def report(sweep: Sweep, folder: SweepFolder) -> int:
    """Print and save what came out; returns the exit status."""
    from lab.commands._show import heading
    from lab.results.files import drafting

    text, files, failures = _compared(sweep, folder) if sweep.analysis is None else _analysed(sweep, folder)
    for name, content in files.items():
        path = folder.path / name
        path.parent.mkdir(exist_ok=True)
        with drafting(path) as draft:
            draft.file.write(content)
    print(heading(sweep.base), text, sep="\n\n")
    figures = ", figures: effects/" if sweep.analysis is None else ""
    print(f"\nsweep folder: {folder.path} (tables: *.csv{figures})")
    return 1 if failures else 0


Results = tuple[str, dict[str, bytes], int]
"""What a sweep prints, the files it leaves in its folder, and how many games failed."""


def _compared(sweep: Sweep, folder: SweepFolder) -> Results:
    """Set every variant beside the base."""
    from lab.sweeps.compare import compare
    from lab.sweeps.pictures import pictures
    from lab.sweeps.table import comparison_text, pairings_csv, results_csv

    comparison = compare(folder)
    files = {"results.csv": results_csv(comparison).encode()}
    if comparison.pairings:
        files["pairings.csv"] = pairings_csv(comparison).encode()
    files |= {f"effects/{name}": content for name, content in pictures(comparison, sweep.metrics, sweep.title)}
    return comparison_text(comparison, sweep.metrics), files, len(comparison.failures)


def _analysed(sweep: Sweep, folder: SweepFolder) -> Results:
    """Say what the chosen metrics depend on."""
    from lab.sweeps.sensitivity import analyse
    from lab.sweeps.sensitivity_table import points_csv, sensitivity_csv, sensitivity_text

    assert sweep.analysis is not None
    found = analyse(folder, sweep.analysis, sweep.metrics)
    files = {"sensitivity.csv": sensitivity_csv(found).encode(), "points.csv": points_csv(found).encode()}
    return sensitivity_text(found), files, len(found.failures)


def resume_command(arguments: argparse.Namespace, folder: SweepFolder) -> str:
    """Return the command that continues the sweep into the same folder."""
    words = ["lab", "sweep", arguments.sweep]
    for name in ("games", "workers", "address", "max_games"):
        if (value := getattr(arguments, name)) is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join([*words, "--out", str(folder.path)])
