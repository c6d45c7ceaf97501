"""Who plays Dodgem: five levels that look ahead, one that does not look, one that knows.

A search level looks ahead a fixed number of moves, its own first, and values what it finds there by the race: the
forward moves each side still needs, and who stands in whose way (:mod:`engine.dodgem.kernel`). Of moves of equal
value it takes one by chance. The levels differ in two numbers: how far they look, and how often they play any move
at all instead. A move that wins at once is always taken.

Each decision uses two numbers from the player's own stream of chance, so a player's luck at its k-th move does not
depend on what came before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.dodgem.board import PASS, Move, Position
from engine.dodgem.kernel import PERFECT, RANDOM, SEARCH, choose, list_moves
from engine.dodgem.rules import StuckRule
from engine.dodgem.state import Solution, move_of, state_of
from engine.errors import GameError
from engine.parameters import Param, Parameters

_DEPTH = Param("how far it looks ahead, its own move being the first", unit="moves", low=1, high=20)
_RANDOMNESS = Param("share of its moves that are any legal move, none winning at once", low=0, high=1)


@dataclass(frozen=True, kw_only=True)
class Player(Parameters):
    """Base of every player's options."""

    name: ClassVar[str]

    def numbers(self) -> tuple[float, float, float]:
        """Return the player as compiled code takes it: kind, depth, share of random moves."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Random(Player):
    """Plays any legal move, each as likely as the others; it does not look for wins."""

    name = "random"

    def numbers(self) -> tuple[float, float, float]:
        """Return the player as compiled code takes it."""
        return RANDOM, 0, 1


@dataclass(frozen=True, kw_only=True)
class Search(Player):
    """Base of the levels that look ahead."""

    depth: Annotated[int, _DEPTH]
    randomness: Annotated[float, _RANDOMNESS]

    def numbers(self) -> tuple[float, float, float]:
        """Return the player as compiled code takes it."""
        return SEARCH, self.depth, self.randomness


@dataclass(frozen=True, kw_only=True)
class Easy(Search):
    """Looks at its own move only, and plays about a third of its moves by chance."""

    name = "easy"
    depth: Annotated[int, _DEPTH] = 1
    randomness: Annotated[float, _RANDOMNESS] = 1 / 3


@dataclass(frozen=True, kw_only=True)
class Normal(Search):
    """Looks a few moves ahead and plays a move by chance now and then."""

    name = "normal"
    depth: Annotated[int, _DEPTH] = 3
    randomness: Annotated[float, _RANDOMNESS] = 0.1


@dataclass(frozen=True, kw_only=True)
class Hard(Search):
    """Looks several moves ahead and almost never plays by chance."""

    name = "hard"
    depth: Annotated[int, _DEPTH] = 5
    randomness: Annotated[float, _RANDOMNESS] = 0.02


@dataclass(frozen=True, kw_only=True)
class Crazy(Search):
    """Looks furthest ahead and never plays by chance."""

    name = "crazy"
    depth: Annotated[int, _DEPTH] = 8
    randomness: Annotated[float, _RANDOMNESS] = 0.0


@dataclass(frozen=True, kw_only=True)
class Perfect(Player):
    """Plays from the solved board: wins as fast as possible, keeps draws, loses as slowly as possible."""

    name = "perfect"

    def numbers(self) -> tuple[float, float, float]:
        """Return the player as compiled code takes it."""
        return PERFECT, 0, 0


PLAYERS: Mapping[str, type[Player]] = {kind.name: kind for kind in (Random, Easy, Normal, Hard, Crazy, Perfect)}
"""Every player by name, weakest first."""


def decide(
    player: Player,
    position: Position,
    stuck: StuckRule,
    chance: NDArray[np.float64],
    solution: Solution,
) -> Move:
    """Return a player's move in a position that does not end the game.

    Parameters
    ----------
    player
        Who is to move.
    position
        The position.
    stuck
        Stuck rule (D6).
    chance
        Two numbers from [0, 1), shape (2,).
    solution
        The solved board for the perfect player, :func:`engine.dodgem.state.unsolved` for others.

    Raises
    ------
    GameError
        When the side to move has no move and may not pass.
    """
    state = state_of(position, stuck)
    moves = np.empty(3 * (position.n - 1), np.int16)
    side = int(position.to_move)
    count = list_moves(state, side, moves)
    if count:
        level = np.array(player.numbers(), np.float64)
        return move_of(int(choose(state, side, level, chance, solution, moves, count)), position.n, position.to_move)
    if stuck == "passes" and position.stuck:
        return PASS
    raise GameError("there is no move to choose")
