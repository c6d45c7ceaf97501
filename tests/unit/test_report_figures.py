"""The figures of a report: what is drawn is what was given, texts are no markup, blue and red are the pens' alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure

from lab.plots.curves import Curve, Marks, snowball, survival
from lab.plots.distribution import MOST_BARS, Counts, bins, distribution
from lab.plots.effects import Axis, Panel, Point, effects_column
from lab.plots.forest import Row, forest
from lab.plots.grid_map import grid_map
from lab.plots.mix import mix
from lab.plots.page_map import Layer, page_map
from lab.plots.render import render
from lab.plots.style import PENS, WIDTH
from lab.plots.tornado import Bar, End, tornado
from lab.plots.trade import Spot, trade

HOSTILE = "<b>$\\frac{1}$ & \"'\x1b</b>"
X = np.arange(4.0)
ON_A_PHONE = 356
"""Pixels across that a report gives a figure on a phone of 390."""


def counts(label: str = "this") -> Counts:
    return Counts(label, X, np.array([1, 2, 3, 4]))


FIGURES: dict[str, Callable[[str], Figure]] = {
    "distribution": lambda text: distribution(text, text, [counts(text), counts("b")], text, (1, 2)),
    "survival": lambda text: survival(text, text, text, [Curve(text, X, 90 - X, 80 - X, 99 - X)], text),
    "snowball": lambda text: snowball(
        text, text, Marks(text, X, 20 * X, 20 * X - 5, 20 * X + 5), [Curve(text, X, 20 * X)], text
    ),
    "mix": lambda text: mix(text, [text, "b"], [text, "lunges"], np.array([[30.0, 70.0], [95.0, 5.0]]), text),
    "forest": lambda text: forest(text, text, [Row(text, 1, 0, 2)], 0, 1, text),
    "tornado": lambda text: tornado(
        text, text, [Bar(text, End(text, -1, -2, 0, False), End(text, 2, 1, 3, True))], text
    ),
    "grid_map": lambda text: grid_map(
        text, (text, text), ([text, "b"], ["c", text]), np.array([[1, 2], [3, np.nan]]), np.eye(2) > 0, (0, 0), 1, text
    ),
    "trade": lambda text: trade(
        text,
        (text, text),
        [Spot(text, (1, 0, 2), (1, 0, 2), True, True), Spot("b", (2, 1, 3), (0, 0, 1), False, False)],
        text,
    ),
    "effects": lambda text: effects_column(
        Axis(text, text, (text, "b"), 0, False),
        [Panel(text, text, (Point(0, 1, 0, 2, None, "", False), Point(1, 2, 1, 3, (1, 2), text, True)), 1.0, text)],
        text,
    ),
    "page_map": lambda text: page_map(
        text, [Layer(text, np.arange(24).reshape(2, 4, 3))], (300, 400), 10, (text, "second side's"), text
    ),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_text_is_printed_as_it_stands(name: str):
    svg = render(FIGURES[name](HOSTILE), "svg").decode()
    words = " ".join(ElementTree.fromstring(svg).itertext())
    assert "$\\frac{1}$" in words
    assert "\\x1b" in words
    assert "<b>" not in svg
    assert "\x1b" not in svg


@pytest.mark.parametrize("name", sorted(set(FIGURES) - {"page_map"}))
def test_blue_and_red_are_the_pens_alone(name: str):
    svg = render(FIGURES[name]("plain"), "svg").decode().lower()
    assert not any(pen in svg for pen in PENS)
    for colour in re.findall(r"#([0-9a-f]{6})", svg):
        red, green, blue = (int(colour[at : at + 2], 16) for at in (0, 2, 4))
        assert not (blue > 1.5 * max(red, green, 40)), f"#{colour} is blue"
        assert not (red > 1.7 * max(green, blue, 40)), f"#{colour} is red"


def test_the_check_of_colours_sees_blue_and_red():
    svg = render(FIGURES["page_map"]("plain"), "svg").decode().lower()
    assert all(pen in svg for pen in PENS)


@pytest.mark.parametrize("name", FIGURES)
def test_no_figure_is_too_wide_for_a_phone_or_has_letters_too_small(name: str):
    figure = FIGURES[name]("n = 10 games")
    assert figure.get_size_inches()[0] == WIDTH
    svg = render(figure, "svg").decode()
    assert "n = 10 games" in svg
    sizes = [float(size) for size in re.findall(r"font(?:-size)?: (?:[\w ]+ )?([\d.]+)px", svg)]
    assert sizes
    assert min(sizes) * ON_A_PHONE / (72 * WIDTH) >= 8.8


def test_the_same_figure_gives_the_same_bytes():
    for form in ("svg", "png"):
        assert render(FIGURES["tornado"]("a"), form) == render(FIGURES["tornado"]("a"), form)


def test_bars_hold_whole_numbers_alike():
    assert bins(np.array([3.0, 7.0])).tolist() == [2.5, 3.5, 4.5, 5.5, 6.5, 7.5]
    wide = bins(np.array([0.0, 999.0]))
    assert len(wide) - 1 <= MOST_BARS
    assert set(np.diff(wide)) == {25.0}
    assert wide[0] == -0.5
    assert wide[-1] > 999
    assert bins(np.array([0.25, 1.0]))[[0, -1]].tolist() == [0.25, 1.0]


def test_percentiles_are_those_of_the_sorted_sample():
    sample = np.repeat([0, 1, 2, 3], [1, 2, 3, 4])
    assert [counts().percentile(p) for p in (0.0, 0.1, 0.29, 0.5, 0.9, 1.0)] == [
        float(np.sort(sample)[min(int(p * 10), 9)]) for p in (0.0, 0.1, 0.29, 0.5, 0.9, 1.0)
    ]
