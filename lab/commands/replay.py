"""Make a player of a game: one HTML file to step through it, and an animated GIF."""

from __future__ import annotations

import argparse

from lab.commands._story import add_record


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab replay``."""
    add_record(parser)
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="HTML file to write (default: the record's name with .html, unless --gif is given)",
    )
    parser.add_argument("--gif", metavar="FILE", help="animated GIF to write")


def execute(arguments: argparse.Namespace) -> int:
    """Write what was asked for."""
    from pathlib import Path

    from engine.errors import ConfigError
    from lab.commands._story import read_story, write
    from lab.pages.animation import draw_gif
    from lab.pages.player import draw_html

    record = Path(arguments.record)
    gif = None if arguments.gif is None else Path(arguments.gif)
    html = None if arguments.out is None else Path(arguments.out)
    if html is None and gif is None:
        html = record.with_suffix(".html")
    for option, path, suffixes in (("--out", html, (".html", ".htm")), ("--gif", gif, (".gif",))):
        if path is not None and path.suffix.lower() not in suffixes:
            raise ConfigError(option, str(path), "must end in " + " or ".join(suffixes))
    story = read_story(record)
    if html is not None:
        write(html, draw_html(story).encode())
    if gif is not None:
        write(gif, draw_gif(story))
    return 0
