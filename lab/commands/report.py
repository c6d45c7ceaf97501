"""Write a page that says what a run or a sweep means: verdicts, figures, tables, and games worth seeing.

The folder holds index.html, which needs nothing else to be read, every figure as SVG and PNG (figures/), every table
as CSV (tables/) and players of single games (games/).
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab.measures.front import Aim
    from lab.reports.balance.model import Report
    from lab.reports.balance.subject import Subject


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab report``."""
    parser.add_argument("run", metavar="RUN", help="the folder of a run or of a sweep")
    parser.add_argument("--compare", metavar="RUN2", help="a run of the same game, to be set beside it")
    parser.add_argument("--out", metavar="DIR", help="folder to write (default: RUN/report)")
    parser.add_argument("--target-turns", metavar="A-B", help="the length a game should have, in turns or moves")
    parser.add_argument(
        "--trade",
        nargs=2,
        metavar="METRIC",
        help="metrics of a sweep to trade off; NAME:low, NAME:high or NAME:50 say what is better (default: high)",
    )


def execute(arguments: argparse.Namespace) -> int:
    """Read, build, write; print the verdicts."""
    from pathlib import Path

    from engine.errors import ConfigError
    from lab.aside import second_process
    from lab.reports.balance.build import build
    from lab.reports.balance.files import PAGE, check_folder, contents, write
    from lab.reports.balance.subject import open_subject

    target = None if arguments.target_turns is None else parse_target(arguments.target_turns)
    subject = open_subject(arguments.run)
    aims = None if arguments.trade is None else (_aim(subject, arguments.trade[0]), _aim(subject, arguments.trade[1]))
    other = None if arguments.compare is None else open_subject(arguments.compare, "--compare")
    if other is not None and other.experiment.game != subject.experiment.game:
        there, here = other.experiment.game, subject.experiment.game
        raise ConfigError("--compare", arguments.compare, f"must be of {here!r}, as RUN is; this is of {there!r}")
    out = Path(arguments.out) if arguments.out is not None else subject.path / "report"
    check_folder(out)
    with second_process() as aside:
        report = build(subject, other, target, aims, aside)
        found = contents(report, aside)
    write(out, found)
    print(verdicts_text(report))
    print(f"\nreport: {out / PAGE}")
    return 0


def parse_target(text: str) -> tuple[int, int]:
    """Read ``A-B``; raises :class:`engine.errors.ConfigError`."""
    from engine.errors import ConfigError

    low, _, high = text.partition("-")
    if not (low.isdecimal() and high.isdecimal() and int(low) <= int(high)):
        raise ConfigError("--target-turns", text, "must be two whole numbers, the lower first: 15-30")
    return int(low), int(high)


def _aim(subject: Subject, text: str) -> Aim:
    from engine.errors import ConfigError
    from lab.measures.front import parse_aim

    try:
        aim = parse_aim(text)
    except ValueError:
        raise ConfigError("--trade", text, "must end in :low, :high or :NUMBER, or in nothing") from None
    names = [metric.name for metric in subject.adapter.metrics]
    if aim.metric not in names:
        raise ConfigError("--trade", aim.metric, "must be among " + ", ".join(names))
    return aim


def verdicts_text(report: Report) -> str:
    """Return the first screen of a report as text."""
    from lab.printable import printable

    lines = [report.title, *report.about, *(f"! {line}" for line in report.missing)]
    for verdict in report.verdicts:
        lines += ["", f"{verdict.question} {verdict.answer}", *(f"  {line}" for line in verdict.lines)]
    return "\n".join(map(printable, lines))
