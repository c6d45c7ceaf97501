"""Whole reports at the command line: of runs and sweeps, complete and not, and of what is neither."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from lab.cli import main
from lab.games import adapter_of
from lab.plots.mix import mix
from lab.reports.balance.build import build
from lab.reports.balance.subject import open_subject
from lab.reports.balance.tallies import tally
from lab.results.run import Run

HOSTILE = "<script>alert('$x^{')</script> & \\u001b[31m"
DOTS = """
game = "dotfight"
title = "TITLE"
[rules]
bases_per_side = 2
soldiers_per_base = 4
geometry = "kernel"
friendly_fire = true
[players.first]
name = "greedy"
[players.second]
name = "random"
[run]
games = 40
"""


class Page(HTMLParser):
    """What a page says, and what it refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: Counter[str] = Counter()
        self.links: list[str] = []
        self.sources: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.open: list[str] = []
        self.feed(text)
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        found = dict(attrs)
        if tag == "img":
            self.images.append(found)
        for name in ("src", "href"):
            if name in found:
                (self.links if tag == "a" else self.sources).append(str(found[name]))
        if tag not in ("meta", "img", "link", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def page(out: str) -> Page:
    return Page(Path(out, "index.html").read_text(encoding="utf-8"))


def rows(out: str, name: str) -> list[dict[str, str]]:
    with Path(out, "tables", f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of Dotfight on one seed, one of the coin race, and three sweeps."""
    here = tmp_path_factory.mktemp("made")
    (here / "dots.toml").write_text(DOTS.replace("TITLE", HOSTILE))
    (here / "coins.toml").write_text('game = "coinrace"\n[run]\ngames = 60\n')
    quiet = ["--workers", "0"]
    assert main(["run", str(here / "dots.toml"), *quiet, "--out", str(here / "dots")]) == 0
    changed = ["--set", "garrison=flat", "--games", "30"]
    assert main(["run", str(here / "dots.toml"), *quiet, *changed, "--out", str(here / "flat")]) == 0
    assert main(["run", str(here / "coins.toml"), *quiet, "--out", str(here / "coins")]) == 0
    one = '[design]\nkind = "one-at-a-time"\n[parameters]\nheads_to_win = [1, 2, 4]\nmax_tosses = [5, 20]\n'
    grid = '[design]\nkind = "grid"\n[parameters]\nheads_to_win = [2, 3]\nmax_tosses = [5, 40]\n'
    morris = one.replace('"one-at-a-time"', '"morris"\ntrajectories = 2')
    for name, design in (("one", one), ("grid", grid), ("screening", morris)):
        (here / f"{name}.toml").write_text(f'base = "coins.toml"\n{design}')
        assert main(["sweep", str(here / f"{name}.toml"), *quiet, "--out", str(here / name)]) == 0
    seats = '[[pairings]]\nname = "greedy"\n[[pairings]]\nname = "random"\n'
    (here / "seats.toml").write_text(f'base = "dots.toml"\ntitle = "Seats"\n[run]\ngames = 12\n{seats}')
    assert main(["sweep", str(here / "seats.toml"), *quiet, "--out", str(here / "seats")]) == 0
    return here


@pytest.fixture(scope="module")
def reported(made: Path) -> Path:
    """The report of the run of Dotfight, for tests that only read it."""
    out = made / "reported"
    assert main(["report", str(made / "dots"), "--out", str(out)]) == 0
    return out


@pytest.fixture
def here(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of one's own to report into, those runs at hand."""
    for path in made.iterdir():
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("here")
def test_a_run_is_reported_on_one_page_that_needs_nothing_else(capsys: pytest.CaptureFixture[str]):
    assert main(["report", "dots", "--out", "out", "--target-turns", "5-15"]) == 0
    printed = capsys.readouterr().out
    seen = page("out")
    for question in ("Is it fair?", "How long is it?", "What drives it?", "What is undecided?"):
        assert question in printed
        assert question in seen.text
    assert "of games last 5 to 15 turns" in seen.text
    assert seen.open == []
    assert seen.tags["script"] == seen.tags["link"] == seen.tags["iframe"] == 0
    assert all(source.startswith("data:image/svg+xml;base64,") for source in seen.sources)
    assert all(image["alt"] for image in seen.images)
    for link in seen.links:
        assert link.startswith("#") or Path("out", link).is_file(), link
    figures = {path.stem for path in Path("out/figures").glob("*.svg")}
    assert figures == {path.stem for path in Path("out/figures").glob("*.png")}
    assert {"distribution-turns", "survival", "page-1", "action-mix", "snowball"} <= figures
    assert len(seen.images) == len(figures)
    for name in figures:
        assert "n = " in Path("out/figures", f"{name}.svg").read_text(encoding="utf-8"), name


def test_hostile_names_come_out_as_text(reported: Path):
    text = (reported / "index.html").read_text(encoding="utf-8")
    assert "<script>" not in text
    assert "&lt;script&gt;alert(" in text
    assert "\x1b" not in text
    assert "<script>alert" in page(str(reported)).text


def test_every_number_on_the_page_is_that_of_the_run(made: Path, reported: Path):
    run, out = Run(made / "dots"), str(reported)
    metrics = {row["metric"]: row for row in rows(out, "metrics")}
    for line in run.summary():
        row = metrics[line.metric.name]
        assert row["definition"] == line.metric.definition
        if row["note"].startswith("undefined: "):
            assert row["estimate"] == row["low"] == row["high"] == ""
        else:
            assert float(row["estimate"]) == pytest.approx(line.scale * line.estimate.estimate)  # pyright: ignore
    assert any(row["note"].startswith("undefined: ") for row in metrics.values())
    assert not re.search(r"\bnan\b", page(out).text, re.IGNORECASE)
    turns = run.columns(["turns"])["turns"]
    counted = {float(row["turns"]): int(row["games"]) for row in rows(out, "distribution-turns")}
    assert counted == Counter(turns.tolist())


def test_lists_are_summed_as_they_stand(made: Path):
    run = Run(made / "dots")
    adapter = run.adapter
    sums = tally(run, adapter.views)
    losses = adapter.views.losses
    assert losses is not None
    assert sums.deeds is not None
    assert sums.places is not None
    assert sums.lost is not None
    assert sums.at_risk is not None
    columns = run.columns()
    assert sums.games == 40
    for kind, name in enumerate(adapter.views.deeds.columns.values()):  # pyright: ignore[reportOptionalMemberAccess]
        assert sums.deeds[:, kind].tolist() == [phases.tolist() for phases in columns[name]]
    how = np.concatenate(columns["lost_how"])
    for way in losses.ways:
        assert sums.places[way].sum() == np.count_nonzero(how == way)
        sides = np.concatenate(columns["lost_side"])[how == way]
        assert sums.places[way].sum(axis=(1, 2)).tolist() == [np.count_nonzero(sides == side) for side in (0, 1)]
    for game in range(40):
        turns = int(columns["turns"][game])
        inside = columns["inside_first"][game] + columns["inside_second"][game]
        living = columns["living_first"][game] + columns["living_second"][game]
        assert sums.at_risk[0, game, :turns].tolist() == inside[:-1].tolist()
        assert sums.at_risk[1, game, :turns].tolist() == (living - inside)[:-1].tolist()
        assert not sums.at_risk[:, game, turns:].any()
        for state, ways in enumerate(((0,), (1, 2))):
            when = columns["lost_turn"][game][np.isin(columns["lost_how"][game], ways)]
            assert sums.lost[state, game].tolist() == np.bincount(when - 1, minlength=sums.lost.shape[2]).tolist()


def test_games_at_the_extremes_are_those_and_can_be_played_again(
    made: Path, reported: Path, capsys: pytest.CaptureFixture[str]
):
    turns = Run(made / "dots").columns(["turns"])["turns"]
    seen = page(str(reported))
    longest = int(turns.argmax())
    assert f"(game {longest}, watch it )" in seen.text
    player = (reported / "games" / f"game-{longest}.html").read_text(encoding="utf-8")
    assert f"game {longest} of seed 1" in player
    capsys.readouterr()
    command = f"lab play games/experiment.toml --index {longest}"
    assert command in seen.text
    assert main(["play", str(reported / "games/experiment.toml"), "--index", str(longest)]) == 0
    assert f"in turn {turns[longest]}" in capsys.readouterr().out or "stalled" in player


@pytest.mark.usefixtures("here")
def test_a_game_without_views_has_a_report_that_says_what_is_left_out():
    assert main(["report", "coins", "--out", "out"]) == 0
    text = page("out").text
    for reason in (
        "The game declares no columns whose distribution is shown.",
        "The game has no columns that say where and when something is lost.",
        "Action mix: the game has no columns of actions by phase.",
        "Snowball: the game has no columns of a lead.",
        "need a sweep, and this is a single run",
    ):
        assert reason in text
    assert not Path("out/games").exists()
    assert rows("out", "metrics")


@pytest.mark.usefixtures("here")
def test_two_runs_are_set_beside_each_other(capsys: pytest.CaptureFixture[str]):
    assert main(["report", "dots", "--compare", "flat", "--out", "out"]) == 0
    text = page("out").text
    assert "Differences: rules.garrison is manned here, flat there." in text
    assert "games are compared pair by pair" in text
    turns = [Run(name).columns(["turns"])["turns"] for name in ("dots", "flat")]
    row = next(row for row in rows("out", "compared") if row["metric"] == "turns")
    assert float(row["this"]) == pytest.approx(turns[0].mean())
    assert float(row["difference"]) == pytest.approx((turns[1] - turns[0][:30]).mean())
    assert {row["run"] for row in rows("out", "distribution-turns")} == {"this run", "the other"}
    capsys.readouterr()
    assert main(["report", "dots", "--compare", "coins", "--out", "out"]) == 2
    assert "--compare = 'coins': must be of 'dotfight', as RUN is; this is of 'coinrace'" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_a_sweep_is_reported_parameter_by_parameter():
    assert main(["report", "one", "--out", "out", "--trade", "tosses:low", "first_wins:50"]) == 0
    seen = page("out")
    figures = {path.stem for path in Path("out/figures").glob("*.svg")}
    assert {"effect-heads_to_win", "effect-max_tosses", "tornado-tosses", "trade-off"} <= figures
    assert not any(name.startswith("map-") for name in figures)
    assert "No two parameters were varied together over a grid." in seen.text
    assert "What drives it? heads_to_win" in seen.text
    spans = [float(row["span"]) for row in rows("out", "tornado") if row["metric"] == "tosses"]
    assert spans == sorted(spans, reverse=True)
    assert len(spans) == 2
    front = {row["variant"] for row in rows("out", "trade-off") if row["front"] == "True"}
    assert "heads_to_win = 1" in front
    with Path("one/results.csv").open(encoding="utf-8", newline="") as file:
        results = {row["variant"]: row for row in csv.DictReader(file) if row["metric"] == "tosses"}
    for row in rows("out", "effects"):
        if row["metric"] == "tosses":
            there = results[f"{row['parameter']} = {row['value']}"]
            assert float(row["difference"]) == float(there["difference"])
            assert float(row["q"]) == float(there["q"])


def overhang(figure: Figure) -> float:
    """Return how far what is drawn sticks out of a figure on any side, in inches."""
    drawn = figure.get_tightbbox(FigureCanvasAgg(figure).get_renderer())
    width, height = figure.get_size_inches()
    return max(-drawn.x0, -drawn.y0, drawn.x1 - width, drawn.y1 - height)


@pytest.mark.parametrize(
    ("name", "other"), [("dots", "flat"), ("one", None), ("grid", None), ("seats", None), ("screening", None)]
)
def test_nothing_in_a_figure_is_cut(name: str, other: str | None, made: Path):
    report = build(open_subject(made / name), None if other is None else open_subject(made / other))
    figures = {picture.name: picture.figure for section in report.sections for picture in section.pictures}
    assert figures
    assert {name for name, figure in figures.items() if overhang(figure) > 0.02} == set()


def test_the_check_for_what_is_cut_sees_it():
    phases = ["a phase whose name is by far too long for its place"]
    assert overhang(mix("title", phases, ["b"], np.array([[100.0]]), "")) > 0.5


@pytest.mark.usefixtures("here")
def test_two_parameters_varied_together_are_mapped():
    assert main(["report", "grid", "--out", "out"]) == 0
    cells = [row for row in rows("out", "two-parameters") if row["metric"] == "tosses"]
    assert len(cells) == 4
    assert Path("out/figures/map-tosses-heads_to_win-max_tosses.png").is_file()


@pytest.mark.usefixtures("here")
def test_players_are_set_against_each_other_and_tell_the_seats_worth():
    assert main(["report", "seats", "--out", "out"]) == 0
    text = page("out").text
    assert "Least for the first seat, seats swapped" in text
    (row,) = rows("out", "pairings")
    assert {row["player"], row["opponent"]} == {"greedy", "random"}
    assert int(row["pairs"]) == 12
    assert 0 <= float(row["score_low"]) <= float(row["score"]) <= float(row["score_high"]) <= 100
    assert {"players", "first-seat"} <= {path.stem for path in Path("out/figures").glob("*.png")}


@pytest.mark.usefixtures("here")
def test_by_default_it_goes_into_the_folder_and_an_earlier_one_is_replaced():
    shutil.copytree("coins", "own")
    assert main(["report", "own"]) == 0
    assert main(["verify", "own", "--replay", "1"]) == 0
    before = page("own/report").text
    Path("own/report/tables/stale.csv").write_text("old")
    assert main(["report", "own"]) == 0
    assert page("own/report").text == before
    assert not Path("own/report/tables/stale.csv").exists()


def without_games(folder: str, copy: str) -> None:
    shutil.copytree(folder, copy)
    shutil.rmtree(Path(copy, "games"))
    Path(copy, "games").mkdir()


@pytest.mark.usefixtures("here")
def test_an_empty_run_has_a_report_that_says_so(capsys: pytest.CaptureFixture[str]):
    without_games("dots", "empty")
    assert main(["report", "empty", "--out", "out", "--compare", "empty"]) == 0
    seen = page("out")
    assert "No game has been played yet: there is nothing to report." in seen.text
    assert "40 of 40 games are missing" in seen.text
    assert seen.tags["img"] == 0
    assert "No game has been played yet" in capsys.readouterr().out


@pytest.mark.usefixtures("here")
def test_an_unfinished_run_says_what_is_missing():
    shutil.copytree("dots", "part")
    stored = json.loads(Path("part/experiment.json").read_text())
    stored["run"]["games"] = 50
    Path("part/experiment.json").write_text(json.dumps(stored))
    assert main(["report", "part", "--out", "out", "--compare", "part"]) == 0
    text = page("out").text
    assert "10 of 50 games are missing (40–49)" in text
    assert "seed 1: 40 games." in text
    assert "Differences: none; the experiments are the same." in text


@pytest.mark.usefixtures("here")
def test_an_unfinished_sweep_says_which_variants_are_missing():
    shutil.copytree("one", "part")
    base = next(path for path in Path("part/runs").iterdir() if path.name.startswith("base-"))
    other = next(path for path in Path("part/runs").iterdir() if path.name.startswith("max_tosses-5"))
    shutil.rmtree(other)
    assert main(["report", "part", "--out", "out"]) == 0
    assert "1 of 6 variants have not been begun: max_tosses = 5" in page("out").text
    shutil.rmtree(base)
    assert main(["report", "part", "--out", "out"]) == 0
    assert "No game has been played yet" in page("out").text


@pytest.mark.usefixtures("here")
def test_games_that_failed_are_counted_and_left_out():
    Path("faulty.toml").write_text('game = "faulty"\n[players.first]\nfault = "raises"\n[run]\ngames = 8\n')
    main(["run", "faulty.toml", "--workers", "0", "--out", "faulty"])
    failed = len(Run("faulty").failures)
    assert failed
    assert main(["report", "faulty", "--out", "out"]) == 0
    assert "games failed and are left out" in page("out").text


def spoil(path: str, old: str, new: str) -> None:
    text = Path(path).read_text()
    assert old in text
    Path(path).write_text(text.replace(old, new))


@pytest.mark.usefixtures("here")
def test_what_is_no_run_is_refused_and_nothing_is_written(capsys: pytest.CaptureFixture[str]):
    Path("nothing").mkdir()
    shutil.copytree("dots", "schema")
    spoil("schema/experiment.json", "rules-lab/experiment/", "rules-lab/experiment/9")
    shutil.copytree("one", "sweep-schema")
    spoil("sweep-schema/sweep.json", "rules-lab/sweep/", "rules-lab/sweep/9")
    shutil.copytree("coins", "edited")
    spoil("edited/experiment.json", '"heads_to_win": 3', '"heads_to_win": 4')
    for folder, message in (
        ("absent", "RUN = 'absent': must be the folder of a run (experiment.json) or of a sweep (sweep.json)"),
        ("nothing", "RUN = 'nothing': must be the folder of a run"),
        ("dots.toml", "RUN = 'dots.toml': must be the folder of a run"),
        ("schema", "has schema 'rules-lab/experiment/9"),
        ("sweep-schema", "has schema 'rules-lab/sweep/9"),
        ("edited", "is not the experiment its hash names"),
    ):
        assert main(["report", folder, "--out", "out"]) == 2
        captured = capsys.readouterr()
        assert message in captured.err
        assert captured.err.count("\n") == 1
        assert not Path("out").exists()
    assert main(["report", "dots", "--compare", "absent", "--out", "out"]) == 2
    assert "--compare = 'absent'" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--target-turns", "30-10"], "--target-turns = '30-10': must be two whole numbers, the lower first"),
        (["--target-turns", "many"], "--target-turns = 'many'"),
        (["--trade", "turns", "luck"], "--trade = 'luck': must be among turns, "),
        (["--trade", "turns:best", "drama"], "--trade = 'turns:best': must end in :low, :high or :NUMBER"),
        (["--out", "coins.toml"], "--out = 'coins.toml': must be a folder, and is a file"),
        (["--out", "one"], "--out = 'one': must be a new or empty folder, or that of an earlier report"),
    ],
)
def test_arguments_that_cannot_be_are_refused(words: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    before = sorted(str(path) for path in Path("one").rglob("*"))
    assert main(["report", "dots", *(["--out", "out"] if "--out" not in words else []), *words]) == 2
    assert message in capsys.readouterr().err
    assert not Path("out").exists()
    assert sorted(str(path) for path in Path("one").rglob("*")) == before


def test_the_measures_of_every_game_are_defined_with_their_source():
    wanted = {"lead_changes", "decisiveness", "drama", "snowball"}
    for name in ("dotfight", "dodgem"):
        metrics: dict[str, Any] = {metric.name: metric for metric in adapter_of(name).metrics}
        assert wanted <= set(metrics)
        assert all("Browne 2008" in metrics[one].definition for one in wanted - {"snowball"})
