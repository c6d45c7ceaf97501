"""Starting Ray on this machine, or joining a cluster that is there."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import psutil

import engine
import lab
from lab.errors import RunnerError

OBJECT_STORE_BYTES: Final = 256 << 20

_THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "ARROW")

ONE_THREAD: Final = {f"{library}_NUM_THREADS": "1" for library in _THREADS}
"""A worker is one thread: more of them would fight over the CPUs that the other workers have."""

_started: set[psutil.Process] = set()

_QUIET: Final[dict[str, Any]] = {"log_to_driver": False, "logging_level": logging.ERROR}


_LAST_SECONDS: Final = 5.0
"""What Ray's processes have to end by themselves after it was shut down."""


def start(workers: int) -> None:
    """Start Ray with so many processes on this machine; raises :class:`RunnerError` where that fails twice."""
    ray = _ray()
    before = set(psutil.Process().children(recursive=True))
    # A busy machine can be too slow for one of Ray's own time limits; the second time it is warm.
    for last in (False, True):
        try:
            # Workers inherit the environment; Ray's own way to set theirs starts them seconds later.
            with _own_signals(), _environment(ONE_THREAD | {"PYTHONPATH": os.pathsep.join(sys.path)}):
                ray.init(
                    address="local",
                    num_cpus=workers,
                    object_store_memory=OBJECT_STORE_BYTES,
                    include_dashboard=False,
                    **_QUIET,
                )
            _started.update(set(psutil.Process().children(recursive=True)) - before)
            return
        except Exception as error:
            ray.shutdown()
            if last:
                raise RunnerError(
                    f"Ray could not be started ({_shown(error)}); --workers 0 plays in this process alone"
                ) from None


def stop() -> None:
    """Shut Ray down, or leave the cluster; none of the processes that :func:`start` brought about stays."""
    _ray().shutdown()
    _, alive = psutil.wait_procs(_started, timeout=_LAST_SECONDS)
    for process in alive:
        # One whose parent was killed does not hear that it is over.
        with suppress(psutil.NoSuchProcess):
            process.kill()
    _started.clear()


def join(address: str) -> None:
    """Join the cluster at ``address``, bringing the code that its workers need; raises :class:`RunnerError`."""
    ray = _ray()
    modules = [str(Path(str(package.__file__)).parent) for package in (engine, lab)]
    environment = {"py_modules": modules, "excludes": ["__pycache__"], "env_vars": dict(ONE_THREAD)}
    try:
        _knock(address)
        with _own_signals():
            ray.init(address=address, runtime_env=environment, **_QUIET)
    except Exception as error:
        ray.shutdown()
        raise RunnerError(
            f"the Ray cluster at {address} could not be joined ({_shown(error)}); it must run the same versions of "
            f"Ray and Python, and this machine must be one of its nodes; without --address this machine plays alone"
        ) from None


def _knock(address: str) -> None:
    """Raise OSError where nobody answers at ``HOST:PORT``: Ray would go on asking for minutes."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=20).close()


def _ray() -> Any:
    """Load Ray, which reads some of its settings from the environment as it is loaded."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray

    return ray


def _shown(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


@contextmanager
def _own_signals() -> Generator[None, None, None]:
    """Put back what SIGTERM did before the block: Ray takes it over, and a run asked to stop would end in a trace."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if before is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


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
