"""Dodgem as the lab sees it (:class:`engine.game.Game`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np

from engine.dodgem.board import PASS, Move, Position, start
from engine.dodgem.kernel import play_out
from engine.dodgem.match import CAUSES, Verdict
from engine.dodgem.players import PLAYERS, Perfect, Player
from engine.dodgem.record import Origin, read_record, write_record
from engine.dodgem.rules import DodgemRules, Side, StuckRule
from engine.dodgem.solver import solve
from engine.dodgem.state import State, moves_by_code, state_of, unsolved
from engine.dodgem.table import Table
from engine.parameters import Parameters
from engine.rng import DECISIONS, Streams

Tables = Callable[[int, StuckRule], Table]
"""Where solved boards come from: the side of the board and the stuck rule to its table."""


@cache
def in_memory(board: int, stuck: StuckRule) -> Table:
    """Solve a board when it is first asked for, which on 5 × 5 takes half a minute, and keep it."""
    return solve(board, stuck)


@dataclass(frozen=True)
class Step:
    """One move of a game: the seat that made it, the position it was made in, and the move."""

    seat: int
    position: Position
    move: Move


@dataclass(frozen=True)
class PlayedDodgem:
    """A game of Dodgem played to its end.

    Attributes
    ----------
    rules
        Rule set.
    origin
        Who played, and the game's place in an experiment.
    moves
        Moves in order; the first seat made the first, the third and so on.
    verdict
        Which side won, and what decided it.
    """

    rules: DodgemRules
    origin: Origin
    moves: tuple[Move, ...]
    verdict: Verdict

    @property
    def winner(self) -> int | None:
        """Seat that won, 0 or 1; nothing in a draw."""
        return None if self.verdict.winner is None else self.seat_of(self.verdict.winner)

    def seat_of(self, side: Side) -> int:
        """Return the seat that plays a side: the first seat moves first (D7)."""
        return int(side != self.rules.first_side)

    def moves_of(self, seat: int) -> tuple[Move, ...]:
        """Return the moves of a seat, passes included."""
        return self.moves[seat::2]

    def cars_out(self, seat: int) -> int:
        """Return how many cars a seat drove off the board."""
        return sum(move.step == "out" for move in self.moves_of(seat))

    def steps(self) -> Iterator[Step]:
        """Iterate over the moves with who made them and where."""
        position = start(self.rules.board, self.rules.first_side)
        for number, move in enumerate(self.moves):
            yield Step(number % 2, position, move)
            position = position.after(move)

    @property
    def end(self) -> Position:
        """The position in which the game ended."""
        position = start(self.rules.board, self.rules.first_side)
        for move in self.moves:
            position = position.after(move)
        return position

    def record(self) -> dict[str, Any]:
        """Return the game as plain JSON values."""
        return write_record(self.rules, self.origin, self.moves, self.verdict)


class Dodgem:
    """The game of Dodgem.

    Parameters
    ----------
    tables
        Where the perfect player's solved boards come from; whoever keeps tables in files gives a function that opens
        them.
    """

    name = "dodgem"
    rules = DodgemRules
    players: Mapping[str, type[Parameters]] = PLAYERS
    default_player = "normal"

    def __init__(self, tables: Tables = in_memory) -> None:
        self._tables = tables

    def play(self, rules: DodgemRules, players: tuple[Parameters, Parameters], streams: Streams) -> PlayedDodgem:
        """Play one game; raises :class:`GameError` where a perfect player's board is too large to be solved."""
        seats = cast(tuple[Player, Player], players)
        perfect = any(isinstance(player, Perfect) for player in seats)
        solution = self._tables(rules.board, rules.stuck).solution if perfect else unsolved()
        decisions = (rules.max_moves + 1) // 2
        codes = np.empty(rules.max_moves, np.int16)
        number, cause, winner = play_out(
            _fresh(rules),
            int(rules.first_side),
            rules.max_moves,
            rules.repetition == "draws",
            np.array([player.numbers() for player in seats], np.float64),
            np.array([streams.stream(purpose).random((decisions, 2)) for purpose in DECISIONS]),
            solution,
            codes,
        )
        moves: list[Move] = [PASS] * number
        for seat, side in enumerate((rules.first_side, rules.first_side.other)):
            named = moves_by_code(rules.board, side)
            moves[seat::2] = [named[code] for code in codes[seat:number:2].tolist()]
        verdict = Verdict(None if winner < 0 else Side(winner), CAUSES[cause])
        return PlayedDodgem(rules, Origin(seats, streams.seed, streams.index), tuple(moves), verdict)

    def replay(self, record: Mapping[str, Any]) -> PlayedDodgem:
        """Play a record again; raises :class:`RecordError` where it is not one or does not end so."""
        origin, match, verdict = read_record(record)
        return PlayedDodgem(match.rules, origin, match.moves, verdict)


def _fresh(rules: DodgemRules) -> State:
    template = _template(rules.board, rules.first_side, rules.stuck)
    return template._replace(cells=template.cells.copy(), cars=template.cars.copy())


@cache
def _template(board: int, first: Side, stuck: StuckRule) -> State:
    return state_of(start(board, first), stuck)


GAME = Dodgem()
