"""Every experiment can be played as it stands, and its page says what it must, of the numbers that its file has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lab.reports.reproduce.published import claims
from lab.sweeps.spec import read_sweep

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
FILES = sorted(EXPERIMENTS.glob("*/experiment.toml"))
PARTS = (
    "**Question.**",
    "**What would settle it.**",
    "**Command.**",
    "**Finding (2026-",
    "**Undecided.**",
    "**What a designer should do.**",
)


def test_there_is_one_for_each_question():
    assert len(FILES) >= 17


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_an_experiment_is_whole(file: Path):
    sweep = read_sweep(file)
    page = " ".join((file.parent / "README.md").read_text().split())
    places = [page.find(part) for part in PARTS]
    assert -1 not in places, f"lacks {PARTS[places.index(-1)]}"
    assert places == sorted(places)
    assert f"`lab sweep experiments/{file.parent.name}/experiment.toml`" in page
    games = re.search(r"([\d,]+) games in all", page)
    assert games is not None
    assert int(games[1].replace(",", "")) == sweep.games
    assert f"seed {sweep.base.effort.seed}" in page
    assert re.search(r"about \d+ (s|min)", page), "says how long it takes"
    assert sweep.title.startswith(file.parent.name[:4])
    index = (EXPERIMENTS / "README.md").read_text()
    assert f"({file.parent.name}/README.md)" in index


def test_claims_that_take_a_sweep_name_an_experiment_that_is_there():
    named = [claim.sweep for claim in claims() if claim.sweep is not None]
    assert named
    assert set(named) <= {file.parent.name for file in FILES}
