"""Reading sweeps from TOML files.

::

    base = "../dotfight/quick.toml"     # the experiment that is varied; read from this file's folder
    title = "What each rule does by itself"
    metrics = ["turns", "lunge_share"]  # those to print and draw (default: the game's first four with differences)

    [run]                               # as in an experiment; every variant plays these seeds
    games = 200

    [design]
    kind = "one-at-a-time"              # or grid, list; latin-hypercube, sobol; morris, sobol-indices

    [parameters]
    send_max = [1, 3, 5, 8]
    link_tremor = { low = 0, high = 0.2, points = 5 }

    [[pairings]]                        # players, each against every other in both seatings
    name = "greedy"

Latin hypercubes and Sobol sequences take ``points`` (and a ``seed``) in ``[design]``, and a range is drawn from
whole; a list is drawn from as values without order. A ``list`` has ``[[variants]]`` in place of parameters.

``morris`` and ``sobol-indices`` are sensitivity analyses: they draw points likewise and say of each parameter how
much the chosen metrics depend on it. A Morris screening takes ``trajectories`` (and ``levels``, 4), each as many points
as there are parameters and one; Sobol indices take ``points``, a power of 2, of ``replicates`` (8) samples, each as
many points as ``points`` times the parameters and two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from engine.errors import ConfigError
from engine.game import SEATS
from engine.parameters import Field, declared
from lab.design import (
    Axis,
    Categorical,
    Continuous,
    Crossed,
    Design,
    Explicit,
    Factor,
    Grid,
    Integer,
    OneAtATime,
    Pairings,
    SensitivityDesign,
    variants_within,
)
from lab.estimators import Mean, Proportion, Ratio
from lab.experiment_file import load, read_table
from lab.games import adapter_of
from lab.spec import Effort, Experiment, Seat, check_keys, inside, subtable, text
from lab.sweeps.sensitivity import Analysis
from lab.sweeps.settings import DesignSettings
from lab.sweeps.variants import Variant, resolve, variant_of

KEYS: Final = ("base", "title", "metrics", "run", "design", "parameters", "variants", "pairings")
MOST_GAMES: Final = 100_000
METRICS_SHOWN: Final = 4
COMPARABLE: Final = (Mean, Proportion, Ratio)
"""What has a paired difference (:func:`lab.sweeps.compare.difference_of`)."""

MOST_POINTS: Final = 1000
"""Values of one axis."""


@dataclass(frozen=True)
class Sweep:
    """A sweep as its file tells it.

    Attributes
    ----------
    title
        What people call it.
    base
        The experiment that is varied; its effort is that of every variant.
    variants
        The base, then what the design makes of it.
    metrics
        Names of the metrics to print and draw.
    analysis
        What is to be made of the variants where the design is a sensitivity analysis.
    """

    title: str
    base: Experiment
    variants: tuple[Variant, ...]
    metrics: tuple[str, ...]
    analysis: Analysis | None = None

    @property
    def games(self) -> int:
        """Games of all variants."""
        return self.base.effort.games * len(self.variants)


def read_sweep(path: str | Path, games: int | None = None, most_games: int = MOST_GAMES) -> Sweep:
    """Read a sweep.

    Parameters
    ----------
    path
        The TOML file.
    games
        Games of each variant, in place of the file's.
    most_games
        A sweep of more games in all is refused.

    Raises
    ------
    engine.errors.ConfigError
        Naming the file, the key, the value and what is allowed.
    """
    table = read_table(path)
    try:
        return _parse(table, Path(path), games, most_games)
    except ConfigError as error:
        raise error.at(str(path)) from None


def _parse(table: Mapping[str, object], path: Path, games: int | None, most_games: int) -> Sweep:
    check_keys(table, KEYS)
    base = load(path.parent / text(table, "base"), key="base", named_in=str(path))
    with inside("run"):
        effort = Effort.parse(subtable(table, "run"), base.effort)
        if games is not None:
            effort = Effort.parse({"games": games}, effort)
    base = replace(base, effort=effort, title=text(table, "title", base.title))
    design = _design(table, base)
    # A design is weighed before it is made: ten thousand million variants would not fit into memory.
    if design.size * effort.games > most_games + effort.games:
        raise _too_large(design.size, effort.games, most_games)
    designed = variants_within(design, most_games)
    variants = resolve(base, designed)
    if len(variants) * effort.games > most_games:
        raise _too_large(len(variants), effort.games, most_games)
    analysis = None
    if isinstance(design, SensitivityDesign):
        analysis = Analysis(design, tuple(variant_of(base, changes) for changes in designed))
    return Sweep(text(table, "title", path.stem), base, variants, _metrics(table, base), analysis)


def _too_large(variants: int, games: int, most: int) -> ConfigError:
    shown = f"{variants:,} variants of {games:,} games, {variants * games:,} in all"
    return ConfigError("design", shown, f"must have at most {most:,} games in all (--max-games allows more)")


def _metrics(table: Mapping[str, object], base: Experiment) -> tuple[str, ...]:
    metrics = adapter_of(base.game).metrics
    known = [metric.name for metric in metrics]
    comparable = [metric.name for metric in metrics if isinstance(metric.estimator, COMPARABLE)]
    chosen = table.get("metrics", comparable[:METRICS_SHOWN])
    if not isinstance(chosen, list) or not chosen:
        raise ConfigError("metrics", chosen, "must be a list of names of metrics")
    for name in cast(list[object], chosen):
        if name not in known:
            raise ConfigError("metrics", name, "must be among " + ", ".join(known))
    return tuple(dict.fromkeys(cast(list[str], chosen)))


def _design(table: Mapping[str, object], base: Experiment) -> Design:
    """Return what the tables ``design``, ``parameters``, ``variants`` and ``pairings`` ask for together."""
    varied: Design | None = None
    if "design" in table:
        with inside("design"):
            given = subtable(table, "design")
            text(given, "kind")
            settings = DesignSettings.parse(given)
        varied = _explicit(table) if settings.kind == "list" else _parametric(settings, table, base)
    for key in ("parameters", "variants"):
        wanted = varied is not None and (key == "variants") == isinstance(varied, Explicit)
        if key in table and not wanted:
            raise ConfigError(key, table[key], "must come with a [design] whose kind takes it (variants: list)")
    seated = _pairings(table, base) if "pairings" in table else None
    if seated is not None and isinstance(varied, SensitivityDesign):
        raise ConfigError("pairings", table["pairings"], "does not go with a sensitivity analysis")
    if varied is not None and seated is not None:
        return Crossed(seated, varied)
    if (design := varied or seated) is None:
        raise ConfigError("design", None, "must be given, or pairings")
    return design


def _explicit(table: Mapping[str, object]) -> Explicit:
    rows = table.get("variants")
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in cast(list[object], rows)):
        raise ConfigError("variants", rows, "must be given as tables of what each variant changes")
    return Explicit(tuple(dict(_flat(row)) for row in cast(list[Mapping[str, object]], rows)))


def _pairings(table: Mapping[str, object], base: Experiment) -> Pairings:
    players = table["pairings"]
    if not isinstance(players, list):
        raise ConfigError("pairings", players, "must be tables of a player's name and options")
    for player in cast(list[object], players):
        with inside("pairings"):
            if not isinstance(player, Mapping):
                raise ConfigError("", player, "must be a table of a player's name and options")
            text(cast(Mapping[str, object], player), "name")
    resolved = [_seat(base, cast(Mapping[str, object], player)) for player in cast(list[object], players)]
    return Pairings(tuple(seat.table() for seat in resolved))


def _seat(base: Experiment, player: Mapping[str, object]) -> Seat:
    """Return a player as whoever sits in the first seat, every option filled in."""
    try:
        seated = Experiment.parse({"game": base.game, "players": {SEATS[0]: player}})
    except ConfigError as error:
        key = error.key.removeprefix(f"players.{SEATS[0]}.")
        raise ConfigError(f"pairings.{key}", error.value, error.allowed) from None
    return seated.seats[0]


def _parametric(settings: DesignSettings, table: Mapping[str, object], base: Experiment) -> Design:
    given = dict(_flat(subtable(table, "parameters")))
    if not given:
        raise ConfigError("parameters", {}, "must name at least one parameter")
    with inside("parameters"):
        if settings.sampled:
            factors = tuple(_factor(field_of(base, key), key, value) for key, value in given.items())
        else:
            axes = tuple(Axis(key, _values(field_of(base, key), key, value)) for key, value in given.items())
            return OneAtATime(axes) if settings.kind == "one-at-a-time" else Grid(axes)
    return settings.draw(factors)


def _flat(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield keys and values, tables within tables as dotted keys; a table with ``low`` or ``high`` is a range."""
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping) and not {"low", "high"} & set(cast(Mapping[str, object], value)):
            yield from _flat(cast(Mapping[str, object], value), f"{key}.")
        else:
            yield key.removeprefix("rules."), value


def field_of(base: Experiment, key: str) -> Field:
    """Return the declaration of a parameter that may be swept: a rule, or an option of a player of the base."""
    *path, name = key.split(".")
    if not path:
        settings = base.rules
    elif len(path) == 2 and path[0] == "players" and path[1] in SEATS and name != "name":
        settings = base.seats[SEATS.index(path[1])].options
    elif path == ["run"]:
        raise ConfigError(key, name, "cannot be swept: every variant plays the same seeds")
    else:
        allowed = "must be a rule, or an option of a player (players.first.OPTION); players themselves are varied by"
        raise ConfigError(key, name, f"{allowed} [[pairings]] or [[variants]]")
    fields = {field.name: field for field in declared(type(settings))}
    if name not in fields:
        raise ConfigError(key, name, "unknown parameter; known here: " + (", ".join(fields) or "none"))
    return fields[name]


def _values(field: Field, key: str, given: object) -> tuple[Any, ...]:
    """Return the values of an axis, each checked: those listed, or evenly spaced over a range."""
    if isinstance(given, list):
        return tuple(_accepted(field, key, value) for value in cast(list[object], given))
    low, high, whole, points = _range(field, key, given)
    if points is None:
        if not whole:
            raise ConfigError(key, given, "must say how many points")
        points = int(high - low) + 1
    if not 2 <= points <= min(MOST_POINTS, high - low + 1 if whole else MOST_POINTS):
        raise ConfigError(key, given, f"must be from 2 to {MOST_POINTS} points, no more than there are whole numbers")
    spaced = np.linspace(low, high, points).tolist()
    # Twelve digits: evenly spaced decimals are then those a person would write.
    return tuple(_accepted(field, key, round(x) if whole else float(f"{x:.12g}")) for x in spaced)


def _factor(field: Field, key: str, given: object) -> Factor:
    """Return what a sampled design draws from: the values listed, or a range."""
    if isinstance(given, list):
        return Categorical(key, tuple(_accepted(field, key, value) for value in cast(list[object], given)))
    low, high, whole, points = _range(field, key, given)
    if points is not None:
        raise ConfigError(f"{key}.points", points, "is for grids; a sampled design has its own, in [design]")
    return Integer(key, int(low), int(high)) if whole else Continuous(key, low, high)


def _range(field: Field, key: str, given: object) -> tuple[float, float, bool, int | None]:
    """Return the ends of a range, whether it is one of whole numbers, and its points where they are given."""
    if not isinstance(given, Mapping):
        raise ConfigError(key, given, "must be a list of values, or a table of low and high")
    table = cast(Mapping[str, object], given)
    with inside(key):
        check_keys(table, ("low", "high", "points", "kind"))
        if field.kind not in (int, float):
            raise ConfigError("", dict(table), f"must be a list of values: it has no range ({field.allowed()})")
        kind = text(table, "kind", "integer" if field.kind is int else "continuous")
        kinds = ("integer",) if field.kind is int else ("integer", "continuous")
        if kind not in kinds:
            raise ConfigError("kind", kind, "must be one of " + ", ".join(kinds))
        ends = [_accepted(field, end, table.get(end)) for end in ("low", "high")]
        if not ends[0] < ends[1]:
            raise ConfigError("high", ends[1], f"must be above low ({ends[0]})")
        whole = kind == "integer"
        for end, value in zip(("low", "high"), ends, strict=True):
            if whole and value != int(value):
                raise ConfigError(end, value, "must be a whole number, as the range is one of whole numbers")
        points = table.get("points")
        if points is not None and (not isinstance(points, int) or isinstance(points, bool)):
            raise ConfigError("points", points, "must be a whole number")
    return ends[0], ends[1], whole, points


def _accepted(field: Field, key: str, value: object) -> Any:
    """Return a value in the field's own type; the error names ``key`` as the sweep's file has it."""
    try:
        return field.accept(value)
    except ConfigError as error:
        raise ConfigError(key, value, error.allowed) from None
