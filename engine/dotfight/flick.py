"""A flick, walked along its ink as the rules tell it (R6 to R8): power, shake and landing."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dotfight.actions import LUNGE
from engine.dotfight.geometry import Ground, Sheet, ink_path
from engine.dotfight.outcome import EDGE, EVENT, MAN_HIT, WALL, Ending, Outcome
from engine.dotfight.page import NOWHERE, ROAD, Bases, lunge_shake, snipe_loss
from engine.dotfight.rules import Rules, numbers


class Umpire:
    def __init__(self, rules: Rules, bases: Bases) -> None:
        self.rules = rules
        self.bases = bases
        self.sheet = Sheet(rules, bases)
        full = rules.soldiers_per_base
        k = numbers(rules)
        self.snipe_losses = [snipe_loss(k, n) for n in range(full + 1)]
        self.lunge_shakes = [lunge_shake(k, n) for n in range(full + 1)]
        self.blind = rules.blind_travel * rules.dot_radius

    def judge(self, men, garrison, man, kind, angle, length, bend, normals):
        rules = self.rules
        side = men["side"][man]
        start = complex(men["x"][man], men["y"][man])
        line = Line(self, men, garrison, man, start)
        candidates = men["alive"] == 1
        if rules.friendly_cost or rules.friendly_fire:
            candidates[man] = False
        else:
            candidates &= men["side"] != side
        ground = Ground(self.sheet, men, np.flatnonzero(candidates))
        path = ink_path(start, angle, length, bend, rules.ink_segments)
        if kind == LUNGE:
            return line.lunge(ground, path, normals)
        return line.snipe(ground, path)


class Line:
    def __init__(self, umpire, men, garrison, man, start):
        self.umpire = umpire
        self.men = men
        self.side = int(men["side"][man])
        self.friendly_fire = umpire.rules.friendly_fire
        self.garrison = garrison.tolist()
        self.at_back = set(umpire.sheet.walls.around(start))
        self.spent: set[int] = set()
        self.events: list[Any] = []
        self.kills = 0
        self.leave_home(man)

    def leave_home(self, m):
        inside = int(self.men["inside"][m])
        if inside != NOWHERE and self.men["status"][m] != ROAD:
            self.garrison[inside] -= 1

    def cross_out(self, m):
        self.spent.add(m)
        enemy = self.men["side"][m] != self.side
        if enemy or self.friendly_fire:
            self.leave_home(m)
        self.kills += bool(enemy)

    def note(self, kind, ref, d, p, free=0, cost=0.0, jolt=0.0):
        self.events.append((kind, ref, d, p.real, p.imag, free, cost, jolt))

    def free(self, base):
        if base in self.at_back:
            self.at_back.remove(base)
            return True
        return False

    def snipe(self, ground, path):
        u = self.umpire
        full = u.rules.soldiers_per_base
        limit = float(path.arc[-1])
        off_page = False
        later = []
        for d, kind, ref in ground.meetings(path):
            if off_page:
                break
            if d > limit:
                later.append((kind, ref))
                continue
            if kind == EDGE:
                self.note(EDGE, NOWHERE, d, path.at(d))
                limit, off_page = d, True
            elif kind == WALL:
                free = self.free(ref)
                cost = 0.0 if free else u.snipe_losses[min(self.garrison[ref], full)]
                self.note(WALL, ref, d, path.at(d), free, cost)
                limit = d + (limit - d) * (1 - cost)
            elif d >= u.blind:
                self.cross_out(ref)
                cost = u.rules.snipe_man_loss
                self.note(MAN_HIT, ref, d, path.at(d), 0, cost)
                limit = d + (limit - d) * (1 - cost)
        end = path.at(limit)
        if not off_page and limit >= u.blind:
            for m in sorted(ref for kind, ref in later if kind == MAN_HIT):
                if abs(complex(self.men["x"][m], self.men["y"][m]) - end) <= u.rules.hit_reach:
                    self.cross_out(m)
                    self.note(MAN_HIT, m, limit, end, 0, u.rules.snipe_man_loss)
        return self.outcome(limit, end, 0, off_page, False, -1)

    def lunge(self, ground, path, normals):
        u = self.umpire
        full = u.rules.soldiers_per_base
        jolts = 0
        off_page = False
        travel = float(path.arc[-1])
        turning = True
        while turning:
            turning = False
            for d, kind, ref in ground.meetings(path):
                if kind == EDGE:
                    self.note(EDGE, NOWHERE, d, path.at(d))
                    travel, off_page = d, True
                    break
                if kind == WALL:
                    if self.free(ref):
                        self.note(WALL, ref, d, path.at(d), 1)
                        continue
                    cost = u.lunge_shakes[min(self.garrison[ref], full)]
                else:
                    if d < u.blind or ref in self.spent:
                        continue
                    cost = u.rules.lunge_man_shake
                    self.cross_out(ref)
                jolt = cost * float(normals[jolts % normals.size])
                jolts += 1
                self.note(kind, ref, d, path.at(d), 0, cost, jolt)
                wall = ref if kind == WALL else (path.wall if d == path.arc[0] else NOWHERE)
                path = path.turned(d, jolt, wall)
                turning = True
                break
        end = path.at(travel)
        shot_in = -1
        if not off_page:
            for b in u.sheet.walls.around(end):
                if u.bases["side"][b] != self.side and self.garrison[b] > 0:
                    shot_in = b
                    break
        return self.outcome(travel, end, jolts, off_page, off_page or shot_in >= 0, shot_in)

    def outcome(self, travel, end, jolts, off_page, lost, shot_in):
        events = np.array(self.events, EVENT)
        return Outcome(
            Ending(len(events), self.kills, jolts, end.real, end.imag, travel, off_page, lost, shot_in),
            events,
        )
