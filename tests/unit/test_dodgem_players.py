"""What every player of Dodgem promises, move by move."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dodgem.board import PASS, Move
from engine.dodgem.game import in_memory
from engine.dodgem.notation import parse_position
from engine.dodgem.players import Crazy, Easy, Hard, Normal, Perfect, Player, Random, decide
from engine.dodgem.rules import StuckRule
from engine.dodgem.state import unsolved
from engine.errors import GameError

LEVELS = (Easy(), Normal(), Hard(), Crazy())
GRID = [np.array([coin, pick]) for coin in (0.0, 0.2, 0.999) for pick in (0.0, 0.3, 0.6, 0.999)]


def choices(player: Player, text: str, stuck: StuckRule = "wins") -> set[str]:
    position = parse_position(text)
    table = in_memory(position.n, stuck).solution if isinstance(player, Perfect) else unsolved()
    return {str(decide(player, position, stuck, chance, table)) for chance in GRID}


@pytest.mark.parametrize("player", [*LEVELS, Perfect()], ids=lambda player: player.name)
def test_every_level_takes_a_move_that_wins_at_once(player: Player):
    """However the coin falls: the last car leaves."""
    assert choices(player, "U../.../.RR up") == {"a3 out"}
    assert choices(player, "U../.../U.R right") == {"c1 out"}


@pytest.mark.parametrize("player", [*LEVELS, Perfect()], ids=lambda player: player.name)
def test_every_level_blocks_the_last_move_where_that_wins_at_once(player: Player):
    assert choices(player, ".../RR./U.. right", "loses") == {"b2 down"}


@pytest.mark.parametrize("player", LEVELS, ids=lambda player: player.name)
def test_no_level_blocks_the_last_move_of_its_own_will_where_that_loses(player: Player):
    """Only its share of random moves can: here the coin says no."""
    position = parse_position(".../RR./U.. right")
    for pick in (0.0, 0.3, 0.6, 0.999):
        assert str(decide(player, position, "wins", np.array([0.999, pick]), unsolved())) != "b2 down"


@pytest.mark.parametrize("player", LEVELS, ids=lambda player: player.name)
def test_the_coin_decides_whether_a_move_is_random(player: Player):
    """Below the share of random moves every move can be played, from there on only the best."""
    position = parse_position("R..../R..../R..../R..../.UUUU up")
    share = player.table()["randomness"]
    picks = [(index + 0.5) / 12 for index in range(12)]

    def played(coin: float) -> set[str]:
        return {str(decide(player, position, "wins", np.array([coin, pick]), unsolved())) for pick in picks}

    everything = {str(move) for move in position.moves()}
    assert played(share) < everything
    if share > 0:
        assert played(np.nextafter(share, 0)) == everything


def test_the_random_player_plays_every_move_and_sees_no_win():
    picks = [np.array([0.0, (index + 0.5) / 4]) for index in range(4)]
    position = parse_position("U.../..../..../.RRR up")
    moves = {str(decide(Random(), position, "wins", chance, unsolved())) for chance in picks}
    assert moves == {"a4 out", "a4 right"} == {str(move) for move in position.moves()}


def test_the_perfect_player_wins_fast_and_loses_slowly():
    table = in_memory(3, "wins")
    chance = np.array([0.0, 0.7])
    for text in ("R../R../.UU up", ".../R.U/.U. right", ".R./U../.UR up", "..R/.../UU. right"):
        position = parse_position(text)
        exact = table.look_up(position)
        move = decide(Perfect(), position, "wins", chance, table.solution)
        after = table.look_up(position.after(move))
        assert exact.distance is not None
        assert after.distance == exact.distance - 1


def test_the_perfect_player_keeps_a_draw_in_every_way_there_is():
    position = parse_position("R.../R.../R.../.UUU up")
    table = in_memory(4, "wins")
    keeping = {str(move.move) for move in table.moves(position) if move.value == "draw"}
    picks = [np.array([0.0, (index + 0.5) / 60]) for index in range(60)]
    assert {str(decide(Perfect(), position, "wins", chance, table.solution)) for chance in picks} == keeping


def test_a_stuck_side_passes_or_has_nothing_to_choose():
    stuck = parse_position(".../R../UR. up")
    assert decide(Crazy(), stuck, "passes", np.zeros(2), unsolved()) is PASS
    for position in (stuck, parse_position(".../R../... up")):
        with pytest.raises(GameError, match="no move"):
            decide(Crazy(), position, "wins", np.zeros(2), unsolved())


def test_a_deep_look_ahead_finds_a_forced_win():
    """3 × 3 is won by the first player in 19 moves: a look-ahead of 19 finds the perfect player's moves."""
    position = parse_position("R../R../.UU up")
    winning = {str(move.move) for move in in_memory(3, "wins").moves(position) if move.distance == 19}
    picks = [np.array([0.5, (index + 0.5) / 6]) for index in range(6)]
    found: set[Move] = {decide(Crazy(depth=19), position, "wins", chance, unsolved()) for chance in picks}
    assert {str(move) for move in found} == winning
