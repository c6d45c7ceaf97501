"""Marks as SVG."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from lab.pages.outline import outline
from lab.pages.story import Dot, Mark, Story, Stroke
from lab.printable import printable

FONT = "'Segoe Print','Bradley Hand',Chilanka,'Comic Sans MS',cursive"


def draw_svg(story: Story, count: int) -> str:
    """Return the page after ``count`` steps as a whole SVG file."""
    body = svg_marks(story.page(count))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(story.width)} {_n(story.height)}" '
        f'width="{_n(story.width)}" height="{_n(story.height)}" font-family="{FONT}" role="img">\n'
        f"<title>{text_of(story.title)}</title>\n"
        f'<rect width="100%" height="100%" fill="{story.colours["paper"]}"/>\n{body}\n</svg>\n'
    )


def svg_marks(marks: Iterable[Mark]) -> str:
    """Return marks as SVG elements, one a line."""
    return "\n".join(map(_element, marks))


def text_of(text: str) -> str:
    """Return any text as what may stand in SVG or HTML, in an attribute too."""
    return escape(printable(text))


def _element(mark: Mark) -> str:
    fill = f'fill="{mark.colour}"' + (f' opacity="{_n(mark.opacity)}"' if mark.opacity < 1.0 else "")
    if isinstance(mark, Stroke):
        corners = "L".join(f"{_n(x)} {_n(y)}" for x, y in outline(mark).tolist())
        return f'<path d="M{corners}Z" {fill}/>'
    if isinstance(mark, Dot):
        return f'<circle cx="{_n(mark.x)}" cy="{_n(mark.y)}" r="{_n(mark.radius)}" {fill}/>'
    return (
        f'<text x="{_n(mark.x)}" y="{_n(mark.y)}" font-size="{_n(mark.size)}" text-anchor="{mark.anchor}" {fill}>'
        f"{text_of(mark.text)}</text>"
    )


def _n(value: float) -> str:
    """Return a number to a hundredth, as short as it goes."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
