"""The theory report: what is known of every solved board under every stuck rule, beside what is published."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.dodgem.board import start
from engine.dodgem.game import GAME
from engine.dodgem.players import Normal
from engine.dodgem.rules import STUCK_RULES, DodgemRules, Side, StuckRule
from engine.dodgem.table import Table, Valued
from engine.rng import Streams
from lab.dodgem.answers import start_of, worth_of
from lab.dodgem.grid import aligned
from lab.dodgem.published import Comparison, comparisons, reading_text, supported
from lab.stats.intervals import Estimate, Interval, wilson

SEED = 1
"""Seed of the sampled games."""


@dataclass(frozen=True)
class BoardTheory:
    """What is known of one board under one stuck rule.

    Attributes
    ----------
    table
        The solved board.
    sampled
        Share of games between two normal players that a stuck side ended.
    """

    table: Table
    sampled: Estimate

    @property
    def first_moves(self) -> tuple[Valued, ...]:
        """The first moves, best first."""
        return self.table.moves(start(self.table.board, Side.UP))

    @property
    def best_first_moves(self) -> list[str]:
        """The first moves that keep what the start is worth."""
        worth = start_of(self.table).value
        return [str(valued.move) for valued in self.first_moves if valued.value == worth]

    @property
    def finished_stuck(self) -> int:
        """Reached positions that end the game because a side is stuck: none where it passes."""
        return 0 if self.table.stuck == "passes" else self.table.counts.stuck

    @property
    def finished(self) -> int:
        """Reached positions that end the game."""
        return self.table.counts.out + self.finished_stuck


def study(boards: Iterable[int], table: Callable[[int, StuckRule], Table], games: int) -> list[BoardTheory]:
    """Return what is known of boards under every stuck rule.

    Parameters
    ----------
    boards
        Their sides.
    table
        Where solved boards come from.
    games
        Games to sample, for how often a stuck side ends one between players who are not perfect.
    """
    return [
        BoardTheory(table(board, stuck), ended_by_stuck(board, stuck, games))
        for board in boards
        for stuck in STUCK_RULES
    ]


def ended_by_stuck(board: int, stuck: StuckRule, games: int) -> Estimate:
    """Return the share of games between two normal players that a stuck side ends, with its interval."""
    rules, players = DodgemRules(board=board, stuck=stuck), (Normal(), Normal())
    played = (GAME.play(rules, players, Streams(SEED, index)) for index in range(games))
    return wilson(sum(game.verdict.decided_by == "stuck" for game in played), games)


def report_text(found: Sequence[BoardTheory]) -> str:
    """Return the whole report."""
    compared = comparisons(theory.table for theory in found)
    rules = supported(compared)
    return "\n".join(
        (
            "Dodgem, solved. Positions are those that play reaches from the start with one fixed first mover, finished",
            "ones included; won, lost and drawn are for the side to move; distances are moves of both sides.",
            "",
            *_counts_table(found),
            "",
            "First moves that keep what the start is worth, of all there are:",
            *_first_moves_table(found),
            "",
            "How often a stuck side ends the game: of all finished positions, and of sampled games between two normal",
            "players (95% interval):",
            *_stuck_table(found),
            "",
            'Beside what is published (French Wikipedia, "Dodgem"; 4 × 4 and 5 × 5 by D. des Jardins, 1996):',
            *_published_table(compared),
            *(("", reading_text(rules)) if any(c.claim.board == 3 for c in compared) else ()),
        )
    )


def report_rows(found: Iterable[BoardTheory]) -> list[dict[str, Any]]:
    """Return the report as rows of plain values, one for each board and stuck rule."""
    return [_row(theory) for theory in found]


def published_rows(found: Iterable[BoardTheory]) -> list[dict[str, Any]]:
    """Return every published claim beside every board it speaks of, as rows of plain values."""
    return [
        {
            "board": one.claim.board,
            "stuck": one.stuck,
            "fact": one.claim.fact,
            "published": one.claim.published,
            "ours": one.ours,
            "agrees": one.agrees,
        }
        for one in comparisons(theory.table for theory in found)
    ]


def _row(theory: BoardTheory) -> dict[str, Any]:
    table, counts, sampled = theory.table, theory.table.counts, theory.sampled
    first = start_of(table)
    bounds = (sampled.estimate, sampled.low, sampled.high) if isinstance(sampled, Interval) else ("", "", "")
    return {
        "board": table.board,
        "stuck": table.stuck,
        "positions": counts.positions,
        "wins": counts.wins,
        "losses": counts.losses,
        "draws": counts.draws,
        "start_value": first.value,
        "start_distance": "" if first.distance is None else first.distance,
        "longest_win": counts.longest_win,
        "longest_loss": counts.longest_loss,
        "best_first_moves": ", ".join(theory.best_first_moves),
        "first_moves": len(theory.first_moves),
        "finished_out": counts.out,
        "finished_stuck": theory.finished_stuck,
        "stuck_positions": counts.stuck,
        "sampled_games": sampled.n,
        "sampled_stuck_share": bounds[0],
        "sampled_stuck_low": bounds[1],
        "sampled_stuck_high": bounds[2],
    }


def _name(table: Table) -> tuple[str, str]:
    return f"{table.board} × {table.board}", table.stuck


def _counts_table(found: Iterable[BoardTheory]) -> list[str]:
    rows = [["board", "stuck", "positions", "won", "lost", "drawn", "start", "longest win"]]
    for theory in found:
        table, counts = theory.table, theory.table.counts
        numbers = [f"{count:,}" for count in (counts.positions, counts.wins, counts.losses, counts.draws)]
        first = worth_of(start_of(table))
        rows.append([*_name(table), *numbers, first, str(counts.longest_win)])
    return aligned(rows, "llrrrrlr")


def _first_moves_table(found: Iterable[BoardTheory]) -> list[str]:
    rows = [("board", "stuck", "these", "of")]
    for theory in found:
        best = ", ".join(theory.best_first_moves)
        rows.append((*_name(theory.table), best, str(len(theory.first_moves))))
    return aligned(rows, "lllr")


def _stuck_table(found: Iterable[BoardTheory]) -> list[str]:
    rows = [("board", "stuck", "finished positions", "by a stuck side", "share", "games", "share of games")]
    for theory in found:
        share = f"{theory.finished_stuck / theory.finished:.2%}"
        sampled = theory.sampled
        shown = (
            f"{sampled.estimate:.1%} ({sampled.low:.1%} – {sampled.high:.1%})"
            if isinstance(sampled, Interval)
            else sampled.reason
        )
        numbers = (f"{theory.finished:,}", f"{theory.finished_stuck:,}", share, f"{sampled.n:,}")
        rows.append((*_name(theory.table), *numbers, shown))
    return aligned(rows, "llrrrrl")


def _published_table(compared: Iterable[Comparison]) -> list[str]:
    rows = [("board", "fact", "published", "stuck", "ours", "")]
    for one in compared:
        verdict = "agrees" if one.agrees else "differs"
        rows.append(
            (
                f"{one.claim.board} × {one.claim.board}",
                one.claim.fact,
                one.claim.published,
                one.stuck,
                one.ours,
                verdict,
            )
        )
    return aligned(rows, "llrlrl")
