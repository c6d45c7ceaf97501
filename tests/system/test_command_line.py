"""The command `lab` as a person meets it: what it prints, how it ends, and what it says of a mistake."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lab.cli import main

CONFIG = 'game = "coinrace"\ntitle = "A race"\n[rules]\nheads_to_win = 4\n[run]\ngames = 40\nseed = 2\n'


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "race.toml").write_text(CONFIG)
    return "race.toml"


def test_run_plays_and_prints_a_summary_and_where_the_run_is(config: str, capsys: pytest.CaptureFixture[str]):
    assert main(["run", config]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    assert re.fullmatch(r"A race \(coinrace, [0-9a-f]{8}\)", lines[0])
    assert lines[1:3] == ["players: steady against steady; seed 2; 40 games", "rules: heads_to_win = 4"]
    assert lines[4].split() == ["metric", "estimate", "95%", "interval", "unit", "games"]
    assert len({line.rindex("40") for line in lines[6:8]}) == 1, "numbers of games are not aligned"
    folder = re.fullmatch(r"run folder: (runs/race-[0-9a-f]{8})", lines[-1])
    assert folder is not None
    assert main(["show", folder[1]]) == 0
    assert capsys.readouterr().out.splitlines() == lines[:-2]


def test_options_change_the_experiment(config: str, capsys: pytest.CaptureFixture[str]):
    options = ["--games", "7", "--seed", "9", "--set", "max_tosses=50", "--set", "players.second.heads=0.25"]
    assert main(["run", config, *options, "--out", "out", "--workers", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "players: steady against steady (heads = 0.25); seed 9; 7 games"
    assert lines[2] == "rules: heads_to_win = 4, max_tosses = 50"


def test_several_experiments_are_played_one_after_the_other(config: str, capsys: pytest.CaptureFixture[str]):
    Path("other.toml").write_text('game = "coinrace"\ntitle = "Another"\n[run]\ngames = 3\n')
    assert main(["run", config, "other.toml", "--games", "5"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"run folder: runs/race-\w{8}\n", printed)
    assert re.search(r"run folder: runs/other-\w{8}\n", printed)


def test_several_experiments_with_one_mistaken_play_nothing(config: str, capsys: pytest.CaptureFixture[str]):
    Path("other.toml").write_text('game = "coinrace"\n[rules]\nheads_to_win = 0\n')
    assert main(["run", config, "other.toml"]) == 2
    assert capsys.readouterr().err.startswith("lab: other.toml: rules.heads_to_win = 0")
    assert main(["run", config, config, "--out", "both"]) == 2
    assert not Path("runs").exists()
    assert not Path("both").exists()


def test_a_title_cannot_write_to_the_terminal_what_it_likes(config: str, capsys: pytest.CaptureFixture[str]):
    Path("odd.toml").write_text('game = "coinrace"\ntitle = "\\u001b[31m../../x\\n"\n[run]\ngames = 3\n')
    assert main(["run", "odd.toml"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("\\x1b[31m../../x\\n (coinrace, ")
    assert lines[-1].startswith("run folder: runs/odd-")


def test_show_as_csv_and_provenance(config: str, capsys: pytest.CaptureFixture[str]):
    main(["run", config, "--out", "out"])
    capsys.readouterr()
    assert main(["show", "out", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows[2]["metric"] == "tosses"
    assert float(rows[2]["low"]) < float(rows[2]["estimate"]) < float(rows[2]["high"])
    assert rows[2]["games"] == "40"
    assert main(["show", "out", "--provenance"]) == 0
    provenance = json.loads(capsys.readouterr().out)
    assert provenance["sessions"][0]["games_after"] == 40
    assert {"python", "numpy", "rules-lab"} <= set(provenance["sessions"][0]["versions"])


def test_play_prints_one_game_and_writes_its_record(config: str, capsys: pytest.CaptureFixture[str]):
    assert main(["play", config, "--seed", "3", "--index", "4", "--record", "game.json"]) == 0
    first = capsys.readouterr().out
    assert "winner: " in first
    assert json.loads(Path("game.json").read_text())["schema"] == "coinrace/1"
    main(["play", config, "--seed", "3", "--index", "4"])
    assert capsys.readouterr().out == first
    main(["play", config, "--seed", "3", "--index", "5"])
    assert capsys.readouterr().out != first


def test_failed_games_are_named_and_the_status_says_so(config: str, capsys: pytest.CaptureFixture[str]):
    Path("bad.toml").write_text('game = "faulty"\n[players.first]\nfault = "raises"\n[run]\ngames = 80\n')
    assert main(["run", "bad.toml", "--workers", "0"]) == 1
    out = capsys.readouterr().out
    assert "8 of 80 games failed and are left out above:" in out
    assert "  game 3: GameError: no move in game 3 of <object object at 0x…>" in out
    assert "  and 3 more" in out
    assert main(["play", "bad.toml", "--index", "3"]) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "missing.toml"], "lab: file = 'missing.toml': cannot be read (No such file or directory)"),
        (["run", "race.toml", "--set", "heads=1"], "lab: command line: rules.heads = 1: unknown key"),
        (["run", "race.toml", "--set", "heads"], "lab: command line: --set = 'heads': must be key=value"),
        (["run", "race.toml", "--games", "0"], "lab: command line: run.games = 0: must be a whole number from 1"),
        (["run", "race.toml", "--seed", "-1"], "lab: command line: run.seed = -1: must be a whole number from 0"),
        (["run", "race.toml", "--workers", "-1"], "lab: --workers = -1: must be 0"),
        (["run", "race.toml", "--out", "race.toml"], "lab: out = 'race.toml': must be a folder, and is a file"),
        (["run", "race.toml", "--out", "race.toml/x"], "Not a directory"),
        (["run", "race.toml", "--out", "/proc/x"], "lab: "),
        (["run", "race.toml", "--out", "papers"], "lab: out = 'papers': must be a new or empty folder"),
        (["play", "race.toml", "--index", "-1"], "lab: --index = -1: must be 0 or more"),
        (["play", "race.toml", "--record", "no/such/folder.json"], "lab: "),
        (["run", "race.toml", "--set", "\x1b[31m=1"], "lab: command line: rules.\\x1b[31m = 1: unknown key"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(
    config: str, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
):
    Path("papers").mkdir()
    Path("papers/letter.txt").write_text("dear")
    before = sorted(Path.cwd().rglob("*"))
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
    assert sorted(Path.cwd().rglob("*")) == before, "something was written"


@pytest.mark.parametrize("arguments", [[], ["fly"], ["run"], ["run", "a", "--games", "many"]])
def test_a_wrong_command_is_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: lab" in capsys.readouterr().err


def test_a_damaged_run_is_one_line_and_status_1(config: str, capsys: pytest.CaptureFixture[str]):
    main(["run", config, "--out", "out"])
    capsys.readouterr()
    assert main(["show", "nowhere"]) == 1
    assert "nowhere: is no run folder" in capsys.readouterr().err
    Path("out/experiment.json").write_text("[]")
    assert main(["show", "out"]) == 1
    assert "out/experiment.json: has schema None" in capsys.readouterr().err


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = re.findall(r"^    (\w+) ", capsys.readouterr().out, re.MULTILINE)
    assert {"run", "show", "play"} <= set(listed)
    for command in listed:
        with pytest.raises(SystemExit) as ended:
            main([command, "--help"])
        assert ended.value.code == 0
        assert "usage: lab " + command in capsys.readouterr().out


def test_a_reader_that_leaves_is_no_error(config: str):
    main(["run", config, "--out", "out"])
    script = "import sys; from lab.cli import main; sys.exit(main(sys.argv[1:]))"
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", script, "show", "out"], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert done.returncode == 1
    assert done.stderr == b""
