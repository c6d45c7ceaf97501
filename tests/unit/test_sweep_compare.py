"""Comparing variants: games paired by seed, the right method for each estimator, one family of tests."""

from __future__ import annotations

import csv
import io
import math
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from lab.driver import run
from lab.estimators import Mean, Proportion, Quantile, Ratio
from lab.games import adapter_of
from lab.results.folder import Folder
from lab.spec import Experiment
from lab.stats.comparisons import benjamini_hochberg, p_of_interval
from lab.stats.intervals import Undefined
from lab.stats.paired import PairedDifference, paired_means, paired_proportions, paired_ratios
from lab.sweeps.compare import Comparison, compare, difference_of
from lab.sweeps.folder import SweepFolder
from lab.sweeps.pictures import pictures
from lab.sweeps.table import comparison_text, pairings_csv, results_csv
from lab.sweeps.variants import resolve

DRAWN = np.random.default_rng(7)
A = {
    "game": np.arange(60),
    "n": DRAWN.integers(1, 9, 60),
    "of": DRAWN.integers(0, 5, 60),
    "won": DRAWN.random(60) < 0.6,
    "decided": DRAWN.random(60) < 0.8,
    "late": np.where(DRAWN.random(60) < 0.3, np.nan, DRAWN.random(60)),
}
B = {**A, "n": A["n"] + 1, "won": ~A["won"], "decided": A["decided"] & A["won"], "late": A["late"][::-1].copy()}


def test_each_estimator_is_compared_by_its_own_method():
    assert difference_of(Mean("n"), A, B) == paired_means(A["n"], B["n"])
    assert difference_of(Proportion("won"), A, B) == paired_proportions(A["won"], B["won"])
    expected = paired_ratios(100.0 * A["of"], A["n"], 100.0 * B["of"], B["n"])
    assert difference_of(Ratio("of", "n", 100.0), A, B) == expected
    missing = difference_of(Quantile("n", 0.5), A, B)
    assert isinstance(missing, Undefined)
    assert "quantile" in missing.reason


def test_a_difference_is_that_of_the_two_estimates_where_other_games_count_in_each():
    for estimator in (Proportion("won", "decided"), Mean("late"), Mean("n", "decided"), Ratio("of", "n", 1.0, "won")):
        difference = difference_of(estimator, A, B)
        assert isinstance(difference, PairedDifference)
        one, other = estimator.estimate(A), estimator.estimate(B)
        assert not isinstance(one, Undefined)
        assert not isinstance(other, Undefined)
        assert difference.difference.estimate == pytest.approx(one.estimate - other.estimate)


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> SweepFolder:
    """Four variants; one of them has more games than the base, and in one every third game failed."""
    folder = SweepFolder(tmp_path_factory.mktemp("swept"))
    base = Experiment.parse({"game": "faulty", "run": {"games": 60}})
    failing = {"players.first.fault": "raises", "players.first.every": 3, "players.first.remainder": 0}
    seated = [{f"players.{seat}.heads": 0.9} for seat in ("first", "second")]
    variants = resolve(base, [{"max_tosses": 4}, failing, *seated])
    folder.prepare(variants)
    for variant in variants:
        run(variant.experiment, folder.run(variant).path, workers=0)
    longer = Experiment.parse({**variants[1].experiment.table(), "run": {"games": 90}})
    run(longer, folder.run(variants[1]).path, workers=0)
    return folder


@pytest.fixture(scope="module")
def comparison(swept: SweepFolder) -> Comparison:
    return compare(swept)


def test_games_are_paired_by_index_and_failed_ones_left_out(comparison: Comparison):
    assert comparison.games == (60, 90, 40, 60, 60)
    assert len(comparison.failures) == 20
    base, shorter, failing, *_ = comparison.of("tosses")
    assert base.difference is None
    assert shorter.estimate.n == 90
    for cell, pairs in ((shorter, 60), (failing, 40)):
        assert isinstance(cell.difference, PairedDifference)
        assert cell.difference.difference.n == pairs
    # The same rules and seeds: were games paired by their place in the table, some would differ.
    assert isinstance(failing.difference, PairedDifference)
    assert failing.difference.difference.spreadless
    assert failing.difference.difference.estimate == 0


def test_all_differences_are_one_family(comparison: Comparison):
    tested = [cell for cell in comparison.cells if isinstance(cell.difference, PairedDifference)]
    p = [p_of_interval(cell.difference.difference) for cell in tested if isinstance(cell.difference, PairedDifference)]
    assert [cell.q for cell in tested] == benjamini_hochberg(p).tolist()
    assert all(cell.q is None for cell in comparison.cells if cell not in tested)
    assert any(cell.flagged for cell in tested)
    assert not all(cell.flagged for cell in tested)


def test_swapped_seats_are_found_and_paired(comparison: Comparison):
    (pairing,) = comparison.pairings
    assert sum(pairing.pairs.counts) == 60
    (row,) = csv.DictReader(io.StringIO(pairings_csv(comparison)))
    assert (row["player"], row["opponent"]) == ("faulty (heads 0.9)", "faulty")
    score = float(row["score"])
    assert score > 0.7
    assert float(row["elo"]) == pytest.approx(400 * math.log10(score / (1 - score)))
    assert float(row["elo_low"]) < float(row["elo"]) < float(row["elo_high"])


def test_the_table_has_every_metric_of_every_variant(comparison: Comparison):
    rows = list(csv.DictReader(io.StringIO(results_csv(comparison))))
    metrics = adapter_of("faulty").metrics
    assert len(rows) == len(metrics) * 5
    assert {row["max_tosses"] for row in rows} == {"40", "4"}
    assert not any("nan" in value.lower() for row in rows for value in row.values())
    shorter = next(row for row in rows if row["variant"] == "max_tosses = 4" and row["metric"] == "stalled")
    assert float(shorter["difference_low"]) <= float(shorter["difference"]) <= float(shorter["difference_high"])
    assert float(shorter["difference"]) > 10  # percentage points
    assert all(
        row["note"].startswith("no difference") for row in rows if row["metric"] == "tosses_max" and row["pairs"]
    )


def test_the_text_shows_the_chosen_metrics_and_says_what_it_leaves_out(comparison: Comparison):
    text = comparison_text(comparison, ["tosses", "tosses_p90"])
    assert "Tosses (tosses)" in text
    assert "Undecided" not in text
    assert "undefined: no paired interval is known here for a quantile" in text
    assert "20 games failed and are left out above" in text
    assert "Flagged, but not shown: " in text
    assert "Seats swapped" in text


def test_a_picture_names_axes_units_games_and_what_is_now(comparison: Comparison):
    drawing = pictures(comparison, ["tosses", "stalled"], "A <sweep>")
    (name, svg), (other, _) = islice(drawing, 2)
    assert (name, other) == ("max_tosses.svg", "max_tosses.png")
    games = "A &lt;sweep&gt;: n = 40 to 90 games a variant"
    for words in ("max_tosses (tosses)", games, "value now", "Undecided", ">%<"):
        assert words in svg.decode()
    assert next(pictures(comparison, ["tosses", "stalled"], "A <sweep>")) == (name, svg)


def test_all_games_come_as_one_frame(swept: SweepFolder):
    frame = swept.frame(["tosses"])
    assert frame.index.names == ["variant", "game"]
    assert next(iter(frame.columns)) == "max_tosses"
    assert frame.loc["max_tosses = 4", "max_tosses"].unique().tolist() == [4]
    assert len(frame) == 60 + 90 + 40 + 60 + 60


def test_a_variant_without_games_is_left_out(swept: SweepFolder, tmp_path: Path):
    folder = SweepFolder(tmp_path)
    variants = swept.variants()
    folder.prepare(variants)
    for variant in variants[:2]:
        run(variant.experiment, folder.run(variant).path, workers=0)
    assert not Folder(folder.run(variants[2]).path).exists()
    assert compare(folder).variants == variants[:2]
