"""What chance alone makes of a screening: the level that an inert parameter's effect is to be held against."""

from __future__ import annotations

import numpy as np
import pytest

from lab.design import Continuous, SensitivityDesign
from lab.estimators import Mean
from lab.games.adapter import Metric
from lab.spec import Experiment
from lab.stats.sensitivity import MorrisScreening, SobolSampling
from lab.sweeps.sensitivity import Analysis, _importance
from lab.sweeps.variants import variant_of

KEYS = [f"players.{seat}.heads" for seat in ("first", "second")]
FACTORS = tuple(Continuous(key, 0, 1) for key in KEYS)
METRIC = Metric("tosses", "Tosses", "tosses", "mean over games", Mean("tosses"))
BASE = Experiment.parse({"game": "coinrace"})
GAMES = 50


def analysis(sampling):
    design = SensitivityDesign(FACTORS, sampling)
    return Analysis(design, tuple(variant_of(BASE, changes) for changes in design.variants()))


def played(points, seed, slope=0.0):
    """Return games of pure noise, of its own at each point, and a slope along the first factor."""
    rng = np.random.default_rng(seed)
    found = {}
    for variant in points:
        if variant.folder not in found:
            rise = slope * variant.experiment.table()["players"]["first"]["heads"]
            found[variant.folder] = {"game": np.arange(GAMES), "tosses": rise + rng.normal(0, 3, GAMES)}
    return found


def test_parameters_without_effect_look_as_important_as_chance_says():
    """Twenty screenings; the mean ratio has a standard error of 5 %, so 20 % off is 4 of them."""
    ratios = []
    for seed in range(20):
        asked = analysis(MorrisScreening(2, trajectories=8, levels=16, seed=seed))
        found = _importance(METRIC, asked, played(asked.points, seed))
        ratios += [
            effect.mean_absolute.estimate / chance for effect, chance in zip(found.effects, found.chance, strict=True)
        ]
    assert np.mean(ratios) == pytest.approx(1, abs=0.2)


def test_a_parameter_with_an_effect_stands_out_and_the_other_does_not():
    asked = analysis(MorrisScreening(2, trajectories=10, levels=16))
    found = _importance(METRIC, asked, played(asked.points, 1, slope=20.0))
    one, other = found.effects
    assert one.mean_absolute.low > 5 * found.chance[0]
    assert other.mean_absolute.low < 2 * found.chance[1]


def test_the_variance_of_noise_alone_is_all_chance_and_little_of_a_slopes():
    asked = analysis(SobolSampling(2, base=8, replicates=4))
    (noise,) = _importance(METRIC, asked, played(asked.points, 2)).chance
    assert noise == pytest.approx(1, abs=0.15)
    (little,) = _importance(METRIC, asked, played(asked.points, 2, slope=20.0)).chance
    assert little < 0.02
