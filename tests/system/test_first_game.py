"""What a first game needs is compiled once on a machine, by two processes, and never again."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lab_processes import LAB

from engine.dotfight.players.baselines import Greedy
from engine.dotfight.players.dawood import Dawood
from engine.dotfight.warming import shares
from lab import first_game
from lab.experiment_file import load
from lab.first_game import compile_first
from lab.games import adapter_of

QUICK = Path("configs/dotfight/quick.toml")


@pytest.mark.parametrize("players", [(Dawood(), Dawood()), (Dawood(), Greedy())])
def test_every_share_can_be_played(players: Any):
    for share in shares(players):
        share()


def test_it_is_said_and_done_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    marks = [tmp_path / "one", tmp_path / "two"]
    own: tuple[Callable[[], None], ...] = tuple(mark.touch for mark in marks)
    adapter = replace(adapter_of("dotfight"), to_compile=lambda players: own)
    monkeypatch.setattr(first_game, "adapter_of", lambda name: adapter)
    monkeypatch.setattr("engine.jit.CACHE", str(tmp_path))
    said: list[str] = []
    compile_first(load(QUICK), said.append)
    assert all(mark.exists() for mark in marks)
    assert len(said) == 1
    assert said[0].startswith("Compiling dotfight")
    compile_first(load(QUICK), said.append)
    assert len(said) == 1


def test_a_game_that_compiles_nothing_says_nothing():
    said: list[str] = []
    compile_first(load(Path("configs/dodgem/3x3.toml")), said.append)
    assert said == []


@pytest.mark.long
@pytest.mark.parametrize("geometry", ["shapely", "kernel"])
def test_nothing_is_left_to_compile_for_the_games_that_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, geometry: str
):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    play = [*LAB, "play", str(QUICK), "--set", f"rules.geometry={geometry}"]
    first = subprocess.run(play, check=True, capture_output=True, text=True)
    assert "Compiling dotfight" in first.stderr
    kept = {path.name for path in tmp_path.rglob("*.nbc")}
    assert kept
    later = subprocess.run([*play, "--index", "1"], check=True, capture_output=True, text=True)
    assert later.stderr == ""
    assert {path.name for path in tmp_path.rglob("*.nbc")} == kept
