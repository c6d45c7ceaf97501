"""What a lead did in a game: how often it changed hands, when it was final, how far the winner fell behind.

A lead is one number a turn, the first side's less the second's (men, moves, points): index 0 is the start, index t
stands after turn t. Browne (2008, "Automatic generation and evaluation of recombination games", chapter 4) introduced
drama, lead change and decisiveness for games whose positions are rated by a search; here the lead is counted on the
board, which any player can do too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

SHARES: tuple[float, ...] = (0.25, 0.5, 0.75)
"""Shares of a game's turns at which its lead is kept, for snowball."""


def lead_changes(lead: Sequence[int]) -> int:
    """Return how often the side ahead changes; a tie between is no change of its own (Browne 2008: lead change)."""
    ahead = [value > 0 for value in lead if value]
    return sum(before != after for before, after in pairwise(ahead))


def final_from(lead: Sequence[int], winner: int) -> int:
    """Return the turn from which the winner was ahead for good; the last turn where he never was.

    Parameters
    ----------
    lead
        Shape (turns + 1,).
    winner
        0 for the side whose lead is positive, else 1.
    """
    sign = 1 - 2 * winner
    last = len(lead) - 1
    behind = next((turn for turn in range(last, -1, -1) if sign * lead[turn] <= 0), -1)
    return min(behind + 1, last)


def decisive_share(lead: Sequence[int], winner: int) -> float:
    """Return the share of the game's turns that had been played when the winner's lead became final.

    1 says that the game was open to the end, a value near 0 that it was over before it ended (Browne 2008:
    decisiveness, there by a threshold on the rated position).
    """
    return final_from(lead, winner) / (len(lead) - 1)


def deficits(lead: Sequence[int], winner: int) -> list[int]:
    """Return how far the winner was behind after each turn from the first on, 0 where he was not."""
    sign = 1 - 2 * winner
    return [max(0, -sign * value) for value in lead[1:]]


def drama(lead: Sequence[int], winner: int) -> float:
    """Return how far the winner was behind, averaged over the turns of the game, in the unit of the lead.

    Browne (2008) averages the square root of it over the moves in which the winner was behind; the plain mean over
    the whole game adds up over games and can be read off in men.
    """
    behind = deficits(lead, winner)
    return sum(behind) / len(behind)


def lead_at(lead: Sequence[int], share: float) -> int:
    """Return the lead when this share of the turns had been played, rounded down to a whole turn."""
    return lead[int(share * (len(lead) - 1))]
