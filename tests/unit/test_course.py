"""Phases of a game and waiting times, by hand."""

from __future__ import annotations

import pytest

from lab.measures.course import by_phase, longest_waits, phase_of


@pytest.mark.parametrize(
    ("turns", "phases"),
    [(3, [0, 1, 2]), (6, [0, 0, 1, 1, 2, 2]), (4, [0, 0, 1, 2]), (2, [0, 1]), (1, [0])],
)
def test_a_game_has_three_phases(turns: int, phases: list[int]):
    assert [phase_of(turn, turns) for turn in range(1, turns + 1)] == phases


def test_deeds_are_counted_by_phase():
    assert by_phase([1, 1, 2, 5, 9], 9) == [3, 1, 1]
    assert by_phase([], 9) == [0, 0, 0]


def test_a_wait_is_the_other_sides_longest_run():
    assert longest_waits([0, 1, 1, 1, 0, 0, 1]) == (3, 2)
    assert longest_waits([0, 0]) == (0, 2)
    assert longest_waits([]) == (0, 0)
