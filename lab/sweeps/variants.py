"""A variant of a base experiment: what it changes, and the experiment that makes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import ConfigError
from engine.game import SEATS
from lab.design import Variant as Changes
from lab.experiment_file import changed
from lab.spec import Experiment, Seat, canonical

_LONGEST_SLUG = 60


@dataclass(frozen=True)
class Variant:
    """A variant as it is played.

    Attributes
    ----------
    changes
        Where it differs from the base: key (a rule's name, or dotted) to value; empty for the base. However a
        design put it, one experiment has one such form.
    experiment
        All of it.
    """

    changes: Changes
    experiment: Experiment

    @property
    def label(self) -> str:
        """The changes in words."""
        return changes_text(self.changes) or "base"

    @property
    def folder(self) -> str:
        """Name of its run folder: the changes for people, the experiment's hash to be sure."""
        slug = re.sub(r"[^A-Za-z0-9_.]+", "-", self.label)[:_LONGEST_SLUG].strip("-.")
        return f"{slug or 'variant'}-{self.experiment.hash()[:8]}"


def resolve(base: Experiment, designed: Iterable[Changes]) -> tuple[Variant, ...]:
    """Return the base and every variant of a design, each experiment once, in order.

    Raises :class:`ConfigError` naming what a variant changes where its settings do not go together.
    """
    found: dict[str, Variant] = {}
    for changes in ({}, *designed):
        variant = variant_of(base, changes)
        found.setdefault(variant.experiment.hash(), variant)
    return tuple(found.values())


def variant_of(base: Experiment, changes: Mapping[str, Any]) -> Variant:
    """Return the variant that makes these changes.

    A seat as a whole (``players.first``) is a table of a name and options, or a name; what it leaves out is
    the player's default. So it is, too, where a seat's name alone changes.
    """
    table = base.table()
    # A seat's name first: it decides which options there are.
    for key in sorted(changes, key=lambda key: not key.endswith(".name")):
        value = changes[key]
        if key in _WHOLE_SEATS:
            table = changed(table, key, {"name": value} if isinstance(value, str) else value)
        elif key.removesuffix(".name") in _WHOLE_SEATS:
            table = changed(table, key.removesuffix(".name"), {"name": value})
        else:
            table = changed(table, key, value)
    try:
        experiment = Experiment.parse(table)
    except ConfigError as error:
        if error.key in {key if "." in key else f"rules.{key}" for key in changes}:
            raise
        raise ConfigError(error.key, error.value, f"{error.allowed} (in {changes_text(changes)})") from None
    return Variant(differences_from(base, experiment), experiment)


def differences_from(base: Experiment, experiment: Experiment) -> Changes:
    """Return where an experiment's rules and players differ from the base's, in declared order."""
    before, after = base.rules.table(), experiment.rules.table()
    found = {key: value for key, value in after.items() if canonical(value) != canonical(before[key])}
    for place, seat in enumerate(SEATS):
        old, new = base.seats[place], experiment.seats[place]
        if old.name != new.name:
            found[f"players.{seat}"] = new.table()
            continue
        options = old.options.table()
        for key, value in new.options.table().items():
            if canonical(value) != canonical(options[key]):
                found[f"players.{seat}.{key}"] = value
    return found


def value_at(experiment: Experiment, key: str) -> Any:
    """Return an experiment's value at a key of :attr:`Variant.changes`."""
    if "." not in key:
        return experiment.rules.table()[key]
    # A report asks this thousands of times: of a seat, only that seat is made a table.
    _, seat, *option = key.split(".")
    value: Any = experiment.seats[SEATS.index(seat)].table()
    for name in option:
        # An option that another player has and this one does not.
        value = value.get(name)
    return value


def keys_of(variants: Iterable[Variant]) -> list[str]:
    """Return every key that any variant changes, in the order they come up."""
    return list(dict.fromkeys(key for variant in variants for key in variant.changes))


def changes_text(changes: Mapping[str, Any]) -> str:
    """Return changes in words."""
    return ", ".join(f"{key.removeprefix('players.')} = {value_text(value)}" for key, value in changes.items())


def value_text(value: Any) -> str:
    """Return a value as people write it; a seat's table as the player's name and options."""
    if isinstance(value, Mapping):
        options = ", ".join(f"{key} {value_text(inner)}" for key, inner in value.items() if key != "name")
        return f"{value.get('name', '')} ({options})" if options else str(value.get("name", ""))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(value_text, value)) + "]"
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


def seat_text(seat: Seat) -> str:
    """Return a seat in words: the player's name, and options that are not the default."""
    default = type(seat.options)().table()
    options = {key: value for key, value in seat.options.table().items() if value != default[key]}
    return value_text({"name": seat.name, **options})


_WHOLE_SEATS = tuple(f"players.{seat}" for seat in SEATS)
