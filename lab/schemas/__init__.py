"""The published schemas of what the lab writes: JSON Schema 2020-12, one file for each version of each form.

The tag that a file carries names its schema: ``rules-lab/provenance/1`` is ``provenance-1.json`` here. A schema that
has been released is not changed; a form that changes gets a new version, and readers name the versions they read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from typing import Any, Final

from lab.games.adapter import Adapter, Kind

ROWS: Final = "rules-lab/games/1"

_JSON: Final[dict[Kind, dict[str, Any]]] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "str": {"type": "string"},
    "list[int]": {"type": "array", "items": {"type": "integer"}},
    "list[float]": {"type": "array", "items": {"type": "number"}},
}


def tags() -> list[str]:
    """Return the tags of all schemas, sorted."""
    files = [file for file in resources.files(__name__).iterdir() if file.name.endswith(".json")]
    return sorted(json.loads(file.read_bytes())["$comment"] for file in files)


def published(tag: str) -> dict[str, Any]:
    """Return the schema of files that carry ``tag``; raises KeyError where none is published."""
    file = resources.files(__name__) / (tag.removeprefix("rules-lab/").replace("/", "-") + ".json")
    if not file.is_file():
        raise KeyError(tag)
    return json.loads(file.read_bytes())


def rows_of(adapter: Adapter[Any]) -> dict[str, Any]:
    """Return the schema of a game's rows: that of any row of results, with the game's own columns."""
    general = published(ROWS)
    own: dict[str, Any] = {}
    for column in adapter.columns:
        unit = f" ({column.unit})" if column.unit else ""
        own[column.name] = {
            "description": f"{column.meaning}{unit}",
            "anyOf": [_JSON[column.kind], {"type": "null"}],
        }
    needed = [column.name for column in adapter.columns if not column.optional]
    return {
        **general,
        "$id": f"{general['$id']}:{adapter.game.name}",
        "title": f"A row of a table of results of {adapter.game.name}",
        "properties": {**general["properties"], **own},
        "required": [*general["required"], *own],
        "additionalProperties": False,
        "else": {"properties": {name: {"not": {"type": "null"}} for name in needed}},
    }


def breaches(schema: dict[str, Any], value: Any) -> Iterator[str]:
    """Yield where plain values do not follow a schema, in words that begin with the place."""
    from jsonschema import Draft202012Validator

    for error in Draft202012Validator(schema).iter_errors(value):
        yield f"{error.json_path}: {error.message[:200]}"
