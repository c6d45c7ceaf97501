"""`lab draw` and `lab replay`: files of the right kind, and one clear line where something given cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.dotfight.game import DOTFIGHT
from engine.dotfight.players import PLAYERS
from engine.dotfight.rules import Rules
from engine.rng import Streams
from lab.cli import main


@pytest.fixture(scope="module")
def record() -> dict[str, object]:
    rules = Rules.parse({"bases_per_side": 1, "soldiers_per_base": 6, "geometry": "kernel", "max_turns": 12})
    return DOTFIGHT.play(rules, (PLAYERS["random"](), PLAYERS["random"]()), Streams(1, 0)).record()


@pytest.fixture
def file(record: dict[str, object], tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(record))
    return path


def test_each_kind_of_file_is_written(file: Path, capsys: pytest.CaptureFixture[str]):
    made = {name: file.with_name(name) for name in ("end.svg", "start.png", "game.gif", "play.html")}
    assert main(["draw", str(file)]) == 0
    assert main(["draw", str(file), "--out", str(made["end.svg"])]) == 0
    assert main(["draw", str(file), "--turn", "0", "--out", str(made["start.png"])]) == 0
    assert main(["replay", str(file), "--out", str(made["play.html"]), "--gif", str(made["game.gif"])]) == 0
    heads = {name: path.read_bytes()[:15] for name, path in made.items()}
    assert heads["end.svg"].startswith(b"<svg ")
    assert heads["start.png"].startswith(b"\x89PNG")
    assert heads["game.gif"].startswith(b"GIF89a")
    assert heads["play.html"] == b"<!DOCTYPE html>"
    assert file.with_suffix(".svg").read_bytes() == made["end.svg"].read_bytes()
    assert capsys.readouterr().out.count(": written, ") == 5


def test_names_from_a_record_are_escaped(record: dict[str, object], file: Path):
    hostile = "<script>alert(1)</script>"
    file.write_text(json.dumps(record | {"players": {"first": {"name": hostile}, "second": {"name": hostile}}}))
    assert main(["draw", str(file)]) == main(["replay", str(file)]) == 0
    for suffix in (".svg", ".html"):
        assert hostile not in file.with_suffix(suffix).read_text()
        assert "&lt;script&gt;" in file.with_suffix(suffix).read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["draw", "FILE", "--out", "x.pdf"], "--out = 'x.pdf': must end in .svg or .png"),
        (["draw", "FILE", "--turn", "-1"], "--turn = -1: must be 0 to "),
        (["draw", "FILE", "--turn", "99"], "--turn = 99: must be 0 to "),
        (["draw", "FILE", "--out", "none/x.svg"], "No such file"),
        (["replay", "FILE", "--out", "x.gif"], "--out = 'x.gif': must end in .html"),
        (["replay", "FILE", "--gif", "x.html"], "--gif = 'x.html': must end in .gif"),
        (["draw", "none.json"], "none.json: cannot be read"),
    ],
)
def test_what_cannot_be_used_is_named(
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
):
    monkeypatch.chdir(file.parent)
    assert main([str(file) if word == "FILE" else word for word in arguments]) == 2
    (complaint,) = capsys.readouterr().err.splitlines()
    assert said in complaint
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not JSON"),
        (b"\xff", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "must be a record"),
        (b"{}", "game = 'None': must be the name of a game"),
        (b'{"game": ["x"]}', "must be the name of a game"),
        (b'{"game": "chess"}', "game = 'chess': must be one of "),
        (b'{"game": "dotfight"}', "record.schema: missing"),
    ],
)
def test_what_is_no_record_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, said: str):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    for command in ("draw", "replay"):
        assert main([command, str(path)]) == 2
        (complaint,) = capsys.readouterr().err.splitlines()
        assert str(path) in complaint
        assert said in complaint
    assert list(tmp_path.iterdir()) == [path]


def test_a_game_without_a_page_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    from lab.games import adapter_of

    adapter = adapter_of("coinrace")
    options = adapter.game.players[adapter.game.default_player]()
    played = adapter.game.play(adapter.game.rules(), (options, options), Streams(1, 0))
    path = tmp_path / "race.json"
    path.write_text(json.dumps(played.record() | {"game": "coinrace"}))
    assert main(["draw", str(path)]) == 2
    assert "game = 'coinrace': has no page that can be drawn" in capsys.readouterr().err
