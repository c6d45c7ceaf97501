"""What is put aside for a second process comes out as if it had been done here."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Generator
from pathlib import Path

import psutil
import pytest

from lab import aside
from lab.aside import HERE, Aside, second_process


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> Generator[Aside, None, None]:
    monkeypatch.setattr(aside, "usable_cpus", lambda: 2)
    with second_process() as found:
        yield found


def _process(other: Aside) -> psutil.Process:
    """Return the second process; asked for at once, its number would be that of this one."""
    number = other.put(os.getpid)
    time.sleep(0.5)
    return psutil.Process(number())


def _slowly(value: int) -> int:
    time.sleep(0.1)
    return value * value


def test_work_is_shared_with_a_process_that_then_ends(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(aside, "usable_cpus", lambda: 2)
    with second_process() as other:
        process = _process(other)
        assert process.pid != os.getpid()
        put = [other.put(_slowly, k) for k in range(10)]
        assert [fetch() for fetch in reversed(put)] == [k * k for k in reversed(range(10))]
    assert not process.is_running()


def test_what_goes_wrong_there_is_raised_here(other: Aside):
    wrong = other.put(divmod, 1, 0)
    time.sleep(0.5)
    with pytest.raises(ZeroDivisionError):
        wrong()


def test_what_is_lost_with_the_process_is_done_here(other: Aside):
    process = _process(other)
    put = [other.put(_slowly, k) for k in range(5)]
    process.send_signal(signal.SIGKILL)
    assert [fetch() for fetch in put] == [k * k for k in range(5)]
    assert other.put(_slowly, 7)() == 49, "and what is put aside afterwards"


def test_an_error_here_ends_the_process_without_what_is_put_aside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(aside, "usable_cpus", lambda: 2)
    begun: list[psutil.Process] = []

    def interrupted() -> None:
        with second_process() as other:
            begun.append(_process(other))
            for k in range(100):
                other.put(_leave_a_mark, tmp_path / str(k))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not begun[0].is_running()
    assert len(list(tmp_path.iterdir())) < 100


def _leave_a_mark(path: Path) -> None:
    path.touch()
    time.sleep(0.1)


def test_without_a_second_cpu_all_is_done_here(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(aside, "usable_cpus", lambda: 1)
    with second_process() as found:
        assert found is HERE
        assert found.put(os.getpid)() == os.getpid()
