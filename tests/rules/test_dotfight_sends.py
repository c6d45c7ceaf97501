"""Dotfight's clauses R9.1 to R9.4: sending men from base to base."""

from __future__ import annotations

from itertools import combinations
from math import hypot

import numpy as np
import pytest
from dotfight_pages import FIRST, RIGHT, SECOND, UP, Scene, approx, live

from engine.dotfight.actions import SNIPE, Flick, FlickIntent, Send
from engine.dotfight.log import ConvoyArrived
from engine.dotfight.page import HOME, NOWHERE, ORDERED, ROAD
from engine.errors import GameError

FOUR = ((200.0, 1400.0), (200.0, 300.0), (800.0, 1400.0), (800.0, 300.0))
"""First's bases 600 apart: the road runs from 68 to 532 of that, and its middle is (500, 1400)."""


def ready(men: int, **rules: object) -> tuple[Scene, list[int], int, int]:
    """So many men of base 0 in a row, the nearest to base 2 first; a flicker of either side in the open."""
    scene = Scene(*FOUR, **rules)
    walkers = [scene.man(0, 240.0 - 16.0 * i, 1400.0) for i in range(men)]
    return scene, walkers, scene.man(2, 500.0, 900.0), scene.man(1, 600.0, 900.0)


def idle(man: int) -> Flick:
    """A flick that meets nobody."""
    return Flick(man, SNIPE, UP, 50.0, 0.0)


def sent(scene: Scene, men: list[int], mine: int) -> None:
    """Send men and hand the pen over."""
    scene.play(Send(0, 2, tuple(men)), idle(mine))


# R9.1 Order


@pytest.mark.parametrize("count", [1, 5])
def test_R9_1_one_to_five_men_go_and_no_flick_is_used(count: int):
    scene, walkers, _, _ = ready(6)
    scene.play(Send(0, 2, tuple(walkers[:count])))
    assert scene.page.flicks_left == 1
    assert scene.page.men["status"][walkers].tolist() == [ORDERED] * count + [HOME] * (6 - count)


@pytest.mark.parametrize("count", [0, 6])
def test_R9_1_not_none_and_not_six(count: int):
    scene, walkers, _, _ = ready(6)
    with pytest.raises(GameError, match=r"a send takes 1 to 5 men \(R9.1\)"):
        scene.play(Send(0, 2, tuple(walkers[:count])))


def test_R9_1_the_number_is_a_rule():
    scene, walkers, _, _ = ready(6, send_max=6)
    scene.play(Send(0, 2, tuple(walkers)))
    scene, walkers, _, _ = ready(6, send_max=0)
    with pytest.raises(GameError, match=r"\(R9.1\)"):
        scene.play(Send(0, 2, tuple(walkers[:1])))


@pytest.mark.parametrize(
    ("source", "target", "fault"),
    [
        (0, 1, "one's own bases"),
        (1, 3, "one's own bases"),
        (0, 4, "one's own bases"),
        (0, -1, "one's own bases"),
        (0, 0, "another base"),
    ],
)
def test_R9_1_only_between_two_of_ones_own_bases(source: int, target: int, fault: str):
    scene, walkers, _, _ = ready(1)
    with pytest.raises(GameError, match=rf"{fault} \(R9.1\)"):
        scene.play(Send(source, target, tuple(walkers)))


def test_R9_1_an_empty_ring_will_do():
    scene, walkers, mine, enemy = ready(2)
    assert 2 not in scene.page.men["inside"]
    sent(scene, walkers, mine)
    scene.play(idle(enemy))
    assert scene.page.men["inside"][walkers].tolist() == [2, 2]


@pytest.mark.parametrize(("away", "may_go"), [(82.9, True), (83.1, False)])
def test_R9_1_whoever_stands_within_the_placing_reach_and_one_may_go(away: float, may_go: bool):
    """62 + 20 + 1 = 83 from the centre."""
    scene = Scene(*FOUR)
    man, _ = scene.man(0, 200.0, 1400.0 - away), scene.man(1, 600.0, 900.0)
    if may_go:
        scene.play(Send(0, 2, (man,)))
        assert scene.page.men["status"][man] != HOME
    else:
        with pytest.raises(GameError, match=r"\(R9.1\)"):
            scene.play(Send(0, 2, (man,)))


def test_R9_1_a_guest_from_another_base_goes_too():
    scene, _, _, _ = ready(0)
    guest = scene.man(2, 200.0, 1400.0)
    scene.play(Send(0, 2, (guest,)))
    assert scene.page.men["status"][guest] == ORDERED


@pytest.mark.parametrize("which", ["the dead", "an enemy", "already ordered", "on the road"])
def test_R9_1_others_may_not(which: str):
    scene, walkers, _, _ = ready(1)
    man = {
        "the dead": 7,
        "an enemy": scene.man(1, 210.0, 1400.0),
        "already ordered": scene.man(0, 250.0, 1400.0, ORDERED),
        "on the road": scene.man(0, 252.0, 1400.0, ROAD),
    }[which]
    with pytest.raises(GameError, match=r"\(R9.1\)"):
        scene.play(Send(0, 2, (man,)))
    scene.play(Send(0, 2, tuple(walkers)))


def test_R9_1_nor_a_man_who_is_owed_a_lunge():
    scene, walkers, _, _ = ready(2)
    scene.man(1, 300.0, 1400.0)
    man = scene.man(0, 340.0, 1400.0)
    scene.play_lunge(man, np.pi, 100.0)
    assert scene.page.chain_man == man
    assert scene.place(man) == approx((240.0, 1400.0))
    with pytest.raises(GameError, match=r"\(R9.1\)"):
        scene.play(Send(0, 2, (man,)))
    scene.play(Send(0, 2, tuple(walkers)))


def test_R9_1_those_nearest_the_destination_go():
    scene, walkers, _, _ = ready(3)
    with pytest.raises(GameError, match=r"the men nearest the destination go \(R9.1\)"):
        scene.play(Send(0, 2, (walkers[0], walkers[2])))
    scene.play(Send(0, 2, (walkers[0], walkers[1])))


def test_R9_1_ties_by_number():
    scene = Scene(*FOUR)
    lower, higher, _ = scene.man(0, 220.0, 1380.0), scene.man(0, 220.0, 1420.0), scene.man(1, 600.0, 900.0)
    with pytest.raises(GameError, match=r"\(R9.1\)"):
        scene.play(Send(0, 2, (higher,)))
    scene.play(Send(0, 2, (lower,)))


# R9.2 Road


def test_R9_2_they_stay_at_home_until_the_pen_changes_hands():
    scene, walkers, mine, _ = ready(3)
    before = [scene.place(man) for man in walkers]
    scene.play(Send(0, 2, tuple(walkers)))
    assert [scene.place(man) for man in walkers] == before
    assert scene.page.men["inside"][walkers].tolist() == [0, 0, 0]
    scene.play(idle(mine))
    assert scene.page.men["inside"][walkers].tolist() == [NOWHERE] * 3


@pytest.mark.parametrize(("count", "places"), [(1, [0.0]), (2, [9.1, -9.1]), (3, [18.2, 0.0, -18.2])])
def test_R9_2_they_stand_in_a_column_about_the_middle_of_the_road_nearest_in_front(count: int, places: list[float]):
    """2.6·7 = 18.2 apart about (500, 1400)."""
    scene, walkers, mine, _ = ready(count)
    sent(scene, walkers, mine)
    assert scene.places(walkers) == approx(np.array([(500.0 + place, 1400.0) for place in places]))
    assert scene.page.men["status"][walkers].tolist() == [ROAD] * count


def test_R9_2_the_road_runs_from_wall_to_wall_in_any_direction():
    """Bases at (200, 1500) and (500, 1100), 500 apart along (0.6, -0.8): the middle is (350, 1300)."""
    scene = Scene((200.0, 1500.0), (200.0, 300.0), (500.0, 1100.0), (800.0, 300.0))
    walkers = [scene.man(0, 200.0 + 12.0 * i, 1500.0 - 16.0 * i) for i in (1, 0, -1)]
    scene.man(1, 600.0, 300.0)
    scene.play(Send(0, 2, tuple(walkers)))
    off = 18.2
    column = [(350.0 + 0.6 * off, 1300.0 - 0.8 * off), (350.0, 1300.0), (350.0 - 0.6 * off, 1300.0 + 0.8 * off)]
    assert scene.places(walkers) == approx(np.array(column))


def test_R9_2_a_walker_crossed_out_before_they_leave_leaves_no_gap():
    """Friendly fire takes the second of three; the other two stand about the middle."""
    scene, walkers, mine, _ = ready(3, friendly_fire=True)
    scene.play(Send(0, 2, tuple(walkers)))
    x, y = scene.place(walkers[1])
    scene.page.men["y"][mine], scene.page.men["x"][mine] = y + 40.0, x
    scene.play_snipe(mine, UP, 45.0)
    assert not scene.alive(walkers[1])
    assert scene.places([walkers[0], walkers[2]]) == approx(np.array([(509.1, 1400.0), (490.9, 1400.0)]))


def test_R9_2_for_exactly_one_enemy_turn():
    scene, walkers, mine, enemy = ready(2)
    sent(scene, walkers, mine)
    assert (scene.page.current, scene.page.men["status"][walkers].tolist()) == (SECOND, [ROAD, ROAD])
    scene.play(idle(enemy))
    assert (scene.page.current, scene.page.men["status"][walkers].tolist()) == (FIRST, [HOME, HOME])


# R9.3 Arrival


def test_R9_3_they_arrive_as_their_sides_next_turn_begins_and_may_flick_at_once():
    scene, walkers, mine, enemy = ready(2)
    sent(scene, walkers, mine)
    [_, arrived] = scene.play(idle(enemy))
    assert isinstance(arrived, ConvoyArrived)
    assert (arrived.turn, arrived.side, arrived.arrival.base, arrived.arrival.men) == (3, FIRST, 2, tuple(walkers))
    assert scene.page.men["home"][walkers].tolist() == [2, 2]
    assert set(walkers) <= set(scene.page.can_flick().tolist())
    scene.play(idle(walkers[0]))


@pytest.mark.parametrize("seed", range(5))
def test_R9_3_they_are_jotted_in_clear_of_everyone(seed: int):
    """Five arrive where three of their own and one enemy are: within 46.6 of the centre, 22.4 from anybody."""
    scene, walkers, mine, enemy = ready(5)
    for x, y in ((780.0, 1400.0), (820.0, 1380.0), (800.0, 1430.0)):
        scene.man(2, x, y)
    scene.man(1, 815.0, 1405.0)
    sent(scene, walkers, mine)
    scene.match.step(live(scene.rules, second=[FlickIntent(enemy, SNIPE, UP, 0.0)], seed=seed))
    places = {int(man): scene.place(int(man)) for man in np.flatnonzero(scene.page.men["alive"])}
    assert all(hypot(places[man][0] - 800.0, places[man][1] - 1400.0) <= 46.6 for man in walkers)
    assert all(
        hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]) >= 22.4
        for a, b in combinations(places, 2)
        if a in walkers or b in walkers
    )


def test_R9_3_nobody_on_the_road_can_flick():
    scene, walkers, mine, enemy = ready(2, road_turns=2)
    sent(scene, walkers, mine)
    scene.play(idle(enemy))
    assert scene.page.men["status"][walkers].tolist() == [ROAD, ROAD]
    assert scene.page.can_flick().tolist() == [mine]
    with pytest.raises(GameError, match=r"on the road \(R4.4\)"):
        scene.play(idle(walkers[0]))


@pytest.mark.parametrize("geometry", ["shapely", "kernel"])
def test_R9_3_a_line_that_crosses_a_walker_crosses_him_out(geometry: str):
    """The column stands at 481.8, 500 and 518.2 on the line y = 1400; two of the three are hit and one arrives."""
    scene, walkers, mine, _ = ready(3, geometry=geometry)
    enemy = scene.man(1, 400.0, 1400.0)
    sent(scene, walkers, mine)
    played, _, arrived = scene.play(Flick(enemy, SNIPE, RIGHT, 104.5, 0.0), idle(enemy))
    assert (played.outcome.ending.kills, played.kills_road, played.kills_inside) == (2, 2, 0)
    assert isinstance(arrived, ConvoyArrived)
    assert arrived.arrival.men == (walkers[0],)


def test_R9_3_if_all_are_crossed_out_nobody_arrives():
    scene, walkers, mine, _ = ready(1)
    enemy = scene.man(1, 400.0, 1400.0)
    sent(scene, walkers, mine)
    assert len(scene.play_snipe(enemy, RIGHT, 110.0)) == 1
    assert not scene.alive(walkers[0])


# R9.4 Long roads


def test_R9_4_the_stations_are_spread_evenly_along_the_road():
    """With two turns at 1/3 and 2/3 of the 464 from (268, 1400), and there in the third."""
    scene, walkers, mine, enemy = ready(1, road_turns=2)
    sent(scene, walkers, mine)
    assert scene.place(walkers[0]) == approx((268.0 + 464.0 / 3, 1400.0))
    scene.play(idle(enemy), idle(mine))
    assert scene.place(walkers[0]) == approx((268.0 + 464.0 * 2 / 3, 1400.0))
    scene.play(idle(enemy))
    assert scene.page.men["status"][walkers].tolist() == [HOME]
    assert scene.page.men["inside"][walkers].tolist() == [2]


def test_R9_4_two_convoys_may_be_on_one_road():
    scene, walkers, mine, enemy = ready(2, road_turns=2)
    sent(scene, walkers[:1], mine)
    scene.play(idle(enemy))
    sent(scene, walkers[1:], mine)
    stations = [(268.0 + 464.0 * 2 / 3, 1400.0), (268.0 + 464.0 / 3, 1400.0)]
    assert scene.places(walkers) == approx(np.array(stations))
    scene.play(idle(enemy))
    assert scene.page.men["status"][walkers].tolist() == [HOME, ROAD]


def test_R9_4_it_is_one_turn():
    assert Scene().rules.road_turns == 1
