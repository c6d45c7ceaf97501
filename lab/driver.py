"""Playing an experiment into a run folder: new, continued or extended."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from lab.errors import RunError
from lab.first_game import compile_first
from lab.progress import Progress
from lab.results.folder import Folder
from lab.results.run import Run
from lab.results.store import writing_to
from lab.runners import Runner
from lab.runners.batch import Outcome, job_text
from lab.runners.cpus import usable_cpus
from lab.runners.plan import Plan
from lab.runners.serial import SerialRunner
from lab.runners.stopping import Stop, on_interrupt
from lab.spec import Experiment
from lab.until import FIRST_LOOK, Patience, StoppingRule

STOPPING: Final = "Stopping: the games under way are finished and stored. Ctrl-C again stops at once."

RAY_PAYS_SECONDS: Final = 30.0
"""Seconds of play on one core from which starting Ray, some seconds itself, is worth it."""


class RunInterrupted(KeyboardInterrupt):
    """A run was asked to stop and did, with all it had played stored in :attr:`path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(path)


def run(
    experiment: Experiment,
    out: str | Path | None = None,
    *,
    workers: int | None = None,
    address: str | None = None,
    progress: Progress | None = None,
    command: list[str] | None = None,
    until: StoppingRule | None = None,
) -> Run:
    """Play the games of an experiment that its run folder does not have yet, and return the run.

    Parameters
    ----------
    experiment
        What to play, and how many games of it.
    out
        The run's folder (default: ``runs/<title>-<hash>``). One that holds games of this experiment is
        continued; more games than it has extend it.
    workers
        Processes; 0 plays in this one. By default as many as there are CPUs where that pays, else 0. The
        games are the same in any case.
    address
        Of a Ray cluster, on whose CPUs to play (default: on those of this machine); ``workers`` bounds how many.
    progress
        Told how it goes (default: nobody is).
    command
        What provenance names as the command (default: that of this process).
    until
        Play until this rule is met; the experiment's games are then the most that are played. The folder keeps
        where it stopped.

    Raises
    ------
    engine.errors.ConfigError
        Where the folder holds something else.
    lab.errors.RunError
        Where the folder is in use or damaged.
    RunInterrupted
        After Ctrl-C, once what was played is stored. A second Ctrl-C raises KeyboardInterrupt at once.
    """
    folder = Folder(Path(out) if out is not None else default_folder(experiment))
    progress = progress or Progress(None)
    most = experiment.effort.games
    if until is not None:
        experiment = replace(experiment, effort=replace(experiment.effort, games=min(FIRST_LOOK, most)))
    with writing_to(folder, experiment) as store, _storing(folder):
        patience = None if until is None else Patience(until, store, most)
        if missing := store.missing() if patience is None else patience.missing():
            if address is None:
                compile_first(experiment, progress.say)
            progress.begin(store.experiment.effort.games if patience is None else patience.foreseen, store.games)
            plan = Plan(job_text(store.experiment), missing)
            command = sys.argv if command is None else command
            with store.session(command, workers), on_interrupt(STOPPING) as stop:
                for outcome in _outcomes(plan, workers, address, stop, progress):
                    store.add(outcome)
                    progress.advance(len(outcome.table))
                    # The runner asks the plan for more after this, so that it finds here what the rule still wants.
                    if patience is not None and not store.missing() and (missing := patience.missing()):
                        progress.begin(patience.foreseen, store.games)
                        plan.extend(missing, patience.foreseen - store.experiment.effort.games)
        if store.missing():
            raise RunInterrupted(folder.path)
        store.compact()
    return Run(folder.path)


def default_folder(experiment: Experiment, name: str = "") -> Path:
    """Return where a run goes that is given no folder: named by a person's name for it and by its hash."""
    words = re.sub(r"[^a-z0-9]+", "-", (name or experiment.title or experiment.game).lower()).strip("-")
    return Path("runs") / f"{words[:40] or experiment.game}-{experiment.hash()[:8]}"


@contextmanager
def _storing(folder: Folder) -> Generator[None, None, None]:
    """Name the folder when the system will not write to it: a full disk, as a rule."""
    try:
        yield
    except OSError as error:
        reason = f"{error.strerror or error}; what was stored before is sound, and the run can be continued"
        raise RunError(f"{folder.path}: cannot be written ({reason})") from error


def _outcomes(
    plan: Plan, workers: int | None, address: str | None, stop: Stop, progress: Progress
) -> Iterator[Outcome]:
    """Play a plan; where the number of workers is open, see first how long games take."""
    if not workers and address is None:
        for outcome in SerialRunner().play(plan, stop):
            yield outcome
            if workers is None and usable_cpus() > 1 and (plan.seconds_left or 0.0) > RAY_PAYS_SECONDS:
                workers = usable_cpus()
                break
    if (workers or address is not None) and plan.games_left and not stop():
        with closing(_ray(workers, address, progress)) as runner:
            yield from runner.play(plan, stop)


@contextmanager
def processes(workers: int | None, address: str | None = None) -> Generator[None, None, None]:
    """Keep Ray's processes for as long as the block runs: starting them takes seconds, and runs may be many."""
    if not workers and address is None:
        yield
        return
    from lab.runners.ray import RayRunner

    with closing(RayRunner(workers, address)):
        yield


def _ray(workers: int | None, address: str | None, progress: Progress) -> Runner:
    from lab.runners.ray import RayRunner

    if address is None and workers is not None and workers > (cpus := usable_cpus()):
        progress.say(f"{workers} workers asked for; there are CPUs for {cpus}.")
    return RayRunner(workers, address, progress.say)
