"""What a sensitivity analysis found (Morris effects, Sobol indices), from the table that the sweep left."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from engine.errors import ConfigError
from lab.plots.forest import Row, forest
from lab.plots.style import with_unit
from lab.reports.balance.model import Picture, Section, Sheet

TITLE: Final = "Which parameters matter most, over their whole ranges"
FILE: Final = "sensitivity.csv"
DRAWN: Final = {
    "mu_star": ("mean size of the effect, mu*", "Morris 1991, Campolongo and others 2007"),
    "total": ("share of the variance, total index", "Sobol 2001, Saltelli and others 2010"),
}
"""The measures that are drawn: what they are, and their source."""


def screening(folder: Path) -> Section | None:
    """Return the section; None where the sweep was no sensitivity analysis."""
    path = folder / FILE
    if not path.is_file():
        return None
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    try:
        pictures = [
            picture
            for metric in dict.fromkeys(row["metric"] for row in rows)
            for measure in DRAWN
            if (picture := _picture([r for r in rows if r["metric"] == metric and r["measure"] == measure])) is not None
        ]
        absent = tuple(dict.fromkeys(f"{row['metric']}: {row['note']}." for row in rows if row["note"]))
    except (KeyError, ValueError, TypeError):
        raise ConfigError("RUN", str(path), "must be as lab sweep wrote it (it writes it anew)") from None
    header = list(rows[0]) if rows else []
    sheet = Sheet("sensitivity", "Sensitivity analysis", header, [list(row.values()) for row in rows])
    return Section(TITLE, (), tuple(pictures), (sheet,), absent)


def _picture(rows: Sequence[Mapping[str, str]]) -> Picture | None:
    known = [row for row in rows if row["estimate"] and row["low"] and row["high"]]
    if not known:
        return None
    first = known[0]
    what, source = DRAWN[first["measure"]]
    unit = "percentage points" if first["unit"].startswith("%") else first["unit"]
    ends = [Row(row["parameter"], float(row["estimate"]), float(row["low"]), float(row["high"])) for row in known]
    ordered = sorted(ends, key=lambda row: -row.estimate)
    # By chance alone a parameter without effect would show so much; the widest of the parameters' is shaded.
    chance = max((float(row["chance"]) for row in known if row["chance"]), default=0.0)
    caption = (
        f"n = {int(first['games']):,} games at each of {int(first['points']):,} points; 95% intervals. Shaded: what "
        f"chance alone can show. {source}"
    )
    axis = with_unit(what, unit if first["measure"] == "mu_star" else "")
    figure = forest(f"{first['metric']}: what it depends on", axis, ordered, 0.0, chance, caption)
    return Picture(f"sensitivity-{first['metric']}-{first['measure']}", f"{first['metric']}: {what}.", figure)
