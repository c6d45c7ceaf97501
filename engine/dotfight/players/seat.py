"""What a player of Dotfight is: options that an experiment names, and the seat they take in one game."""

from __future__ import annotations

from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.dotfight.actions import Intent
from engine.dotfight.hand import Skill
from engine.dotfight.page import Page
from engine.dotfight.rules import Rules

Forbidden = Literal["lunge", "send", "decline"]
"""Options that a player can be forbidden, for restricted play."""


class Seat(Protocol):
    """A player in one game, on one side.

    ``skill`` is the hand that resolves his flicks.
    """

    skill: Skill

    def draw_base(self, bases: NDArray[np.void], drawn: int, rng: np.random.Generator) -> tuple[float, float] | None:
        """Return where he draws his next base beside the first ``drawn``, or None if he finds no room (R2)."""
        ...

    def arrange(self, page: Page, rng: np.random.Generator) -> None:
        """Move his own men on the page before the first flick (R3)."""
        ...

    def act(self, page: Page, rng: np.random.Generator) -> Intent:
        """Return his next action; it is his pen."""
        ...


class Player(Protocol):
    """A player's options, as an experiment gives them."""

    def take_seat(self, rules: Rules, side: int) -> Seat:
        """Return the player ready for one game by ``rules`` on ``side``."""
        ...
