"""Dawood-bot, the reference player: he imagines many flicks, retries the best, and looks one flick ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import Decline, FlickIntent, Intent, Send
from engine.dotfight.hand import Skill
from engine.dotfight.page import NOWHERE, Page
from engine.dotfight.players.arranging import arrange, draw_base
from engine.dotfight.players.imagine import RECORD_JOLTS, Habits, choose_flick, mind, outlook_now
from engine.dotfight.players.moment import Moment
from engine.dotfight.players.seat import Forbidden
from engine.dotfight.players.sending import best_send, list_going, send_room
from engine.dotfight.rules import Rules, numbers
from engine.parameters import Param, Parameters

SEND_THRESHOLD = 0.2


class Level(NamedTuple):
    """A level of play: flicks imagined, kept and retried, and the skill of hand and eye."""

    candidates: int
    kept: int
    samples: int
    skill: Skill


LEVELS = {
    "sloppy": Level(28, 4, 4, Skill(1.7, 0.035, 0.08)),
    "steady": Level(64, 8, 6, Skill(1.0, 0.02, 0.05)),
    "sharp": Level(120, 10, 8, Skill(0.75, 0.012, 0.035)),
}

STANCES = {"half": (0.5, 1.0), "all": (1.0, 1.0), "spread": (0.0, 0.25)}
"""Bounds on the share of each base's men inside it at the first flick."""


@dataclass(frozen=True, kw_only=True)
class Dawood(Parameters):
    """Options of Dawood-bot."""

    level: Annotated[Literal["sloppy", "steady", "sharp"], Param("how much he looks, and how steady he is")] = "steady"
    stance: Annotated[Literal["half", "all", "spread"], Param("how many of his men he keeps inside at the start")] = (
        "half"
    )
    perfect_jolts: Annotated[Literal["record", "none"], Param("jolts of a lunge previewed with a perfect hand")] = (
        "record"
    )
    forbid: Annotated[tuple[Forbidden, ...], Param("what he never does")] = ()

    def take_seat(self, rules: Rules, side: int) -> DawoodSeat:
        """Return Dawood-bot ready for one game."""
        return DawoodSeat(self, rules, side)


class DawoodSeat:
    """Dawood-bot in one game."""

    def __init__(self, options: Dawood, rules: Rules, side: int) -> None:
        level = LEVELS[options.level]
        self.skill = level.skill
        self._side = side
        self._k = numbers(rules)
        self._mind = mind(rules, level.skill, level.candidates, level.kept)
        self._room = send_room(rules)
        self._may_send = "send" not in options.forbid and rules.send_max > 0
        self._stance = STANCES[options.stance]
        self._habits = Habits(
            candidates=level.candidates,
            kept=level.kept,
            samples=level.samples,
            may_lunge=int("lunge" not in options.forbid),
            may_decline=int("decline" not in options.forbid),
            jolts=np.array(RECORD_JOLTS if options.perfect_jolts == "record" else [0.0]),
        )

    def draw_base(self, bases: NDArray[np.void], drawn: int, rng: np.random.Generator) -> tuple[float, float] | None:
        """Draw in his own band of the page, then wider, then anywhere."""
        return draw_base(self._k, rng, bases, drawn, self._side)

    def arrange(self, page: Page, rng: np.random.Generator) -> None:
        """Move his men to safer places within his stance."""
        m = self._mind
        arrange(self._k, page.bases, page.men, self._side, *self._stance, rng, m.worth, m.manned, m.ranked, m.see)

    def act(self, page: Page, rng: np.random.Generator) -> Intent:
        """Send if it pays, else flick, or decline an earned lunge that does not."""
        now = Moment(
            side=self._side,
            flicks_left=page.flicks_left,
            chain_man=page.chain_man,
            chain_links=page.chain_links,
            stand_mine=int(page.last_stand_since[self._side] > 0),
            stand_theirs=int(page.last_stand_since[1 - self._side] > 0),
        )
        if self._may_send and not page.send_used and page.chain_man == NOWHERE:
            send = self._send(page, now)
            if send is not None:
                return send
        choice = choose_flick(self._k, page.bases, page.men, now, self._habits, rng, self._mind)
        if choice.declined:
            return Decline()
        return FlickIntent(choice.man, choice.kind, choice.angle, choice.power)

    def _send(self, page: Page, now: Moment) -> Send | None:
        m, k = self._mind, self._k
        before = outlook_now(k, page.bases, page.men, now, m)
        plan = best_send(k, page.bases, page.men, m.manned, now, before, m.see, self._room)
        if plan.count == 0 or plan.gain <= SEND_THRESHOLD:
            return None
        list_going(k, page.bases, page.men, now.side, plan.source, plan.target, now.chain_man, self._room)
        return Send(plan.source, plan.target, tuple(self._room.going[: plan.count].tolist()))
