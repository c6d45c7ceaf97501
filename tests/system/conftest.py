"""What tests of whole runs share: Ray, started once for all of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest

from lab.runners import ray_start


@pytest.fixture(scope="session")
def cluster() -> Iterator[None]:
    """Ray with two processes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ray_start.start(2)
        yield
        ray_start.stop()
