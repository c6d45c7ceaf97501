"""Dotfight's page: after every turn it shows the men that live where they stand, and who is crossed out."""

from __future__ import annotations

from functools import cache

import numpy as np

from engine.dotfight.game import DOTFIGHT, Played
from engine.dotfight.log import ConvoyArrived, FlickPlayed, SendOrdered
from engine.dotfight.players import PLAYERS
from engine.dotfight.rules import Rules
from engine.rng import Streams
from lab.dotfight.story import story_of
from lab.pages.story import Dot, Marks, Stroke


@cache
def game() -> Played:
    rules = Rules.parse({"bases_per_side": 3, "soldiers_per_base": 8, "geometry": "kernel", "road_turns": 2})
    return DOTFIGHT.play(rules, (PLAYERS["random"](), PLAYERS["random"]()), Streams(1, 0))


def standing(turn: int) -> dict[str, Marks]:
    found: dict[str, Marks] = {}
    story = story_of(game())
    for step in story.steps[: story.steps_until(turn)]:
        found.update(step.standing)
    return {name: marks for name, marks in found.items() if marks}


def is_alive(marks: Marks) -> bool:
    return not any(isinstance(mark, Stroke) for mark in marks)


def test_the_page_starts_with_everybody_where_he_was_placed():
    men = game().start.men
    shown = standing(0)
    assert len(shown) == men.size
    for m, man in enumerate(men):
        dot = shown[f"man {m}"][0]
        assert isinstance(dot, Dot)
        assert (dot.x, dot.y) == (man["x"], man["y"])


def test_the_page_ends_as_the_game_did():
    end = game().end
    shown = standing(end.turn)
    for m, man in enumerate(end.men):
        marks = shown[f"man {m}"]
        dot = marks[0]
        assert isinstance(dot, Dot)
        assert (dot.x, dot.y) == (man["x"], man["y"])
        assert is_alive(marks) == bool(man["alive"])
    held = {int(man["inside"]) for man in end.men if man["alive"]}
    rings = {int(name.removeprefix("ring ")) for name in shown if name.startswith("ring ")}
    assert rings == set(range(game().rules.bases)) - held
    assert rings


def test_after_each_turn_as_many_live_as_the_log_says():
    living = {entry.turn: sum(entry.living) for entry in game().log if isinstance(entry, FlickPlayed)}
    story = story_of(game())
    shown: dict[str, Marks] = {}
    for i, step in enumerate(story.steps):
        shown.update(step.standing)
        last_of_turn = i + 1 == len(story.steps) or story.steps[i + 1].turn > step.turn
        if last_of_turn and step.turn in living:
            alive = [name for name, marks in shown.items() if name.startswith("man ") and is_alive(marks)]
            assert len(alive) == living[step.turn], step


def test_steps_are_told_in_order_and_convoys_leave_footprints():
    story, log = story_of(game()), game().log
    assert np.all(np.diff([step.turn for step in story.steps]) >= 0)
    told = [
        step
        for step in story.steps
        if step.words.startswith("Man ") and ("snipes" in step.words or "lunges" in step.words)
    ]
    assert len(told) == sum(isinstance(entry, FlickPlayed) for entry in log)
    sends = [entry for entry in log if isinstance(entry, SendOrdered)]
    arrivals = [entry for entry in log if isinstance(entry, ConvoyArrived)]
    assert len(arrivals) > 3
    walks = [step for step in story.steps if " on the road " in step.words or " arrive" in step.words]
    assert all(step.drawn for step in walks)
    assert sum(" ordered " in step.words for step in story.steps) == len(sends)
    assert sum(step.words.count(" arrive") for step in story.steps) == len(arrivals)
