"""The report as a whole: counts, claims, text, tables and figure, from made-up games."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lab.games import adapter_of
from lab.plots.differences import EDGE, Point, Series, differences
from lab.plots.render import render
from lab.reports.reproduce.claims import RatioOfRates, ShareBeyond, findings, paired, verdict
from lab.reports.reproduce.picture import picture
from lab.reports.reproduce.published import Quantity, claims, published, rows
from lab.reports.reproduce.report import Report, build, columns_read
from lab.reports.reproduce.table import claims_csv, comparisons_csv
from lab.reports.reproduce.text import report_text
from lab.stats.intervals import Interval, Undefined

ADAPTER = adapter_of("dotfight")


def made_up(seed: int, n: int = 60) -> Mapping[str, NDArray[Any]]:
    rng = np.random.default_rng(seed)
    kinds = {column.name: column.kind for column in ADAPTER.columns}
    games = {
        name: rng.random(n) < 0.5 if kinds[name] == "bool" else rng.integers(1, 30, n) for name in columns_read(ADAPTER)
    }
    return games | {"game": np.arange(n)}


@pytest.fixture(scope="module")
def report() -> Report:
    played = {row.name: made_up(i) for i, row in enumerate(rows())}
    failed = [("quick", 3, "GameError: no\x1b room")]
    return build(ADAPTER, played, failed, "quick", 7)


def test_every_published_value_is_there(report: Report):
    values = [(row.name, value.column.name) for row in rows() for value in published(row)]
    assert [(one.row.name, one.comparison.published.column.name) for one in report.compared] == values
    # Only the side with more inside, where nobody had more, has nothing to compare.
    assert len(report.tested) == len(values) - 1


def test_counts_add_up(report: Report):
    n = len(report.tested)
    assert sum(report.count(verdict) for verdict in ("agrees", "differs", "cannot tell")) == n
    assert report.within(2) <= report.within(3) <= report.within(1e9) == n
    assert report.expected_beyond(1.959964) == pytest.approx(0.05 * n)
    assert report.count("differs") == n - report.within(3)
    assert len(report.judged) == n
    stand = [one for one in report.tested if one.stands]
    assert 0 < len(stand) <= report.count("differs"), "made-up games differ nearly everywhere"
    assert all(abs(one.comparison.z or 0) > 3 for one in stand)


def test_trends_lead_with_what_leans_most(report: Report):
    trends = report.trends()
    leans = [abs(trend.mean_z) / trend.error for trend in trends]
    assert leans == sorted(leans, reverse=True)
    assert sum(trend.rows for trend in trends) == len(report.tested)


def test_the_text_says_all_of_it(report: Report):
    text = report_text(report)
    for row in rows():
        assert f"{row.label}: " in text or row.record is None
    for claim, found in report.findings:
        assert (claim.sweep or claim.name) in text
        assert found or claim.sweep
    assert "  quick, game 3: GameError: no\\x1b room" in text
    assert "so some of its turns are one late" in text
    assert f"{len(report.judged):,} comparisons with the record" in text
    assert all(line == line.rstrip() for line in text.splitlines())
    assert max(map(len, text.splitlines())) <= 132


def test_the_tables_hold_a_line_for_each(report: Report):
    lines = list(csv.DictReader(io.StringIO(comparisons_csv(report))))
    assert len(lines) == len(report.compared)
    for line, one in zip(lines, report.compared, strict=True):
        assert line["verdict"] == (one.comparison.verdict or "")
        if one.comparison.z is not None and one.comparison.ours is not None:
            assert float(line["z"]) == one.comparison.z
            assert float(line["difference"]) == one.comparison.ours.estimate - one.comparison.published.value
            assert float(line["p_holm"]) >= float(line["p"])
    told = list(csv.DictReader(io.StringIO(claims_csv(report))))
    assert {line["claim"] for line in told} == {claim.name for claim in claims()}
    assert sum(bool(line["sweep"]) for line in told) == 6
    measured = [line for line in told if line["measure"]]
    assert len(measured) == sum(len(found) for _, found in report.findings)


def test_rows_that_were_not_played_are_left_out():
    report = build(ADAPTER, {"classic": made_up(1)}, [], "quick", 1)
    assert report.tested == []
    assert picture(report) is None
    text = report_text(report)
    assert "The public record" not in text
    assert "Not measured, since the rows that it takes were not played: garrison-lengthens, length-quick" in text
    assert "length-classic: turns 4x8 garrisoned: not measured yet" in text


def test_the_figure_is_the_same_file_each_time(report: Report):
    for form in ("svg", "png"):
        drawn = [picture(report) for _ in range(2)]
        files = [render(figure, form) for figure in drawn if figure is not None]
        assert len(files) == 2
        assert files[0] == files[1]
    assert b"Dotfight in the lab beside the public record" in render(drawn[0], "svg") if drawn[0] else False


def test_what_lies_off_the_axis_is_drawn_at_its_edge_with_its_number():
    points = [Point("A", "one", "row", -12.3, told=True, whole=False), Point("A", "two", "row", 1.0, True, False)]
    svg = render(differences(points, [Series("row", "o", "#000000")], "t", "c"), "svg").decode()
    assert "−12.3" in svg
    assert EDGE < 12.3


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((0.45, 0.5, 0.55), "agrees"),
        ((0.4, 0.5, 0.6), "agrees"),
        ((0.3, 0.45, 0.5), "cannot tell"),
        ((0.3, 0.5, 0.7), "cannot tell"),
        ((0.1, 0.2, 0.39), "differs"),
        ((0.61, 0.7, 0.8), "differs"),
    ],
)
def test_a_claim_agrees_where_the_interval_lies_in_its_range(ends: tuple[float, float, float], said: str):
    quantity = Quantity("c", "m", (), "", low=0.4, high=0.6)
    low, middle, high = ends
    assert verdict(quantity, Interval(middle, low, high, 10)) == said
    assert verdict(quantity, Undefined("none", 0)) == "cannot tell"
    assert verdict(Quantity("c", "m", (), ""), Interval(middle, low, high, 10)) is None


def test_rows_are_paired_by_game():
    manned = {"game": np.array([0, 1, 3]), "turns": np.array([10, 20, 40])}
    flat = {"game": np.array([1, 2, 3]), "turns": np.array([5, 99, 8])}
    both = paired(manned, flat)
    assert both["turns"].tolist() == [20, 40]
    assert both["flat_turns"].tolist() == [5, 8]


def test_ratios_for_claims():
    rng = np.random.default_rng(1)
    games = {name: rng.integers(1, 9, 200) for name in "abcd"}
    estimate = RatioOfRates("a", "b", "c", "d").estimate(games)
    assert isinstance(estimate, Interval)
    a, b, c, d = (int(games[name].sum()) for name in "abcd")
    assert estimate.estimate == pytest.approx(a / b / (c / d))
    assert estimate.low < estimate.estimate < estimate.high
    share = ShareBeyond("a", 4).estimate(games)
    assert isinstance(share, Interval)
    assert share.estimate == np.mean(games["a"] > 4)


def test_claims_come_in_the_order_of_the_book():
    assert [claim.name for claim, _ in findings(ADAPTER, {})] == [claim.name for claim in claims()]
