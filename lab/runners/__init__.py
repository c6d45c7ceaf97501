"""Runners play a plan's batches and hand back their outcomes: in this process, or on many by Ray.

Both keep one contract: outcomes come in any order, each game of the plan in exactly one of them, and what a
game is depends on its experiment and index alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from lab.runners.batch import Outcome
from lab.runners.plan import Plan


class Runner(Protocol):
    """What plays a plan."""

    workers: int

    def play(self, plan: Plan, stopping: Callable[[], bool]) -> Iterator[Outcome]:
        """Yield outcomes until the plan is empty, or soon after ``stopping`` first says true."""
        ...

    def close(self) -> None:
        """Let go of processes and memory."""
        ...
