"""Morris screening and Sobol indices, against functions whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import ConfigError
from lab.stats.intervals import Undefined
from lab.stats.sensitivity import MorrisScreening, SobolSampling

SLOPES = np.array([1.0, -2.0, 4.0])


def linear(points):
    """Return a metric whose last factor but the slopes' is inert."""
    return points[:, :3] @ SLOPES


def test_morris_finds_the_slopes_of_a_plane_exactly():
    screening = MorrisScreening(4)
    effects = screening.effects(linear(screening.points()))
    for effect, slope in zip(effects, [*SLOPES, 0], strict=True):
        assert effect.mean.estimate == pytest.approx(slope, abs=1e-12)
        assert effect.mean_absolute.estimate == pytest.approx(abs(slope), abs=1e-12)
        assert effect.sd == pytest.approx(0, abs=1e-12)


def test_morris_shows_effects_that_cancel_and_their_spread():
    screening = MorrisScreening(2, trajectories=100)
    points = screening.points()
    # The first factor's slope is +1 or -1 by the half in which the second one lies.
    effect = screening.effects(np.where(points[:, 1] > 0.5, 1, -1) * points[:, 0])[0]
    assert effect.mean.contains(0)
    assert effect.mean_absolute.estimate == pytest.approx(1)
    assert effect.mean_absolute.spreadless or effect.mean_absolute.half_width < 1e-6
    assert effect.sd == pytest.approx(1, abs=0.05)


def test_the_spread_of_absolute_effects_is_that_of_the_effects_themselves():
    screening = MorrisScreening(2, trajectories=15, seed=3)
    points = screening.points()
    metric = np.sin(5 * points[:, 0]) * (points[:, 1] + 0.2)
    effects = np.empty((15, 2))
    for row in range(15):
        steps, rises = (np.diff(column[3 * row : 3 * row + 3], axis=0) for column in (points, metric))
        for step, rise in zip(steps, rises, strict=True):
            moved = int(np.flatnonzero(step)[0])
            effects[row, moved] = rise / step[moved]
    for effect, own in zip(screening.effects(metric), effects.T, strict=True):
        assert effect.mean.estimate == pytest.approx(own.mean())
        half_width = 2.144787 * np.abs(own).std(ddof=1) / np.sqrt(15)
        assert effect.mean_absolute.half_width == pytest.approx(half_width, rel=1e-6)


def test_sobol_finds_the_shares_of_a_plane():
    sampling = SobolSampling(4, base=64)
    indices = sampling.indices(linear(sampling.points()))
    for index, share in zip(indices, [*(SLOPES**2 / 21), 0], strict=True):
        assert index.first.estimate == pytest.approx(share, abs=0.05)
        assert index.total.estimate == pytest.approx(share, abs=0.05)
    assert indices[3].total.estimate == pytest.approx(0, abs=1e-12), "an inert factor is exactly inert"


def test_sobol_tells_company_from_acting_alone():
    sampling = SobolSampling(2, base=64)
    points = sampling.points()
    for index in sampling.indices((points[:, 0] - 0.5) * (points[:, 1] - 0.5)):
        assert index.first.estimate == pytest.approx(0, abs=0.1)
        assert index.total.estimate == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize("kind", [MorrisScreening, SobolSampling])
def test_the_seed_0_is_a_seed_like_any_other(kind):
    before = np.random.get_state()  # noqa: NPY002 - it is this state that must not change
    plans = [kind(3, seed=seed) for seed in (0, 0, 1)]
    points = [plan.points() for plan in plans]
    assert (points[0] == points[1]).all()
    assert (points[0] != points[2]).any()
    found = [
        (plan.effects if isinstance(plan, MorrisScreening) else plan.indices)(linear(at))
        for plan, at in zip(plans, points, strict=True)
    ]
    assert found[0] == found[1] != found[2]
    after = np.random.get_state()  # noqa: NPY002
    assert (before[1] == after[1]).all()
    assert before[2] == after[2], "SALib with seed 0 would have drawn on the state that all share"


def test_salib_itself_takes_seed_0_for_none():
    """The reason for the care above; when this fails, SALib has mended it."""
    from SALib.analyze import sobol

    problem = {"num_vars": 1, "names": ["x"], "bounds": [[0, 1]]}
    metric = np.random.default_rng(0).random(3 * 64)
    widths = {sobol.analyze(problem, metric, calc_second_order=False, seed=0)["S1_conf"][0] for _ in range(2)}
    assert len(widths) == 2


@pytest.mark.parametrize("plan", [MorrisScreening(3, trajectories=5, levels=6), SobolSampling(3, 8, 3)])
def test_points_lie_in_the_cube_and_are_as_many_as_announced(plan):
    points = plan.points()
    assert points.shape == (plan.runs, 3)
    assert points.min() >= 0
    assert points.max() <= 1


def test_a_metric_that_never_moves_has_no_sensitivities():
    screening, sampling = MorrisScreening(2), SobolSampling(2)
    assert isinstance(screening.effects(np.full(screening.runs, 7)), Undefined)
    assert isinstance(sampling.indices(np.full(sampling.runs, 7)), Undefined)
    # Moving in one replicate alone leaves the others with no variance to share out.
    once = np.zeros(sampling.runs)
    once[0] = 1
    assert "replicate" in sampling.indices(once).reason


@pytest.mark.parametrize(
    "make",
    [
        lambda: MorrisScreening(0),
        lambda: MorrisScreening(2, trajectories=1),
        lambda: MorrisScreening(2, levels=5),
        lambda: MorrisScreening(2, levels=0),
        lambda: SobolSampling(0),
        lambda: SobolSampling(2, base=12),
        lambda: SobolSampling(2, base=4),
        lambda: SobolSampling(2, replicates=1),
    ],
)
def test_sizes_that_cannot_be_are_refused(make):
    with pytest.raises(ConfigError, match="must be"):
        make()


@pytest.mark.parametrize("values", [[1, 2, 3], [np.nan] * 60])
def test_values_that_do_not_fit_the_points_are_refused(values):
    with pytest.raises(ValueError, match=r"values"):
        MorrisScreening(2).effects(values)
