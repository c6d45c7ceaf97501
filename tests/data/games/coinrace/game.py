"""Coin race: two seats toss coins in turn, and the first to get a number of heads wins.

C1 The first seat tosses first; then they alternate.
C2 A toss shows heads with the probability that the player's hand has.
C3 Whoever first has ``heads_to_win`` heads wins. After ``max_tosses`` tosses nobody does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from engine.errors import ConfigError, RecordError
from engine.parameters import Param, Parameters
from engine.rng import DECISIONS, Streams

SCHEMA = "coinrace/1"


@dataclass(frozen=True, kw_only=True)
class Rules(Parameters):
    """The numbers of the game."""

    heads_to_win: Annotated[int, Param("heads needed", unit="heads", low=1, high=100, source="C3")] = 3
    max_tosses: Annotated[int, Param("tosses after which nobody wins", unit="tosses", low=1)] = 40

    def check(self) -> None:
        """A game must be winnable."""
        if self.max_tosses < self.heads_to_win:
            raise ConfigError("max_tosses", self.max_tosses, "must be at least heads_to_win")


@dataclass(frozen=True, kw_only=True)
class Steady(Parameters):
    """A player whose hand does not change."""

    heads: Annotated[float, Param("probability of heads", low=0, high=1, source="C2")] = 0.5


@dataclass(frozen=True)
class Race:
    """A race that has been run: the tosses in order, true for heads."""

    rules: Rules
    players: tuple[Steady, Steady]
    seed: int
    index: int
    tosses: tuple[bool, ...]

    def heads(self, seat: int) -> int:
        """Return the heads of a seat, 0 or 1."""
        return sum(self.tosses[seat::2])

    @property
    def winner(self) -> str:
        """The seat that won: first, second or none."""
        if self.heads((len(self.tosses) - 1) % 2) < self.rules.heads_to_win:
            return "none"
        return ("second", "first")[len(self.tosses) % 2]

    def record(self) -> dict[str, Any]:
        """Return the race as plain values."""
        return {
            "schema": SCHEMA,
            "rules": self.rules.table(),
            "players": [player.table() for player in self.players],
            "seed": self.seed,
            "index": self.index,
            "tosses": list(self.tosses),
        }


class CoinRace:
    """The game as the lab meets it."""

    name = "coinrace"
    rules = Rules
    players: Mapping[str, type[Parameters]] = {"steady": Steady}
    default_player = "steady"

    def play(self, rules: Rules, players: tuple[Steady, Steady], streams: Streams) -> Race:
        """Toss until somebody has won."""
        hands = [streams.stream(purpose) for purpose in DECISIONS]
        tosses: list[bool] = []
        heads = [0, 0]
        while max(heads) < rules.heads_to_win and len(tosses) < rules.max_tosses:
            seat = len(tosses) % 2
            tosses.append(bool(hands[seat].random() < players[seat].heads))
            heads[seat] += tosses[-1]
        return Race(rules, players, streams.seed, streams.index, tuple(tosses))

    def replay(self, record: Mapping[str, Any]) -> Race:
        """Read a race from its record."""
        if record.get("schema") != SCHEMA:
            raise RecordError(f"schema is {record.get('schema')!r}; this version reads {SCHEMA!r}")
        first, second = (Steady.parse(player) for player in record["players"])
        rules = Rules.parse(record["rules"])
        return Race(rules, (first, second), record["seed"], record["index"], tuple(record["tosses"]))


COIN_RACE = CoinRace()
