"""Playing at the terminal, from the first question to the results: saved, continued, and safe from crashes."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.dodgem.game import in_memory
from lab.cli import main
from lab.dodgem.contest import Contest
from lab.dodgem.saves import Saves
from lab.dodgem.scorebook import Setting
from lab.dodgem.terminal import Terminal, play

EASY = Setting(3, "easy", "wins")


class Person:
    """Types what is written down, then leaves; remembers what was shown."""

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.seen: list[str] = []
        self.terminal = Terminal(self.ask, self.seen.append)

    def ask(self, prompt: str) -> str:
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    @property
    def text(self) -> str:
        return "\n".join(self.seen)


@pytest.fixture
def saves(tmp_path: Path) -> Saves:
    (tmp_path / "saves").mkdir()
    return Saves(tmp_path / "saves", said.append)


said: list[str] = []


@pytest.fixture(autouse=True)
def nothing_said() -> None:
    said.clear()


def begin(setting: Setting = EASY, seed: int = 5) -> Contest:
    return Contest.begin(setting, "first-game", seed)


def test_leaving_keeps_the_game_and_coming_back_continues_it(saves: Saves):
    assert not play(begin(), saves, in_memory, Person("1", "quit").terminal)
    found = saves.unfinished(EASY)
    assert found is not None
    assert len(found.match.moves) == 2
    person = Person("1")
    assert not play(found, saves, in_memory, person.terminal)
    again = saves.unfinished(EASY)
    assert again is not None
    assert again.match.moves[:2] == found.match.moves
    assert len(again.match.moves) == 4


def test_a_game_is_the_same_whether_or_not_it_was_interrupted(saves: Saves, tmp_path: Path):
    (tmp_path / "other").mkdir()
    other = Saves(tmp_path / "other", said.append)
    play(begin(), other, in_memory, Person("1", "2", "1").terminal)
    play(begin(), saves, in_memory, Person("1").terminal)
    for line in ("2", "1"):
        found = saves.unfinished(EASY)
        assert found is not None
        play(found, saves, in_memory, Person(line).terminal)
    assert saves.unfinished(EASY) == other.unfinished(EASY)


def test_every_move_is_on_disk_before_the_next_question(saves: Saves):
    lengths: list[int] = []

    def ask(prompt: str) -> str:
        found = saves.unfinished(EASY)
        lengths.append(-1 if found is None else len(found.match.moves))
        if len(lengths) > 3:
            raise EOFError
        return "1"

    play(begin(), saves, in_memory, Terminal(ask, lambda text: None))
    assert lengths == [0, 2, 4, 6]


def test_undo_goes_back_and_is_saved(saves: Saves):
    person = Person("undo", "1", "undo")
    play(begin(), saves, in_memory, person.terminal)
    found = saves.unfinished(EASY)
    assert found is not None
    assert found.match.moves == ()
    assert "There is no move of yours to take back." in person.text


def test_mistyped_moves_are_explained_and_change_nothing(saves: Saves):
    person = Person("b1 down", "9", "0", "zz", "", "help")
    play(begin(), saves, in_memory, person.terminal)
    found = saves.unfinished(EASY)
    assert found is not None
    assert found.match.moves == ()
    assert "b1 can go up or left" in person.text
    assert "there is no move number 9: they are numbered from 1 to 3" in person.text
    assert "Type a move" in person.text
    assert person.text.count("┌───┬───┬───┐") == 1, "the board is drawn again though nothing moved"


def test_a_hint(saves: Saves):
    person = Person("hint")
    play(begin(), saves, in_memory, person.terminal)
    assert "best: c1 up, win in 19 with perfect play" in person.text
    assert "b1 left  loss in 16" in person.text


def follow_the_hint(setting: Setting, saves: Saves) -> Person:
    """Play a whole game by the exact solution."""
    person = Person()

    def ask(prompt: str) -> str:
        found = saves.unfinished(setting)
        assert found is not None
        return str(in_memory(setting.board, setting.stuck).moves(found.match.position)[0].move)

    assert play(begin(setting), saves, in_memory, Terminal(ask, person.seen.append))
    return person


def test_a_won_game_is_counted_and_gone(saves: Saves):
    person = follow_the_hint(EASY, saves)
    assert "You won: all your cars are out." in person.text
    assert "Cars out: you 2, computer" in person.text
    assert saves.unfinished(EASY) is None
    tally = saves.scores().of(EASY)
    assert (tally.wins, tally.losses, tally.streak, tally.best_streak) == (1, 0, 1, 1)


def test_perfect_play_on_both_sides_gives_what_the_start_is_worth(saves: Saves):
    follow_the_hint(Setting(3, "perfect", "wins"), saves)
    person = follow_the_hint(Setting(4, "perfect", "wins"), saves)
    assert saves.scores().of(Setting(3, "perfect", "wins")).wins == 1
    assert saves.scores().of(Setting(4, "perfect", "wins")).draws == 1
    assert "A draw: the moves ran out." in person.text


def test_resigning_is_a_loss(saves: Saves):
    person = Person("1", "resign")
    assert play(begin(), saves, in_memory, person.terminal)
    assert "You lost: you resigned." in person.text
    assert saves.scores().of(EASY).losses == 1


def test_a_crash_between_counting_and_removing_counts_once(saves: Saves):
    ended = begin().given_up()
    saves.save(ended)
    saves.finish(ended)
    saves.save(ended)  # as if the file had not been removed
    found = saves.unfinished(EASY)
    assert found is not None
    assert play(found, saves, in_memory, Person().terminal)
    assert saves.scores().of(EASY).losses == 1


def test_a_crash_while_scores_are_written_leaves_the_old_ones(saves: Saves):
    saves.finish(begin().given_up())
    before = saves.scores_file.read_bytes()
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom lab.results import files\n"
        "from lab.dodgem.contest import Contest\nfrom lab.dodgem.saves import Saves\n"
        "from lab.dodgem.scorebook import Setting\n"
        "files.os.fsync = lambda descriptor: os._exit(9)\n"
        "game = Contest.begin(Setting(3, 'easy', 'wins'), 'second-game', 5).given_up()\n"
        "Saves(Path(sys.argv[1]), print).finish(game)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(saves.folder)], check=False)
    assert done.returncode == 9
    assert saves.scores_file.read_bytes() == before
    assert saves.scores().of(EASY).losses == 1
    assert any(path.name.endswith(".writing") for path in saves.folder.iterdir()), (
        "the crash came too late or too early"
    )
    with saves.playing(EASY):
        assert not any(path.name.endswith(".writing") for path in saves.folder.iterdir())


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"schema": "rules-lab/dodgem-scores/1"}', b"\xff\xfe", b"[" * 100_000]
)
def test_damaged_scores_are_kept_aside_and_said(saves: Saves, content: bytes):
    for number in (1, 2):
        saves.scores_file.write_bytes(content)
        assert saves.scores().tallies == {}
        aside = saves.folder / f"scores.damaged-{number}.json"
        assert aside.read_bytes() == content
        assert f"it is kept as {aside.name}" in said[-1]
    saves.finish(begin().given_up())
    assert saves.scores().of(EASY).losses == 1


def test_a_damaged_game_is_kept_aside_and_said(saves: Saves):
    play(begin(), saves, in_memory, Person("1").terminal)
    path = saves.game_file(EASY)
    path.write_text(path.read_text().replace("up", "down"))
    assert saves.unfinished(EASY) is None
    assert "kept as game-3-easy-wins.damaged-1.json" in said[-1]
    assert saves.latest() is None


def test_scores_of_another_version_are_refused_and_left_alone(saves: Saves, capsys: pytest.CaptureFixture[str]):
    saves.scores_file.write_text('{"schema": "rules-lab/dodgem-scores/2", "scores": {}}')
    saves.save(begin().given_up())
    assert main(["dodgem", "play", "--saves", str(saves.folder)]) == 1
    assert "has schema 'rules-lab/dodgem-scores/2'" in capsys.readouterr().err
    assert json.loads(saves.scores_file.read_text())["schema"].endswith("/2")


def test_one_game_is_not_played_at_two_terminals(saves: Saves, capsys: pytest.CaptureFixture[str]):
    with saves.playing(EASY):
        assert main(["dodgem", "play", "--saves", str(saves.folder)]) == 1
    assert "is being played at another terminal" in capsys.readouterr().err


def typed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_the_command_continues_what_was_saved_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    command = ["dodgem", "play", "--saves", str(tmp_path / "saves"), "--tables", str(tmp_path / "tables")]
    typed("1\nquit\n", monkeypatch)
    assert main([*command, "--board", "4", "--level", "normal"]) == 0
    assert "4 × 4 against normal, stuck side wins" in capsys.readouterr().out
    typed("resign\ny\n1\n", monkeypatch)
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "4 × 4 against normal, stuck side wins: continued after 2 moves" in out
    assert "1 game, 0 wins, 1 loss, 0 draws; won 0%" in out
    typed("quit\n", monkeypatch)
    assert main([*command, "--board", "3"]) == 0
    assert "3 × 3 against easy" in capsys.readouterr().out


def test_the_command_refuses_what_is_not_offered(capsys: pytest.CaptureFixture[str]):
    for options in (["--board", "6"], ["--level", "random"], ["--stuck", "maybe"]):
        with pytest.raises(SystemExit) as ended:
            main(["dodgem", "play", *options])
        assert ended.value.code == 2
