"""Print the metrics of a run, as far as it has been played."""

from __future__ import annotations

import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab show``."""
    parser.add_argument("run", metavar="RUN", help="a run's folder")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="as CSV")
    form.add_argument("--schema", action="store_true", help="the schema of its rows, as JSON Schema")
    form.add_argument("--provenance", action="store_true", help="where its games come from, as JSON")


def execute(arguments: argparse.Namespace) -> int:
    """Print what was asked for."""
    import json

    from lab.commands._show import run_text
    from lab.results.run import Run
    from lab.schemas import rows_of
    from lab.summary import summary_csv

    run = Run(arguments.run)
    if arguments.provenance:
        print(json.dumps(run.folder.provenance(), indent=2, ensure_ascii=False))
    elif arguments.schema:
        print(json.dumps(rows_of(run.adapter), indent=2, ensure_ascii=False))
    elif arguments.csv:
        print(summary_csv(run.summary()), end="")
    else:
        print(run_text(run))
    return 0
