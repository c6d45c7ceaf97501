"""Keyed random streams.

A stream is named by (experiment seed, game index, purpose) and by nothing else, so a game is the same whatever
ran before it, on however many workers; and variants of a rule set played on the same seeds share every stream
(common random numbers).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np


class Purpose(IntEnum):
    """What a stream is used for. The numbers are part of every seed: never renumber."""

    SETUP = 0
    POSITIONING_FIRST = 1
    POSITIONING_SECOND = 2
    DECISIONS_FIRST = 3
    DECISIONS_SECOND = 4
    HAND_FIRST = 5
    HAND_SECOND = 6


POSITIONING = (Purpose.POSITIONING_FIRST, Purpose.POSITIONING_SECOND)
DECISIONS = (Purpose.DECISIONS_FIRST, Purpose.DECISIONS_SECOND)
HAND = (Purpose.HAND_FIRST, Purpose.HAND_SECOND)


@dataclass(frozen=True)
class Streams:
    """The random streams of one game.

    Parameters
    ----------
    seed
        Experiment seed, a non-negative integer.
    index
        Index of the game in the experiment, from 0.
    """

    seed: int
    index: int

    def stream(self, purpose: Purpose) -> np.random.Generator:
        """Return a fresh generator at the beginning of the stream for ``purpose``."""
        sequence = np.random.SeedSequence(entropy=self.seed, spawn_key=(self.index, int(purpose)))
        return np.random.Generator(np.random.PCG64(sequence))
