"""`lab reproduce` as a person meets it, with few games a row."""

from __future__ import annotations

import csv
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from lab.cli import main
from lab.reports.reproduce import published

ROW = "round-4-3x8-flat"


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Generator[None, None, None]:
    """Ask for 21 to 23 games a row, which is all that is changed."""
    read: Any = published._toml  # pyright: ignore[reportPrivateUsage]

    def fewer(name: str) -> Any:
        table = read(name)
        for row in table.get("rows", []):
            row["games"] = {"quick": 21, "default": 22, "full": 23}
        return table

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(published, "_toml", fewer)
    published.rows.cache_clear()
    yield
    published.rows.cache_clear()


def outputs(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(out.iterdir()) if path.is_file()}


def games_files(out: Path) -> dict[str, int]:
    return {str(path.relative_to(out)): path.stat().st_mtime_ns for path in sorted(out.rglob("*.parquet"))}


@pytest.mark.usefixtures("few_games")
def test_a_row_is_played_reported_saved_and_not_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    command = ["reproduce", "--quick", "--rows", ROW, "quick", "--workers", "0"]
    assert main(command) == 0
    printed = capsys.readouterr()
    assert "quick size, seed 1: 42 games of 2 rows" in printed.out
    assert "round-4 3x8 flat: 500 games there, 21 here" in printed.out
    assert "garrison-protects: kill rate inside / outside: about 0.5" in printed.out
    assert printed.out.endswith("report, tables and figure: runs/reproduce-quick\n")
    assert printed.err.splitlines() == ["1 of 2: round-4 3x8 flat, 21 games", "2 of 2: book 3x8, 21 games"]
    out = tmp_path / "runs" / "reproduce-quick"
    saved = outputs(out)
    assert list(saved) == ["claims.csv", "comparisons.csv", "differences.png", "differences.svg", "report.txt"]
    assert printed.out.startswith(saved["report.txt"].decode().rstrip("\n"))
    lines = list(csv.DictReader(saved["comparisons.csv"].decode().splitlines()))
    assert {line["row"] for line in lines} == {ROW}
    assert {line["games"] for line in lines} == {"21"}
    assert all(abs(float(line["z"])) < 5 for line in lines if line["z"]), "the lab does not see what the record saw"

    played = games_files(out)
    assert main(command) == 0
    assert capsys.readouterr().err.splitlines()[0] == "1 of 2: round-4 3x8 flat, 21 games, all there"
    assert games_files(out) == played
    assert outputs(out) == saved

    # A larger size in the same folder plays what is missing; the smaller one still reports its own games alone.
    assert main(["reproduce", "--rows", ROW, "--workers", "0", "--out", str(out)]) == 0
    assert capsys.readouterr().err.splitlines()[0] == "1 of 1: round-4 3x8 flat, 22 games, 1 of them missing"
    assert main(command) == 0
    assert outputs(out) == saved


@pytest.mark.usefixtures("few_games")
def test_the_report_is_the_same_for_any_number_of_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for workers in ("0", "2"):
        assert main(["reproduce", "--quick", "--rows", ROW, "--workers", workers, "--out", f"by-{workers}"]) == 0
    capsys.readouterr()
    assert outputs(tmp_path / "by-0") == outputs(tmp_path / "by-2")


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--rows", "round-5"],
            "lab: --rows = 'round-5': must name a row, or be a pattern of names: round-3-3x8-flat, ",
        ),
        (["--rows", "quick", "*-9"], "lab: --rows = '*-9': must name a row"),
        (["--workers", "-1"], "lab: --workers = -1: must be 0 (this process alone) or more"),
        (["--seed", "-3"], "lab: --seed = -3: must be 0 or more"),
        (["--out", "letter.txt"], "lab: out = 'letter.txt': must be a folder, and is a file"),
        (["--out", "papers"], "lab: out = 'papers': must be a new or empty folder, or that of an earlier report"),
        (["--out", "other"], "lab: out = 'other/runs/round-4-3x8-flat': must be a new or empty folder"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    Path("letter.txt").write_text("dear")
    Path("papers").mkdir()
    Path("papers/letter.txt").write_text("dear")
    Path(f"other/runs/{ROW}").mkdir(parents=True)
    Path(f"other/runs/{ROW}/letter.txt").write_text("dear")
    before = sorted(Path.cwd().rglob("*"))
    assert main(["reproduce", "--quick", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
    assert sorted(Path.cwd().rglob("*")) == before, "something was written"


@pytest.mark.usefixtures("few_games")
def test_a_folder_of_another_seed_is_refused_before_anything_is_played(capsys: pytest.CaptureFixture[str]):
    command = ["reproduce", "--quick", "--workers", "0", "--out", "out", "--rows"]
    assert main([*command, "quick"]) == 0
    capsys.readouterr()
    assert main([*command, "*flat", "quick", "--seed", "2"]) == 2
    assert "lab: out = 'out/runs/quick': must not hold another experiment: seed is 1 there, 2 here" in (
        capsys.readouterr().err
    )
    assert [path.name for path in Path("out/runs").iterdir()] == ["quick"]


def test_quick_and_full_exclude_each_other(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "--quick", "--full"])
    assert ended.value.code == 2
    assert "not allowed with argument" in capsys.readouterr().err
