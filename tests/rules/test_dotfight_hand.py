"""Dotfight's clauses R5.1 to R5.5: what a hand does to an intended flick."""

from __future__ import annotations

from math import hypot, sqrt

import pytest
from dotfight_pages import FIRST, RIGHT, Scene, approx, live, resolved

from engine.dotfight.actions import LUNGE, SNIPE, Flick, FlickIntent
from engine.dotfight.rules import Rules

BOOK = Rules()
RECORD = Rules(reach_min=300.0, reach_max=1800.0, reach_curve=0.9)


def power_of(rules: Rules, length: float) -> float:
    share = (length - rules.reach_min) / (rules.reach_max - rules.reach_min)
    return share ** (1.0 / rules.reach_curve)


def angle_error(rules: Rules, length: float, **chance: object) -> float:
    """Return one standard deviation of the angle of a line of this length."""
    return resolved(rules, power_of(rules, length), angle_normal=1.0, **chance)[0]


# R5.1 Length


@pytest.mark.parametrize(("power", "length"), [(0.0, 200.0), (0.5, 650.0), (1.0, 2000.0)])
def test_R5_1_power_gives_a_length_from_200_to_2000_by_its_square(power: float, length: float):
    """200 + 1800·0.25 = 650."""
    assert resolved(BOOK, power)[1] == approx(length)


@pytest.mark.parametrize(("power", "length"), [(0.0, 300.0), (0.5, 300.0 + 1500.0 * 0.5**0.9), (1.0, 1800.0)])
def test_R5_1_the_records_reach_can_be_played(power: float, length: float):
    assert resolved(RECORD, power)[1] == approx(length)


@pytest.mark.parametrize("kind", [SNIPE, LUNGE])
def test_R5_1_both_kinds_reach_as_far(kind: int):
    rules = Rules(length_error=0.0, bases_per_side=1)
    scene = Scene(length_error=0.0)
    man = scene.man(0, 500.0, 900.0)
    flick = live(rules, [FlickIntent(man, kind, RIGHT, 0.5)]).action(scene.page)
    assert isinstance(flick, Flick)
    assert flick.length == approx(650.0)


# R5.2 Wildness


def test_R5_2_error_follows_the_lines_length_and_not_the_thumbs_travel():
    for length in (300.0, 700.0, 1200.0, 1800.0):
        assert power_of(BOOK, length) != approx(power_of(RECORD, length)) or length in (300.0, 1800.0)
        assert angle_error(BOOK, length) == approx(angle_error(RECORD, length))


def test_R5_2_wildness_is_the_power_on_the_reference_curve():
    """A line of 1050 is half way from 300 to 1800, which takes the power 0.5^(1/0.9)."""
    wild = 0.5 ** (1.0 / 0.9)
    assert angle_error(BOOK, 1050.0) == approx(0.012 + 0.05 * wild**2)


@pytest.mark.parametrize(("length", "error"), [(200.0, 0.012), (300.0, 0.012), (1800.0, 0.062), (2000.0, 0.062)])
def test_R5_2_it_is_clamped(length: float, error: float):
    assert angle_error(BOOK, length) == approx(error)


def test_R5_2_it_is_the_intended_length_that_counts():
    """How the length comes out changes neither the angle's error nor the bow."""
    short, long = (resolved(BOOK, 0.5, angle_normal=1.0, length_normal=n, bend_uniform=0.0) for n in (-2.0, 2.0))
    assert short[1] < long[1]
    assert (short[0], short[2]) == (long[0], long[2])


# R5.3 Errors


def test_R5_3_the_angles_error_is_normal_with_0_012_and_0_05_w_squared():
    for normal in (-2.0, 0.0, 1.0):
        assert resolved(BOOK, 1.0, angle_normal=normal)[0] == approx(0.062 * normal)


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
def test_R5_3_the_lengths_error_is_7_percent_at_any_wildness(power: float):
    meant = resolved(BOOK, power)[1]
    for normal in (-2.0, 1.0):
        assert resolved(BOOK, power, length_normal=normal)[1] == approx(meant * (1.0 + 0.07 * normal))


@pytest.mark.parametrize(("normal", "factor"), [(-11.0, 0.23), (-12.0, 0.2), (-1000.0, 0.2)])
def test_R5_3_the_factor_is_never_below_a_fifth(normal: float, factor: float):
    assert resolved(BOOK, 1.0, length_normal=normal)[1] == approx(2000.0 * factor)


@pytest.mark.parametrize(("length", "most"), [(200.0, 0.015), (300.0, 0.015), (1800.0, 0.05), (2000.0, 0.05)])
def test_R5_3_the_bow_is_uniform_up_to_0_05_times_0_3_and_0_7_w(length: float, most: float):
    for uniform, bend in ((0.0, -most), (0.25, -most / 2), (0.5, 0.0), (0.75, most / 2)):
        assert resolved(BOOK, power_of(BOOK, length), bend_uniform=uniform)[2] == approx(bend)


# R5.4 Steadier


def test_R5_4_in_a_last_stand_both_errors_are_six_tenths():
    angle, length, _ = resolved(BOOK, 1.0, angle_normal=1.0, length_normal=1.0, steady=True)
    assert angle == approx(0.6 * 0.062)
    assert length == approx(2000.0 * (1.0 + 0.6 * 0.07))


def test_R5_4_the_bow_is_as_ever():
    assert resolved(BOOK, 1.0, bend_uniform=0.0, steady=True)[2] == approx(-0.05)


# R5.5 Tremor


@pytest.mark.parametrize("links", [0, 1, 2, 5])
def test_R5_5_each_link_adds_a_tremor_in_quadrature(links: int):
    assert angle_error(BOOK, 1800.0, links=links) == approx(sqrt(0.062**2 + (0.05 * links) ** 2))


def test_R5_5_a_last_stand_does_not_steady_the_tremor():
    assert angle_error(BOOK, 1800.0, links=2, steady=True) == approx(hypot(0.6 * 0.062, 0.1))


def test_R5_5_it_changes_neither_length_nor_bow():
    shaky, sure = (resolved(BOOK, 0.7, length_normal=1.0, bend_uniform=0.1, links=n) for n in (4, 0))
    assert shaky == sure


def test_R5_5_links_are_those_of_the_chain_going_on():
    """After a lunge through one man the next has a tremor of one link, and a chain that is over leaves none."""
    scene = Scene()
    man, _ = scene.man(0, 450.0, 900.0), scene.man(0, 100.0, 900.0)
    scene.man(1, 500.0, 900.0), scene.man(1, 700.0, 200.0)
    meant = FlickIntent(man, LUNGE, RIGHT, 0.0)

    def error() -> float:
        flick = live(scene.rules, [meant]).action(scene.page)
        assert isinstance(flick, Flick)
        return flick.angle

    fresh = error()
    scene.play_lunge(man, RIGHT, 100.0)
    assert scene.page.current == FIRST
    assert error() == approx(fresh / 0.012 * hypot(0.012, 0.05))
