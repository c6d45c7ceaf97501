"""What holds in every row of Dotfight."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.estimators import Columns
from lab.games._dotfight_losses import INSIDE, OFF_PAGE, OWN_INK, ROAD, SHOT
from lab.games._dotfight_row import DEEDS
from lab.games.adapter import Identity

LISTED_BY_TURN = ("living_first", "living_second", "inside_first", "inside_second")
LOST = ("lost_turn", "lost_x", "lost_y", "lost_side")
COUNTED = {
    INSIDE: "kills_inside",
    ROAD: "kills_road",
    SHOT: "lungers_shot",
    OFF_PAGE: "lungers_off_page",
    OWN_INK: "own_crossed_out",
}
"""How a man is lost, and the column that counts it; those outside are the rest of the kills."""


class _Lists:
    """A column of lists, laid end to end, so that all games are looked at in one go.

    Attributes
    ----------
    sizes, stops
        Of each game's list: its length, and where it ends among the values. Shape (games,).
    values
        Shape (sum of the lengths,).
    """

    def __init__(self, column: NDArray[Any]) -> None:
        self.sizes = np.fromiter(map(len, column), np.int64, len(column))
        self.stops = np.cumsum(self.sizes)
        self.values: NDArray[np.int64] = np.concatenate(column) if len(column) else np.empty(0, np.int64)

    def sums(self, of: NDArray[Any]) -> NDArray[np.int64]:
        """Return what ``of``, one number a value, adds up to in each list; shape (games,)."""
        totals = np.append(0, np.cumsum(of, dtype=np.int64))
        return totals[self.stops] - totals[self.stops - self.sizes]


def _turns_are_listed(c: Columns) -> NDArray[np.bool_]:
    lists = [_Lists(c[name]) for name in LISTED_BY_TURN]
    holds = np.logical_and.reduce([one.sizes == c["turns"] + 1 for one in lists])
    # Where each game's lists are equally long, their values lie side by side.
    first, second, inside_first, inside_second = (_Lists(c[name][holds]) for name in LISTED_BY_TURN)
    starts, ends = first.stops - first.sizes, first.stops - 1
    too_many = (inside_first.values > first.values) | (inside_second.values > second.values)
    holds[holds] = (
        (first.values[ends] + second.values[ends] == c["survivors"][holds])
        & (inside_first.values[starts] + inside_second.values[starts] == c["inside_start"][holds])
        & (first.sums(too_many) == 0)
    )
    return holds


def _losses_are_listed(c: Columns) -> NDArray[np.bool_]:
    how = _Lists(c["lost_how"])
    return np.logical_and.reduce(
        [_Lists(c[name]).sizes == how.sizes for name in LOST]
        + [how.sums(how.values == kind) == c[name] for kind, name in COUNTED.items()]
    )


def _deeds_are_in_a_phase(c: Columns) -> NDArray[np.bool_]:
    phases = {deed: _Lists(c[f"{deed}_by_phase"]) for deed in DEEDS}
    return np.logical_and.reduce([of.sums(of.values) == c[deed] for deed, of in phases.items()])


IDENTITIES = (
    Identity(
        "flicks are snipes and lunges",
        ("flicks", "snipes", "lunges"),
        lambda c: c["flicks"] == c["snipes"] + c["lunges"],
    ),
    Identity(
        "kills are inside and outside",
        ("kills", "kills_inside", "kills_outside"),
        lambda c: c["kills"] == c["kills_inside"] + c["kills_outside"],
    ),
    Identity(
        "men are alive, crossed out, shot or off the page",
        ("men", "survivors", "kills", "lungers_shot", "lungers_off_page", "own_crossed_out"),
        lambda c: (
            c["men"] == c["survivors"] + c["kills"] + c["lungers_shot"] + c["lungers_off_page"] + c["own_crossed_out"]
        ),
    ),
    Identity(
        "chains make up the lunges",
        ("chains", "chains_1", "chains_2", "chains_3", "chains_4plus", "lunges"),
        lambda c: (
            (c["chains"] == c["chains_1"] + c["chains_2"] + c["chains_3"] + c["chains_4plus"])
            & (c["chains_1"] + 2 * c["chains_2"] + 3 * c["chains_3"] + 4 * c["chains_4plus"] <= c["lunges"])
        ),
    ),
    Identity("a game is won or stalled", ("decided", "stalled"), lambda c: c["decided"] != c["stalled"]),
    Identity(
        "the winner is the winner",
        ("winner", "decided", "first_won"),
        lambda c: ((c["winner"] == "none") != c["decided"]) & ((c["winner"] == "first") == c["first_won"]),
    ),
    Identity(
        "living men and those inside are listed for each turn",
        ("turns", "survivors", "inside_start", *LISTED_BY_TURN),
        _turns_are_listed,
    ),
    Identity(
        "every man lost is listed",
        ("lost_how", *LOST, *COUNTED.values()),
        _losses_are_listed,
    ),
    Identity(
        "every action is in a phase of the game",
        ("snipes", "lunges", "sends", "declines", *(f"{deed}_by_phase" for deed in DEEDS)),
        _deeds_are_in_a_phase,
    ),
    Identity(
        "nobody waits for less than the other side's longest turn",
        ("wait_first", "wait_second", "wait_longest", "longest_turn_first", "longest_turn_second"),
        lambda c: (
            (c["wait_first"] >= c["longest_turn_second"])
            & (c["wait_second"] >= c["longest_turn_first"])
            & (c["wait_longest"] == np.maximum(c["wait_first"], c["wait_second"]))
        ),
    ),
)
