"""Progress: only for a terminal, and in words a person says."""

from __future__ import annotations

import io

import pytest

from lab.progress import Progress, duration_text, progress_text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (200, "3 min 20 s"), (18_600, "5 h 10 min")],
)
def test_durations(seconds: float, text: str):
    assert duration_text(seconds) == text


def test_the_rate_is_that_of_the_games_played_now():
    assert progress_text(1500, 2000, 500, 10.0) == "1,500 of 2,000 games (75%), 50 a second, 10 s left"
    assert progress_text(1000, 2000, 0, 0.0) == "1,000 of 2,000 games (50%)"


def test_a_file_gets_messages_and_no_progress():
    stream = io.StringIO()
    progress = Progress(stream)
    progress.begin(10, 0)
    progress.advance(5)
    progress.say("a message")
    progress.close()
    assert stream.getvalue() == "a message\n"


def test_a_terminal_gets_a_line_that_is_removed(monkeypatch: pytest.MonkeyPatch):
    clock = iter([0.0, 100.0, 110.0])
    monkeypatch.setattr("lab.progress.time.monotonic", lambda: next(clock))
    stream = Terminal()
    progress = Progress(stream)
    progress.begin(40, 10)
    progress.advance(10)
    progress.close()
    assert stream.getvalue() == "\r\x1b[2K20 of 40 games (50%), 1 a second, 20 s left\r\x1b[2K"


def test_nobody_is_told_nothing():
    progress = Progress(None)
    progress.begin(10, 0)
    progress.advance(5)
    progress.say("a message")
    progress.close()
