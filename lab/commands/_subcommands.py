"""Finding subcommands: the public modules of a package."""

from __future__ import annotations

import argparse
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def add_subcommands(parser: argparse.ArgumentParser, package: ModuleType, runs: str) -> None:
    """Add each public module of ``package`` as a subcommand, and set its ``execute`` under the name ``runs``.

    The first line of a module's docstring is its help; ``configure`` adds its arguments.
    """
    parsers = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for found in iter_modules(package.__path__):
        if found.name.startswith("_"):
            continue
        module = import_module(f"{package.__name__}.{found.name}")
        summary, _, rest = str(module.__doc__).partition("\n")
        command = parsers.add_parser(
            found.name,
            help=summary,
            description=f"{summary}\n{rest}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.configure(command)
        command.set_defaults(**{runs: module.execute})
