"""Compiling what a game needs before the first one on a machine, and saying so: it takes half a minute, once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from lab.aside import second_process
from lab.games import adapter_of
from lab.spec import Experiment


def compile_first(experiment: Experiment, say: Callable[[str], None]) -> None:
    """Compile what games of an experiment need, in two processes where there are CPUs for them, unless it was before.

    Every process finds the code in the cache afterwards, Ray's workers too.
    """
    shares = adapter_of(experiment.game).to_compile(experiment.players)
    if not shares:
        return
    from engine.jit import CACHE

    kinds = sorted({type(options).__name__ for options in experiment.players})
    done = Path(CACHE, f"{'-'.join([experiment.game, *kinds])}.done")
    if done.exists():
        return
    say(f"Compiling {experiment.game} for this machine, which happens once and takes up to half a minute.")
    with second_process() as aside:
        others = [aside.put(share) for share in shares[1:]]
        shares[0]()
        for fetch in others:
            fetch()
    # Where nothing can be kept, it happens again.
    with suppress(OSError):
        done.touch()
