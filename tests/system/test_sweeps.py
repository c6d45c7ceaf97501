"""Whole sweeps at the command line: extended, resumed, refused, and the same games however they are played."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lab.cli import main
from lab.results.folder import Folder
from lab.results.store import Store

PARAMETERS = "heads_to_win = [1, 2]\nmax_tosses = [5]"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.toml").write_text('game = "coinrace"\n')
    write(PARAMETERS)
    return tmp_path


def write(parameters: str, name: str = "coins.toml", base: str = "base.toml") -> None:
    design = '[run]\ngames = 40\n[design]\nkind = "one-at-a-time"\n[parameters]\n'
    Path(name).write_text(f'base = "{base}"\nmetrics = ["tosses"]\n{design}{parameters}\n')


def lab(*words: str) -> int:
    return main(["sweep", *words])


def parts(folder: str) -> list[str]:
    """Result files with their variants; their names hold the hash of what is in them."""
    return sorted(str(path.relative_to(folder)) for path in Path(folder).glob("runs/*/games/*"))


def sessions(folder: str) -> dict[str, int]:
    return {path.name: len(Folder(path).provenance()["sessions"]) for path in Path(folder, "runs").iterdir()}


@pytest.mark.usefixtures("here")
def test_a_sweep_prints_and_saves_what_came_out(capsys: pytest.CaptureFixture[str]):
    assert lab("coins.toml", "--workers", "0", "--out", "out") == 0
    printed = capsys.readouterr().out
    for words in ("heads_to_win = 2", "Tosses (tosses)", "Benjamini-Hochberg", "sweep folder: out"):
        assert words in printed
    assert {path.name for path in Path("out").iterdir()} == {".lock", "sweep.json", "runs", "results.csv", "effects"}
    effects = {path.name for path in Path("out/effects").iterdir()}
    assert effects == {f"{name}.{form}" for name in ("heads_to_win", "max_tosses") for form in ("svg", "png")}
    for run in Path("out/runs").iterdir():
        assert main(["verify", str(run), "--replay", "2"]) == 0


@pytest.mark.usefixtures("here")
def test_more_variants_and_more_games_replay_nothing(monkeypatch: pytest.MonkeyPatch):
    assert lab("coins.toml", "--workers", "0", "--out", "out") == 0
    before = parts("out")
    write("heads_to_win = [1, 2, 4]")
    assert lab("coins.toml", "--workers", "0", "--out", "out") == 0
    assert set(before) < set(parts("out"))
    assert set(sessions("out").values()) == {1}
    # max_tosses = 5 is asked for no more: it stays as it is, and is compared all the same.
    assert lab("coins.toml", "--games", "60", "--workers", "0", "--out", "out") == 0
    assert sorted(sessions("out").values()) == [1, 2, 2, 2, 2]
    assert "max_tosses = 5," in Path("out/results.csv").read_text()
    assert lab("coins.toml", "--games", "60", "--workers", "0", "--out", "fresh") == 0
    assert set(parts("fresh")) < set(parts("out"))
    monkeypatch.setattr("lab.runners.batch.play_game", None)
    assert lab("coins.toml", "--games", "60", "--out", "out") == 0


@pytest.mark.usefixtures("here")
def test_a_dry_run_says_what_would_be_played_and_keeps_nothing(capsys: pytest.CaptureFixture[str]):
    assert lab("coins.toml", "--dry-run", "--out", "out") == 0
    printed = capsys.readouterr().out
    for words in ("  base\n", "  max_tosses = 5\n", "4 variants of 40 games: 160 games", "about ", "by one process"):
        assert words in printed
    assert not Path("out").exists()
    assert lab("coins.toml", "--workers", "0", "--out", "out") == 0
    capsys.readouterr()
    assert lab("coins.toml", "--dry-run", "--games", "50", "--out", "out") == 0
    assert "160 of them are there already, in out" in capsys.readouterr().out


@pytest.mark.usefixtures("here")
def test_an_interrupted_sweep_prints_the_command_that_finishes_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert lab("coins.toml", "--games", "30", "--workers", "0", "--out", "whole") == 0
    add, added = Store.add, [0]

    def interrupting(store: Store, outcome: Any) -> None:
        add(store, outcome)
        added[0] += 1
        if added[0] == 4:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Store, "add", interrupting)
    capsys.readouterr()
    assert lab("coins.toml", "--games", "30", "--workers", "0", "--out", "out") == 130
    told = capsys.readouterr().err
    command = told.partition("To continue:\n")[2].strip()
    assert command == "lab sweep coins.toml --games 30 --workers 0 --out out"
    assert not Path("out/results.csv").exists()
    assert set(parts("out")) != set(parts("whole"))
    assert main(shlex.split(command)[1:]) == 0
    assert parts("out") == parts("whole")
    assert Path("out/results.csv").read_bytes() == Path("whole/results.csv").read_bytes()


@pytest.mark.usefixtures("here")
def test_a_folder_of_something_else_is_refused_and_left_alone(capsys: pytest.CaptureFixture[str]):
    assert lab("coins.toml", "--workers", "0", "--out", "out") == 0
    before = parts("out")
    Path("other.toml").write_text('game = "coinrace"\n[rules]\nmax_tosses = 30\n')
    write(PARAMETERS, "others.toml", "other.toml")
    assert lab("others.toml", "--workers", "0", "--out", "out") == 2
    assert "out = 'out': must not hold a sweep of another base: rules.max_tosses is 40 there, 30 here" in (
        capsys.readouterr().err
    )
    assert parts("out") == before
    run = str(next(Path("out/runs").iterdir()))
    assert lab("coins.toml", "--workers", "0", "--out", run) == 2
    assert "must be a new or empty folder, or that of a sweep" in capsys.readouterr().err
    assert lab("coins.toml", "--workers", "0", "--out", "coins.toml") == 2
    Path("out/sweep.json").write_text(Path("out/sweep.json").read_text().replace('"max_tosses": 5', '"max_tosses": 6'))
    assert lab("coins.toml", "--workers", "0", "--out", "out") == 1
    assert "sweep.json: its variants are not the experiments their hashes name" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--max-games", "159"], "coins.toml: design = '4 variants of 40 games, 160 in all': must have at most 159"),
        (["--max-games", "0"], "--max-games = 0"),
        (["--games", "0"], "run.games = 0"),
        (["--workers", "-1"], "--workers = -1"),
    ],
)
def test_arguments_that_cannot_be_are_refused(words: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert lab("coins.toml", "--out", "out", *words) == 2
    assert message in capsys.readouterr().err
    assert not Path("out").exists()


STARTS_COUNTED = """
import sys, ray
from lab.cli import main
starts, init = [0], ray.init
def counting(**settings):
    starts[0] += 1
    return init(**settings)
ray.init = counting
status = main(sys.argv[1:])
assert (status, starts, ray.is_initialized()) == (0, [1], False), (status, starts)
"""


@pytest.mark.usefixtures("here")
def test_all_variants_share_one_start_of_ray():
    """In a process of its own: other tests share a Ray that is running."""
    assert lab("coins.toml", "--workers", "0", "--out", "serial") == 0
    command = [sys.executable, "-c", STARTS_COUNTED, "sweep", "coins.toml", "--workers", "1", "--out", "out"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert parts("out") == parts("serial")


def test_dotfight_is_swept(here: Path):
    (here / "base.toml").write_text(
        'game = "dotfight"\n[rules]\nbases_per_side = 1\nsoldiers_per_base = 3\ngeometry = "kernel"\n'
        '[players.first]\nname = "greedy"\n[players.second]\nname = "greedy"\n'
    )
    Path("dots.toml").write_text(
        'base = "base.toml"\n[design]\nkind = "grid"\n[parameters]\nlink_tremor = [0.2]\n'
        'lunge_earns = ["per_lunge", "per_kill"]\n'
    )
    assert lab("dots.toml", "--games", "3", "--workers", "0", "--out", "out") == 0
    assert len(list(Path("out/runs").iterdir())) == 3
    assert "link_tremor = 0.2, lunge_earns = per_kill" in Path("out/results.csv").read_text().replace('"', "")
