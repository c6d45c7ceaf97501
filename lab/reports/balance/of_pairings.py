"""Players against each other with the seats swapped: skill depth, restricted play, and what the first seat is worth."""

from __future__ import annotations

from lab.estimators import Estimate
from lab.plots.forest import Row, forest
from lab.reports.balance.model import Picture, Section, Sheet
from lab.reports.balance.wording import shown
from lab.stats.elo import elo_of_score
from lab.stats.intervals import Interval
from lab.sweeps.compare import Comparison, Pairing
from lab.sweeps.variants import changes_text

TITLE = "Players against each other"
HEADER = (
    *("player", "opponent", "rules", "score", "score_low", "score_high", "elo", "elo_low", "elo_high"),
    *("first_seat", "first_seat_low", "first_seat_high", "pairs", "note"),
)


def players(comparison: Comparison) -> Section:
    """Return the section: a figure of the players, one of the seats, and the table with Elo differences."""
    pairings = comparison.pairings
    if not pairings:
        reason = (
            "No two variants are each other with the seats swapped: skill depth, restricted play and the worth of "
            "the first seat need such pairs (as configs/sweeps/skill-depth.toml and restricted-play.toml have them)."
        )
        return Section(TITLE, absent=(reason,))
    pairs = sorted({sum(pairing.pairs.counts) for pairing in pairings})
    many = f"{pairs[0]:,}" if len(pairs) == 1 else f"{pairs[0]:,} to {pairs[-1]:,}"
    caption = f"n = {many} pairs of games each, the same seed in both seats. Shaded: within 5 points of even"
    drawn = (
        ("players", "Score of the player named first", [(match(one), one.pairs.score) for one in pairings]),
        ("first-seat", "Score of whoever sat first", [(match(one), one.pairs.first_seat) for one in pairings]),
    )
    pictures: list[Picture] = []
    for name, title, shares in drawn:
        rows = [
            Row(label, 100 * share.estimate, 100 * share.low, 100 * share.high)
            for label, share in shares
            if isinstance(share, Interval)
        ]
        if rows:
            figure = forest(title, "share of the points (%)", rows, 50, 5, caption)
            pictures.append(Picture(name, f"{title}, in each pairing.", figure))
    words = (
        "Skill depth is the score of a level of play against the next, or their Elo difference (Elo 1978); restricted "
        "play the score of a player against himself forbidden an option (Jaffe and others 2012).",
    )
    people = [
        (match(one), shown(one.pairs.score, 100), shown(elo_of_score(one.pairs.score), sign="+")) for one in pairings
    ]
    sheet = Sheet(
        "pairings",
        "Pairings",
        HEADER,
        [_row(one) for one in pairings],
        (("pairing", "score of the first named (%)", "Elo difference"), people),
    )
    return Section(TITLE, words, tuple(pictures), (sheet,))


def match(pairing: Pairing) -> str:
    """Return who plays whom, and under which changed rules."""
    rules = f" ({changes_text(pairing.rules)})" if pairing.rules else ""
    return f"{pairing.players[0]} v {pairing.players[1]}{rules}"


def _row(pairing: Pairing) -> tuple[str | float, ...]:
    score, elo = pairing.pairs.score, elo_of_score(pairing.pairs.score)
    note = "" if isinstance(elo, Interval) else f"Elo undefined: {elo.reason}"
    return (
        *(*pairing.players, changes_text(pairing.rules) or "base"),
        *(*_ends(score, 100), *_ends(elo, 1), *_ends(pairing.pairs.first_seat, 100)),
        *(sum(pairing.pairs.counts), note),
    )


def _ends(estimate: Estimate, scale: float) -> tuple[str | float, ...]:
    if not isinstance(estimate, Interval):
        return ("", "", "")
    return scale * estimate.estimate, scale * estimate.low, scale * estimate.high
