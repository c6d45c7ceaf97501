"""The time limit of a game: interrupting it where it can be, and ending its process where it cannot.

A thread watches the clock beside the game. Python code it interrupts by a signal; compiled code that never returns
hears no signal, but holds no lock of Python's (:mod:`engine.jit`), so that the thread can end the process.
"""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final, TypeVar

T = TypeVar("T")

GRACE_S: Final = 3.0
"""Seconds that an interrupted game has to end before its process is ended."""

_LOOK_EVERY_S = 0.1
"""Seconds between two looks at the clock: a game may take so much longer, and is interrupted again so often."""


class GameTimeout(Exception):
    """A game took longer than an experiment allows one."""


class _Running:
    """The game that this process is playing: which it is, how long it may take, and when it is overdue."""

    def __init__(self) -> None:
        self.game = -1
        self.seconds = math.inf
        self.due = math.inf


_running = _Running()


def within(seconds: float, game: int, attempt: Callable[[], T]) -> T:
    """Return what an attempt at a game returns; interrupt it by :class:`GameTimeout` once ``seconds`` have passed.

    Only inside :func:`watched`, and only in a process's main thread, as no other can be interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        return attempt()
    # No timer of the system's: setting one for each game would take longer than a short game does.
    _running.game, _running.seconds, _running.due = game, seconds, time.monotonic() + seconds
    try:
        return attempt()
    finally:
        _running.due = math.inf


@contextmanager
def watched(overdue: Callable[[int], None]) -> Generator[None, None, None]:
    """Watch the clock as long as the block runs; ``overdue`` is told of a game that no interruption ended.

    It is called in a thread of its own and should end the process, for nothing else ends such a game.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    player = threading.get_ident()
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK_EVERY_S):
            late = time.monotonic() - _running.due
            if late > 0:
                signal.pthread_kill(player, signal.SIGALRM)
            if late > GRACE_S:
                overdue(_running.game)
                return

    before = signal.signal(signal.SIGALRM, _interrupt)
    thread = threading.Thread(target=watch, name="time limit", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        signal.signal(signal.SIGALRM, before)


def _interrupt(signum: int, frame: FrameType | None) -> None:
    """Interrupt the game, unless it has ended since the signal was sent."""
    if time.monotonic() > _running.due:
        raise GameTimeout(f"longer than {_running.seconds:g} s")


def give_up(game: int) -> None:
    """End this process, which a game has taken hold of, saying which."""
    text = (
        f"\nlab: game {game} is over its time limit and cannot be interrupted, so this process ends; what was stored "
        f"is sound. With --workers 1 games have a process of their own, and this one becomes a row that says it failed."
    )
    # Not by print and not by an exception: the thread that plays has the one and would never see the other.
    os.write(2, f"{text}\n".encode())
    os._exit(1)
