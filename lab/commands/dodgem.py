"""Dodgem exactly: solve a board, ask what a position is worth, play against the levels.

Like any other game it is played and measured by ``lab run``; this is what only an exactly solved game can offer.
"""

from __future__ import annotations

import argparse

from lab.commands._subcommands import add_subcommands
from lab.dodgem import commands


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands of ``lab dodgem``."""
    add_subcommands(parser, commands, "execute_dodgem")


def execute(arguments: argparse.Namespace) -> int:
    """Run the subcommand."""
    return arguments.execute_dodgem(arguments)
