"""Dotfight's clauses R4.1 to R4.4 and R10.1 to R12.2: turns, who may flick, last stands, the end."""

from __future__ import annotations

import pytest
from dotfight_pages import DOWN, FIRST, LEFT, RIGHT, SECOND, UP, Scene, approx, live

from engine.dotfight.actions import LUNGE, SNIPE, Decline, Flick, FlickIntent, Send
from engine.dotfight.game import DOTFIGHT
from engine.dotfight.log import FlickPlayed
from engine.dotfight.page import NOWHERE, ORDERED, ROAD
from engine.dotfight.players import PLAYERS
from engine.dotfight.rules import Rules
from engine.errors import GameError
from engine.rng import Streams

FOUR = ((300.0, 1400.0), (300.0, 300.0), (700.0, 1400.0), (700.0, 300.0))
"""Two bases a side: first's, 400 apart, below; second's above."""


def quiet(*centres: tuple[float, float], **rules: object) -> tuple[Scene, int, int]:
    """A man of either side in the open, where their soft flicks down and up meet nobody."""
    scene = Scene(*centres, **rules)
    return scene, scene.man(0, 500.0, 900.0), scene.man(1, 600.0, 900.0)


def idle(man: int, angle: float = DOWN) -> Flick:
    """A flick that meets nobody."""
    return Flick(man, SNIPE, angle, 50.0, 0.0)


# R4.1 Counting


def test_R4_1_turn_1_is_firsts_and_each_hand_over_of_the_pen_begins_the_next():
    scene, mine, theirs = quiet()
    seen = [(scene.page.turn, scene.page.current)]
    for man in (mine, theirs, mine):
        scene.play(idle(man))
        seen.append((scene.page.turn, scene.page.current))
    assert seen == [(1, FIRST), (2, SECOND), (3, FIRST), (4, SECOND)]


# R4.2 Content


def test_R4_2_a_turn_is_one_flick():
    scene, mine, _ = quiet()
    [played] = scene.play(idle(mine))
    assert isinstance(played, FlickPlayed)
    with pytest.raises(GameError, match="not his side's turn"):
        scene.play(idle(mine))


def test_R4_2_a_send_may_come_before_the_flick_that_ends_the_turn():
    scene, mine, _ = quiet(*FOUR)
    walker = scene.man(0, 300.0, 1400.0)
    scene.play(Send(0, 2, (walker,)))
    assert (scene.page.current, scene.page.turn, scene.page.flicks_left) == (FIRST, 1, 1)
    scene.play(idle(mine))
    assert (scene.page.current, scene.page.turn) == (SECOND, 2)


def test_R4_2_one_may_come_between_two_flicks_of_a_turn_too():
    scene, mine, _ = quiet(*FOUR)
    [walker] = scene.garrison(0, 1)
    scene.man(1, 550.0, 900.0)
    scene.man(1, 900.0, 100.0)
    assert scene.play_snipe(mine, RIGHT, 200.0)[0].earned
    scene.play(Send(0, 2, (walker,)))
    assert (scene.page.turn, scene.page.men["status"][walker]) == (1, ORDERED)


def test_R4_2_not_two_sends():
    scene, _, _ = quiet(*FOUR)
    near, far = scene.man(0, 330.0, 1400.0), scene.man(0, 270.0, 1400.0)
    scene.play(Send(0, 2, (near,)))
    with pytest.raises(GameError, match=r"this turn's send is used \(R9.1\)"):
        scene.play(Send(0, 2, (far,)))


# R4.3 End


def test_R4_3_an_earned_flick_goes_on_with_the_turn_until_none_is_left():
    scene, mine, _ = quiet()
    scene.man(1, 550.0, 900.0)
    scene.man(1, 900.0, 100.0)
    scene.play_snipe(mine, RIGHT, 200.0)
    assert (scene.page.turn, scene.page.flicks_left) == (1, 1)
    scene.play(idle(mine))
    assert scene.page.turn == 2


def test_R4_3_the_turn_ends_when_nobody_can_flick_though_a_flick_is_left():
    """Of two flicks in a last stand the only man at home plays one and runs off the page; the other man is to walk."""
    scene = Scene(*FOUR, last_stand_at=2)
    runner, walker = scene.man(0, 500.0, 900.0), scene.man(0, 330.0, 1400.0)
    scene.man(1, 300.0, 300.0), scene.man(3, 700.0, 300.0), scene.man(1, 320.0, 320.0)
    scene.page.stand_since[FIRST] = 1
    scene.page.flicks_left = 2
    scene.play(Send(0, 2, (walker,)))
    scene.play_lunge(runner, RIGHT, 900.0)
    assert not scene.alive(runner)
    assert (scene.page.turn, scene.page.current) == (2, SECOND)


def test_R4_3_a_side_that_orders_all_its_men_to_walk_has_ended_its_turn():
    scene = Scene(*FOUR)
    walkers = tuple(scene.man(0, 330.0 - 30.0 * i, 1400.0) for i in range(3))
    scene.man(1, 300.0, 300.0)
    scene.play(Send(0, 2, walkers))
    assert (scene.page.turn, scene.page.current) == (2, SECOND)


# R4.4 Who


@pytest.mark.parametrize(
    ("who", "fault"),
    [
        ("nobody", "there is no man 99"),
        ("an enemy", "not his side's turn"),
        ("the dead", "he is crossed out"),
        ("ordered", "ordered to walk or on the road"),
        ("on the road", "ordered to walk or on the road"),
    ],
)
def test_R4_4_who_may_not_flick(who: str, fault: str):
    scene, _, theirs = quiet(*FOUR)
    man = {
        "nobody": 99,
        "an enemy": theirs,
        "the dead": 7,
        "ordered": scene.man(0, 300.0, 1400.0, ORDERED),
        "on the road": scene.man(0, 500.0, 1400.0, ROAD),
    }[who]
    assert man not in scene.page.can_flick()
    with pytest.raises(GameError, match=rf"{fault}.*\(R4.4\)|{fault}$"):
        scene.play(idle(man))


def test_R4_4_men_at_home_and_lungers_anywhere_may():
    scene, mine, _ = quiet(*FOUR)
    inside = scene.man(0, 300.0, 1400.0)
    abroad = scene.man(0, 300.0, 300.0)
    assert scene.page.can_flick().tolist() == [mine, inside, abroad]


def owed_a_lunge() -> tuple[Scene, int, int]:
    """First's man has lunged through an enemy at 550 and is owed a lunge at 650; a mate stands by."""
    scene = Scene(*FOUR)
    man, mate = scene.man(0, 450.0, 900.0), scene.man(0, 300.0, 1400.0)
    scene.man(1, 550.0, 900.0), scene.man(1, 300.0, 300.0)
    scene.play_lunge(man, RIGHT, 200.0)
    return scene, man, mate


def test_R4_4_whoever_is_owed_a_lunge_goes_first_and_only_lunges():
    scene, man, mate = owed_a_lunge()
    assert scene.page.can_flick().tolist() == [man]
    with pytest.raises(GameError, match=r"another man is owed a lunge \(R4.4\)"):
        scene.play(idle(mate))
    with pytest.raises(GameError, match=r"he is owed a lunge, not a snipe \(R4.4\)"):
        scene.play(idle(man))
    scene.play_lunge(man, DOWN, 50.0)
    assert scene.page.current == SECOND


def test_R4_4_the_side_may_decline_and_has_used_it_up():
    scene, _, _ = owed_a_lunge()
    scene.play(Decline())
    assert (scene.page.current, scene.page.turn, scene.page.chain_man) == (SECOND, 2, NOWHERE)


def test_R4_4_declining_in_a_last_stand_leaves_the_turns_other_flick_to_anyone():
    scene = Scene(*FOUR, last_stand_at=2)
    man, mate = scene.man(0, 450.0, 900.0), scene.man(0, 300.0, 1400.0)
    scene.man(1, 550.0, 900.0), scene.man(1, 300.0, 300.0), scene.man(1, 320.0, 320.0), scene.man(1, 280.0, 280.0)
    scene.page.flicks_left = 2
    scene.play_lunge(man, RIGHT, 200.0)
    assert scene.page.flicks_left == 2
    scene.play(Decline())
    assert (scene.page.current, scene.page.flicks_left, scene.page.chain_links) == (FIRST, 1, 0)
    assert scene.page.can_flick().tolist() == [man, mate]


def test_R4_4_all_he_is_owed_is_declined_at_once():
    """With a lunge for each man crossed out, two of them here."""
    scene = Scene(*FOUR, lunge_earns="per_kill")
    man, _ = scene.man(0, 450.0, 900.0), scene.man(0, 300.0, 1400.0)
    scene.man(1, 500.0, 900.0), scene.man(1, 550.0, 900.0), scene.man(1, 300.0, 300.0)
    scene.play_lunge(man, RIGHT, 200.0)
    assert scene.page.chain_owed == 2
    scene.play(Decline())
    assert (scene.page.current, scene.page.turn) == (SECOND, 2)


def test_R4_4_nothing_is_declined_that_is_not_owed():
    scene, _, _ = quiet()
    with pytest.raises(GameError, match=r"no earned lunge to decline \(R4.4\)"):
        scene.play(Decline())


# R10.1 Passing


def test_R10_1_a_side_whose_men_are_all_on_the_road_hands_the_pen_over():
    """With two turns on the road first's only men walk through turn 3, which is theirs; second plays 2 and 4."""
    scene = Scene(*FOUR, road_turns=2)
    walkers = (scene.man(0, 330.0, 1400.0), scene.man(0, 300.0, 1400.0))
    enemy = scene.man(1, 600.0, 900.0)
    scene.play(Send(0, 2, walkers))
    assert (scene.page.turn, scene.page.current) == (2, SECOND)
    scene.play(idle(enemy))
    assert (scene.page.turn, scene.page.current) == (4, SECOND)
    assert scene.page.men["status"][list(walkers)].tolist() == [ROAD, ROAD]
    scene.play(idle(enemy))
    assert (scene.page.turn, scene.page.current) == (5, FIRST)
    assert scene.page.can_flick().tolist() == list(walkers)


# R11.1 When


@pytest.mark.parametrize(("men", "stands"), [(5, False), (4, True)])
def test_R11_1_a_last_stand_begins_at_four_men(men: int, stands: bool):
    """Second has one more and loses one in turn 1."""
    scene = Scene(last_stand_at=4)
    mine, *_ = [scene.man(0, 100.0 + 60.0 * i, 1000.0) for i in range(6)]
    scene.man(1, 100.0, 900.0)
    for i in range(men):
        scene.man(1, 500.0 + 60.0 * i, 300.0)
    scene.play_snipe(mine, UP, 150.0)
    assert len(scene.page.living(SECOND)) == men
    assert scene.page.stand_since.tolist() == [0, 1 if stands else 0]


def test_R11_1_losing_ones_own_man_begins_it_too():
    scene = Scene(last_stand_at=4)
    runner, *_ = [scene.man(0, 100.0 + 60.0 * i, 1000.0) for i in range(5)]
    for i in range(6):
        scene.man(1, 500.0 + 60.0 * i, 300.0)
    scene.play_lunge(runner, LEFT, 300.0)
    assert scene.page.stand_since.tolist() == [1, 0]


def test_R11_1_it_lasts_to_the_end():
    scene = Scene(last_stand_at=4)
    mine = [scene.man(0, 100.0 + 60.0 * i, 1000.0) for i in range(6)]
    theirs = [scene.man(1, 500.0 + 60.0 * i, 300.0) for i in range(4)]
    scene.play(idle(mine[0]))
    assert scene.page.stand_since.tolist() == [0, 1]
    scene.play(idle(theirs[0]), idle(theirs[0]))
    scene.play(idle(mine[0]))
    assert scene.page.stand_since.tolist() == [0, 1]


def test_R11_1_a_side_that_begins_with_so_few_begins_in_it():
    players = (PLAYERS["random"](), PLAYERS["random"]())
    few = DOTFIGHT.play(Rules(bases_per_side=1, soldiers_per_base=4), players, Streams(1, 0)).start
    assert few.stand_since.tolist() == [1, 1]
    assert few.flicks_left == 2
    more = DOTFIGHT.play(Rules(bases_per_side=1, soldiers_per_base=5), players, Streams(1, 0)).start
    assert more.stand_since.tolist() == [0, 0]
    assert more.flicks_left == 1


# R11.2 What


def test_R11_2_from_its_next_turn_on_the_side_has_two_flicks():
    scene = Scene(last_stand_at=4)
    mine = [scene.man(0, 100.0 + 60.0 * i, 1000.0) for i in range(6)]
    theirs = [scene.man(1, 500.0 + 60.0 * i, 300.0) for i in range(4)]
    scene.play(idle(mine[0]))
    assert scene.page.flicks_left == 2
    scene.play(idle(theirs[0]))
    assert (scene.page.current, scene.page.flicks_left) == (SECOND, 1)
    scene.play(idle(theirs[1]))
    assert (scene.page.current, scene.page.flicks_left) == (FIRST, 1)


def test_R11_2_not_yet_in_the_turn_in_which_it_begins():
    """First's fifth man runs off the page with the turn's only flick."""
    scene = Scene(last_stand_at=4)
    runner, *_ = [scene.man(0, 100.0 + 60.0 * i, 1000.0) for i in range(5)]
    for i in range(6):
        scene.man(1, 500.0 + 60.0 * i, 300.0)
    scene.play_lunge(runner, LEFT, 300.0)
    assert (scene.page.current, scene.page.turn) == (SECOND, 2)


@pytest.mark.parametrize("stands", [False, True])
def test_R11_2_the_hand_is_steadier_at_once(stands: bool):
    """The same chance puts the angle and the length off by 0.6 as much."""
    scene = Scene()
    man, _ = scene.man(0, 500.0, 1000.0), scene.man(1, 500.0, 300.0)
    meant = FlickIntent(man, SNIPE, 0.0, 0.5)
    free = live(scene.rules, [meant]).action(scene.page)
    scene.page.stand_since[FIRST] = scene.page.turn if stands else 0
    flick = live(scene.rules, [meant]).action(scene.page)
    assert isinstance(free, Flick)
    assert isinstance(flick, Flick)
    steadiness = 0.6 if stands else 1.0
    assert flick.angle == approx(steadiness * free.angle)
    assert flick.length - 650.0 == approx(steadiness * (free.length - 650.0))
    assert flick.bend == free.bend
    assert free.angle != 0.0


def test_R11_2_a_rule_may_give_more_flicks():
    scene = Scene(last_stand_at=4, last_stand_flicks=3)
    mine = scene.man(0, 100.0, 1000.0)
    scene.man(1, 500.0, 300.0)
    scene.play(idle(mine))
    assert scene.page.flicks_left == 3


# R12.1 Victory


def test_R12_1_a_side_without_living_men_has_lost_at_once():
    scene, mine, theirs = quiet()
    scene.play_snipe(mine, RIGHT, 200.0)
    assert not scene.alive(theirs)
    assert (scene.page.over, scene.page.winner, scene.page.turn) == (True, FIRST, 1)


def test_R12_1_second_wins_where_first_loses_its_last_man_by_its_own_flick():
    scene, mine, _ = quiet()
    scene.play_lunge(mine, LEFT, 900.0)
    assert (scene.page.over, scene.page.winner) == (True, SECOND)


@pytest.mark.parametrize("side", [FIRST, SECOND])
def test_R12_1_if_one_flick_takes_both_last_men_the_side_that_flicked_wins(side: int):
    scene, mine, theirs = quiet()
    if side == SECOND:
        scene.play(idle(mine))
    man, angle = (mine, RIGHT) if side == FIRST else (theirs, LEFT)
    scene.play(Flick(man, LUNGE, angle, 900.0, 0.0, (0.0,)))
    assert not scene.alive(mine)
    assert not scene.alive(theirs)
    assert (scene.page.over, scene.page.winner) == (True, side)


def test_R12_1_men_on_the_road_are_living_men():
    scene, mine, theirs = quiet()
    scene.man(1, 900.0, 100.0, ROAD)
    scene.play_snipe(mine, RIGHT, 200.0)
    assert not scene.alive(theirs)
    assert not scene.page.over


# R12.2 Stalling


def test_R12_2_a_game_not_over_when_the_last_turn_is_done_is_stalled():
    scene, mine, theirs = quiet(max_turns=3)
    scene.play(idle(mine), idle(theirs))
    assert not scene.page.over
    scene.play(idle(mine))
    page = scene.page
    assert (page.over, bool(page.stalled), page.winner, page.turn) == (True, True, NOWHERE, 3)


def test_R12_2_a_game_won_in_the_last_turn_is_won():
    scene, mine, _ = quiet(max_turns=1)
    scene.play_snipe(mine, RIGHT, 200.0)
    assert (scene.page.winner, bool(scene.page.stalled)) == (FIRST, False)


def test_R12_2_it_is_400_turns():
    assert Scene().rules.max_turns == 400
