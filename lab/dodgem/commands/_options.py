"""Arguments that several commands take."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab.dodgem.tables import TableFolder

STUCK_RULES = ("wins", "loses", "passes", "draws")
"""As in :data:`engine.dodgem.rules.STUCK_RULES`, which would take long to import for a line of help."""


def add_stuck(parser: argparse.ArgumentParser, default: str | None = "wins") -> None:
    """Add the stuck rule."""
    parser.add_argument(
        "--stuck",
        choices=STUCK_RULES,
        default=default,
        help="what becomes of a side to move that has cars but no move, rule D6 (default: wins)",
    )


def add_tables(parser: argparse.ArgumentParser) -> None:
    """Add the folder of solved boards."""
    parser.add_argument(
        "--tables", metavar="DIR", help="where solved boards are kept (default: the user's cache, rules-lab/dodgem)"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the choice of JSON."""
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def tables_of(arguments: argparse.Namespace) -> TableFolder:
    """Return the folder of solved boards that was asked for."""
    from pathlib import Path

    from lab.dodgem.places import tables_folder
    from lab.dodgem.tables import TableFolder

    return TableFolder(Path(arguments.tables) if arguments.tables else tables_folder(), sys.stderr)
