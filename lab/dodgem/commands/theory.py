"""Report what is known of every solved board under every stuck rule, beside what is published.

The 5 × 5 board is solved once for each stuck rule, half a minute or so each, and its tables are kept.
"""

from __future__ import annotations

import argparse

from lab.dodgem.commands._options import add_tables, tables_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab dodgem theory``."""
    parser.add_argument(
        "--boards", type=int, nargs="+", default=[3, 4, 5], metavar="N", help="which boards (default: 3 4 5)"
    )
    parser.add_argument(
        "--games", type=int, default=1000, metavar="N", help="games to sample on each (default: %(default)s)"
    )
    parser.add_argument("--out", metavar="DIR", help="write the report there too, as text and CSV")
    add_tables(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Print the report, and write it where asked."""
    from pathlib import Path

    from engine.errors import ConfigError
    from lab.dodgem.grid import csv_text, write_files
    from lab.dodgem.theory import published_rows, report_rows, report_text, study

    if arguments.games < 1:
        raise ConfigError("--games", arguments.games, "must be 1 or more")
    found = study(dict.fromkeys(arguments.boards), tables_of(arguments).table, arguments.games)
    text = report_text(found)
    print(text)
    if arguments.out is not None:
        rows, published = csv_text(report_rows(found)), csv_text(published_rows(found))
        write_files(Path(arguments.out), {"theory.txt": f"{text}\n", "theory.csv": rows, "published.csv": published})
    return 0
