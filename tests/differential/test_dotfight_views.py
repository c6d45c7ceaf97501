"""A remembered view gives the best line that a fresh look gives, to the last bit (``players/view.py``)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.dotfight.page import BASE, HOME, ROAD, Page, fresh_pen
from engine.dotfight.placing import note_who_is_inside
from engine.dotfight.players.dawood import LEVELS
from engine.dotfight.players.mind import fresh_mind
from engine.dotfight.players.sight import best_line, value_men
from engine.dotfight.players.view import look_at, move
from engine.dotfight.rules import Rules
from engine.dotfight.setup import muster
from engine.jit import entry_point

PAGES = 400


@entry_point
def lines(
    numbers: Any, bases: Any, seen: Any, men: Any, pens: Any, minds: Any, moved: NDArray[np.int64]
) -> tuple[float, float]:
    """Return both sides' best lines at ``men``, where views were taken of ``seen``; ``moved`` stand elsewhere."""
    k, pen, mind = numbers[0], pens[0], minds[0]
    look_at(seen, mind)
    value_men(k, bases, seen, mind)
    best_line(k, seen, pen, 0, np.inf, mind)
    best_line(k, seen, pen, 1, np.inf, mind)
    for i in range(moved.shape[0]):
        move(mind, moved[i])
    value_men(k, bases, men, mind)
    return best_line(k, men, pen, 0, np.inf, mind), best_line(k, men, pen, 1, np.inf, mind)


def crowd(rules: Rules, rng: np.random.Generator) -> Page:
    """Return men in a handful of knots, some of them in rows, so that many stand on one line."""
    bases = np.zeros(rules.bases, BASE)
    bases["x"], bases["y"] = rng.uniform(150.0, 900.0, rules.bases), rng.uniform(150.0, 1500.0, rules.bases)
    bases["side"] = np.arange(rules.bases) % 2
    home = np.repeat(np.arange(rules.bases), rules.soldiers_per_base)
    spread = rng.choice([5.0, 40.0, 200.0])
    spots = np.column_stack([bases["x"][home], bases["y"][home]]) + rng.normal(0.0, spread, (rules.men, 2))
    if rng.random() < 0.3:
        spots[:, 0] = rng.normal(500.0, 3.0, rules.men)
    page = Page(bases, muster(bases, home, spots), fresh_pen())
    page.men["alive"] = rng.random(rules.men) < rng.choice([0.3, 0.9, 1.0])
    page.men["status"] = rng.choice([HOME, ROAD], rules.men, p=[0.9, 0.1])
    page.stand_since[:] = rng.integers(0, 2, 2)
    note_who_is_inside(rules, page)
    return page


def changed(rules: Rules, page: Page, rng: np.random.Generator) -> tuple[Page, NDArray[np.int64]]:
    """Return the page with some men gone and some elsewhere, and the ids of these."""
    after = page.copy()
    gone = rng.choice(rules.men, rng.integers(0, rules.men // 2), replace=False)
    after.men["alive"][gone] = 0
    moved = rng.choice(rules.men, rng.integers(0, 6), replace=False)
    other = rng.choice(rules.men, moved.size)
    after.men["x"][moved] = page.men["x"][other] + rng.normal(0.0, 30.0, moved.size)
    after.men["y"][moved] = page.men["y"][other] + rng.normal(0.0, 30.0, moved.size)
    note_who_is_inside(rules, after)
    return after, moved


def cases(rules: Rules):
    rng = np.random.default_rng(20261130)
    for _ in range(PAGES):
        page = crowd(rules, rng)
        yield page, *changed(rules, page, rng)


def both(rules: Rules, page: Page, after: Page, moved: NDArray[np.int64]) -> tuple[Any, Any]:
    """Return the best lines by remembered views, and by a fresh look."""
    mind = fresh_mind(rules, LEVELS["steady"].skill)
    given = (rules.numbers, page.bases)
    remembered = lines(*given, page.men, after.men, page.pen, mind, moved)
    fresh = lines(*given, after.men, after.men, page.pen, mind, np.zeros(0, np.int64))
    return remembered, fresh


@pytest.mark.parametrize(("bases", "soldiers"), [(3, 8), (5, 10), (1, 4)])
def test_a_remembered_view_is_as_good_as_a_fresh_one(bases: int, soldiers: int):
    rules = Rules(bases_per_side=bases, soldiers_per_base=soldiers)
    for page, after, moved in cases(rules):
        remembered, fresh = both(rules, page, after, moved)
        assert remembered == fresh


def test_a_man_moved_behind_ones_back_is_noticed():
    rules = Rules(bases_per_side=3)
    wrong = 0
    for page, after, moved in cases(rules):
        remembered, fresh = both(rules, page, after, moved[:-1])
        wrong += remembered != fresh
    assert wrong > PAGES / 10
