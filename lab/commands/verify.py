"""Check a run from end to end: bytes, games, identities, and a sample played again.

The exit status is 0 where nothing is wrong, else 1.
"""

from __future__ import annotations

import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab verify``."""
    parser.add_argument("run", metavar="RUN", help="a run's folder")
    parser.add_argument(
        "--replay", type=int, default=20, metavar="N", help="games to play again (default: %(default)s)"
    )


def execute(arguments: argparse.Namespace) -> int:
    """Print every fault, or that there is none."""
    from engine.errors import ConfigError
    from lab.verify import faults

    if arguments.replay < 0:
        raise ConfigError("--replay", arguments.replay, "must be 0 or more")
    found = 0
    for fault in faults(arguments.run, arguments.replay):
        found += 1
        print(fault)
    print(f"{arguments.run}: {found} faults" if found else f"{arguments.run}: nothing is wrong")
    return 1 if found else 0
