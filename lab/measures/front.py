"""The trade-off front of two metrics: what nothing else betters in both (Pareto)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Aim:
    """What is better of a metric: ``low``, ``high``, or a value that is the better the nearer."""

    metric: str
    best: str | float

    def loss(self, value: float) -> float:
        """Return how bad a value is; only the order counts."""
        if isinstance(self.best, str):
            return value if self.best == "low" else -value
        return abs(value - self.best)


def parse_aim(text: str) -> Aim:
    """Read ``metric``, ``metric:high``, ``metric:low`` or ``metric:50``; raises :class:`ValueError`."""
    metric, _, best = text.partition(":")
    if best in ("", "low", "high"):
        return Aim(metric, best or "high")
    if not math.isfinite(value := float(best)):
        raise ValueError(f"{best} is no place to aim at")
    return Aim(metric, value)


def front(losses: Sequence[tuple[float, float]]) -> list[bool]:
    """Say of each point whether none is at least as good in both and better in one."""
    return [
        not any(other[0] <= point[0] and other[1] <= point[1] and other != point for other in losses)
        for point in losses
    ]
