"""Dodgem's clauses D1 to D8, as numbered in engine/dodgem/RULES.md."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.dodgem.board import PASS, Move, Position, start
from engine.dodgem.game import GAME
from engine.dodgem.match import Match, Verdict
from engine.dodgem.notation import parse_move, parse_position, position_text
from engine.dodgem.players import Random
from engine.dodgem.rules import STUCK_RULES, DodgemRules, Side
from engine.errors import ConfigError, GameError, RecordError
from engine.rng import Streams

UP, RIGHT = Side.UP, Side.RIGHT


def moves_in(text: str) -> list[str]:
    return [str(move) for move in parse_position(text).moves()]


def played(rules: DodgemRules, *moves: str) -> Match:
    match = Match.begin(rules)
    for move in moves:
        match = match.after(parse_move(move, match.position))
    return match


def standing(text: str, **rules: object) -> Match:
    """A game that begins in the middle."""
    position = parse_position(text)
    return Match(DodgemRules.parse({"board": position.n, **rules}), (), (position,))


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 30])
def test_d1_each_side_has_one_car_fewer_than_the_board_has_rows(n: int):
    position = start(n, UP)
    assert position.up.bit_count() == position.right.bit_count() == n - 1 == DodgemRules(board=n).cars


@pytest.mark.parametrize("n", [1, 0, -3, 100, 3.0, True, "3"])
def test_d1_other_boards_are_refused(n: object):
    with pytest.raises(ConfigError, match=r"board = .*from 2 to 99"):
        DodgemRules.parse({"board": n})


def test_d1_more_cars_than_that_are_refused():
    with pytest.raises(RecordError, match="3 cars of up, at most 2"):
        Position(3, 0b111, 0, RIGHT)


def test_d2_the_sides_start_along_bottom_and_left_and_leave_the_corner_empty():
    assert position_text(start(3, UP)) == "R../R../.UU up"
    assert position_text(start(5, RIGHT)) == "R..../R..../R..../R..../.UUUU right"


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_d2_the_start_is_its_own_reflection(n: int):
    assert start(n, UP).reflected() == start(n, RIGHT)


def test_d3_a_car_goes_forward_or_sideways():
    assert moves_in(".../.U./..R up") == ["b2 up", "b2 left", "b2 right"]
    assert moves_in(".../.R./U.. right") == ["b2 right", "b2 down", "b2 up"]


def test_d3_not_onto_cars_of_either_side():
    assert moves_in("..../.R../.UU./.... up") == ["b2 left", "c2 up", "c2 right"]


def test_d3_not_over_the_edge_sideways_nor_over_the_near_edge():
    assert moves_in(".../R../U.. up") == ["a1 right"]
    assert moves_in("R../.U./... right") == ["a3 right", "a3 down"]


@pytest.mark.parametrize(("text", "move"), [(".../.U./..R up", "b2 down"), (".../.R./U.. right", "b2 left")])
def test_d3_never_backward(text: str, move: str):
    with pytest.raises(RecordError, match="can go"):
        parse_move(move, parse_position(text))
    backward = Move(1, 1, "down" if text.endswith("up") else "left")
    with pytest.raises(GameError):
        parse_position(text).after(backward)


def test_d4_forward_from_the_far_edge_leaves_for_good():
    position = parse_position("U../.../R.. up")
    after = position.after(parse_move("a3 out", position))
    assert after.up == 0
    assert after.cars_out(UP) == 2
    position = parse_position(".../..R/U.. right")
    assert position.after(parse_move("c2 out", position)).right == 0


def test_d4_no_car_leaves_from_elsewhere_or_by_another_edge():
    assert "c2 out" not in moves_in(".../..U/R.. up")
    assert "b3 out" not in moves_in(".R./.../U.. right")
    with pytest.raises(GameError):
        parse_position(".../..U/R.. up").after(Move(2, 1, "out"))


@pytest.mark.parametrize(
    ("text", "move", "winner"), [("U../.../R.. up", "a3 out", UP), (".../..R/U.. right", "c2 out", RIGHT)]
)
def test_d5_the_first_side_out_wins_at_once(text: str, move: str, winner: Side):
    match = standing(text)
    assert match.verdict is None
    over = match.after(parse_move(move, match.position))
    assert over.verdict == Verdict(winner, "out")
    assert over.legal_moves() == ()
    with pytest.raises(GameError, match="over"):
        over.after(Move(0, 0, "up"))


def test_d5_goes_before_d6_whoever_is_left_is_not_stuck():
    position = parse_position(".../R../... up")
    assert position.out is UP
    assert not position.stuck


STUCK_UP = ".../R../UR. up"
STUCK_RIGHT = "RU./U../... right"


@pytest.mark.parametrize(("stuck", "winner"), [("wins", UP), ("loses", RIGHT), ("draws", None)])
def test_d6_a_stuck_side_wins_loses_or_draws(stuck: str, winner: Side | None):
    assert standing(STUCK_UP, stuck=stuck).verdict == Verdict(winner, "stuck")
    mirrored = None if winner is None else winner.other
    assert standing(STUCK_RIGHT, stuck=stuck).verdict == Verdict(mirrored, "stuck")


def test_d6_a_stuck_side_passes_and_that_is_a_move():
    match = standing(STUCK_UP, stuck="passes")
    assert match.verdict is None
    assert match.legal_moves() == (PASS,)
    after = match.after(PASS)
    assert len(after.moves) == 1
    assert after.position == parse_position(".../R../UR. right")


@pytest.mark.parametrize("stuck", STUCK_RULES)
def test_d6_nobody_passes_who_can_move(stuck: str):
    match = standing(".../R../U.. up", stuck=stuck)
    assert PASS not in match.legal_moves()
    with pytest.raises(GameError, match="may not pass"):
        match.after(PASS)


def test_d6_the_default_is_that_the_stuck_side_wins():
    assert DodgemRules().stuck == "wins"


@pytest.mark.parametrize("n", [2, 3])
def test_d6_the_two_sides_are_never_stuck_at_once(n: int):
    squares = range(n * n)
    sets = [sum(1 << square for square in chosen) for size in range(1, n) for chosen in combinations(squares, size)]
    stuck = [
        (Position(n, up, right, UP).stuck, Position(n, up, right, RIGHT).stuck)
        for up in sets
        for right in sets
        if not up & right
    ]
    assert (True, True) not in stuck
    assert (n == 2) or (True, False) in stuck


@pytest.mark.parametrize("first", ["up", "right"])
def test_d7_either_side_moves_first_and_the_first_seat_plays_it(first: str):
    rules = DodgemRules.parse({"first_mover": first})
    assert Match.begin(rules).position.to_move.word == first
    game = GAME.play(rules, (Random(), Random()), Streams(1, 0))
    step = next(game.steps())
    assert (step.seat, step.position.to_move.word) == (0, first)
    assert game.seat_of(rules.first_side) == 0


def test_d7_up_moves_first_by_default():
    assert DodgemRules().first_side is UP


def test_d8_the_game_is_drawn_after_so_many_moves_of_both():
    rules = DodgemRules(max_moves=4)
    match = played(rules, "b1 left", "a3 right", "a1 right")
    assert match.verdict is None
    assert played(rules, "b1 left", "a3 right", "a1 right", "b3 down").verdict == Verdict(None, "move limit")


def test_d8_the_limit_is_120_by_default():
    assert DodgemRules().max_moves == 120


@pytest.mark.parametrize("text", ["U../.../R.. up", ".../..U/..R right"])
def test_d8_what_the_last_permitted_move_decides_is_decided(text: str):
    match = standing(text, max_moves=1)
    if match.position.to_move is UP:
        assert match.after(Move(0, 2, "out")).verdict == Verdict(UP, "out")
    else:
        assert match.after(Move(2, 0, "out")).verdict == Verdict(RIGHT, "out")


def test_d8_a_side_stuck_by_the_last_permitted_move_is_stuck():
    match = standing("..R/R../U.. right", max_moves=1)
    match = match.after(parse_move("c3 down", match.position))
    assert match.verdict == Verdict(None, "move limit")
    match = standing(".../RR./U.. right", max_moves=1)
    match = match.after(parse_move("b2 down", match.position))
    assert match.verdict == Verdict(UP, "stuck")


SHUFFLE = ("b1 left", "a3 right", "a1 right", "b3 down", "b1 left", "b2 up", "a1 right", "b3 down", "b1 left", "b2 up")


def test_d8_a_third_repetition_draws_where_the_rules_say_so():
    """Up's car goes to and fro between a1 and b1, Right's between b3 and b2, from the second move on."""
    draws, allowed = DodgemRules(repetition="draws"), DodgemRules()
    assert [played(draws, *SHUFFLE[:count]).verdict for count in range(len(SHUFFLE))] == [None] * len(SHUFFLE)
    third = played(draws, *SHUFFLE)
    assert third.positions.count(third.position) == 3
    assert third.verdict == Verdict(None, "repetition")
    assert played(allowed, *SHUFFLE).verdict is None


def test_d8_the_same_cars_with_the_other_side_to_move_are_another_position():
    """Passing turns the move round: the cars stand as before, and that is no repetition."""
    match = standing(STUCK_UP, stuck="passes", repetition="draws").after(PASS)
    assert match.position != match.positions[0]
    assert match.verdict is None
