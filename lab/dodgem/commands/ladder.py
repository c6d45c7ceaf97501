"""Play every level against every level, both seats, and rate them beside the exact solution.

Each pairing in each seating on each board is a run of the lab, in a folder of its own; a ladder that was stopped is
continued, and asking for more games extends it. The 5 × 5 board is solved first where that has not been done.
"""

from __future__ import annotations

import argparse

DEFAULT_CONFIG = "configs/dodgem/ladder.toml"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab dodgem ladder``."""
    parser.add_argument(
        "config", metavar="CONFIG", nargs="?", default=DEFAULT_CONFIG, help="rules, seed, games (default: %(default)s)"
    )
    parser.add_argument("--games", type=int, metavar="N", help="games of each seating (default: the file's)")
    parser.add_argument(
        "--boards", type=int, nargs="+", default=[3, 4, 5], metavar="N", help="which boards (default: 3 4 5)"
    )
    parser.add_argument("--levels", nargs="+", metavar="LEVEL", help="which levels, two or more (default: all)")
    parser.add_argument("--workers", type=int, metavar="W", help="as for lab run")
    parser.add_argument("--out", metavar="DIR", help="the ladder's folder (default: runs/dodgem-ladder-HASH)")


def execute(arguments: argparse.Namespace) -> int:
    """Play what is missing, then print the standings and write them."""
    import sys
    from pathlib import Path

    from lab.dodgem.grid import csv_text, write_files
    from lab.dodgem.ladder import LEVELS, levels_called, results, rungs
    from lab.dodgem.ladder_report import level_rows, meeting_rows, report_text
    from lab.dodgem.standings import standings
    from lab.dodgem.tables import kept_table
    from lab.driver import RunInterrupted, run
    from lab.experiment_file import load
    from lab.progress import Progress

    boards = list(dict.fromkeys(arguments.boards))
    levels = levels_called(arguments.levels or LEVELS)
    found = rungs(arguments.config, boards, levels, arguments.games)
    tables = {board: kept_table(board, found[0].rules.stuck) for board in boards}
    folder = Path(arguments.out or f"runs/dodgem-ladder-{load(arguments.config).hash()[:8]}")
    progress = Progress(sys.stderr)
    try:
        for rung in found:
            run(rung.experiment, folder / rung.name, workers=arguments.workers, progress=progress)
    except RunInterrupted as interrupted:
        progress.say("Stopped; all that was played is stored. The same command continues.")
        raise interrupted from None
    finally:
        progress.close()
    played = list(results(found, folder, lambda board, _: tables[board]))
    found_standings = [
        standings(tables[board], [one for one in played if one.rung.board == board], levels) for board in boards
    ]
    text = report_text(found_standings)
    print(text)
    print(f"\nladder folder: {folder}")
    meetings, rated = csv_text(meeting_rows(found_standings)), csv_text(level_rows(found_standings))
    write_files(folder, {"ladder.txt": f"{text}\n", "meetings.csv": meetings, "levels.csv": rated})
    return 1 if any(one.failures for one in found_standings) else 0
