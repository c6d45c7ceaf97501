"""Names for the types of Arrow, which tells a type checker nothing of its own."""

from __future__ import annotations

from typing import Any, TypeAlias

Table: TypeAlias = Any
"""A :class:`pyarrow.Table`."""

Schema: TypeAlias = Any
"""A :class:`pyarrow.Schema`."""

Column: TypeAlias = Any
"""A :class:`pyarrow.ChunkedArray`."""
