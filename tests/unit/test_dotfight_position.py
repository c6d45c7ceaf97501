"""Reading a position strictly: every fault is refused, and the refusal names key, value and what is allowed."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dotfight.position import read_position
from engine.dotfight.trace import answers
from engine.errors import RecordError

SAMPLE = Path(__file__).parents[1] / "data" / "trace-sample.jsonl"
PAGES = [json.loads(line) for line in SAMPLE.read_text().splitlines()]
CHAINED = next(page for page in PAGES if page["state"]["chain"])
WALKING = next(page for page in PAGES if any(m["status"] == "ordered" and m["alive"] for m in page["state"]["men"]))
WALKER = next(m["id"] for m in WALKING["state"]["men"] if m["status"] == "ordered" and m["alive"])


def changed(page: dict[str, Any], path: Sequence[str | int], value: Any) -> dict[str, Any]:
    """Return a copy of a page with one value changed, or taken out where the new one is ``...``."""
    page = copy.deepcopy(page)
    inner: Any = page
    for key in path[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return page


def judge(page: dict[str, Any]) -> list[dict[str, Any]]:
    return list(answers(read_position(page, "trace", "kernel"), "trace"))


def test_a_position_is_read_whole():
    position = read_position(CHAINED, "trace", "kernel")
    state = CHAINED["state"]
    page = position.page
    assert position.rules.table() | CHAINED["rules"] | CHAINED["size"] == position.rules.table()
    assert [page.chain_man, page.chain_links] == [state["chain"]["man"], state["chain"]["links"]]
    assert page.chain_owed == 1
    assert page.stand_since.tolist() == state["last_stand_since"]
    assert [page.turn, page.current, page.flicks_left] == [state[n] for n in ("turn", "current", "flicks_left")]
    assert page.can_flick().tolist() == state["can_flick"]


def test_who_can_flick_is_who_the_sample_says():
    for told in PAGES:
        page = read_position(told, "trace", "kernel").page
        assert page.can_flick().tolist() == told["state"]["can_flick"]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("id",), 1.5, "trace.id = 1.5: must be a whole number or text"),
        (("id",), ..., "trace.id: missing"),
        (("rules",), [], "trace.rules = []: must be a table"),
        (("rules", "reach"), 1, "trace.rules.reach = 1: unknown key"),
        (("rules", "reach_max"), 100, "trace.rules.reach_min = 200.0: must be at most reach_max (100)"),
        (("rules", "soldiers_per_base"), 8, "trace.rules.soldiers_per_base = 8: must be said in size alone"),
        (("size", "soldiers_per_base"), 61, "trace.size.soldiers_per_base = 61: "),
        (("size", "soldiers_per_base"), 7, "trace.state.men = "),
        (("state", "current"), 2, "trace.state.current = 2: must be a whole number from 0 to 1"),
        (("state", "turn"), 401, "trace.state.turn = 401: must be a whole number from 1 to 400"),
        (("state", "flicks_left"), 0, "trace.state.flicks_left = 0: must be a whole number from 1"),
        (("state", "send_used"), 1, "trace.state.send_used = 1: must be true or false"),
        (("state", "last_stand_since"), [0], "trace.state.last_stand_since = [0]: must be a list of 2"),
        (("state", "last_stand_since", 1), 99, "trace.state.last_stand_since[1] = 99: must be a whole number"),
        (("state", "chain", "man"), 8, "trace.state.chain.man = 8: must be a living man of the side to move"),
        (("state", "chain", "links"), 0, "trace.state.chain.links = 0: must be a whole number from 1"),
        (("state", "bases", 0, "x"), -1, "trace.state.bases[0].x = -1: must be on the page, from 0 to 1000"),
        (("state", "bases", 0, "r"), 60, "trace.state.bases[0].r = 60: must be the rules' base_radius, 62"),
        (("state", "bases", 1, "id"), 0, "trace.state.bases[1].id = 0: must be there once"),
        (("state", "bases", 1, "side"), 0, "trace.state.bases = "),
        (("state", "bases", 0, "garrison"), [0], "trace.state.bases[0].garrison = [0]: must be the men that R6.5"),
        (("state", "men", 0, "alive"), "yes", "trace.state.men[0].alive = 'yes': must be true or false"),
        (("state", "men", 0, "y"), 1701, "trace.state.men[0].y = 1701: must be on the page, from 0 to 1700"),
        (("state", "men", 0, "side"), 1, "trace.state.men[0].home = 0: must be a base of his side, 1"),
        (("state", "men", 0, "status"), "road", "trace.state.men[0].status = 'road': must be home, ordered"),
        (("state", "men", 0, "rank"), 1, "trace.state.men[0].rank = 1: unknown key"),
        (("flicks", 0, "man"), 99, "trace.flicks[0].man = 99: must be a whole number from 0 to 47"),
        (("flicks", 0, "man"), 23, "trace.flicks[0].man = 23: man 23 may not flick in turn 5"),
        (("flicks", 0, "kind"), "snipe", "trace.flicks[0].man = 22: man 22 may not flick in turn 5"),
        (("flicks", 0, "kind"), "hop", "trace.flicks[0].kind = 'hop': must be one of snipe, lunge"),
        (("flicks", 0, "angle"), "1", "trace.flicks[0].angle = '1': must be a number"),
        (("flicks", 0, "length"), 0, "trace.flicks[0].length = 0: must be above 0"),
        (("flicks", 0, "length"), 1e-300, "trace.flicks[0].length = 1e-300: must be above 0, 1e-20 at least"),
        (("flicks", 0, "angle"), 10**400, f"trace.flicks[0].angle = 1{'0' * 79}: must be a finite number"),
        (("flicks", 0, "bend"), 1e300, "trace.flicks[0].bend = 1e+300: must be a finite number"),
        (("flicks", 0, "normals"), [0.5], "trace.flicks[0].normals = [0.5]: must be at least 2"),
        (("flicks", 0, "colour"), "red", "trace.flicks[0].colour = 'red': unknown key"),
    ],
)
def test_a_fault_is_refused(path: Sequence[str | int], value: Any, said: str):
    with pytest.raises(RecordError) as refused:
        judge(changed(CHAINED, path, value))
    assert str(refused.value).startswith(said)


def test_walkers_the_form_cannot_tell_are_refused():
    slow = changed(WALKING, ("rules", "road_turns"), 2)
    with pytest.raises(
        RecordError, match=rf"men\[{WALKER}\]\.status = 'ordered': must be home where road_turns is not 1"
    ):
        judge(slow)


def test_lunges_owed_the_form_cannot_tell_are_refused():
    generous = changed(CHAINED, ("rules", "lunge_earns"), "per_kill")
    with pytest.raises(RecordError, match="must be null where each kill earns a lunge"):
        judge(generous)


def test_a_game_that_is_over_is_refused():
    page = copy.deepcopy(CHAINED)
    for man in page["state"]["men"]:
        if man["side"] == 1:
            man["alive"] = False
    for base in page["state"]["bases"]:
        if base["side"] == 1:
            base["garrison"] = []
    with pytest.raises(RecordError, match="must have a living man of side 1: this game is over"):
        judge(page)


def paths(value: Any, above: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths to every value of a tree but the independent engine's answers, which are not read."""
    found = [above] if above else []
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("hand", "out", "after", "can_flick", "sendable"):
                found += paths(inner, (*above, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value[:3]):
            found += paths(inner, (*above, index))
    return found


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=3),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
    st.just(...),
)


@settings(max_examples=100)
@given(path=st.sampled_from(paths(CHAINED)), value=ODD)
def test_whatever_stands_in_a_place_is_read_or_refused(path: tuple[str | int, ...], value: Any):
    refused = None
    try:
        judge(changed(CHAINED, path, value))
    except RecordError as error:
        refused = str(error)
    assert refused is None or refused.startswith("trace")
