"""The serial runner: every game in this process, one after the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from lab.runners.batch import Outcome, play_batch
from lab.runners.limit import watched
from lab.runners.plan import Plan


class SerialRunner:
    """Plays a plan in this process; asked to stop, it stops between two games."""

    workers = 1

    def play(self, plan: Plan, stopping: Callable[[], bool]) -> Iterator[Outcome]:
        """Yield outcomes until the plan is empty, or after the game in which ``stopping`` first says true.

        A game that is over its time and cannot be interrupted ends this process.
        """
        while not stopping() and (batch := plan.take(self.workers)):
            with watched(give_up):
                outcome = play_batch(batch, stopping)
            plan.observe(len(outcome.table), outcome.seconds)
            yield outcome

    def close(self) -> None:
        """Nothing to let go of."""


def give_up(game: int) -> None:
    """End this process, which a game has taken hold of, saying which."""
    text = (
        f"\nlab: game {game} is over its time limit and cannot be interrupted, so this process ends; what was stored "
        f"is sound. With --workers 1 games have a process of their own, and this one becomes a row that says it failed."
    )
    # Not by print and not by an exception: the thread that plays has the one and would never see the other.
    os.write(2, f"{text}\n".encode())
    os._exit(1)
