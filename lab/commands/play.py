"""Play one game of an experiment and say how it went."""

from __future__ import annotations

import argparse

from lab.commands._experiment import add_experiment, read_experiment


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab play``."""
    add_experiment(parser)
    parser.add_argument("--index", type=int, default=0, metavar="I", help="which game of it (default: 0)")
    parser.add_argument("--record", metavar="FILE", help="write the game's record, as JSON")


def execute(arguments: argparse.Namespace) -> int:
    """Play, print the game, write its record."""
    import sys
    from pathlib import Path

    from engine.errors import ConfigError, GameError
    from engine.rng import Streams
    from lab.first_game import compile_first
    from lab.games import adapter_of
    from lab.results.files import write_json

    if arguments.index < 0:
        raise ConfigError("--index", arguments.index, "must be 0 or more")
    experiment = read_experiment(arguments, arguments.experiment)
    adapter = adapter_of(experiment.game)
    streams = Streams(experiment.effort.seed, arguments.index)
    compile_first(experiment, lambda text: print(text, file=sys.stderr, flush=True))
    try:
        played = adapter.game.play(experiment.rules, experiment.players, streams)
    except GameError as error:
        raise ConfigError("--index", arguments.index, f"names a game that cannot be played: {error}") from None
    print(adapter.describe(played))
    if arguments.record is not None:
        write_json(Path(arguments.record), played.record())
    return 0
