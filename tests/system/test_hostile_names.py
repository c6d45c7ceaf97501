"""Names made to do harm: they come out escaped, and nothing is written outside the folder that was named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.cli import main

NAMES = {
    "upwards": "../../../outside",
    "absolute": "/outside",
    "control": "\x1b[2J\x1b]0;owned\x07\r\n\t\x00",
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "template": "{{ 7 * 7 }} {% for x in y %} ${HOME} $(touch outside) `touch outside`",
    "long": "n" * 50_000,
    "odd": "\u202eevil \u0000 \ud7ff 💀 …",
    "nothing": "",
}


@pytest.fixture
def inner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, inside one that is watched."""
    folder = tmp_path / "watched" / "inner"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def everything(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_title_is_escaped_and_names_a_folder_inside(inner: Path, name: str, capsys: pytest.CaptureFixture[str]):
    title = json.dumps(name, ensure_ascii=False)  # a string of JSON is one of TOML
    Path("race.toml").write_text(f'game = "coinrace"\ntitle = {title}\n[run]\ngames = 5\n')
    assert main(["run", "race.toml", "--workers", "0"]) == 0
    assert main(["run", "race.toml", "--workers", "0", "--out", "named"]) == 0
    assert main(["show", "named"]) == 0
    assert main(["verify", "named"]) == 0
    printed = capsys.readouterr()
    assert all(line.isprintable() for line in (printed.out + printed.err).splitlines())
    (run,) = (inner / "runs").iterdir()
    assert len(run.name) < 60
    assert run.name.replace("-", "").isalnum()
    assert everything(inner.parent) <= {"inner"} | {f"inner/{path}" for path in everything(inner)}
    assert {path.name for path in inner.iterdir()} == {"race.toml", "runs", "named"}


@pytest.mark.parametrize("name", [name for name in NAMES.values() if name], ids=[key for key in NAMES if NAMES[key]])
@pytest.mark.parametrize(
    "text",
    ["game = {}\n", 'game = "coinrace"\n[rules]\n{} = 1\n', 'game = "coinrace"\n[players.first]\nname = {}\n'],
    ids=["game", "rule", "player"],
)
def test_a_name_that_is_refused_is_shown_escaped(inner: Path, name: str, text: str, capsys: pytest.CaptureFixture[str]):
    Path("race.toml").write_text(text.format(json.dumps(name, ensure_ascii=False)))
    assert main(["run", "race.toml", "--workers", "0"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("lab: race.toml: ")
    assert error.removesuffix("\n").isprintable()
    assert len(error) < 60_000
    assert everything(inner) == {"race.toml"}


@pytest.mark.parametrize("name", ["\x1b[2J.toml", "a\nb.toml", "<b>.toml", "-.toml", " .toml", "é" * 60 + ".toml"])
def test_a_file_may_have_any_name(inner: Path, name: str, capsys: pytest.CaptureFixture[str]):
    Path(name).write_text('game = "coinrace"\n[run]\ngames = 5\n')
    assert main(["run", f"./{name}", "--workers", "0"]) == 0
    assert main(["run", f"./{name}", "--set", "heads_to_win=0", "--workers", "0"]) == 2
    printed = capsys.readouterr()
    assert all(line.isprintable() for line in (printed.out + printed.err).splitlines())
    (run,) = (inner / "runs").iterdir()
    assert run.name.replace("-", "").isalnum()
