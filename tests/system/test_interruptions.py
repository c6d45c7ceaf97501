"""Runs that are stopped or killed: nothing finished is lost, nothing is there twice, and resuming ends the same."""

from __future__ import annotations

import os
import random
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest
from lab_processes import LAB, begin, files, processes_with, wait_for_games

from lab.driver import run
from lab.experiment_file import load
from lab.results.run import Run

GAMES = 12_000
CONFIG = f'game = "coinrace"\n[rules]\nheads_to_win = 9\nmax_tosses = 400\n[run]\ngames = {GAMES}\n'


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The result files of a run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("reference")
    (folder / "race.toml").write_text(CONFIG)
    return files(run(load(folder / "race.toml"), folder / "run", workers=0).path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_asked_to_stop_says_how_to_go_on(tmp_path: Path, reference: list[str], number: int):
    (tmp_path / "a race.toml").write_text(CONFIG)
    process = begin(tmp_path, ["run", "a race.toml", "--workers", "0", "--set", "heads_to_win=9", "--out", "run"])
    wait_for_games(tmp_path / "run")
    process.send_signal(number)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "Stopping: the games under way are finished and stored." in error
    command = error.splitlines()[-1].strip()
    assert command == "lab run 'a race.toml' --workers 0 --set heads_to_win=9 --out run"
    stopped = Run(tmp_path / "run")
    assert 0 < stopped.games < GAMES
    assert stopped.table(["tosses"]).column("game").to_pylist() == list(range(stopped.games))

    resumed = subprocess.run([*LAB, *shlex.split(command)[1:]], cwd=tmp_path, capture_output=True, check=False)
    assert resumed.returncode == 0, resumed.stderr
    assert files(tmp_path / "run") == reference


def test_a_second_request_stops_a_run_at_once(tmp_path: Path):
    (tmp_path / "loop.toml").write_text(
        'game = "faulty"\n[players.first]\nfault = "loops"\nevery = 50\nremainder = 20\n[run]\ngames = 100\n'
    )
    process = begin(tmp_path, ["run", "loop.toml", "--workers", "0", "--out", "run"])
    wait_for_games(tmp_path / "run", games=2)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None, "the first request waits for the game under way"
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=10)
    assert process.returncode == 130
    assert "Traceback" not in error
    assert 0 < Run(tmp_path / "run").games < 21


def killed_and_resumed(tmp_path: Path, kills: int, seed: int, workers: str) -> Path:
    """Kill a run at random moments, resume it each time, and let it end."""
    moments = random.Random(seed)
    (tmp_path / "race.toml").write_text(CONFIG)
    arguments = ["run", "race.toml", "--workers", workers, "--out", "run"]
    reached = 0
    for _ in range(kills):
        process = begin(tmp_path, arguments)
        time.sleep(moments.uniform(0.3, 4.0))
        process.kill()
        process.communicate()
        if (tmp_path / "run" / "experiment.json").exists():
            stored = Run(tmp_path / "run")
            assert stored.games >= reached, "a finished game was lost"
            reached = stored.games
            assert len(set(stored.table(["tosses"]).column("game").to_pylist())) == reached
    process = begin(tmp_path, arguments)
    _, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    return tmp_path / "run"


def test_a_run_that_is_killed_and_resumed_ends_as_if_undisturbed(tmp_path: Path, reference: list[str]):
    assert files(killed_and_resumed(tmp_path, kills=3, seed=1, workers="0")) == reference


@pytest.mark.long
def test_a_run_that_is_killed_thirty_times_ends_as_if_undisturbed(tmp_path: Path, reference: list[str]):
    assert files(killed_and_resumed(tmp_path, kills=30, seed=2, workers="0")) == reference


def test_ray_leaves_no_process_behind(tmp_path: Path, reference: list[str]):
    """A run by Ray, stopped by Ctrl-C as a terminal sends it: to the whole group of processes."""
    (tmp_path / "race.toml").write_text(CONFIG)
    mark = f"RULES_LAB_TEST={tmp_path.name}-{os.getpid()}"
    environment = os.environ | dict([mark.split("=")])
    arguments = ["run", "race.toml", "--workers", "2", "--out", "run"]
    process = begin(tmp_path, arguments, environment, own_group=True)
    wait_for_games(tmp_path / "run")
    os.killpg(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert out == ""
    assert "Traceback" not in error
    assert processes_with(mark) == []

    done = subprocess.run(
        [*LAB, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "Ray is not quiet"
    assert processes_with(mark) == []
    assert files(tmp_path / "run") == reference
