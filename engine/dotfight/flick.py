"""A flick as the rules tell it: power, shake and landing along the ink (R6 to R8).

This is the plain form, with Shapely, that reads like the rules. ``kernel.py`` is the same walk compiled; a
differential test holds the two to the same events.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE, Flick
from engine.dotfight.geometry import Ground, Path
from engine.dotfight.outcome import EDGE, EVENT, MAN_HIT, WALL, Ending, Outcome
from engine.dotfight.page import NOWHERE, ROAD, Bases, Man, Men, man_at
from engine.dotfight.rules import Rules


class Umpire:
    """Judges the flicks of one game, whose rules and bases do not change, nor who is on which side.

    Parameters
    ----------
    rules, bases
        The game's rules and its ``(bases,)`` array of :data:`~engine.dotfight.page.BASE`.
    """

    def __init__(self, rules: Rules, bases: Bases) -> None:
        self.rules = rules
        self.sides: list[int] = bases["side"].tolist()
        self.ground = Ground(rules, bases)
        self.blind = rules.blind_travel * rules.dot_radius
        garrisons = range(rules.soldiers_per_base + 1)
        self.losses = [rules.snipe_loss(garrison) for garrison in garrisons]
        self.shakes = [rules.lunge_shake(garrison) for garrison in garrisons]
        self._targets: dict[int, NDArray[np.int64]] = {}

    def targets(self, men: Men, side: int) -> NDArray[np.int64]:
        """Return the things that lines of ``side`` can meet, which are the same all game."""
        if side not in self._targets:
            friends_too = self.rules.friendly_cost or self.rules.friendly_fire
            self._targets[side] = self.ground.targets(men["side"] != (NOWHERE if friends_too else side))
        return self._targets[side]

    def judge(self, men: Men, garrison: NDArray[np.int64], flick: Flick) -> Outcome:
        """Return what a flick does; nothing is changed.

        ``men`` is the ``(men,)`` array of :data:`~engine.dotfight.page.MAN`; ``garrison`` (bases,) counts each base's
        own living men inside it, the flicker included (R6.5).
        """
        line = Line(self, men, garrison, flick.man)
        path = self.ground.ink(line.start, flick.angle, flick.length, flick.bend)
        return line.lunge(path, flick.normals or (0.0,)) if flick.kind == LUNGE else line.snipe(path)


class Line:
    """One line in the drawing: what it can meet, whom it has crossed out, who still holds the walls."""

    def __init__(self, umpire: Umpire, men: Men, garrison: NDArray[np.int64], man: int) -> None:
        self.umpire, self.rules, self.ground = umpire, umpire.rules, umpire.ground
        self.men = men
        flicker = man_at(men, man)
        self.side = flicker.side
        self.start = complex(flicker.x, flicker.y)
        self.ground.stand(men)
        self.targets = umpire.targets(men, flicker.side)
        self.garrison: list[int] = garrison.tolist()
        self.leave_garrison(flicker)
        self.at_back = self.ground.walls.around(self.start)
        self.crossed_out = {man}  # no line meets its own man
        self.kills = 0
        self.events: list[tuple[int, int, float, float, float, bool, float, float]] = []

    def leave_garrison(self, man: Man) -> None:
        """Take a man out of the garrison he counts in, if any (R6.5)."""
        if man.inside != NOWHERE and man.status != ROAD:
            self.garrison[man.inside] -= 1

    def manned(self, base: int) -> int:
        """Return the garrison that a wall is as strong as: overfull is no stronger than full (R6.6)."""
        return min(self.garrison[base], self.rules.soldiers_per_base)

    def is_free(self, base: int) -> bool:
        """Say whether crossing a wall now is free, as the first time for one at the flicker's back (R6.4)."""
        if base in self.at_back:
            self.at_back.remove(base)
            return True
        return False

    def can_hit(self, man: int, d: float) -> bool:
        """Say whether a man whose event is at distance ``d`` is hit: once, and not too near the start (R6.3)."""
        return d >= self.umpire.blind and man not in self.crossed_out

    def cross_out(self, man: int) -> None:
        """Cross a man out; a friend only pays for being passed, unless ``friendly_fire`` (R6.2, R6.5)."""
        self.crossed_out.add(man)
        met = man_at(self.men, man)
        enemy = met.side != self.side
        self.kills += int(enemy)
        if enemy or self.rules.friendly_fire:
            self.leave_garrison(met)

    def note(
        self,
        kind: int,
        ref: int,
        d: float,
        point: complex,
        free: bool = False,
        cost: float = 0.0,
        jolt: float = 0.0,
    ) -> None:
        """Write down an event."""
        self.events.append((kind, ref, d, point.real, point.imag, free, cost, jolt))

    def snipe(self, path: Path) -> Outcome:
        """Walk a snipe (R7): each wall and man takes its share of the ink that is left."""
        ink, off_page = path.arc.item(-1), False
        beyond: list[int] = []
        for d, kind, ref in self.ground.meetings(path, self.targets):
            if d > ink:
                if kind == MAN_HIT:
                    beyond.append(ref)
            elif kind == EDGE:
                self.note(EDGE, ref, d, path.at(d))
                ink, off_page = d, True
                break
            elif kind == WALL:
                free = self.is_free(ref)
                cost = 0.0 if free else self.umpire.losses[self.manned(ref)]
                self.note(WALL, ref, d, path.at(d), free, cost)
                ink = d + (ink - d) * (1.0 - cost)
            elif self.can_hit(ref, d):
                cost = self.rules.snipe_man_loss
                self.cross_out(ref)
                self.note(MAN_HIT, ref, d, path.at(d), cost=cost)
                ink = d + (ink - d) * (1.0 - cost)
        end = path.at(ink)
        if not off_page:
            for man in self.within_reach(end, sorted(beyond)):
                if self.can_hit(man, ink):
                    self.cross_out(man)
                    self.note(MAN_HIT, man, ink, end, cost=self.rules.snipe_man_loss)
        return self.outcome(end, ink, 0, off_page, False, NOWHERE)

    def within_reach(self, end: complex, men: list[int]) -> list[int]:
        """Return the men whom ink that ends short of its nearest point to them still reaches (R6.2)."""
        places = self.ground.places
        return [m for m in men if abs(places[self.ground.bases + m] - end) <= self.rules.hit_reach]

    def lunge(self, path: Path, normals: tuple[float, ...]) -> Outcome:
        """Walk a lunge (R8): each wall and man turns the rest of the path, which is then looked at afresh."""
        jolts = 0
        turn = self.next_turn(path)
        while turn is not None:
            d, kind, ref, shake = turn
            jolt = shake * normals[jolts % len(normals)]
            jolts += 1
            self.note(kind, ref, d, path.at(d), cost=shake, jolt=jolt)
            # A man met at the very point where a wall turned the path leaves it standing on that wall.
            still = path.wall if d == path.arc.item(0) else NOWHERE
            path = path.turned(d, jolt, ref if kind == WALL else still)
            turn = self.next_turn(path)
        off_page = bool(self.events and self.events[-1][0] == EDGE)
        travel = self.events[-1][2] if off_page else path.arc.item(-1)
        end = path.at(travel)
        shot_in = NOWHERE if off_page else self.shot_in(end)
        return self.outcome(end, travel, jolts, off_page, off_page or shot_in != NOWHERE, shot_in)

    def next_turn(self, path: Path) -> tuple[float, int, int, float] | None:
        """Run on to what next turns the path; return (distance, kind, base or man, shake in rad), or None."""
        for d, kind, ref in self.ground.meetings(path, self.targets):
            if kind == EDGE:
                self.note(EDGE, ref, d, path.at(d))
                return None
            if kind == WALL:
                if not self.is_free(ref):
                    return d, WALL, ref, self.umpire.shakes[self.manned(ref)]
                self.note(WALL, ref, d, path.at(d), free=True)
            elif self.can_hit(ref, d):
                self.cross_out(ref)
                return d, MAN_HIT, ref, self.rules.lunge_man_shake
        return None

    def shot_in(self, end: complex) -> int:
        """Return the enemy base, still manned after this line's kills, that a lunger ends inside, or NOWHERE (R8.3)."""
        for base in self.ground.walls.around(end):
            if self.umpire.sides[base] != self.side and self.garrison[base] > 0:
                return base
        return NOWHERE

    def outcome(self, end: complex, travel: float, jolts: int, off_page: bool, lost: bool, shot_in: int) -> Outcome:
        """Return the whole flick."""
        events = np.array(self.events, EVENT)
        ending = Ending(len(events), self.kills, jolts, end.real, end.imag, travel, off_page, lost, shot_in)
        return Outcome(ending, events)
