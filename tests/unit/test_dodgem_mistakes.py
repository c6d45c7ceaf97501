"""Moves that give away what a position is worth, counted over lines, against the same done move by move."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dodgem.game import GAME, PlayedDodgem, in_memory
from engine.dodgem.players import Easy, Perfect, Player, Random
from engine.dodgem.rules import STUCK_RULES, DodgemRules, StuckRule
from engine.dodgem.state import PASS_CODE, code_of
from engine.dodgem.table import Table
from engine.rng import Streams
from lab.dodgem.mistakes import Mistakes, mistakes

VALUE = {"win": 1, "draw": 0, "loss": -1}
KIND = {(1, 0): 0, (1, -1): 1, (0, -1): 2}


def games(rules: DodgemRules, players: tuple[Player, Player], count: int) -> list[PlayedDodgem]:
    return [GAME.play(rules, players, Streams(3, index)) for index in range(count)]


def counted(played: list[PlayedDodgem], table: Table) -> Mistakes:
    lines = [
        np.array([code_of(step.move, table.board, step.position.to_move) for step in game.steps()]) for game in played
    ]
    return mistakes(table, lines, played[0].rules.first_side)


def one_by_one(played: list[PlayedDodgem], table: Table) -> Mistakes:
    """The same by the table's readable answers: what the position was worth, and what the move is."""
    moves = np.zeros((len(played), 2), np.int64)
    given = np.zeros((len(played), 2, 3), np.int64)
    for game, one in enumerate(played):
        for step in one.steps():
            here = VALUE[table.look_up(step.position).value]
            worth = {valued.move: VALUE[valued.value] for valued in table.moves(step.position)}
            if code_of(step.move, table.board, step.position.to_move) == PASS_CODE:
                continue
            moves[game, step.seat] += 1
            if (kind := KIND.get((here, worth[step.move]))) is not None:
                given[game, step.seat, kind] += 1
    return Mistakes(moves, given)


@pytest.mark.parametrize("stuck", STUCK_RULES)
@pytest.mark.parametrize("board", [3, 4])
@pytest.mark.parametrize("first", ["up", "right"])
def test_counts_are_those_of_going_move_by_move(board: int, stuck: StuckRule, first: str):
    rules = DodgemRules.parse({"board": board, "stuck": stuck, "first_mover": first})
    played = games(rules, (Random(), Easy()), 30)
    ours, theirs = counted(played, in_memory(board, stuck)), one_by_one(played, in_memory(board, stuck))
    assert np.array_equal(ours.moves, theirs.moves)
    assert np.array_equal(ours.given_away, theirs.given_away)
    assert ours.given_away.sum() > 10, "nothing was compared"


@pytest.mark.parametrize("board", [3, 4])
def test_the_perfect_player_makes_none(board: int):
    found = counted(games(DodgemRules(board=board), (Random(), Perfect()), 30), in_memory(board, "wins"))
    assert found.given_away[:, 0].sum() > 0
    assert found.given_away[:, 1].sum() == 0


def test_the_table_of_another_rule_finds_mistakes_that_are_none():
    """The planted fault: perfect play under one rule is not perfect under another."""
    rules = DodgemRules(board=4, stuck="loses")
    found = counted(games(rules, (Perfect(), Easy()), 60), in_memory(4, "wins"))
    assert found.given_away[:, 0].sum() > 0


def test_a_mistake_is_laid_at_the_door_of_who_made_it():
    """On 3 × 3 only c1 up keeps the first player's win."""
    table = in_memory(3, "wins")
    for line, kinds in (([6], [0, 0, 0]), ([3], [0, 1, 0]), ([4], [0, 1, 0])):
        found = mistakes(table, [np.array(line)], DodgemRules().first_side)
        assert found.moves.tolist() == [[1, 0]]
        assert found.given_away.tolist() == [[kinds, [0, 0, 0]]]


def test_no_games():
    found = mistakes(in_memory(3, "wins"), [], DodgemRules().first_side)
    assert (found.moves.shape, found.given_away.shape) == ((0, 2), (0, 2, 3))
