"""The solver against a solution made from the clauses alone (dodgem_brute_force.py)."""

from __future__ import annotations

from collections import Counter
from random import Random

import dodgem_brute_force as brute
import numpy as np
import pytest

from engine.dodgem.board import Position
from engine.dodgem.game import in_memory
from engine.dodgem.kernel import entry_of
from engine.dodgem.rules import STUCK_RULES, Side, StuckRule
from engine.dodgem.state import solution_of
from engine.dodgem.table import Table


def position_of(state: brute.State, n: int) -> Position:
    up, right = (sum(1 << row * n + column for column, row in squares) for squares in state[:2])
    return Position(n, up, right, Side(state[2]))


def answers_of(table: Table, states: list[brute.State]) -> list[brute.Answer]:
    exact = (table.look_up(position_of(state, table.board)) for state in states)
    return [(found.value, found.distance) for found in exact]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("stuck", STUCK_RULES)
def test_3x3_in_full(stuck: StuckRule, first: int):
    graph = brute.reach(brute.start(3, first), 3, stuck)
    assert graph is not None
    answers = brute.solve(graph, 3, stuck)
    table = in_memory(3, stuck)
    states = list(answers)
    assert answers_of(table, states) == [answers[state] for state in states]
    values = Counter(value for value, _ in answers.values())
    counts = table.counts
    assert (counts.positions, counts.wins, counts.losses, counts.draws) == (
        len(graph),
        values["win"],
        values["loss"],
        values["draw"],
    )
    assert counts.wins_in == distances(answers, "win")
    assert counts.losses_in == distances(answers, "loss")
    assert counts.out == sum(not (state[0] and state[1]) for state in graph)
    assert counts.stuck == sum(bool(state[0] and state[1]) and not brute.moved(state, 3) for state in graph)


def distances(answers: dict[brute.State, brute.Answer], value: str) -> tuple[int, ...]:
    found = Counter(distance for said, distance in answers.values() if said == value)
    return tuple(found[distance] for distance in range(max(d for d in found if d is not None) + 1))


@pytest.mark.parametrize("stuck", STUCK_RULES)
def test_4x4_from_random_positions(stuck: StuckRule):
    """Positions some way into a game, each with everything that can follow it."""
    random = Random(20261130)
    table = in_memory(4, stuck)
    compared = 0
    while compared < 20_000:
        origin = brute.random_state(4, stuck, random)
        graph = brute.reach(origin, 4, stuck, limit=15_000)
        if graph is None:
            continue
        answers = brute.solve(graph, 4, stuck)
        states = list(answers)
        assert answers_of(table, states) == [answers[state] for state in states]
        compared += len(states)


@pytest.mark.long
@pytest.mark.parametrize("stuck", ["wins", "passes"])
def test_4x4_in_full(stuck: StuckRule):
    graph = brute.reach(brute.start(4), 4, stuck)
    assert graph is not None
    answers = brute.solve(graph, 4, stuck)
    table = in_memory(4, stuck)
    states = list(answers)
    assert answers_of(table, states) == [answers[state] for state in states]
    assert table.counts.positions == len(states)
    assert table.counts.wins_in == distances(answers, "win")
    assert table.counts.losses_in == distances(answers, "loss")


def test_a_single_wrong_score_is_found():
    """One distance too long by two, anywhere among the reached positions, makes the comparison fail."""
    graph = brute.reach(brute.start(3), 3, "wins")
    assert graph is not None
    answers = brute.solve(graph, 3, "wins")
    table = in_memory(3, "wins")
    victim = position_of(next(state for state in answers if answers[state] == ("win", 7)), 3)
    scores = table.scores.copy()
    entry = entry_of(solution_of(3, table.scores).layout, victim.up, victim.right, int(victim.to_move))
    scores[entry] += 2
    spoilt = Table(3, "wins", scores, table.counts)
    wrong = [state for state, answer in answers.items() if answers_of(spoilt, [state]) != [answer]]
    assert wrong
    assert np.count_nonzero(spoilt.scores != table.scores) == 1


def test_another_stuck_rule_is_found():
    graph = brute.reach(brute.start(3), 3, "loses")
    assert graph is not None
    answers = brute.solve(graph, 3, "loses")
    assert answers_of(in_memory(3, "wins"), list(answers)) != list(answers.values())
