"""What a decision needs to know besides the page."""

from __future__ import annotations

from typing import NamedTuple


class Moment(NamedTuple):
    """Whose pen it is, what is left of the turn, and who is in a last stand (``stand_*``: 1 or 0)."""

    side: int
    flicks_left: int
    chain_man: int
    chain_links: int
    stand_mine: int
    stand_theirs: int
