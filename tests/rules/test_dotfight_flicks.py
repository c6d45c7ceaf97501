"""Dotfight's clauses R7.1 to R8.5 and the flat walls: what a snipe and a lunge do."""

from __future__ import annotations

from math import cos, pi, sin

import pytest
from dotfight_pages import (
    AHEAD,
    DOWN,
    FIRST,
    LEFT,
    OUT_OF_THE_WAY,
    RIGHT,
    SECOND,
    START,
    UP,
    Scene,
    approx,
    both_geometries,
    costs,
    end,
    met,
)

from engine.dotfight.actions import LUNGE, SNIPE, Flick
from engine.dotfight.page import NOWHERE

pytestmark = both_geometries

FIRSTS, SECONDS = OUT_OF_THE_WAY


def facing_a_base(geometry: str, **rules: object) -> tuple[Scene, int]:
    """Second's base stands ahead of first's man, who is in the open; a bystander keeps second in the game."""
    scene = Scene(FIRSTS, AHEAD, (100.0, 1500.0), SECONDS, geometry=geometry, **rules)
    scene.man(3, 500.0, 200.0)
    return scene, scene.man(0, *START)


# R7.1 What a snipe does


def test_R7_1_a_snipe_crosses_out_every_enemy_until_it_runs_out_and_the_man_stays(geometry: str):
    """400 of ink: men at 100, 200 and 300 leave it 385, 375.75 and 371.9625 long; the fourth, at 390, is safe."""
    scene, man = facing_a_base(geometry)
    scene.page.bases["y"][1] = 600.0
    enemies = [scene.man(1, 138.0 + d, 850.0) for d in (100.0, 200.0, 300.0, 390.0)]
    [played] = scene.play_snipe(man, RIGHT, 400.0)
    assert played.outcome.ending.travel == approx(371.9625)
    assert [scene.alive(enemy) for enemy in enemies] == [False, False, False, True]
    assert scene.place(man) == START
    assert scene.alive(man)


# R7.2 Loss


@pytest.mark.parametrize(("garrison", "left"), [(0, 97.0), (4, 56.0), (8, 15.0)])
def test_R7_2_a_wall_takes_its_share_of_the_ink_that_is_left(geometry: str, garrison: int, left: float):
    """400 of ink, 100 of them behind the wall."""
    scene, man = facing_a_base(geometry)
    scene.garrison(1, garrison)
    assert scene.snipe(man, RIGHT, 400.0).ending.travel == approx(300.0 + left)


def test_R7_2_losses_come_one_after_the_other(geometry: str):
    """500 of ink. The wall at 300 leaves 200·0.97 = 194; the man at 362 (194 - 62)·0.95 = 125.4; the wall at 424
    (125.4 - 62)·0.97 = 61.498, counted from there. One man holds the near wall, nobody the far one."""
    scene, man = facing_a_base(geometry, snipe_loss_full=0.03)
    scene.man(1, 500.0, 850.0)
    outcome = scene.snipe(man, RIGHT, 500.0)
    assert costs(outcome) == approx([0.03, 0.05, 0.03])
    assert end(outcome) == approx((138.0 + 424.0 + 61.498, 850.0))


def test_R7_2_a_bent_line_loses_ink_not_chord(geometry: str):
    """A man half way along a bent line leaves 95% of the other half, and the line stops that far along its bow."""
    scene, man = facing_a_base(geometry)
    scene.page.bases["y"][1] = 600.0
    whole = scene.snipe(man, RIGHT, 400.0, 0.1).ending.travel
    scene.man(1, 338.0, 890.0)
    outcome = scene.snipe(man, RIGHT, 400.0, 0.1)
    assert outcome.ending.travel == approx(whole * 0.975)
    assert outcome.ending.end_y > 850.0


# R7.3 Edge


@pytest.mark.parametrize(
    ("angle", "end_at"),
    [(RIGHT, (1000.0, 850.0)), (LEFT, (0.0, 850.0)), (UP, (300.0, 0.0)), (DOWN, (300.0, 1700.0))],
)
def test_R7_3_the_edge_ends_a_line_and_the_margin_does_not(geometry: str, angle: float, end_at: tuple[float, float]):
    scene = Scene((700.0, 1500.0), (700.0, 200.0), geometry=geometry)
    man = scene.man(0, 300.0, 850.0)
    outcome = scene.snipe(man, angle, 1500.0)
    assert [event.kind for event in met(outcome)] == ["edge"]
    assert end(outcome) == approx(end_at)
    assert outcome.ending.off_page
    assert not outcome.ending.lost


# R7.4 Two with one bullet


@pytest.mark.parametrize(("row", "earned"), [(1, False), (2, True), (3, True)])
def test_R7_4_two_or_more_with_one_snipe_earn_one_more_flick(geometry: str, row: int, earned: bool):
    scene, man = facing_a_base(geometry)
    for i in range(row):
        scene.man(1, 188.0 + 50.0 * i, 850.0)
    [played] = scene.play_snipe(man, RIGHT, 280.0)
    assert played.outcome.ending.kills == row
    assert played.earned == earned
    assert (scene.page.current, scene.page.turn) == ((FIRST, 1) if earned else (SECOND, 2))
    assert scene.page.flicks_left == 1


@pytest.mark.parametrize("kind", [SNIPE, LUNGE])
def test_R7_4_any_man_plays_it_and_in_either_way(geometry: str, kind: int):
    scene, man = facing_a_base(geometry)
    other = scene.man(0, 800.0, 1200.0)
    scene.man(1, 188.0, 850.0), scene.man(1, 238.0, 850.0)
    [_, played] = scene.play(Flick(man, SNIPE, RIGHT, 280.0, 0.0), Flick(other, kind, UP, 200.0, 0.0, (0.0,)))
    assert (played.turn, played.flick.man, played.owed) == (1, other, False)
    assert scene.page.current == SECOND


def test_R7_4_it_chains_without_limit(geometry: str):
    """Three rows of two, one below the other, and then nobody: four flicks of one turn."""
    scene = Scene(geometry=geometry)
    scene.man(1, 900.0, 300.0)
    heights = [700.0, 760.0, 820.0, 880.0]
    for y in heights[:3]:
        scene.man(1, 188.0, y), scene.man(1, 238.0, y)
    played = scene.play(*[Flick(scene.man(0, 138.0, y), SNIPE, RIGHT, 200.0, 0.0) for y in heights])
    assert [(entry.turn, entry.earned) for entry in played] == [(1, True), (1, True), (1, True), (1, False)]
    assert scene.page.turn == 2


def test_R7_4_the_number_is_a_rule(geometry: str):
    scene, man = facing_a_base(geometry, snipe_earn_at=1)
    scene.man(1, 188.0, 850.0)
    assert scene.play_snipe(man, RIGHT, 280.0)[0].earned


# R8.1 What a lunge does


def test_R8_1_a_lunger_crosses_out_every_enemy_on_his_ink_and_stands_where_it_ends(geometry: str):
    scene, man = facing_a_base(geometry)
    enemies = [scene.man(1, 138.0 + d, 850.0) for d in (100.0, 200.0, 250.0)]
    scene.play_lunge(man, RIGHT, 280.0)
    assert not any(map(scene.alive, enemies))
    assert scene.place(man) == approx((418.0, 850.0))


# R8.2 Shake


@pytest.mark.parametrize(("garrison", "shake"), [(0, 0.02), (4, 0.51), (8, 1.0)])
def test_R8_2_a_wall_turns_the_rest_of_the_path_about_the_crossing(geometry: str, garrison: int, shake: float):
    """320 of ink: 300 to the wall and 20 turned there."""
    scene, man = facing_a_base(geometry)
    scene.garrison(1, garrison)
    outcome = scene.lunge(man, RIGHT, 320.0, normals=(0.7,))
    turn = 0.7 * shake
    assert outcome.events["jolt"][0] == approx(turn)
    assert end(outcome) == approx((438.0 + 20.0 * cos(turn), 850.0 + 20.0 * sin(turn)))
    assert outcome.ending.travel == approx(320.0)


def test_R8_2_a_man_crossed_out_turns_it_too(geometry: str):
    scene, man = facing_a_base(geometry)
    scene.man(1, 238.0, 850.0)
    outcome = scene.lunge(man, RIGHT, 150.0, normals=(-2.0,))
    assert outcome.events["jolt"].tolist() == approx([-0.08])
    assert end(outcome) == approx((238.0 + 50.0 * cos(0.08), 850.0 - 50.0 * sin(0.08)))


def test_R8_2_each_turn_adds_to_those_before(geometry: str):
    """Men at 100 and 200 turn by 0.04 and 0.06: pieces of 100, 100 and 80 at 0, 0.04 and 0.1 rad."""
    scene, man = facing_a_base(geometry)
    scene.man(1, 238.0, 850.0)
    scene.man(1, 238.0 + 100.0 * cos(0.04), 850.0 + 100.0 * sin(0.04))
    outcome = scene.lunge(man, RIGHT, 280.0, normals=(1.0, 1.5))
    x = 238.0 + 100.0 * cos(0.04) + 80.0 * cos(0.1)
    y = 850.0 + 100.0 * sin(0.04) + 80.0 * sin(0.1)
    assert end(outcome) == approx((x, y))


def test_R8_2_the_bow_turns_with_the_path_and_no_length_is_lost(geometry: str):
    """A quarter turn about the crossing takes where the bent line would have ended to where it ends."""
    scene, man = facing_a_base(geometry)
    straight_on = scene.lunge(man, RIGHT, 420.0, 0.1)
    turned = scene.lunge(man, RIGHT, 420.0, 0.1, normals=(pi / 2 / 0.02, 0.0))
    x, y = straight_on.events["x"][0], straight_on.events["y"][0]
    assert (x, y) != approx((438.0, 850.0))
    dx, dy = straight_on.ending.end_x - x, straight_on.ending.end_y - y
    assert end(turned) == approx((x - dy, y + dx))
    assert turned.ending.travel == approx(straight_on.ending.travel)


# R8.3 Landing


def test_R8_3_off_the_page_he_is_gone_and_his_kills_stand(geometry: str):
    scene, man = facing_a_base(geometry)
    enemy = scene.man(1, 138.0, 600.0)
    [played] = scene.play_lunge(man, UP, 900.0)
    assert played.outcome.ending.off_page
    assert played.outcome.ending.shot_in == NOWHERE
    assert not scene.alive(man)
    assert not scene.alive(enemy)


def test_R8_3_in_a_manned_enemy_base_he_is_shot_and_his_kills_stand(geometry: str):
    scene, man = facing_a_base(geometry)
    enemy, *_ = scene.man(1, 238.0, 850.0), scene.garrison(1, 1)
    [played] = scene.play_lunge(man, RIGHT, 362.0)
    assert played.outcome.ending.shot_in == 1
    assert not scene.alive(man)
    assert not scene.alive(enemy)


def test_R8_3_in_an_empty_enemy_ring_nothing_happens(geometry: str):
    scene, man = facing_a_base(geometry)
    scene.play_lunge(man, RIGHT, 362.0)
    assert scene.alive(man)
    assert scene.place(man) == approx(AHEAD)


def test_R8_3_whoever_crosses_out_the_last_man_on_his_way_in_is_safe(geometry: str):
    scene, man = facing_a_base(geometry)
    last = scene.man(1, 480.0, 850.0)
    scene.play_lunge(man, RIGHT, 380.0)
    assert scene.alive(man)
    assert not scene.alive(last)


def test_R8_3_it_is_the_circle_that_counts(geometry: str):
    """At 1.02 radii behind the base he is out of it; at 0.98 he is in."""
    scene, man = facing_a_base(geometry)
    scene.garrison(1, 3)
    assert not scene.lunge(man, RIGHT, 362.0 + 1.02 * 62.0).ending.lost
    assert scene.lunge(man, RIGHT, 362.0 + 0.98 * 62.0).ending.lost


def test_R8_3_men_who_stand_outside_shoot_nobody(geometry: str):
    scene, man = facing_a_base(geometry)
    scene.man(1, 500.0, 850.0 - 1.1 * 62.0)
    assert not scene.lunge(man, RIGHT, 362.0).ending.lost


def test_R8_3_he_may_run_right_through_a_base(geometry: str):
    scene, man = facing_a_base(geometry)
    inside, *_ = scene.man(1, 500.0, 850.0), scene.garrison(1, 2)
    outcome = scene.lunge(man, RIGHT, 500.0)
    assert outcome.crossed_out().tolist() == [inside]
    assert not outcome.ending.lost


# R8.4 Again


@pytest.mark.parametrize("men", [1, 3])
def test_R8_4_a_lunge_that_kills_and_that_he_survives_earns_one_more_by_the_same_man(geometry: str, men: int):
    scene, man = facing_a_base(geometry)
    scene.man(0, 300.0, 1200.0)
    for i in range(men):
        scene.man(1, 188.0 + 50.0 * i, 850.0)
    [played] = scene.play_lunge(man, RIGHT, 280.0)
    page = scene.page
    assert played.earned
    assert (page.current, page.flicks_left, page.chain_man, page.chain_links) == (FIRST, 1, man, 1)
    [played] = scene.play_lunge(man, RIGHT, 10.0)
    assert (played.owed, played.links, played.earned) == (True, 1, False)
    assert page.current == SECOND


def test_R8_4_links_are_counted_along_the_chain(geometry: str):
    scene, man = facing_a_base(geometry)
    for x in (188.0, 288.0, 388.0):
        scene.man(1, x, 850.0)
    played = scene.play(*[Flick(man, LUNGE, RIGHT, 100.0, 0.0, (0.0,))] * 3)
    assert [entry.links for entry in played] == [0, 1, 2]
    assert scene.page.chain_links == 3


def test_R8_4_nobody_crossed_out_earns_nothing(geometry: str):
    scene, man = facing_a_base(geometry)
    assert not scene.play_lunge(man, RIGHT, 200.0)[0].earned
    assert scene.page.current == SECOND


@pytest.mark.parametrize("garrison", [1, 0])
def test_R8_4_a_lunger_who_is_lost_earns_nothing(geometry: str, garrison: int):
    """Shot in the base ahead, or off the page behind it."""
    scene, man = facing_a_base(geometry)
    scene.man(0, 300.0, 1200.0)
    scene.man(1, 238.0, 850.0)
    scene.garrison(1, garrison)
    [played] = scene.play_lunge(man, RIGHT, 362.0 if garrison else 900.0)
    assert (played.outcome.ending.kills, played.outcome.ending.lost, played.earned) == (1, True, False)
    assert scene.page.current == SECOND


def test_R8_4_per_kill_each_man_crossed_out_earns_one(geometry: str):
    scene, man = facing_a_base(geometry, lunge_earns="per_kill")
    for x in (188.0, 238.0, 288.0):
        scene.man(1, x, 850.0)
    scene.play_lunge(man, RIGHT, 200.0)
    assert (scene.page.flicks_left, scene.page.chain_owed, scene.page.chain_man) == (3, 3, man)
    scene.play(*[Flick(man, LUNGE, DOWN, 20.0, 0.0, (0.0,))] * 2)
    assert (scene.page.current, scene.page.flicks_left) == (FIRST, 1)
    scene.play_lunge(man, DOWN, 20.0)
    assert scene.page.current == SECOND


def test_R8_4_per_kill_what_a_lost_lunger_is_owed_goes_with_him(geometry: str):
    scene, man = facing_a_base(geometry, lunge_earns="per_kill")
    scene.man(0, 300.0, 1200.0)
    for x in (188.0, 238.0, 288.0):
        scene.man(1, x, 850.0)
    scene.play_lunge(man, RIGHT, 200.0)
    scene.play_lunge(man, LEFT, 900.0)
    assert not scene.alive(man)
    assert scene.page.current == SECOND


def test_R8_4_per_kill_a_lost_lunger_leaves_the_turns_other_flicks_to_his_mates(geometry: str):
    """With two flicks in the turn and two lunges won, three are left; the lunger takes one and loses the other."""
    scene, man = facing_a_base(geometry, lunge_earns="per_kill")
    mate = scene.man(0, 300.0, 1200.0)
    scene.man(1, 188.0, 850.0), scene.man(1, 238.0, 850.0)
    scene.page.flicks_left = 2
    scene.play_lunge(man, RIGHT, 200.0)
    assert scene.page.flicks_left == 3
    scene.play_lunge(man, LEFT, 900.0)
    assert (scene.page.current, scene.page.flicks_left, scene.page.chain_man) == (FIRST, 1, NOWHERE)
    assert scene.page.can_flick().tolist() == [mate]


# R8.5 Home


def test_R8_5_a_lunger_who_ends_in_a_base_of_his_own_mans_it(geometry: str):
    """The ring's walls lie 338 and 462 to the left of an enemy."""
    scene = Scene(FIRSTS, SECONDS, AHEAD, (100.0, 200.0), geometry=geometry)
    man, enemy = scene.man(0, *START), scene.man(1, 900.0, 850.0)
    assert costs(scene.snipe(enemy, LEFT, 350.0)) == approx([0.03])
    scene.play_lunge(man, RIGHT, 362.0)
    assert scene.page.men["inside"][man] == 2
    assert costs(scene.snipe(enemy, LEFT, 350.0)) == approx([0.03 + 0.82 / 8])


def test_R8_5_one_who_leaves_it_no_longer_does(geometry: str):
    scene = Scene(AHEAD, SECONDS, geometry=geometry)
    man = scene.man(0, *AHEAD)
    enemy = scene.man(1, 900.0, 850.0)
    assert costs(scene.snipe(enemy, LEFT, 350.0)) == approx([0.03 + 0.82 / 8])
    scene.play_lunge(man, DOWN, 200.0)
    assert scene.page.men["inside"][man] == NOWHERE
    assert costs(scene.snipe(enemy, LEFT, 350.0)) == approx([0.03])


# Flat walls


@pytest.mark.parametrize("garrison", [0, 8])
def test_flat_walls_cost_the_same_whoever_is_inside(geometry: str, garrison: int):
    scene, man = facing_a_base(geometry, garrison="flat")
    scene.garrison(1, garrison)
    assert costs(scene.snipe(man, RIGHT, 500.0)) == approx([0.10, 0.10])
    assert costs(scene.lunge(man, RIGHT, 500.0)) == approx([0.08, 0.08])


def test_flat_walls_are_free_at_ones_back_and_shoot_lungers_like_any(geometry: str):
    scene = Scene((200.0, 850.0), AHEAD, geometry=geometry, garrison="flat")
    man = scene.man(0, 200.0, 850.0)
    scene.garrison(1, 1)
    outcome = scene.lunge(man, RIGHT, 300.0)
    assert costs(outcome) == approx([0.0, 0.08])
    assert outcome.ending.shot_in == 1


def test_flat_walls_have_numbers_of_their_own(geometry: str):
    scene, man = facing_a_base(geometry, garrison="flat", flat_snipe_loss=0.5, flat_lunge_shake=0.3)
    assert costs(scene.snipe(man, RIGHT, 400.0)) == approx([0.5])
    assert costs(scene.lunge(man, RIGHT, 400.0)) == approx([0.3])
