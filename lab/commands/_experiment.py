"""Arguments by which commands are told an experiment."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab.spec import Experiment


def add_experiment(parser: argparse.ArgumentParser, *, many: bool = False) -> None:
    """Add the experiment's file (or ``many`` files), its seed and changes to it."""
    kind = "+" if many else None
    parser.add_argument("experiment", nargs=kind, metavar="EXPERIMENT", help="TOML file: a rule set or an experiment")
    parser.add_argument("--seed", type=int, metavar="S", help="seed of the experiment (default: the file's)")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="change a rule or, by dotted key, anything in the file (players.first.name=random); repeatable",
    )


def read_experiment(arguments: argparse.Namespace, file: str, games: int | None = None) -> Experiment:
    """Return the experiment in ``file`` as the arguments change it."""
    from lab.experiment_file import load, parse_change

    changes = dict(parse_change(change) for change in arguments.set)
    if arguments.seed is not None:
        changes["run.seed"] = arguments.seed
    if games is not None:
        changes["run.games"] = games
    return load(file, changes)
