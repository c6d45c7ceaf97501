"""`lab trace`: what an independent engine made of 600 flicks (``tests/data/README.md``), and what is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab.cli import main

SAMPLE = Path(__file__).parents[1] / "data" / "trace-sample.jsonl"
PAGES = [json.loads(line) for line in SAMPLE.read_text().splitlines()]
TOLD = [
    {"id": page["id"], "flick": index, "out": flick["out"], "after": flick["after"]}
    for page in PAGES
    for index, flick in enumerate(page["flicks"])
]


def alike(mine: Any, theirs: Any) -> bool:
    """Say whether two JSON values are alike: the same keys, numbers to 1e-9 relative (near 0, absolute)."""
    if isinstance(theirs, dict):
        return isinstance(mine, dict) and mine.keys() == theirs.keys() and all(alike(mine[k], theirs[k]) for k in mine)
    if isinstance(theirs, list):
        return isinstance(mine, list) and len(mine) == len(theirs) and all(map(alike, mine, theirs))
    if isinstance(theirs, bool) or isinstance(mine, bool) or not isinstance(theirs, (int, float)):
        return mine is theirs or (isinstance(theirs, str) and mine == theirs)
    return isinstance(mine, (int, float)) and math.isclose(mine, theirs, rel_tol=1e-9, abs_tol=1e-9)


def different(answers: str, part: str) -> list[int]:
    lines = [json.loads(line) for line in answers.splitlines()]
    assert [(line["id"], line["flick"]) for line in lines] == [(told["id"], told["flick"]) for told in TOLD]
    return [i for i, (mine, theirs) in enumerate(zip(lines, TOLD, strict=True)) if not alike(mine[part], theirs[part])]


@pytest.mark.parametrize("geometry", ["shapely", "kernel"])
def test_the_sample_is_answered_as_by_the_independent_engine(geometry: str, capsys: pytest.CaptureFixture[str]):
    assert len(TOLD) == 600
    assert main(["trace", str(SAMPLE), "--geometry", geometry]) == 0
    answers = capsys.readouterr().out
    assert different(answers, "out") == []
    assert different(answers, "after") == []


def planted(change: Callable[[dict[str, Any]], None], path: Path) -> Path:
    """Write the sample with one thing changed in each page."""
    pages = [json.loads(line) for line in SAMPLE.read_text().splitlines()]
    for page in pages:
        change(page)
    path.write_text("".join(json.dumps(page) + "\n" for page in pages))
    return path


def cheaper_walls(page: dict[str, Any]) -> None:
    if page["rules"]["garrison"] == "manned":
        page["rules"]["snipe_loss_full"] -= 0.01


def later_last_stands(page: dict[str, Any]) -> None:
    page["rules"]["last_stand_at"] = 3


@pytest.mark.parametrize(("change", "part"), [(cheaper_walls, "out"), (later_last_stands, "after")])
def test_a_planted_fault_is_seen(
    change: Callable[[dict[str, Any]], None], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """A wall cheaper to a snipe by a hundredth shows in outcomes; a last stand a man later only in what comes after."""
    faulty = planted(change, tmp_path / "faulty.jsonl")
    assert main(["trace", str(faulty), "--geometry", "kernel"]) == 0
    answers = capsys.readouterr().out
    assert different(answers, part)
    if part == "after":
        assert not different(answers, "out")


def test_answers_go_to_a_file_whole_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    one, out = tmp_path / "one.jsonl", tmp_path / "answers.jsonl"
    one.write_text(json.dumps(PAGES[0]) + "\n")
    assert main(["trace", str(one), "--geometry", "kernel", "--out", str(out)]) == 0
    assert len(out.read_text().splitlines()) == len(PAGES[0]["flicks"])
    before = out.read_bytes()
    one.write_text(json.dumps(PAGES[0]) + "\n{}\n")
    assert main(["trace", str(one), "--geometry", "kernel", "--out", str(out)]) == 2
    assert out.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [out, one]
    assert main(["trace", str(one), "--geometry", "kernel"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [f"lab: {one}, line 2: trace.rules: missing"] * 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "trace: must be one JSON object"),
        ("[1]", "trace = [1]: must be a table"),
        ("{", "trace: must be one JSON object"),
        ("[" * 100_000, "trace: must be one JSON object"),
        ('{"id": NaN}', "trace: must hold finite numbers, and has NaN"),
        ('{"id": 1, "id": 2}', "trace: must have each key once in a table, and has 'id' twice"),
        ('{"id": ' + "1" * 5000 + "}", "trace: must be one JSON object"),
        ('{"name": 1}', "trace.name = 1: unknown key; known here: id, rules, size, state, flicks"),
        ("\xff", "trace: must be text in UTF-8"),
    ],
)
def test_what_is_no_trace_is_refused_in_one_line(
    line: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "bad.jsonl"
    path.write_bytes((json.dumps(PAGES[0]) + "\n").encode() + line.encode("latin-1") + b"\n")
    assert main(["trace", str(path), "--geometry", "kernel"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert f"lab: {path}, line 2: {said}" in printed.err


def test_a_file_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["trace", str(tmp_path / "none.jsonl")]) == 2
    assert "cannot be read (No such file or directory)" in capsys.readouterr().err
    assert main(["trace", str(tmp_path)]) == 2
    assert "cannot be read (Is a directory)" in capsys.readouterr().err
