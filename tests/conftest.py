"""Make the tests' own games known to the lab, here and in the processes that tests start."""

from __future__ import annotations

import os
import sys
from pathlib import Path

GAMES = str(Path(__file__).parent / "data" / "games")

sys.path.insert(0, GAMES)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (GAMES, os.environ.get("PYTHONPATH"))))
