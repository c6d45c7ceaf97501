"""What compiles in a first game, as shares that processes can compile side by side: their code is cached for all."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import get_ident
from typing import Any, Final

import numpy as np

from engine.dotfight.actions import LUNGE, SNIPE, Flick
from engine.dotfight.adjudicate import judge_of
from engine.dotfight.duel import Duel
from engine.dotfight.game import DOTFIGHT
from engine.dotfight.jot import jot_convoy
from engine.dotfight.noting import PROGRESS, paper_of, write_ending
from engine.dotfight.page import BASE, Garrisons, Page, fresh_pen
from engine.dotfight.players.dawood import Dawood
from engine.dotfight.rules import Rules
from engine.dotfight.setup import muster, set_up, setup_stream
from engine.dotfight.turn import let_arrive
from engine.parameters import Parameters
from engine.rng import Streams

Share = Callable[[], None]

_STREAMS: Final = Streams(0, 0)
_JOLTS: Final = (0.5, -0.5, 1.0, -1.0)


def shares(players: tuple[Parameters, Parameters]) -> tuple[Share, ...]:
    """Return the shares of games between these players, that which takes longest first."""
    if all(isinstance(options, Dawood) for options in players):
        return play_between_flicks, set_up_and_judge
    return (partial(_play_a_game, players),)


def play_between_flicks() -> None:
    """Play on from a page as no game begins, for which nothing need be compiled, adjudicated by the kernel."""
    rules = Rules(geometry="kernel", max_turns=1)
    bases = np.zeros(rules.bases, BASE)
    bases["side"] = np.arange(rules.bases) % 2
    bases["x"] = rules.page_width / 2
    bases["y"] = np.linspace(0.1, 0.9, rules.bases) * rules.page_height
    home = np.repeat(np.arange(rules.bases), rules.soldiers_per_base)
    across = np.tile(np.linspace(-0.5, 0.5, rules.soldiers_per_base) * rules.base_radius, rules.bases)
    spots = np.column_stack([bases["x"][home] + across, bases["y"][home]])
    page = Page(bases, muster(bases, home, spots), fresh_pen())
    seats = Dawood().take_seat(rules, 0), Dawood().take_seat(rules, 1)
    Duel(rules, page, seats, _STREAMS, setup_stream(_STREAMS)).play()


def set_up_and_judge() -> None:
    """Set a page up, have flicks in all directions judged on it by Shapely, and let a convoy arrive."""
    rules, jotting = Rules(), setup_stream(_STREAMS)
    seats = Dawood().take_seat(rules, 0), Dawood().take_seat(rules, 1)
    page = set_up(rules, seats, _STREAMS, jotting)
    judge, garrisons = judge_of(rules, page.bases), Garrisons(page).now
    far = rules.page_height
    flicks = [Flick(man, kind, float(man), far, 0.1, _JOLTS) for man in range(rules.men) for kind in (SNIPE, LUNGE)]
    outcomes = [judge.judge(page.men, garrisons, flick) for flick in flicks]
    progress = np.zeros(1, PROGRESS)
    progress["notes"] = 1
    write_ending(paper_of(get_ident()).notes, progress, *outcomes[0].ending)
    page.men["alive"][1:] = 0
    page.men["target"][0] = page.men["home"][0]
    let_arrive(rules, page, partial(jot_convoy, rules, jotting, page), np.zeros(1, np.int64))


def _play_a_game(players: tuple[Any, Any]) -> None:
    DOTFIGHT.play(Rules(max_turns=4), players, _STREAMS)
