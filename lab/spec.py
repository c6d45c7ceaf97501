"""An experiment in its resolved form: a game, all its rules, who plays it, and the seed.

Two experiments are the same when these are: their canonical text has one hash, whatever file they came from.
How many games are wanted is not part of it, so that more games of an experiment continue it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Self, TypeVar

from engine.errors import ConfigError
from engine.game import SEATS, Game
from engine.parameters import Param, Parameters
from lab.games import adapter_of

SCHEMA: Final = "rules-lab/experiment/1"

SettingsT = TypeVar("SettingsT", bound=Parameters)


@dataclass(frozen=True, kw_only=True)
class Effort(Parameters):
    """How much is played; every game is the same whatever is said here, but for the seed."""

    games: Annotated[int, Param("games wanted", low=1, high=10**10)] = 1000
    seed: Annotated[int, Param("seed of the experiment", low=0, high=2**63 - 1)] = 1
    time_limit_s: Annotated[float, Param("a game that takes longer has failed", unit="s", above=0)] = 600.0


@dataclass(frozen=True)
class Seat:
    """Who sits in a seat: a player of the game's registry, and all its options."""

    name: str
    options: Parameters

    def table(self) -> dict[str, Any]:
        """Return the seat as plain values."""
        return {"name": self.name, **self.options.table()}


@dataclass(frozen=True)
class Experiment:
    """A game, its rules, the players of both seats (first seat first), and how much to play."""

    game: str
    rules: Parameters
    seats: tuple[Seat, Seat]
    effort: Effort = field(default_factory=Effort)
    title: str = ""

    @classmethod
    def parse(cls, table: Mapping[str, object]) -> Self:
        """Read a table of plain values with the keys of :meth:`table`; all but ``game`` may be left out.

        Raises :class:`engine.errors.ConfigError`, its key dotted from the outermost table.
        """
        check_keys(table, ("game", "title", "rules", "players", "run"))
        game = adapter_of(text(table, "game")).game
        rules = _settings(game.rules, table, "rules")
        players = subtable(table, "players")
        with inside("players"):
            check_keys(players, SEATS)
            seats = _seat(game, players, SEATS[0]), _seat(game, players, SEATS[1])
        return cls(
            game=game.name,
            rules=rules,
            seats=seats,
            effort=_settings(Effort, table, "run"),
            title=text(table, "title", default=""),
        )

    def table(self) -> dict[str, Any]:
        """Return the whole experiment as plain values, every default filled in."""
        return {
            "game": self.game,
            "title": self.title,
            "rules": self.rules.table(),
            "players": {name: seat.table() for name, seat in zip(SEATS, self.seats, strict=True)},
            "run": self.effort.table(),
        }

    def identity(self) -> dict[str, Any]:
        """Return what makes it this experiment and no other, as plain values."""
        table = self.table()
        return {
            "schema": SCHEMA,
            "game": table["game"],
            "rules": table["rules"],
            "players": table["players"],
            "seed": self.effort.seed,
        }

    def hash(self) -> str:
        """Return the SHA-256 of the canonical text of :meth:`identity`, in hexadecimal."""
        return hashlib.sha256(canonical(self.identity()).encode()).hexdigest()

    @property
    def players(self) -> tuple[Parameters, Parameters]:
        """The options of both players, as :meth:`engine.game.Game.play` takes them."""
        return self.seats[0].options, self.seats[1].options


def canonical(value: Any) -> str:
    """Return plain values as JSON in the one form that is hashed: keys sorted, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def differences(one: Any, other: Any, key: str = "") -> list[tuple[str, Any, Any]]:
    """Return where two trees of plain values differ: dotted key, value in one, value in the other."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        found: list[tuple[str, Any, Any]] = []
        for name in [*one, *(name for name in other if name not in one)]:
            inner = f"{key}.{name}" if key else str(name)
            found += differences(one.get(name), other.get(name), inner)
        return found
    return [] if canonical(one) == canonical(other) else [(key, one, other)]


@contextmanager
def inside(key: str) -> Generator[None, None, None]:
    """Put ``key`` in front of the key of any :class:`ConfigError` raised here."""
    try:
        yield
    except ConfigError as error:
        raise error.inside(key) from None


def check_keys(table: Mapping[str, object], known: tuple[str, ...]) -> None:
    """Refuse a key that is not known."""
    for key, value in table.items():
        if key not in known:
            raise ConfigError(key, value, "unknown key; known here: " + ", ".join(known))


def subtable(table: Mapping[str, object], key: str) -> Mapping[str, object]:
    """Return the table under ``key`` (empty where there is none)."""
    value = table.get(key, {})
    if not isinstance(value, Mapping):
        raise ConfigError(key, value, "must be a table")
    return value


def text(table: Mapping[str, object], key: str, default: str | None = None) -> str:
    """Return the text under ``key``."""
    value = table.get(key, default)
    if not isinstance(value, str):
        raise ConfigError(key, value, "must be given, as text" if value is None else "must be text")
    return value


def _settings(kind: type[SettingsT], table: Mapping[str, object], key: str) -> SettingsT:
    given = subtable(table, key)
    with inside(key):
        return kind.parse(given)


def _seat(game: Game[Any, Any], players: Mapping[str, object], seat: str) -> Seat:
    given = subtable(players, seat)
    with inside(seat):
        name = text(given, "name", game.default_player)
        if name not in game.players:
            raise ConfigError("name", name, "must be one of " + ", ".join(game.players))
        options = {key: value for key, value in given.items() if key != "name"}
        return Seat(name, game.players[name].parse(options))
