"""Text from files and command lines, made safe to print."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return ``text`` with what does not print (control characters, line ends) spelt out: ``\\x1b``, ``\\n``."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
