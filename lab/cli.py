"""The command ``lab``: finds its subcommands, and turns what goes wrong into one line and an exit status.

A subcommand is a module in ``lab/commands``: the first line of its docstring is its help, ``configure``
adds its arguments to a parser, ``execute`` runs it and returns the exit status. Names that begin with ``_``
are helpers. Modules there import what is slow to load inside ``execute``, so that ``lab --help`` is quick.

Exit statuses: 0 done; 1 done, but games failed or a run is damaged; 2 something given cannot be used; 130
interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from engine.errors import ConfigError, RecordError
from lab import commands
from lab.commands._subcommands import add_subcommands
from lab.errors import RunError, RunnerError
from lab.printable import printable


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    # The lab's matrices are small: threads cost more than they bring, many times as much where cores are shared.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        arguments = _parser().parse_args(argv)
        status = arguments.execute(arguments)
        sys.stdout.flush()
        return status
    except (ConfigError, RecordError) as error:
        return _complain(error, 2)
    except (RunError, RunnerError) as error:
        return _complain(error, 1)
    except BrokenPipeError:
        # Whoever read the output has gone. Nothing more may be written to it, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _complain(error, 2)
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lab", description="A laboratory for the rules of a game.")
    add_subcommands(parser, commands, "execute")
    return parser


def _complain(error: Exception, status: int) -> int:
    """Print an error as one line of printable characters, whatever names and values it quotes."""
    print(f"lab: {printable(str(error))}", file=sys.stderr)
    return status
