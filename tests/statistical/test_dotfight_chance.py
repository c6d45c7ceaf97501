"""What Dotfight leaves to chance has the distribution that the rules give it: the hand, dots, random players.

Every check fails in one run of a million though nothing is wrong. With 20,000 flicks it finds, 99 times in a hundred, a
mean that is 5.2% of a standard deviation off, a variance that is 7.4% off, and a distribution function that is 3 points
off somewhere; with 5,000 dots one that is 6 points off; with 20,000 choices a choice made a fifth too often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import hypot, pi

import numpy as np
import pytest
from dotfight_pages import Scene, live
from numpy.typing import NDArray
from scipy import stats

from engine.dotfight.actions import LUNGE, SNIPE, Flick, FlickIntent, Intent, Send
from engine.dotfight.game import LiveScript
from engine.dotfight.hand import HUMAN, Skill
from engine.dotfight.page import Page
from engine.dotfight.players import PLAYERS
from engine.dotfight.players.dawood import LEVELS
from engine.dotfight.rules import Rules
from engine.rng import Streams
from lab.stats.checks import Check, check_counts, check_distribution, check_mean

FLICKS, DOTS, CHOICES = 20_000, 5_000, 20_000
Values = NDArray[np.float64]

MIDDLE = 1050.0
"""A length half way along the reference curve, where wildness is 0.5^(1/0.9)."""
WILD = 0.5 ** (1.0 / 0.9)
SPREAD = 0.012 + 0.05 * WILD**2
BOW = 0.05 * (0.3 + 0.7 * WILD)


class Constant:
    """A seat that means the same flick for ever, of the length MIDDLE at angle 0."""

    def __init__(self, rules: Rules, kind: int, skill: Skill) -> None:
        self.skill = skill
        share = (MIDDLE - rules.reach_min) / (rules.reach_max - rules.reach_min)
        self._meant = FlickIntent(0, kind, 0.0, share ** (1.0 / rules.reach_curve))

    def draw_base(self, bases: NDArray[np.void], drawn: int, rng: np.random.Generator) -> None:
        raise NotImplementedError

    def arrange(self, page: Page, rng: np.random.Generator) -> None:
        raise NotImplementedError

    def act(self, page: Page, rng: np.random.Generator) -> Intent:
        return self._meant


def flicks_of(scene: Scene, kind: int = SNIPE, skill: Skill = HUMAN) -> list[Flick]:
    """Return many flicks as they leave the hand."""
    streams, seat = Streams(20261130, kind), Constant(Rules(), kind, skill)
    script = LiveScript(scene.rules, (seat, seat), streams, np.random.default_rng(1))
    flicks = [script.action(scene.page) for _ in range(FLICKS)]
    return [flick for flick in flicks if isinstance(flick, Flick)]


def normal_checks(values: Values) -> Iterator[tuple[str, Check, float]]:
    """Check values that should be standard normal; yield each check with the discrepancy that it must find."""
    yield "mean", check_mean(values, 0.0), 0.053
    yield "variance", check_mean(values**2, 1.0), 0.075
    yield "distribution", check_distribution(values, stats.norm.cdf), 0.031


def uniform_checks(values: Values) -> Iterator[tuple[str, Check, float]]:
    """Check values that should be uniform from 0 to 1."""
    yield "mean", check_mean(values, 0.5), 0.053
    yield "distribution", check_distribution(values, stats.uniform.cdf), 0.031


def hand_checks(flicks: list[Flick], spread: float, stretch: float) -> Iterator[tuple[str, Check, float]]:
    angles, lengths, bends = np.array([(flick.angle, flick.length, flick.bend) for flick in flicks]).T
    turn, factor, bow = angles / spread, (lengths / MIDDLE - 1.0) / stretch, bends / BOW
    yield from normal_checks(turn)
    yield from normal_checks(factor)
    yield from uniform_checks((bow + 1.0) / 2.0)
    for name, pair in (("angle, length", turn * factor), ("angle, bow", turn * bow), ("length, bow", factor * bow)):
        yield f"covariance of {name}", check_mean(pair, 0.0), 0.053


def hold(checks: Iterator[tuple[str, Check, float]]) -> None:
    for name, check, finds in checks:
        assert check.passed, (name, check)
        assert check.detectable < finds, (name, check)


def caught(checks: Iterator[tuple[str, Check, float]]) -> bool:
    return not all(check.passed for _, check, _ in checks)


# The hand


@pytest.fixture(scope="module")
def flicks() -> list[Flick]:
    return flicks_of(Scene())


def test_a_human_hand_errs_as_the_rules_say(flicks: list[Flick]):
    hold(hand_checks(flicks, SPREAD, 0.07))


@pytest.mark.parametrize(
    "fault",
    [
        lambda f: Flick(0, 0, f.angle * 1.05, f.length, f.bend),
        lambda f: Flick(0, 0, f.angle + 0.06 * SPREAD, f.length, f.bend),
        lambda f: Flick(0, 0, f.angle, MIDDLE + 0.95 * (f.length - MIDDLE), f.bend),
        lambda f: Flick(0, 0, f.angle, f.length * 1.005, f.bend),
        lambda f: Flick(0, 0, f.angle, f.length, abs(f.bend)),
        lambda f: Flick(0, 0, f.angle, f.length, 0.93 * f.bend),
        lambda f: Flick(0, 0, f.angle + 0.1 * SPREAD * f.bend / BOW, f.length, f.bend),
    ],
    ids=(
        "angle's spread",
        "angle's mean",
        "length's spread",
        "length's mean",
        "bow's sign",
        "bow's size",
        "bow, angle",
    ),
)
def test_a_hand_that_errs_otherwise_is_caught(flicks: list[Flick], fault: type[Flick]):
    assert caught(hand_checks([fault(flick) for flick in flicks], SPREAD, 0.07))


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_a_player_errs_by_his_own_hand_eye_and_judgement(level: str):
    hand, eye, judge = skill = LEVELS[level].skill
    hold(hand_checks(flicks_of(Scene(), skill=skill), hypot(hand * SPREAD, eye), hypot(hand * 0.07, judge)))


def test_in_a_last_stand_a_chain_keeps_its_tremor():
    scene = Scene()
    scene.page.stand_since[0] = 1
    scene.page.chain_links = 2
    hold(hand_checks(flicks_of(scene, LUNGE), hypot(0.6 * SPREAD, 2 * 0.05), 0.6 * 0.07))


def test_a_lunges_jolts_are_standard_normal_and_a_snipe_has_none(flicks: list[Flick]):
    jolts = np.array([flick.normals[:8] for flick in flicks_of(Scene(), LUNGE)])
    for i in range(8):
        hold(normal_checks(jolts[:, i]))
    hold((("neighbours", check_mean(jolts[:, i] * jolts[:, i + 1], 0.0), 0.053)) for i in range(7))
    assert not any(flick.normals for flick in flicks)


# Dots


def jotted(count: int, seed: int = 1) -> Values:
    """Jot ``count`` men at a time into an empty base, again and again: ``(DOTS, 2)`` places from its centre."""
    scene = Scene((500.0, 850.0), (500.0, 200.0))
    script = live(scene.rules, seed=seed)
    return np.array([script.jot(scene.page, 0, count) for _ in range(DOTS // count)]).reshape(-1, 2) - (500.0, 850.0)


def disc_checks(places: Values) -> Iterator[tuple[str, Check, float]]:
    """A place is uniform over a disc if its squared radius and its angle are, and do not know of each other."""
    share = (places**2).sum(axis=1) / 46.6**2
    angle = np.arctan2(places[:, 1], places[:, 0]) / (2 * pi) + 0.5
    yield "radius", check_distribution(share, stats.uniform.cdf), 0.061
    yield "angle", check_distribution(angle, stats.uniform.cdf), 0.061
    yield "both", check_mean((share - 0.5) * (angle - 0.5), 0.0), 0.009


def test_a_dot_is_uniform_over_the_disc():
    """The disc ends 2.2·7 inside the wall: at 46.6."""
    hold(disc_checks(jotted(1)))


@pytest.mark.parametrize(
    "fault",
    [
        lambda places: places * (((places**2).sum(axis=1) ** 0.5)[:, None] / 46.6),
        lambda places: places * 0.96,
        lambda places: places + np.array([3.0, 0.0]),
        np.abs,
    ],
    ids=("crowds the middle", "too small a disc", "off the centre", "one quarter"),
)
def test_dots_drawn_otherwise_are_caught(fault: type[Values]):
    assert caught(disc_checks(fault(jotted(1))))


def test_a_base_full_of_dots_is_spaced_and_has_no_preferred_side():
    """Nobody is nearer than 22.4; the angle of a dot is uniform still, however the others push it outwards."""
    places = jotted(8)
    for base in places.reshape(-1, 8, 2):
        apart = np.hypot(*(base[:, None] - base[None]).transpose(2, 0, 1)) + np.diag([np.inf] * 8)
        assert apart.min() >= 22.4
    first = np.arctan2(places[::8, 1], places[::8, 0]) / (2 * pi) + 0.5
    assert check_distribution(first, stats.uniform.cdf).passed
    assert np.hypot(*places.T).max() <= 46.6


# Random players


def choices(forbid: tuple[str, ...] = ()) -> Counter[object]:
    """Count what the random player chooses who has two men at home, three who may be sent, and nobody owed."""
    scene = Scene((200.0, 1400.0), (200.0, 300.0), (800.0, 1400.0), (800.0, 300.0))
    for x in (180.0, 200.0, 220.0):
        scene.man(0, x, 1400.0)
    scene.man(1, 500.0, 500.0)
    seat = PLAYERS["random"].parse({"forbid": list(forbid)}).take_seat(scene.rules, 0)
    rng = np.random.default_rng(3)
    found: Counter[object] = Counter()
    for _ in range(CHOICES):
        act = seat.act(scene.page, rng)
        found[(act.source, act.target, len(act.men)) if isinstance(act, Send) else (act.man, act.kind)] += 1
    return found


@pytest.mark.parametrize(("forbid", "kinds"), [((), 9), (("lunge",), 6), (("send",), 6), (("send", "lunge"), 3)])
def test_the_random_player_takes_every_legal_action_alike(forbid: tuple[str, ...], kinds: int):
    """Three snipes, three lunges, and one, two or three men from base 0 to base 2."""
    counts = choices(forbid)
    check = check_counts(list(counts.values()), [1 / kinds] * kinds)
    assert check.passed, check
    assert check.detectable < 0.07, check


def test_a_random_player_who_has_a_favourite_is_caught():
    """A choice made a fifth too often, at the others' cost."""
    counts = list(choices().values())
    assert not check_counts([counts[0] * 1.2, *counts[1:]], [1 / 9] * 9).passed


def test_his_angles_and_powers_are_uniform():
    scene = Scene()
    scene.man(0, 500.0, 900.0), scene.man(1, 600.0, 900.0)
    seat = PLAYERS["random"]().take_seat(scene.rules, 0)
    rng = np.random.default_rng(4)
    flicks = [seat.act(scene.page, rng) for _ in range(FLICKS)]
    hold(uniform_checks(np.array([flick.angle for flick in flicks]) / (2 * pi)))
    hold(uniform_checks(np.array([flick.power for flick in flicks])))
