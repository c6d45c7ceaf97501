"""The one door to the compiler: ``@compiled`` marks a function of numbers and arrays for Numba.

No ``fastmath``: the same operations in the same order as the plain function, so that results can be compared.
Compiled code is cached under a folder named by a digest of the package's source: Numba itself only notices a
change in the file a function stands in, not in the files whose functions it calls, and would serve stale code.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final, TypeVar, cast

import numba
from numba.core import config

from engine.compiling import EntryCompiler, PartCompiler

F = TypeVar("F", bound=Callable[..., Any])


def _sources(folder: Traversable) -> list[Traversable]:
    found: list[Traversable] = []
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        if entry.is_dir():
            found += _sources(entry)
        elif entry.name.endswith(".py"):
            found.append(entry)
    return found


def source_digest() -> str:
    """Return a digest of the engine's source: changes whenever any line of it does."""
    digest = hashlib.sha256()
    for source in _sources(resources.files("engine")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


_base = os.environ.get("NUMBA_CACHE_DIR") or os.path.join(os.path.expanduser("~"), ".cache", "rules-lab")
CACHE: Final = os.path.join(_base, f"compiled-{source_digest()}")
"""Where the compiled code of this source is kept."""

cast(Any, config).CACHE_DIR = CACHE

_njit = cast(Any, numba.njit)
_NUMBERS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_PART: Final = _NUMBERS | {"pipeline_class": PartCompiler, "no_cpython_wrapper": True}


def compiled(function: F) -> F:
    """Compile a function that only compiled code calls, on first use; ``.py_func`` keeps the plain form.

    Without Numba's run-time memory (``_nrt=False``) a function that would allocate an array does not compile, and
    handing arrays from function to function costs no reference counting.
    """
    return _njit(**_PART)(function)


def inlined(function: F) -> F:
    """Compile a small function into each place that calls it: for the innermost loops, where a call costs as much."""
    return _njit(**_PART, forceinline=True)(function)


def entry_point(function: F) -> F:
    """Compile a function that Python calls, as :func:`compiled`; it is cached, with all that it calls.

    Where compiled code calls it too, it is a part there, so that nothing becomes an entry that Python has not called.
    """
    entry: Any = _njit(**_NUMBERS, cache=True, pipeline_class=EntryCompiler)(function)
    part: Any = compiled(function)
    entry.get_call_template, entry.get_overload = part.get_call_template, part.get_overload
    return entry


def allocating(function: F) -> F:
    """Compile a function that makes arrays of its own and may be called from Python."""
    return _njit(cache=True, nogil=True, error_model="numpy")(function)
