"""A ladder's standings as text for people and as rows for programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lab.dodgem.answers import start_of, worth_of
from lab.dodgem.grid import aligned
from lab.dodgem.mistakes import KINDS
from lab.dodgem.standings import Level, Meeting, Standings
from lab.stats.intervals import Estimate, Undefined


def report_text(found: Iterable[Standings]) -> str:
    """Return the whole report."""
    return "\n\n".join(board_text(standings) for standings in found)


def board_text(standings: Standings) -> str:
    """Return a ladder on one board."""
    table = standings.table
    first, second = standings.ceilings
    text = [
        f"{table.board} × {table.board}, stuck side {table.stuck}; with perfect play: {worth_of(start_of(table))} for "
        f"the side that moves first",
        "",
        "Every level against every level, both seats; against itself from the first seat. Points: win 1, draw ½.",
        *_meetings_table(standings.meetings),
        "",
        "Every level: rating, moves that give away what the position was worth, points against the perfect player",
        f"beside the most that can be had there ({first:g} in the first seat, {second:g} in the second).",
        *_levels_table(standings.levels),
        "",
        f"The first seat's worth in Elo points: {_number(standings.first_seat, '.0f')}",
    ]
    if standings.failures:
        text += [f"{standings.failures:,} games failed and are left out."]
    return "\n".join(text)


def meeting_rows(found: Iterable[Standings]) -> list[dict[str, Any]]:
    """Return every meeting of every board as a row."""
    return [
        {
            "board": standings.table.board,
            "stuck": standings.table.stuck,
            "level": meeting.one,
            "against": meeting.other,
            "games": meeting.games,
            **_bounds("won", meeting.won),
            **_bounds("drawn", meeting.drawn),
            **_bounds("lost", meeting.lost),
            **_bounds("points", meeting.points),
            **_bounds("ended_stuck", meeting.stuck),
        }
        for standings in found
        for meeting in standings.meetings
    ]


def level_rows(found: Iterable[Standings]) -> list[dict[str, Any]]:
    """Return every level on every board as a row."""
    return [
        {
            "board": standings.table.board,
            "stuck": standings.table.stuck,
            "level": level.name,
            **_bounds("elo", level.elo),
            "moves": level.moves,
            **_bounds("mistakes", level.mistakes),
            **{kind.replace(" ", "_"): count for kind, count in zip(KINDS, level.given_away, strict=True)},
            **_bounds("first_against_perfect", level.against_perfect[0]),
            "first_ceiling": standings.ceilings[0],
            **_bounds("second_against_perfect", level.against_perfect[1]),
            "second_ceiling": standings.ceilings[1],
        }
        for standings in found
        for level in standings.levels
    ]


def _meetings_table(meetings: Iterable[Meeting]) -> list[str]:
    rows = [["level", "against", "games", "won %", "drawn %", "lost %", "points %", "stuck %"]]
    for one in meetings:
        shares = (one.won, one.drawn, one.lost, one.points, one.stuck)
        rows.append([one.one, one.other, f"{one.games:,}", *(_number(share, ".1f", 100) for share in shares)])
    return aligned(rows, "llrlllll")


def _levels_table(levels: Iterable[Level]) -> list[str]:
    rows = [["level", "Elo", "moves", "mistakes, % of moves", *KINDS, "first against perfect %", "second %"]]
    for level in levels:
        against = [_number(points, ".1f", 100) for points in level.against_perfect]
        kinds = [f"{count:,}" for count in level.given_away]
        rows.append(
            [
                level.name,
                _number(level.elo, ".0f"),
                f"{level.moves:,}",
                _number(level.mistakes, ".2f", 100),
                *kinds,
                *against,
            ]
        )
    return aligned(rows, "llrlrrrll")


def _number(estimate: Estimate, form: str, scale: float = 1) -> str:
    """Return an estimate with its 95% interval in brackets, or why there is none."""
    if isinstance(estimate, Undefined):
        return estimate.reason
    value, low, high = (f"{scale * end:{form}}" for end in (estimate.estimate, estimate.low, estimate.high))
    return f"{value} ({low} – {high})"


def _bounds(name: str, estimate: Estimate) -> dict[str, Any]:
    if isinstance(estimate, Undefined):
        return {name: "", f"{name}_low": "", f"{name}_high": ""}
    return {name: estimate.estimate, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
