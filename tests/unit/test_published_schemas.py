"""What the lab writes follows the published schemas, and run folders of every released version are read or refused."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from jsonschema import Draft202012Validator

from engine.rng import Streams
from lab.cli import main
from lab.driver import run
from lab.errors import RunError
from lab.games import adapter_of
from lab.results import provenance
from lab.results.parts import digest
from lab.results.run import Run
from lab.results.schema import SCHEMA as GAMES
from lab.schemas import ROWS, breaches, published, rows_of, tags
from lab.spec import SCHEMA as EXPERIMENT
from lab.spec import Experiment
from lab.until import SCHEMA as UNTIL

DATA = Path(__file__).parents[1] / "data"
KEPT = sorted((DATA / "run-folders").iterdir())
GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("dotfight-*.json"))


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    """Records of both games."""
    dodgem = adapter_of("dodgem").game
    found = [json.loads(path.read_text()) for path in GOLDEN]
    for name, board, index in (("random", 3, 0), ("random", 4, 1), ("easy", 3, 2)):
        players = (dodgem.players[name](), dodgem.players["random"]())
        found.append(dodgem.play(dodgem.rules(board=board), players, Streams(4, index)).record())
    return found


def test_the_schemas_are_schemas_and_named_by_what_files_carry():
    assert set(tags()) == {GAMES, EXPERIMENT, provenance.SCHEMA, UNTIL, "dotfight-record/1", "dodgem-record/1"}
    assert ROWS == GAMES
    for tag in tags():
        Draft202012Validator.check_schema(published(tag))
        assert published(tag)["$comment"] == tag
    with pytest.raises(KeyError):
        published("rules-lab/provenance/0")


def test_records_of_both_games_follow_theirs(records: list[dict[str, Any]]):
    assert {record["game"] for record in records} == {"dotfight", "dodgem"}
    for record in records:
        assert list(breaches(published(record["schema"]), record)) == []


@pytest.mark.parametrize(
    ("game", "rules", "players"),
    [
        ("coinrace", {"max_tosses": 5}, {}),
        ("faulty", {}, {"first": {"fault": "raises"}}),
        ("dodgem", {"board": 3}, {"first": {"name": "random"}, "second": {"name": "random"}}),
        ("dotfight", {"bases_per_side": 1, "soldiers_per_base": 3, "geometry": "kernel"}, {}),
    ],
)
def test_a_run_folder_follows_theirs(tmp_path: Path, game: str, rules: dict[str, Any], players: dict[str, Any]):
    experiment = Experiment.parse({"game": game, "rules": rules, "players": players, "run": {"games": 5}})
    played = run(experiment, tmp_path / "run", workers=0)
    for file in (played.folder.experiment_file, played.folder.provenance_file):
        value = json.loads(file.read_text())
        assert list(breaches(published(value["schema"]), value)) == []
    rows = played.table().to_pylist()
    for row in rows:
        assert list(breaches(published(ROWS), row)) == []
        assert list(breaches(rows_of(played.adapter), row)) == []
    assert {row["error"] is None for row in rows} == ({True, False} if game == "faulty" else {True})


def without(key: str) -> Callable[[dict[str, Any]], None]:
    def remove(value: dict[str, Any]) -> None:
        del value[key]

    return remove


def setting(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda table: table.update({key: value})


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (without("code"), "'code' is a required property"),
        (setting("code", "0"), "$.code"),
        (setting("more", 1), "'more' was unexpected"),
        (setting("sessions", {}), "$.sessions"),
        (lambda table: table["sessions"][0].update(started="yesterday"), "$.sessions[0].started"),
        (lambda table: table["sessions"][0].pop("versions"), "'versions' is a required property"),
    ],
)
def test_provenance_that_does_not_follow_its_schema_is_refused(
    tmp_path: Path, plant: Callable[[dict[str, Any]], None], said: str, capsys: pytest.CaptureFixture[str]
):
    folder = shutil.copytree(KEPT[0], tmp_path / "run")
    table = json.loads((folder / "provenance.json").read_text())
    plant(table)
    (folder / "provenance.json").write_text(json.dumps(table))
    with pytest.raises(RunError, match="does not follow its schema"):
        Run(folder).folder.provenance()
    assert main(["verify", str(folder)]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"tosses": 2.5}, "$.tosses"),
        ({"tosses": None}, "$.tosses"),
        ({"runs": ["1"]}, "$.runs"),
        ({"more": 1}, "$"),
        ({"error": "GameError: planted"}, "$."),
    ],
)
def test_a_row_that_does_not_follow_its_schema_is_found(change: dict[str, Any], place: str):
    played = Run(KEPT[0])
    row = played.table().slice(0, 1).to_pylist()[0]
    schema = rows_of(played.adapter)
    assert list(breaches(schema, row)) == []
    found = list(breaches(schema, {**row, **change}))
    assert any(breach.startswith(place) for breach in found)


def test_records_that_do_not_follow_their_schema_are_found(records: list[dict[str, Any]]):
    for record in records:
        schema = published(record["schema"])
        for key in record:
            broken = copy.deepcopy(record)
            del broken[key]
            assert list(breaches(schema, broken))
            broken[key] = [None]
            assert list(breaches(schema, broken)), key


# Run folders of every released version of the results


def test_a_folder_is_kept_of_every_version_that_is_read():
    assert [path.name for path in KEPT] == [GAMES.removeprefix("rules-lab/").replace("/", "-")]


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.name)
def test_a_folder_of_a_released_version_is_read(kept: Path, capsys: pytest.CaptureFixture[str]):
    played = Run(kept)
    assert (played.games, played.missing) == (24, [])
    assert [game for game, _ in played.failures] == [7, 19]
    frame = played.frame(["winner", "tosses", "share", "first_head"])
    assert len(frame) == 22
    assert frame["tosses"].sum() == 179
    for form in ([], ["--csv"], ["--provenance"], ["--schema"]):
        assert main(["show", str(kept), *form]) == 0
        assert capsys.readouterr().out


def retag_json(name: str) -> Callable[[Path], None]:
    def retag(folder: Path) -> None:
        table = json.loads((folder / name).read_text())
        table["schema"] = table["schema"].replace("/1", "/0")
        (folder / name).write_text(json.dumps(table))

    return retag


def retag_games(folder: Path) -> None:
    (part,) = (folder / "games").iterdir()
    table = pq.read_table(part).replace_schema_metadata({b"rules-lab.schema": b"rules-lab/games/0"})
    part.unlink()
    pq.write_table(table, folder / "games" / "new")
    with (folder / "games" / "new").open("rb") as file:
        content = digest(file)
    (folder / "games" / "new").rename(folder / "games" / f"part-00000000-00000024.{content}.parquet")


@pytest.mark.parametrize(
    ("retag", "said"),
    [
        (retag_json("experiment.json"), "has schema 'rules-lab/experiment/0'; this version reads"),
        (retag_json("provenance.json"), "has schema 'rules-lab/provenance/0'; this version reads"),
        (retag_games, "has schema 'rules-lab/games/0'; this version reads 'rules-lab/games/1'"),
    ],
)
def test_a_version_that_is_not_read_is_refused_by_name(tmp_path: Path, retag: Callable[[Path], None], said: str):
    folder = shutil.copytree(KEPT[0], tmp_path / "run")
    retag(folder)
    with pytest.raises(RunError) as caught:
        Run(folder).folder.provenance()
    assert said in str(caught.value)
