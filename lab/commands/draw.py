"""Draw a game as the page it would be, at its end or at any turn, as SVG or PNG."""

from __future__ import annotations

import argparse

from lab.commands._story import add_record


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab draw``."""
    add_record(parser)
    parser.add_argument(
        "--turn", type=int, metavar="N", help="as it stands when turn N is done; 0 is the start (default: the end)"
    )
    parser.add_argument(
        "--out", metavar="FILE", help="file to write, .svg or .png (default: the record's name with .svg)"
    )


def execute(arguments: argparse.Namespace) -> int:
    """Draw the page."""
    from pathlib import Path

    from engine.errors import ConfigError
    from lab.commands._story import read_story, write

    record = Path(arguments.record)
    out = record.with_suffix(".svg") if arguments.out is None else Path(arguments.out)
    form = out.suffix.lower()
    if form not in (".svg", ".png"):
        raise ConfigError("--out", str(out), "must end in .svg or .png")
    story = read_story(record)
    turn = story.turns if arguments.turn is None else arguments.turn
    if not 0 <= turn <= story.turns:
        raise ConfigError("--turn", turn, f"must be 0 to {story.turns}")
    count = story.steps_until(turn)
    if form == ".svg":
        from lab.pages.svg import draw_svg

        write(out, draw_svg(story, count).encode())
    else:
        from lab.pages.pixels import draw_png

        write(out, draw_png(story, count))
    return 0
