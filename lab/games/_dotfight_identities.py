"""What holds in every row of Dotfight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.estimators import Columns
from lab.games._dotfight_losses import INSIDE, OFF_PAGE, OWN_INK, ROAD, SHOT
from lab.games._dotfight_row import DEEDS
from lab.games.adapter import Identity

LISTED = ("turns", "survivors", "inside_start", "living_first", "living_second", "inside_first", "inside_second")
LOST = ("lost_turn", "lost_x", "lost_y", "lost_side")
COUNTED = {
    INSIDE: "kills_inside",
    ROAD: "kills_road",
    SHOT: "lungers_shot",
    OFF_PAGE: "lungers_off_page",
    OWN_INK: "own_crossed_out",
}
"""How a man is lost, and the column that counts it; those outside are the rest of the kills."""

LOSSES = ("lost_how", *LOST, *COUNTED.values())


def _each_game(holds: Callable[..., bool], columns: Columns, names: Sequence[str]) -> NDArray[np.bool_]:
    """Ask of each game by itself, given its values of these columns."""
    return np.array([holds(*values) for values in zip(*(columns[name] for name in names), strict=True)], bool)


def _turns_are_listed(turns: int, survivors: int, inside_start: int, *lists: NDArray[np.int64]) -> bool:
    first, second, inside_first, inside_second = lists
    return (
        {one.size for one in lists} == {turns + 1}
        and first[-1] + second[-1] == survivors
        and inside_first[0] + inside_second[0] == inside_start
        and bool((inside_first <= first).all() and (inside_second <= second).all())
    )


def _losses_are_listed(how: NDArray[np.int64], *rest: Any) -> bool:
    lists, counts = rest[: len(LOST)], rest[len(LOST) :]
    listed = [np.count_nonzero(how == kind) for kind in COUNTED]
    return {one.size for one in lists} == {how.size} and listed == list(counts)


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
        LISTED,
        lambda c: _each_game(_turns_are_listed, c, LISTED),
    ),
    Identity(
        "every man lost is listed",
        LOSSES,
        lambda c: _each_game(_losses_are_listed, c, LOSSES),
    ),
    Identity(
        "every action is in a phase of the game",
        ("snipes", "lunges", "sends", "declines", *(f"{deed}_by_phase" for deed in DEEDS)),
        lambda c: np.logical_and.reduce(
            [c[deed] == np.array([phases.sum() for phases in c[f"{deed}_by_phase"]], int) for deed in DEEDS]
        ),
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
