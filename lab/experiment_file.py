"""Reading experiments from TOML files: one strict format, in which all but ``game`` may be left out.

::

    game = "dotfight"
    title = "Quick, three bases of eight"
    rules_from = "../quick.toml"        # start from another file's rules

    [rules]                             # change some of them
    link_tremor = 0.1

    [players.first]                     # who sits where, and that player's options
    name = "dawood"

    [run]
    games = 2000
    seed = 7

A rule set is the same format with nothing but ``game`` and ``[rules]``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Any

from engine.errors import ConfigError
from lab.spec import Experiment, check_keys, subtable, text

KEYS = ("game", "title", "rules_from", "rules", "players", "run")
COMMAND_LINE = "command line"
_LARGEST_FILE = 1 << 20


def load(
    path: str | Path, changes: Mapping[str, object] | None = None, *, key: str = "file", named_in: str | None = None
) -> Experiment:
    """Read an experiment and resolve it.

    Parameters
    ----------
    path
        The TOML file.
    changes
        Settings to change, by dotted key as in the file; a key without a dot is a rule:
        ``{"link_tremor": 0.1, "players.first.stance": "all", "run.seed": 3}``.
    key, named_in
        The setting that names the file, and the file it stands in, for the error where it cannot be read.

    Raises
    ------
    engine.errors.ConfigError
        Naming the file (or the command line), the key, the value and what is allowed.
    """
    table = _resolve(_Source(Path(path), key, named_in), ())
    experiment = _parse(table, str(path))
    if not changes:
        return experiment
    try:
        for name, value in changes.items():
            table = changed(table, name, value)
    except ConfigError as error:
        raise error.at(COMMAND_LINE) from None
    return _parse(table, COMMAND_LINE)


def read_table(path: str | Path) -> dict[str, Any]:
    """Read a TOML file as plain values; raises :class:`ConfigError` naming it where it cannot be read."""
    return _read(_Source(Path(path), "file"))


def changed(table: Mapping[str, object], key: str, value: object) -> dict[str, Any]:
    """Return a copy of an experiment's table with the value at a dotted key changed; without a dot it is a rule."""
    return _changed(table, key.split(".") if "." in key else ["rules", key], value, key)


def parse_change(argument: str) -> tuple[str, object]:
    """Read ``key=value`` as given to ``--set``: a TOML value, or else plain text."""
    key, equals, value = argument.partition("=")
    if not equals or not key.strip():
        raise ConfigError("--set", argument, "must be key=value", COMMAND_LINE)
    try:
        # One line only, so that a value cannot bring keys of its own.
        parsed: object = tomllib.loads(f"value = {value.strip()}")["value"] if "\n" not in value else value
    except (tomllib.TOMLDecodeError, RecursionError):
        parsed = value.strip()
    _check_numbers({key: parsed}, COMMAND_LINE)
    return key.strip(), parsed


def _parse(table: Mapping[str, object], file: str) -> Experiment:
    try:
        return Experiment.parse(table)
    except ConfigError as error:
        raise error.at(file) from None


@dataclass(frozen=True)
class _Source:
    """A file to read, and the setting that named it, to which an error is put down."""

    path: Path
    key: str
    file: str | None = None

    def error(self, allowed: str) -> ConfigError:
        return ConfigError(self.key, str(self.path), allowed, self.file)


def _resolve(source: _Source, above: tuple[Path, ...]) -> dict[str, Any]:
    """Read a file and, under its own rules, those it starts from; ``above`` are the files that led here."""
    table = _read(source)
    file = str(source.path)
    if source.path.resolve() in above:
        raise source.error("must not lead back to a file that it is read for")
    try:
        check_keys(table, KEYS)
        if "rules_from" not in table:
            return table
        game, origin = text(table, "game"), text(table, "rules_from")
        rules = subtable(table, "rules")
    except ConfigError as error:
        raise error.at(file) from None
    base_source = _Source(source.path.parent / origin, "rules_from", file)
    base = _resolve(base_source, (*above, source.path.resolve()))
    if base.get("game") != game:
        raise base_source.error(f"must be a rule set of {game!r}; this is one of {base.get('game')!r}")
    base_rules = _parse({"game": game, "rules": base.get("rules", {})}, str(base_source.path)).rules.table()
    del table["rules_from"]
    return {**table, "rules": {**base_rules, **rules}}


def _read(source: _Source) -> dict[str, Any]:
    """Read one TOML file as plain values."""
    try:
        if not S_ISREG(source.path.stat().st_mode):
            raise source.error("must be a regular file")
        with source.path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
        if len(content) > _LARGEST_FILE:
            raise source.error(f"must be at most {_LARGEST_FILE:,} bytes long")
        table = tomllib.loads(content.decode())
    except OSError as error:
        raise source.error(f"cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise source.error("must be text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise source.error(f"is not TOML: {error}") from None
    except RecursionError:
        raise source.error("is nested too deeply") from None
    except ConfigError:
        raise
    except ValueError as error:
        raise source.error(f"cannot be read ({error})") from None
    _check_numbers(table, str(source.path))
    return table


def _check_numbers(value: object, file: str, key: str = "") -> None:
    """Refuse whole numbers beyond 64 bits, which TOML does not have and no result could store."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            _check_numbers(inner, file, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list):
        for inner in value:
            _check_numbers(inner, file, key)
    elif isinstance(value, int) and value.bit_length() > 63:
        raise ConfigError(key, f"a number of {value.bit_length()} bits", "must fit into 64 bits", file)


def _changed(table: Mapping[str, object], path: Iterable[str], value: object, key: str) -> dict[str, Any]:
    """Return a copy of nested tables with one value changed."""
    name, *rest = path
    if not rest:
        return {**table, name: value}
    inner = table.get(name, {})
    if not isinstance(inner, Mapping):
        raise ConfigError(key, value, f"{name} is no table")
    return {**table, name: _changed(inner, rest, value, key)}
