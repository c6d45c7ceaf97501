"""Play the games of an experiment and print its metrics with intervals.

A folder that has games of the experiment already is continued; asking for more games extends it. Several experiments
are played one after the other, once all of them have been read and found in order.

With --until "METRIC half-width NUMBER" a run goes on until the metric is known that well: the rule is asked after
fixed numbers of games, and goes by an interval that holds at all these looks at once. Of a share, 0.01 is one point;
other metrics are in their own unit.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from lab.commands._experiment import add_experiment, read_experiment
from lab.commands._workers import add_workers, check_workers


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab run``."""
    add_experiment(parser, many=True)
    parser.add_argument("--games", type=int, metavar="N", help="games wanted (default: the file's)")
    parser.add_argument("--until", metavar="RULE", help='play until a metric is known: "turns half-width 0.5"')
    parser.add_argument("--max-games", type=int, metavar="N", help="most games with --until (default: 100000)")
    add_workers(parser)
    parser.add_argument("--out", metavar="DIR", help="the run's folder, of one experiment (default: runs/NAME-HASH)")


def execute(arguments: argparse.Namespace) -> int:
    """Play, then print the run's summary."""
    from engine.errors import ConfigError
    from lab.commands._show import run_text
    from lab.driver import RunInterrupted, default_folder, run
    from lab.progress import Progress
    from lab.until import StoppingRule

    check_workers(arguments)
    files: list[str] = arguments.experiment
    if arguments.out is not None and len(files) > 1:
        raise ConfigError("--out", arguments.out, "names the folder of one experiment; leave it out for several")
    experiments = [read_experiment(arguments, file, _games(arguments)) for file in files]
    rules = [None if arguments.until is None else StoppingRule.parse(arguments.until, e.game) for e in experiments]
    failures = 0
    for file, experiment, rule in zip(files, experiments, rules, strict=True):
        out = arguments.out or default_folder(experiment, Path(file).stem)
        progress = Progress(sys.stderr)
        try:
            played = run(
                experiment, out, workers=arguments.workers, address=arguments.address, progress=progress, until=rule
            )
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


def _games(arguments: argparse.Namespace) -> int | None:
    """Return the games wanted, or with a stopping rule the most that are; None leaves it to the file."""
    from engine.errors import ConfigError
    from lab.until import MOST_GAMES

    if arguments.until is None:
        if arguments.max_games is not None:
            raise ConfigError("--max-games", arguments.max_games, "goes with --until; --games says how many to play")
        return arguments.games
    if arguments.games is not None:
        raise ConfigError("--games", arguments.games, "does not go with --until; --max-games bounds the games")
    if arguments.max_games is not None and arguments.max_games < 1:
        raise ConfigError("--max-games", arguments.max_games, "must be 1 or more")
    return MOST_GAMES if arguments.max_games is None else arguments.max_games


def resume_command(arguments: argparse.Namespace, out: str | Path) -> str:
    """Return the command that continues, into the same folders."""
    words = ["lab", "run", *arguments.experiment]
    for name in ("games", "until", "max_games", "seed", "workers", "address"):
        if (value := getattr(arguments, name)) is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    for change in arguments.set:
        words += ["--set", change]
    if len(arguments.experiment) == 1:
        words += ["--out", str(out)]
    return shlex.join(words)
