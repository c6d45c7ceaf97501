"""The protocol a game offers the lab: the only door between the two.

A game for two seats, *first* and *second*, is an object with a name, a class of rules, a registry of players and
two functions: play a game from its random streams, and replay a record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from engine.parameters import Parameters
from engine.rng import Streams

SEATS = ("first", "second")

RulesT = TypeVar("RulesT", bound=Parameters)
PlayedT_co = TypeVar("PlayedT_co", bound="Played", covariant=True)


class Played(Protocol):
    """A game that has been played to its end."""

    def record(self) -> dict[str, Any]:
        """Return the game as plain JSON values: schema version, rules, players, seed, actions as resolved."""
        ...


class Game(Protocol[RulesT, PlayedT_co]):
    """What a game offers the lab.

    Attributes
    ----------
    name
        Short name, as in a config's ``game = "..."``.
    rules
        Class of the rules: every number of the game, strict (:class:`engine.parameters.Parameters`).
    players
        Registry of players: name to the class of that player's options (also :class:`Parameters`).
    default_player
        The name that sits where an experiment names nobody.
    """

    name: str
    rules: type[RulesT]
    players: Mapping[str, type[Parameters]]
    default_player: str

    def play(self, rules: RulesT, players: tuple[Parameters, Parameters], streams: Streams) -> PlayedT_co:
        """Play one game; the same arguments give the same game.

        ``players`` are instances of the registered option classes, first seat first. Raises
        :class:`engine.errors.GameError` when this game cannot be played.
        """
        ...

    def replay(self, record: Mapping[str, Any]) -> PlayedT_co:
        """Play a record again from its resolved actions; raises :class:`engine.errors.RecordError`."""
        ...
