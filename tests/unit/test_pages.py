"""Pages: strokes have the area they should, and SVG, PNG, HTML and GIF show the same story and nothing else."""

from __future__ import annotations

import io
import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from lab.pages.animation import draw_gif
from lab.pages.outline import outline
from lab.pages.pixels import draw_png
from lab.pages.player import draw_html
from lab.pages.story import OLD, Dot, Step, Story, Stroke, Words, line
from lab.pages.svg import draw_svg

HOSTILE = "</script><script>alert(1)</script>\"'&\x00\ud800\u2028{{ 7 * 7 }}"
BLUE, RED, PAPER = "#1f3f9e", "#d2402b", "#fdfbf3"

STORY = Story(
    title=HOSTILE,
    width=100.0,
    height=200.0,
    colours={"paper": PAPER, "first": BLUE, "second": RED},
    paper=(line(10.0, 0.0, 10.0, 200.0, 4.0, "#ff0000"),),
    steps=(
        Step(0, "", HOSTILE, (Dot(50.0, 180.0, 8.0, BLUE),), {"a": (Dot(50.0, 50.0, 8.0, RED),)}),
        Step(1, "first", "one", (line(50.0, 100.0, 90.0, 100.0, 8.0, BLUE),), {"a": (Dot(80.0, 50.0, 8.0, RED),)}),
        Step(2, "second", "two", (Words(50.0, 150.0, HOSTILE, 10.0, RED),), {"a": (), "b": ()}),
    ),
)


def area(corners: np.ndarray) -> float:
    x, y = corners.T
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2.0


def test_a_stroke_is_as_wide_as_it_says():
    even = Stroke(np.array([[0.0, 0.0], [30.0, 40.0], [60.0, 80.0]]), np.full(3, 6.0), BLUE)
    caps = area(outline(Stroke(np.zeros((2, 2)), np.full(2, 6.0), BLUE)))
    assert area(outline(even)) == pytest.approx(600.0 + caps, rel=1e-9)
    tapered = Stroke(even.points, np.array([6.0, 3.0, 0.0]), BLUE)
    assert area(outline(tapered)) == pytest.approx(300.0 + caps / 2.0, rel=1e-9)


def test_a_stroke_steps_where_its_width_jumps():
    jump = Stroke(np.array([[0.0, 0.0], [50.0, 0.0], [50.0, 0.0], [100.0, 0.0]]), np.array([6.0, 6.0, 2.0, 2.0]), BLUE)
    half = {round(abs(float(y)), 6) for x, y in outline(jump) if x == 50.0}
    assert half == {3.0, 1.0}


def test_an_svg_is_well_formed_and_shows_the_page_after_those_steps():
    root = ElementTree.fromstring(draw_svg(STORY, 2))
    space = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{space}title") == HOSTILE.replace("\x00", r"\x00").replace("\ud800", r"\ud800").replace(
        "\u2028", r"\u2028"
    )
    assert [circle.get("cx") for circle in root.iter(f"{space}circle")] == ["50", "80"]
    assert len(list(root.iter(f"{space}path"))) == 2
    assert not list(ElementTree.fromstring(draw_svg(STORY, 3)).iter(f"{space}script"))


def test_what_was_drawn_in_earlier_turns_is_faded():
    opacities = [mark.opacity for mark in STORY.page(3)]
    assert opacities == [1.0, 1.0, OLD, 1.0]


def test_a_turn_includes_all_its_steps():
    assert [STORY.steps_until(turn) for turn in (0, 1, 2)] == [1, 2, 3]


def test_pixels_are_where_the_marks_are():
    image = Image.open(io.BytesIO(draw_png(STORY, 2, scale=2.0)))
    assert image.size == (200, 400)

    def colour(x: float, y: float) -> str:
        return "#{:02x}{:02x}{:02x}".format(*image.convert("RGB").getpixel((int(2 * x), int(2 * y))))

    assert [colour(*at) for at in ((30, 30), (10, 100), (50, 180), (70, 100), (80, 50), (50, 50))] == [
        PAPER,
        "#ff0000",
        BLUE,
        BLUE,
        RED,
        PAPER,
    ]


def test_faint_words_are_faint_in_pixels():
    def darkest(opacity: float) -> int:
        words = Words(50.0, 60.0, "8", 80.0, "#000000", "middle", opacity)
        story = Story("", 100.0, 100.0, STORY.colours, (words,), (Step(0, "", ""),))
        return int(np.asarray(Image.open(io.BytesIO(draw_png(story, 1))).convert("L")).min())

    assert darkest(1.0) < 10
    assert 170 < darkest(0.25) < 210


def test_a_player_is_one_file_that_escapes_what_it_shows():
    page = draw_html(STORY)
    page.encode()
    assert set(re.findall(r"https?://[^\"'\s<]*", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(src|href)\s*=", page)
    assert page.count("<script") == page.count("</script>") == 2
    assert "alert(1)</script>" not in page.replace("\\u003c", "<")[: page.index("<body>")]
    (data,) = re.findall(r'<script id="steps" type="application/json">(.*?)</script>', page, re.DOTALL)
    steps = json.loads(data)
    assert [step["turn"] for step in steps] == [0, 1, 2]
    assert steps[0]["words"].startswith("</script><script>alert(1)")
    assert "<script" not in steps[2]["drawn"]
    assert steps[2]["standing"] == {"a": "", "b": ""}


def test_an_animation_has_a_frame_a_step_and_plays_for_ever():
    image = Image.open(io.BytesIO(draw_gif(STORY)))
    assert image.n_frames == 3
    assert image.info["loop"] == 0
    image.seek(1)
    assert image.info["duration"] < 1000
