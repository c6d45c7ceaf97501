"""What happens in a game of Dotfight, in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import degrees

import numpy as np

from engine.dotfight.actions import LUNGE
from engine.dotfight.log import Entry, FlickPlayed, SendOrdered
from engine.dotfight.outcome import EDGE, WALL, Outcome
from engine.dotfight.page import Page
from engine.dotfight.rules import Rules
from engine.game import SEATS


def beginning(rules: Rules) -> str:
    """Say how a game begins."""
    return f"Both sides have {rules.bases_per_side} bases of {rules.soldiers_per_base} men."


def ending(page: Page) -> str:
    """Say how a game ended."""
    if page.stalled:
        return f"Nobody has won: the game is stalled after turn {page.turn}."
    return f"{SEATS[page.winner].capitalize()} has won in turn {page.turn}."


def action(act: Entry, before: Page, after: Page) -> str:
    """Say what a side did, from the page before and after it."""
    if isinstance(act, SendOrdered):
        who = _men(act.send.men, "is", "are")
        return f"{who} ordered from base {act.send.source} to base {act.send.target}."
    if not isinstance(act, FlickPlayed):
        return "The earned lunge is declined."
    said = flick(act)
    begun = (before.stand_since == 0) & (after.stand_since != 0)
    for side in np.flatnonzero(begun).tolist():
        said += f" {SEATS[side].capitalize()}'s last stand begins."
    return said


def flick(played: FlickPlayed) -> str:
    """Say what a flick did, in the order of its ink."""
    lunges = played.flick.kind == LUNGE
    ending = played.outcome.ending
    said = f"Man {played.flick.man} {'lunges' if lunges else 'snipes'}, a line of {ending.travel:.0f}"
    said += "".join(f"; {deed}" for deed in _deeds(played.outcome, lunges))
    if ending.shot_in >= 0:
        said += f"; he is shot in base {ending.shot_in}"
    elif lunges and ending.off_page:
        said += "; he is gone"
    said += "."
    if ending.kills or ending.lost:
        said += f" Left: {played.living[0]} to {played.living[1]}."
    if played.earned:
        said += " Earns another lunge." if lunges else " Earns another flick."
    return said


def on_the_road(men: Sequence[int], source: int, target: int) -> str:
    """Say that a convoy stands on the road."""
    return f"{_men(men, 'is', 'are')} on the road from base {source} to base {target}."


def arrived(men: Sequence[int], base: int) -> str:
    """Say that a convoy arrives."""
    return f"{_men(men, 'arrives', 'arrive')} in base {base}."


def _deeds(outcome: Outcome, lunges: bool) -> list[str]:
    """Return what the ink met, in order; neighbours of a kind together, crossings free of cost left out."""
    deeds: list[str] = []
    costly = [event for event in outcome.events if not event["free"]]
    for (kind, base), group in groupby(
        costly, key=lambda event: (event["kind"], event["kind"] == WALL and event["ref"])
    ):
        events = list(group)
        if kind == EDGE:
            deeds.append("runs off the page" if lunges else "reaches the edge")
        elif kind != WALL:
            deeds.append(f"crosses out {_listed([str(event['ref']) for event in events])}")
        elif lunges:
            turns = [f"{abs(degrees(event['jolt'])):.0f}°" for event in events]
            deeds.append(f"the wall of base {base} turns him by {_listed(turns)}")
        else:
            shares = [f"{100 * event['cost']:.0f}%" for event in events]
            deeds.append(f"the wall of base {base} takes {_listed(shares)}")
    return deeds


def _men(men: Sequence[int], one: str, many: str) -> str:
    return f"Man {men[0]} {one}" if len(men) == 1 else f"Men {_listed([str(man) for man in men])} {many}"


def _listed(things: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(things[:-1]), things[-1])))
