"""From a run or a sweep to its report."""

from __future__ import annotations

from lab.aside import HERE, Aside
from lab.measures.front import Aim, parse_aim
from lab.reports.balance import of_run, of_sweep
from lab.reports.balance.model import Report, Section
from lab.reports.balance.of_pairings import players
from lab.reports.balance.of_run import Played
from lab.reports.balance.of_screening import screening
from lab.reports.balance.of_trade import trade_off
from lab.reports.balance.of_two import two_runs
from lab.reports.balance.samples import samples
from lab.reports.balance.subject import Subject
from lab.reports.balance.tallies import tally
from lab.reports.balance.verdicts import drives, fair, long, open_questions, undecided
from lab.results.run import Run
from lab.sweeps.variants import seat_text, value_text


def build(
    subject: Subject,
    other: Subject | None = None,
    target: tuple[int, int] | None = None,
    aims: tuple[Aim, Aim] | None = None,
    aside: Aside = HERE,
) -> Report:
    """Return the report.

    Parameters
    ----------
    subject
        What it is about.
    other
        What to set it beside, of the same game.
    target
        The lengths that a game should have, ends included.
    aims
        The metrics to trade off; by default those the game declares.
    aside
        Where games are played again while this process counts.
    """
    run = subject.run
    games = aside.put(samples, run.path) if run is not None and subject.games else None
    missing = subject.missing()
    if run is None or games is None:
        none = "No game has been played yet" if run is None or not run.games else "Every game failed"
        missing = [f"{none}: there is nothing to report.", *missing]
        return Report(_title(subject), _about(subject), tuple(missing), (), ())
    other_run = other.run if other is not None and other.games else None
    if other is not None and other_run is None:
        missing = [*missing, f"{other.path}: has no games to compare with."]
    even = fair(subject, run)
    questions = open_questions(subject, even)
    verdicts = even, long(subject, run, target), drives(subject, run), undecided(questions)
    sections = [
        Section("What is undecided", points=tuple(questions) or ("Nothing among the headline numbers.",)),
        *_sections(subject, run, other_run, target, aims),
    ]
    shown, files, absent = games()
    sections.append(Section("Games at the extremes", absent=absent))
    return Report(_title(subject), _about(subject), tuple(missing), verdicts, tuple(sections), shown, files)


def _title(subject: Subject) -> str:
    return subject.title + (", a sweep" if subject.sweep is not None else "")


def _about(subject: Subject) -> tuple[str, ...]:
    experiment = subject.experiment
    seats = " against ".join(seat_text(seat) for seat in experiment.seats)
    default = type(experiment.rules)().table()
    changed = [f"{key} {value_text(value)}" for key, value in experiment.rules.table().items() if value != default[key]]
    games = f"{subject.games:,} games"
    if subject.sweep is not None:
        variants = len(subject.variants)
        games = f"{variants:,} variants; {games} of the base, which the figures of a single run show"
    return (
        f"{experiment.game}, experiment {experiment.hash()[:8]}, seed {experiment.effort.seed}: {games}.",
        f"Players: {seats}.",
        "Rules: " + ("; ".join(changed) if changed else "all as by default") + ".",
        f"Folder: {subject.path}",
    )


def _sections(
    subject: Subject, run: Run, other: Run | None, target: tuple[int, int] | None, aims: tuple[Aim, Aim] | None
) -> list[Section]:
    views = subject.adapter.views
    played = [Played("this run", run, subject.games, tally(run, views))]
    sections: list[Section] = []
    if other is not None:
        played.append(Played("the other", other, other.games, tally(other, views)))
        sections.append(two_runs(run, other, ("this", "other")))
    comparison = subject.comparison
    if comparison is not None:
        chosen = subject.headline
        aims = aims or (None if views.trade is None else (parse_aim(views.trade[0]), parse_aim(views.trade[1])))
        screened = screening(subject.path)
        sections += [
            *([screened] if screened is not None else []),
            of_sweep.parameters(comparison, chosen),
            of_sweep.sensitivities(comparison, chosen),
            of_sweep.pairs_of_parameters(comparison, chosen),
            trade_off(comparison, aims) if aims else Section("Trade-off", absent=("No two metrics were named.",)),
            players(comparison),
        ]
    sections += [of_run.lengths(played, target), of_run.course(played[0]), of_run.fates(played)]
    sheet = of_run.metrics_sheet(subject.lines)
    sections.append(Section("Every metric", sheets=(sheet,)))
    if comparison is None:
        reason = "Effects of parameters, sensitivities, maps and trade-offs need a sweep, and this is a single run."
        sections.append(Section("What a single run cannot show", absent=(reason,)))
    return sections
