"""What `from lab import ...` gives a notebook or a script, whatever was imported before."""

from __future__ import annotations

import subprocess
import sys

import pytest

EVERYTHING = "from lab import Run, load, run\nassert all(map(callable, (Run, load, run))), (Run, load, run)"
"""A name that a module of the package has too would be the module, once that was imported."""


@pytest.mark.parametrize("before", ["", "import lab.cli, lab.driver, lab.results.run, lab.experiment_file"])
def test_the_library_offers_functions(before: str):
    subprocess.run([sys.executable, "-c", f"{before}\n{EVERYTHING}"], check=True)


def test_a_module_of_the_same_name_would_be_caught():
    """The planted fault: a module takes the function's place."""
    planted = "import lab, types\nlab.load = types.ModuleType('load')"
    done = subprocess.run([sys.executable, "-c", f"{planted}\n{EVERYTHING}"], capture_output=True, check=False)
    assert done.returncode != 0


def test_other_names_are_no_part_of_it():
    import lab

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        lab.nothing  # noqa: B018 - looking it up is what is tested
