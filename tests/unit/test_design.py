"""Designs: which variants a sweep plays."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from engine.errors import ConfigError
from lab.design import (
    Axis,
    Categorical,
    Continuous,
    Crossed,
    Explicit,
    Grid,
    Integer,
    LatinHypercube,
    OneAtATime,
    Pairings,
    SensitivityDesign,
    SobolPoints,
    variants_within,
)
from lab.stats.sensitivity import MorrisScreening, SobolSampling

SHAKE, CURVE = Axis("rules.shake", (0.0, 0.1)), Axis("rules.curve", (0.5, 1, 2))
FACTORS = (Continuous("rules.shake", 0, 0.2), Integer("rules.men", 1, 8), Categorical("rules.ink", ("thin", "bold")))

DESIGNS = [
    Grid((SHAKE, CURVE)),
    OneAtATime((SHAKE, CURVE)),
    Explicit(({"rules.men": 3}, {"rules.men": 4, "rules.shake": 0.1}, {})),
    Pairings(("random", "greedy", "planner")),
    Crossed(Pairings(("random", "greedy")), Grid((CURVE,))),
    LatinHypercube(FACTORS, 10),
    SobolPoints(FACTORS, 16),
    SensitivityDesign(FACTORS, MorrisScreening(3, trajectories=4)),
    SensitivityDesign(FACTORS, SobolSampling(3, base=8, replicates=2)),
]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: type(design).__name__)
def test_every_design_announces_its_size_and_keeps_its_order(design):
    variants = design.variants()
    assert len(variants) == design.size
    assert variants == design.variants()
    assert variants_within(design, design.size) == variants
    with pytest.raises(ConfigError, match=f"{design.size} variants.*at most {design.size - 1}"):
        variants_within(design, design.size - 1)


def test_a_grid_too_large_is_refused_before_it_is_made():
    million_million = Grid(tuple(Axis(f"rules.{k}", tuple(range(100))) for k in range(6)))
    with pytest.raises(ConfigError, match="1000000000000 variants"):
        variants_within(million_million, 10_000)


def test_a_grid_combines_all_values():
    assert DESIGNS[0].variants()[:4] == (
        {"rules.shake": 0.0, "rules.curve": 0.5},
        {"rules.shake": 0.0, "rules.curve": 1},
        {"rules.shake": 0.0, "rules.curve": 2},
        {"rules.shake": 0.1, "rules.curve": 0.5},
    )


def test_one_at_a_time_changes_one_key_of_the_base():
    variants = DESIGNS[1].variants()
    assert variants[0] == {}
    assert all(len(variant) == 1 for variant in variants[1:])
    assert variants[-1] == {"rules.curve": 2}


def test_pairings_swap_the_seats_of_every_two():
    pairs = [(v["players.first"], v["players.second"]) for v in DESIGNS[3].variants()]
    assert pairs[:2] == [("random", "greedy"), ("greedy", "random")]
    assert len(set(pairs)) == 6
    assert all((b, a) in pairs and a != b for a, b in pairs)


def test_a_stance_is_a_player_with_options():
    hold, rush = {"name": "bot", "stance": "hold"}, {"name": "bot", "stance": "rush"}
    assert Pairings((hold, rush)).variants()[0] == {"players.first": hold, "players.second": rush}


def test_crossing_plays_each_with_each():
    crossed = DESIGNS[4].variants()
    assert len(crossed) == 6
    assert crossed[0] == {"players.first": "random", "players.second": "greedy", "rules.curve": 0.5}
    with pytest.raises(ConfigError, match=r"rules\.curve"):
        Crossed(Grid((CURVE,)), Grid((CURVE,))).variants()


def test_a_latin_hypercube_spreads_every_factor_evenly():
    points = LatinHypercube((Continuous("x", 0, 1), Continuous("y", 10, 20)), 50).variants()
    for key, low, width in (("x", 0, 1), ("y", 10, 10)):
        slots = sorted(int(50 * (point[key] - low) / width) for point in points)
        assert slots == list(range(50))


def test_sobol_points_spread_all_factors_together():
    points = SobolPoints((Continuous("x", 0, 1), Integer("k", 1, 4), Categorical("c", ("a", "b"))), 64).variants()
    # Balanced in every cell of a grid of halves, quarters and halves: 64 points over 16 cells.
    cells = Counter((point["x"] < 0.5, point["k"], point["c"]) for point in points)
    assert set(cells.values()) == {4}


def test_seeds_move_the_points_and_0_is_one_of_them():
    for kind in (LatinHypercube, SobolPoints):
        zero, again, one = (kind(FACTORS, 8, seed=seed).variants() for seed in (0, 0, 1))
        assert zero == again != one


@pytest.mark.parametrize("share", np.linspace(0, 1, 17))
def test_factors_keep_to_their_range(share):
    assert 0 <= FACTORS[0].at(share) <= 0.2
    assert FACTORS[1].at(share) in range(1, 9)
    assert FACTORS[2].at(share) in ("thin", "bold")


def test_factors_reach_their_ends():
    assert [factor.at(0.0) for factor in FACTORS] == [0, 1, "thin"]
    assert [factor.at(1.0) for factor in FACTORS] == [0.2, 8, "bold"]
    assert Counter(Integer("k", 1, 4).at(k / 400) for k in range(400)) == {1: 100, 2: 100, 3: 100, 4: 100}


@pytest.mark.parametrize(
    ("make", "key"),
    [
        (lambda: Axis("rules.shake", ()), "rules.shake"),
        (lambda: Axis("rules.shake", (0.1, 0.2, 0.1)), "rules.shake"),
        (lambda: Grid(()), "design"),
        (lambda: Grid((SHAKE, SHAKE)), "rules.shake"),
        (lambda: OneAtATime((SHAKE, SHAKE)), "rules.shake"),
        (lambda: Explicit(()), "design.variants"),
        (lambda: Explicit(({"a": 1}, {"a": 1})), "design.variants"),
        (lambda: Pairings(("random",)), "design.players"),
        (lambda: Pairings(("random", "random")), "design.players"),
        (lambda: Continuous("rules.shake", 1, 1), "rules.shake"),
        (lambda: Continuous("rules.shake", 0, float("nan")), "rules.shake"),
        (lambda: Integer("rules.men", 8, 1), "rules.men"),
        (lambda: Categorical("rules.ink", ("thin",)), "rules.ink"),
        (lambda: Categorical("rules.ink", ("thin", "thin")), "rules.ink"),
        (lambda: LatinHypercube(FACTORS, 0), "design.points"),
        (lambda: LatinHypercube((), 5), "design"),
        (lambda: LatinHypercube((FACTORS[0], FACTORS[0]), 5), "rules.shake"),
        (lambda: SobolPoints(FACTORS, 12), "design.points"),
        (lambda: SobolPoints(FACTORS, 0), "design.points"),
        (lambda: SensitivityDesign(FACTORS, MorrisScreening(2)), "design.factors"),
    ],
)
def test_designs_that_cannot_be_played_name_the_key(make, key):
    with pytest.raises(ConfigError, match=r"must") as caught:
        make()
    assert caught.value.key == key
