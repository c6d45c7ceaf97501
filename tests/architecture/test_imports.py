"""Who may import whom. The two packages, and the layers inside them, are kept apart by this and by nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

OUTSIDE = ("lab", "ray", "pandas", "pyarrow", "matplotlib", "argparse", "pathlib")
"""What the engine must not know: the lab, its tables and plots, its cluster, command lines, files."""

GAMES = ("engine.dotfight", "engine.dodgem")

CONTRACTS = {
    # folder or file: what it must not import
    "engine": OUTSIDE,
    "engine/dotfight": ("engine.dodgem",),
    "engine/dodgem": ("engine.dotfight",),
    "lab/stats": (*GAMES, "engine.game", "lab.games", "lab.results", "lab.runners", "lab.spec", "pyarrow", "ray"),
    "lab/plots": ("lab.runners", "lab.commands", "lab.driver", "ray"),
    "lab/reports": ("lab.runners", "lab.commands", "lab.driver", "ray"),
    "lab/results": ("ray", "lab.commands", "lab.driver", "lab.runners.ray", *GAMES),
    "lab/runners": ("lab.commands", "lab.driver", *GAMES),
    "lab/games": ("lab.results", "lab.runners", "lab.commands", "lab.driver", "ray", "pyarrow"),
    "lab/spec.py": (*GAMES, "lab.results", "lab.runners"),
    "lab/driver.py": (*GAMES, "lab.commands"),
    "lab/summary.py": (*GAMES, "lab.commands", "lab.runners"),
}


def imports(source: str, module: str) -> Iterator[tuple[str, int]]:
    """Yield what a module imports, anywhere in it, relative imports resolved: dotted name and line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(module.split(".")[: -node.level]) if node.level else ""
            origin = ".".join(filter(None, (base, node.module)))
            yield from ((f"{origin}.{alias.name}", node.lineno) for alias in node.names)


def breaches(source: str, module: str, forbidden: tuple[str, ...]) -> list[str]:
    return [
        f"{module}, line {line}: {name}"
        for name, line in imports(source, module)
        if any(name == banned or name.startswith(f"{banned}.") for banned in forbidden)
    ]


def sources(place: str) -> list[Path]:
    path = ROOT / place
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


@pytest.mark.parametrize("place", CONTRACTS)
def test_contract(place: str):
    files = sources(place)
    assert files, f"{place} is gone: mend the contract"
    found: list[str] = []
    for path in files:
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found += breaches(path.read_text(), module, CONTRACTS[place])
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        "import lab",
        "import lab.results as r",
        "from lab import results",
        "from lab.results import store",
        "def f():\n    import pathlib",
        "from pathlib import Path",
        "if TYPE_CHECKING:\n    import pandas as pd",
        "from ray import exceptions",
        "import numpy, matplotlib.pyplot",
    ],
)
def test_a_planted_breach_is_found(line: str):
    assert breaches(line, "engine.dotfight.page", OUTSIDE)


def test_a_planted_relative_breach_is_found():
    assert breaches("from ..dodgem import board", "engine.dotfight.page", ("engine.dodgem",))
    assert breaches("from .. import dodgem", "engine.dotfight.page", ("engine.dodgem",))


def test_what_is_allowed_is_not_found():
    source = "import labour\nfrom engine import rng\nimport numpy as np\nfrom . import page"
    assert breaches(source, "engine.dotfight.ink", OUTSIDE) == []


def test_the_engine_loads_nothing_of_the_lab_behind_its_back():
    """Import every module of the engine in a fresh process and look at what came along."""
    script = (
        "import importlib, pkgutil, sys, engine\n"
        "for module in pkgutil.walk_packages(engine.__path__, 'engine.'):\n"
        "    importlib.import_module(module.name)\n"
        "heavy = {'lab', 'ray', 'pandas', 'pyarrow', 'matplotlib'}\n"
        "print(sorted(heavy & {name.partition('.')[0] for name in sys.modules}))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_help_loads_nothing_slow():
    """`lab --help` is asked often: it loads no library beyond Python's own."""
    script = (
        "import sys\nfrom lab.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "slow = {'numpy', 'scipy', 'pandas', 'pyarrow', 'matplotlib', 'ray', 'numba', 'shapely'}\n"
        "print(sorted(slow & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip().splitlines()[-1] == "[]"
