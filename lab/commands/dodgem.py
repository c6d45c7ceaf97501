"""Dodgem exactly: solve a board, ask what a position is worth, play against the levels.

Like any other game it is played and measured by ``lab run``; this is what only an exactly solved game can offer.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pkgutil import iter_modules

from lab.dodgem import commands


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands of ``lab dodgem``."""
    parsers = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for found in iter_modules(commands.__path__):
        if found.name.startswith("_"):
            continue
        module = import_module(f"{commands.__name__}.{found.name}")
        summary, _, rest = str(module.__doc__).partition("\n")
        command = parsers.add_parser(
            found.name,
            help=summary,
            description=f"{summary}\n{rest}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.configure(command)
        command.set_defaults(execute_dodgem=module.execute)


def execute(arguments: argparse.Namespace) -> int:
    """Run the subcommand."""
    return arguments.execute_dodgem(arguments)
