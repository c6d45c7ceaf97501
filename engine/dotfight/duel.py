"""A game between two Dawood-bots, played on in compiled code.

Python is asked only for chance, for the spots of an arriving convoy and, where Shapely adjudicates, for what a flick
does. The clauses are those of ``turn.py`` in the order of ``match.py``; a test holds the two to the same log. What
happens is noted in arrays, from which the log is written in the end.
"""

from __future__ import annotations

from functools import partial
from threading import get_ident
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import Arrival
from engine.dotfight.adjudicate import judge_of
from engine.dotfight.hand import JOLTS, resolve
from engine.dotfight.jot import jot_convoy
from engine.dotfight.kernel import walk_any
from engine.dotfight.log import Entry
from engine.dotfight.meeting import MOST_EVENTS, Work, survey, workspace
from engine.dotfight.noting import (
    ACT,
    ARRIVAL,
    DECLINE,
    FLICK,
    HANDED_OVER,
    PROGRESS,
    Note,
    Notes,
    note,
    note_emptied,
    note_ending,
    note_send,
    paper_of,
    write_ending,
)
from engine.dotfight.outcome import Events
from engine.dotfight.page import NOWHERE, Bases, Garrisons, Men, Page, Pen, note_empty_rings
from engine.dotfight.players.dawood import Chance, DawoodSeat
from engine.dotfight.players.imagine import pick_flick
from engine.dotfight.players.mind import Mind
from engine.dotfight.players.sending import weigh_sends
from engine.dotfight.rules import Numbers, Rules
from engine.dotfight.turn import decline_lunge, let_arrive, order_to_walk, pass_pen, play_flick
from engine.jit import compiled, entry_point
from engine.rng import DECISIONS, HAND, Streams

ACTIONS_AHEAD = 4
"""Actions of a side that chance is drawn for at a time. A side has streams of its own, so what is left over of them
at the end of a game is missed by nobody."""

OVER, CHANCE, JUDGE, SPOTS, PAPER = range(5)  # what the game stops for: its end, or something it needs

Pair = Any
"""Two arrays, first's and second's."""


@compiled
def let_go(
    numbers: Numbers,
    pen: Pen,
    mind: Mind,
    angle: float,
    power: float,
    normals: NDArray[np.float64],
    bow: float,
    here: Any,
) -> None:
    """Note the flick meant at ``angle`` with ``power`` as it leaves the hand (R5); who plays it is noted."""
    steady, links = pen.stand_since[pen.current] != 0, pen.chain_links
    flick = resolve(numbers, mind.hand, mind.eye, mind.judge, angle, power, steady, links, normals[0], normals[1], bow)
    here.angle = flick[0]
    here.length = flick[1]
    here.bend = flick[2]
    here.links = links
    here.owed = 1 if pen.chain_man == here.man else 0


@compiled
def conclude(
    numbers: Numbers,
    bases: Bases,
    men: Men,
    pens: Pen,
    garrison: NDArray[np.int64],
    ever_empty: NDArray[np.int64],
    notes: Notes,
    events: Events,
    progress: Any,
) -> bool:
    """Play the flick that was noted last and judged; return whether the turn is done."""
    here = notes[progress.notes - 1]
    struck = events[here.first : here.first + here.size]
    kills, x, y, lost = here.kills, here.end_x, here.end_y, here.lost != 0
    after = play_flick(numbers, bases, men, pens, garrison, ever_empty, here.man, here.kind, struck, kills, x, y, lost)
    here.earned = after[0]
    here.exposed_inside = after[2]
    here.exposed_outside = after[3]
    here.kills_inside = after[4]
    here.kills_road = after[5]
    here.living_first = after[6]
    here.living_second = after[7]
    note_emptied(here.turn, after[8], pens[0], notes, progress)
    return after[1]


@entry_point
def play_on(
    numbers: Numbers,
    bases: Bases,
    men: Men,
    pens: Pen,
    garrison: NDArray[np.int64],
    ever_empty: NDArray[np.int64],
    by_kernel: bool,
    minds: Pair,
    works: Work,
    jolts: Pair,
    uniforms: Pair,
    aim_normals: Pair,
    shakes: Pair,
    bends: Pair,
    hands: NDArray[np.float64],
    bows: NDArray[np.float64],
    notes: Notes,
    jolts_noted: NDArray[np.float64],
    events: Events,
    going: NDArray[np.int64],
    arriving: NDArray[np.int64],
    progresses: Any,
) -> int:
    """Play until the game is over or needs something; return which.

    ``numbers``, ``pens``, ``works`` and ``progresses`` are ``(1,)`` arrays. Of each side there are a mind, the jolts of
    perfect-hand previews and the chance of actions to come, as for
    :func:`~engine.dotfight.players.imagine.choose_flick` with the actions as first axis, and of its hand ``hands``
    (2, actions, 2 + JOLTS) standard normals and ``bows`` (2, actions) uniform deviates.
    """
    k, pen, work, progress = numbers[0], pens[0], works[0], progresses[0]
    while True:
        if progress.phase == HANDED_OVER:
            emptied = note_empty_rings(bases, men, garrison, ever_empty)
            note_emptied(progress.turn, emptied, pen, notes, progress)
            progress.phase = ACT
        if progress.phase == ACT:
            if pen.winner != NOWHERE or pen.stalled:
                return OVER
            side = pen.current
            if progress.acted[side] == ACTIONS_AHEAD or progress.flicked[side] == ACTIONS_AHEAD:
                return CHANCE
            if notes.shape[0] - progress.notes < 4 or events.shape[0] - progress.events < MOST_EVENTS:
                return PAPER
            if going.shape[0] - progress.going < men.shape[0]:
                return PAPER
            progress.turn = pen.turn
            a, f = progress.acted[side], progress.flicked[side]
            progress.acted[side] += 1
            mind = minds[side][0]
            sent, source, target = weigh_sends(k, bases, men, pen, mind)
            if sent:
                note_send(pen, mind, sent, source, target, notes, going, progress)
                done = order_to_walk(men, pens, mind.ranked[:sent], source, target, int(k.road_turns))
            else:
                chance = uniforms[side][a], aim_normals[side][a], shakes[side][a], bends[side][a]
                declined, man, kind, angle, power = pick_flick(k, bases, men, pen, jolts[side], *chance, mind, work)
                if declined:
                    note(pen, DECLINE, notes, progress)
                    done = decline_lunge(men, pens)
                else:
                    progress.flicked[side] += 1
                    normals = hands[side, f]
                    here = note(pen, FLICK, notes, progress)
                    here.man = man
                    here.kind = kind
                    let_go(numbers, pen, mind, angle, power, normals, float(bows[side, f]), here)
                    for i in range(JOLTS):
                        jolts_noted[progress.notes - 1, i] = normals[2 + i]
                    if not by_kernel:
                        return JUDGE
                    survey(k, bases, men, side, work)
                    ending = walk_any(k, bases, men, man, kind, here.angle, here.length, here.bend, normals[2:], work)
                    for i in range(ending.events):
                        events[progress.events + i] = work.events[i]
                    note_ending(here, ending, progress)
                    done = conclude(numbers, bases, men, pens, garrison, ever_empty, notes, events, progress)
        else:
            done = conclude(numbers, bases, men, pens, garrison, ever_empty, notes, events, progress)
            progress.phase = ACT
        if done:
            progress.phase = HANDED_OVER
            n, can_flick = 0, False
            while not (n or can_flick or pen.stalled):
                n, can_flick = pass_pen(numbers, bases, men, pens, arriving)
            if n:
                note(pen, ARRIVAL, notes, progress)
                progress.arriving = n
                return SPOTS


class Duel:
    """A game in progress between two Dawood-bots: the page, its rules and the log so far."""

    def __init__(
        self,
        rules: Rules,
        page: Page,
        seats: tuple[DawoodSeat, DawoodSeat],
        streams: Streams,
        jotting: np.random.Generator,
    ) -> None:
        self.rules = rules
        self.page = page
        self.log: list[Entry] = []
        self._jotting = jotting
        self._garrisons = Garrisons(page)
        self._judge = judge_of(rules, page.bases)
        self._decisions = [streams.stream(purpose) for purpose in DECISIONS]
        self._hands = [streams.stream(purpose) for purpose in HAND]
        self._chance = [Chance(seat.level, ACTIONS_AHEAD) for seat in seats]
        self._normals = np.empty((2, ACTIONS_AHEAD, 2 + JOLTS))
        self.bows = np.empty((2, ACTIONS_AHEAD))
        self.paper = paper_of(get_ident())
        self._arriving = np.empty(page.men.size, np.int64)
        self._arrivals: list[Arrival] = []
        self._progress = np.zeros(1, PROGRESS)
        self._progress["acted"] = self._progress["flicked"] = ACTIONS_AHEAD
        self._given: tuple[Any, ...] = (
            rules.numbers,
            page.bases,
            page.men,
            page.pen,
            self._garrisons.now,
            self._garrisons.ever_empty,
            rules.geometry == "kernel",
            tuple(seat.mind for seat in seats),
            workspace(),
            tuple(seat.jolts for seat in seats),
            tuple(chance.uniforms for chance in self._chance),
            tuple(chance.aim_normals for chance in self._chance),
            tuple(chance.shakes for chance in self._chance),
            tuple(chance.bends for chance in self._chance),
            self._normals,
            self.bows,
            *self.paper,
            self._arriving,
            self._progress,
        )

    def play(self) -> list[Entry]:
        """Play to the end and return the log."""
        helps = {CHANCE: self.draw, JUDGE: self._adjudicate, SPOTS: self._let_arrive, PAPER: self._write_log}
        while (needed := play_on(*self._given)) != OVER:
            helps[needed]()
        self._write_log()
        return self.log

    def draw(self) -> None:
        """Draw chance for the side to move, where it has used up what was drawn."""
        side, progress = self.page.current, self._progress
        if progress["acted"][0, side] == ACTIONS_AHEAD:
            self._chance[side].draw(self._decisions[side])
            progress["acted"][0, side] = 0
        if progress["flicked"][0, side] == ACTIONS_AHEAD:
            for i in range(ACTIONS_AHEAD):
                self._hands[side].standard_normal(out=self._normals[side, i])
                self.bows[side, i] = self._hands[side].random()
            progress["flicked"][0, side] = 0

    def _adjudicate(self) -> None:
        """Have the last flick judged."""
        last, first = self._progress["notes"].item() - 1, self._progress["events"].item()
        flick = self.paper.flick(last, Note._make(self.paper.notes.item(last)))
        outcome = self._judge.judge(self.page.men, self._garrisons.now, flick)
        self.paper.events[first : first + outcome.ending.events] = outcome.events
        write_ending(self.paper.notes, self._progress, *outcome.ending)

    def _let_arrive(self) -> None:
        """Jot in the convoy that arrives (R9.3)."""
        arriving = self._arriving[: self._progress["arriving"].item()]
        spots = partial(jot_convoy, self.rules, self._jotting, self.page)
        self._arrivals.append(let_arrive(self.rules, self.page, spots, arriving))

    def _write_log(self) -> None:
        """Make the notes taken so far a part of the log."""
        self.log += self.paper.entries(self._progress["notes"].item(), iter(self._arrivals))
        self._arrivals.clear()
        for name in ("notes", "events", "going"):
            self._progress[name] = 0
