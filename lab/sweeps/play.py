"""Playing a sweep: variant after variant, on one set of processes, into one folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from lab.driver import RAY_PAYS_SECONDS, STOPPING, RunInterrupted, processes, run
from lab.first_game import compile_first
from lab.progress import Progress
from lab.results.folder import Folder
from lab.runners.batch import Batch, job_text, play_batch
from lab.runners.cpus import usable_cpus
from lab.runners.stopping import on_interrupt
from lab.sweeps.folder import SweepFolder
from lab.sweeps.variants import Variant

TIMED_SECONDS: Final = 4.0
"""Games are timed until so much time has passed, or one game of each variant has been."""


class _Share(Progress):
    """Progress of one run, counted towards that of the sweep it belongs to."""

    def __init__(self, whole: Progress) -> None:
        super().__init__(None)
        self._whole = whole

    def begin(self, wanted: int, done: int) -> None:
        """The sweep has begun already."""

    def advance(self, games: int) -> None:
        """Count games that were just stored."""
        self._whole.advance(games)

    def say(self, text: str) -> None:
        """Write a line of its own that stays."""
        self._whole.say(text)


def missing_games(folder: SweepFolder, variants: Sequence[Variant]) -> int:
    """Return how many games of the variants are not there yet."""
    return sum(
        stop - start
        for variant in variants
        for start, stop in folder.run(variant).parts().missing(variant.experiment.effort.games)
    )


def seconds_per_game(variants: Sequence[Variant], say: Callable[[str], None]) -> float:
    """Time a few games, one each of variants spread over the sweep, in this process; they are not kept."""
    compile_first(variants[0].experiment, say)
    # The first game of a process also loads what was compiled.
    play_batch(Batch(job_text(variants[0].experiment), 0, 1))
    began, played = time.perf_counter(), 0
    # In strides: neighbours in a design are alike, so the first few would not speak for all.
    order = sorted(range(len(variants)), key=lambda place: (place % 7, place))
    for place in order:
        play_batch(Batch(job_text(variants[place].experiment), 1, 2))
        played += 1
        if time.perf_counter() - began > TIMED_SECONDS:
            break
    return (time.perf_counter() - began) / played


def workers_for(seconds: float) -> int:
    """Return how many processes pay for so many seconds of play on one; 0 is this process alone."""
    cpus = usable_cpus()
    return cpus if cpus > 1 and seconds > RAY_PAYS_SECONDS else 0


def play(
    folder: SweepFolder,
    variants: Sequence[Variant],
    workers: int | None,
    progress: Progress,
    address: str | None = None,
) -> None:
    """Play the games of the variants that the folder does not have yet.

    Parameters
    ----------
    folder
        A new folder, or one that holds a sweep of the same base.
    variants
        The base, then the others.
    workers
        Processes; 0 plays in this one. The games are the same in any case.
    progress
        Told how it goes.
    address
        Of a Ray cluster, on whose CPUs to play; ``workers`` then bounds how many, None takes all.

    Raises
    ------
    engine.errors.ConfigError
        Where the folder holds something else; nothing is played then.
    lab.errors.RunError
        Where the folder is in use or damaged.
    lab.driver.RunInterrupted
        After Ctrl-C, once what was played is stored.
    """
    folder.admit(variants)
    wanted = sum(variant.experiment.effort.games for variant in variants)
    with Folder(folder.path).locked(), on_interrupt(STOPPING) as stop:
        folder.admit(variants)
        folder.prepare(variants)
        missing = missing_games(folder, variants)
        progress.begin(wanted, wanted - missing)
        if workers is not None and address is None:
            workers = _at_most_cpus(workers, progress)
        with processes(workers, address) if missing else nullcontext():
            for variant in variants:
                if stop():
                    raise RunInterrupted(folder.path)
                path: Path = folder.run(variant).path
                run(variant.experiment, path, workers=workers, address=address, progress=_Share(progress))


def _at_most_cpus(workers: int, progress: Progress) -> int:
    if workers > (cpus := usable_cpus()):
        progress.say(f"{workers} workers asked for; there are CPUs for {cpus}.")
        return cpus
    return workers
