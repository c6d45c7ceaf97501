"""A person at a terminal: asked for a move, answered, and never losing a move that was made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.dodgem.board import Move
from engine.dodgem.match import Match
from engine.dodgem.notation import parse_move
from engine.errors import RecordError
from lab.dodgem.contest import Contest, Tables
from lab.dodgem.saves import Saves
from lab.dodgem.screen import HELP, board_text, hint_text, moves_menu, results_text, status_text


@dataclass(frozen=True)
class Terminal:
    """Where a person reads and writes.

    Attributes
    ----------
    ask
        Shows a prompt and returns the line typed; raises :class:`EOFError` where there will be none.
    show
        Shows a text.
    plain
        Whether only ASCII can be shown.
    """

    ask: Callable[[str], str]
    show: Callable[[str], None]
    plain: bool = False


def play(contest: Contest, saves: Saves, tables: Tables, terminal: Terminal) -> bool:
    """Play a game to its end, or until the person leaves; say whether it ended.

    Parameters
    ----------
    contest
        The game, new or continued.
    saves
        Where it is saved after every move, and counted at its end.
    tables
        Where solved boards come from, for hints and for the perfect level.
    terminal
        Where the person is.
    """
    saves.save(contest)
    shown = None
    while contest.result is None:
        if not contest.persons_turn:
            move = contest.reply(tables)
            terminal.show(f"computer: {move}")
            contest = contest.after(move)
        else:
            if contest.match is not shown:
                _show_board(contest, terminal)
                shown = contest.match
            try:
                said = terminal.ask("your move: ").strip()
            except EOFError:
                said = "quit"
            if said.lower() in ("quit", "q"):
                terminal.show("The game is saved; the same command continues it.")
                return False
            contest = _answered(contest, said, tables, terminal)
        saves.save(contest)
    terminal.show("\n" + board_text(contest.match.position, terminal.plain))
    book = saves.finish(contest)
    terminal.show("\n" + results_text(contest, book.of(contest.setting)))
    return True


def _show_board(contest: Contest, terminal: Terminal) -> None:
    text = (
        "",
        board_text(contest.match.position, terminal.plain),
        status_text(contest, terminal.plain),
        moves_menu(contest.match.legal_moves()) + "   (or undo, hint, resign, quit, help)",
    )
    terminal.show("\n".join(text))


def _answered(contest: Contest, said: str, tables: Tables, terminal: Terminal) -> Contest:
    """Return the game after what a person said on their turn; the same game where that was no move."""
    word = said.lower()
    if word in ("help", "?"):
        terminal.show(HELP)
    elif word in ("hint", "h"):
        table = tables(contest.setting.board, contest.setting.stuck)
        terminal.show(hint_text(table, contest.match.position))
    elif word in ("undo", "u"):
        if (before := contest.undone()) is not None:
            return before
        terminal.show("There is no move of yours to take back.")
    elif word == "resign":
        return contest.given_up()
    elif said:
        try:
            return contest.after(chosen(said, contest.match))
        except RecordError as error:
            terminal.show(str(error))
    return contest


def chosen(said: str, match: Match) -> Move:
    """Return the move that was typed or picked by its number; raises :class:`RecordError` where it is none."""
    if not said.isdecimal():
        return parse_move(said, match.position)
    moves = match.legal_moves()
    if not 1 <= int(said) <= len(moves):
        raise RecordError(f"there is no move number {said}: they are numbered from 1 to {len(moves)}")
    return moves[int(said) - 1]
