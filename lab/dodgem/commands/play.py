"""Play against a level at the terminal.

You drive up and move first. The game is saved after every move: leave when you like, and the same command continues
it. Without options the game saved last is continued. Results are kept for each board, level and stuck rule.
"""

from __future__ import annotations

import argparse

from lab.dodgem.commands._options import add_stuck, add_tables, tables_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab dodgem play``."""
    parser.add_argument("--board", type=int, choices=(3, 4, 5), help="side of the board (default: 3)")
    parser.add_argument(
        "--level", choices=("easy", "normal", "hard", "crazy", "perfect"), help="who plays against you (default: easy)"
    )
    add_stuck(parser, default=None)
    parser.add_argument(
        "--saves", metavar="DIR", help="where games and results are kept (default: the user's data, rules-lab/dodgem)"
    )
    add_tables(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Play games until the person leaves."""
    import sys
    from functools import cache
    from pathlib import Path
    from secrets import randbits, token_hex

    from lab.dodgem.contest import Contest
    from lab.dodgem.places import saves_folder
    from lab.dodgem.saves import Saves
    from lab.dodgem.scorebook import Setting
    from lab.dodgem.screen import CARS, HELP
    from lab.dodgem.terminal import Terminal, play

    saves = Saves(
        Path(arguments.saves) if arguments.saves else saves_folder(), lambda text: print(text, file=sys.stderr)
    )
    terminal = Terminal(input, print, plain=not _can_show(f"{CARS[0]}┌×", sys.stdout.encoding))
    given = (arguments.board, arguments.level, arguments.stuck)
    setting = saves.latest() if given == (None, None, None) else None
    setting = setting or Setting(arguments.board or 3, arguments.level or "easy", arguments.stuck or "wins")
    tables = cache(tables_of(arguments).table)
    with saves.playing(setting):
        contest = saves.unfinished(setting)
        if contest is None:
            terminal.show(f"{setting}\n\n{HELP}")
        else:
            terminal.show(f"{setting}: continued after {len(contest.match.moves)} moves")
        while play(contest or Contest.begin(setting, token_hex(16), randbits(62)), saves, tables, terminal):
            contest = None
            try:
                again = terminal.ask("\nanother game? (y/n) ").strip().lower()
            except EOFError:
                break
            if again not in ("y", "yes"):
                break
    return 0


def _can_show(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
