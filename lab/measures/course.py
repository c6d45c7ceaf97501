"""When in a game something happened: its phase, and how long a side had to wait."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

PHASES: tuple[str, ...] = ("opening", "middle", "end")
"""Thirds of a game, by turns."""


def phase_of(turn: int, turns: int) -> int:
    """Return the third of a game of so many turns that a turn, counted from 1, lies in: 0, 1 or 2."""
    return len(PHASES) * (turn - 1) // turns


def by_phase(turns_of_deeds: Iterable[int], turns: int) -> list[int]:
    """Return how many deeds, each given by its turn, fall into each third of a game of so many turns."""
    phases = [phase_of(turn, turns) for turn in turns_of_deeds]
    return [phases.count(phase) for phase in range(len(PHASES))]


def longest_waits(sides: Sequence[int]) -> tuple[int, int]:
    """Return the longest run of the other side's deeds that each side sat through.

    Parameters
    ----------
    sides
        The side, 0 or 1, of each deed in order. Runs are not cut at the ends of turns: where a turn is passed over,
        the wait goes on.
    """
    runs = [(side, len(list(run))) for side, run in groupby(sides)]
    first, second = (max((length for side, length in runs if side != waiting), default=0) for waiting in (0, 1))
    return first, second
