"""The Ray runner: batches fan out over processes, on this machine or on a cluster.

At most :data:`IN_FLIGHT` batches a worker are under way at a time, so memory stays bounded however long the
run.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from lab.errors import RunnerError
from lab.runners.batch import PROCESS_DIED, Batch, Outcome, failed_batch, play_batch
from lab.runners.cpus import usable_cpus
from lab.runners.plan import Plan

IN_FLIGHT: Final = 2
"""Batches under way for each worker: one playing, one waiting, so that no worker waits for the driver."""

ATTEMPTS: Final = 2
"""How often a batch that lost its process is played again before its games are told apart."""

OBJECT_STORE_BYTES: Final = 256 << 20

_THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "ARROW")

ONE_THREAD: Final = {f"{library}_NUM_THREADS": "1" for library in _THREADS}
"""A worker is one thread: more of them would fight over the CPUs that the other workers have."""


class RayRunner:
    """Plays a plan in processes that Ray starts, or in those of a cluster that is there.

    Parameters
    ----------
    workers
        Processes; never more than CPUs this process may use.

    Raises
    ------
    lab.errors.RunnerError
        Where Ray cannot be started.
    """

    def __init__(self, workers: int) -> None:
        self.workers = min(workers, usable_cpus())
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        import ray

        self._ray = ray
        self._own = not ray.is_initialized()
        if self._own:
            try:
                # Workers inherit the environment; Ray's own way to set theirs starts them seconds later.
                with _environment(ONE_THREAD | {"PYTHONPATH": os.pathsep.join(sys.path)}):
                    ray.init(
                        address="local",
                        num_cpus=self.workers,
                        object_store_memory=OBJECT_STORE_BYTES,
                        include_dashboard=False,
                        log_to_driver=False,
                        logging_level=logging.ERROR,
                    )
            except Exception as error:
                reason = " ".join(str(error).split())[:200]
                raise RunnerError(
                    f"Ray could not be started ({reason}); --workers 0 plays in this process alone"
                ) from None
        self._play: Any = ray.remote(num_cpus=1, max_retries=ATTEMPTS - 1)(play_batch)

    def play(self, plan: Plan, stopping: Callable[[], bool]) -> Iterator[Outcome]:
        """Yield outcomes until the plan is empty; asked to stop, finish the batches under way and no more."""
        under_way: dict[Any, Batch] = {}
        while True:
            while not stopping() and len(under_way) < IN_FLIGHT * self.workers:
                batch = plan.take(self.workers)
                if batch is None:
                    break
                under_way[self._play.remote(batch)] = batch
            if not under_way:
                return
            done, _ = self._ray.wait(list(under_way), num_returns=1, timeout=0.5)
            for reference in done:
                batch = under_way.pop(reference)
                outcome = self._fetch(reference, batch, plan)
                if outcome is not None:
                    plan.observe(len(outcome.table), outcome.seconds)
                    yield outcome

    def _fetch(self, reference: Any, batch: Batch, plan: Plan) -> Outcome | None:
        """Return a batch's outcome; of one that took its process with it, find the game that did.

        A batch whose process was lost is played again by Ray. One that loses it every time is handed out
        again in halves, and a single game that does so has failed.
        """
        from ray import exceptions as errors

        try:
            return self._ray.get(reference)
        except (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.NodeDiedError):
            if len(batch) > 1:
                for half in batch.halves():
                    plan.give_back(half)
                return None
            return failed_batch(batch, PROCESS_DIED)
        except errors.RayError as error:
            reason = " ".join(str(error).split())[-300:]
            raise RunnerError(f"games {batch.start}–{batch.stop - 1} were lost: {reason}") from None

    def close(self) -> None:
        """Stop the processes that this runner started."""
        if self._own:
            self._ray.shutdown()


@contextmanager
def _environment(variables: Mapping[str, str]) -> Generator[None, None, None]:
    """Set environment variables inside the block."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
