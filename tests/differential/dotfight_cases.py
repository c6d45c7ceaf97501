"""Random pages and flicks for holding two geometries against each other, the awkward ones included."""

from __future__ import annotations

from cmath import phase, rect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import asin, pi

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import LUNGE, SNIPE, Flick
from engine.dotfight.page import BASE, HOME, MAN, NOWHERE, ORDERED, ROAD, count_garrisons
from engine.dotfight.rules import Rules

RULES = (
    Rules(bases_per_side=3),
    Rules(bases_per_side=3, lunge_shake_full=0.2),
    Rules(bases_per_side=5, soldiers_per_base=10),
    Rules(bases_per_side=6, soldiers_per_base=12, lunge_shake_full=0.3, snipe_loss_full=0.3),
    Rules(bases_per_side=3, garrison="flat"),
    Rules(bases_per_side=3, garrison="flat", flat_snipe_loss=0.0, snipe_man_loss=0.0, flat_lunge_shake=0.0),
    Rules(bases_per_side=3, garrison_curve=0.5, lunge_shake_full=3.0, lunge_man_shake=0.5),
    Rules(bases_per_side=2, garrison_curve=2.0, snipe_loss_full=1.0, snipe_man_loss=0.4),
    Rules(bases_per_side=3, friendly_cost=True, lunge_shake_full=0.2),
    Rules(bases_per_side=3, friendly_fire=True, lunge_shake_full=0.2),
    Rules(bases_per_side=3, hit_reach=3.0, blind_travel=0.0),
    Rules(bases_per_side=3, hit_reach=30.0, blind_travel=6.0, lunge_shake_full=0.2),
    Rules(bases_per_side=3, ink_segments=2, lunge_shake_full=0.4),
    Rules(bases_per_side=3, ink_segments=5),
    Rules(bases_per_side=3, ink_segments=150, lunge_shake_full=0.4),
    Rules(bases_per_side=2, base_radius=150.0, soldiers_per_base=20, lunge_shake_full=0.3),
    Rules(bases_per_side=8, base_radius=25.0, soldiers_per_base=3, lunge_shake_full=0.3),
    Rules(bases_per_side=1, page_width=500.0, page_height=400.0, lunge_shake_full=2.0),
)
"""Many sizes and rules; weak walls let a line run through several bases and the men in them."""

OFFSETS = (0.0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-5, -1e-5, 1e-4, -1e-4, 1e-3, -1e-3, 0.1, -0.1)
"""How far from an exact tie a constructed flick is put, in page units."""


@dataclass(frozen=True)
class Case:
    """One flick on one page. ``family`` names how it was made; ``tied`` says that it was put near a tie."""

    family: str
    tied: bool
    rules: Rules
    bases: NDArray[np.void]
    men: NDArray[np.void]
    garrison: NDArray[np.int64]
    flick: Flick


@dataclass
class Scene:
    """A page to flick on, and who flicks: families may move the men."""

    rng: np.random.Generator
    rules: Rules
    bases: NDArray[np.void]
    men: NDArray[np.void]
    man: int

    @property
    def start(self) -> complex:
        return place(self.men, self.man)

    def enemy(self) -> int:
        """Return a living enemy, or the flicker himself where there is none."""
        enemies = np.flatnonzero((self.men["alive"] == 1) & (self.men["side"] != self.men["side"][self.man]))
        return int(self.rng.choice(enemies)) if enemies.size else self.man

    def put(self, man: int, point: complex) -> None:
        self.men["x"][man], self.men["y"][man] = point.real, point.imag

    def aim(self, point: complex) -> float:
        return phase(point - self.start)

    def random_base(self) -> int:
        return int(self.rng.integers(self.bases.size))

    def random_angle(self) -> float:
        return self.rng.uniform(-pi, pi)

    def random_length(self) -> float:
        return float(np.exp(self.rng.uniform(np.log(30.0), np.log(2500.0))))

    def random_bend(self) -> float:
        return float(self.rng.choice([0.0, self.rng.uniform(-0.05, 0.05)], p=[0.1, 0.9]))

    def random_offset(self) -> float:
        return float(self.rng.choice(OFFSETS))


def place(things: NDArray[np.void], i: int) -> complex:
    """Return where a man or a base is, as x + iy."""
    return complex(things["x"][i], things["y"][i])


Ink = tuple[float, float, float]
"""Angle, length and bend."""


def anywhere(scene: Scene) -> Ink:
    return scene.random_angle(), scene.random_length(), scene.random_bend()


def at_a_man(scene: Scene) -> Ink:
    angle = scene.aim(place(scene.men, scene.enemy())) if scene.man != scene.enemy() else 0.0
    return angle + scene.rng.normal(0.0, 0.01), scene.random_length(), scene.random_bend()


def through_a_base(scene: Scene) -> Ink:
    angle = scene.aim(place(scene.bases, scene.random_base()))
    return angle + scene.rng.normal(0.0, 0.03), scene.rng.uniform(300.0, 2500.0), scene.random_bend()


def from_inside_an_enemy_ring(scene: Scene) -> Ink:
    foreign = np.flatnonzero(scene.bases["side"] != scene.men["side"][scene.man])
    base = int(scene.rng.choice(foreign))
    radius = scene.rules.base_radius * scene.rng.uniform(0.0, 1.0)
    scene.put(scene.man, place(scene.bases, base) + rect(radius, scene.random_angle()))
    return anywhere(scene)


def along_the_page_edge(scene: Scene) -> Ink:
    width, height = scene.rules.page_width, scene.rules.page_height
    x = scene.rng.choice([scene.rng.uniform(0.0, 30.0), width - scene.rng.uniform(0.0, 30.0)])
    scene.put(scene.man, complex(x, scene.rng.uniform(0.0, height)))
    angle = scene.rng.choice([pi / 2, -pi / 2, scene.random_angle()]) + scene.rng.normal(0.0, 0.05)
    return angle, scene.random_length(), scene.random_bend()


def short_of_a_man(scene: Scene) -> Ink:
    """End near a man, before the ink has come nearest to him."""
    enemy = place(scene.men, scene.enemy())
    short = scene.rules.hit_reach * scene.rng.uniform(0.0, 1.5)
    length = max(1.0, abs(enemy - scene.start) - short)
    return scene.aim(enemy) + scene.rng.normal(0.0, 0.01), length, scene.random_bend()


def landing_in_a_base(scene: Scene) -> Ink:
    base = place(scene.bases, scene.random_base())
    length = abs(base - scene.start) + scene.rules.base_radius * scene.rng.uniform(-1.1, 1.1)
    return scene.aim(base) + scene.rng.normal(0.0, 0.01), max(1.0, length), 0.1 * scene.random_bend()


def curling_home(scene: Scene) -> Ink:
    """Leave a base and come back into it."""
    outward, radius = scene.random_angle(), scene.rules.base_radius
    home = place(scene.bases, scene.random_base())
    scene.put(scene.man, home + rect(radius * scene.rng.uniform(0.8, 1.0), outward))
    side, inward = scene.rng.choice([-1.0, 1.0]), scene.rng.uniform(0.2, 0.9)
    length = 2.0 * radius * np.sin(inward) * scene.rng.uniform(0.4, 1.0)
    return outward + side * (pi / 2 + inward), length, -side * scene.rng.uniform(0.3, 0.5)


def strongly_bent(scene: Scene) -> Ink:
    base = place(scene.bases, scene.random_base())
    scene.put(scene.man, base + rect(scene.rules.base_radius * scene.rng.uniform(0.5, 2.5), scene.random_angle()))
    return scene.random_angle(), scene.rng.uniform(40.0, 600.0), scene.rng.uniform(-0.5, 0.5)


def grazing_a_wall(scene: Scene) -> Ink:
    """Run straight past a wall, by the offset from a tangent."""
    base = place(scene.bases, scene.random_base())
    passing = scene.rules.base_radius + scene.random_offset()
    distance = abs(base - scene.start)
    if distance <= passing:
        return anywhere(scene)
    side = scene.rng.choice([-1.0, 1.0])
    return scene.aim(base) + side * asin(passing / distance), scene.random_length() + distance, 0.0


def from_on_a_wall(scene: Scene) -> Ink:
    """Start on a wall, by the offset; sometimes along it."""
    base = place(scene.bases, scene.random_base())
    outward = scene.random_angle()
    scene.put(scene.man, base + rect(scene.rules.base_radius + scene.random_offset(), outward))
    angle = scene.rng.choice([scene.random_angle(), outward + pi / 2, outward, outward + pi])
    return angle, scene.random_length(), scene.random_bend()


def just_within_reach(scene: Scene) -> Ink:
    """Run straight past a man, by the offset from the reach."""
    angle, length = scene.random_angle(), scene.random_length()
    sideways = rect(scene.rules.hit_reach + scene.random_offset(), angle + scene.rng.choice([-1.0, 1.0]) * pi / 2)
    scene.put(scene.enemy(), scene.start + rect(length * scene.rng.uniform(0.1, 1.0), angle) + sideways)
    return angle, length, 0.0


def two_at_once(scene: Scene) -> Ink:
    """Run straight between two men who are equally far along, by the offset, or between a man and a wall."""
    angle, length = scene.random_angle(), scene.random_length()
    along, apart = length * scene.rng.uniform(0.1, 1.0), scene.rules.hit_reach * scene.rng.uniform(0.1, 0.9)
    abreast = scene.start + rect(along, angle)
    scene.put(scene.enemy(), abreast + rect(apart, angle + pi / 2))
    scene.put(scene.enemy(), abreast + rect(scene.random_offset(), angle) - rect(apart, angle + pi / 2))
    if scene.rng.random() < 0.3:
        base = scene.random_base()
        centre = abreast + rect(scene.rules.base_radius + scene.random_offset(), angle)
        scene.bases["x"][base], scene.bases["y"][base] = centre.real, centre.imag
    return angle, length, 0.0


def ending_on_a_wall(scene: Scene) -> Ink:
    """End on a wall, or a man's reach, by the offset."""
    base = place(scene.bases, scene.random_base())
    if scene.rng.random() < 0.5:
        away, goal = scene.rules.base_radius, base
    else:
        away, goal = scene.rules.hit_reach, place(scene.men, scene.enemy())
    length = abs(goal - scene.start) - away + scene.random_offset()
    return (scene.aim(goal), length, 0.0) if length > 1.0 else anywhere(scene)


FREE: tuple[Callable[[Scene], Ink], ...] = (
    anywhere,
    at_a_man,
    through_a_base,
    from_inside_an_enemy_ring,
    along_the_page_edge,
    short_of_a_man,
    landing_in_a_base,
    curling_home,
    strongly_bent,
)
TIED: tuple[Callable[[Scene], Ink], ...] = (
    grazing_a_wall,
    from_on_a_wall,
    just_within_reach,
    two_at_once,
    ending_on_a_wall,
)


def random_bases(rng: np.random.Generator, rules: Rules) -> NDArray[np.void]:
    """Return bases anywhere on the page that do not overlap; the gaps of R2.2 are not kept."""
    bases = np.zeros(rules.bases, BASE)
    apart = 2.0 * rules.inside_reach * rules.base_radius
    drawn = 0
    tries = 0
    while drawn < rules.bases:
        tries += 1
        if tries > 500:
            drawn = tries = 0
        r = rules.base_radius
        x, y = rng.uniform(r, rules.page_width - r), rng.uniform(r, rules.page_height - r)
        if np.all(np.hypot(bases["x"][:drawn] - x, bases["y"][:drawn] - y) >= apart):
            bases[drawn] = (x, y, drawn % 2)
            drawn += 1
    return bases


def random_men(rng: np.random.Generator, rules: Rules, bases: NDArray[np.void]) -> NDArray[np.void]:
    """Return men at home, beside their walls, out on the page, on the road and inside enemy bases, many dead."""
    men = np.zeros(rules.men, MAN)
    n = men.size
    home = np.repeat(np.arange(rules.bases), rules.soldiers_per_base)
    side = bases["side"][home]
    stray = rng.random(n)
    base = np.where(stray < 0.08, rng.integers(rules.bases, size=n), home)
    radius = np.where(stray > 0.85, rng.uniform(0.9, 1.4, n), 1.05 * np.sqrt(rng.random(n))) * rules.base_radius
    angle = rng.uniform(-pi, pi, n)
    men["x"] = bases["x"][base] + radius * np.cos(angle)
    men["y"] = bases["y"][base] + radius * np.sin(angle)
    out = (stray > 0.08) & (stray < 0.16)
    men["x"][out] = rng.uniform(0.0, rules.page_width, n)[out]
    men["y"][out] = rng.uniform(0.0, rules.page_height, n)[out]
    men["x"] = np.clip(men["x"], 0.5, rules.page_width - 0.5)
    men["y"] = np.clip(men["y"], 0.5, rules.page_height - 0.5)
    men["home"], men["side"], men["target"] = home, side, NOWHERE
    men["alive"] = rng.random(n) < rng.uniform(0.3, 1.2)
    men["status"] = np.where(rng.random(n) < 0.1, ORDERED, HOME)
    men["status"][out & (rng.random(n) < 0.5)] = ROAD
    return men


def inside(rules: Rules, bases: NDArray[np.void], men: NDArray[np.void]) -> NDArray[np.int64]:
    """Return the own base that each man stands inside, or NOWHERE (R3.3)."""
    apart = np.hypot(men["x"][:, None] - bases["x"], men["y"][:, None] - bases["y"])
    within = (apart <= rules.inside_reach * rules.base_radius) & (men["side"][:, None] == bases["side"])
    return np.where(within.any(axis=1) & (men["status"] != ROAD), within.argmax(axis=1), NOWHERE)


def finish(scene: Scene, ink: Ink, family: str, tied: bool) -> Case:
    """Return a scene as a case: garrisons counted, the hand's deviates drawn."""
    rules, bases, men = scene.rules, scene.bases, scene.men
    men["inside"] = inside(rules, bases, men)
    garrison = np.zeros(rules.bases, np.int64)
    count_garrisons(bases, men, garrison)
    kind = LUNGE if scene.rng.random() < 0.6 else SNIPE
    normals = tuple(scene.rng.standard_normal(int(scene.rng.integers(1, 12))).tolist()) if kind == LUNGE else ()
    angle, length, bend = (float(number) for number in ink)
    return Case(family, tied, rules, bases, men, garrison, Flick(scene.man, kind, angle, length, bend, normals))


def random_cases(seed: int, count: int) -> Iterator[Case]:
    """Yield ``count`` cases; two thirds come from families that no tie was built into."""
    rng = np.random.default_rng(seed)
    made = 0
    while made < count:
        rules = RULES[int(rng.integers(len(RULES)))]
        bases = random_bases(rng, rules)
        men = random_men(rng, rules, bases)
        living = np.flatnonzero(men["alive"])
        for _ in range(min(12, count - made) if living.size else 0):
            tied = rng.random() < 1 / 3
            families = TIED if tied else FREE
            family = families[int(rng.integers(len(families)))]
            scene = Scene(rng, rules, bases.copy(), men.copy(), int(rng.choice(living)))
            yield finish(scene, family(scene), family.__name__, tied)
            made += 1
