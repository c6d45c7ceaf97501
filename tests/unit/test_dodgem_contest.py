"""A person's game as a value: whose turn, what is taken back, how it ends, and that it reads back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.dodgem.game import in_memory
from engine.dodgem.notation import parse_move
from engine.errors import RecordError
from lab.dodgem.contest import Contest
from lab.dodgem.scorebook import Setting, Tally
from lab.dodgem.screen import board_text, decided_text, hint_text, results_text, status_text, tally_text

EASY = Setting(3, "easy", "wins")

WON = ("c1 up", "a2 right", "c2 up", "b2 right", "c3 out", "c2 out", "b1 up", "a3 down", "b2 up", "a2 right", "b3 out")


def contest(*moves: str, setting: Setting = EASY) -> Contest:
    found = Contest.begin(setting, "a-game", 17)
    for move in moves:
        found = found.after(parse_move(move, found.match.position))
    return found


def test_the_person_moves_first_and_in_turn():
    assert contest().persons_turn
    assert not contest("c1 up").persons_turn
    assert contest("c1 up", "a2 right").persons_turn


def test_a_game_won():
    found = contest(*WON)
    assert found.result == "win"
    assert contest(*WON[:-1]).result is None
    tally = Tally().with_game("win", "a-game")
    assert results_text(found, tally) == (
        "You won: all your cars are out.\n"
        "Cars out: you 2, computer 1. Moves played: 11.\n"
        "3 × 3 against easy, stuck side wins: 1 game, 1 win, 0 losses, 0 draws; won 100%; streak 1 win, best 1"
    )


@pytest.mark.parametrize(
    ("stuck", "result"),
    [("wins", "win"), ("loses", "loss"), ("draws", "draw"), ("passes", None)],
)
def test_a_person_who_cannot_move(stuck: Any, result: str | None):
    found = stuck_person(stuck)
    assert found.result == result
    if result:
        assert decided_text(found) == "you could not move"


def stuck_person(stuck: Any) -> Contest:
    """A 3 × 3 game that ends with the person's last car shut in; found by search, so that it is a real game."""
    seen: list[Contest] = [contest(setting=Setting(3, "easy", stuck))]
    known = {seen[0].match.position}
    while seen:
        found = seen.pop()
        if found.persons_turn and found.match.position.stuck:
            return found
        for move in found.match.legal_moves():
            after = found.after(move)
            if after.match.position not in known:
                known.add(after.match.position)
                seen.append(after)
    raise AssertionError("nobody is ever stuck")


def test_giving_up():
    found = contest("c1 up", "a2 right").given_up()
    assert (found.result, decided_text(found)) == ("loss", "you resigned")


def test_undo_takes_back_a_move_and_its_answer():
    assert contest("c1 up", "a2 right").undone() == contest()
    assert contest("c1 up", "a2 right", "c2 up").undone() == contest("c1 up", "a2 right")
    assert contest().undone() is None


def test_the_computer_has_the_same_luck_after_undo():
    setting = Setting(3, "easy", "wins")
    before = contest("c1 up", setting=setting)
    reply = before.reply(in_memory)
    again = before.after(reply).undone()
    assert again is not None
    assert again.after(before.match.moves[0]).reply(in_memory) == reply


def test_another_seed_is_other_luck():
    move = contest("b1 left").match.moves[0]
    replies = {str(Contest.begin(EASY, "", seed).after(move).reply(in_memory)) for seed in range(40)}
    assert len(replies) > 1


def test_the_perfect_level_wins_what_is_won():
    found = contest("b1 left", setting=Setting(3, "perfect", "wins"))
    assert in_memory(3, "wins").look_up(found.match.position).value == "win"
    moves = in_memory(3, "wins").moves(found.match.position)
    assert str(found.reply(in_memory)) == str(moves[0].move)


def test_only_the_perfect_level_asks_for_a_table():
    def none(board: int, stuck: object) -> Any:
        raise AssertionError("asked for a table")

    contest("c1 up").reply(none)
    with pytest.raises(AssertionError, match="asked"):
        contest("c1 up", setting=Setting(3, "perfect", "wins")).reply(none)


@pytest.mark.parametrize("moves", [(), WON[:3], WON])
def test_a_game_reads_back(moves: tuple[str, ...]):
    found = contest(*moves)
    assert Contest.parse(json.loads(json.dumps(found.table()))) == found
    assert Contest.parse(found.given_up().table()).resigned


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"schema": "?"}, "no game of this version"),
        ({"moves": "c1 up"}, "moves: must be a list"),
        ({"moves": ["c1 up", "c1 up"]}, r"moves\[1\]: column 1: no car of right stands on c1"),
        ({"moves": [None]}, r"moves\[0\]"),
        ({"moves": [*WON, "b2 up"]}, r"moves\[11\]"),
        ({"seed": -1}, "seed"),
        ({"seed": True}, "seed"),
        ({"identity": None}, "identity"),
        ({"resigned": 1}, "resigned"),
        ({"board": 9}, "board = 9"),
    ],
)
def test_what_is_no_game_is_refused(changes: dict[str, Any], said: str):
    with pytest.raises(RecordError, match=said):
        Contest.parse({**contest("c1 up").table(), **changes})


def test_the_board_drawn():
    assert board_text(contest("c1 up").match.position) == (
        "     ^   ^   ^ \n"
        "   ┌───┬───┬───┐\n"
        " 3 │ ▶ │   │   │ >\n"
        "   ├───┼───┼───┤\n"
        " 2 │ ▶ │   │ ▲ │ >\n"
        "   ├───┼───┼───┤\n"
        " 1 │   │ ▲ │   │ >\n"
        "   └───┴───┴───┘\n"
        "     a   b   c "
    )


def test_the_board_where_only_ascii_can_be_shown():
    text = board_text(contest("c1 up").match.position, plain=True)
    assert text.isascii()
    assert " 2 | > |   | ^ | >" in text
    assert status_text(contest("c1 up"), plain=True).isascii()


def test_a_hint_names_the_best_move_and_values_every_move():
    assert hint_text(in_memory(3, "wins"), contest().match.position).splitlines() == [
        "best: c1 up, win in 19 with perfect play; distances in moves of both",
        "  c1 up    win in 19",
        "  b1 up    loss in 18",
        "  b1 left  loss in 16",
    ]


def test_a_tally_in_words():
    assert tally_text(EASY, Tally(3, 1, 1, 2, 2)) == (
        "3 × 3 against easy, stuck side wins: 5 games, 3 wins, 1 loss, 1 draw; won 60%; streak 2 wins, best 2"
    )
