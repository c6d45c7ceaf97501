"""Published and computed facts of the solved boards, and what any exact solution must satisfy."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from engine.dodgem.board import Position, start, transposed
from engine.dodgem.game import GAME, Dodgem, in_memory
from engine.dodgem.kernel import entry_of
from engine.dodgem.layout import layout
from engine.dodgem.placements import placements
from engine.dodgem.players import Perfect
from engine.dodgem.rules import STUCK_RULES, DodgemRules, Side, StuckRule
from engine.dodgem.solver import solve
from engine.dodgem.table import Exact, Table, Valued
from engine.errors import GameError
from engine.rng import Streams

# Board, stuck rule: states reached, and how many of them are won, lost and drawn for the side to move; what the start
# is; the longest win. The 3 × 3 line "wins" is published in the encyclopedia's article on Dodgem, as is that 4 × 4
# and 5 × 5 are drawn (David des Jardins, 1996); the rest was computed here, 3 × 3 and 4 × 4 by brute force as well.
FACTS: dict[tuple[int, StuckRule], tuple[int, int, int, int, Exact, int]] = {
    (3, "wins"): (1_963, 1_123, 840, 0, Exact("win", 19), 21),
    (3, "loses"): (1_963, 1_120, 843, 0, Exact("win", 19), 21),
    (3, "passes"): (1_963, 1_122, 841, 0, Exact("win", 19), 21),
    (3, "draws"): (1_963, 1_100, 820, 43, Exact("win", 19), 21),
    (4, "wins"): (393_900, 209_489, 149_130, 35_281, Exact("draw", None), 41),
    (4, "loses"): (393_900, 205_919, 139_435, 48_546, Exact("draw", None), 61),
    (4, "passes"): (523_339, 269_741, 178_606, 74_992, Exact("draw", None), 63),
    (4, "draws"): (393_900, 191_686, 130_556, 71_658, Exact("draw", None), 47),
    (5, "wins"): (164_308_067, 66_585_136, 45_019_609, 52_703_322, Exact("draw", None), 81),
    (5, "loses"): (164_308_067, 68_673_487, 45_205_008, 50_429_572, Exact("draw", None), 87),
    (5, "passes"): (236_190_654, 94_511_204, 61_025_367, 80_654_083, Exact("draw", None), 87),
    (5, "draws"): (164_308_067, 64_199_210, 42_625_692, 57_483_165, Exact("draw", None), 83),
}

small = pytest.mark.parametrize(("n", "stuck"), [(n, stuck) for n in (2, 3, 4) for stuck in STUCK_RULES])


def facts_of(table: Table) -> tuple[int, int, int, int, Exact, int]:
    counts = table.counts
    first = table.look_up(start(table.board, Side.UP))
    return counts.positions, counts.wins, counts.losses, counts.draws, first, counts.longest_win


@pytest.mark.parametrize(("n", "stuck"), [key for key in FACTS if key[0] < 5])
def test_counts(n: int, stuck: StuckRule):
    assert facts_of(in_memory(n, stuck)) == FACTS[n, stuck]


@pytest.mark.long
@pytest.mark.parametrize("stuck", STUCK_RULES)
def test_counts_and_consistency_of_5x5(stuck: StuckRule):
    table = solve(5, stuck, threads=2)
    assert facts_of(table) == FACTS[5, stuck]
    check_consistency(table, random_positions(5, stuck, 2_000))


def test_the_published_counts_hold_under_one_stuck_rule_alone():
    published = (1_963, 1_123, 840, 0)
    assert [stuck for stuck in STUCK_RULES if facts_of(in_memory(3, stuck))[:4] == published] == ["wins"]


def random_positions(n: int, stuck: StuckRule, count: int) -> list[Position]:
    """Positions met in games of random moves, the positions of a game together."""
    random = Random(n)
    found: list[Position] = []
    while len(found) < count:
        position = start(n, Side.UP)
        while True:
            found.append(position)
            moves = position.moves()
            if not moves:
                break
            position = position.after(random.choice(moves))
    return found


def every_position(n: int) -> Iterator[Position]:
    """Every position there is with a car of each side, reached or not."""
    cars = [int(bits) for bits in placements(n).cars]
    for up in cars:
        for right in cars:
            if up and right and not up & right:
                yield Position(n, up, right, Side.UP)
                yield Position(n, up, right, Side.RIGHT)


def check_consistency(table: Table, positions: list[Position]) -> None:
    """A position is worth what its best move is, and the distance falls by one along it."""
    for position in positions:
        here = table.look_up(position)
        moves = table.moves(position)
        if not moves:
            over = position.out is not None or position.stuck
            assert over
            assert here.distance in (0, None)
            continue
        best = moves[0]
        assert (best.value, best.distance) == (here.value, here.distance), position
        after = table.look_up(position.after(best.move))
        if here.distance is not None:
            assert after.distance == here.distance - 1
        check_order(moves)


def check_order(moves: tuple[Valued, ...]) -> None:
    rank = {"win": 0, "draw": 1, "loss": 2}
    keys = [
        (rank[move.value], 0 if move.distance is None else move.distance if move.value == "win" else -move.distance)
        for move in moves
    ]
    assert keys == sorted(keys)


@pytest.mark.parametrize("stuck", STUCK_RULES)
def test_every_position_of_3x3_is_worth_its_best_move(stuck: StuckRule):
    check_consistency(in_memory(3, stuck), list(every_position(3)))


@pytest.mark.parametrize("stuck", STUCK_RULES)
def test_random_positions_of_4x4_are_worth_their_best_move(stuck: StuckRule):
    check_consistency(in_memory(4, stuck), random_positions(4, stuck, 3_000))


def test_a_planted_inconsistency_is_found():
    table = in_memory(3, "wins")
    scores = table.scores.copy()
    scores[np.flatnonzero(scores == 8)[0]] += 2
    with pytest.raises(AssertionError):
        check_consistency(Table(3, "wins", scores, table.counts), list(every_position(3)))


@small
def test_a_position_and_its_reflection_are_worth_the_same(n: int, stuck: StuckRule):
    """The table is asked for both; in it they are one entry (D7)."""
    table = in_memory(n, stuck)
    for position in random_positions(n, stuck, 500):
        assert table.look_up(position) == table.look_up(position.reflected())


@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_position_has_an_entry_of_its_own(n: int):
    """For a fixed side to move the numbering is one to one onto the table, Right's by reflection."""
    numbers = layout(n)
    cars = [int(bits) for bits in placements(n).cars]
    pairs = [(up, right) for up in cars for right in cars if not up & right]
    for side in Side:
        entries = {entry_of(numbers, up, right, int(side)) for up, right in pairs}
        assert entries == set(range(numbers.entries))
        assert len(pairs) == numbers.entries
    for up, right in pairs[:: max(1, len(pairs) // 500)]:
        reflected = transposed(right, n), transposed(up, n)
        assert entry_of(numbers, up, right, 0) == entry_of(numbers, *reflected, 1)


@small
def test_a_batch_is_looked_up_as_one_by_one(n: int, stuck: StuckRule):
    table = in_memory(n, stuck)
    positions = random_positions(n, stuck, 300)
    scores = table.scores_of(
        [position.up for position in positions],
        [position.right for position in positions],
        [position.to_move for position in positions],
    )
    assert [Exact.of(int(score)) for score in scores] == [table.look_up(position) for position in positions]


def test_a_batch_of_unequal_arrays_is_refused():
    with pytest.raises(ValueError, match="one shape"):
        in_memory(3, "wins").scores_of([6], [72, 72], [0])


@small
@pytest.mark.parametrize("first", ["up", "right"])
def test_perfect_against_perfect_ends_as_the_start_says(n: int, stuck: StuckRule, first: str):
    rules = DodgemRules.parse({"board": n, "stuck": stuck, "first_mover": first})
    exact = in_memory(n, stuck).look_up(start(n, rules.first_side))
    for index in range(20):
        game = GAME.play(rules, (Perfect(), Perfect()), Streams(5, index))
        if exact.value == "draw":
            assert game.winner is None
        else:
            assert game.winner == (0 if exact.value == "win" else 1)
            assert len(game.moves) == exact.distance


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_nothing(threads: int):
    table = solve(4, "passes", threads)
    assert np.array_equal(table.scores, in_memory(4, "passes").scores)
    assert table.counts == in_memory(4, "passes").counts


@pytest.mark.parametrize("n", [1, 6, 99])
def test_boards_without_a_table_are_refused(n: int):
    with pytest.raises(GameError, match="no table"):
        solve(n, "wins")


def test_a_perfect_player_of_a_large_board_is_refused():
    with pytest.raises(GameError, match="6 × 6"):
        Dodgem().play(DodgemRules(board=6), (Perfect(), Perfect()), Streams(1, 0))


def test_a_table_is_asked_for_its_own_board_only():
    with pytest.raises(GameError, match="3 × 3"):
        in_memory(3, "wins").look_up(start(4, Side.UP))
