"""The numbers of Dotfight: one frozen, validated setting for each, with unit, range and clause.

Clauses R1 to R12 are those of ``RULES.md``. The defaults are the rule book's game at the Classic size.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np

from engine.errors import ConfigError
from engine.parameters import Param, Parameters, declared

UNITS = "page units"
DOTS = "dot radii"


MOST_BASES = 40
"""Bases that a page can hold: the room compiled code sets aside."""
MOST_SOLDIERS = 60
MOST_MEN = MOST_SOLDIERS * MOST_BASES
LEAST, MOST = 1e-9, 1e9
"""Least number where one must be above 0, and most where nothing else bounds it: far beyond any game, and few enough
orders of magnitude that no product of several of them leaves the range of a double."""
MOST_TIMES = 10**6
"""Most of what is counted, where nothing else bounds it."""
ROUNDING = 1e-12
"""Share by which a limit worked out from other rules may be rounded; whoever is at the limit is within it."""

Numbers = Any
"""The rules as compiled code takes them: a NumPy record with one float field for each rule, named alike.

``per_kill`` is 1.0 where ``lunge_earns`` is per_kill, else 0.0; ``snipe_losses`` and ``lunge_shakes`` give what walls
cost by garrison, ``(MOST_SOLDIERS + 1,)``. Entry
points take the record in a ``(1,)`` array, which costs a sixth of the time that NumPy scalars cost to hand over.
"""


@dataclass(frozen=True, kw_only=True)
class Rules(Parameters):
    """Every rule of Dotfight that is a number or a choice."""

    # R1 The page
    page_width: Annotated[float, Param("width of the sheet", UNITS, low=LEAST, high=MOST, source="R1.1")] = 1000.0
    page_height: Annotated[float, Param("height of the sheet", UNITS, low=LEAST, high=MOST, source="R1.1")] = 1700.0
    margin: Annotated[float, Param("x of the left margin line", UNITS, low=0, high=MOST, source="R1.1")] = 70.0
    dot_radius: Annotated[float, Param("radius of a soldier's dot", UNITS, low=LEAST, high=MOST, source="R1.3")] = 7.0
    hit_reach: Annotated[
        float, Param("a line this near a man's centre crosses him out", UNITS, low=LEAST, high=MOST, source="R1.3")
    ] = 10.1

    # R2 Bases
    bases_per_side: Annotated[
        int, Param("bases each side draws", "bases", low=1, high=MOST_BASES // 2, source="R2.4")
    ] = 4
    soldiers_per_base: Annotated[
        int, Param("dots jotted into each base", "men", low=1, high=MOST_SOLDIERS, source="R2.3")
    ] = 8
    base_radius: Annotated[float, Param("radius of a base", UNITS, low=LEAST, high=MOST, source="R2.2")] = 62.0
    base_margin_gap: Annotated[
        float, Param("least gap from a base's wall to the margin line", UNITS, low=0, high=MOST, source="R2.2")
    ] = 8.0
    base_edge_gap: Annotated[
        float, Param("least gap from a base's wall to the other page edges", UNITS, low=0, high=MOST, source="R2.2")
    ] = 16.0
    own_gap: Annotated[
        float, Param("least gap between the walls of one side's bases", UNITS, low=0, high=MOST, source="R2.2")
    ] = 40.0
    enemy_gap: Annotated[
        float, Param("least gap between the walls of enemy bases", UNITS, low=0, high=MOST, source="R2.2")
    ] = 180.0
    jot_inset: Annotated[
        float, Param("dots are jotted this far inside the wall", DOTS, low=0, high=MOST, source="R2.3")
    ] = 2.2
    jot_spacing: Annotated[
        float, Param("least distance between jotted dots' centres", DOTS, low=0, high=1000, source="R2.3")
    ] = 3.2
    jot_tries: Annotated[
        int, Param("tries in a row before the spacing shrinks", "tries", low=1, high=10**5, source="R2.3")
    ] = 4000
    jot_shrink: Annotated[
        float, Param("factor by which the spacing shrinks", "share", low=0.1, high=0.99, source="R2.3")
    ] = 0.8

    # R3 Positioning
    position_reach: Annotated[
        float, Param("how far outside the wall a man may be placed", UNITS, low=0, high=MOST, source="R3.2")
    ] = 20.0
    stand_spacing: Annotated[
        float, Param("least distance from any living man when placed", DOTS, low=0, high=MOST, source="R3.2")
    ] = 2.4
    enemy_base_clearance: Annotated[
        float,
        Param("men are placed no nearer an enemy base's centre", "base radii", low=0, high=MOST, source="R3.2"),
    ] = 1.1
    stand_edge_gap: Annotated[
        float, Param("men are placed this far inside page and margin line", UNITS, low=0, high=MOST, source="R3.2")
    ] = 8.0
    inside_reach: Annotated[
        float, Param("a man this near the centre is inside", "base radii", low=1, high=MOST, source="R3.3")
    ] = 1.05

    # R5 The hand
    reach_min: Annotated[float, Param("line length at no power", UNITS, low=LEAST, high=MOST, source="R5.1")] = 200.0
    reach_max: Annotated[float, Param("line length at full power", UNITS, low=LEAST, high=MOST, source="R5.1")] = 2000.0
    reach_curve: Annotated[
        float, Param("exponent from power to length", "exponent", low=LEAST, high=MOST, source="R5.1")
    ] = 2.0
    wild_reach_min: Annotated[
        float, Param("reference curve: length at no power", UNITS, low=LEAST, high=MOST, source="R5.2")
    ] = 300.0
    wild_reach_max: Annotated[
        float, Param("reference curve: length at full power", UNITS, low=LEAST, high=MOST, source="R5.2")
    ] = 1800.0
    wild_reach_curve: Annotated[
        float, Param("reference curve: exponent", "exponent", low=LEAST, high=MOST, source="R5.2")
    ] = 0.9
    angle_error: Annotated[
        float, Param("angular error of the tamest line, one sd", "rad", low=0, high=MOST, source="R5.3")
    ] = 0.012
    angle_error_wild: Annotated[
        float, Param("angular error added at full wildness, one sd", "rad", low=0, high=MOST, source="R5.3")
    ] = 0.05
    length_error: Annotated[float, Param("relative length error, one sd", "share", low=0, high=MOST, source="R5.3")] = (
        0.07
    )
    length_factor_min: Annotated[
        float, Param("least factor a length error can give", "share", low=LEAST, high=1, source="R5.3")
    ] = 0.2
    bend_max: Annotated[
        float, Param("largest bow of the wildest line", "share of length", low=0, high=0.5, source="R5.3")
    ] = 0.05
    bend_tame: Annotated[
        float, Param("share of the bow that the tamest line has", "share", low=0, high=1, source="R5.3")
    ] = 0.3
    last_stand_steadiness: Annotated[
        float, Param("factor on a hand's errors in a last stand", "factor", low=0, high=MOST, source="R5.4")
    ] = 0.6
    link_tremor: Annotated[
        float, Param("angular tremor for each link already made in a chain", "rad", low=0, high=MOST, source="R5.5")
    ] = 0.05

    # R6 The ink
    ink_segments: Annotated[
        int, Param("straight pieces a flick's ink is walked in", "segments", low=2, high=256, source="R6.1")
    ] = 32
    blind_travel: Annotated[
        float, Param("men met within this much ink from the start are not hit", DOTS, low=0, high=MOST, source="R6.3")
    ] = 1.5
    friendly_cost: Annotated[bool, Param("passing an own man costs as much as an enemy", source="R6.2")] = False
    friendly_fire: Annotated[bool, Param("own men are crossed out, and cost as enemies do", source="R6.2")] = False
    garrison: Annotated[
        Literal["manned", "flat"], Param("walls as strong as their men, or all alike", source="R6.5")
    ] = "manned"
    garrison_curve: Annotated[
        float, Param("exponent from manned share to wall strength", "exponent", low=LEAST, high=MOST, source="R6.6")
    ] = 1.0
    flat_snipe_loss: Annotated[
        float, Param("flat walls: share of a snipe lost", "share", low=0, high=1, source="Flat walls")
    ] = 0.10
    flat_lunge_shake: Annotated[
        float, Param("flat walls: shake of a lunger, one sd", "rad", low=0, high=MOST, source="Flat walls")
    ] = 0.08

    # R7 Snipe
    snipe_loss_empty: Annotated[
        float, Param("share lost at an empty ring's wall", "share", low=0, high=1, source="R7.2")
    ] = 0.03
    snipe_loss_full: Annotated[
        float, Param("share lost at a full base's wall", "share", low=0, high=1, source="R7.2")
    ] = 0.85
    snipe_man_loss: Annotated[
        float, Param("share lost at a man crossed out", "share", low=0, high=1, source="R7.2")
    ] = 0.05
    snipe_earn_at: Annotated[
        int, Param("men with one snipe that earn another flick", "men", low=1, high=MOST_TIMES, source="R7.4")
    ] = 2

    # R8 Lunge
    lunge_shake_empty: Annotated[
        float, Param("shake at an empty ring's wall, one sd", "rad", low=0, high=MOST, source="R8.2")
    ] = 0.02
    lunge_shake_full: Annotated[
        float, Param("shake at a full base's wall, one sd", "rad", low=0, high=MOST, source="R8.2")
    ] = 1.0
    lunge_man_shake: Annotated[
        float, Param("shake at a man crossed out, one sd", "rad", low=0, high=MOST, source="R8.2")
    ] = 0.04
    lunge_earns: Annotated[
        Literal["per_lunge", "per_kill"], Param("lunges earned by a lunge that kills", source="R8.4")
    ] = "per_lunge"

    # R9 Send
    send_max: Annotated[
        int, Param("most men in one send; 0 forbids sends", "men", low=0, high=MOST_TIMES, source="R9.1")
    ] = 5
    send_slack: Annotated[
        float, Param("sendable: this far beyond the placing reach", UNITS, low=0, high=MOST, source="R9.1")
    ] = 1.0
    road_gap: Annotated[
        float, Param("the road begins and ends this far from the walls", UNITS, low=0, high=MOST, source="R9.2")
    ] = 6.0
    road_spacing: Annotated[float, Param("spacing of a column on the road", DOTS, low=0, high=MOST, source="R9.2")] = (
        2.6
    )
    road_turns: Annotated[int, Param("enemy turns a convoy is on the road", "turns", low=1, high=20, source="R9.4")] = 1

    # R11 Last stand
    last_stand_at: Annotated[
        int, Param("living men at which a last stand begins; 0 never", "men", low=0, high=MOST_TIMES, source="R11.1")
    ] = 4
    last_stand_flicks: Annotated[
        int, Param("flicks a turn in a last stand", "flicks", low=1, high=MOST_TIMES, source="R11.2")
    ] = 2

    # Who adjudicates the flicks that are played; the two agree to rounding
    geometry: Annotated[
        Literal["shapely", "kernel"], Param("geometry that adjudicates every flick played", source="R6")
    ] = "shapely"

    # R12 The end
    max_turns: Annotated[
        int, Param("a game not over by then is stalled", "turns", low=1, high=MOST_TIMES, source="R12.2")
    ] = 400

    @property
    def bases(self) -> int:
        """Bases on the page, both sides."""
        return 2 * self.bases_per_side

    @property
    def men(self) -> int:
        """Men at the start, both sides."""
        return self.bases * self.soldiers_per_base

    @property
    def jot_radius(self) -> float:
        """Radius of the disc that dots are jotted into, in page units (R2.3)."""
        return self.base_radius - self.jot_inset * self.dot_radius

    def wall_strength(self, garrison: int) -> float:
        """Return f of R6.6: 0 at an empty ring, 1 at a full or overfull base."""
        return min(1.0, garrison / self.soldiers_per_base) ** self.garrison_curve

    def snipe_loss(self, garrison: int) -> float:
        """Return the share of what is left that a wall takes from a snipe (R7.2)."""
        if self.garrison == "flat":
            return self.flat_snipe_loss
        return self.snipe_loss_empty + (self.snipe_loss_full - self.snipe_loss_empty) * self.wall_strength(garrison)

    def lunge_shake(self, garrison: int) -> float:
        """Return the shake in rad (one sd) that a wall gives a lunger (R8.2)."""
        if self.garrison == "flat":
            return self.flat_lunge_shake
        return self.lunge_shake_empty + (self.lunge_shake_full - self.lunge_shake_empty) * self.wall_strength(garrison)

    @cached_property
    def numbers(self) -> Numbers:
        """The rules as a ``(1,)`` array of floats for compiled code."""
        return _tabulate(self)

    def check(self) -> None:
        """Refuse rules that are each in range and cannot be played together."""
        if self.reach_min > self.reach_max:
            raise ConfigError("reach_min", self.reach_min, f"must be at most reach_max ({self.reach_max:g})")
        if self.wild_reach_min >= self.wild_reach_max:
            raise ConfigError(
                "wild_reach_min",
                self.wild_reach_min,
                f"must be below wild_reach_max ({self.wild_reach_max:g})",
            )
        for empty, full in (
            ("snipe_loss_empty", "snipe_loss_full"),
            ("lunge_shake_empty", "lunge_shake_full"),
        ):
            if getattr(self, empty) > getattr(self, full):
                raise ConfigError(empty, getattr(self, empty), f"must be at most {full} ({getattr(self, full):g})")
        room_x = self.page_width - self.base_edge_gap - self.margin - self.base_margin_gap
        room_y = self.page_height - 2 * self.base_edge_gap
        room = min(room_x, room_y) / 2
        if self.base_radius > room * (1 + ROUNDING):
            raise ConfigError("base_radius", self.base_radius, f"must be at most {room:g} to fit on the page")
        if self.jot_radius <= 0:
            widest = self.base_radius / self.dot_radius
            raise ConfigError("jot_inset", self.jot_inset, f"must be below {widest:g} to leave room for dots")
        overlap = 2 * (self.inside_reach - 1) * self.base_radius
        if self.own_gap < overlap - ROUNDING * self.base_radius:
            raise ConfigError(
                "own_gap", self.own_gap, f"must be at least {overlap:g}, so that no man is inside two bases"
            )
        # Dots that touch are no longer separate men: a base holds what discs of the dot's own size can fill.
        capacity = max(1, int(0.8 * (self.jot_radius / self.dot_radius + 1) ** 2))
        if self.soldiers_per_base > capacity:
            raise ConfigError(
                "soldiers_per_base",
                self.soldiers_per_base,
                f"must be at most {capacity}, what a base of radius {self.base_radius:g} can hold",
            )


_CHOICES = {"per_kill": ("lunge_earns", "per_kill")}


def _tabulate(rules: Rules) -> Numbers:
    values: dict[str, Any] = {
        field.name: float(getattr(rules, field.name)) for field in declared(Rules) if field.kind in (float, int, bool)
    }
    for name, (field, choice) in _CHOICES.items():
        values[name] = float(getattr(rules, field) == choice)
    values["snipe_losses"] = tuple(rules.snipe_loss(garrison) for garrison in range(MOST_SOLDIERS + 1))
    values["lunge_shakes"] = tuple(rules.lunge_shake(garrison) for garrison in range(MOST_SOLDIERS + 1))
    dtype = np.dtype(
        [(name, "f8", (len(value),)) if isinstance(value, tuple) else (name, "f8") for name, value in values.items()]
    )
    array = np.array([tuple(values.values())], dtype=dtype)
    array.setflags(write=False)
    return array
