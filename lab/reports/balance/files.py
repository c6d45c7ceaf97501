"""A report as files: the page, every figure as SVG and PNG, every table as CSV, and games that play."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

from jinja2 import Environment, StrictUndefined
from matplotlib.figure import Figure

from engine.errors import ConfigError
from lab.aside import HERE, Aside
from lab.csv_text import csv_text
from lab.plots.render import FORMATS, Format, render
from lab.printable import printable
from lab.reports.balance.model import Report
from lab.results.files import drafting

PAGE: Final = "index.html"
FOLDERS: Final = ("figures", "tables", "games")


def contents(report: Report, aside: Aside = HERE) -> dict[str, bytes]:
    """Return every file of a report by its name, relative to the report's folder."""
    found: dict[str, bytes] = dict(report.files)
    pictures = [picture for section in report.sections for picture in section.pictures]
    drawn = [aside.put(_drawn, picture.figure) for picture in pictures]
    embedded: dict[str, str] = {}
    for picture, fetch in zip(reversed(pictures), reversed(drawn), strict=True):
        forms = fetch()
        found |= {f"figures/{picture.name}.{form}": content for form, content in forms.items()}
        embedded[picture.name] = "data:image/svg+xml;base64," + base64.b64encode(forms["svg"]).decode()
    for section in report.sections:
        for sheet in section.sheets:
            found[f"tables/{sheet.name}.csv"] = csv_text(sheet.header, sheet.rows).encode()
    found[PAGE] = page(report, embedded).encode()
    return found


def _drawn(figure: Figure) -> dict[Format, bytes]:
    return {form: render(figure, form) for form in FORMATS}


def page(report: Report, pictures: Mapping[str, str]) -> str:
    """Return the page, its pictures given as data by name: nothing on it comes from elsewhere."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["plain"] = lambda value: printable(str(value))
    template = environment.from_string(files("lab.reports.balance").joinpath("page.html.jinja").read_text("utf-8"))
    return template.render(report=report, pictures=pictures)


def check_folder(out: Path) -> None:
    """Raise :class:`ConfigError` unless a report may be written here: a new or empty folder, or an earlier report's."""
    if out.exists() and not out.is_dir():
        raise ConfigError("--out", str(out), "must be a folder, and is a file")
    if out.exists() and not (out / PAGE).is_file() and any(out.iterdir()):
        raise ConfigError("--out", str(out), "must be a new or empty folder, or that of an earlier report")


def write(out: Path, found: Mapping[str, bytes]) -> None:
    """Write the files, and remove those of an earlier report that this one does not have; the page comes last."""
    for name in sorted(found, key=lambda name: name == PAGE):
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with drafting(path) as draft:
            draft.file.write(found[name])
    for folder in FOLDERS:
        for path in (out / folder).glob("*"):
            if f"{folder}/{path.name}" not in found:
                path.unlink()
