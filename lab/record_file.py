"""Files of one game's record: which game it is of, and the game played again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from engine.errors import ConfigError, RecordError
from engine.game import Played
from lab.games import adapter_of
from lab.games.adapter import Adapter

LARGEST: Final = 64 << 20


def replay_file(path: Path) -> tuple[Adapter[Any], Played]:
    """Play the record in a file again.

    Returns
    -------
    The adapter of its game, and the game.

    Raises
    ------
    engine.errors.RecordError
        Naming the file, and what in it cannot be used.
    """
    record = _read(path)
    try:
        name = record.get("game")
        if not isinstance(name, str):
            raise RecordError(f"game = {str(name)[:80]!r}: must be the name of a game")
        adapter = adapter_of(name)
        return adapter, adapter.game.replay(record)
    except (ConfigError, RecordError) as error:
        raise RecordError(f"{path}: {error}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror})") from None
    if len(content) > LARGEST:
        raise RecordError(f"{path}: is longer than {LARGEST:,} bytes")
    try:
        record = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: is not JSON ({error})") from None
    if not isinstance(record, dict):
        raise RecordError(f"{path}: must be a record, a JSON object")
    return record
