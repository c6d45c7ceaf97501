"""Say what the engine makes of given flicks, to compare another engine with it.

Reads one JSON object a line: a position and flicks, each judged on its own from that position. Writes one line a
flick: {"id": ..., "flick": its index, "out": what the ink met, "after": what the turn rules made of it}. Nothing is
written unless every line can be answered.
"""

from __future__ import annotations

import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab trace``."""
    parser.add_argument("file", metavar="FILE", help="positions and flicks, as JSON lines")
    parser.add_argument(
        "--geometry", choices=("shapely", "kernel"), default="shapely", help="who adjudicates (default: %(default)s)"
    )
    parser.add_argument("--out", metavar="FILE", help="write the answers there (default: to standard output)")


def execute(arguments: argparse.Namespace) -> int:
    """Answer every flick of the file."""
    import shutil
    import sys
    from pathlib import Path
    from tempfile import TemporaryFile

    from lab.dotfight.trace_file import answer_lines
    from lab.results.files import drafting

    answers = answer_lines(Path(arguments.file), arguments.geometry)
    if arguments.out is not None:
        with drafting(Path(arguments.out)) as draft:
            draft.file.writelines(f"{answer}\n".encode() for answer in answers)
        return 0
    with TemporaryFile("w+") as spool:
        spool.writelines(f"{answer}\n" for answer in answers)
        spool.seek(0)
        shutil.copyfileobj(spool, sys.stdout)
    return 0
