"""Lead changes, decisiveness and drama, by hand."""

from __future__ import annotations

import pytest

from lab.measures.leads import decisive_share, deficits, drama, final_from, lead_at, lead_changes

SWINGS = [0, 2, 1, 0, -1, -3, 0, 1, 4]
"""Eight turns: the first side leads, is overtaken, catches up and wins."""


def test_a_lead_changes_hands_across_ties():
    assert lead_changes(SWINGS) == 2
    assert lead_changes([0, 0, 0]) == 0
    assert lead_changes([0, 3, 0, 3]) == 0
    assert lead_changes([0, 1, -1, 1, -1]) == 3


@pytest.mark.parametrize(("lead", "winner", "turn"), [(SWINGS, 0, 7), ([0, 1, 2], 0, 1), ([0, 1, 2, -1], 1, 3)])
def test_a_lead_is_final_from_the_turn_after_which_it_was_never_lost(lead: list[int], winner: int, turn: int):
    assert final_from(lead, winner) == turn
    assert decisive_share(lead, winner) == turn / (len(lead) - 1)


def test_a_winner_who_was_never_ahead_is_decided_by_the_last_turn():
    assert final_from([0, -2, -1, 0], 0) == 3
    assert decisive_share([0, -2, -1, 0], 0) == 1.0


def test_drama_is_the_winners_deficit_averaged_over_all_turns():
    assert deficits(SWINGS, 0) == [0, 0, 0, 1, 3, 0, 0, 0]
    assert drama(SWINGS, 0) == 4 / 8
    assert drama(SWINGS, 1) == (2 + 1 + 1 + 4) / 8
    assert drama([0, 1, 2, 3], 0) == 0.0


def test_seen_from_the_other_seat_all_is_the_same():
    mirrored = [-value for value in SWINGS]
    assert lead_changes(mirrored) == lead_changes(SWINGS)
    assert drama(mirrored, 1) == drama(SWINGS, 0)
    assert decisive_share(mirrored, 1) == decisive_share(SWINGS, 0)


def test_the_lead_at_a_share_of_the_turns_is_that_of_the_turn_just_played():
    assert [lead_at(SWINGS, share) for share in (0.0, 0.25, 0.5, 0.74, 1.0)] == [0, 1, -1, -3, 4]
