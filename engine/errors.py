"""The errors a person can cause, each of which names the thing to mend."""

from __future__ import annotations


class ConfigError(ValueError):
    """A setting that cannot be accepted.

    Parameters
    ----------
    key
        Dotted path of the setting, e.g. ``rules.reach_min``.
    value
        What was given.
    allowed
        What is allowed, in words.
    file
        The file it stands in; filled in by whoever read one.
    """

    def __init__(self, key: str, value: object, allowed: str, file: str | None = None) -> None:
        self.key = key
        self.value = value
        self.allowed = allowed
        self.file = file
        super().__init__(key, value, allowed, file)

    def __str__(self) -> str:
        """Return file, key, value and what is allowed, in one line."""
        shown = repr(self.value)
        if len(shown) > 120:
            shown = shown[:117] + "..."
        where = f"{self.file}: " if self.file else ""
        return f"{where}{self.key} = {shown}: {self.allowed}"

    def inside(self, prefix: str) -> ConfigError:
        """Return the same error, its key one table further out."""
        return ConfigError(f"{prefix}.{self.key}" if self.key else prefix, self.value, self.allowed, self.file)

    def at(self, file: str) -> ConfigError:
        """Return the same error with the file it was read from (an innermost file stays)."""
        return ConfigError(self.key, self.value, self.allowed, self.file or file)


class GameError(RuntimeError):
    """A single game that cannot be played (the bases do not fit, a player offers an illegal action)."""


class RecordError(ValueError):
    """A game record or position that cannot be read; the message says where and why."""
