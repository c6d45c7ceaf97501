"""What there is to see in the columns of Dotfight."""

from __future__ import annotations

from typing import cast

from engine.dotfight.rules import Rules
from lab.games._dotfight_losses import INSIDE, OFF_PAGE, OUTSIDE, OWN_INK, ROAD, SHOT
from lab.games._dotfight_row import DEEDS, LEADS
from lab.measures.course import PHASES
from lab.measures.leads import SHARES
from lab.views import Deeds, Extreme, Lead, Losses, Spread, State, Views


def _page(rules: object) -> tuple[float, float]:
    sheet = cast(Rules, rules)
    return sheet.page_width, sheet.page_height


VIEWS = Views(
    headline=(
        *("turns", "first_player_wins", "longest_turn", "lunge_share", "chain_4plus", "comeback", "decisiveness"),
        "drama",
    ),
    length=Spread("Length of a game", "turns in a game", "turns"),
    spreads=(
        Spread("Longest turn", "flicks in the longest turn of a game", "longest_turn"),
        Spread("Longest lunge chain", "lunges in the longest chain of a game", "chain_longest"),
        Spread("Longest wait", "flicks a side sat through in a row", "wait_longest"),
        Spread("Lead changes", "times the lead changed sides", "lead_changes"),
        Spread("When the lead was final", "share of the turns that had been played", "lead_final_share"),
        Spread("How far the winner was behind", "men at the worst moment", "deficit_most"),
    ),
    lead=Lead(("man", "men"), "first_won", "decided", dict(zip(SHARES, LEADS, strict=True))),
    deeds=Deeds(PHASES, {deed: f"{deed}_by_phase" for deed in DEEDS}),
    losses=Losses(
        thing="man",
        turn="lost_turn",
        x="lost_x",
        y="lost_y",
        side="lost_side",
        how="lost_how",
        ways={
            INSIDE: "inside his base",
            OUTSIDE: "outside",
            ROAD: "on the road",
            SHOT: "lunger, shot",
            OFF_PAGE: "lunger, off the page",
            OWN_INK: "by his own side",
        },
        page=_page,
        unit="page units",
        states=(
            State("inside their base", ("inside_first", "inside_second"), (), (INSIDE,)),
            State(
                "outside or on the road",
                ("living_first", "living_second"),
                ("inside_first", "inside_second"),
                (OUTSIDE, ROAD),
            ),
        ),
    ),
    extremes=(
        Extreme("the longest game", "turns"),
        Extreme("the longest turn", "longest_turn"),
        Extreme("the greatest comeback", "deficit_most"),
        Extreme("a stalled game", "stalled"),
    ),
    trade=("longest_turn:low", "comeback:high"),
)
