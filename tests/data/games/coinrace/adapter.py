"""Coin race for the lab: a few columns, the metrics they feed, and what must hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from coinrace.game import COIN_RACE, Race
from lab.estimators import Maximum, Mean, Proportion, Quantile, Ratio
from lab.games.adapter import WINNER, Adapter, Column, Identity, Metric

COLUMNS = (
    WINNER,
    Column("first_won", "bool", "", "the first seat won"),
    Column("decided", "bool", "", "somebody won"),
    Column("undecided", "bool", "", "nobody won"),
    Column("tosses", "int", "tosses", "tosses of both seats"),
    Column("heads_first", "int", "heads", "heads of the first seat"),
    Column("heads_second", "int", "heads", "heads of the second seat"),
    Column("heads", "int", "heads", "heads of both seats"),
    Column("share", "float", "", "heads of both seats / tosses"),
    Column("first_head", "int", "tosses", "number of the toss that showed the first head", optional=True),
    Column("runs", "list[int]", "tosses", "lengths of runs of equal tosses"),
)

METRICS = (
    Metric("first_wins", "First seat wins", "%", "share of decided games", Proportion("first_won", "decided")),
    Metric("stalled", "Undecided", "%", "share of all games", Proportion("undecided")),
    Metric("tosses", "Tosses", "tosses", "mean over games", Mean("tosses")),
    Metric("tosses_p90", "Tosses, 90th percentile", "tosses", "over games", Quantile("tosses", 0.9)),
    Metric("tosses_max", "Tosses, most", "tosses", "largest in any game", Maximum("tosses")),
    Metric("heads_rate", "Heads", "per 100 tosses", "pooled over games", Ratio("heads", "tosses", 100)),
    Metric("first_head", "First head", "tosses", "mean over games that have one", Mean("first_head")),
)

IDENTITIES = (
    Identity(
        "heads add up",
        ("heads", "heads_first", "heads_second"),
        lambda c: c["heads"] == c["heads_first"] + c["heads_second"],
    ),
    Identity("no more heads than tosses", ("heads", "tosses"), lambda c: c["heads"] <= c["tosses"]),
    Identity(
        "runs make up the tosses",
        ("runs", "tosses"),
        lambda c: np.array([sum(runs) for runs in c["runs"]]) == c["tosses"],
    ),
    Identity("a winner or none", ("winner", "decided"), lambda c: (c["winner"] != "none") == c["decided"]),
)


def measure(race: Race) -> dict[str, Any]:
    """Return the row of a race."""
    tosses = np.array(race.tosses)
    changes = np.flatnonzero(np.diff(tosses)) + 1
    return {
        "winner": race.winner,
        "first_won": race.winner == "first",
        "decided": race.winner != "none",
        "undecided": race.winner == "none",
        "tosses": len(race.tosses),
        "heads_first": race.heads(0),
        "heads_second": race.heads(1),
        "heads": sum(race.tosses),
        "share": sum(race.tosses) / len(race.tosses),
        "first_head": race.tosses.index(True) + 1 if any(race.tosses) else None,
        "runs": np.diff([0, *changes, len(tosses)]).tolist(),
    }


def describe(race: Race) -> str:
    """Return a race in words."""
    shown = "".join("T" if not toss else "H" for toss in race.tosses)
    return f"{shown}\nwinner: {race.winner}, after {len(race.tosses)} tosses"


ADAPTER = Adapter(
    game=COIN_RACE,
    columns=COLUMNS,
    metrics=METRICS,
    identities=IDENTITIES,
    measure=measure,
    describe=describe,
)
