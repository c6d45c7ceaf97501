"""A game of Dotfight as text to be followed with the rules at hand: one line an action, then the last page."""

from __future__ import annotations

from collections.abc import Iterator

from engine.dotfight.actions import KINDS
from engine.dotfight.game import Played
from engine.dotfight.log import BaseEmptied, ConvoyArrived, Entry, FlickPlayed, LungeDeclined, SendOrdered
from engine.dotfight.outcome import EDGE, MAN_HIT, WALL, Outcome
from engine.dotfight.page import NOWHERE, Page

SIDES = ("first", "second")
STATUS = ("at home", "ordered to walk", "on the road")


def number(value: float, digits: int = 2) -> str:
    return f"{round(float(value), digits) + 0.0:.{digits}f}"  # no minus before a zero


def place(x: float, y: float) -> str:
    return f"({number(x)}, {number(y)})"


def met(outcome: Outcome, kind: int) -> Iterator[str]:
    """Yield what a flick of this kind met, in order."""
    for event in outcome.events:
        at = number(event["d"])
        if event["kind"] == EDGE:
            yield f"{at} edge"
        elif event["free"]:
            yield f"{at} wall {event['ref']} free"
        else:
            name = {WALL: "wall", MAN_HIT: "man"}[event["kind"]]
            price = f"-{number(100 * event['cost'])}%" if KINDS[kind] == "snipe" else f"turn {number(event['jolt'], 4)}"
            yield f"{at} {name} {event['ref']} {price}"


def flick_line(entry: FlickPlayed) -> str:
    flick, ending = entry.flick, entry.outcome.ending
    parts = [
        f"{KINDS[flick.kind]} {flick.man} angle {number(flick.angle, 4)} length {number(flick.length)} "
        f"bend {number(flick.bend, 4)}" + (f" link {entry.links}" if entry.owed else ""),
        ", ".join(met(entry.outcome, flick.kind)) or "nothing",
        f"ends {number(ending.travel)} {place(ending.end_x, ending.end_y)}"
        + (f" shot in {ending.shot_in}" if ending.shot_in != NOWHERE else ""),
        f"{entry.living[0]}:{entry.living[1]}" + (" earns" if entry.earned else ""),
    ]
    return " | ".join(parts)


def line(entry: Entry) -> str:
    match entry:
        case FlickPlayed():
            return flick_line(entry)
        case SendOrdered(send=send):
            return f"sends {' '.join(map(str, send.men))} from {send.source} to {send.target}"
        case LungeDeclined():
            return "declines the lunge"
        case ConvoyArrived(arrival=arrival):
            spots = " ".join(f"{man} {place(*spot)}" for man, spot in zip(arrival.men, arrival.spots, strict=True))
            return f"arrive in {arrival.base}: {spots}"
        case BaseEmptied(base=base):
            return f"base {base} is empty"


def men_lines(page: Page) -> Iterator[str]:
    for m, man in enumerate(page.men):
        where = f"inside {man['inside']}" if man["inside"] != NOWHERE else "in the open"
        state = f"{where}, {STATUS[man['status']]}" if man["alive"] else "crossed out"
        yield f"man {m} of {SIDES[man['side']]} {place(man['x'], man['y'])} {state}"


def transcript(game: Played) -> str:
    """Return a game as text."""
    end, bases = game.end, game.start.bases
    lines = [f"base {b} of {SIDES[base['side']]} {place(base['x'], base['y'])}" for b, base in enumerate(bases)]
    lines += men_lines(game.start)
    turn = 0
    for entry in game.log:
        if entry.turn != turn:
            turn = entry.turn
            lines += ["", f"turn {turn}"]
        lines.append(line(entry))
    lines += ["", "stalled" if end.stalled else f"{SIDES[end.winner]} wins in turn {end.turn}"]
    stands = [f"{side} since turn {since}" for side, since in zip(SIDES, end.stand_since, strict=True) if since]
    lines += [f"last stand: {stand}" for stand in stands]
    lines += men_lines(end)
    return "\n".join(lines) + "\n"
