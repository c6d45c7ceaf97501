"""The trace sample: flicks that an independent engine judged (``tests/data/README.md``)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from dotfight_cases import inside
from numpy.typing import NDArray

from engine.dotfight.actions import KINDS, Flick
from engine.dotfight.page import BASE, HOME, MAN, NOWHERE, ORDERED, ROAD
from engine.dotfight.rules import Rules

SAMPLE = Path(__file__).parents[1] / "data" / "trace-sample.jsonl"
STATUS = {"home": HOME, "ordered": ORDERED, "road": ROAD}


@dataclass(frozen=True)
class Trace:
    """One page of the sample: its rules and state, and flicks each judged from that same state."""

    id: int
    rules: Rules
    bases: NDArray[np.void]
    men: NDArray[np.void]
    garrisons: list[list[int]]
    flicks: list[tuple[Flick, dict[str, Any]]]


def traces() -> Iterator[Trace]:
    """Yield the sample's pages."""
    with SAMPLE.open(encoding="utf-8") as lines:
        for line in lines:
            yield read(json.loads(line))


def read(record: dict[str, Any]) -> Trace:
    rules = Rules.parse({**record["rules"], **record["size"]})
    bases, men = np.zeros(rules.bases, BASE), np.zeros(rules.men, MAN)
    for base in record["state"]["bases"]:
        assert base["r"] == rules.base_radius
        bases[base["id"]] = (base["x"], base["y"], base["side"])
    for man in record["state"]["men"]:
        status = STATUS[man["status"]]
        men[man["id"]] = (man["x"], man["y"], man["side"], man["alive"], NOWHERE, status, man["home"], NOWHERE, 0)
    men["inside"] = inside(rules, bases, men)
    flicks = [
        (
            Flick(
                man=flick["man"],
                kind=KINDS.index(flick["kind"]),
                angle=float(flick["angle"]),
                length=float(flick["length"]),
                bend=float(flick["bend"]),
                normals=tuple(float(normal) for normal in flick["normals"]),
            ),
            flick,
        )
        for flick in record["flicks"]
    ]
    return Trace(record["id"], rules, bases, men, [base["garrison"] for base in record["state"]["bases"]], flicks)
