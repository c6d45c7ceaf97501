"""What can go wrong, done for real: no finished game is lost, doubled or invented, and the fault is named."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from lab_processes import LAB, begin, files, processes_with, stored, wait_for_games

from engine.dotfight.actions import SNIPE, FlickIntent, Intent
from engine.dotfight.page import Page
from engine.dotfight.players.baselines import RandomSeat
from lab.cli import main
from lab.driver import run
from lab.results import provenance
from lab.results.run import Run
from lab.runners import plan
from lab.spec import Experiment
from lab.verify import faults

RACE = 'game = "coinrace"\n[rules]\nheads_to_win = 9\nmax_tosses = 400\n[run]\ngames = {}\n'
FAULTY = (
    'game = "faulty"\n[players.first]\nfault = "{}"\nevery = {}\nremainder = {}\n[run]\ngames = {}\ntime_limit_s = {}\n'
)


def lab(folder: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*LAB, *arguments], cwd=folder, capture_output=True, text=True, check=False, **options)


def rows_without_faults(folder: Path, games: int) -> list[dict[str, Any]]:
    experiment = Experiment.parse({"game": "faulty", "run": {"games": games}})
    return run(experiment, folder / "faultless", workers=0).table().to_pylist()


# Files


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in several files, as an interrupted one is, and the file of its experiment."""
    folder = tmp_path_factory.mktemp("kept")
    (folder / "race.toml").write_text(RACE.format(90))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "LARGEST_BATCH", 30)
        patch.setattr("lab.results.store.compact", lambda *_: None)
        assert main(["run", str(folder / "race.toml"), "--workers", "0", "--out", str(folder / "run")]) == 0
    shutil.copytree(folder / "run", folder / "whole")
    assert (
        main(["run", str(folder / "race.toml"), "--games", "91", "--workers", "0", "--out", str(folder / "whole")]) == 0
    )
    return folder


def part(path: Path) -> Path:
    return sorted((path / "games").iterdir())[2]


def truncate(path: Path) -> None:
    part(path).write_bytes(part(path).read_bytes()[:-50])


def empty(path: Path) -> None:
    part(path).write_bytes(b"")


def alter(path: Path) -> None:
    whole = bytearray(part(path).read_bytes())
    whole[random.Random(5).randrange(len(whole))] ^= 1
    part(path).write_bytes(whole)


def double(path: Path) -> None:
    name = part(path).name
    shutil.copy(part(path), part(path).with_name(name.replace(name.split(".")[1], "0" * 16)))


def delete(path: Path) -> None:
    part(path).unlink()


def add_a_stranger(path: Path) -> None:
    (path / "games" / "part-of-another.txt").write_text("")


@pytest.mark.parametrize("damage", [truncate, empty, alter, double, add_a_stranger])
def test_a_damaged_file_is_named_and_its_games_are_played_again_once_it_is_gone(
    tmp_path: Path, kept: Path, damage: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
):
    path = shutil.copytree(kept / "run", tmp_path / "run")
    damage(path)
    again = ["run", str(kept / "race.toml"), "--games", "91", "--workers", "0", "--out", str(path)]
    there = files(path)
    assert main(again) == 1
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    (named,) = (word.rstrip(":") for word in error.split() if str(path) in word)
    assert files(path) == there
    Path(named).unlink()
    assert main(again) == 0
    assert files(path) == files(kept / "whole")


def test_the_games_of_a_deleted_file_are_played_again(tmp_path: Path, kept: Path):
    path = shutil.copytree(kept / "run", tmp_path / "run")
    delete(path)
    assert Run(path).missing
    assert main(["run", str(kept / "race.toml"), "--games", "91", "--workers", "0", "--out", str(path)]) == 0
    assert files(path) == files(kept / "whole")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], check=False, capture_output=True
    ).returncode:
        pytest.skip("no disk may be mounted here; a full disk is also played by a stand-in in test_runs")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_disk_that_is_really_full_loses_no_stored_game(tmp_path: Path, small_disk: Path):
    (tmp_path / "race.toml").write_text(RACE.format(12_000))
    arguments = ["run", "race.toml", "--workers", "0", "--out", str(small_disk / "run")]
    full = lab(tmp_path, *arguments)
    assert full.returncode == 1, full.stderr
    assert f"lab: {small_disk / 'run'}: cannot be written (No space left on device" in full.stderr
    assert len(full.stderr.splitlines()) == 1
    left = Run(small_disk / "run")
    assert 0 < left.games < 12_000
    assert left.table(["tosses"])["game"].to_pylist() == list(range(left.games))
    subprocess.run(["mount", "-o", "remount,size=16m", small_disk], check=True)
    done = lab(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert lab(tmp_path, "run", "race.toml", "--workers", "0", "--out", "undisturbed").returncode == 0
    assert files(small_disk / "run") == files(tmp_path / "undisturbed")


# Time, and two at once


def test_a_clock_that_is_set_back_changes_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    moment = datetime.fromisoformat("2026-06-01T12:00:00+00:00")

    class Backwards:
        @staticmethod
        def now(zone: object) -> datetime:
            nonlocal moment
            moment -= timedelta(hours=5)
            return moment

    experiment = Experiment.parse({"game": "coinrace", "run": {"games": 40}})
    steady = run(experiment, tmp_path / "steady", workers=0)
    monkeypatch.setattr(provenance, "datetime", Backwards)
    monkeypatch.setattr(time, "time", lambda: Backwards.now(None).timestamp())
    run(Experiment.parse({"game": "coinrace", "run": {"games": 15}}), tmp_path / "run", workers=0)
    played = run(experiment, tmp_path / "run", workers=0)
    assert files(played.path) == files(steady.path)
    assert list(faults(played.path)) == []
    times = [session[key] for session in played.folder.provenance()["sessions"] for key in ("started", "ended")]
    assert times == sorted(times, reverse=True)


def test_of_two_runs_started_on_one_folder_one_plays_and_the_other_says_so(tmp_path: Path):
    (tmp_path / "rests.toml").write_text(FAULTY.format("rests", 1, 0, 300, 60))
    arguments = ["run", "rests.toml", "--workers", "0", "--out", "run"]
    first = begin(tmp_path, arguments)
    wait_for_games(tmp_path / "run")
    second = lab(tmp_path, *arguments)
    assert second.returncode == 1
    assert second.stderr == f"lab: run: process {first.pid} is playing into it\n"
    _, error = first.communicate(timeout=60)
    assert first.returncode == 0, error
    assert Run(tmp_path / "run").table().to_pylist() == rows_without_faults(tmp_path, 300)


# Players


def test_an_illegal_action_fails_its_game_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    table = {
        "game": "dotfight",
        "rules": {"bases_per_side": 1, "soldiers_per_base": 3, "geometry": "kernel"},
        "players": {"first": {"name": "random"}, "second": {"name": "random"}},
        "run": {"games": 20},
    }
    sound = run(Experiment.parse(table), tmp_path / "sound", workers=0).table().to_pylist()
    act = RandomSeat.act
    wrong: set[float] = set()

    def cheat(self: RandomSeat, page: Page, rng: np.random.Generator) -> Intent:
        """Flick a man of the other side, in some games."""
        if int(page.bases["x"][0]) % 3:
            return act(self, page, rng)
        wrong.add(float(page.bases["x"][0]))
        return FlickIntent(int(np.flatnonzero(page.men["side"] != self.side)[0]), SNIPE, 0.0, 0.5)

    monkeypatch.setattr(RandomSeat, "act", cheat)
    played = run(Experiment.parse(table), tmp_path / "run", workers=0)
    failed = [game for game, _ in played.failures]
    assert 0 < len(failed) == len(wrong) < 20
    assert all(said.startswith("GameError: ") for _, said in played.failures)
    assert [row for row in played.table().to_pylist() if row["game"] not in failed] == [
        row for row in sound if row["game"] not in failed
    ]


def test_memory_that_runs_out_fails_its_game_alone(tmp_path: Path):
    (tmp_path / "hungry.toml").write_text(FAULTY.format("hungry", 30, 3, 30, 60))
    done = lab(tmp_path, "run", "hungry.toml", "--workers", "0", "--out", "run")
    assert done.returncode == 1
    assert "game 3: MemoryError" in done.stdout
    rows = Run(tmp_path / "run").table().to_pylist()
    assert [row for row in rows if row["game"] != 3] == [r for r in rows_without_faults(tmp_path, 30) if r["game"] != 3]


def test_a_game_that_hears_no_interruption_ends_the_process_that_plays_it_saying_so(tmp_path: Path):
    (tmp_path / "deaf.toml").write_text(FAULTY.format("deaf", 30, 20, 30, 0.2))
    ended = lab(tmp_path, "run", "deaf.toml", "--workers", "0", "--out", "run", timeout=60)
    assert ended.returncode == 1
    assert "lab: game 20 is over its time limit and cannot be interrupted" in ended.stderr
    assert "With --workers 1" in ended.stderr
    assert "Traceback" not in ended.stderr
    rows = Run(tmp_path / "run").table().to_pylist()
    assert 0 < len(rows) <= 20
    assert rows == rows_without_faults(tmp_path, 30)[: len(rows)]


@pytest.mark.long
@pytest.mark.usefixtures("cluster")
def test_a_game_that_hears_no_interruption_becomes_a_row_where_games_have_their_own_process(tmp_path: Path):
    player = {"fault": "deaf", "every": 30, "remainder": 20}
    effort = {"games": 30, "time_limit_s": 0.2}
    experiment = Experiment.parse({"game": "faulty", "players": {"first": player}, "run": effort})
    played = run(experiment, tmp_path / "run", workers=2)
    ((game, said),) = played.failures
    assert (game, said.partition(":")[0]) == (20, "ProcessDied")
    rows = [row for row in played.table().to_pylist() if row["game"] != 20]
    assert rows == [row for row in rows_without_faults(tmp_path, 30) if row["game"] != 20]
    assert list(faults(played.path, replayed=30)) == []


# Processes

GAMES = 900


def play_by_ray(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Start a run of some seconds on two workers; return it once it has games, and what marks its processes."""
    mark = f"RULES_LAB_TEST={folder.name}-{os.getpid()}"
    (folder / "rests.toml").write_text(FAULTY.format("rests", 1, 0, GAMES, 60))
    arguments = ["run", "rests.toml", "--workers", "2", "--out", "run"]
    process = begin(folder, arguments, os.environ | dict([mark.split("=")]))
    wait_for_games(folder / "run", GAMES // 10)
    return process, mark


def children(process: subprocess.Popen[str], name: str) -> list[psutil.Process]:
    return [one for one in psutil.Process(process.pid).children(recursive=True) if " ".join(one.cmdline()).count(name)]


def check_whole(folder: Path) -> None:
    played = Run(folder / "run")
    assert (played.games, played.missing, played.failures) == (GAMES, [], [])
    assert played.table().to_pylist() == rows_without_faults(folder, GAMES)


@pytest.mark.long
def test_a_worker_that_is_killed_in_the_middle_of_a_batch_costs_no_game(tmp_path: Path):
    process, mark = play_by_ray(tmp_path)
    killed = 0
    while process.poll() is None and killed < 4:
        for worker in children(process, "ray::play_in_worker")[:1]:
            worker.kill()
            killed += 1
        time.sleep(0.4)
    _, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    assert killed >= 2
    assert processes_with(mark) == []
    check_whole(tmp_path)


@pytest.mark.long
def test_a_run_by_ray_that_is_told_to_end_stops_as_any_other(tmp_path: Path):
    process, mark = play_by_ray(tmp_path)
    process.terminate()
    out, error = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, "")
    assert error.splitlines()[-1].strip() == "lab run rests.toml --workers 2 --out run"
    assert "SIGTERM" not in error
    assert processes_with(mark) == []
    assert GAMES // 10 <= Run(tmp_path / "run").games < GAMES


@pytest.mark.long
def test_a_game_whose_process_grows_until_it_is_killed_becomes_a_row_and_the_others_are_played(tmp_path: Path):
    """Ray's memory monitor kills the process that took most when the machine has but so much left, here early on."""
    memory = psutil.virtual_memory()
    threshold = 1 - (memory.available - (2 << 30)) / memory.total
    if threshold > 0.9:
        pytest.skip("this machine has no 2 GiB to spare")
    (tmp_path / "grows.toml").write_text(FAULTY.format("grows", 60, 23, 60, 60))
    limits = {"RAY_memory_usage_threshold": f"{threshold:.4f}", "RAY_memory_monitor_refresh_ms": "50"}
    done = lab(tmp_path, "run", "grows.toml", "--workers", "2", "--out", "run", env=os.environ | limits, timeout=120)
    assert done.returncode == 1, done.stderr
    assert "game 23: ProcessDied" in done.stdout
    assert "Traceback" not in done.stderr
    rows = Run(tmp_path / "run").table().to_pylist()
    assert [row for row in rows if row["game"] != 23] == [
        row for row in rows_without_faults(tmp_path, 60) if row["game"] != 23
    ]
    assert list(faults(tmp_path / "run", replayed=5)) == []


@pytest.mark.long
@pytest.mark.parametrize("victim", ["raylet", "driver"])
def test_when_ray_or_the_driver_is_killed_the_run_ends_and_can_be_continued(tmp_path: Path, victim: str):
    process, mark = play_by_ray(tmp_path)
    if victim == "driver":
        process.kill()
    for raylet in children(process, "raylet/raylet") if victim == "raylet" else []:
        raylet.kill()
    _, error = process.communicate(timeout=120)
    if victim == "raylet":
        assert process.returncode == 1
        assert "lost with Ray" in error
        assert "what was stored is sound, and the run can be continued" in error
        assert len(error.splitlines()) == 1
    # Ray's own agents see only after a while that who started them was killed.
    assert processes_with(mark, patience_s=180) == []
    assert GAMES // 10 <= stored(tmp_path / "run") < GAMES
    there = Run(tmp_path / "run")
    assert there.table().to_pylist() == rows_without_faults(tmp_path, GAMES)[: there.games]
    assert lab(tmp_path, "run", "rests.toml", "--workers", "0", "--out", "run").returncode == 0
    check_whole(tmp_path)
