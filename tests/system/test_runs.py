"""Whole runs: the same games however they are played, whatever goes wrong, and however often they are resumed."""

from __future__ import annotations

import errno
import io
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyarrow.parquet import ParquetWriter

from engine.errors import ConfigError
from lab.cli import main
from lab.driver import run
from lab.errors import RunError, RunnerError
from lab.progress import Progress
from lab.results import provenance
from lab.results.folder import Folder
from lab.results.run import Run
from lab.runners import plan, ray_start
from lab.runners.batch import PROCESS_DIED
from lab.runners.ray import RayRunner
from lab.spec import Experiment


def race(games: int = 200, seed: int = 5, **rules: int) -> Experiment:
    return Experiment.parse({"game": "coinrace", "rules": rules, "run": {"games": games, "seed": seed}})


def faulty(fault: str, games: int = 30, time_limit_s: float = 600, **options: object) -> Experiment:
    player = {"name": "faulty", "fault": fault, **options}
    effort = {"games": games, "time_limit_s": time_limit_s}
    return Experiment.parse({"game": "faulty", "players": {"first": player}, "run": effort})


def files(path: Path) -> list[str]:
    """Names of the result files; they hold the hash of what is in them."""
    return sorted(file.name for file in (path / "games").iterdir())


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(race(), tmp_path_factory.mktemp("reference"), workers=0)


@pytest.mark.parametrize("largest", [1, 7, 64, 10_000])
def test_batches_of_any_size_give_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: Run, largest: int
):
    monkeypatch.setattr(plan, "LARGEST_BATCH", largest)
    assert files(run(race(), tmp_path / "run", workers=0).path) == files(reference.path)


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("workers", [1, 2])
def test_ray_gives_the_same_bytes(tmp_path: Path, reference: Run, workers: int):
    assert files(run(race(), tmp_path / "run", workers=workers).path) == files(reference.path)


@pytest.mark.usefixtures("cluster")
def test_a_long_run_goes_over_to_ray_and_a_short_one_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: Run
):
    started: list[int] = []
    begin = RayRunner.__init__

    def beginning(self: RayRunner, workers: int, *others: Any) -> None:
        started.append(workers)
        begin(self, workers, *others)

    monkeypatch.setattr(RayRunner, "__init__", beginning)
    monkeypatch.setattr("lab.driver.usable_cpus", lambda: 2)
    monkeypatch.setattr(plan, "LARGEST_BATCH", 5)
    run(race(), tmp_path / "short")
    assert started == []
    monkeypatch.setattr("lab.driver.RAY_PAYS_SECONDS", 0.0)
    assert files(run(race(), tmp_path / "long").path) == files(reference.path)
    assert started == [2]


@pytest.mark.usefixtures("cluster")
def test_no_more_workers_play_than_there_are_cpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lab.driver.usable_cpus", lambda: 1)
    monkeypatch.setattr("lab.runners.ray.usable_cpus", lambda: 1)
    told = io.StringIO()
    run(race(), tmp_path / "run", workers=64, progress=Progress(told))
    assert told.getvalue() == "64 workers asked for; there are CPUs for 1.\n"
    assert RayRunner(64).workers == 1


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Ray that cannot start; the list takes in what it is started with."""
    import ray

    calls: list[dict[str, Any]] = []

    def fail(**options: Any) -> None:
        calls.append(options)
        raise RuntimeError("no room\nfor it")

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", fail)
    monkeypatch.setattr(ray, "shutdown", lambda: None)
    return calls


def test_ray_that_cannot_start_is_tried_again_then_a_message_with_advice(failing: list[dict[str, Any]]):
    with pytest.raises(
        RunnerError, match=r"could not be started \(no room for it\); --workers 0 plays in this process"
    ):
        RayRunner(1)
    assert len(failing) == 2


def test_ray_that_starts_the_second_time_is_used(failing: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch):
    import ray

    fail = ray.init
    monkeypatch.setattr(ray, "init", lambda **options: None if failing else fail(**options))
    assert RayRunner(1).workers == 1
    assert len(failing) == 1


def test_a_cluster_that_is_not_there_is_a_message_with_advice(
    failing: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(ray_start, "_knock", lambda _: None)
    (tmp_path / "race.toml").write_text('game = "coinrace"\n')
    command = ["run", str(tmp_path / "race.toml"), "--address", "127.0.0.1:1", "--out", str(tmp_path / "run")]
    assert main(command) == 1
    assert (
        "lab: the Ray cluster at 127.0.0.1:1 could not be joined (no room for it); it must run the same versions"
        in capsys.readouterr().err
    )
    assert [options["address"] for options in failing] == ["127.0.0.1:1"]
    assert main([*command, "--workers", "0"]) == 2
    assert "--workers = 0: must be 1 or more with --address" in capsys.readouterr().err


@pytest.mark.usefixtures("cluster")
def test_a_worker_is_one_thread():
    import ray

    from lab.runners.ray_start import ONE_THREAD

    assert {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"} <= set(ONE_THREAD)
    seen = ray.get(ray.remote(lambda: {name: os.environ.get(name) for name in ONE_THREAD}).remote())
    assert seen == ONE_THREAD


def test_another_seed_or_rule_gives_other_bytes(tmp_path: Path, reference: Run):
    """What the equality of files in these tests could not miss."""
    for number, other in enumerate((race(seed=6), race(heads_to_win=4))):
        assert files(run(other, tmp_path / str(number), workers=0).path) != files(reference.path)


def test_a_run_is_read_by_column(reference: Run):
    assert reference.games == 200
    assert reference.missing == []
    assert reference.table(["tosses"]).column_names == ["game", "tosses", "error"]
    assert reference.table().column("game").to_pylist() == list(range(200))
    frame = reference.frame(["winner", "tosses"])
    assert list(frame.columns) == ["winner", "tosses"]
    assert frame.index.tolist() == list(range(200))
    assert reference.columns(["tosses"])["tosses"].tolist() == frame["tosses"].tolist()
    with pytest.raises(KeyError, match="no column 'toss'"):
        reference.table(["toss"])


def test_a_run_is_extended_without_replaying_what_is_there(tmp_path: Path, reference: Run):
    folder = tmp_path / "run"
    run(race(60), folder, workers=0)
    assert files(folder)[0].startswith("part-00000000-00000060.")
    extended = run(race(200), folder, workers=0)
    assert files(folder) == files(reference.path)
    sessions = extended.folder.provenance()["sessions"]
    assert [(one["games_before"], one["games_after"]) for one in sessions] == [(0, 60), (60, 200)]
    assert run(race(10), folder, workers=0).experiment.effort.games == 200
    assert len(extended.folder.provenance()["sessions"]) == 2


def test_many_batches_are_joined_in_passing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: Run):
    monkeypatch.setattr(plan, "LARGEST_BATCH", 2)
    monkeypatch.setattr("lab.results.store.LOOSE_PARTS", 8)
    most = 0

    def counting(self: Progress, games: int) -> None:
        nonlocal most
        most = max(most, len(files(tmp_path / "run")))

    monkeypatch.setattr(Progress, "advance", counting)
    assert files(run(race(), tmp_path / "run", workers=0).path) == files(reference.path)
    assert most == 8, "100 batches came, and files were joined whenever there were 8 new ones"


def test_games_that_were_lost_are_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: Run):
    folder = tmp_path / "run"
    monkeypatch.setattr(plan, "LARGEST_BATCH", 20)
    monkeypatch.setattr("lab.results.store.compact", lambda *_: None)
    run(race(), folder, workers=0)
    victims = sorted((folder / "games").iterdir())[2::3]
    for path in victims:
        path.unlink()
    monkeypatch.undo()
    assert Run(folder).missing
    assert files(run(race(), folder, workers=0).path) == files(reference.path)


@pytest.mark.parametrize("room", [0, 3, 40, 100])
def test_a_full_disk_loses_no_stored_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: Run, room: int):
    folder = tmp_path / "run"
    monkeypatch.setattr(plan, "LARGEST_BATCH", 2)
    written = 0
    write = ParquetWriter.write_table

    def writing(self: ParquetWriter, *arguments: object, **options: object) -> None:
        nonlocal written
        written += 1
        if written > room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(self, *arguments, **options)

    monkeypatch.setattr(ParquetWriter, "write_table", writing)
    with pytest.raises(RunError, match=r"run: cannot be written \(No space left on device"):
        run(race(), folder, workers=0)
    monkeypatch.undo()
    assert Run(folder).games == min(2 * room, 200) - (1 if room else 0)
    assert not list((folder / "games").glob(".*"))
    assert files(run(race(), folder, workers=0).path) == files(reference.path)


def test_damage_is_refused_when_a_run_is_continued(tmp_path: Path):
    folder = tmp_path / "run"
    run(race(50), folder, workers=0)
    (part,) = (folder / "games").iterdir()
    whole = part.read_bytes()
    part.write_bytes(whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:])
    with pytest.raises(RunError, match="is damaged"):
        run(race(60), folder, workers=0)


# What a folder may hold


def test_another_experiment_is_refused_saying_what_differs(tmp_path: Path):
    folder = tmp_path / "run"
    run(race(10), folder, workers=0)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(ConfigError, match=r"rules\.heads_to_win is 3 there, 4 here; seed is 5 there, 6 here"):
        run(race(10, seed=6, heads_to_win=4), folder, workers=0)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path: Path):
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "letter.txt").write_text("dear")
    with pytest.raises(ConfigError, match="must be a new or empty folder, or that of a run"):
        run(race(10), folder, workers=0)
    with pytest.raises(ConfigError, match="must be a folder, and is a file"):
        run(race(10), folder / "letter.txt", workers=0)
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]


def test_games_of_other_code_are_not_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    run(race(10), tmp_path / "run", workers=0)
    monkeypatch.setattr(provenance, "code_hash", lambda _: "0" * 64)
    with pytest.raises(ConfigError, match="the game's code has changed since"):
        run(race(20), tmp_path / "run", workers=0)


def test_two_runs_cannot_play_into_one_folder(tmp_path: Path):
    folder = Folder(tmp_path / "run")
    with folder.locked(), pytest.raises(RunError, match="is playing into it"):
        run(race(10), folder.path, workers=0)
    run(race(10), folder.path, workers=0)


def test_an_edited_experiment_is_refused(tmp_path: Path):
    folder = Folder(tmp_path / "run")
    run(race(10), folder.path, workers=0)
    table = json.loads(folder.experiment_file.read_text())
    folder.experiment_file.write_text(json.dumps(table | {"rules": table["rules"] | {"heads_to_win": 4}}))
    with pytest.raises(RunError, match="is not the experiment its hash names"):
        Run(folder.path)
    folder.experiment_file.write_text(json.dumps(table | {"schema": "rules-lab/experiment/0"}))
    with pytest.raises(RunError, match="has schema 'rules-lab/experiment/0'"):
        Run(folder.path)
    folder.experiment_file.write_text("{")
    with pytest.raises(RunError, match="is not JSON"):
        Run(folder.path)


def test_a_folder_without_a_run_is_refused(tmp_path: Path):
    with pytest.raises(RunError, match="is no run folder"):
        Run(tmp_path)


# Games that go wrong

FAILED = [3, 13, 23]


def failures(played: Run) -> list[int]:
    assert played.games == 30
    assert played.missing == []
    return [game for game, _ in played.failures]


def others(played: Run) -> list[dict[str, Any]]:
    return [row for row in played.table().to_pylist() if row["error"] is None]


@pytest.fixture(scope="module")
def faultless(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    rows = run(faulty("none"), tmp_path_factory.mktemp("faultless"), workers=0).table().to_pylist()
    return [row for row in rows if row["game"] not in FAILED]


@pytest.mark.parametrize(
    ("fault", "said", "limit"),
    [
        ("raises", "GameError: no move in game 3 of <object object at 0x…>", 600),
        ("loops", "GameTimeout: longer than 0.05 s", 0.05),
        ("swallows", "GameTimeout: longer than 0.05 s", 0.05),
        ("exits", "SystemExit: 7", 600),
        ("breaks identity", "RowError: does not hold: heads add up", 600),
    ],
)
def test_a_game_that_fails_becomes_a_row_that_says_so(
    tmp_path: Path, faultless: list[dict[str, Any]], fault: str, said: str, limit: float
):
    played = run(faulty(fault, time_limit_s=limit), tmp_path / "run", workers=0)
    assert failures(played) == FAILED
    assert played.failures[0] == (3, said)
    assert others(played) == faultless


def test_a_game_that_fails_once_is_played_again(tmp_path: Path):
    played = run(faulty("raises once", folder=str(tmp_path)), tmp_path / "run", workers=0)
    assert failures(played) == []
    assert sorted(path.name for path in tmp_path.glob("game-*")) == ["game-13", "game-23", "game-3"]


@pytest.mark.usefixtures("cluster")
def test_a_game_that_kills_its_process_is_found_and_the_others_are_played(
    tmp_path: Path, faultless: list[dict[str, Any]]
):
    played = run(faulty("dies"), tmp_path / "run", workers=2)
    assert failures(played) == FAILED
    assert played.failures[0] == (3, PROCESS_DIED)
    assert others(played) == faultless


@pytest.mark.usefixtures("cluster")
def test_a_game_without_end_is_stopped_in_a_worker_too(tmp_path: Path, faultless: list[dict[str, Any]]):
    played = run(faulty("loops", time_limit_s=0.05), tmp_path / "run", workers=2)
    assert played.failures == [(game, "GameTimeout: longer than 0.05 s") for game in FAILED]
    assert others(played) == faultless


def test_failed_games_stay_out_of_the_metrics(tmp_path: Path):
    played = run(faulty("raises"), tmp_path / "run", workers=0)
    tosses = next(line for line in played.summary() if line.metric.name == "tosses")
    assert not hasattr(tosses.estimate, "reason")
    assert tosses.estimate.n == 27


def test_the_time_limit_and_the_games_wanted_are_not_part_of_the_experiment(tmp_path: Path):
    experiment = race(10)
    other = replace(experiment, effort=replace(experiment.effort, games=20, time_limit_s=1.0))
    run(experiment, tmp_path / "run", workers=0)
    assert run(other, tmp_path / "run", workers=0).games == 20
