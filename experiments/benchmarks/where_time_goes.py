"""Where the time of a game goes: `make profile` runs it and writes its table into README.md beside it.

Each part is timed by itself, many times over on the positions of real games, in a compiled loop where the part is
compiled; what a game takes beyond the sum of its parts is chance, turns and log, and that parts are faster over and
over than once each in turn, when what they need has left the processor's caches.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from figures import seconds, shown, write_sections
from positions import SEED, Position, garrison_of, positions

from engine.dotfight.actions import Flick
from engine.dotfight.adjudicate import judge_of
from engine.dotfight.game import DOTFIGHT
from engine.dotfight.kernel import walk_any
from engine.dotfight.meeting import survey
from engine.dotfight.page import NOWHERE
from engine.dotfight.players.dawood import Dawood
from engine.dotfight.players.imagine import (
    choose_flick,
    choose_to_retry,
    draw_candidates,
    outlook_after,
    retry,
)
from engine.dotfight.players.sending import SEND_THRESHOLD, best_send
from engine.dotfight.players.sight import best_line, outlook, value_men
from engine.dotfight.players.view import look_at
from engine.dotfight.rules import Rules
from engine.dotfight.setup import set_up, setup_stream
from engine.jit import entry_point
from engine.rng import Streams
from lab.games import adapter_of

GAMES = 6
ROUNDS = 5
TIMES = 20

SIGHTS, SENDS, CANDIDATES, PREVIEWS, RETRIES, AFTER = range(6)
PARTS = {
    SIGHTS: "best lines as things are",
    SENDS: "sends weighed",
    CANDIDATES: "candidates drawn",
    PREVIEWS: "previews with a perfect hand",
    RETRIES: "retries with a shaky hand",
    AFTER: "best lines after the flicks retried",
}


@entry_point
def decide_in_part(
    part: int,
    times: int,
    numbers: Any,
    bases: Any,
    men: Any,
    pens: Any,
    jolts: Any,
    uniforms: Any,
    normals: Any,
    shakes: Any,
    bends: Any,
    minds: Any,
    works: Any,
) -> float:
    """Choose a flick once, then do one part of the decision so many times."""
    k, pen, mind, work = numbers[0], pens[0], minds[0], works[0]
    total = 0.0
    look_at(men, mind)
    value_men(k, bases, men, mind)
    survey(k, bases, men, pen.current, work)
    mind.mine = best_line(k, men, pen, pen.current, np.inf, mind)
    mind.theirs = best_line(k, men, pen, 1 - pen.current, np.inf, mind)
    before = outlook(pen, mind.mine, mind.theirs, False)
    choose_flick(numbers, bases, men, pens, jolts, uniforms, normals, shakes, bends, minds, works)
    for _ in range(times):
        if part == SIGHTS:
            look_at(men, mind)
            value_men(k, bases, men, mind)
            total += best_line(k, men, pen, pen.current, np.inf, mind)
            total += best_line(k, men, pen, 1 - pen.current, np.inf, mind)
        elif part == SENDS:
            if mind.may_send and not pen.send_used and pen.chain_man == NOWHERE:
                total += best_send(k, bases, men, pen, before, SEND_THRESHOLD, mind).gain
        elif part == CANDIDATES:
            draw_candidates(k, men, pen, uniforms, normals, mind, work)
        elif part == PREVIEWS:
            for c in range(mind.imagined):
                here = mind.candidates[c]
                total += walk_any(k, bases, men, here.man, here.kind, here.angle, here.length, 0.0, jolts, work).kills
        else:
            for i in range(choose_to_retry(mind)):
                here = mind.candidates[mind.chosen[i]]
                if part == RETRIES:
                    total += retry(k, bases, men, pen, here, shakes[i], bends[i], mind, work)[0]
                else:
                    total += outlook_after(k, bases, men, pen, here, False, -np.inf, jolts, mind, work)
    return total


def part_of_decisions(part: int, games: list[list[Position]]) -> float:
    """Return the milliseconds a game that one part of all its decisions takes."""

    def once(position: Position, times: int) -> None:
        page, seat = position.page, position.seat
        decide_in_part(part, times, *seat.given(page))

    def all_of_them() -> None:
        for game in games:
            for position in game:
                once(position, TIMES)

    once(games[0][0], 1)
    return median(seconds(all_of_them) for _ in range(ROUNDS)) * 1e3 / TIMES / len(games)


def a_game(work: Callable[[int], object]) -> float:
    """Return the milliseconds that ``work`` takes on a game."""
    work(0)
    runs = [seconds(lambda: [work(index) for index in range(GAMES)]) for _ in range(ROUNDS)]
    return median(runs) * 1e3 / GAMES


def profiled(rules: Rules) -> dict[str, float]:
    """Return the milliseconds a game by part, and of the whole."""
    games = list(positions(rules, GAMES))
    parts = {label: part_of_decisions(part, games) for part, label in PARTS.items()}
    seats = tuple(Dawood().take_seat(rules, side) for side in (0, 1))

    def begin(index: int) -> None:
        streams = Streams(SEED, index)
        set_up(rules, seats, streams, setup_stream(streams))

    def adjudicate(index: int) -> None:
        judge = judge_of(rules, games[index][0].page.bases)
        for position in games[index]:
            if isinstance(position.action, Flick):
                judge.judge(position.page.men, garrison_of(position.page), position.action)

    def count(index: int) -> None:
        for position in games[index]:
            if isinstance(position.action, Flick):
                garrison_of(position.page)

    players = (Dawood(), Dawood())
    adapter = adapter_of("dotfight")
    played = [DOTFIGHT.play(rules, players, Streams(SEED, index)) for index in range(GAMES)]
    parts["setting up and arranging"] = a_game(begin)
    parts[f"adjudication by {rules.geometry}"] = a_game(adjudicate) - a_game(count)
    whole = a_game(lambda index: DOTFIGHT.play(rules, players, Streams(SEED, index)))
    parts["chance drawn, turns, log"] = whole - sum(parts.values())
    parts["measuring the game for its row"] = a_game(lambda index: adapter.measure(played[index]))
    return parts


def main() -> None:
    """Measure, print, and write the table."""
    columns = {
        f"{bases} × {soldiers}, {geometry}": profiled(
            Rules(bases_per_side=bases, soldiers_per_base=soldiers, geometry=geometry)
        )
        for bases, soldiers in ((3, 8), (5, 10))
        for geometry in ("kernel", "shapely")
    }
    labels = list(dict.fromkeys(label for parts in columns.values() for label in parts))
    lines = [f"| ms a game | {' | '.join(columns)} |", "|---|" + "---|" * len(columns)]
    for label in labels:
        cells = []
        for parts in columns.values():
            value = parts.get(label)
            cells.append("" if value is None else f"{shown(value)} ({value / sum(parts.values()):.0%})")
        lines.append(f"| {label} | {' | '.join(cells)} |")
    totals = [f"{shown(sum(parts.values()))}" for parts in columns.values()]
    lines.append(f"| **a game and its row** | {' | '.join(totals)} |")
    text = "\n".join(lines)
    print(text)
    write_sections({"Where the time of a game goes": text})


if __name__ == "__main__":
    main()
