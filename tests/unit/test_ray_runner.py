"""The Ray runner against a Ray that is played: what is under way, what is lost, and who is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import ray
import yaml
from ray import exceptions as errors
from ray.autoscaler._private.util import prepare_config, validate_config

from lab.errors import RunnerError
from lab.runners import fit
from lab.runners.batch import PROCESS_DIED, Batch, Outcome, job_text, play_batch
from lab.runners.plan import Plan
from lab.runners.ray import IN_FLIGHT, RayRunner, play_in_worker
from lab.spec import Experiment

ROOT = Path(__file__).parents[2]
GAMES = 60
JOB = job_text(Experiment.parse({"game": "coinrace", "run": {"games": GAMES}}))


class PlayedRay:
    """Plays batches in this process when they are fetched; ``fault`` says what is lost instead, by batch and try."""

    def __init__(self, fault: Callable[[Batch, int], Exception | None], cpus: Iterator[int]) -> None:
        self.fault = fault
        self.cpus = cpus
        self.batches: list[Batch] = []
        self.tries: dict[tuple[int, int], int] = {}
        self.under_way: set[int] = set()
        self.most = 0

    def remote(self, batch: Batch, _: dict[str, str]) -> int:
        self.batches.append(batch)
        self.under_way.add(len(self.batches) - 1)
        self.most = max(self.most, len(self.under_way))
        return len(self.batches) - 1

    def wait(self, references: list[int], num_returns: int, timeout: float) -> tuple[list[int], list[int]]:
        # The latest first: what comes in another order than it was sent must end the same.
        return [references[-1]], references[:-1]

    def get(self, reference: int) -> Outcome:
        self.under_way.remove(reference)
        batch = self.batches[reference]
        key = (batch.start, batch.stop)
        self.tries[key] = self.tries.get(key, 0) + 1
        if (error := self.fault(batch, self.tries[key])) is not None:
            raise error
        return play_batch(batch)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(cpus)} if (cpus := next(self.cpus)) else {}


def play(
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[Batch, int], Exception | None] = lambda *_: None,
    workers: int | None = None,
    cpus: tuple[int, ...] = (2,),
) -> tuple[PlayedRay, dict[int, str | None], list[str]]:
    """Play all games on a cluster; return it, each game's error, and what a person was told."""
    monkeypatch.setattr(ray, "is_initialized", lambda: True)
    monkeypatch.setattr("lab.runners.ray._COUNT_NODES_EVERY_S", -1.0)
    told: list[str] = []
    runner = RayRunner(workers, "cluster:1", told.append)
    played = PlayedRay(fault, (cpus[min(number, len(cpus) - 1)] for number in range(10**6)))
    monkeypatch.setattr(runner, "_ray", played)
    monkeypatch.setattr(runner, "_play", played)
    found: dict[int, str | None] = {}
    for outcome in runner.play(Plan(JOB, [(0, GAMES)]), lambda: False):
        for game, error in zip(outcome.table["game"].to_pylist(), outcome.table["error"].to_pylist(), strict=True):
            assert game not in found, "a game came twice"
            found[game] = error
    assert sorted(found) == list(range(GAMES))
    return played, found, told


def test_no_more_than_a_fixed_number_of_batches_is_under_way(monkeypatch: pytest.MonkeyPatch):
    for cpus in (1, 2, 5):
        played, found, _ = play(monkeypatch, cpus=(cpus,))
        assert played.most == IN_FLIGHT * cpus
        assert set(found.values()) == {None}


def test_fewer_workers_than_there_are_cpus_get_no_more_than_they_play(monkeypatch: pytest.MonkeyPatch):
    assert play(monkeypatch, workers=3, cpus=(8,))[0].most == 3
    assert play(monkeypatch, workers=8, cpus=(2,))[0].most == IN_FLIGHT * 2


def test_nodes_that_join_are_used_and_a_cluster_without_any_is_waited_for(monkeypatch: pytest.MonkeyPatch):
    played, _, told = play(monkeypatch, cpus=(0, 0, 3))
    assert set(told) == {"The cluster has no CPU now; the run goes on when a node joins it."}
    assert played.most == IN_FLIGHT * 3


@pytest.mark.parametrize("error", [errors.NodeDiedError("gone"), errors.ObjectLostError("0" * 56, None, "")])
def test_what_is_lost_with_a_node_is_played_as_often_as_it_takes(monkeypatch: pytest.MonkeyPatch, error: Exception):
    _, found, _ = play(monkeypatch, lambda _, tries: error if tries < 5 else None)
    assert set(found.values()) == {None}


def test_a_game_that_takes_its_process_with_it_is_found(monkeypatch: pytest.MonkeyPatch):
    culprits = {0, 17, 41, GAMES - 1}

    def fault(batch: Batch, tries: int) -> Exception | None:
        return errors.WorkerCrashedError() if culprits & set(range(batch.start, batch.stop)) else None

    played, found, _ = play(monkeypatch, fault)
    assert {game for game, error in found.items() if error is not None} == culprits
    assert {found[game] for game in culprits} == {PROCESS_DIED}
    for game in culprits:
        assert played.tries[game, game + 1] == 2, "it is tried once more, alone"


def test_a_game_whose_process_dies_once_is_played_again(monkeypatch: pytest.MonkeyPatch):
    _, found, _ = play(monkeypatch, lambda batch, tries: errors.OutOfMemoryError("") if tries == 1 else None)
    assert set(found.values()) == {None}


def test_when_ray_itself_is_lost_the_games_and_the_way_on_are_named(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(RunnerError, match=r"games \d+–\d+ were lost with Ray .*can be continued"):
        play(monkeypatch, lambda *_: errors.LocalRayletDiedError())


def test_a_worker_that_would_play_other_games_is_refused_by_what_differs():
    needed = fit.footing("coinrace")
    assert {"code", "python", "numpy", "shapely", "numba"} <= set(needed)
    batch = Batch(JOB, 0, 2)
    assert len(play_in_worker(batch, needed).table) == 2
    with pytest.raises(fit.MisfitError, match=r"has numpy .* where 9.9 is needed"):
        play_in_worker(batch, needed | {"numpy": "9.9"})
    with pytest.raises(fit.MisfitError, match=r"has code .* where 0000000000000000 is needed"):
        play_in_worker(batch, needed | {"code": "0" * 64})
    unknown = Batch(JOB.replace("coinrace", "elsewhere"), 0, 2)
    with pytest.raises(fit.MisfitError, match="'elsewhere': must be one of"):
        play_in_worker(unknown, needed)


def test_the_example_of_a_cluster_is_one_that_ray_accepts():
    validate_config(prepare_config(yaml.safe_load((ROOT / "configs" / "cluster.example.yaml").read_text())))
