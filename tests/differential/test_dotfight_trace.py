"""Both geometries must give every flick of the trace sample the outcome that an independent engine gave it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from trace_sample import traces

from engine.dotfight.actions import LUNGE
from engine.dotfight.adjudicate import KernelUmpire
from engine.dotfight.flick import Umpire
from engine.dotfight.outcome import EDGE, KIND_NAMES, MAN_HIT, WALL, Outcome
from engine.dotfight.page import ROAD, count_garrisons

GEOMETRIES = {"shapely": Umpire, "kernel": KernelUmpire}
FLICKS = 600


def as_traced(outcome: Outcome, kind: int) -> dict[str, Any]:
    """Return the outcome of a flick of ``kind`` in the sample's form."""
    ending = outcome.ending
    return {
        "crossed_out": outcome.crossed_out().tolist(),
        "events": [event_as_traced(event, kind) for event in outcome.events],
        "end": [ending.end_x, ending.end_y],
        "off_page": ending.off_page,
        "lost": ending.lost,
        "shot_in": ending.shot_in if ending.shot_in >= 0 else None,
    }


def event_as_traced(event: np.void, kind: int) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": KIND_NAMES[event["kind"]], "d": event["d"], "x": event["x"], "y": event["y"]}
    if event["kind"] == WALL:
        told |= {"base": event["ref"]} | ({"free": True} if event["free"] else {"cost": event["cost"]})
    elif event["kind"] == MAN_HIT:
        told |= {"man": event["ref"]}
    if kind == LUNGE and event["kind"] != EDGE and not event["free"]:
        told |= {"jolt": event["jolt"]}
    return told


def agrees(mine: Any, theirs: Any) -> bool:
    """Say whether two values are alike, numbers to 1e-9 relative."""
    if isinstance(theirs, dict):
        return mine.keys() == theirs.keys() and all(agrees(mine[name], theirs[name]) for name in theirs)
    if isinstance(theirs, list):
        return len(mine) == len(theirs) and all(map(agrees, mine, theirs))
    if isinstance(theirs, bool | str) or theirs is None:
        return mine == theirs
    return abs(mine - theirs) <= 1e-9 * max(1.0, abs(theirs))


def disagreements(umpire: type[Umpire | KernelUmpire], turn: float = 1.0) -> tuple[int, list[str]]:
    """Return how many flicks the sample has and where a geometry disagrees; ``turn`` -1 is a planted error."""
    flicks, found = 0, []
    for trace in traces():
        garrison = np.zeros(trace.rules.bases, np.int64)
        count_garrisons(trace.bases, trace.men, garrison)
        judge = umpire(trace.rules, trace.bases).judge
        for i, (flick, told) in enumerate(trace.flicks):
            flicks += 1
            given = flick._replace(normals=tuple(turn * normal for normal in flick.normals))
            outcome = judge(trace.men, garrison, given)
            mine = as_traced(outcome, flick.kind)
            if not agrees(mine, told["out"]):
                found.append(f"page {trace.id}, flick {i}: {mine}, not {told['out']}")
    return flicks, found


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_outcomes_are_those_of_the_sample(geometry: str) -> None:
    flicks, found = disagreements(GEOMETRIES[geometry])
    assert flicks == FLICKS
    assert not found, f"{len(found)} flicks; first: {found[0]}"


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_jolts_to_the_other_side_would_be_noticed(geometry: str) -> None:
    _, found = disagreements(GEOMETRIES[geometry], turn=-1.0)
    turned = sum(
        flick.kind == LUNGE and any(event.get("jolt") for event in told["out"]["events"])
        for trace in traces()
        for flick, told in trace.flicks
    )
    assert len(found) == turned > 100


def test_garrisons_are_those_of_the_sample() -> None:
    for trace in traces():
        manning = (trace.men["alive"] == 1) & (trace.men["status"] != ROAD)
        for base, told in enumerate(trace.garrisons):
            assert np.flatnonzero(manning & (trace.men["inside"] == base)).tolist() == sorted(told), trace.id
