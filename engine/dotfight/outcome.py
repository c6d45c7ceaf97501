"""What one flick did: the events along its ink and how it ended, in one form for every geometry."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

EDGE, WALL, MAN_HIT = cast(int, np.int64(0)), cast(int, np.int64(1)), cast(int, np.int64(2))
"""Kinds of event, in the order that exact ties are broken (R6.2).

Typed, since the compiler would make a function anew for each plain integer that it is called with.
"""

KIND_NAMES = ("edge", "wall", "man")

EVENT = np.dtype(
    [
        ("kind", "i8"),
        ("ref", "i8"),  # base or man; -1 at the page edge
        ("d", "f8"),  # distance along the ink actually run
        ("x", "f8"),
        ("y", "f8"),
        ("free", "i8"),  # 1 at the wall at one's back (R6.4)
        ("cost", "f8"),  # share of the rest lost (snipe) or shake in rad (lunge)
        ("jolt", "f8"),  # turn of the rest of the path in rad
    ]
)

Events = Any
"""``(n,)`` array of :data:`EVENT`."""


class Ending(NamedTuple):
    """How a flick ended.

    ``kills`` counts enemies crossed out; ``jolts`` the standard normals used; ``shot_in`` is the enemy base in
    which the lunger was shot, or -1; ``lost`` says that the lunger is gone, shot or off the page.
    """

    events: int
    kills: int
    jolts: int
    end_x: float
    end_y: float
    travel: float
    off_page: bool
    lost: bool
    shot_in: int


class Outcome(NamedTuple):
    """A whole adjudicated flick: its ending and its events, ``(n,)`` of :data:`EVENT`."""

    ending: Ending
    events: NDArray[np.void]

    def crossed_out(self) -> NDArray[np.int64]:
        """Return the ids of the men crossed out, in order (own men too, under ``friendly_cost``)."""
        return self.events["ref"][self.events["kind"] == MAN_HIT]
