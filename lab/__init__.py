"""The lab: experiments on games that :mod:`engine` plays.

In a notebook or a script::

    from lab import load, run

    quick = run(load("configs/dotfight/quick.toml"), workers=0)
    quick.summary()
    quick.frame(["winner", "turns"])
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lab.driver import run as run
    from lab.experiment_file import load as load
    from lab.results.run import Run as Run

_HOMES = {"load": "lab.experiment_file", "run": "lab.driver", "Run": "lab.results.run"}


def __getattr__(name: str) -> Any:
    """Load the library's functions when they are first used: the command line starts quicker without them."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
