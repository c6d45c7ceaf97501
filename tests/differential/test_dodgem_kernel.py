"""Compiled play against its readable twin: moves, whole games, the look-ahead of the levels."""

from __future__ import annotations

from collections.abc import Callable
from random import Random as Chance

import numpy as np
import pytest

from engine.dodgem.board import Move, Position, squares, start
from engine.dodgem.game import GAME
from engine.dodgem.kernel import list_moves
from engine.dodgem.match import Match, verdict_on
from engine.dodgem.players import Crazy, Easy, Normal, Player, Random, decide
from engine.dodgem.rules import STUCK_RULES, DodgemRules, Side, StuckRule
from engine.dodgem.state import code_of, move_of, state_of, unsolved
from engine.rng import DECISIONS, Streams


def positions(n: int, count: int) -> list[Position]:
    """Positions met in games of random moves, those that end a game included."""
    chance = Chance(n)
    found: list[Position] = []
    while len(found) < count:
        position = start(n, chance.choice(list(Side)))
        moves = position.moves()
        while moves and len(found) < count:
            found.append(position)
            position = position.after(chance.choice(moves))
            moves = position.moves()
        found.append(position)
    return found


@pytest.mark.parametrize("n", [2, 3, 4, 5, 9])
def test_moves_are_listed_alike_and_in_the_same_order(n: int):
    room = np.empty(3 * (n - 1), np.int16)
    for position in positions(n, 400):
        if position.out is not None:
            continue
        count = list_moves(state_of(position, "wins"), int(position.to_move), room)
        listed = tuple(move_of(code, n, position.to_move) for code in room[:count].tolist())
        assert listed == position.moves()
        assert [code_of(move, n, position.to_move) for move in listed] == room[:count].tolist()


@pytest.mark.parametrize("repetition", ["allowed", "draws"])
@pytest.mark.parametrize("stuck", STUCK_RULES)
@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_whole_games_end_alike(n: int, stuck: StuckRule, repetition: str):
    """Each compiled game, played again by the readable rules, goes on exactly as long and ends the same way."""
    endings: set[str] = set()
    for first, max_moves in (("up", 120), ("right", 31)):
        rules = DodgemRules.parse(
            {"board": n, "stuck": stuck, "repetition": repetition, "first_mover": first, "max_moves": max_moves}
        )
        for index in range(40):
            game = GAME.play(rules, (Random(), Easy(randomness=0.8)), Streams(11, index))
            match = Match.begin(rules)
            for move in game.moves:
                assert match.verdict is None
                match = match.after(move)
            assert match.verdict == game.verdict
            endings.add(game.verdict.decided_by)
    assert "out" in endings


def test_all_four_endings_and_passes_occur_in_those_games():
    """The games above would say little if nobody were ever stuck."""
    endings: set[str] = set()
    passes = 0
    for stuck in ("loses", "passes"):
        rules = DodgemRules.parse({"board": 4, "stuck": stuck, "repetition": "draws", "max_moves": 60})
        for index in range(600):
            game = GAME.play(rules, (Random(), Random()), Streams(11, index))
            endings.add(game.verdict.decided_by)
            passes += sum(str(move) == "pass" for move in game.moves)
    assert endings == {"out", "stuck", "move limit", "repetition"}
    assert passes


# The look-ahead as it is meant: every line of play to the depth, nothing left out.

Evaluation = Callable[[Position], int]


def race(position: Position) -> int:
    """The race, two a move, less one for each car that an enemy stands before, for the side to move."""
    n = position.n
    value = 0
    for side in Side:
        sign = 1 if side is position.to_move else -1
        for square in squares(position.cars(side)):
            row, column = divmod(square, n)
            value -= sign * 2 * (n - (column if side else row))
            ahead = (column + 1, row) if side else (column, row + 1)
            if max(ahead) < n and position.cars(side.other) >> ahead[1] * n + ahead[0] & 1:
                value -= sign
    return value


def race_alone(position: Position) -> int:
    """The evaluation with a planted fault: nobody stands in anybody's way."""
    n = position.n
    still = [sum(n - (square % n if side else square // n) for square in squares(position.cars(side))) for side in Side]
    return 2 * (still[position.to_move.other] - still[position.to_move])


def looked_ahead(position: Position, stuck: StuckRule, depth: int, made: int, value: Evaluation) -> int:
    verdict = verdict_on(position, DodgemRules(board=position.n, stuck=stuck))
    if verdict is not None:
        sign = 0 if verdict.winner is None else 1 if verdict.winner is position.to_move else -1
        return sign * (1_000_000 - made)
    if depth == 0:
        return value(position)
    moves = position.moves()
    following = [position.after(move) for move in moves] or [
        Position(position.n, position.up, position.right, position.to_move.other)
    ]
    return max(-looked_ahead(after, stuck, depth - 1, made + 1, value) for after in following)


def best_moves(position: Position, stuck: StuckRule, depth: int, value: Evaluation) -> list[Move]:
    moves = position.moves()
    values = [-looked_ahead(position.after(move), stuck, depth - 1, 1, value) for move in moves]
    return [move for move, worth in zip(moves, values, strict=True) if worth == max(values)]


def disagreements(n: int, stuck: StuckRule, depth: int, count: int, value: Evaluation) -> tuple[int, int]:
    """Positions compared, and those in which the compiled player's possible moves are not the best moves."""
    compared, different = 0, 0
    player = Crazy(depth=depth)
    for position in positions(n, count):
        if position.out is not None or position.stuck:
            continue
        best = best_moves(position, stuck, depth, value)
        chances = [(index + 0.5) / len(best) for index in range(len(best))]
        chosen = [decide(player, position, stuck, np.array([0.5, pick]), unsolved()) for pick in chances]
        compared += 1
        different += chosen != best
    return compared, different


@pytest.mark.parametrize("stuck", STUCK_RULES)
@pytest.mark.parametrize(("n", "depth", "count"), [(2, 4, 60), (3, 1, 300), (3, 2, 300), (3, 4, 60), (4, 3, 60)])
def test_the_look_ahead_finds_exactly_the_best_moves(n: int, depth: int, count: int, stuck: StuckRule):
    compared, different = disagreements(n, stuck, depth, count, race)
    assert compared > count // 2
    assert different == 0


def test_a_planted_fault_in_the_evaluation_is_found():
    assert disagreements(3, "wins", 2, 300, race_alone)[1] > 0


def test_a_look_ahead_of_another_depth_is_found():
    best = [
        (best_moves(position, "wins", 2, race), best_moves(position, "wins", 3, race))
        for position in positions(3, 60)
        if position.out is None and not position.stuck
    ]
    assert any(two != three for two, three in best)


@pytest.mark.parametrize("player", [Easy(), Normal(), Crazy()], ids=lambda player: player.name)
def test_a_player_is_the_same_in_a_game_and_when_asked_once(player: Player):
    rules = DodgemRules(board=4)
    game = GAME.play(rules, (player, player), Streams(3, 4))
    chances = [Streams(3, 4).stream(purpose).random((60, 2)) for purpose in DECISIONS]
    for number, step in enumerate(game.steps()):
        chance = chances[number % 2][number // 2]
        assert decide(player, step.position, rules.stuck, chance, unsolved()) == step.move
