"""Stopping on Ctrl-C: the first asks the run to stop where it can, the second stops it at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType


class Stop:
    """Whether the run has been asked to stop."""

    def __init__(self) -> None:
        self._asked = False

    def __call__(self) -> bool:
        """Say whether it has."""
        return self._asked

    def ask(self) -> None:
        """Ask it to."""
        self._asked = True


@contextmanager
def on_interrupt(notice: str) -> Generator[Stop, None, None]:
    """Turn the first SIGINT or SIGTERM inside the block into a request, the second into KeyboardInterrupt.

    At the first, ``notice`` goes to standard error. Outside a process's main thread, where signals cannot
    be handled, the block runs as it is.
    """
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def handle(signum: int, frame: FrameType | None) -> None:
        if stop():
            raise KeyboardInterrupt
        stop.ask()
        # Not by print: a signal may come in the middle of one, and its buffer cannot be entered twice.
        os.write(2, f"\n{notice}\n".encode())

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
