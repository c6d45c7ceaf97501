"""Work put aside for a second process, which does it while this one goes on."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from typing import Final, ParamSpec, TypeVar

from lab.runners.cpus import usable_cpus

P = ParamSpec("P")
T = TypeVar("T")


class Aside:
    """Takes pure functions and their arguments, and does each there or here: the result is the same.

    Parameters
    ----------
    pool
        The other process; None where there is none, and all is done here when it is asked for.
    """

    def __init__(self, pool: ProcessPoolExecutor | None = None) -> None:
        self._pool = pool

    def put(self, do: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Callable[[], T]:
        """Put a call aside; what is returned gives its result, or raises what it raised.

        A call that is asked for before the other process has begun it is done here; so is one that was lost with
        that process. Whoever asks for the last first shares the work with it evenly.
        """
        here = partial(do, *args, **kwargs)
        if self._pool is None:
            return here
        try:
            there = self._pool.submit(do, *args, **kwargs)
        except BrokenProcessPool:
            return here

        def fetch() -> T:
            if there.cancel():
                return here()
            try:
                return there.result()
            except BrokenProcessPool:
                return here()

        return fetch


HERE: Final = Aside()
"""No second process."""


@contextmanager
def second_process() -> Generator[Aside, None, None]:
    """Have a second process inside the block, where this one may use a second CPU."""
    if usable_cpus() < 2:
        yield HERE
        return
    # Spawned, not forked: libraries of this process have threads, whose locks a fork would copy as they stand.
    pool = ProcessPoolExecutor(1, get_context("spawn"), _leave_interrupts)
    number = pool.submit(os.getpid)
    try:
        yield Aside(pool)
    finally:
        # It holds nothing to be saved, may be at something long, and would take a second to let go of all it loaded.
        with suppress(BrokenProcessPool, ProcessLookupError):
            os.kill(number.result(), signal.SIGKILL)
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Leave Ctrl-C to the first process, which ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
