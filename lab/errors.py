"""The errors of the lab that are nobody's setting."""

from __future__ import annotations


class RunError(RuntimeError):
    """A run folder that cannot be read, written or trusted; the message names the file and the fault."""


class RunnerError(RuntimeError):
    """The processes that should play cannot be started or were lost; the message says what to do."""
