"""`lab run --until`: the same games whatever the workers, batches and interruptions; where it stopped is kept.

That the intervals hold at every look is a statistical test (test_sequential_error_rate).
"""

from __future__ import annotations

import json
import shlex
import signal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.errors import ConfigError
from lab.cli import main
from lab.driver import run
from lab.errors import RunError
from lab.estimators import Mean, Proportion, Ratio
from lab.games import adapter_of
from lab.results.folder import Folder
from lab.results.run import Run
from lab.results.store import Store
from lab.runners import plan
from lab.schemas import breaches, published
from lab.spec import Experiment
from lab.until import FILE, SCHEMA, StoppingRule, looks, stops_of

RULE = "tosses half-width 0.5"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("race.toml").write_text('game = "coinrace"\n[run]\ngames = 7\n')


def lab(*words: str, until: str = RULE) -> int:
    return main(["run", "race.toml", "--until", until, *words])


def files(folder: str) -> list[str]:
    """Names of the result files; they hold the hash of what is in them."""
    return sorted(path.name for path in Path(folder, "games").iterdir())


def stop(folder: str) -> dict[str, Any]:
    (only,) = json.loads(Path(folder, "until.json").read_text())["stops"]
    return only


@pytest.fixture
def whole(capsys: pytest.CaptureFixture[str]) -> str:
    assert lab("--workers", "0", "--out", "whole") == 0
    capsys.readouterr()
    return "whole"


def test_looks_are_fixed_and_the_last_is_the_bound():
    found = list(looks(100_000))
    assert found[:3] == [100, 200, 300]
    assert found[-1] == 100_000
    assert all(100 <= b - a <= max(100, a // 10) for a, b in pairwise(found))
    assert list(looks(250)) == [100, 200, 250]
    assert list(looks(30)) == [30]


def test_a_run_stops_at_the_first_look_that_is_narrow_enough(whole: str):
    at = stop(whole)
    assert at["met"]
    assert at["rule"] == RULE
    assert (at["high"] - at["low"]) / 2 <= 0.5
    assert Run(whole).games == Run(whole).experiment.effort.games == at["games"]
    rule = StoppingRule.parse(RULE, "coinrace")
    earlier = [games for games in looks(100_000) if games < at["games"]]
    assert earlier, "the rule must not be met at once, or this shows nothing"
    assert not any(rule.ask(Folder(Path(whole)), games).met for games in earlier)
    assert main(["verify", whole]) == 0


@pytest.mark.parametrize("largest", [1, 33])
def test_batches_do_not_move_the_stop(whole: str, monkeypatch: pytest.MonkeyPatch, largest: int):
    monkeypatch.setattr(plan, "LARGEST_BATCH", largest)
    assert lab("--workers", "0", "--out", "other") == 0
    assert (files("other"), stop("other")) == (files(whole), stop(whole))


def test_workers_do_not_move_the_stop(whole: str):
    assert lab("--workers", "2", "--out", "other") == 0
    assert (files("other"), stop("other")) == (files(whole), stop(whole))
    assert len(Folder(Path("other")).provenance()["sessions"]) == 1


@pytest.mark.parametrize("after", [3, 9])
def test_an_interrupted_run_goes_on_to_the_same_stop(
    whole: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], after: int
):
    monkeypatch.setattr(plan, "LARGEST_BATCH", 30)
    add, added = Store.add, [0]

    def interrupting(store: Store, outcome: Any) -> None:
        add(store, outcome)
        added[0] += 1
        if added[0] == after:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Store, "add", interrupting)
    assert lab("--workers", "0", "--out", "other") == 130
    command = capsys.readouterr().err.partition("To continue:\n")[2].strip()
    assert command == f"lab run race.toml --until '{RULE}' --workers 0 --out other"
    assert not Path("other/until.json").exists()
    assert main(shlex.split(command)[1:]) == 0
    assert (files("other"), stop("other")) == (files(whole), stop(whole))


def test_more_games_than_it_takes_stay_and_do_not_move_the_stop(whole: str, monkeypatch: pytest.MonkeyPatch):
    assert main(["run", "race.toml", "--games", "3000", "--workers", "0", "--out", "other"]) == 0
    monkeypatch.setattr("lab.runners.batch.play_game", None)
    assert lab("--workers", "0", "--out", "other") == 0
    assert stop("other") == stop(whole)
    assert Run("other").games == 3000


def test_the_bound_ends_a_run_and_a_wider_one_goes_on(whole: str, capsys: pytest.CaptureFixture[str]):
    assert lab("--workers", "0", "--out", "other", "--max-games", "150") == 0
    assert "until tosses half-width 0.5: not met after 150 games: " in capsys.readouterr().out
    assert (stop("other")["games"], stop("other")["met"], Run("other").games) == (150, False, 150)
    assert lab("--workers", "0", "--out", "other") == 0
    assert stop("other") == stop(whole)


def test_where_it_stopped_is_printed_and_shown(whole: str, capsys: pytest.CaptureFixture[str]):
    line = f"until {RULE}: met after {stop(whole)['games']} games: "
    assert main(["show", whole]) == 0
    assert line in capsys.readouterr().out
    assert lab("--workers", "0", "--out", whole, until="first_wins half-width 0.1") == 0
    printed = capsys.readouterr().out
    assert line in printed
    assert "until first_wins half-width 0.1: met after " in printed
    assert "% – " not in printed
    assert len(stops_of(Folder(Path(whole)))) == 2


@pytest.mark.parametrize("rule", ["first_wins half-width 0.12", "heads_rate half-width 3", "first_head half-width 0.4"])
def test_shares_ratios_and_means_of_some_games_have_sequences(rule: str):
    experiment = Experiment.parse({"game": "coinrace", "rules": {"max_tosses": 6}, "run": {"games": 20_000}})
    stopping = StoppingRule.parse(rule, "coinrace")
    played = run(experiment, "out", workers=0, until=stopping)
    (at,) = stops_of(played.folder)
    (line,) = (one for one in played.summary() if one.metric.name == at.rule.split()[0])
    assert at.met
    assert at.estimate.n == line.estimate.n
    assert at.estimate.estimate == pytest.approx(line.estimate.estimate)
    assert at.estimate.low < line.estimate.low < line.estimate.high < at.estimate.high


def test_every_mean_share_and_ratio_of_every_game_can_be_watched():
    for game in ("dotfight", "dodgem", "coinrace"):
        for metric in adapter_of(game).metrics:
            if isinstance(metric.estimator, (Mean, Proportion, Ratio)):
                StoppingRule.parse(f"{metric.name} half-width 0.01", game)
            else:
                with pytest.raises(ConfigError, match="confidence sequence"):
                    StoppingRule.parse(f"{metric.name} half-width 0.01", game)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--until", "tosses"], "--until = 'tosses': must read: METRIC half-width NUMBER, the number above 0"),
        (["--until", "tosses half-width -1"], "--until = 'tosses half-width -1': must read: "),
        (["--until", "toses half-width 1"], "must name a metric of the game that has a confidence sequence: "),
        (["--until", "tosses_p90 half-width 1"], "must name a metric of the game that has a confidence sequence: "),
        (["--until", "first_wins half-width 1"], "must have a half-width below 0.5: of a share, 0.01 is one point"),
        (["--until", RULE, "--games", "50"], "--games = 50: does not go with --until; --max-games bounds the games"),
        (["--until", RULE, "--max-games", "0"], "--max-games = 0: must be 1 or more"),
        (["--max-games", "50"], "--max-games = 50: goes with --until"),
    ],
)
def test_rules_that_cannot_be_are_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert main(["run", "race.toml", *words, "--out", "out"]) == 2
    (complaint,) = capsys.readouterr().err.splitlines()
    assert said in complaint
    assert not Path("out").exists()


@pytest.mark.parametrize(("bound", "kind"), [("100000", "estimate"), ("1", "undefined")])
def test_where_it_stopped_follows_its_schema(bound: str, kind: str):
    assert lab("--workers", "0", "--out", "other", "--max-games", bound) == 0
    table = json.loads(Path("other", FILE).read_text())
    assert kind in table["stops"][0]
    assert list(breaches(published(SCHEMA), table)) == []


@pytest.mark.parametrize(
    ("key", "value"), [("met", "yes"), ("games", 0), ("undefined", "both"), ("level", 1), ("more", 1), ("low", None)]
)
def test_where_it_stopped_is_refused_where_it_does_not_follow(whole: str, key: str, value: object):
    path = Path(whole, FILE)
    table = json.loads(path.read_text())
    table["stops"][0][key] = value
    path.write_text(json.dumps(table))
    with pytest.raises(RunError, match="does not follow its schema"):
        stops_of(Folder(Path(whole)))
