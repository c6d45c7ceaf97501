"""What a game depends on beside its experiment, so that every process plays the same: its code, and versions."""

from __future__ import annotations

import platform
from functools import lru_cache
from typing import Final

from lab.games import adapter_of
from lab.results import provenance

_DECIDING: Final = ("python", "numpy", "scipy", "shapely", "numba")
"""Of the versions that provenance keeps, those by which a game could turn out otherwise."""


class MisfitError(RuntimeError):
    """This process would play other games than the one that asks for them."""


@lru_cache(maxsize=8)
def footing(game: str) -> dict[str, str]:
    """Return what games of ``game`` depend on in this process: hash of the code, and versions by name."""
    versions = provenance.versions()
    found = {name: versions[name] for name in _DECIDING if name in versions}
    return {"code": provenance.code_hash(adapter_of(game)), **found}


def check_fit(game: str, expected: dict[str, str]) -> None:
    """Raise :class:`MisfitError` naming this machine and what differs, unless it has the ``expected`` footing."""
    try:
        here = footing(game)
    except ValueError as error:
        raise MisfitError(f"{platform.node()}: {error}") from None
    odd = [
        f"{name} {here.get(name, 'none')[:16]} where {value[:16]} is needed"
        for name, value in expected.items()
        if here.get(name) != value
    ]
    if odd:
        raise MisfitError(f"{platform.node()} has {'; '.join(odd)}")
