"""Dawood-bot, the reference player: he imagines many flicks, retries the best, and looks one flick ahead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import get_ident
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import Decline, FlickIntent, Intent, Send
from engine.dotfight.hand import Skill
from engine.dotfight.meeting import workspace
from engine.dotfight.page import Page
from engine.dotfight.players.arranging import arrange, chance_needed, draw_base
from engine.dotfight.players.imagine import LUNGES_RETRIED, RECORD_JOLTS, SHAKES, UNIFORMS, choose_flick
from engine.dotfight.players.mind import fresh_mind
from engine.dotfight.players.seat import Forbidden
from engine.dotfight.players.sending import consider_sends
from engine.dotfight.rules import Rules
from engine.parameters import Param, Parameters


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


class Chance:
    """The chance that his next actions take, as for :func:`~engine.dotfight.players.imagine.choose_flick`.

    Attributes
    ----------
    uniforms, aim_normals, shakes, bends
        Their first axis is the action.
    """

    def __init__(self, level: Level, actions: int) -> None:
        retried = level.kept + LUNGES_RETRIED
        self.uniforms = np.empty((actions, level.candidates, UNIFORMS))
        self.aim_normals = np.empty((actions, level.candidates))
        self.shakes = np.empty((actions, retried, level.samples, SHAKES))
        self.bends = np.empty((actions, retried, level.samples))

    def draw(self, rng: np.random.Generator) -> None:
        """Draw all of it, action by action."""
        for uniforms, aim_normals, shakes, bends in zip(
            self.uniforms, self.aim_normals, self.shakes, self.bends, strict=True
        ):
            rng.random(out=uniforms)
            rng.standard_normal(out=aim_normals)
            rng.standard_normal(out=shakes)
            rng.random(out=bends)


class DawoodSeat:
    """Dawood-bot in one game.

    Attributes
    ----------
    level
        His level of play.
    mind, jolts
        What compiled code is given of him: ``(1,)`` array of :data:`~engine.dotfight.players.mind.MIND`, and the
        standard normals of a lunge previewed with a perfect hand.
    """

    def __init__(self, options: Dawood, rules: Rules, side: int) -> None:
        self.level = level = LEVELS[options.level]
        self.skill = level.skill
        self._side = side
        self._k = rules.numbers
        self._stance = STANCES[options.stance]
        self.jolts = np.array(RECORD_JOLTS if options.perfect_jolts == "record" else [0.0])
        self._chance = Chance(level, 1)
        self._work = workspace()
        self.mind = _mind(options, rules, get_ident())

    def draw_base(self, bases: NDArray[np.void], drawn: int, rng: np.random.Generator) -> tuple[float, float] | None:
        """Draw in his own band of the page, then wider, then anywhere."""
        return draw_base(self._k, rng, bases, drawn, self._side)

    def arrange(self, page: Page, rng: np.random.Generator) -> None:
        """Move his men to safer places within his stance."""
        uniforms = rng.random(chance_needed(page.men.size))
        arrange(self._k, page.bases, page.men, page.pen, self._side, *self._stance, uniforms, self.mind)

    def act(self, page: Page, rng: np.random.Generator) -> Intent:
        """Send if it pays, else flick, or decline an earned lunge that does not."""
        self._chance.draw(rng)
        sent, source, target = consider_sends(self._k, page.bases, page.men, page.pen, self.mind)
        if sent:
            return Send(source, target, tuple(self.mind["ranked"][0, :sent].tolist()))
        declined, man, kind, angle, power = choose_flick(*self.given(page))
        return Decline() if declined else FlickIntent(man, kind, angle, power)

    def given(self, page: Page) -> tuple[Any, ...]:
        """Return what :func:`~engine.dotfight.players.imagine.choose_flick` is given, with the chance drawn last."""
        return (
            self._k,
            page.bases,
            page.men,
            page.pen,
            self.jolts,
            self._chance.uniforms[0],
            self._chance.aim_normals[0],
            self._chance.shakes[0],
            self._chance.bends[0],
            self.mind,
            self._work,
        )


@lru_cache(maxsize=16)
def _mind(options: Dawood, rules: Rules, thread: int) -> NDArray[np.void]:
    """Return a thread's mind for a player of these options: nothing stays in it from one decision to the next."""
    level = LEVELS[options.level]
    mind = fresh_mind(rules, level.skill)
    mind["imagined"], mind["kept"], mind["samples"] = level.candidates, level.kept, level.samples
    mind["may_lunge"] = "lunge" not in options.forbid
    mind["may_send"] = "send" not in options.forbid and rules.send_max > 0
    mind["may_decline"] = "decline" not in options.forbid
    return mind
