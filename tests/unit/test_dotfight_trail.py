"""The line a flick leaves: it begins at the man, passes every event and stops where the outcome says."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engine.dotfight.actions import LUNGE, SNIPE
from engine.dotfight.game import DOTFIGHT
from engine.dotfight.log import FlickPlayed
from engine.dotfight.match import Match
from engine.dotfight.players import PLAYERS
from engine.dotfight.record import RecordedScript
from engine.dotfight.rules import Rules
from engine.dotfight.trail import Trail, trail_of
from engine.rng import Streams

NEAR = 1e-6


def flicks(geometry: str) -> Iterator[tuple[FlickPlayed, Trail]]:
    """Play games and yield every flick of them with its line."""
    rules = Rules.parse({"bases_per_side": 3, "soldiers_per_base": 8, "geometry": geometry})
    for index in range(4):
        played = DOTFIGHT.play(rules, (PLAYERS["random"](), PLAYERS["random"]()), Streams(1, index))
        match = Match(rules, played.start.copy())
        script = RecordedScript(rules, played.actions())
        while not match.page.over:
            men, count = match.page.men.copy(), len(match.log)
            match.step(script)
            entry = match.log[count]
            if isinstance(entry, FlickPlayed):
                man = men[entry.flick.man]
                yield entry, trail_of(man["x"], man["y"], entry.flick, entry.outcome, rules.ink_segments)


@pytest.mark.parametrize("geometry", ["shapely", "kernel"])
def test_a_line_passes_all_that_it_met_and_ends_where_the_outcome_says(geometry: str):
    jolted = lossy = bowed = 0
    for entry, trail in flicks(geometry):
        ending, events = entry.outcome.ending, entry.outcome.events
        assert trail.points[-1] == pytest.approx((ending.end_x, ending.end_y), abs=NEAR)
        for event in events:
            assert np.min(np.hypot(*(trail.points - (event["x"], event["y"])).T)) < NEAR
        run = np.hypot(*np.diff(trail.points, axis=0).T).sum()
        assert run == pytest.approx(ending.travel, abs=1e-3)
        jolted += bool(np.any(events["jolt"]))
        lossy += entry.flick.kind == SNIPE and bool(np.any(events["cost"]))
        bowed += abs(entry.flick.bend) > 0.01
    assert min(jolted, lossy, bowed) > 10


def test_only_snipes_lose_ink_and_all_use_it_up_unless_they_leave_the_page():
    for entry, trail in flicks("kernel"):
        steps = np.hypot(*np.diff(trail.points, axis=0).T)
        lost = -np.diff(trail.left) - steps
        events = entry.outcome.events
        lossy = events[events["cost"] > 0.0]
        if entry.flick.kind == LUNGE:
            assert np.max(np.abs(lost), initial=0.0) < NEAR
        else:
            at_cost = steps == 0.0
            assert np.max(np.abs(lost[~at_cost]), initial=0.0) < NEAR
            assert np.count_nonzero(at_cost) >= len(np.unique(lossy["d"]))
        if not entry.outcome.ending.off_page:
            assert trail.left[-1] == pytest.approx(0.0, abs=NEAR)
