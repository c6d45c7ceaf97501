"""Dotfight's clauses R6.1 to R6.7: the path of the ink, and what it meets."""

from __future__ import annotations

from itertools import pairwise
from math import hypot, pi

import pytest
from dotfight_pages import AHEAD, OUT_OF_THE_WAY, RIGHT, START, Met, Scene, approx, both_geometries, costs, end, met

from engine.dotfight.page import ORDERED, ROAD

pytestmark = both_geometries

FIRSTS, SECONDS = OUT_OF_THE_WAY


TURN_BACK = pi / 0.02
"""The normal that turns a lunger right round at the wall of an empty ring, whose shake is 0.02."""


def facing_a_base(geometry: str, **rules: float) -> tuple[Scene, int]:
    """Second's base stands ahead of first's man, who is in the open."""
    scene = Scene(FIRSTS, AHEAD, geometry=geometry, **rules)
    return scene, scene.man(0, *START)


def in_the_open(geometry: str, **rules: object) -> tuple[Scene, int]:
    """No base is near."""
    scene = Scene(geometry=geometry, **rules)
    return scene, scene.man(0, *START)


# R6.1 Path


@pytest.mark.parametrize("bend", [0.0, 0.05, -0.05, 0.3])
def test_R6_1_the_chord_has_the_length_and_the_angle(geometry: str, bend: float):
    scene, man = in_the_open(geometry)
    assert end(scene.snipe(man, 0.5, 400.0, bend)) == approx(
        (138 + 400 * 0.8775825618903728, 850 + 400 * 0.479425538604203)
    )


@pytest.mark.parametrize("bend", [0.05, -0.05])
def test_R6_1_the_ink_leaves_the_chord_by_the_bow_in_the_middle(geometry: str, bend: float):
    """Chord 400, bow 20: at angle 0, (-sin, cos) is down the page for a positive bow."""
    scene, man = in_the_open(geometry)
    on_it = scene.man(1, 338.0, 850.0 + 400.0 * bend)
    opposite = scene.man(1, 338.0, 850.0 - 400.0 * bend)
    outcome = scene.snipe(man, RIGHT, 400.0, bend)
    assert outcome.crossed_out().tolist() == [on_it]
    assert opposite not in outcome.crossed_out()
    event = outcome.events[0]
    assert (event["x"], event["y"]) == approx((338.0, 850.0 + 400.0 * bend))


def test_R6_1_the_curve_is_walked_in_pieces_equal_in_its_parameter(geometry: str):
    """Two pieces of a chord of 800 with a bow of 300: two sides of 400 by 300, which are 500 long each."""
    scene, man = in_the_open(geometry, ink_segments=2)
    assert scene.snipe(man, RIGHT, 800.0, 0.375).ending.travel == approx(1000.0)


def test_R6_1_there_are_32_pieces(geometry: str):
    """In t the chord runs evenly and the bow as 4·bow·t(1 - t)."""
    scene, man = in_the_open(geometry)
    corners = [(800 * i / 32, 4 * 40 * (i / 32) * (1 - i / 32)) for i in range(33)]
    walked = sum(hypot(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(corners))
    assert scene.snipe(man, RIGHT, 800.0, 0.05).ending.travel == approx(walked, rel=1e-12)


# R6.2 Order


def test_R6_2_things_happen_in_order_of_distance(geometry: str):
    scene, man = facing_a_base(geometry)
    behind, inside, before = (scene.man(1, x, 850.0) for x in (700.0, 500.0, 300.0))
    outcome = scene.lunge(man, RIGHT, 900.0)
    assert met(outcome) == [
        Met("man", before, approx(162.0)),
        Met("wall", 1, approx(300.0)),
        Met("man", inside, approx(362.0)),
        Met("wall", 1, approx(424.0)),
        Met("man", behind, approx(562.0)),
        Met("edge", -1, approx(862.0)),
    ]


def test_R6_2_a_man_is_met_where_the_ink_comes_nearest_to_him(geometry: str):
    """Not 8.05 sooner, where it comes within reach."""
    scene, man = in_the_open(geometry)
    scene.man(1, 338.0, 856.1)
    event = scene.snipe(man, RIGHT, 400.0).events[0]
    assert (event["d"], event["x"], event["y"]) == approx((200.0, 338.0, 850.0))


def test_R6_2_near_men_are_met_in_order_of_their_nearest_points(geometry: str):
    """The ink is within reach of the later man first, for the earlier one stands aside."""
    scene, man = in_the_open(geometry)
    later = scene.man(1, 339.0, 850.0)
    earlier = scene.man(1, 338.0, 860.0)
    assert scene.snipe(man, RIGHT, 400.0).crossed_out().tolist() == [earlier, later]


@pytest.mark.parametrize(("gap", "hit"), [(10.0, True), (10.2, False)])
def test_R6_2_the_end_of_the_ink_hits_whoever_is_within_its_reach(geometry: str, gap: float, hit: bool):
    scene, man = in_the_open(geometry)
    enemy = scene.man(1, 138.0 + 200.0 + gap, 850.0)
    assert met(scene.snipe(man, RIGHT, 200.0)) == ([Met("man", enemy, approx(200.0))] if hit else [])


@pytest.mark.parametrize(("gap", "hit"), [(10.0, True), (10.2, False)])
def test_R6_2_so_does_an_end_that_a_wall_brought_about(geometry: str, gap: float, hit: bool):
    """Of 400 an empty ring's wall at 300 leaves 397."""
    scene, man = facing_a_base(geometry)
    enemy = scene.man(1, 138.0 + 397.0 + gap, 850.0, ROAD)
    outcome = scene.snipe(man, RIGHT, 400.0)
    assert outcome.ending.travel == approx(397.0)
    assert met(outcome)[1:] == ([Met("man", enemy, approx(397.0))] if hit else [])


def test_R6_2_two_at_the_end_come_by_number(geometry: str):
    scene, man = in_the_open(geometry)
    farther, nearer = scene.man(1, 347.0, 850.0), scene.man(1, 345.0, 850.0)
    assert farther < nearer
    assert scene.snipe(man, RIGHT, 200.0).crossed_out().tolist() == [farther, nearer]


def test_R6_2_a_wall_comes_before_a_man_at_the_same_point(geometry: str):
    scene, man = facing_a_base(geometry)
    on_the_wall = scene.man(1, 438.0, 850.0)
    assert met(scene.snipe(man, RIGHT, 320.0)) == [Met("wall", 1, 300.0), Met("man", on_the_wall, 300.0)]


def test_R6_2_walls_at_the_same_point_come_by_number(geometry: str):
    """The base with the higher number is left where the one with the lower number is entered."""
    scene = Scene(FIRSTS, (562.0, 850.0), (100.0, 1500.0), (438.0, 850.0), geometry=geometry, snipe_loss_empty=0.0)
    man = scene.man(0, 122.0, 850.0)
    middle = [event for event in met(scene.snipe(man, RIGHT, 512.0)) if event.d == approx(378.0)]
    assert [event.ref for event in middle] == [1, 3]


def test_R6_2_men_at_the_same_distance_come_by_number(geometry: str):
    scene, man = in_the_open(geometry)
    lower, higher = scene.man(1, 394.0, 856.0), scene.man(1, 394.0, 844.0)
    assert scene.snipe(man, RIGHT, 512.0).crossed_out().tolist() == [lower, higher]


def test_R6_2_the_edge_comes_before_a_man_who_stands_on_it(geometry: str):
    scene, man = in_the_open(geometry)
    scene.man(1, 1000.0, 850.0)
    assert met(scene.snipe(man, RIGHT, 1024.0)) == [Met("edge", -1, 862.0)]


@pytest.mark.parametrize("status", [ORDERED, ROAD])
def test_R6_2_enemies_who_walk_are_met_like_any(geometry: str, status: int):
    scene, man = in_the_open(geometry)
    assert scene.snipe(man, RIGHT, 400.0).ending.kills == 0
    scene.man(1, 338.0, 850.0, status)
    assert scene.snipe(man, RIGHT, 400.0).ending.kills == 1


def test_R6_2_own_men_are_not_met_and_cost_nothing(geometry: str):
    scene, man = in_the_open(geometry)
    scene.man(0, 338.0, 850.0)
    outcome = scene.snipe(man, RIGHT, 400.0)
    assert met(outcome) == []
    assert outcome.ending.travel == approx(400.0)


def test_R6_2_with_friendly_cost_own_men_cost_and_live(geometry: str):
    """A man takes 5% of the 200 that are left."""
    scene, man = in_the_open(geometry, friendly_cost=True)
    friend, _ = scene.man(0, 338.0, 850.0), scene.man(1, 500.0, 300.0)
    [played] = scene.play_snipe(man, RIGHT, 400.0)
    assert played.outcome.ending.travel == approx(390.0)
    assert played.outcome.ending.kills == 0
    assert scene.alive(friend)


def test_R6_2_with_friendly_fire_own_men_are_crossed_out_and_earn_nothing(geometry: str):
    scene, man = in_the_open(geometry, friendly_fire=True)
    friends, _ = [scene.man(0, x, 850.0) for x in (238.0, 338.0)], scene.man(1, 500.0, 300.0)
    [played] = scene.play_snipe(man, RIGHT, 400.0)
    assert not any(scene.alive(friend) for friend in friends)
    assert played.outcome.ending.kills == 0
    assert not played.earned


# R6.3 Too near


@pytest.mark.parametrize(("away", "hit"), [(10.4, False), (10.6, True)])
def test_R6_3_a_man_met_within_a_dot_and_a_half_of_ink_is_not_hit(geometry: str, away: float, hit: bool):
    scene, man = in_the_open(geometry)
    scene.man(1, 138.0 + away, 850.0)
    for outcome in (scene.snipe(man, RIGHT, 400.0), scene.lunge(man, RIGHT, 400.0)):
        assert outcome.ending.kills == int(hit)


def test_R6_3_a_man_is_hit_once_though_a_lunger_comes_back_to_him(geometry: str):
    """Past a man at 100, turned round by the wall at 300, past the man again, to the start and beyond."""
    scene, man = facing_a_base(geometry)
    enemy = scene.man(1, 238.0, 850.0)
    outcome = scene.lunge(man, RIGHT, 700.0, normals=(0.0, TURN_BACK, 0.0))
    assert met(outcome) == [Met("man", enemy, approx(100.0)), Met("wall", 1, approx(300.0))]
    assert end(outcome) == approx((38.0, 850.0))


# R6.4 The wall at one's back


@pytest.mark.parametrize("base", [0, 1])
def test_R6_4_the_wall_at_ones_back_is_free_whoever_holds_it(geometry: str, base: int):
    centres = [FIRSTS, SECONDS]
    centres[base] = (200.0, 850.0)
    scene = Scene(*centres, geometry=geometry)
    man = scene.man(0, 200.0, 850.0)
    scene.garrison(base, 6)
    snipe, lunge = scene.snipe(man, RIGHT, 400.0), scene.lunge(man, RIGHT, 400.0, normals=(3.0,))
    for outcome in (snipe, lunge):
        assert met(outcome) == [Met("wall", base, approx(62.0))]
        assert outcome.events["free"].tolist() == [1]
        assert costs(outcome) == [0.0]
        assert end(outcome) == approx((600.0, 850.0))


def test_R6_4_crossing_it_again_costs(geometry: str):
    """Out of his base at 62, turned round by the other's wall at 238, in again at 414."""
    scene = Scene((200.0, 850.0), AHEAD, geometry=geometry)
    man = scene.man(0, 200.0, 850.0)
    outcome = scene.lunge(man, RIGHT, 600.0, normals=(TURN_BACK, 0.0))
    assert met(outcome) == [Met("wall", 0, approx(62.0)), Met("wall", 1, approx(238.0)), Met("wall", 0, approx(414.0)),
                            Met("wall", 0, approx(538.0))]  # fmt: skip
    assert outcome.events["free"].tolist() == [1, 0, 0, 0]
    assert costs(outcome) == approx([0.0, 0.02, 0.02, 0.02])


def test_R6_4_it_is_the_circle_that_counts_not_being_inside(geometry: str):
    """At 1.03 radii a man is inside by R3.3, but his base's wall is before him, not at his back."""
    scene = Scene((500.0, 850.0), SECONDS, geometry=geometry)
    man = scene.man(0, 500.0 - 1.03 * 62.0, 850.0)
    assert scene.page.men["inside"][man] == 0
    outcome = scene.snipe(man, RIGHT, 400.0)
    assert met(outcome)[0] == Met("wall", 0, approx(0.03 * 62.0))
    assert outcome.events["free"].tolist() == [0, 0]
    assert costs(outcome) == approx([0.03, 0.03])


# R6.5 Garrison


@pytest.mark.parametrize(
    ("extra", "counted"),
    [
        ("nobody", 4),
        ("at 1.04 radii", 5),
        ("at 1.06 radii", 4),
        ("ordered to walk", 5),
        ("on the road", 4),
        ("an enemy", 4),
    ],
)
def test_R6_5_a_wall_is_held_by_its_own_living_men_inside(geometry: str, extra: str, counted: int):
    """Of 8 dots c hold it: a snipe loses 0.03 + 0.82·c/8."""
    scene, man = facing_a_base(geometry)
    scene.garrison(1, 4)
    if extra == "an enemy":
        scene.man(0, 500.0, 800.0)
    elif extra != "nobody":
        away = {"at 1.04 radii": 1.04 * 62.0, "at 1.06 radii": 1.06 * 62.0}.get(extra, 50.0)
        status = {"ordered to walk": ORDERED, "on the road": ROAD}.get(extra, 0)
        scene.man(1, 500.0, 850.0 - away, status)
    assert costs(scene.snipe(man, RIGHT, 310.0)) == approx([0.03 + 0.82 * counted / 8])


def test_R6_5_the_flicker_does_not_hold_his_own_wall(geometry: str):
    scene = Scene((500.0, 850.0), SECONDS, geometry=geometry)
    man = scene.man(0, 500.0 - 1.03 * 62.0, 850.0)
    scene.garrison(0, 4)
    assert costs(scene.snipe(man, RIGHT, 60.0)) == approx([0.44])


def test_R6_5_whoever_this_line_has_crossed_out_does_not_hold_the_far_wall(geometry: str):
    """Five hold the near wall, four the far one."""
    scene, man = facing_a_base(geometry)
    scene.man(1, 500.0, 850.0)
    scene.garrison(1, 4)
    assert costs(scene.lunge(man, RIGHT, 600.0)) == approx([0.02 + 0.98 * 5 / 8, 0.04, 0.02 + 0.98 * 4 / 8])


# R6.6 Strength


@pytest.mark.parametrize("count", range(9))
def test_R6_6_strength_is_a_straight_line_from_empty_to_full(geometry: str, count: int):
    scene, man = facing_a_base(geometry)
    scene.garrison(1, count)
    assert costs(scene.snipe(man, RIGHT, 310.0)) == approx([0.03 + 0.82 * count / 8])
    assert costs(scene.lunge(man, RIGHT, 310.0)) == approx([0.02 + 0.98 * count / 8])


@pytest.mark.parametrize(("curve", "strength"), [(2.0, 0.25), (0.5, 0.7071067811865476)])
def test_R6_6_the_curve_is_a_power_of_the_share(geometry: str, curve: float, strength: float):
    scene, man = facing_a_base(geometry, garrison_curve=curve)
    scene.garrison(1, 4)
    assert costs(scene.snipe(man, RIGHT, 310.0)) == approx([0.03 + 0.82 * strength])


def test_R6_6_overfull_is_no_stronger_than_full(geometry: str):
    scene = Scene(FIRSTS, AHEAD, (100.0, 1500.0), SECONDS, geometry=geometry, soldiers_per_base=4)
    man = scene.man(0, *START)
    scene.garrison(1, 4)
    guests = [scene.man(3, x, 885.0) for x in (480.0, 520.0)]
    assert scene.page.men["inside"][guests].tolist() == [1, 1]
    assert costs(scene.snipe(man, RIGHT, 310.0)) == approx([0.85])


# R6.7 Own walls


def test_R6_7_ones_own_other_bases_act_alike(geometry: str):
    scene = Scene(FIRSTS, SECONDS, AHEAD, (100.0, 200.0), geometry=geometry)
    man = scene.man(0, *START)
    scene.garrison(2, 4)
    assert costs(scene.snipe(man, RIGHT, 310.0)) == approx([0.44])
    assert costs(scene.lunge(man, RIGHT, 310.0)) == approx([0.51])
