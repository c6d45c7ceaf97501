"""What commands that draw a game have in common."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab.pages.story import Story


def add_record(parser: argparse.ArgumentParser) -> None:
    """Add the record's file."""
    parser.add_argument("record", metavar="RECORD", help="a game's record, as `lab play --record` writes it")


def read_story(path: Path) -> Story:
    """Return the game of a record as a page being drawn on; raises :class:`engine.errors.RecordError`."""
    from engine.errors import RecordError
    from lab.record_file import replay_file

    adapter, played = replay_file(path)
    if adapter.story is None:
        raise RecordError(f"{path}: game = {adapter.game.name!r}: has no page that can be drawn")
    return adapter.story(played)


def write(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all, and say so."""
    from lab.results.files import drafting

    with drafting(path) as draft:
        draft.file.write(content)
    print(f"{path}: written, {len(content):,} bytes")
