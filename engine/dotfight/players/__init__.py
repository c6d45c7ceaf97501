"""The players of Dotfight, by name."""

from __future__ import annotations

from engine.dotfight.players.baselines import Greedy, RandomPlayer
from engine.dotfight.players.dawood import Dawood
from engine.parameters import Parameters

PLAYERS: dict[str, type[Parameters]] = {"dawood": Dawood, "random": RandomPlayer, "greedy": Greedy}
