"""What a table says of a board or a position: as the JSON objects that other programs rely on, and in words."""

from __future__ import annotations

from typing import Any

from engine.dodgem.board import Position, start
from engine.dodgem.notation import diagram
from engine.dodgem.rules import Side
from engine.dodgem.table import Exact, Table, Value, Valued


def start_of(table: Table) -> Exact:
    """Return what the start is worth to the side that moves first; by the board's mirror, whichever it is (D7)."""
    return table.look_up(start(table.board, Side.UP))


def board_object(table: Table) -> dict[str, Any]:
    """Return a solved board: counts of states that play reaches from the start, finished ones included.

    The keys are a promise to other programs.
    """
    counts = table.counts
    first = start_of(table)
    return {
        "board": table.board,
        "stuck": table.stuck,
        "positions": counts.positions,
        "wins": counts.wins,
        "losses": counts.losses,
        "draws": counts.draws,
        "start_value": first.value,
        "start_distance": first.distance,
        "longest_win": counts.longest_win,
    }


def position_object(table: Table, position: Position) -> dict[str, Any]:
    """Return what a position is worth to the side to move, and each of its moves to the side that makes it.

    Distances count moves of both sides to the end, a move's from before it. The keys are a promise to other programs.
    """
    here = table.look_up(position)
    moves = [
        {"move": str(valued.move), "value": valued.value, "distance": valued.distance}
        for valued in table.moves(position)
    ]
    return {"value": here.value, "distance": here.distance, "moves": moves}


def board_text(table: Table) -> str:
    """Return a solved board in words."""
    counts, first = table.counts, start_of(table)
    return "\n".join(
        (
            f"{table.board} × {table.board}, stuck side {table.stuck}",
            f"positions reached from the start: {counts.positions:,}, finished ones included",
            f"for the side to move: {counts.wins:,} won, {counts.losses:,} lost, {counts.draws:,} drawn",
            f"start: {worth(first.value, first.distance)} for the side that moves first",
            f"longest win: {counts.longest_win} moves",
        )
    )


def position_text(table: Table, position: Position) -> str:
    """Return a position, its value and its moves in words."""
    here = table.look_up(position)
    text = [diagram(position), "", f"{position.to_move.word}: {over(table, position) or worth_of(here)}"]
    return "\n".join((*text, *moves_text(table.moves(position))))


def moves_text(moves: tuple[Valued, ...]) -> list[str]:
    """Return moves and what they are worth, a line each, aligned."""
    width = max((len(str(valued.move)) for valued in moves), default=0)
    return [f"  {valued.move!s:{width}}  {worth(valued.value, valued.distance)}" for valued in moves]


def over(table: Table, position: Position) -> str:
    """Return how a position ends the game for the side to move, in words; empty where play goes on."""
    value = table.look_up(position).value
    if position.out is not None:
        return f"{value}, the game is over: {position.out.word} has no car left on the board"
    if position.stuck and table.stuck != "passes":
        return f"{value}, the game is over: it is stuck"
    return ""


def worth_of(exact: Exact) -> str:
    """Return a value and distance in words."""
    return worth(exact.value, exact.distance)


def worth(value: Value, distance: int | None) -> str:
    """Return a value and distance in words: ``win in 19``; a draw has no distance."""
    return value if distance is None else f"{value} in {distance}"
