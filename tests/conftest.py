"""What all tests share: their own games, known to the lab here and in processes they start; no test is timed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

GAMES = str(Path(__file__).parent / "data" / "games")

sys.path.insert(0, GAMES)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (GAMES, os.environ.get("PYTHONPATH"))))

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
