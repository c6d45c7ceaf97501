"""The serial runner: every game in this process, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lab.runners.batch import Outcome, play_batch
from lab.runners.plan import Plan


class SerialRunner:
    """Plays a plan in this process; asked to stop, it stops between two games."""

    workers = 1

    def play(self, plan: Plan, stopping: Callable[[], bool]) -> Iterator[Outcome]:
        """Yield outcomes until the plan is empty, or after the game in which ``stopping`` first says true.

        A game that is over its time and cannot be interrupted ends this process.
        """
        while not stopping() and (batch := plan.take(self.workers)):
            outcome = play_batch(batch, stopping)
            plan.observe(len(outcome.table), outcome.seconds)
            yield outcome

    def close(self) -> None:
        """Nothing to let go of."""
