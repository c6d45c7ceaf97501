"""Arguments by which commands are told which processes play."""

from __future__ import annotations

import argparse

WORDS = ("workers", "address")


def add_workers(parser: argparse.ArgumentParser, default: str = "one a CPU where that pays, else 0") -> None:
    """Add ``--workers`` and ``--address``."""
    parser.add_argument("--workers", type=int, metavar="W", help=f"processes; 0 plays in this one (default: {default})")
    parser.add_argument(
        "--address",
        metavar="HOST:PORT",
        help="play on the Ray cluster there (auto: the one this machine is in), on W of its CPUs (default: all)",
    )


def check_workers(arguments: argparse.Namespace) -> None:
    """Raise :class:`engine.errors.ConfigError` where what was given cannot be."""
    from engine.errors import ConfigError

    workers: int | None = arguments.workers
    if workers is not None and workers < 0:
        raise ConfigError("--workers", workers, "must be 0 (this process alone) or more")
    if workers == 0 and arguments.address is not None:
        raise ConfigError("--workers", workers, "must be 1 or more with --address")
