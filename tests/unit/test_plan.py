"""Plans: every game handed out once, in batches that follow how long games take."""

from __future__ import annotations

import pytest

from lab.runners import plan as planning
from lab.runners.batch import PIECES, Batch
from lab.runners.plan import Plan


def handed_out(plan: Plan, workers: int, seconds_per_game: float) -> list[Batch]:
    batches: list[Batch] = []
    while (batch := plan.take(workers)) is not None:
        batches.append(batch)
        plan.observe(len(batch), len(batch) * seconds_per_game)
    return batches


@pytest.mark.parametrize("workers", [1, 2, 64])
@pytest.mark.parametrize("seconds_per_game", [1e-9, 0.001, 0.4, 30.0])
def test_every_game_is_handed_out_once_and_in_order(workers: int, seconds_per_game: float):
    missing = [(0, 1), (5, 900), (1000, 1003)]
    games = [index for start, stop in missing for index in range(start, stop)]
    plan = Plan("e", missing)
    assert plan.games_left == len(games)
    batches = handed_out(plan, workers, seconds_per_game)
    assert [index for batch in batches for index in range(batch.start, batch.stop)] == games
    assert plan.games_left == 0


def test_batches_grow_to_their_time():
    sizes = [len(batch) for batch in handed_out(Plan("e", [(0, 5000)]), 1, 0.01)]
    assert sizes[0] == 1
    assert set(sizes[5:-1]) == {100 * planning.BATCH_SECONDS}


def test_slow_games_come_one_by_one_and_fast_ones_in_bounded_batches():
    assert {len(batch) for batch in handed_out(Plan("e", [(0, 20)]), 1, 5.0)} == {1}
    batches = handed_out(Plan("e", [(0, 10**6)]), 1, 1e-9)
    assert max(len(batch) for batch in batches) == planning.LARGEST_BATCH


def test_the_first_game_which_compiles_is_forgotten():
    plan = Plan("e", [(0, 1000)])
    plan.observe(1, 25.0)
    assert plan.seconds_left is None
    plan.observe(1, 0.01)
    assert plan.seconds_left == pytest.approx(10.0)


def test_batches_shrink_towards_the_end_of_many_workers():
    sizes = [len(batch) for batch in handed_out(Plan("e", [(0, 4000)]), 8, 0.001)]
    assert sizes[-1] == 1
    assert max(sizes[-16:]) < 100


def test_a_batch_given_back_is_handed_out_again():
    plan = Plan("e", [(0, 3)])
    batch = plan.take(1)
    assert batch is not None
    rest = handed_out(plan, 1, 1.0)
    plan.give_back(batch)
    assert plan.games_left == len(batch)
    assert plan.take(1) == batch
    assert sum(map(len, rest)) == 2


@pytest.mark.parametrize("length", [2, 3, 15, 16, 17, 100, 32_768])
def test_pieces_make_up_the_whole(length: int):
    batch = Batch("e", 7, 7 + length)
    pieces = batch.pieces()
    assert [index for piece in pieces for index in range(piece.start, piece.stop)] == list(range(7, 7 + length))
    assert 1 < len(pieces) <= PIECES
    assert all(len(piece) < length for piece in pieces)


def test_a_plan_can_be_given_more_games_and_told_of_those_to_come():
    plan = Plan("e", [(0, 3)])
    each = planning.BATCH_SECONDS / 2
    handed_out(plan, 1, each)
    assert plan.take(1) is None
    assert plan.seconds_left == 0
    plan.extend([(3, 7)], beyond=20)
    assert plan.seconds_left == pytest.approx(each * 24)
    assert [(batch.start, batch.stop) for batch in handed_out(plan, 1, each)] == [(3, 5), (5, 7)]
    assert plan.games_left == 0
