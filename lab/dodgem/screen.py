"""What a person sees at the terminal: the board, the moves, hints and the results, as text."""

from __future__ import annotations

from collections.abc import Sequence

from engine.dodgem.board import Move, Position, square_name
from engine.dodgem.rules import Side
from engine.dodgem.table import Table
from lab.dodgem.answers import moves_text, worth_of
from lab.dodgem.contest import COMPUTER, PERSON, Contest
from lab.dodgem.scorebook import Setting, Tally

HELP = """\
Your cars drive up and leave beyond the top row; the computer's drive right and leave beyond the last column.
Type a move (b1 up, b1 left, a3 out), or the number of one. Also:
  undo    take back your last move and the answer to it
  hint    the best move, what it is worth, and what every move is worth
  resign  give the game up
  quit    leave; the game is saved after every move and continued next time
  help    this"""

CARS = ("▲", "▶")
PLAIN_CARS = ("^", ">")
"""The cars of each side, and for terminals that cannot show them."""

_DECIDED = {
    "move limit": "the moves ran out",
    "repetition": "the position stood for the third time",
}


def board_text(position: Position, plain: bool = False) -> str:
    """Return the board drawn with lines, exits marked on the edges where cars leave."""
    n, cars = position.n, PLAIN_CARS if plain else CARS
    left, top, middle, bottom = ("   ", "+---", "+---", "+---") if plain else ("   ", "┬───", "┼───", "┴───")
    ends = ("++", "++", "++") if plain else ("┌┐", "├┤", "└┘")
    bar = "|" if plain else "│"

    def rule(cross: str, end: str) -> str:
        return left + end[0] + (cross * n)[1:] + end[1]

    lines = [left + "".join("  ^ " for _ in range(n)), rule(top, ends[0])]
    for row in reversed(range(n)):
        squares = (_shown(position, row * n + column, cars) for column in range(n))
        lines.append(f"{row + 1:>2} {bar}" + bar.join(f" {square} " for square in squares) + f"{bar} >")
        lines.append(rule(middle, ends[1]) if row else rule(bottom, ends[2]))
    lines.append(left + "".join(f"  {square_name(column, 0)[:-1]} " for column in range(n)))
    return "\n".join(lines)


def _shown(position: Position, square: int, cars: tuple[str, str]) -> str:
    for side in Side:
        if position.cars(side) >> square & 1:
            return cars[side]
    return " "


def status_text(contest: Contest, plain: bool = False) -> str:
    """Return a line that says how things stand."""
    position, cars = contest.match.position, PLAIN_CARS if plain else CARS
    you, computer = (f"{cars[side]} {position.n - 1 - position.cars_out(side)}" for side in (PERSON, COMPUTER))
    number, limit = len(contest.match.moves) + 1, contest.match.rules.max_moves
    return f"cars on the board: you {you}, computer {computer}; move {number} of {limit}"


def moves_menu(moves: Sequence[Move]) -> str:
    """Return the moves, each with the number it can be picked by."""
    return "   ".join(f"{number} {move}" for number, move in enumerate(moves, 1))


def hint_text(table: Table, position: Position) -> str:
    """Return the best move, what it is worth, and what every move is worth."""
    moves = table.moves(position)
    best = f"best: {moves[0].move}, {worth_of(table.look_up(position))} with perfect play; distances in moves of both"
    return "\n".join((best, *moves_text(moves)))


def results_text(contest: Contest, tally: Tally) -> str:
    """Return the results screen of a finished game."""
    position, moves = contest.match.position, len(contest.match.moves)
    heading = {"win": "You won", "loss": "You lost", "draw": "A draw"}[contest.result or "draw"]
    out = [position.cars_out(side) for side in (PERSON, COMPUTER)]
    return "\n".join(
        (
            f"{heading}: {decided_text(contest)}.",
            f"Cars out: you {out[0]}, computer {out[1]}. Moves played: {moves}.",
            tally_text(contest.setting, tally),
        )
    )


def decided_text(contest: Contest) -> str:
    """Return what decided a finished game."""
    verdict = contest.match.verdict
    if contest.resigned or verdict is None:
        return "you resigned"
    if verdict.decided_by == "out":
        return "all your cars are out" if verdict.winner == PERSON else "all the computer's cars are out"
    if verdict.decided_by == "stuck":
        return "you could not move" if contest.persons_turn else "the computer could not move"
    return _DECIDED[verdict.decided_by]


def tally_text(setting: Setting, tally: Tally) -> str:
    """Return the results of a setting so far."""
    return (
        f"{setting}: {_number(tally.games, 'game')}, {_number(tally.wins, 'win')}, {_number(tally.losses, 'loss')}, "
        f"{_number(tally.draws, 'draw')}; won {tally.win_rate:.0%}; "
        f"streak {_number(tally.streak, 'win')}, best {tally.best_streak}"
    )


def _number(count: int, noun: str) -> str:
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"
