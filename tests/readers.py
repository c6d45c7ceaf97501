"""Every reader of the lab as a function of bytes, whole examples for each, and ways to spoil them.

A reader that is given anything must read it, or refuse it with the one error that reaches a person as a line; what
comes of any other exception is a traceback. :func:`feed` returns the refusal or None, and lets all else through.
"""

from __future__ import annotations

import copy
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.errors import ConfigError, RecordError
from lab.dotfight.trace_file import answer_lines
from lab.errors import RunError
from lab.experiment_file import load
from lab.record_file import replay_file
from lab.results.run import Run
from lab.sweeps.spec import read_sweep

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "tests" / "data" / "run-folders" / "games-1"
SMALL_GAMES = ("dotfight-random", "dotfight-stalled")


def _run_folder(name: str) -> Callable[[Path], object]:
    """Return a reader of a run folder in which one file is the one given."""

    def read(path: Path) -> object:
        folder = path.with_name(f"{path.name}-folder")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(KEPT, folder)
        shutil.copy(path, folder / name)
        run = Run(folder)
        return run.folder.provenance(), run.table(), run.missing

    return read


READERS: dict[str, Callable[[Path], object]] = {
    "experiment": load,
    "sweep": read_sweep,
    "record": replay_file,
    "trace": lambda path: list(answer_lines(path, "kernel")),
    "experiment.json": _run_folder("experiment.json"),
    "provenance.json": _run_folder("provenance.json"),
}


def examples(reader: str) -> list[bytes]:
    """Return what a reader reads, whole and sound."""
    match reader:
        case "experiment":
            # What starts from another file's rules would look for it beside the one given.
            texts = [path.read_text() for path in sorted((ROOT / "configs").glob("d*/**/*.toml"))]
            return [text.encode() for text in texts if "rules_from" not in text]
        case "sweep":
            texts = [path.read_text() for path in sorted((ROOT / "configs" / "sweeps").glob("*.toml"))]
            return [text.replace('base = "..', f'base = "{ROOT}/configs').encode() for text in texts]
        case "record":
            games = [(ROOT / "tests" / "golden" / f"{name}.json").read_bytes() for name in SMALL_GAMES]
            return [*games, json.dumps(_DODGEM).encode()]
        case "trace":
            lines = (ROOT / "tests" / "data" / "trace-sample.jsonl").read_bytes().splitlines()
            return sorted(lines, key=len)[:3]
        case _:
            return [(KEPT / reader).read_bytes()]


_DODGEM = {
    "schema": "dodgem-record/1",
    "game": "dodgem",
    "rules": {"board": 3, "stuck": "wins", "first_mover": "up", "max_moves": 120, "repetition": "allowed"},
    "players": {"first": {"name": "normal", "depth": 3, "randomness": 0.1}, "second": {"name": "random"}},
    "seed": 1,
    "index": 0,
    "actions": [
        "b1 up",
        "a3 right",
        "c1 up",
        "b3 right",
        "b2 up",
        "a2 down",
        "c2 left",
        "a1 right",
        "b3 out",
        "b1 right",
        "b2 up",
        "c3 down",
        "b3 out",
    ],
    "result": {"winner": "first", "decided_by": "out"},
}

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 10**6, 2**31, 2**63, -(2**63), 10**400, 0.0, -0.0, 0.5, 1e-300, 1e300),
    *(float("nan"), float("inf"), "", "x", "../../etc/passwd", "\x1b[2J\n", "<script>", "é" * 300, "9" * 5000),
    *([], [[]], {}, {"": {}}, [0] * 50, "first", "dawood", "snipe"),
)
"""Values that could stand anywhere in a file somebody made or altered."""


def paths(value: Any, above: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths to the values of a tree, of long lists to the first and last ones."""
    found = [above] if above else []
    if isinstance(value, dict):
        for key, inner in value.items():
            found += paths(inner, (*above, key))
    elif isinstance(value, list):
        for index in sorted({0, 1, len(value) - 1} & set(range(len(value)))):
            found += paths(value[index], (*above, index))
    return found


def spoilt(tree: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """Return a copy of a tree with another value at a path; Ellipsis takes out what is there."""
    tree = copy.deepcopy(tree)
    inner = tree
    for step in path[:-1]:
        inner = inner[step]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return tree


ODD_TOML = (
    *("0", "-1", "1", "true", "nan", "-inf", "1e300", "1e-300", "9223372036854775807", "0x7fffffffffffffff", '""'),
    *("[]", "[[]]", "{}", "{ a = 1 }", '"../../x"', '"\\u001b[2J"', "1979-05-27", '["all"]', "'\t'", "[1, 2, 3]"),
)
"""The same as values in TOML."""


def spoilt_line(content: bytes, line: int, value: str) -> bytes:
    """Return TOML with another value in one of its lines."""
    lines = content.decode().splitlines()
    key, equals, _ = lines[line % len(lines)].partition("=")
    lines[line % len(lines)] = f"{key}= {value}" if equals else value
    return "\n".join(lines).encode()


def feed(reader: str, content: bytes) -> str | None:
    """Give a reader a file; return its refusal, or None where it reads it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "given"
        path.write_bytes(content)
        try:
            READERS[reader](path)
        except (ConfigError, RecordError, RunError) as error:
            return str(error)
        return None
