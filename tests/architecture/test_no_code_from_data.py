"""Nothing the lab reads can bring code of its own: no pickles, no evaluation of text, no shell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

MODULES = {"pickle", "cPickle", "cloudpickle", "dill", "joblib", "marshal", "shelve", "yaml", "runpy", "code"}
"""Modules whose readers can run what they read, or exist to run text."""

CALLS = {"eval", "exec", "compile", "__import__"}
"""Built-in functions that run text."""

METHODS = {("os", "system"), ("os", "popen"), ("pd", "read_pickle"), ("pandas", "read_pickle")}
OPTIONS = {"allow_pickle", "shell"}
"""Arguments that may only be false."""


def breaches(source: str) -> Iterator[str]:
    """Yield what a module does that could run data, with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                yield from (f"{node.lineno}: {a.name}" for a in node.names if a.name.partition(".")[0] in MODULES)
            case ast.ImportFrom(module=str(module)) if not node.level and module.partition(".")[0] in MODULES:
                yield f"{node.lineno}: {module}"
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                yield f"{node.lineno}: {name}"
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if (owner, name) in METHODS:
                yield f"{node.lineno}: {owner}.{name}"
            case ast.keyword(arg=str(name), value=value) if name in OPTIONS:
                if not (isinstance(value, ast.Constant) and value.value is False):
                    yield f"{value.lineno}: {name}"
            case _:
                pass


def arrays_read(source: str) -> Iterator[str]:
    """Yield where NumPy reads a file without refusing pickles in so many words."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("load", "read_array")
        ):
            owner = ast.unparse(node.func.value)
            if owner in ("np", "numpy", "np.lib.format") and not any(k.arg == "allow_pickle" for k in node.keywords):
                yield f"{node.lineno}: {owner}.{node.func.attr}"


SOURCES = sorted(path for package in ("engine", "lab") for path in (ROOT / package).rglob("*.py"))


def test_there_is_something_to_look_at():
    assert len(SOURCES) > 100


def test_no_module_can_run_what_it_reads():
    found = [f"{path.relative_to(ROOT)}:{breach}" for path in SOURCES for breach in breaches(path.read_text())]
    found += [f"{path.relative_to(ROOT)}:{read}" for path in SOURCES for read in arrays_read(path.read_text())]
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "import os, pickle as p",
        "from cloudpickle import loads",
        "def f():\n    from yaml import load",
        "eval('1')",
        "exec(text)",
        "__import__(name)",
        "os.system('ls')",
        "pd.read_pickle(path)",
        "np.load(path, allow_pickle=True)",
        "np.load(path, allow_pickle=maybe)",
        "subprocess.run(command, shell=True)",
    ],
)
def test_a_planted_breach_is_found(line: str):
    assert list(breaches(line))


@pytest.mark.parametrize("line", ["np.load(path)", "numpy.load(path, mmap_mode='r')"])
def test_an_array_read_without_a_word_on_pickles_is_found(line: str):
    assert list(arrays_read(line))


def test_what_is_allowed_is_not_found():
    source = (
        "import json\nimport codecs\nre.compile('a')\nnp.load(path, allow_pickle=False)\nmodel.eval()\nrun(shell=False)"
    )
    assert list(breaches(source)) == []
    assert list(arrays_read(source)) == []
