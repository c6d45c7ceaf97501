"""A game as one HTML file that plays it, with nothing from elsewhere."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined

from lab.pages.story import OLD, Step, Story
from lab.pages.svg import FONT, svg_marks
from lab.printable import printable


def draw_html(story: Story) -> str:
    """Return the player of a game."""
    # The template writes data by `tojson`, which spells out what could end a script; all other text is escaped.
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(files("lab.pages").joinpath("player.html.jinja").read_text("utf-8"))
    return template.render(
        title=printable(story.title),
        width=f"{story.width:g}",
        height=f"{story.height:g}",
        colours=story.colours,
        font=FONT,
        old=OLD,
        paper=svg_marks(story.paper),
        steps=[_step(step) for step in story.steps],
    )


def _step(step: Step) -> dict[str, Any]:
    """Return a step as the player reads it: marks as SVG."""
    return {
        "turn": step.turn,
        "seat": step.seat,
        "words": printable(step.words),
        "drawn": svg_marks(step.drawn),
        "standing": {name: svg_marks(marks) for name, marks in step.standing.items()},
    }
