"""Say what a position is worth with perfect play, and every move of it.

A position is written as its rows from the top, U and R for cars and a point for an empty square, e.g. the start of
3 × 3: "R../R../.UU". Distances count the moves of both sides to the end of the game.
"""

from __future__ import annotations

import argparse

from lab.dodgem.commands._options import add_json, add_stuck, add_tables, tables_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab dodgem value``."""
    parser.add_argument("position", metavar="POSITION", help='rows from the top, e.g. "R../R../.UU"')
    parser.add_argument(
        "--to-move", choices=("up", "right"), help="side to move (may follow the rows instead, in the same argument)"
    )
    parser.add_argument("--board", type=int, metavar="N", help="side of the board, where the rows are to be held to it")
    add_stuck(parser)
    add_tables(parser)
    add_json(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Look the position up and print it."""
    import json
    import sys

    from engine.dodgem.notation import parse_position
    from engine.dodgem.rules import Side
    from engine.errors import ConfigError, RecordError
    from lab.dodgem.answers import position_object, position_text

    to_move = Side[arguments.to_move.upper()] if arguments.to_move else None
    try:
        position = parse_position(arguments.position, to_move)
    except RecordError as error:
        # Over several lines, unlike other errors, for the mark to stand below the column that it marks.
        print(f"lab: POSITION, {error}", file=sys.stderr)
        return 2
    if arguments.board not in (None, position.n):
        raise ConfigError("--board", arguments.board, f"must be {position.n}, the number of rows of the position")
    table = tables_of(arguments).table(position.n, arguments.stuck)
    if arguments.json:
        print(json.dumps(position_object(table, position)))
    else:
        print(position_text(table, position))
    return 0
