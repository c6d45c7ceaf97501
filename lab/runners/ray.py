"""The Ray runner: batches fan out over processes, on this machine or on a cluster whose nodes come and go.

At most :data:`IN_FLIGHT` batches a CPU are under way at a time, so memory stays bounded however long the run.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from lab.errors import RunnerError
from lab.runners import ray_start
from lab.runners.batch import ATTEMPTS, PROCESS_DIED, Batch, Outcome, failed_batch, play_batch
from lab.runners.cpus import usable_cpus
from lab.runners.fit import MisfitError, check_fit, footing
from lab.runners.plan import Plan

IN_FLIGHT: Final = 2
"""Batches under way for each worker: one playing, one waiting, so that no worker waits for the driver."""

_COUNT_NODES_EVERY_S: Final = 2.0


class RayRunner:
    """Plays a plan in processes that Ray starts, or in those of a cluster that is there.

    Where Ray runs in this process already, that is used, and left running.

    Parameters
    ----------
    workers
        Processes; on this machine never more than CPUs this process may use. None, on a cluster: one for each of its
        CPUs.
    address
        Of a cluster to join; None starts processes on this machine.
    say
        Told what a person should know while it plays.

    Raises
    ------
    lab.errors.RunnerError
        Where Ray cannot be started or the cluster cannot be joined.
    """

    def __init__(
        self, workers: int | None, address: str | None = None, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self._on_cluster = address is not None
        self._say = say
        self._most = workers
        self.workers = min(workers or 1, usable_cpus())
        import ray

        self._ray = ray
        self._own = not ray.is_initialized()
        if self._own and address is None:
            ray_start.start(self.workers)
        elif self._own and address is not None:
            ray_start.join(address)
        self._counted = -_COUNT_NODES_EVERY_S
        # Whatever is lost is handed out again by this runner, which knows how to tell games apart.
        self._play: Any = ray.remote(num_cpus=1, max_retries=0)(play_in_worker)
        self._lost: Counter[int] = Counter()

    def play(self, plan: Plan, stopping: Callable[[], bool]) -> Iterator[Outcome]:
        """Yield outcomes until the plan is empty; asked to stop, finish the batches under way and no more."""
        under_way: dict[Any, Batch] = {}
        while True:
            while not stopping() and len(under_way) < self._room():
                batch = plan.take(self.workers)
                if batch is None:
                    break
                under_way[self._play.remote(batch, footing(batch.game))] = batch
            if not under_way:
                return
            done, _ = self._ray.wait(list(under_way), num_returns=1, timeout=0.5)
            for reference in done:
                batch = under_way.pop(reference)
                outcome = self._fetch(reference, batch, plan)
                if outcome is not None:
                    plan.observe(len(outcome.table), outcome.seconds)
                    yield outcome

    def _room(self) -> int:
        """Return how many batches may be under way, the CPUs of a cluster counted anew every few seconds."""
        if self._on_cluster and time.monotonic() > self._counted + _COUNT_NODES_EVERY_S:
            self._counted = time.monotonic()
            cpus = int(self._ray.cluster_resources().get("CPU", 0))
            if not cpus:
                self._say("The cluster has no CPU now; the run goes on when a node joins it.")
            self.workers = max(1, min(cpus, self._most or cpus))
        # Fewer workers than CPUs are kept to by handing out no more.
        return self.workers if self._on_cluster and self.workers == self._most else IN_FLIGHT * self.workers

    def _fetch(self, reference: Any, batch: Batch, plan: Plan) -> Outcome | None:
        """Return a batch's outcome; of one that took its process with it, find the game that did.

        Such a batch is handed out again in pieces, and a game that loses its process when it is played alone, every
        time, has failed. What is lost with a node is no game's fault and is handed out again as it is.
        """
        from ray import exceptions as errors

        try:
            return self._ray.get(reference)
        except (errors.WorkerCrashedError, errors.OutOfMemoryError):
            if len(batch) > 1:
                for piece in batch.pieces():
                    plan.give_back(piece)
                return None
            self._lost[batch.start] += 1
            if self._lost[batch.start] >= ATTEMPTS:
                return failed_batch(batch, PROCESS_DIED)
            plan.give_back(batch)
            return None
        except (errors.NodeDiedError, errors.ObjectLostError):
            plan.give_back(batch)
            return None
        except errors.RayError as error:
            if isinstance(cause := getattr(error, "cause", None), MisfitError):
                raise RunnerError(f"a worker would play other games than this machine: {cause}") from None
            reason = " ".join(str(error).split())[-300:]
            raise RunnerError(
                f"games {batch.start}–{batch.stop - 1} were lost with Ray ({reason}); what was stored is sound, and "
                f"the run can be continued"
            ) from None

    def close(self) -> None:
        """Stop the processes that this runner started; of a cluster, leave it."""
        if self._own:
            ray_start.stop()


def play_in_worker(batch: Batch, expected: dict[str, str]) -> Outcome:
    """Play a batch in a process of which the runner knows nothing: one that may differ, die, or hang."""
    check_fit(batch.game, expected)
    # A game that cannot be interrupted ends with its process, as one that crashes does.
    return play_batch(batch, overdue=lambda _: os._exit(1))
