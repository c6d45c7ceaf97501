"""Reading sweeps: what each design makes of its tables, and what is refused, each by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import ConfigError
from lab.spec import Experiment
from lab.sweeps.spec import Sweep, read_sweep
from lab.sweeps.variants import differences_from, resolve, variant_of

CONFIGS = Path(__file__).parents[2] / "configs" / "sweeps"
BASE = Experiment.parse({"game": "coinrace"})


def sweep(folder: Path, text: str, games: int | None = None, most_games: int = 100_000) -> Sweep:
    (folder / "base.toml").write_text('game = "coinrace"\n')
    file = folder / "sweep.toml"
    file.write_text('base = "base.toml"\n' + text)
    return read_sweep(file, games, most_games)


def design(kind: str, parameters: str, more: str = "") -> str:
    return f'[design]\nkind = "{kind}"\n{more}\n[parameters]\n{parameters}\n'


def labels(found: Sweep) -> list[str]:
    return [variant.label for variant in found.variants]


def test_one_at_a_time_varies_one_parameter_around_the_base_and_plays_the_current_value_once(tmp_path: Path):
    found = sweep(tmp_path, design("one-at-a-time", "heads_to_win = { low = 2, high = 4 }\nmax_tosses = [20, 40]"))
    assert labels(found) == ["base", "heads_to_win = 2", "heads_to_win = 4", "max_tosses = 20"]


def test_a_grid_is_every_combination_and_the_base(tmp_path: Path):
    text = design("grid", "heads_to_win = [2, 4]\nplayers.first.heads = { low = 0.1, high = 0.3, points = 3 }")
    found = sweep(tmp_path, text)
    assert len(found.variants) == 7
    assert labels(found)[:3] == ["base", "heads_to_win = 2, first.heads = 0.1", "heads_to_win = 2, first.heads = 0.2"]


@pytest.mark.parametrize("kind", ["latin-hypercube", "sobol"])
def test_sampled_designs_stay_in_range_and_keep_their_kinds(tmp_path: Path, kind: str):
    parameters = (
        "heads_to_win = [1, 5]\nmax_tosses = { low = 10, high = 12 }\nplayers.first.heads = { low = 0, high = 1 }"
    )
    found = sweep(tmp_path, design(kind, parameters, "points = 16\nseed = 3"))
    tables = [variant.experiment.table() for variant in found.variants[1:]]
    assert len(tables) == 16
    assert {table["rules"]["heads_to_win"] for table in tables} == {1, 5}
    assert {table["rules"]["max_tosses"] for table in tables} == {10, 11, 12}
    assert len({table["players"]["first"]["heads"] for table in tables}) == 16
    other = sweep(tmp_path, design(kind, parameters, "points = 16\nseed = 4"))
    assert labels(other) != labels(found)


def test_a_list_names_its_variants(tmp_path: Path):
    rows = "[[variants]]\nheads_to_win = 5\n[[variants]]\nmax_tosses = 9\nplayers.second.heads = 1\n"
    text = f'[design]\nkind = "list"\n{rows}'
    assert labels(sweep(tmp_path, text)) == ["base", "heads_to_win = 5", "max_tosses = 9, second.heads = 1"]


def test_pairings_meet_in_both_seatings_under_each_rule(tmp_path: Path):
    pairings = "".join(f'[[pairings]]\nname = "steady"\nheads = {heads}\n' for heads in (0.4, 0.5))
    assert labels(sweep(tmp_path, pairings)) == ["base", "first.heads = 0.4", "second.heads = 0.4"]
    found = sweep(tmp_path, design("grid", "heads_to_win = [1, 2]") + pairings)
    assert len(found.variants) == 5
    assert labels(found)[1] == "heads_to_win = 1, first.heads = 0.4"


def test_effort_is_the_sweeps_own_and_the_seed_is_shared(tmp_path: Path):
    text = "[run]\ngames = 7\nseed = 9\n" + design("grid", "heads_to_win = [1, 2]")
    found = sweep(tmp_path, text)
    assert {variant.experiment.effort.games for variant in found.variants} == {7}
    assert {variant.experiment.effort.seed for variant in found.variants} == {9}
    assert (found.games, sweep(tmp_path, text, games=3).games) == (21, 9)


GRID = design("grid", "heads_to_win = [1]")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            design("grid", "heads_to_wim = [1]"),
            "parameters.heads_to_wim .* unknown parameter; known here: heads_to_win",
        ),
        (design("grid", "heads_to_win = [1, 200]"), "parameters.heads_to_win = 200: .* from 1 to 100"),
        (design("grid", 'heads_to_win = ["a"]'), "parameters.heads_to_win = 'a': must be a whole number"),
        (design("grid", "heads_to_win = [1, 1]"), "must not repeat 1"),
        (design("grid", "heads_to_win = []"), "at least one value"),
        (design("grid", "heads_to_win = 3"), "must be a list of values, or a table"),
        (design("grid", "heads_to_win = { low = 1 }"), "heads_to_win.high = None"),
        (design("grid", "heads_to_win = { low = 5, high = 2 }"), r"heads_to_win.high = 2: must be above low \(5\)"),
        (design("grid", "heads_to_win = { low = 1, high = 3, points = 9 }"), "no more than there are whole numbers"),
        (design("grid", "heads_to_win = { low = 1, high = 3, step = 1 }"), "heads_to_win.step = 1: unknown key"),
        (design("grid", "max_tosses = { low = 3, high = 999999999 }"), "from 2 to 1000 points"),
        (design("grid", "players.first.heads = { low = 0, high = 1 }"), "must say how many points"),
        (design("grid", "players.first.tails = [1]"), "players.first.tails .* unknown parameter; known here: heads"),
        (design("grid", 'players.first.name = ["steady"]'), "by .*pairings"),
        (design("grid", "run.seed = [1, 2]"), "run.seed .* every variant plays the same seeds"),
        (design("grid", "max_tosses = [2]"), "rules.max_tosses = 2: must be at least heads_to_win"),
        (design("grid", "heads_to_win = [4]\nmax_tosses = [3]"), "max_tosses = 3: must be at least heads_to_win"),
        (design("grid", ""), "must name at least one parameter"),
        (design("gird", "heads_to_win = [1]"), "design.kind = 'gird': must be one of one-at-a-time, grid"),
        (
            design("grid", "heads_to_win = [1]", "points = 4"),
            "design.points = 4: is for latin-hypercube, sobol, sobol-indices, not for grid",
        ),
        (design("sobol", "heads_to_win = [1, 2]", "points = 5"), "design.points = 5: must be a power of 2"),
        (design("sobol", "heads_to_win = [1, 2]"), "design.points = 0: must be given for sobol"),
        (design("sobol", "max_tosses = { low = 5, high = 9, points = 3 }", "points = 4"), "is for grids"),
        (design("list", "heads_to_win = [1]"), "variants = None: must be given"),
        (GRID + "[[variants]]\nheads_to_win = 2\n", "must come with a .design. whose kind takes it"),
        ("[design]\npoints = 3\n", "design.kind = None: must be given"),
        ("", "design = None: must be given, or pairings"),
        ('metrics = ["tossed"]\n' + GRID, "metrics = 'tossed': must be among first_wins, stalled, tosses"),
        ("colour = 1\n" + GRID, "colour = 1: unknown key"),
        ("[run]\ngames = 0\n" + GRID, "run.games = 0: must be a whole number"),
        ('[[pairings]]\nname = "steady"\n', "must name two players or more"),
        ('[[pairings]]\nname = "stead"\n', "pairings.name = 'stead': must be one of steady"),
        ("[[pairings]]\nheads = 0.5\n", "pairings.name = None: must be given"),
        ('[[pairings]]\nname = "steady"\nheads = 2\n', "pairings.heads = 2: must be a number from 0 to 1"),
    ],
)
def test_what_cannot_be_swept_is_refused_by_file_key_and_value(tmp_path: Path, text: str, message: str):
    with pytest.raises(ConfigError, match=message) as refused:
        sweep(tmp_path, text)
    assert refused.value.file == str(tmp_path / "sweep.toml")


def test_a_base_that_cannot_be_read_is_refused(tmp_path: Path):
    file = tmp_path / "sweep.toml"
    file.write_text('base = "none.toml"\n' + GRID)
    with pytest.raises(ConfigError, match=r"sweep.toml: base = .*none.toml.*cannot be read"):
        read_sweep(file)


def test_a_sweep_too_large_is_refused_before_it_is_made(tmp_path: Path):
    parameters = "heads_to_win = { low = 1, high = 100 }\nplayers.first.heads = { low = 0, high = 1, points = 1000 }"
    wide = parameters + "\nplayers.second.heads = { low = 0, high = 1, points = 1000 }"
    with pytest.raises(ConfigError, match=r"100,000,000 variants of 1,000 games, .*: must have at most 100,000"):
        sweep(tmp_path, design("grid", wide))
    small = design("grid", "heads_to_win = [1, 2]")
    assert sweep(tmp_path, small, games=5, most_games=15).games == 15
    with pytest.raises(ConfigError, match=r"3 variants of 5 games, 15 in all.: must have at most 14"):
        sweep(tmp_path, small, games=5, most_games=14)


def test_one_experiment_is_one_variant_however_it_is_put():
    found = resolve(BASE, [{"rules.heads_to_win": 3}, {"heads_to_win": 2}, {"rules.heads_to_win": 2, "max_tosses": 40}])
    assert [variant.changes for variant in found] == [{}, {"heads_to_win": 2}]
    assert len({variant.folder for variant in found}) == 2


def test_another_player_comes_with_his_own_options():
    base = Experiment.parse({"game": "dotfight", "players": {"first": {"name": "dawood", "stance": "all"}}})
    found = variant_of(base, {"players.first.forbid": ["send"], "players.first.name": "greedy"})
    assert found.experiment.seats[0].table() == {"name": "greedy", "forbid": ["send"]}
    assert found.changes == {"players.first": {"name": "greedy", "forbid": ["send"]}}
    assert variant_of(base, found.changes) == found


def test_changes_come_back_as_they_were_made():
    changes = {"heads_to_win": 5, "players.second.heads": 0.25}
    made = variant_of(BASE, changes)
    assert differences_from(BASE, made.experiment) == changes
    assert made.folder == f"heads_to_win-5-second.heads-0.25-{made.experiment.hash()[:8]}"


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_sweeps_that_come_with_the_lab_can_be_read(path: Path):
    found = read_sweep(path)
    assert len(found.variants) > 2
    assert found.title != path.stem
