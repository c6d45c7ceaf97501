"""Marks as pixels."""

from __future__ import annotations

import io
from collections.abc import Iterable
from copy import copy
from functools import cache
from math import ceil, floor
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from lab.pages.outline import outline
from lab.pages.story import Dot, Mark, Story, Stroke, Words
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
                self._write(mark)

    def _write(self, words: Words) -> None:
        """Write words through a mask, for Pillow writes text at full opacity."""
        font, text, anchor = _font(words.size * self._k), printable(words.text), ANCHORS[words.anchor]
        left, top, right, bottom = font.getbbox(text, anchor=anchor)
        mask = Image.new("L", (ceil(right) - floor(left) + 1, ceil(bottom) - floor(top) + 1))
        ImageDraw.Draw(mask).text((-floor(left), -floor(top)), text, round(255 * words.opacity), font, anchor)
        at = (round(words.x * self._k) + floor(left), round(words.y * self._k) + floor(top))
        self._image.paste(words.colour, at, mask)

    def copy(self) -> Canvas:
        """Return the same page, apart."""
        other = copy(self)
        other._image = self._image.copy()
        return other

    def image(self) -> Image.Image:
        """Return the page as it now is."""
        return self._image.reduce(FINER)


@cache
def _font(pixels: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(pixels)


def draw_png(story: Story, count: int, scale: float = 1.5) -> bytes:
    """Return the page after ``count`` steps as a PNG file."""
    canvas = Canvas(story, scale)
    canvas.draw(story.page(count))
    out = io.BytesIO()
    canvas.image().save(out, "PNG", optimize=True)
    return out.getvalue()
