"""What must not matter in Dotfight does not, and rules at their limits do what they must.

The positions are those of whole games between players who do all sorts of things.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cache
from math import atan2, hypot
from typing import Any

import numpy as np
import pytest
from dotfight_pages import DOWN, RIGHT, START, Scene, both_geometries, live

from engine.dotfight.actions import LUNGE, SNIPE, Flick, FlickIntent
from engine.dotfight.adjudicate import judge_of
from engine.dotfight.game import DOTFIGHT, Played
from engine.dotfight.hand import power_for
from engine.dotfight.log import FlickPlayed
from engine.dotfight.match import Match
from engine.dotfight.outcome import EDGE, MAN_HIT, WALL, Outcome
from engine.dotfight.page import Garrisons, Page, count_garrisons
from engine.dotfight.players import PLAYERS
from engine.dotfight.record import RecordedScript
from engine.dotfight.rules import Rules
from engine.dotfight.turn import apply_flick
from engine.errors import RecordError
from engine.rng import Streams

pytestmark = both_geometries

QUICK = Rules(bases_per_side=3, geometry="kernel")
HEIGHT = QUICK.page_height


@cache
def games() -> tuple[Played, ...]:
    """Two games of Dawood-bot's and two at random, with chains, sends and last stands."""
    return tuple(
        DOTFIGHT.play(QUICK, (PLAYERS[name](), PLAYERS[name]()), Streams(seed, 0))
        for name, seed in (("dawood", 1), ("dawood", 2), ("random", 3), ("random", 4))
    )


@dataclass(frozen=True)
class Moment:
    """A flick of a game, and the page it was played on."""

    page: Page
    flick: Flick


@cache
def moments() -> tuple[Moment, ...]:
    found: list[Moment] = []
    for game in games():
        page = game.start.copy()
        match, script = Match(QUICK, page), RecordedScript(QUICK, game.actions())
        while not page.over:
            before, played = page.copy(), len(match.log)
            match.step(script)
            entry = match.log[played]
            if isinstance(entry, FlickPlayed):
                found.append(Moment(before, entry.flick))
    return tuple(found)


def judged(rules: Rules, page: Page, flick: Flick) -> Outcome:
    garrison = np.zeros(rules.bases, np.int64)
    count_garrisons(page.bases, page.men, garrison)
    return judge_of(rules, page.bases).judge(page.men, garrison, flick)


def rules_of(geometry: str, **settings: object) -> Rules:
    return Rules.parse({"geometry": geometry, **settings}, QUICK)


# The mirror


def mirrored(record: dict[str, Any], turn: float = -1.0) -> dict[str, Any]:
    """Turn a record's page upside down; ``turn`` 1 forgets to mirror jolts."""
    other = copy.deepcopy(record)
    for spot in other["bases"] + other["men"]:
        spot[1] = HEIGHT - spot[1]
    for action in other["actions"]:
        for spot in action.get("spots", ()):
            spot[1] = HEIGHT - spot[1]
        if action["do"] in ("snipe", "lunge"):
            action["angle"], action["bend"] = -action["angle"], -action["bend"]
            action["normals"] = [turn * normal for normal in action["normals"]]
    return other


@pytest.mark.parametrize("number", range(4))
def test_a_game_upside_down_is_the_same_game_upside_down(number: int, geometry: str):
    record = games()[number].record()
    record["rules"]["geometry"] = geometry
    this, other = DOTFIGHT.replay(record), DOTFIGHT.replay(mirrored(record))
    assert other.end.winner == this.end.winner
    for name in ("alive", "inside", "status", "home", "side"):
        assert other.end.men[name].tolist() == this.end.men[name].tolist()
    assert other.end.men["x"] == pytest.approx(this.end.men["x"], abs=1e-7)
    assert other.end.men["y"] == pytest.approx(HEIGHT - this.end.men["y"], abs=1e-7)
    assert [type(entry) for entry in other.log] == [type(entry) for entry in this.log]


def test_a_mirror_that_forgets_the_jolts_is_noticed(geometry: str):
    """Men then end elsewhere, or an action is no longer legal."""
    record = games()[0].record()
    record["rules"]["geometry"] = geometry
    this = DOTFIGHT.replay(record)
    try:
        other = DOTFIGHT.replay(mirrored(record, turn=1.0))
    except RecordError:
        return
    assert other.end.men["y"] != pytest.approx(HEIGHT - this.end.men["y"], abs=1e-7)


# The colours


def recoloured(page: Page) -> Page:
    other = page.copy()
    other.bases["side"] = 1 - page.bases["side"]
    other.men["side"] = 1 - page.men["side"]
    other.pen["current"] = 1 - page.pen["current"]
    other.pen["stand_since"] = page.pen["stand_since"][:, ::-1]
    return other


def test_with_the_colours_swapped_a_flick_does_the_same(geometry: str):
    rules = rules_of(geometry)
    for moment in moments():
        this, other = moment.page.copy(), recoloured(moment.page)
        mine, theirs = judged(rules, this, moment.flick), judged(rules, other, moment.flick)
        assert theirs.ending == mine.ending
        assert theirs.events.tobytes() == mine.events.tobytes()
        after = apply_flick(rules, this, Garrisons(this), moment.flick, mine)
        swapped = apply_flick(rules, other, Garrisons(other), moment.flick, theirs)
        assert (swapped.living_second, swapped.living_first) == (after.living_first, after.living_second)
        assert (swapped.earned, swapped.hand_over, swapped.kills_inside) == (
            after.earned,
            after.hand_over,
            after.kills_inside,
        )
        assert this.men.tobytes() == recoloured(other).men.tobytes()
        assert (other.winner == 1 - this.winner) or this.winner == -1 == other.winner


def test_the_moments_are_of_all_sorts(geometry: str):
    outcomes = [judged(rules_of(geometry), moment.page, moment.flick) for moment in moments()]
    kinds = [kind for outcome in outcomes for kind in outcome.events["kind"]]
    assert len(outcomes) > 150
    assert min(kinds.count(kind) for kind in (EDGE, WALL, MAN_HIT)) > 20
    assert any(outcome.ending.shot_in >= 0 for outcome in outcomes)
    assert {moment.flick.kind for moment in moments()} == {SNIPE, LUNGE}


# A hand without error


STEADY = {"angle_error": 0.0, "angle_error_wild": 0.0, "length_error": 0.0, "bend_max": 0.0, "link_tremor": 0.0}


@pytest.mark.parametrize("kind", [SNIPE, LUNGE])
@pytest.mark.parametrize("links", [0, 3])
def test_a_hand_without_error_hits_what_it_is_aimed_at(kind: int, links: int, geometry: str):
    rng = np.random.default_rng(5)
    for _ in range(40):
        scene = Scene((900.0, 1600.0), (900.0, 100.0), geometry=geometry, **STEADY)
        (x, y), (aim_x, aim_y) = rng.uniform(100.0, 800.0, 2), rng.uniform(100.0, 800.0, 2)
        man, enemy = scene.man(0, x, y), scene.man(1, aim_x, aim_y)
        distance = hypot(aim_x - x, aim_y - y)
        scene.page.chain_links = links
        power = power_for(scene.rules.numbers[0], distance)
        meant = FlickIntent(man, kind, atan2(aim_y - y, aim_x - x), power)
        flick = live(scene.rules, [meant], seed=int(rng.integers(1000))).action(scene.page)
        assert isinstance(flick, Flick)
        hit = scene.judge(flick).crossed_out().tolist()
        assert hit == ([enemy] if distance >= 10.5 else [])


def test_a_hand_with_error_does_not_always(geometry: str):
    scene = Scene(geometry=geometry)
    man, _ = scene.man(0, 100.0, 850.0), scene.man(1, 900.0, 850.0)
    meant = FlickIntent(man, SNIPE, RIGHT, power_for(scene.rules.numbers[0], 860.0))
    flicks = [live(scene.rules, [meant], seed=seed).action(scene.page) for seed in range(60)]
    hits = sum(scene.judge(flick).ending.kills for flick in flicks if isinstance(flick, Flick))
    assert 0 < hits < 60


def test_a_last_stand_with_no_error_left_hits_too(geometry: str):
    scene = Scene(geometry=geometry, last_stand_steadiness=0.0, bend_max=0.0)
    man, _ = scene.man(0, 100.0, 850.0), scene.man(1, 900.0, 850.0)
    scene.page.stand_since[0] = 1
    meant = FlickIntent(man, SNIPE, RIGHT, power_for(scene.rules.numbers[0], 860.0))
    flicks = [live(scene.rules, [meant], seed=seed).action(scene.page) for seed in range(20)]
    assert all(scene.judge(flick).ending.kills for flick in flicks if isinstance(flick, Flick))


# Walls at their limits


NO_COST = (
    {"snipe_loss_empty": 0.0, "snipe_loss_full": 0.0, "lunge_shake_empty": 0.0, "lunge_shake_full": 0.0},
    {"garrison": "flat", "flat_snipe_loss": 0.0, "flat_lunge_shake": 0.0},
)


def without_walls(page: Page) -> Page:
    """The same men, the bases taken far off the page."""
    other = page.copy()
    other.bases["x"] += 1e6
    return other


def but_walls(outcome: Outcome) -> list[tuple[int, int, float, float, float]]:
    return [
        (int(event["kind"]), int(event["ref"]), float(event["d"]), float(event["x"]), float(event["y"]))
        for event in outcome.events
        if event["kind"] != WALL
    ]


@pytest.mark.parametrize("settings", NO_COST, ids=("manned", "flat"))
def test_walls_of_no_cost_are_as_no_walls(settings: dict[str, Any], geometry: str):
    """Jolts at walls of no shake use up chance, so men turn nobody here either; landing inside is left out."""
    rules = rules_of(geometry, lunge_man_shake=0.0, **settings)
    walls = 0
    for moment in moments():
        with_walls = judged(rules, moment.page, moment.flick)
        without = judged(rules, without_walls(moment.page), moment.flick)
        walls += len(with_walls.events) - len(without.events)
        assert with_walls.ending.travel == pytest.approx(without.ending.travel, rel=1e-9)
        assert [event[:2] for event in but_walls(with_walls)] == [event[:2] for event in but_walls(without)]
        for mine, theirs in zip(but_walls(with_walls), but_walls(without), strict=True):
            assert mine == pytest.approx(theirs, rel=1e-9, abs=1e-7)
    assert walls > 200


def test_walls_that_cost_are_not(geometry: str):
    rules = rules_of(geometry)
    differ = [
        judged(rules, moment.page, moment.flick).ending.travel
        != pytest.approx(judged(rules, without_walls(moment.page), moment.flick).ending.travel)
        for moment in moments()
    ]
    assert sum(differ) > 20


def test_walls_of_full_loss_stop_a_snipe(geometry: str):
    """It ends at the first wall that is not free, and hits beyond it only whom that end reaches."""
    rules = rules_of(geometry, snipe_loss_empty=1.0, snipe_loss_full=1.0)
    stopped = 0
    for moment in moments():
        if moment.flick.kind == SNIPE:
            outcome = judged(rules, moment.page, moment.flick)
            paid = [event for event in outcome.events if event["kind"] == WALL and not event["free"]]
            if paid:
                stopped += 1
                assert outcome.ending.travel == pytest.approx(float(paid[0]["d"]))
                assert len(paid) == 1
                assert all(event["d"] <= paid[0]["d"] for event in outcome.events)
    assert stopped > 20


def test_men_of_full_loss_stop_a_snipe(geometry: str):
    rules = rules_of(geometry, snipe_man_loss=1.0)
    hits = [judged(rules, moment.page, moment.flick) for moment in moments() if moment.flick.kind == SNIPE]
    hits = [outcome for outcome in hits if outcome.ending.kills]
    assert len(hits) > 10
    for outcome in hits:
        first = next(event for event in outcome.events if event["kind"] == MAN_HIT)
        assert outcome.ending.travel == pytest.approx(float(first["d"]))


def test_a_lunge_that_nothing_shakes_runs_straight(geometry: str):
    scene = Scene((500.0, 1500.0), (500.0, 850.0), geometry=geometry, lunge_shake_empty=0.0, lunge_shake_full=0.0,
                  lunge_man_shake=0.0)  # fmt: skip
    man = scene.man(0, *START)
    scene.garrison(1, 8)
    outcome = scene.lunge(man, RIGHT, 700.0, normals=(2.0, -1.5, 0.7))
    assert (outcome.ending.end_x, outcome.ending.end_y) == pytest.approx((838.0, 850.0))
    assert scene.lunge(man, DOWN, 200.0, normals=(3.0,)).ending.end_y == pytest.approx(1050.0)
