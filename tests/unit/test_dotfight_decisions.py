"""Dawood-bot must think of the sample's positions what the reference player thinks (``tests/data/README.md``).

The reference player takes its chances to hit from an approximation of the error function that is good to 1.5e-7; what
is made of them, a few men's worth added up, agrees to 1e-6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from dotfight_decisions import Decision, Head, decisions

from engine.dotfight.actions import SNIPE, Flick
from engine.dotfight.adjudicate import judge_of
from engine.dotfight.hand import HUMAN, resolve
from engine.dotfight.outcome import Outcome
from engine.dotfight.page import Garrisons, Page, count_garrisons
from engine.dotfight.rules import Rules
from engine.dotfight.turn import apply_flick

TOLERANCE = 1e-6
DECISIONS = decisions()

each = pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: f"decision-{decision.id}")
Pairs = Iterator[tuple[str, float, float]]
"""(what, as Dawood-bot has it, as the reference player has it)."""


def worths(decision: Decision) -> Pairs:
    worth = Head(decision.rules).worth(decision.page)
    for told in decision.told["worth"]:
        yield f"worth of man {told['man']}", worth[told["man"]], told["worth"]


def chances(decision: Decision) -> Pairs:
    head = Head(decision.rules)
    for told in decision.told["hit_chance"]:
        yield f"chance at {told['distance']}", head.chance(told["distance"], False), told["p"]
        yield f"steady chance at {told['distance']}", head.chance(told["distance"], True), told["p_last_stand"]


def sights(decision: Decision) -> Pairs:
    sees, told = Head(decision.rules).sees(decision.page), decision.told
    yield "best line of mine", sees.mine, told["best_line_mine"]
    yield "best line of theirs", sees.theirs, told["best_line_theirs"]
    yield "outlook", sees.passed, told["outlook"]
    yield "outlook if the pen is kept", sees.kept, told["outlook_if_pen_kept"]


def gains(decision: Decision) -> Pairs:
    mine = dict(Head(decision.rules).sends(decision.page))
    for told in decision.told["sends"]:
        send = (told["from"], told["to"], told["n"])
        yield f"gain of sending {send}", mine.get(send, np.inf), told["gain"]


def previewed(decision: Decision) -> Iterator[tuple[dict[str, float], Flick, Outcome]]:
    """Yield the sample's perfect-hand snipes, as the sample has them and as we walk them."""
    rules, page = decision.rules, decision.page
    garrison = np.zeros(rules.bases, np.int64)
    count_garrisons(page.bases, page.men, garrison)
    for told in decision.told["perfect_hand_snipes"]:
        chance = (0.0, 0.0, 0.5)
        flick = Flick(
            told["man"], SNIPE, *resolve(rules.numbers, *HUMAN, told["angle"], told["power"], False, 0, *chance)
        )
        yield told, flick, judge_of(rules, page.bases).judge(page.men, garrison, flick)


def outlooks_after(decision: Decision) -> Pairs:
    """The position a snipe leaves, valued with the last stands of the position before it, as the record does."""
    for told, flick, outcome in previewed(decision):
        after = decision.page.copy()
        apply_flick(decision.rules, after, Garrisons(after), flick, outcome)
        sees = Head(decision.rules).sees(Page(after.bases, after.men, decision.page.pen))
        yield f"length of man {flick.man}'s flick", flick.length, told["length"]
        yield f"outlook after man {flick.man}'s flick", sees.passed, told["outlook_after"]
        yield f"the same, pen kept, of man {flick.man}", sees.kept, told["outlook_after_if_pen_kept"]


PARTS = (worths, chances, sights, gains, outlooks_after)


def differing(decision: Decision) -> list[str]:
    return [
        f"{what}: {mine}, not {theirs}"
        for part in PARTS
        for what, mine, theirs in part(decision)
        if not abs(mine - theirs) <= TOLERANCE
    ]


@each
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_he_thinks_what_the_reference_player_thinks(decision: Decision, part: type[Pairs]):
    for what, mine, theirs in part(decision):
        assert mine == pytest.approx(theirs, abs=TOLERANCE), what


@each
def test_he_considers_the_same_sends(decision: Decision):
    state = decision.told["state"]
    may_send = not state["send_used"] and state["chain"] is None
    mine = {send for send, _ in Head(decision.rules).sends(decision.page)} if may_send else set()
    assert mine == {(told["from"], told["to"], told["n"]) for told in decision.told["sends"]}


@each
def test_perfect_hand_snipes_cross_out_the_same_men(decision: Decision):
    flicks_left = decision.told["state"]["flicks_left"]
    for told, _, outcome in previewed(decision):
        assert outcome.crossed_out().tolist() == told["crossed_out"]
        assert outcome.ending.kills == told["points"]
        assert (outcome.ending.kills >= decision.rules.snipe_earn_at) == told["earns"]
        assert (told["earns"] or flicks_left > 1) == told["keeps_pen"]


@each
def test_the_same_men_hold_the_walls(decision: Decision):
    garrison = np.zeros(decision.rules.bases, np.int64)
    count_garrisons(decision.page.bases, decision.page.men, garrison)
    assert garrison.tolist() == [len(base["garrison"]) for base in decision.told["state"]["bases"]]


def test_the_sample_has_all_sorts():
    states = [decision.told["state"] for decision in DECISIONS]
    assert {decision.rules.garrison for decision in DECISIONS} == {"manned", "flat"}
    assert {decision.rules.reach_min for decision in DECISIONS} == {200.0, 300.0}
    assert {decision.rules.bases_per_side for decision in DECISIONS} == {3, 4, 5}
    assert {state["chain"]["links"] if state["chain"] else 0 for state in states} >= {0, 1, 2, 5}
    assert {tuple(map(bool, state["last_stand_since"])) for state in states} >= {(False, False), (True, True)}
    assert {man["status"] for state in states for man in state["men"]} == {"home", "ordered", "road"}
    assert sum(len(decision.told["sends"]) for decision in DECISIONS) > 100
    assert sum(len(decision.told["perfect_hand_snipes"]) for decision in DECISIONS) > 40


@pytest.mark.parametrize(
    "fault",
    [
        {"hit_reach": 10.11},
        {"angle_error": 0.01201},
        {"last_stand_steadiness": 0.61},
        {"snipe_loss_full": 0.84},
        {"lunge_shake_empty": 0.021},
        {"road_spacing": 5.0},
        {"position_reach": 10.0},
        {"reach_max": 900.0},
    ],
    ids=str,
)
def test_a_head_that_thinks_by_other_rules_is_noticed(fault: dict[str, float]):
    faulty = [replace(decision, rules=Rules.parse(fault, decision.rules)) for decision in DECISIONS]
    assert any(differing(decision) for decision in faulty)


def test_no_head_is_noticed_that_thinks_by_the_same():
    assert not any(differing(decision) for decision in DECISIONS)
