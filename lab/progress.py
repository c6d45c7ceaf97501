"""A line on the terminal that says how far a run is, how fast it goes and how long it will take."""

from __future__ import annotations

import time
from typing import TextIO


class Progress:
    """Games done, rate and time left, on one line that rewrites itself; only where it is read on a terminal.

    Parameters
    ----------
    stream
        Where to write; None writes nothing.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._shown = stream is not None and stream.isatty()
        self._wanted = self._done = self._new = 0
        self._began = self._latest = time.monotonic()

    def begin(self, wanted: int, done: int) -> None:
        """Start a run of ``wanted`` games of which ``done`` are there."""
        self._wanted, self._done, self._new = wanted, done, 0
        self._began = time.monotonic()

    def advance(self, games: int) -> None:
        """Count games that were just stored."""
        self._new += games
        moment = time.monotonic()
        if self._shown and moment - self._latest > 0.2:
            self._latest = moment
            self._write(progress_text(self._done + self._new, self._wanted, self._new, moment - self._began))

    def say(self, text: str) -> None:
        """Write a line of its own that stays."""
        self._clear()
        if self._stream is not None:
            print(text, file=self._stream, flush=True)

    def close(self) -> None:
        """Remove the line."""
        self._clear()

    def _clear(self) -> None:
        if self._shown:
            self._write("")

    def _write(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(f"\r\x1b[2K{text}")
            self._stream.flush()


def progress_text(done: int, wanted: int, new: int, seconds: float) -> str:
    """Return the line: ``new`` of the ``done`` games were played in the last ``seconds``."""
    text = f"{done:,} of {wanted:,} games ({done / wanted:.0%})"
    if new and seconds > 0:
        rate = new / seconds
        text += f", {rate:.3g} a second, {duration_text((wanted - done) / rate)} left"
    return text


def duration_text(seconds: float) -> str:
    """Return a duration as people say it: ``8 s``, ``3 min 20 s``, ``5 h 10 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
