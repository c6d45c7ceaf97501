"""The figures of a benchmark: how they are shown, and what counts as a regression."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "experiments" / "benchmarks"


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """Return the module, its page and its file of figures in a folder of the test."""
    spec = importlib.util.spec_from_file_location("benchmark_figures", FOLDER / "figures.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "benchmark_figures", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "PAGE", tmp_path / "README.md")
    monkeypatch.setattr(module, "FIGURES", tmp_path / "figures.csv")
    return module


def test_a_figure_is_its_median_beside_its_smallest_and_largest(figures: ModuleType):
    assert figures.Figure("games", [3.0, 1.0, 1234.5], "games/s").row() == "| games | 3 | 1 | 1,234 | games/s |"


@pytest.mark.parametrize(
    ("unit", "now", "worse"),
    [
        ("games/s", 81.0, False),
        ("games/s", 79.0, True),
        ("games/s", 200.0, False),
        ("s", 119.0, False),
        ("s", 121.0, True),
    ],
)
def test_a_fifth_worse_than_committed_is_a_regression(figures: ModuleType, unit: str, now: float, worse: bool):
    figures.write_figures([figures.Figure("it", [100.0], unit)])
    found = figures.regressions([figures.Figure("it", [now], unit)], figures.committed())
    assert bool(found) == worse
    if worse:
        assert found == [f"it: 100 before, {now:g} {unit} now ({now - 100:+.0f}%)"]


def test_what_was_not_measured_before_is_no_regression(figures: ModuleType):
    assert figures.committed() == {}
    assert figures.regressions([figures.Figure("new", [1.0], "s")], {}) == []


def test_a_section_keeps_its_place_and_the_others_their_text(figures: ModuleType):
    figures.write_sections({"One": "first", "Two": "second"})
    figures.write_sections({"One": "changed", "Three": "third"})
    text = figures.PAGE.read_text(encoding="utf-8")
    assert text.startswith("# Benchmarks\n")
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## One", "## Two", "## Three"]
    assert "changed" in text
    assert "second" in text
    assert "first" not in text
