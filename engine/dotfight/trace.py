"""What the engine makes of flicks from a given position: outcome and aftermath, as plain JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE, Flick
from engine.dotfight.log import FlickPlayed
from engine.dotfight.match import Match
from engine.dotfight.outcome import KIND_NAMES, MAN_HIT, WALL, Outcome
from engine.dotfight.page import NOWHERE, Page
from engine.dotfight.position import Position
from engine.errors import GameError, RecordError


class _OneFlick:
    """A script of one flick (:class:`engine.dotfight.match.Script`)."""

    def __init__(self, flick: Flick) -> None:
        self._flick = flick

    def action(self, page: Page) -> Flick:
        """Return the flick."""
        return self._flick

    def jot(self, page: Page, base: int, count: int) -> NDArray[np.float64]:
        """Stand whoever arrives in the middle of his base: an answer says who lives, not where."""
        return np.tile([page.bases["x"][base], page.bases["y"][base]], (count, 1))


def answers(position: Position, where: str) -> Iterator[dict[str, Any]]:
    """Yield the answer to each flick of a position, each judged from that same position.

    Raises :class:`RecordError`, its key beginning with ``where``, at a flick that is not legal or brings too few
    normals for its jolts.
    """
    for index, flick in enumerate(position.flicks):
        played, page = _play(position, flick, f"{where}.flicks[{index}]")
        yield {
            "id": position.id,
            "flick": index,
            "out": outcome_values(flick, played.outcome),
            "after": _after(position.page, played, page),
        }


def _play(position: Position, flick: Flick, where: str) -> tuple[FlickPlayed, Page]:
    match = Match(position.rules, position.page.copy())
    try:
        match.step(_OneFlick(flick))
    except GameError as error:
        raise RecordError(f"{where}.man = {flick.man}: {error}") from None
    played = match.log[0]
    assert isinstance(played, FlickPlayed)
    if flick.kind == LUNGE and (jolts := played.outcome.ending.jolts) > len(flick.normals):
        raise RecordError(
            f"{where}.normals = {list(flick.normals)}: must be at least {jolts}, one for each event that jolts him"
        )
    return played, match.page


def outcome_values(flick: Flick, outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as plain values: men crossed out, events in order, and how the flick ended."""
    ending = outcome.ending
    return {
        "crossed_out": outcome.crossed_out().tolist(),
        "events": [_event(flick, event) for event in outcome.events],
        "end": [float(ending.end_x), float(ending.end_y)],
        "off_page": bool(ending.off_page),
        "lost": bool(ending.lost),
        "shot_in": int(ending.shot_in) if ending.shot_in >= 0 else None,
    }


def _event(flick: Flick, event: np.void) -> dict[str, Any]:
    values: dict[str, Any] = {"kind": KIND_NAMES[event["kind"]]}
    values |= {name: float(event[name]) for name in ("d", "x", "y")}
    if event["kind"] == WALL:
        values["base"] = int(event["ref"])
        if event["free"]:
            return values | {"free": True}
        values["cost"] = float(event["cost"])
    elif event["kind"] == MAN_HIT:
        values["man"] = int(event["ref"])
    else:
        return values
    return values | {"jolt": float(event["jolt"])} if flick.kind == LUNGE else values


def _after(before: Page, played: FlickPlayed, page: Page) -> dict[str, Any]:
    chain = {"man": page.chain_man, "links": page.chain_links} if page.chain_man != NOWHERE else None
    return {
        "earned": bool(played.earned),
        "hand_over": page.turn != before.turn or bool(page.stalled),
        "current": page.current,
        "turn": page.turn,
        "flicks_left": 0 if page.over else page.flicks_left,
        "chain": None if page.over else chain,
        "last_stand_since": page.stand_since.tolist(),
        "winner": page.winner if page.winner != NOWHERE else None,
        "alive": np.flatnonzero(page.men["alive"] == 1).tolist(),
        "over": page.over,
    }
