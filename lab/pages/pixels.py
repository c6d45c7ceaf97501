"""Marks as pixels."""

from __future__ import annotations

import io
from collections.abc import Iterable
from copy import copy
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from lab.pages.outline import outline
from lab.pages.story import Dot, Mark, Story, Stroke
from lab.printable import printable

FINER: Final = 2
"""Pixels are drawn so many times finer each way, then averaged."""

ANCHORS: Final = {"start": "ls", "middle": "ms", "end": "rs"}


class Canvas:
    """A page to draw on, ``scale`` pixels to the page unit."""

    def __init__(self, story: Story, scale: float) -> None:
        self.size = (round(story.width * scale), round(story.height * scale))
        self._k = scale * FINER
        fine = (self.size[0] * FINER, self.size[1] * FINER)
        self._image = Image.new("RGB", fine, story.colours["paper"])

    def draw(self, marks: Iterable[Mark]) -> None:
        """Lay marks down, one after the other."""
        k = self._k
        pen = ImageDraw.Draw(self._image, "RGBA")
        for mark in marks:
            fill = f"{mark.colour}{round(255 * mark.opacity):02x}"
            if isinstance(mark, Stroke):
                pen.polygon([(x * k, y * k) for x, y in outline(mark).tolist()], fill)
            elif isinstance(mark, Dot):
                x, y, r = mark.x * k, mark.y * k, mark.radius * k
                pen.ellipse((x - r, y - r, x + r, y + r), fill)
            else:
                font = ImageFont.load_default(mark.size * k)
                pen.text((mark.x * k, mark.y * k), printable(mark.text), fill, font, ANCHORS[mark.anchor])

    def copy(self) -> Canvas:
        """Return the same page, apart."""
        other = copy(self)
        other._image = self._image.copy()
        return other

    def image(self) -> Image.Image:
        """Return the page as it now is."""
        return self._image.reduce(FINER)


def draw_png(story: Story, count: int, scale: float = 1.5) -> bytes:
    """Return the page after ``count`` steps as a PNG file."""
    canvas = Canvas(story, scale)
    canvas.draw(story.page(count))
    out = io.BytesIO()
    canvas.image().save(out, "PNG", optimize=True)
    return out.getvalue()
