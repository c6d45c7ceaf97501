"""Play the games of an experiment and print its metrics with intervals.

A folder that has games of the experiment already is continued; asking for more games extends it. Several experiments
are played one after the other, once all of them have been read and found in order.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from lab.commands._experiment import add_experiment, read_experiment


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab run``."""
    add_experiment(parser, many=True)
    parser.add_argument("--games", type=int, metavar="N", help="games wanted (default: the file's)")
    parser.add_argument(
        "--workers",
        type=int,
        metavar="W",
        help="processes; 0 plays in this one (default: one a CPU where that pays, else 0)",
    )
    parser.add_argument("--out", metavar="DIR", help="the run's folder, of one experiment (default: runs/NAME-HASH)")


def execute(arguments: argparse.Namespace) -> int:
    """Play, then print the run's summary."""
    from engine.errors import ConfigError
    from lab.commands._show import run_text
    from lab.driver import RunInterrupted, default_folder, run
    from lab.progress import Progress

    if arguments.workers is not None and arguments.workers < 0:
        raise ConfigError("--workers", arguments.workers, "must be 0 (this process alone) or more")
    files: list[str] = arguments.experiment
    if arguments.out is not None and len(files) > 1:
        raise ConfigError("--out", arguments.out, "names the folder of one experiment; leave it out for several")
    experiments = [read_experiment(arguments, file, arguments.games) for file in files]
    failures = 0
    for file, experiment in zip(files, experiments, strict=True):
        out = arguments.out or default_folder(experiment, Path(file).stem)
        progress = Progress(sys.stderr)
        try:
            played = run(experiment, out, workers=arguments.workers, progress=progress)
        except RunInterrupted as interrupted:
            command = resume_command(arguments, out)
            progress.say(f"Stopped; all that was played is stored. To continue:\n  {command}")
            raise interrupted from None
        finally:
            progress.close()
        print(run_text(played))
        print(f"\nrun folder: {played.path}")
        failures += bool(played.failures)
    return 1 if failures else 0


def resume_command(arguments: argparse.Namespace, out: str | Path) -> str:
    """Return the command that continues, into the same folders."""
    words = ["lab", "run", *arguments.experiment]
    for name in ("games", "seed", "workers"):
        if (value := getattr(arguments, name)) is not None:
            words += [f"--{name}", str(value)]
    for change in arguments.set:
        words += ["--set", change]
    if len(arguments.experiment) == 1:
        words += ["--out", str(out)]
    return shlex.join(words)
