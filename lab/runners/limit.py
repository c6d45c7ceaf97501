"""The time limit of a game: interrupting it where it can be, and ending its process where it cannot.

Python code is interrupted by a signal. Compiled code that never returns hears no signal, so a thread watches the
clock beside it; that the compiled code of games holds no lock of Python's (:mod:`engine.jit`) lets it run.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

GRACE_S: Final = 3.0
"""Seconds that an interrupted game has to end before its process is ended."""

_LOOK_EVERY_S = 0.25


class GameTimeout(Exception):
    """A game took longer than an experiment allows one."""


class _Running:
    """The game that this process is playing: which it is, and when it is overdue."""

    def __init__(self) -> None:
        self.game = -1
        self.due = math.inf


_running = _Running()


@contextmanager
def time_limit(seconds: float, game: int) -> Generator[None, None, None]:
    """Raise :class:`GameTimeout` inside the block once ``seconds`` have passed, and again each second after.

    Only a process's main thread can be interrupted so; in another thread there is no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def expire(signum: int, frame: FrameType | None) -> None:
        raise GameTimeout(f"longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, expire)
    _running.game, _running.due = game, time.monotonic() + seconds + GRACE_S
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        _running.due = math.inf
        signal.signal(signal.SIGALRM, before)


@contextmanager
def watched(overdue: Callable[[int], None]) -> Generator[None, None, None]:
    """Watch the clock as long as the block runs; ``overdue`` is told of a game that no interruption ended.

    It is called in a thread of its own and should end the process, for nothing else ends such a game.
    """
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK_EVERY_S):
            if time.monotonic() > _running.due:
                overdue(_running.game)
                return

    thread = threading.Thread(target=watch, name="time limit", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
