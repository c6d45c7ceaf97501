"""Strict, self-describing settings: frozen dataclasses whose fields carry unit, range and source.

A class of settings derives from :class:`Parameters` and annotates each field with a :class:`Param`::

    @dataclass(frozen=True, kw_only=True)
    class Rules(Parameters):
        page_width: Annotated[float, Param("width of the page", unit="page units", above=0)] = 1000.0

Every instance is checked when it is made, so a wrong value cannot exist.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self, cast, get_args, get_origin, get_type_hints

from engine.errors import ConfigError


@dataclass(frozen=True)
class Param:
    """What one setting means.

    ``low`` and ``high`` are inclusive bounds, ``above`` an exclusive lower one; ``source`` is the clause or paper.
    """

    doc: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    above: float | None = None
    source: str = ""

    def range_words(self) -> str:
        """Return the permitted range in words, e.g. ``from 0 to 1``; empty when unbounded."""
        if self.above is not None and self.high is not None:
            return f"above {self.above:g}, at most {self.high:g}"
        if self.above is not None:
            return f"above {self.above:g}"
        if self.low is not None and self.high is not None:
            return f"from {self.low:g} to {self.high:g}"
        if self.low is not None:
            return f"at least {self.low:g}"
        if self.high is not None:
            return f"at most {self.high:g}"
        return ""

    def admits(self, value: float) -> bool:
        """Say whether a number lies in the permitted range."""
        return (
            (self.low is None or value >= self.low)
            and (self.high is None or value <= self.high)
            and (self.above is None or value > self.above)
        )


@dataclass(frozen=True)
class Field:
    """One setting as a class declares it: its name, type, default and meaning."""

    name: str
    kind: Any
    default: object
    param: Param

    def allowed(self) -> str:
        """Return what is allowed, in words."""
        unit = f" ({self.param.unit})" if self.param.unit else ""
        if self.kind is bool:
            return "must be true or false"
        if self.kind in (int, float):
            noun = "a whole number" if self.kind is int else "a number"
            return " ".join(f"must be {noun} {self.param.range_words()}".split()) + unit
        if get_origin(self.kind) is Literal:
            return "must be one of " + ", ".join(map(str, get_args(self.kind)))
        if get_origin(self.kind) is tuple:
            return "must be a list of any of " + ", ".join(map(str, get_args(get_args(self.kind)[0])))
        return "must be text"

    def accept(self, value: object) -> object:
        """Return ``value`` in the field's own type, or raise :class:`ConfigError`."""
        kind = self.kind
        if kind is float and isinstance(value, (int, float)) and not isinstance(value, bool):
            # A whole number beyond a double's range is as good as infinite.
            if abs(value) < sys.float_info.max and self.param.admits(float(value)):
                return float(value)
        elif kind is int and isinstance(value, int) and not isinstance(value, bool):
            if self.param.admits(value):
                return value
        elif (kind is bool and isinstance(value, bool)) or (kind is str and isinstance(value, str)):
            return value
        elif get_origin(kind) is Literal:
            if any(value == choice and type(value) is type(choice) for choice in get_args(kind)):
                return value
        elif get_origin(kind) is tuple and isinstance(value, (list, tuple)):
            items = cast(Sequence[object], value)
            if all(item in get_args(get_args(kind)[0]) for item in items):
                return tuple(items)
        raise ConfigError(self.name, value, self.allowed())


class Parameters:
    """Base of every class of settings; derive frozen, keyword-only dataclasses from it."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __post_init__(self) -> None:
        """Check every field, then what must hold between fields."""
        for field in declared(type(self)):
            object.__setattr__(self, field.name, field.accept(getattr(self, field.name)))
        self.check()

    def check(self) -> None:
        """Raise :class:`ConfigError` where fields that are each in range do not go together."""

    @classmethod
    def parse(cls, table: Mapping[str, object], base: Self | None = None) -> Self:
        """Read settings from a table of plain values.

        Parameters
        ----------
        table
            Names and values; a name that is not a setting is refused.
        base
            Where what the table leaves out is taken from (default: the class defaults).
        """
        known = {field.name: field for field in declared(cls)}
        for key, value in table.items():
            if key not in known:
                raise ConfigError(key, value, "unknown key; known here: " + (", ".join(known) or "none"))
        given = base.table() if base is not None else {}
        return cls(**{**given, **table})

    def table(self) -> dict[str, Any]:
        """Return every setting as plain values (tuples as lists), in declared order."""
        plain: dict[str, Any] = {}
        for field in declared(type(self)):
            value = getattr(self, field.name)
            plain[field.name] = list(value) if isinstance(value, tuple) else value
        return plain


@cache
def declared(cls: type[Parameters]) -> tuple[Field, ...]:
    """Return the settings that a class declares, in order."""
    hints = get_type_hints(cls, include_extras=True)
    found: list[Field] = []
    for field in fields(cls):
        hint = hints[field.name]
        kind, param = hint, Param("")
        if get_origin(hint) is Annotated:
            kind, *extras = get_args(hint)
            param = next(extra for extra in extras if isinstance(extra, Param))
        found.append(Field(field.name, kind, field.default, param))
    return tuple(found)
