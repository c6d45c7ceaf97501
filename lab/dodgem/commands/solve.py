"""Solve a board: count its positions and say what the start is worth.

What is counted are the positions that play reaches from the start with one fixed side moving first, finished ones
included, for the side to move. The table is kept, so that a board is solved once.
"""

from __future__ import annotations

import argparse

from lab.dodgem.commands._options import add_json, add_stuck, add_tables, tables_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab dodgem solve``."""
    parser.add_argument("--board", type=int, default=3, metavar="N", help="side of the board, 2 to 5 (default: 3)")
    add_stuck(parser)
    add_tables(parser)
    add_json(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Solve the board and print what is known of it."""
    import json

    from lab.dodgem.answers import board_object, board_text

    table = tables_of(arguments).table(arguments.board, arguments.stuck)
    print(json.dumps(board_object(table)) if arguments.json else board_text(table))
    return 0
