"""Play what others have published of Dotfight, and say where the lab agrees.

Plays every row of the public record and the rule book's three sizes, then prints and saves, for every published
value, ours with its interval, the difference in standard errors and a verdict; the same for the claims of the rule
book. Rows that a folder has already are not played again.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lab.commands._workers import add_workers, check_workers

if TYPE_CHECKING:
    from pathlib import Path

    from lab.progress import Progress
    from lab.reports.reproduce.published import Row, Size
    from lab.reports.reproduce.report import Report
    from lab.results.run import Run
    from lab.spec import Experiment


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab reproduce``."""
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="few games: a first look")
    size.add_argument("--full", action="store_true", help="as many games as the record's or more, on every row")
    parser.add_argument(
        "--rows", nargs="+", default=["*"], metavar="ROW", help="only these: names or patterns (round-4-*)"
    )
    add_workers(parser, default="one a CPU")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of every row (default: %(default)s)")
    parser.add_argument("--out", metavar="DIR", help="folder of runs and report (default: runs/reproduce...)")


def execute(arguments: argparse.Namespace) -> int:
    """Play, report, save."""
    import sys
    from pathlib import Path

    from engine.errors import ConfigError
    from lab.driver import RunInterrupted
    from lab.progress import Progress
    from lab.reports.reproduce.text import report_text

    check_workers(arguments)
    if arguments.seed < 0:
        raise ConfigError("--seed", arguments.seed, "must be 0 or more")
    size: Size = "quick" if arguments.quick else "full" if arguments.full else "default"
    rows = chosen(arguments.rows)
    experiments = [experiment_of(row, size, arguments.seed) for row in rows]
    out = Path(arguments.out) if arguments.out is not None else default_folder(size, arguments.seed)
    check_folder(out, rows, experiments)
    progress = Progress(sys.stderr)
    try:
        runs = play(out, rows, experiments, arguments.workers, progress, arguments.address)
    except RunInterrupted as interrupted:
        progress.say("Stopped; all that was played is stored, and the same command goes on from there.")
        raise interrupted from None
    finally:
        progress.close()
    report = report_on(rows, runs, size, arguments.seed)
    save(report, out)
    print(report_text(report))
    print(f"\nreport, tables and figure: {out}")
    return 1 if report.failed else 0


def chosen(patterns: Sequence[str]) -> list[Row]:
    """Return the rows that any of the patterns names, in the order of the report."""
    from fnmatch import fnmatchcase

    from engine.errors import ConfigError
    from lab.reports.reproduce.published import rows

    names = [row.name for row in rows()]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise ConfigError("--rows", pattern, "must name a row, or be a pattern of names: " + ", ".join(names))
    return [row for row in rows() if any(fnmatchcase(row.name, pattern) for pattern in patterns)]


def experiment_of(row: Row, size: Size, seed: int) -> Experiment:
    """Return what is played for a row."""
    from pathlib import Path

    from lab.experiment_file import load

    configs = Path(__file__).resolve().parents[2] / "configs" / "dotfight"
    changes = {**row.changes, "run.games": row.games[size], "run.seed": seed + row.seed_step}
    return load(configs / row.config, changes)


def default_folder(size: Size, seed: int) -> Path:
    """Return where the report goes that is given no folder."""
    from pathlib import Path

    return Path("runs") / ("reproduce" + ("" if size == "default" else f"-{size}") + (f"-{seed}" if seed != 1 else ""))


def run_folder(out: Path, row: Row) -> Path:
    """Return a row's run folder."""
    return out / "runs" / row.name


def check_folder(out: Path, rows: Sequence[Row], experiments: Sequence[Experiment]) -> None:
    """Refuse a folder that holds something else, or other games of a row, before anything is played."""
    from engine.errors import ConfigError
    from lab.games import adapter_of
    from lab.results.folder import Folder
    from lab.results.provenance import code_hash

    if out.exists() and not out.is_dir():
        raise ConfigError("out", str(out), "must be a folder, and is a file")
    if out.exists() and not (out / "runs").is_dir() and any(out.iterdir()):
        raise ConfigError("out", str(out), "must be a new or empty folder, or that of an earlier report")
    for row, experiment in zip(rows, experiments, strict=True):
        Folder(run_folder(out, row)).admit(experiment, code_hash(adapter_of(experiment.game)))


def play(
    out: Path,
    rows: Sequence[Row],
    experiments: Sequence[Experiment],
    workers: int | None,
    progress: Progress,
    address: str | None = None,
) -> list[Run]:
    """Play the games that are missing, row by row."""
    import time
    from contextlib import nullcontext

    from lab.driver import processes, run
    from lab.progress import duration_text
    from lab.results.folder import Folder
    from lab.runners.cpus import usable_cpus

    if workers is None and address is None:
        cpus = usable_cpus()
        workers = cpus if cpus > 1 else 0
    missing = [
        max(0, experiment.effort.games - Folder(run_folder(out, row)).parts().games)
        for row, experiment in zip(rows, experiments, strict=True)
    ]
    left, spent, seconds, compiled = _cost(rows, missing), 0.0, 0.0, False
    runs: list[Run] = []
    with processes(workers, address) if left else nullcontext():
        for number, (row, experiment, games) in enumerate(zip(rows, experiments, missing, strict=True), 1):
            text = f"{number} of {len(rows)}: {row.label}, {experiment.effort.games:,} games"
            if games < experiment.effort.games:
                text += f", {games:,} of them missing" if games else ", all there"
            if spent:
                text += f"; about {duration_text(left * seconds / spent)} left in all"
            progress.say(text)
            began = time.monotonic()
            runs.append(run(experiment, run_folder(out, row), workers=workers, address=address, progress=progress))
            left -= row.cost * games
            # The first games of all also compile, which tells nothing of those to come.
            if games and compiled:
                seconds += time.monotonic() - began
                spent += row.cost * games
            compiled = compiled or games > 0
    return runs


def _cost(rows: Sequence[Row], games: Sequence[int]) -> float:
    return sum(row.cost * count for row, count in zip(rows, games, strict=True))


def report_on(rows: Sequence[Row], runs: Sequence[Run], size: Size, seed: int) -> Report:
    """Compare the first games of each row, as many as its size asks for, whatever else its folder holds."""
    from lab.reports.reproduce.report import build, columns_read
    from lab.results.schema import columns_of

    adapter = runs[0].adapter
    names = columns_read(adapter)
    tables = {row.name: run.table(names).slice(0, row.games[size]) for row, run in zip(rows, runs, strict=True)}
    failed = [
        (row.name, game, why)
        for row, run in zip(rows, runs, strict=True)
        for game, why in run.failures
        if game < row.games[size]
    ]
    played = {name: columns_of(table, ["game", *names]) for name, table in tables.items()}
    return build(adapter, played, failed, size, seed)


def save(report: Report, out: Path) -> None:
    """Write the report as text, tables and figure."""
    from lab.plots.render import FORMATS, render
    from lab.reports.reproduce.picture import picture
    from lab.reports.reproduce.table import claims_csv, comparisons_csv
    from lab.reports.reproduce.text import report_text
    from lab.results.files import drafting

    contents = {
        "report.txt": (report_text(report) + "\n").encode(),
        "comparisons.csv": comparisons_csv(report).encode(),
        "claims.csv": claims_csv(report).encode(),
    }
    figure = picture(report)
    for form in FORMATS:
        if figure is None:
            (out / f"differences.{form}").unlink(missing_ok=True)
        else:
            contents[f"differences.{form}"] = render(figure, form)
    for name, content in contents.items():
        with drafting(out / name) as draft:
            draft.file.write(content)
