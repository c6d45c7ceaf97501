"""What others have published of solved boards.

Source: the article "Dodgem" of the French Wikipedia, read 2026-11. It gives the counts for 3 × 3 without naming the
rule for a stuck side they were made under, and takes the drawn boards from David des Jardins (1996). Of that rule
it says two things in one paragraph that cannot both hold: whoever leaves the enemy no move loses (here ``stuck =
"wins"``), and whoever blocks all enemy cars wins (``stuck = "loses"``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.dodgem.rules import StuckRule
from engine.dodgem.table import Table
from lab.dodgem.answers import start_of

READINGS: dict[StuckRule, str] = {
    "wins": "whoever leaves the enemy no move loses",
    "loses": "whoever blocks all enemy cars wins",
}
"""The two readings of the article's paragraph, and the stuck rule each amounts to."""

COUNTS_BOARD = 3
"""The board of the published counts."""


@dataclass(frozen=True)
class Claim:
    """A published fact of a board.

    Attributes
    ----------
    board
        Side of the board.
    fact
        What it is a fact of, as :func:`facts_of` names it.
    published
        What is published.
    """

    board: int
    fact: str
    published: str


CLAIMS = (
    Claim(3, "positions", "1,963"),
    Claim(3, "won / lost / drawn", "1,123 / 840 / 0"),
    Claim(3, "start", "win"),
    Claim(4, "start", "draw"),
    Claim(5, "start", "draw"),
)


@dataclass(frozen=True)
class Comparison:
    """A claim beside a solved board."""

    claim: Claim
    stuck: StuckRule
    ours: str

    @property
    def agrees(self) -> bool:
        """Whether the solved board bears the claim out."""
        return self.ours == self.claim.published


def facts_of(table: Table) -> dict[str, str]:
    """Return the facts of a solved board of which something is published."""
    counts = table.counts
    return {
        "positions": f"{counts.positions:,}",
        "won / lost / drawn": f"{counts.wins:,} / {counts.losses:,} / {counts.draws:,}",
        "start": start_of(table).value,
    }


def comparisons(tables: Iterable[Table]) -> list[Comparison]:
    """Return every claim beside every solved board it speaks of."""
    known = list(tables)
    return [
        Comparison(claim, table.stuck, facts_of(table)[claim.fact])
        for claim in CLAIMS
        for table in known
        if table.board == claim.board
    ]


def supported(found: Iterable[Comparison]) -> list[StuckRule]:
    """Return the stuck rules under which every published count of 3 × 3 holds; empty where it was not compared."""
    by_rule: dict[StuckRule, bool] = {}
    for comparison in found:
        if comparison.claim.board == COUNTS_BOARD:
            by_rule[comparison.stuck] = by_rule.get(comparison.stuck, True) and comparison.agrees
    return [stuck for stuck, agrees in by_rule.items() if agrees]


def reading_text(rules: list[StuckRule]) -> str:
    """Return in words which reading of the contradictory paragraph the counts support."""
    if len(rules) != 1 or rules[0] not in READINGS:
        said = " and ".join(f"stuck {stuck}" for stuck in rules) or "no stuck rule"
        return f"The published counts of 3 × 3 hold under {said}: they do not tell the two readings apart."
    borne_out = READINGS[rules[0]]
    (contradicted,) = (text for text in READINGS.values() if text != borne_out)
    return (
        f'The published counts of 3 × 3 hold under stuck "{rules[0]}" alone. Of the two things that the article says\n'
        f'of a stuck side, they support "{borne_out}" and contradict "{contradicted}".'
    )
