"""Numbers and their intervals in words."""

from __future__ import annotations

import math

from lab.estimators import Estimate, Observed
from lab.stats.intervals import Interval, Undefined
from lab.summary import Line, decimals


def percent(interval: Interval) -> str:
    """Return a share with its interval, in per cent."""
    return shown(interval, 100.0, "%")


def shown(estimate: Estimate, scale: float = 1.0, unit: str = "", sign: str = "") -> str:
    """Return an estimate with its 95% interval, or why there is none."""
    tail = "%" if unit.startswith("%") else f" {unit}" if unit else ""
    if isinstance(estimate, Undefined):
        return f"undefined: {estimate.reason}"
    if isinstance(estimate, Observed):
        return f"{scale * estimate.estimate:{sign}g}{tail}"
    low, high = scale * estimate.low, scale * estimate.high
    form = f"{sign}.{decimals(high - low)}f"
    text = f"{scale * estimate.estimate:{form}}{tail} (95% interval {low:{form}} to {high:{form}})"
    return text.replace("-", "−")


def of_line(line: Line) -> str:
    """Return a metric's value with its interval, in its unit."""
    return shown(line.estimate, line.scale, line.metric.unit)


def rounded(games: float) -> str:
    """Return a number of games as people say it, to two significant digits."""
    if games < 100:
        return f"{math.ceil(games):,}"
    step = 10 ** (math.floor(math.log10(games)) - 1)
    return f"{math.ceil(games / step) * step:,}"


def listed(words: list[str], most: int = 4) -> str:
    """Return words in a row with commas and an 'and', the first few of them."""
    if len(words) > most:
        words = [*words[:most], f"{len(words) - most} more"]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
