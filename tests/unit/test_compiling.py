"""The compiler's pipeline: parts run inside entry points only, and a second process compiles nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SOURCE = """
from math import sqrt

import numpy as np
from numba.core import event

from engine.jit import compiled, entry_point, inlined

@inlined
def square(x):
    return x * x

@compiled
def hypotenuse(a, b):
    return sqrt(square(a) + square(b))

@entry_point
def longest(sides):
    best = 0.0
    for i in range(sides.shape[0]):
        best = max(best, hypotenuse(sides[i, 0], sides[i, 1]))
    return best

if __name__ == "__main__":
    with event.install_recorder("numba:compile") as compilations:
        found = longest(np.array([[3.0, 4.0], [5.0, 12.0]]))
    print(found, longest.py_func is not longest, sum(e.is_start for _, e in compilations.buffer) > 0)
"""


def test_a_part_is_compiled_into_its_entry_point_and_a_second_process_takes_that_from_the_cache(tmp_path: Path) -> None:
    module = tmp_path / "sides.py"
    module.write_text(SOURCE)
    said = [
        subprocess.run(
            [sys.executable, str(module)],
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert said == ["13.0 True True\n", "13.0 True False\n"]
