"""The games the lab knows: one adapter module each, found by being here, under the game's name.

A module whose name begins with ``_`` is no game but some adapter's helper.

A game of another distribution joins by an entry point in the group ``rules_lab.games`` whose name is the
game's and whose value is its adapter, e.g. ``coinrace = "coinrace.adapter:ADAPTER"``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any

from engine.errors import ConfigError
from lab.games.adapter import Adapter

ENTRY_POINTS = "rules_lab.games"
_NOT_GAMES = ("adapter",)


def names() -> tuple[str, ...]:
    """Return the names of all games, sorted, without loading any."""
    return tuple(sorted(_own() | {point.name for point in entry_points(group=ENTRY_POINTS)}))


@cache
def adapter_of(name: str) -> Adapter[Any]:
    """Return the adapter of the game called ``name``; raises :class:`ConfigError` naming those there are."""
    if name in _own():
        adapter = import_module(f"{__name__}.{name}").ADAPTER
    elif found := entry_points(group=ENTRY_POINTS, name=name):
        adapter = next(iter(found)).load()
    else:
        raise ConfigError("game", name, "must be one of " + ", ".join(names()))
    if not isinstance(adapter, Adapter) or adapter.game.name != name:
        raise TypeError(f"the adapter module of {name!r} must export ADAPTER, an Adapter whose game has that name")
    return adapter


def _own() -> set[str]:
    return {
        module.name
        for module in iter_modules(__path__)
        if not module.name.startswith("_") and module.name not in _NOT_GAMES
    }
