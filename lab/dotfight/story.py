"""From a played game of Dotfight to the exercise-book page it would be, step by step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.game import Played
from engine.dotfight.log import ConvoyArrived, Entry, FlickPlayed, SendOrdered
from engine.dotfight.match import Match
from engine.dotfight.page import ROAD, Men, Page
from engine.dotfight.record import RecordedScript
from engine.dotfight.rules import Rules
from engine.game import SEATS
from lab.dotfight import marks, words
from lab.pages.story import INK, PAPER, Marks, Step, Story


def story_of(game: Played) -> Story:
    """Return a game as a page being drawn on."""
    teller = Teller(game.rules, game.start)
    match = Match(game.rules, game.start.copy())
    script = RecordedScript(game.rules, game.actions())
    while not match.page.over:
        before, told = match.page.copy(), len(match.log)
        match.step(script)
        teller.tell(before, match.log[told:], match.page)
    teller.add(match.page.turn, None, words.ending(match.page), (), match.page.men)
    names = [str(options.get("name", "?"))[:40] for options in game.origin.players]
    return Story(
        title=f"Dotfight, game {game.origin.index} of seed {game.origin.seed}: {names[0]} against {names[1]}",
        width=game.rules.page_width,
        height=game.rules.page_height,
        colours={"paper": PAPER, "first": INK[0], "second": INK[1]},
        paper=marks.ruled_paper(game.rules),
        steps=tuple(teller.steps),
    )


class Teller:
    """Turns what happens on a page into steps, each with what it draws and who stands elsewhere after it."""

    def __init__(self, rules: Rules, start: Page) -> None:
        self.rules = rules
        self.bases = start.bases
        self.steps: list[Step] = []
        self._rings = [marks.ring(rules, start.bases, b) for b in range(rules.bases)]
        self._crossed_out: dict[str, Marks] = {}
        self._standing: dict[str, Marks] = {}
        drawn = tuple(mark for b in range(rules.bases) for mark in marks.base(rules, self.bases, b))
        self.add(0, None, words.beginning(rules), drawn, start.men)

    def add(self, turn: int, side: int | None, said: str, drawn: Marks, men: Men) -> None:
        """Add a step after which the men stand like this."""
        now = self._stand(men)
        changed = {name: what for name, what in now.items() if what != self._standing.get(name)}
        changed |= {name: () for name in self._standing if name not in now}
        self._standing = now
        self.steps.append(Step(turn, "" if side is None else SEATS[side], said, drawn, changed))

    def _stand(self, men: Men) -> dict[str, Marks]:
        """Return what may change: rings round the bases without a garrison (R2.5), and all men."""
        held = men[(men["alive"] == 1) & (men["status"] != ROAD)]["inside"]
        empty = np.setdiff1d(np.arange(self.rules.bases), held)
        living = np.flatnonzero(men["alive"] == 1)
        rings = {f"ring {b}": self._rings[b] for b in empty.tolist()}
        return rings | self._crossed_out | {f"man {m}": marks.man(self.rules, men, m) for m in living.tolist()}

    def tell(self, before: Page, entries: Sequence[Entry], after: Page) -> None:
        """Tell one action, and the handing over of the pen if it ended the turn (R9.2, R9.3)."""
        side, act = before.current, entries[0]
        men = before.men.copy()
        drawn: Marks = ()
        if isinstance(act, FlickPlayed):
            touched = [act.flick.man, *act.outcome.crossed_out().tolist()]
            men[touched] = after.men[touched]
            drawn = marks.flick(self.rules, before.men, act)
            for m in touched:
                if not men["alive"][m]:
                    killer = 1 - side if m == act.flick.man else side
                    self._crossed_out[f"man {m}"] = marks.crossed_out(self.rules, men, m, killer)
        elif isinstance(act, SendOrdered):
            men["status"][list(act.send.men)] = after.men["status"][list(act.send.men)]
        self.add(before.turn, side, words.action(act, before, after), drawn, men)
        # First the side that hands the pen over walks out, then the other's convoys come nearer or arrive.
        for mover, turn in ((side, before.turn), (1 - side, after.turn)):
            was = men.copy()
            his = men["side"] == mover
            men[his] = after.men[his]
            arrivals = [e for e in entries if isinstance(e, ConvoyArrived) and e.side == mover]
            roads = self._roads(was, men, arrivals)
            if roads:
                said = "; ".join(text for text, _ in roads)
                self.add(turn, mover, said, tuple(mark for _, steps in roads for mark in steps), men)

    def _roads(self, was: Men, now: Men, arrivals: Sequence[ConvoyArrived]) -> list[tuple[str, Marks]]:
        """Return, for each convoy that has moved, what is said of it and its footprints."""
        found: list[tuple[str, Marks]] = []
        convoys: dict[tuple[int, int, int], list[int]] = {}
        moved = (now["x"] != was["x"]) | (now["y"] != was["y"])
        for m in np.flatnonzero(moved & (now["status"] == ROAD) & (now["alive"] == 1)).tolist():
            convoys.setdefault((int(now["home"][m]), int(now["target"][m]), int(now["road_left"][m])), []).append(m)
        for (source, target, _), walkers in convoys.items():
            out = was["status"][walkers[0]] != ROAD
            begin = self._gate(source, target) if out else _middle(was, walkers)
            found.append(
                (
                    words.on_the_road(walkers, source, target),
                    marks.footprints(begin, _middle(now, walkers), int(now["side"][walkers[0]])),
                )
            )
        for arrived in arrivals:
            walkers, target = list(arrived.arrival.men), arrived.arrival.base
            source = int(was["home"][walkers[0]])
            found.append(
                (
                    words.arrived(walkers, target),
                    marks.footprints(_middle(was, walkers), self._gate(target, source), arrived.side),
                )
            )
        return found

    def _gate(self, base: int, other: int) -> NDArray[np.float64]:
        """Return where the road to another base leaves this one (R9.2)."""
        here, there = (np.array([self.bases["x"][b], self.bases["y"][b]]) for b in (base, other))
        way = there - here
        return here + way / np.hypot(*way) * (self.rules.base_radius + self.rules.road_gap)


def _middle(men: Men, walkers: Sequence[int]) -> NDArray[np.float64]:
    return np.array([men["x"][list(walkers)].mean(), men["y"][list(walkers)].mean()])
