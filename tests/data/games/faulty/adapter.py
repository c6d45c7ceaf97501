"""A coin race in which the first seat's player can be told to go wrong, in one way and in some games."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from coinrace.adapter import ADAPTER as COINRACE
from coinrace.game import CoinRace, Race, Rules, Steady

from engine.errors import GameError
from engine.parameters import Param, Parameters
from engine.rng import Streams

Fault = Literal[
    "none",
    "raises",
    "raises once",
    "loops",
    "swallows",
    "deaf",
    "hungry",
    "grows",
    "exits",
    "dies",
    "breaks identity",
    "rests",
]


@dataclass(frozen=True, kw_only=True)
class Faulty(Steady):
    """Goes wrong in every game whose index leaves ``remainder`` when divided by ``every``."""

    fault: Annotated[Fault, Param("what goes wrong")] = "none"
    every: Annotated[int, Param("in one game of how many", low=1)] = 10
    remainder: Annotated[int, Param("in which of them", low=0)] = 3
    folder: Annotated[str, Param("where 'raises once' leaves a mark")] = ""


class FaultyRace(CoinRace):
    """Coin race with faults."""

    name = "faulty"
    players: Mapping[str, type[Parameters]] = {"faulty": Faulty}
    default_player = "faulty"

    def play(self, rules: Rules, players: tuple[Steady, Steady], streams: Streams) -> Race:
        """Go wrong, or play."""
        player = players[0]
        assert isinstance(player, Faulty)
        if streams.index % player.every == player.remainder:
            go_wrong(player, streams.index)
        race = super().play(rules, players, streams)
        if player.fault == "breaks identity" and streams.index % player.every == player.remainder:
            return BrokenRace(**vars(race))
        return race

    def replay(self, record: Mapping[str, Any]) -> Race:
        """Replay as the coin race that it is."""
        race = super().replay({**record, "players": [{"heads": p["heads"]} for p in record["players"]]})
        return replace(race, players=tuple(Faulty.parse(p) for p in record["players"]))


class BrokenRace(Race):
    """A race that cannot add up."""

    def heads(self, seat: int) -> int:
        """Return one head too many."""
        return super().heads(seat) + 1


def go_wrong(player: Faulty, index: int) -> None:
    """Do what the player is told to."""
    match player.fault:
        case "raises":
            raise GameError(f"no move in game {index} of {object()}")
        case "raises once":
            mark = Path(player.folder) / f"game-{index}"
            if not mark.exists():
                mark.touch()
                raise MemoryError("this once")
        case "loops":
            while True:
                pass
        case "swallows":
            while True:
                try:
                    while True:
                        pass
                except Exception:
                    if player.folder:
                        raise
                    object.__setattr__(player, "folder", "one interruption was swallowed")
        case "deaf":
            # As compiled code that never returns: no signal ends it, and other threads run.
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            time.sleep(1e6)
        case "hungry":
            bytearray(1 << 44)
        case "grows":
            # Slowly, as a leak does, up to 4 GiB: somebody should end this process before.
            held = [bytes(b"x" * (32 << 20)) for _ in range(128) if time.sleep(0.02) is None]
            raise GameError(f"nobody minded {len(held)} blocks of memory")
        case "rests":
            time.sleep(0.01)
        case "exits":
            raise SystemExit(7)
        case "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        case _:
            pass


ADAPTER = replace(COINRACE, game=FaultyRace())
