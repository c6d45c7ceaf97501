"""Games at the extremes of a run, played again from their seeds, each as a page that plays it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from engine.errors import GameError
from engine.rng import Streams
from lab.pages.player import draw_html
from lab.reports.balance.model import Sample
from lab.results.run import Run
from lab.spec import Experiment

FOLDER: Final = "games"
EXPERIMENT: Final = f"{FOLDER}/experiment.toml"


def samples(path: Path) -> tuple[tuple[Sample, ...], dict[str, bytes], tuple[str, ...]]:
    """Return the games of the run at ``path``, the files that show them, and why any could not be shown.

    A game that does not play as it did, because the game's code has changed since, is not passed off as the one that
    was counted.
    """
    run = Run(path)
    experiment, adapter = run.experiment, run.adapter
    found: list[Sample] = []
    files: dict[str, bytes] = {}
    absent: list[str] = []
    for extreme in adapter.views.extremes:
        columns = run.columns(["game", extreme.column])
        values = np.nan_to_num(columns[extreme.column].astype(float), nan=-np.inf)
        if not values.size or values.max() <= 0:
            absent.append(f"{extreme.label}: there is none in this run.")
            continue
        place = int(values.argmax())
        game, value = int(columns["game"][place]), float(values[place])
        try:
            played = adapter.game.play(experiment.rules, experiment.players, Streams(experiment.effort.seed, game))
            now = adapter.measure(played)[extreme.column]
        except GameError as error:
            absent.append(f"{extreme.label}, game {game}: cannot be played again ({error}).")
            continue
        if float(now) != value:
            absent.append(f"{extreme.label}, game {game}: plays differently now, since the game's code has changed.")
            continue
        label = f"{extreme.label}: {_valued(run, extreme.column, value)}"
        command = shlex.join(["lab", "play", EXPERIMENT, "--index", str(game)])
        file = None
        if adapter.story is not None:
            file = f"{FOLDER}/game-{game}.html"
            if file not in files:
                files[file] = draw_html(adapter.story(played)).encode()
        found.append(Sample(label, game, command, file))
    if found:
        files[EXPERIMENT] = toml_text(experiment).encode()
    return tuple(found), files, tuple(absent)


def _valued(run: Run, name: str, value: float) -> str:
    column = run.adapter.column(name)
    if column.kind == "bool":
        return column.meaning
    return f"{value:g} {column.unit}: {column.meaning}"


def toml_text(experiment: Experiment) -> str:
    """Return a whole experiment as the TOML file that ``lab run`` and ``lab play`` read."""
    lines: list[str] = []
    _write_table(lines, experiment.table(), ())
    return "\n".join(lines) + "\n"


def _write_table(lines: list[str], table: Mapping[str, Any], path: tuple[str, ...]) -> None:
    if path:
        lines += ["", f"[{'.'.join(path)}]"]
    lines += [f"{key} = {_toml(value)}" for key, value in table.items() if not isinstance(value, Mapping)]
    for key, value in table.items():
        if isinstance(value, Mapping):
            _write_table(lines, value, (*path, key))


def _toml(value: Any) -> str:
    """Return a value as TOML: but for whole lists, and DEL, it is written as in JSON."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False).replace("\x7f", "\\u007f")
