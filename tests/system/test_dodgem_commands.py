"""The commands of Dodgem: the JSON that other programs rely on, tables kept in files, mistakes of whoever types."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from engine.errors import ConfigError
from lab.cli import main
from lab.dodgem.published import comparisons, reading_text, supported
from lab.dodgem.table_file import open_table, write_table
from lab.dodgem.tables import TableFolder, kept_table, solver_digest

CONFIG = str(Path(__file__).parents[2] / "configs" / "dodgem" / "ladder.toml")

START = "R../R../.UU"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep tables in a folder of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    kept_table.cache_clear()
    return tmp_path / "cache" / "rules-lab" / "dodgem"


def test_solve_as_json(capsys: pytest.CaptureFixture[str]):
    assert main(["dodgem", "solve", "--board", "3", "--stuck", "wins", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "board": 3,
        "stuck": "wins",
        "positions": 1963,
        "wins": 1123,
        "losses": 840,
        "draws": 0,
        "start_value": "win",
        "start_distance": 19,
        "longest_win": 21,
    }


def test_a_drawn_start_has_no_distance(capsys: pytest.CaptureFixture[str]):
    assert main(["dodgem", "solve", "--board", "4", "--stuck", "loses", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["positions"], found["start_value"], found["start_distance"]) == (393_900, "draw", None)


def test_solve_in_words(capsys: pytest.CaptureFixture[str]):
    assert main(["dodgem", "solve"]) == 0
    out = capsys.readouterr().out
    assert "positions reached from the start: 1,963" in out
    assert "start: win in 19 for the side that moves first" in out


def value(*options: str) -> list[str]:
    return ["dodgem", "value", *options]


def test_value_as_json(capsys: pytest.CaptureFixture[str]):
    assert main(value(START, "--to-move", "up", "--json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "value": "win",
        "distance": 19,
        "moves": [
            {"move": "c1 up", "value": "win", "distance": 19},
            {"move": "b1 up", "value": "loss", "distance": 18},
            {"move": "b1 left", "value": "loss", "distance": 16},
        ],
    }


@pytest.mark.parametrize(
    ("options", "worth", "distance", "moves"),
    [
        ((".../.../..R up",), "win", 0, 0),
        ((".../.../..R", "--to-move", "right"), "loss", 0, 0),
        (("..../..../..../U..R up",), "loss", 2, 2),
        (("R.../R.../R.../.UUU up",), "draw", None, 4),
    ],
)
def test_values_of_positions(
    options: tuple[str, ...], worth: str, distance: int | None, moves: int, capsys: pytest.CaptureFixture[str]
):
    assert main(value(*options, "--json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], found["distance"], len(found["moves"])) == (worth, distance, moves)


@pytest.mark.parametrize(("stuck", "worth"), [("wins", "win"), ("loses", "loss"), ("draws", "draw")])
def test_a_stuck_side_by_each_rule(stuck: str, worth: str, capsys: pytest.CaptureFixture[str]):
    assert main(value("RU./U../... right", "--stuck", stuck, "--json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], found["moves"]) == (worth, [])


def test_value_in_words(capsys: pytest.CaptureFixture[str]):
    assert main(value(f"{START} up")) == 0
    out = capsys.readouterr().out
    assert "up: win in 19" in out
    assert "  b1 left  loss in 16" in out
    assert main(value("RU./U../... right")) == 0
    assert "right: win, the game is over: it is stuck" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("position", "column", "said"),
    [
        ("R../RX./.UU up", 6, "'X' is not a square"),
        ("R../R../.UU left", 13, "the side to move is 'left'"),
        ("R../R../.UU", 12, "the side to move is missing"),
        ("R../R../UUU up", 11, "one car of up too many"),
        ("R../R/.UU up", 6, "the row has 1 squares"),
        ("R..../R../.UU up", 4, "the row has more squares"),
        ("R../\x1b[31m/.UU up", 5, "is not a square"),
        ("", 1, "no position"),
    ],
)
def test_a_bad_position_has_its_column_marked(
    position: str, column: int, said: str, capsys: pytest.CaptureFixture[str], cache: Path
):
    assert main(value(position)) == 2
    printed = capsys.readouterr()
    heading, shown, mark = printed.err.splitlines()
    assert heading.startswith(f"lab: POSITION, column {column}: ")
    assert said in heading
    assert mark == " " * (column + 1) + "^"
    assert len(shown) <= len(position) + 2
    assert printed.out == ""
    assert "\x1b" not in printed.err
    assert not cache.exists(), "something was written"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve", "--board", "6"], "lab: board = 6: must be from 2 to 5"),
        (["solve", "--board", "1"], "lab: board = 1: must be from 2 to 5"),
        (value(f"{START} up", "--board", "4")[1:], "lab: --board = 4: must be 3"),
        (value("R...../R...../R...../R...../R...../.UUUUU up")[1:], "lab: board = 6"),
        (["theory", "--games", "0"], "lab: --games = 0: must be 1 or more"),
        (["theory", "--boards", "7"], "lab: board = 7: must be from 2 to 5"),
        (["ladder", "none.toml"], "lab: file = 'none.toml': cannot be read"),
        (["ladder", CONFIG, "--levels", "easy", "best"], "lab: --levels = 'best': must be one of random, easy"),
        (["ladder", CONFIG, "--games", "0"], "lab: command line: run.games = 0"),
        (["ladder", CONFIG, "--boards", "6"], "lab: board = 6"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert main(["dodgem", *arguments]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("command", ["solve", "value", "theory", "ladder", "play"])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(["dodgem", command, "--help"])
    assert ended.value.code == 0
    assert f"usage: lab dodgem {command}" in capsys.readouterr().out


def test_a_board_is_solved_once(cache: Path, capsys: pytest.CaptureFixture[str]):
    main(["dodgem", "solve", "--json"])
    path = cache / "3x3-wins.table"
    before = path.stat().st_mtime_ns
    provenance = open_table(path).provenance
    assert provenance["code"] == solver_digest()
    assert provenance["seconds"] > 0
    main(["dodgem", "solve", "--json"])
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first == second
    assert path.stat().st_mtime_ns == before


def test_a_damaged_table_is_said_and_solved_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    command = ["dodgem", "solve", "--json", "--tables", str(tmp_path / "mine")]
    main(command)
    path = tmp_path / "mine" / "3x3-wins.table"
    sound = path.read_bytes()
    path.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
    capsys.readouterr()
    assert main(command) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["wins"] == 1123
    assert "its scores do not have their checksum; it is solved again" in printed.err
    assert len(printed.err.splitlines()) <= 2
    assert open_table(path).table.counts.wins == 1123


def test_a_table_of_other_code_or_another_board_is_solved_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = TableFolder(tmp_path)
    table = folder.table(3, "wins")
    write_table(folder.file(3, "wins"), table, {"code": "of another day"})
    write_table(folder.file(3, "loses"), table, {"code": solver_digest()})
    for stuck, losses, said in (("wins", 840, "another version of the solver"), ("loses", 843, "another board")):
        assert main(["dodgem", "solve", "--json", "--stuck", stuck, "--tables", str(tmp_path)]) == 0
        printed = capsys.readouterr()
        assert json.loads(printed.out)["losses"] == losses
        assert said in printed.err


def test_a_board_without_a_table(tmp_path: Path):
    with pytest.raises(ConfigError, match="larger boards are not solved"):
        TableFolder(tmp_path / "none").table(6, "wins")
    assert not (tmp_path / "none").exists()


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def test_theory_beside_what_is_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["dodgem", "theory", "--boards", "3", "4", "--games", "20", "--out", "theory"]) == 0
    text = capsys.readouterr().out
    assert 'hold under stuck "wins" alone' in text
    assert 'support "whoever leaves the enemy no move loses"' in text
    assert (tmp_path / "theory" / "theory.txt").read_text() == text
    rows = table(tmp_path / "theory" / "theory.csv")
    assert [(row["board"], row["stuck"]) for row in rows[:2]] == [("3", "wins"), ("3", "loses")]
    assert (rows[0]["positions"], rows[0]["wins"], rows[0]["losses"], rows[0]["draws"]) == ("1963", "1123", "840", "0")
    assert rows[0]["best_first_moves"] == "c1 up"
    assert rows[4]["start_value"] == "draw"
    published = table(tmp_path / "theory" / "published.csv")
    differing = [(row["stuck"], row["fact"]) for row in published if row["agrees"] == "False"]
    assert differing == [(stuck, "won / lost / drawn") for stuck in ("loses", "passes", "draws")]


def test_which_reading_is_supported_is_found_from_the_counts(tmp_path: Path):
    """The planted fault: without the table of the rule that holds, no reading is supported."""
    folder = TableFolder(tmp_path)
    others = [folder.table(3, stuck) for stuck in ("loses", "passes", "draws")]
    assert supported(comparisons(others)) == []
    assert "they do not tell the two readings apart" in reading_text([])
    assert supported(comparisons([folder.table(3, "wins"), *others])) == ["wins"]
    assert 'support "whoever blocks' in reading_text(["loses"])


def test_a_ladder_is_runs_of_the_lab_and_can_be_extended(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    command = ["dodgem", "ladder", CONFIG, "--boards", "3", "--levels", "perfect", "easy", "--workers", "0"]
    assert main([*command, "--games", "5", "--out", "ladder"]) == 0
    assert "with perfect play: win in 19" in capsys.readouterr().out
    assert main(["show", "ladder/3x3-easy-perfect"]) == 0
    assert "easy against perfect; seed 20261130; 5 games" in capsys.readouterr().out
    assert main([*command, "--games", "8", "--out", "ladder"]) == 0
    text = capsys.readouterr().out
    assert (tmp_path / "ladder" / "ladder.txt").read_text() in text
    levels = {row["level"]: row for row in table(tmp_path / "ladder" / "levels.csv")}
    assert float(levels["perfect"]["mistakes"]) == 0 < float(levels["easy"]["mistakes"])
    assert float(levels["perfect"]["first_against_perfect"]) == float(levels["perfect"]["first_ceiling"]) == 1
    meetings = table(tmp_path / "ladder" / "meetings.csv")
    assert [(row["level"], row["against"], row["games"]) for row in meetings] == [
        ("easy", "easy", "8"),
        ("perfect", "easy", "16"),
        ("perfect", "perfect", "8"),
    ]
    assert main(["verify", "ladder/3x3-perfect-easy"]) == 0


def test_a_ladder_of_another_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "race.toml").write_text('game = "coinrace"\n')
    assert main(["dodgem", "ladder", "race.toml"]) == 2
    assert "race.toml: game = 'coinrace': must be 'dodgem'" in capsys.readouterr().err
