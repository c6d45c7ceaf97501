"""How positions and moves are written and read.

A position is one line, rows from the top, ``U`` and ``R`` for cars, then the side to move::

    R../R../.UU up

A move is the car's square and where it goes: ``b1 up``, ``b1 left``, ``b3 out``, ``pass``. Reading is lenient in
what a person may vary (case, spaces, the target square instead of a word, ``off`` for ``out``) and strict in what
it means; what cannot be read is refused with a :class:`~engine.errors.RecordError` that marks the column.
"""

from __future__ import annotations

import re
from typing import NoReturn

from engine.dodgem.board import PASS, Move, Position, Step, square_called, square_name
from engine.dodgem.rules import Side
from engine.errors import RecordError

_SYMBOLS = ".UR"
_SIDES = {side.word: side for side in Side}
_WORDS: dict[str, Step] = {
    **dict.fromkeys(("up", "u"), "up"),
    **dict.fromkeys(("down", "d"), "down"),
    **dict.fromkeys(("left", "l"), "left"),
    **dict.fromkeys(("right", "r"), "right"),
    **dict.fromkeys(("out", "off", "exit", "o"), "out"),
}
_FORWARD = ("forward", "ahead", "f")
_MOVE = re.compile(
    r"\s*(?:(?P<square>[a-z]{1,2}[0-9]{1,2})\W*(?:to\b\W*)?)?"
    r"(?:(?P<target>[a-z]{1,2}[0-9]{1,2})|(?P<word>[a-z]+))?\W*"
)


def position_text(position: Position) -> str:
    """Return a position as one line, which :func:`parse_position` reads back."""
    rows = "/".join("".join(row) for row in _rows(position))
    return f"{rows} {position.to_move.word}"


def parse_position(text: str, to_move: Side | None = None) -> Position:
    """Read a position from its line.

    Parameters
    ----------
    text
        Rows from the top separated by ``/``, then the side to move; case and outer spaces do not matter.
    to_move
        Side to move where the line does not name it.

    Raises
    ------
    RecordError
        Naming and marking the column, counted from 1, at which the text cannot be a position.
    """
    body = text.rstrip()
    begin = len(body) - len(body.lstrip())
    board = body[begin:].split(maxsplit=1)
    if not board:
        _refuse(text, 0, "no position")
    if len(board) == 2:
        at = body.rindex(board[1])
        named = _SIDES.get(board[1].lower())
        if named is None:
            _refuse(text, at, f"the side to move is {board[1]!r}, must be up or right")
        if to_move not in (None, named):
            _refuse(text, at, f"{named.word} to move, but {to_move.word} was asked for")
        to_move = named
    if to_move is None:
        _refuse(text, len(body), "the side to move is missing: up or right")
    rows = board[0].split("/")
    n = len(rows)
    if n < 2:
        _refuse(text, begin + len(rows[0]), "a board has at least 2 rows, separated by /")
    cars = [0, 0]
    at = begin
    for row, line in zip(reversed(range(n)), rows, strict=True):
        for column, symbol in enumerate(line):
            if column == n:
                _refuse(text, at + column, f"the row has more squares than the board has rows, {n}")
            kind = _SYMBOLS.find(symbol.upper())
            if kind < 0:
                _refuse(text, at + column, f"{symbol!r} is not a square, must be one of U R .")
            if kind == 0:
                continue
            side = Side(kind - 1)
            cars[side] |= 1 << row * n + column
            if cars[side].bit_count() == n:
                _refuse(text, at + column, f"one car of {side.word} too many, at most {n - 1} on this board")
        at += len(line)
        if len(line) < n:
            _refuse(text, at, f"the row has {len(line)} squares, the board has {n} rows")
        at += 1
    if not any(cars):
        _refuse(text, begin, "no car on the board, yet the first side out has won")
    return Position(n, cars[Side.UP], cars[Side.RIGHT], to_move)


def diagram(position: Position) -> str:
    """Return a position drawn over several lines, with the names of columns and rows."""
    n = position.n
    width = max(len(square_name(n - 1, 0)) - 1, 1)
    margin = len(str(n))
    lines = [
        " ".join([f"{n - row:>{margin}}", *(f"{symbol:>{width}}" for symbol in line)])
        for row, line in enumerate(_rows(position))
    ]
    names = (f"{square_name(column, 0)[:-1]:>{width}}" for column in range(n))
    foot = " ".join([" " * margin, *names])
    return "\n".join([*lines, f"{foot}   {position.to_move.word} to move"])


def parse_diagram(text: str) -> Position:
    """Read a position from its drawing; raises :class:`RecordError` naming line and column."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or not (foot := re.search(r"(up|right) to move\s*$", lines[-1])):
        raise RecordError("diagram: the last line must end in 'up to move' or 'right to move'")
    rows = [re.sub(r"^\s*[0-9]+|\s", "", line) for line in lines[:-1]]
    return parse_position("/".join(rows), _SIDES[foot[1]])


def parse_move(text: str, position: Position) -> Move:
    """Read a move of the side to move.

    A car is named by its square, and its way by a word (``up``, ``left``, ``forward``, ``out`` or ``off``), by the
    first letter of one, or by the square it goes to; nothing need be said where the car has one move only.

    Raises
    ------
    RecordError
        Marking the column, counted from 1, and saying what that car can do.
    """
    said = _MOVE.fullmatch(text.lower())
    if not said:
        _refuse(text, 0, "a move is a square and a way, such as b1 up")
    if not said["square"]:
        if said["word"] != "pass":
            _refuse(text, 0, "a move begins with the square of a car, such as b1 up")
        if not position.stuck:
            _refuse(text, said.start("word"), f"{position.to_move.word} can move, so it may not pass")
        return PASS
    column, row = _square(text, said, "square", position)
    options = [move for move in position.moves() if (move.column, move.row) == (column, row)]
    can = f"{said['square']} can go " + (" or ".join(move.step for move in options) or "nowhere")
    if not position.cars(position.to_move) >> row * position.n + column & 1:
        _refuse(text, said.start("square"), f"no car of {position.to_move.word} stands on {said['square']}")
    if said["target"]:
        goal = _square(text, said, "target", position)
        chosen = [move for move in options if move.target == goal]
        at = said.start("target")
    elif said["word"]:
        chosen = _going(said["word"], options, position)
        at = said.start("word")
    else:
        chosen = options
        at = len(text.rstrip())
    if len(chosen) != 1:
        _refuse(text, at, can)
    return chosen[0]


def _rows(position: Position) -> list[list[str]]:
    n = position.n
    return [
        [
            _SYMBOLS[(position.up >> square & 1) + 2 * (position.right >> square & 1)]
            for square in range(row * n, row * n + n)
        ]
        for row in reversed(range(n))
    ]


def _square(text: str, said: re.Match[str], group: str, position: Position) -> tuple[int, int]:
    column, row = square_called(said[group])
    if not (0 <= column < position.n and 0 <= row < position.n):
        _refuse(text, said.start(group), f"the board has no square {said[group]}")
    return column, row


def _going(word: str, options: list[Move], position: Position) -> list[Move]:
    """Return the moves a word may mean; the word for straight on also drives a car off the far edge."""
    forward: Step = "right" if position.to_move else "up"
    step = forward if word in _FORWARD else _WORDS.get(word)
    chosen = [move for move in options if move.step == step]
    if not chosen and step == forward:
        chosen = [move for move in options if move.step == "out"]
    return chosen


def _refuse(text: str, index: int, problem: str) -> NoReturn:
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    raise RecordError(f"column {index + 1}: {problem}\n  {text}\n  {' ' * index}^")
