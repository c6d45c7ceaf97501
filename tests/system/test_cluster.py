"""A run on a cluster: real Ray nodes on this machine, one of them killed and another added while it plays."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from lab_processes import LAB, begin, processes_with, stored, wait_for_games

from lab.driver import run
from lab.results.run import Run
from lab.spec import Experiment
from lab.verify import faults

GAMES = 2500
CONFIG = 'game = "faulty"\n[players.first]\nfault = "{}"\nevery = 1\nremainder = 0\n[run]\ngames = {}\n'


class Cluster:
    """Ray nodes of one CPU each, on the loopback address; whoever joins must know the token."""

    def __init__(self, folder: Path) -> None:
        self.mark = f"RULES_LAB_TEST={folder.name}-{os.getpid()}"
        # What the nodes have of the lab must not matter: the code travels with the run.
        for package in ("engine", "lab"):
            (folder / "stale" / package).mkdir(parents=True)
            (folder / "stale" / package / "__init__.py").write_text('raise ImportError("the code of the node")\n')
        self.environment = os.environ | dict([self.mark.split("=")])
        self.environment |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self._path = os.pathsep.join([str(folder / "stale"), os.environ["PYTHONPATH"]])
        self._nodes: list[subprocess.Popen[bytes]] = []

    def add(self) -> subprocess.Popen[bytes]:
        """Start a node: the first is the head."""
        options = ["--node-ip-address=127.0.0.1", "--num-cpus=1", "--object-store-memory=100000000"]
        if self._nodes:
            options += [f"--address={self.address}"]
        else:
            options += ["--head", f"--port={self.address.partition(':')[2]}", "--include-dashboard=false"]
        node = subprocess.Popen(
            [Path(sys.executable).parent / "ray", "start", "--block", "--disable-usage-stats", *options],
            env=self.environment | {"PYTHONPATH": self._path},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._nodes.append(node)
        wait_until(lambda: raylets(node), f"node {len(self._nodes)} to start")
        return node

    def end(self) -> None:
        """Kill all nodes, each with all its processes."""
        for node in self._nodes:
            for process in [*psutil.Process(node.pid).children(recursive=True), node] if node.poll() is None else []:
                process.kill()
            node.wait()


def raylets(node: subprocess.Popen[bytes]) -> list[psutil.Process]:
    return [child for child in psutil.Process(node.pid).children(recursive=True) if "raylet" in child.name()]


def wait_until(holds: object, what: str, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if callable(holds) and holds():
            return
        time.sleep(0.05)
    raise TimeoutError(f"waited {seconds} s for {what}")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    nodes = Cluster(tmp_path)
    yield nodes
    nodes.end()


@pytest.mark.long
def test_nodes_may_leave_and_join_and_no_game_is_lost(tmp_path: Path, cluster: Cluster):
    (tmp_path / "rests.toml").write_text(CONFIG.format("rests", GAMES))
    cluster.add()
    second = cluster.add()
    process = begin(tmp_path, ["run", "rests.toml", "--address", cluster.address, "--out", "run"], cluster.environment)
    try:
        wait_for_games(tmp_path / "run", GAMES // 10, seconds=120)
        for raylet in raylets(second):
            raylet.kill()
        there = stored(tmp_path / "run")
        cluster.add()
        out, error = process.communicate(timeout=240)
    finally:
        process.kill()
    assert process.returncode == 0, error
    assert "Traceback" not in error
    assert there < GAMES * 3 // 4, "the run was almost over before a node was killed"
    assert "run folder: run" in out

    played = Run(tmp_path / "run")
    assert (played.games, played.missing, played.failures) == (GAMES, [], [])
    rows = run(Experiment.parse({"game": "faulty", "run": {"games": GAMES}}), tmp_path / "quick", workers=0).table()
    assert played.table().to_pylist() == rows.to_pylist()
    assert list(faults(tmp_path / "run", replayed=5)) == []

    # Without a node the run cannot go on, and says so; what is stored stays, and goes on without a cluster.
    cluster.end()
    assert processes_with(cluster.mark) == []
    gone = subprocess.run(
        [*LAB, "run", "rests.toml", "--games", str(GAMES + 1), "--address", cluster.address, "--out", "run"],
        cwd=tmp_path,
        env=cluster.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert gone.returncode == 1
    assert f"lab: the Ray cluster at {cluster.address} could not be joined" in gone.stderr
    assert Run(tmp_path / "run").games == GAMES


@pytest.mark.long
def test_a_sweep_is_played_on_a_cluster_as_it_is_anywhere(tmp_path: Path, cluster: Cluster):
    (tmp_path / "race.toml").write_text('game = "coinrace"\n')
    (tmp_path / "sweep.toml").write_text(
        'base = "race.toml"\n[run]\ngames = 60\n'
        '[design]\nkind = "one-at-a-time"\n[parameters]\nheads_to_win = [3, 5, 7]\n'
    )
    cluster.add()
    for out, options in (("there", ["--address", cluster.address]), ("here", ["--workers", "0"])):
        done = subprocess.run(
            [*LAB, "sweep", "sweep.toml", "--out", out, *options],
            cwd=tmp_path,
            env=cluster.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    parts = [
        {path.relative_to(tmp_path / out) for path in (tmp_path / out).rglob("part-*")} for out in ("there", "here")
    ]
    assert parts[0] == parts[1]
    assert len(parts[0]) == 3
