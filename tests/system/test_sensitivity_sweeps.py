"""Sweeps that are sensitivity analyses, whole: what they print and keep, against effects worked out by hand."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from lab.cli import main

FACTORS = (
    "heads_to_win = { low = 1, high = 6 }\nmax_tosses = { low = 30, high = 45 }\n"
    "players.first.heads = { low = 0.4, high = 0.6 }\n"
)
KEYS = ["heads_to_win", "max_tosses", "players.first.heads"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("base.toml").write_text('game = "coinrace"\n')
    write('kind = "morris"\ntrajectories = 6')


def write(design: str, parameters: str = FACTORS, more: str = "") -> None:
    head = 'base = "base.toml"\nmetrics = ["tosses", "first_head", "first_wins"]\n[run]\ngames = 30\n'
    Path("coins.toml").write_text(f"{head}[design]\n{design}\n[parameters]\n{parameters}{more}")


def lab(*words: str) -> int:
    return main(["sweep", "coins.toml", "--workers", "0", *words])


def table(name: str) -> list[dict[str, str]]:
    with Path("out", name).open() as file:
        return list(csv.DictReader(file))


def measured(metric: str, measure: str) -> dict[str, float]:
    rows = [row for row in table("sensitivity.csv") if (row["metric"], row["measure"]) == (metric, measure)]
    return {row["parameter"]: float(row["estimate"]) for row in rows}


def test_a_screening_prints_and_keeps_the_effects_of_every_parameter(capsys: pytest.CaptureFixture[str]):
    assert lab("--out", "out") == 0
    printed = capsys.readouterr().out
    assert "Morris screening of 3 parameters: 6 trajectories, 24 points, " in printed
    assert printed.index("heads_to_win") < printed.index("max_tosses"), "the most important comes first"
    points = table("points.csv")
    assert len(points) == 24
    # An effect by hand: the rise of the metric over that of the one parameter that moves, per its whole range.
    effects: dict[str, list[float]] = {key: [] for key in KEYS}
    for place in range(23):
        here, there = points[place], points[place + 1]
        moved = [key for key in KEYS if here[key] != there[key]]
        if (place + 1) % 4 == 0:
            continue
        (key,) = moved
        up = 1 if float(there[key]) > float(here[key]) else -1
        effects[key].append(up * (float(there["tosses"]) - float(here["tosses"])) / (2 / 3))
    assert measured("tosses", "mu") == pytest.approx({key: np.mean(found) for key, found in effects.items()})
    by_size = {key: np.mean(np.abs(found)) for key, found in effects.items()}
    assert measured("tosses", "mu_star") == pytest.approx(by_size)
    assert measured("tosses", "sigma") == pytest.approx({k: np.std(found, ddof=1) for k, found in effects.items()})
    assert measured("tosses", "mu")["heads_to_win"] > 10
    assert measured("tosses", "mu")["players.first.heads"] < 0
    assert measured("first_head", "mu_star")["max_tosses"] == 0, "on shared seeds the inert is exactly inert"


def test_indices_share_out_the_variance(capsys: pytest.CaptureFixture[str]):
    write('kind = "sobol-indices"\npoints = 8\nreplicates = 3')
    assert lab("--out", "out") == 0
    printed = capsys.readouterr().out
    assert "Sobol indices of 3 parameters: 3 samples of 8 base points, 120 points" in printed
    assert "of the variance between points" in printed
    assert len(table("points.csv")) == 120
    assert measured("tosses", "ST")["heads_to_win"] == pytest.approx(1, abs=0.25)
    assert measured("first_head", "ST")["max_tosses"] == 0
    assert measured("first_head", "ST")["players.first.heads"] == pytest.approx(1, abs=0.25)


def test_more_games_extend_a_screening_and_nothing_is_played_again(monkeypatch: pytest.MonkeyPatch):
    assert lab("--out", "out") == 0
    before = table("points.csv")
    assert lab("--out", "out", "--games", "40") == 0
    assert table("points.csv") != before
    assert lab("--out", "fresh", "--games", "40") == 0
    assert Path("fresh/sensitivity.csv").read_bytes() == Path("out/sensitivity.csv").read_bytes()
    monkeypatch.setattr("lab.runners.batch.play_game", None)
    assert lab("--out", "out", "--games", "40") == 0


def test_a_dry_run_says_how_many_points_and_games(capsys: pytest.CaptureFixture[str]):
    assert lab("--dry-run", "--out", "out") == 0
    printed = capsys.readouterr().out
    assert "6 trajectories, 24 points, " in printed
    assert " variants of 30 games: " in printed
    assert "about " in printed
    assert not Path("out").exists()


def test_a_metric_undefined_at_some_points_says_so(capsys: pytest.CaptureFixture[str]):
    write('kind = "morris"\ntrajectories = 4', "players.first.heads = [0.0, 1.0]\nplayers.second.heads = [0.0, 0.5]\n")
    assert lab("--out", "out") == 0
    assert "undefined at " in capsys.readouterr().out
    notes = {row["metric"]: row["note"] for row in table("sensitivity.csv")}
    assert "undefined at " in notes["first_head"]
    assert notes["tosses"] != notes["first_head"]


@pytest.mark.parametrize(
    ("design", "parameters", "more", "said"),
    [
        ('kind = "morris"', FACTORS, "", "design.trajectories = 0: must be given for morris"),
        (
            'kind = "morris"\ntrajectories = 1',
            FACTORS,
            "",
            "design.trajectories = 1: must be a whole number at least 2",
        ),
        ('kind = "morris"\ntrajectories = 4\nlevels = 3', FACTORS, "", "design.levels = 3: must be an even"),
        ('kind = "morris"\ntrajectories = 4\npoints = 8', FACTORS, "", "design.points = 8: is for latin-hypercube"),
        ('kind = "sobol"\npoints = 8\nreplicates = 4', FACTORS, "", "design.replicates = 4: is for sobol-indices, not"),
        ('kind = "sobol-indices"\npoints = 12', FACTORS, "", "design.points = 12: must be a power of 2, at least 8"),
        ('kind = "sobol-indices"\npoints = 8\nreplicates = 1', FACTORS, "", "design.replicates = 1: must be"),
        (
            'kind = "morris"\ntrajectories = 4',
            "heads_to_win = { low = 0, high = 6 }\n",
            "",
            "parameters.heads_to_win.low = 0: must be a whole number from 1 to 100 (heads)",
        ),
        ('kind = "morris"\ntrajectories = 4', "heads = [1, 2]\n", "", "parameters.heads = 'heads': unknown parameter"),
        (
            'kind = "morris"\ntrajectories = 4',
            FACTORS,
            '[[pairings]]\nname = "steady"\n[[pairings]]\nname = "steady"\nheads = 0.4\n',
            "does not go with a sensitivity analysis",
        ),
        ('kind = "sobol-indices"\npoints = 4096', FACTORS, "", "(--max-games allows more)"),
        (
            'kind = "morris"\ntrajectories = 4',
            "heads_to_win = { low = 1, high = 6 }\nmax_tosses = { low = 2, high = 9 }\n",
            "",
            ": must be at least heads_to_win",
        ),
    ],
)
def test_analyses_that_cannot_be_are_one_clear_error(
    design: str, parameters: str, more: str, said: str, capsys: pytest.CaptureFixture[str]
):
    write(design, parameters, more)
    assert lab("--out", "out") == 2
    (complaint,) = capsys.readouterr().err.splitlines()
    assert "coins.toml: " in complaint
    assert said in complaint
    assert not Path("out").exists()
