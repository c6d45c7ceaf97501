"""How positions and moves are written and read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dodgem.board import PASS, Position, square_called, square_name, start
from engine.dodgem.notation import diagram, parse_diagram, parse_move, parse_position, position_text
from engine.dodgem.rules import Side
from engine.errors import RecordError

unhurried = settings(deadline=None)
"""Examples may take any time: a busy machine is no failure."""


@st.composite
def positions(draw: st.DrawFn) -> Position:
    n = draw(st.integers(2, 12))
    squares = draw(st.lists(st.integers(0, n * n - 1), min_size=1, max_size=2 * (n - 1), unique=True))
    cut = draw(st.integers(max(0, len(squares) - n + 1), min(n - 1, len(squares))))
    up, right = (sum(1 << square for square in part) for part in (squares[:cut], squares[cut:]))
    return Position(n, up, right, draw(st.sampled_from(Side)))


@unhurried
@given(positions())
def test_a_position_reads_back_from_its_line_and_its_drawing(position: Position):
    assert parse_position(position_text(position)) == position
    assert parse_position(f"  {position_text(position).lower()}\n") == position
    board = position_text(position).split()[0]
    assert parse_position(board, position.to_move) == position
    assert parse_diagram(diagram(position)) == position


@unhurried
@given(positions())
def test_every_move_reads_back_from_its_words(position: Position):
    for move in position.moves():
        assert parse_move(str(move), position) == move


@unhurried
@given(st.text(max_size=30), st.sampled_from([None, *Side]))
def test_any_other_text_is_refused_and_nothing_else_happens(text: str, to_move: Side | None):
    """Whatever is typed is a position or a refusal that marks one of its columns."""
    try:
        position = parse_position(text, to_move)
    except RecordError as error:
        check_mark(str(error), text)
    else:
        assert parse_position(position_text(position)) == position


@unhurried
@given(st.text(max_size=20), positions())
def test_any_other_move_is_refused_and_nothing_else_happens(text: str, position: Position):
    try:
        move = parse_move(text, position)
    except RecordError as error:
        check_mark(str(error), text)
    else:
        assert move in (*position.moves(), PASS)


@unhurried
@given(st.from_regex(r"[URur.]{1,4}(/[URur.x]{1,4}){0,4}( up| right| left)?", fullmatch=True))
def test_what_is_almost_a_position_is_refused_or_read(text: str):
    try:
        position = parse_position(text)
    except RecordError as error:
        check_mark(str(error), text)
    else:
        assert position_text(position).lower() == text.lower()


def check_mark(message: str, text: str) -> None:
    said = re.match(r"column ([0-9]+): ", message)
    assert said, message
    *_, shown, mark = message.split("\n")
    assert len(shown) == len(text) + 2
    assert mark.index("^") - 2 == int(said[1]) - 1 <= len(text)


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("R../R../.UX up", 11, "'X' is not a square"),
        ("R../R../.U up", 11, "the row has 2 squares, the board has 3 rows"),
        ("R../R.../.UU up", 8, "more squares than the board has rows, 3"),
        ("R../R../UUU up", 11, "one car of up too many, at most 2"),
        ("RRR/.../... up", 3, "one car of right too many"),
        ("R../R../.UU down", 13, "side to move is 'down', must be up or right"),
        ("R../R../.UU up now", 13, "side to move is 'up now'"),
        ("R../R../.UU", 12, "side to move is missing"),
        ("R../R../.UU right", 13, "right to move, but up was asked for"),
        (".../.../... up", 1, "no car on the board"),
        ("... up", 4, "at least 2 rows"),
        ("   ", 1, "no position"),
        ("\tR../R../?UU up", 10, "'?' is not a square"),
    ],
)
def test_a_position_in_bad_form_is_refused_with_its_column_marked(text: str, column: int, problem: str):
    to_move = Side.UP if text.endswith("right") else None
    with pytest.raises(RecordError, match=re.escape(problem)) as error:
        parse_position(text, to_move)
    check_mark(str(error.value), text)
    assert str(error.value).startswith(f"column {column}: ")


@pytest.mark.parametrize(
    "typed",
    ["b2 up", "B2 UP", " b2  u ", "b2-b3", "b2b3", "b2 to b3", "b2 → b3", "b2 forward", "b2 ahead", "b2 f", "b2: up!"],
)
def test_a_move_may_be_typed_in_many_ways(typed: str):
    position = parse_position(".../.U./..R up")
    assert str(parse_move(typed, position)) == "b2 up"


@pytest.mark.parametrize("typed", ["a3 out", "a3 off", "a3 exit", "a3 o", "a3 up", "a3 forward", "A3"])
def test_a_car_leaves_by_many_words(typed: str):
    position = parse_position("UR./.../... up")
    assert str(parse_move(typed, position)) == "a3 out"


@pytest.mark.parametrize(
    ("typed", "column", "problem"),
    [
        ("b2", 3, "b2 can go up or left or right"),
        ("b2 down", 4, "b2 can go up or left or right"),
        ("b2 sideways", 4, "b2 can go"),
        ("b2 c3", 4, "b2 can go"),
        ("b2 b9", 4, "the board has no square b9"),
        ("d1 up", 1, "the board has no square d1"),
        ("c1 up", 1, "no car of up stands on c1"),
        ("a1 up", 1, "no car of up stands on a1"),
        ("up", 1, "begins with the square of a car"),
        ("pass", 1, "up can move, so it may not pass"),
        ("", 1, "begins with the square"),
        ("b2 up up", 1, "a move is a square and a way"),
        ("b0 up", 1, "no square b0"),
        ("b2 b2", 4, "b2 can go"),
    ],
)
def test_a_move_in_bad_form_is_refused_with_its_column_marked(typed: str, column: int, problem: str):
    with pytest.raises(RecordError, match=re.escape(problem)) as error:
        parse_move(typed, parse_position(".../.U./..R up"))
    check_mark(str(error.value), typed)
    assert str(error.value).startswith(f"column {column}: ")


def test_pass_is_read_where_it_is_the_only_move():
    assert parse_move(" Pass ", parse_position(".../R../UR. up")) is PASS


def test_a_drawing_names_columns_and_rows():
    assert diagram(start(3, Side.UP)).splitlines() == ["3 R . .", "2 R . .", "1 . U U", "  a b c   up to move"]


@pytest.mark.parametrize("text", ["", "3 R . .\n2 R . .\n1 . U U", "3 R . .\n2 R x .\n1 . U U\n  a b c  up to move"])
def test_a_drawing_in_bad_form_is_refused(text: str):
    with pytest.raises(RecordError):
        parse_diagram(text)


@unhurried
@given(st.integers(0, 98), st.integers(0, 98))
def test_squares_read_back_from_their_names(column: int, row: int):
    assert square_called(square_name(column, row)) == (column, row)


def test_columns_go_on_after_z():
    assert [square_name(column, 0) for column in (0, 25, 26, 98)] == ["a1", "z1", "aa1", "cu1"]
