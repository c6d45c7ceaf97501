"""The identity of an experiment: what belongs to it, and what does not."""

from __future__ import annotations

import pytest

from lab.spec import Experiment, canonical, differences

TABLE = {"game": "coinrace", "rules": {"heads_to_win": 5}, "run": {"seed": 3, "games": 10}}


def variant(**tables: object) -> Experiment:
    return Experiment.parse({**TABLE, **tables})


def test_the_hash_is_that_of_the_canonical_text():
    # Written out, so that a change of the form cannot go unnoticed: it would orphan every run there is.
    experiment = Experiment.parse(TABLE)
    assert canonical(experiment.identity()) == (
        '{"game":"coinrace","players":{"first":{"heads":0.5,"name":"steady"},"second":{"heads":0.5,'
        '"name":"steady"}},"rules":{"heads_to_win":5,"max_tosses":40},"schema":"rules-lab/experiment/1",'
        '"seed":3}'
    )
    assert experiment.hash() == "71064ac156725fbf93abd0a19be728e8b4ea328fcf7d43efba7f82ccbae98be7"


@pytest.mark.parametrize(
    "same",
    [
        {"title": "another title"},
        {"run": {"seed": 3, "games": 20, "time_limit_s": 5}},
        {"rules": {"max_tosses": 40, "heads_to_win": 5}},
        {"players": {"second": {"name": "steady"}}},
        {"players": {"second": {"heads": 0.5}}},
    ],
)
def test_title_effort_order_and_spelt_out_defaults_make_no_difference(same: dict[str, object]):
    assert variant(**same).hash() == variant().hash()


@pytest.mark.parametrize(
    "other",
    [
        {"run": {"seed": 4}},
        {"rules": {"heads_to_win": 6}},
        {"players": {"first": {"heads": 0.6}}},
        {"game": "faulty"},
    ],
)
def test_seed_rules_players_and_game_make_another_experiment(other: dict[str, object]):
    assert variant(**other).hash() != variant().hash()


def test_differences_are_named_by_dotted_key():
    one = {"a": 1, "b": {"c": 2, "d": [1]}, "e": 1}
    other = {"a": 1, "b": {"c": 3, "d": [1]}, "f": 1}
    assert differences(one, other) == [("b.c", 2, 3), ("e", 1, None), ("f", None, 1)]
    assert differences(one, one) == []
    assert differences({"a": 1}, {"a": True}) == [("a", 1, True)]
