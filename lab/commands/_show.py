"""A run in text: what commands print of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.printable import printable

if TYPE_CHECKING:
    from engine.parameters import Parameters
    from lab.results.run import Run
    from lab.spec import Experiment

FAILURES_SHOWN = 5


def run_text(run: Run) -> str:
    """Return what a run is and what came out of it, as text for a terminal."""
    from lab.results.parts import ranges_text
    from lab.summary import text_table
    from lab.until import look_text, stops_of

    text = [heading(run.experiment), ""]
    if missing := run.missing:
        lacking = sum(stop - start for start, stop in missing)
        text += [f"Unfinished: {lacking:,} games are missing ({ranges_text(missing)}).", ""]
    text.append(text_table(run.summary()) if run.games else "No games yet.")
    if stops := stops_of(run.folder):
        text += ["", *(look_text(look, run.adapter.metric(look.rule.split()[0])) for look in stops)]
    if failures := run.failures:
        text += ["", f"{len(failures):,} of {run.games:,} games failed and are left out above:"]
        text += [f"  game {game}: {error}" for game, error in failures[:FAILURES_SHOWN]]
        if len(failures) > FAILURES_SHOWN:
            text.append(f"  and {len(failures) - FAILURES_SHOWN:,} more")
    return "\n".join(text)


def heading(experiment: Experiment) -> str:
    """Return an experiment in a few lines: title, players, seed, and the rules that are not the default."""
    seats = " against ".join(_named(seat.name, seat.options) for seat in experiment.seats)
    changed = _changed(experiment.rules)
    return "\n".join(
        printable(line)
        for line in (
            f"{experiment.title or experiment.game} ({experiment.game}, {experiment.hash()[:8]})",
            f"players: {seats}; seed {experiment.effort.seed}; {experiment.effort.games:,} games",
            "rules: " + (", ".join(changed) if changed else "all as by default"),
        )
    )


def _named(name: str, options: Parameters) -> str:
    changed = _changed(options)
    return f"{name} ({', '.join(changed)})" if changed else name


def _changed(settings: Parameters) -> list[str]:
    default = type(settings)().table()
    return [f"{key} = {value}" for key, value in settings.table().items() if value != default[key]]
