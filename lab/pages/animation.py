"""A game as an animated GIF, a frame a step."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image

from lab.pages.pixels import Canvas
from lab.pages.story import Marks, Story, aged

WIDTH: Final = 420
"""Of a frame, in pixels."""

FRAME_MS: Final = 900
LAST_MS: Final = 6000

COLOURS: Final = 64


def draw_gif(story: Story) -> bytes:
    """Return the game as a GIF file that plays for ever."""
    pages = _frames(story)
    palette = pages[-1].quantize(COLOURS)  # at the end every kind of mark is on the page
    frames = [page.quantize(palette=palette, dither=Image.Dither.NONE) for page in pages]
    shown = [FRAME_MS] * (len(frames) - 1) + [LAST_MS]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=shown, loop=0)
    return out.getvalue()


def _frames(story: Story) -> list[Image.Image]:
    """Return the page after each step. Each mark is laid down twice: in its own turn, and aged after it."""
    paper = Canvas(story, WIDTH / story.width)
    paper.draw(story.paper)
    standing: dict[str, Marks] = {}
    frames: list[Image.Image] = []
    present, turn = paper.copy(), 0
    done: Marks = ()
    for step in story.steps:
        if step.turn != turn:
            paper.draw(map(aged, done) if turn else done)
            present, turn, done = paper.copy(), step.turn, ()
        present.draw(step.drawn)
        done += step.drawn
        standing.update(step.standing)
        page = present.copy()
        for marks in standing.values():
            page.draw(marks)
        frames.append(page.image())
    return frames
