"""Dodgem for the lab: its columns, its metrics, and what must hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dodgem.game import Dodgem, PlayedDodgem
from engine.dodgem.notation import diagram
from engine.dodgem.rules import StuckRule
from engine.dodgem.state import PASS_CODE, code_of
from engine.dodgem.table import Table
from engine.game import SEATS
from lab.dodgem.story import story_of
from lab.estimators import Columns, LogitSlope, Mean, Proportion, Quantile, Ratio
from lab.games.adapter import WINNER, Adapter, Column, Identity, Metric
from lab.measures.leads import decisive_share, drama, lead_at, lead_changes
from lab.views import Extreme, Lead, Spread, Views

COLUMNS = (
    WINNER,
    Column("decided", "bool", "", "somebody won"),
    Column("drawn", "bool", "", "nobody won"),
    Column("first_won", "bool", "", "the side that moved first won"),
    Column("first_score", "float", "", "points of the side that moved first: win 1, draw ½, loss 0"),
    Column("ended_out", "bool", "", "a side drove its last car out (D5)"),
    Column("ended_stuck", "bool", "", "a side was stuck, under a rule that ends the game (D6)"),
    Column("ended_limit", "bool", "", "the moves ran out (D8)"),
    Column("ended_repetition", "bool", "", "a position stood for the third time, where that is a draw (D8)"),
    Column("moves", "int", "moves", "moves of both sides, passes included"),
    Column("forward", "int", "moves", "moves forward, those off the board included"),
    Column("sideways", "int", "moves", "moves sideways"),
    Column("passes", "int", "moves", "passes of a stuck side (D6)"),
    Column("cars", "int", "cars", "cars of each side at the start"),
    Column("out_first", "int", "cars", "cars the side that moved first drove off the board"),
    Column("out_second", "int", "cars", "the same, of the other side"),
    Column("loser_left", "int", "cars", "cars of the side that lost still on the board", optional=True),
    Column("opening", "str", "", "the first move"),
    Column("opening_sideways", "bool", "", "the first move was sideways"),
    Column("line", "list[int]", "", "every move: 3 × its square's number + its direction; −1 a pass"),
    Column("lead_changes", "int", "", "times the side with more moves forward changed, round by round"),
    Column(
        "lead_final_share",
        "float",
        "",
        "round from which the winner had more moves forward for good, as a share of the game's rounds",
        optional=True,
    ),
    Column("drama", "float", "moves", "moves forward the winner was behind, mean over rounds", optional=True),
    Column("lead_half", "int", "moves", "lead in moves forward of the side that moved first, after half the rounds"),
)

METRICS = (
    Metric("first_player_wins", "First player wins", "%", "share of decided games", Proportion("first_won", "decided")),
    Metric("drawn", "Drawn", "%", "share of all games (D6, D8)", Proportion("drawn")),
    Metric(
        "first_player_score",
        "First player's points",
        "a game",
        "win 1, draw ½, loss 0; mean over games",
        Mean("first_score"),
    ),
    Metric("moves", "Moves", "moves", "of both sides, mean over games", Mean("moves")),
    Metric("moves_p10", "Moves, 10th percentile", "moves", "over games", Quantile("moves", 0.1)),
    Metric("moves_p90", "Moves, 90th percentile", "moves", "over games", Quantile("moves", 0.9)),
    Metric("ended_out", "Ended by the last car out", "%", "share of all games (D5)", Proportion("ended_out")),
    Metric("ended_stuck", "Ended by a stuck side", "%", "share of all games (D6)", Proportion("ended_stuck")),
    Metric("ended_limit", "Ended by the move limit", "%", "share of all games (D8)", Proportion("ended_limit")),
    Metric(
        "ended_repetition",
        "Ended by repetition",
        "%",
        "share of all games (D8); none where repetition is allowed",
        Proportion("ended_repetition"),
    ),
    Metric(
        "sideways",
        "Sideways moves",
        "% of moves",
        "sideways / all moves, pooled",
        Ratio("sideways", "moves", 100.0),
    ),
    Metric("passes", "Passes", "moves", "mean over games (D6)", Mean("passes")),
    Metric("loser_left", "Cars the loser had left", "cars", "mean over decided games", Mean("loser_left")),
    Metric(
        "opening_sideways",
        "First move sideways",
        "%",
        "share of all games: into the empty corner",
        Proportion("opening_sideways"),
    ),
    Metric(
        "lead_changes",
        "Lead changes",
        "a game",
        "times the side with more moves forward changed, seen after each round, ties passed over; mean (Browne 2008)",
        Mean("lead_changes"),
    ),
    Metric(
        "decisiveness",
        "Lead final, through the game",
        "%",
        "round from which the winner had more moves forward for good / the game's rounds; mean over decided games "
        "(Browne 2008)",
        Mean("lead_final_share"),
    ),
    Metric(
        "drama",
        "Drama",
        "moves",
        "moves forward the winner was behind, 0 where ahead: mean over rounds, then decided games (after Browne 2008)",
        Mean("drama"),
    ),
    Metric(
        "snowball",
        "Snowball at half-time",
        "log odds a move",
        "slope of the logit of winning on the lead in moves forward after half the rounds; decided games",
        LogitSlope("first_won", "lead_half", among="decided"),
    ),
)


def _ways_to_end(columns: Columns) -> NDArray[Any]:
    ways = ("ended_out", "ended_stuck", "ended_limit", "ended_repetition")
    return np.sum([columns[way] for way in ways], axis=0, dtype=int)


IDENTITIES = (
    Identity("a game is decided or drawn", ("decided", "drawn"), lambda c: c["decided"] != c["drawn"]),
    Identity(
        "the winner is the winner",
        ("winner", "decided", "first_won"),
        lambda c: ((c["winner"] == "none") != c["decided"]) & ((c["winner"] == "first") == c["first_won"]),
    ),
    Identity(
        "points are of the result",
        ("first_score", "decided", "first_won"),
        lambda c: c["first_score"] == np.where(c["decided"], c["first_won"].astype(float), 0.5),
    ),
    Identity(
        "a game ends in one way",
        ("ended_out", "ended_stuck", "ended_limit", "ended_repetition"),
        lambda c: _ways_to_end(c) == 1,
    ),
    Identity(
        "moves run out or repeat in draws alone, cars run out in won games alone",
        ("decided", "ended_out", "ended_limit", "ended_repetition"),
        lambda c: np.where(c["decided"], ~c["ended_limit"] & ~c["ended_repetition"], ~c["ended_out"]),
    ),
    Identity(
        "moves are forward, sideways and passes",
        ("moves", "forward", "sideways", "passes"),
        lambda c: c["moves"] == c["forward"] + c["sideways"] + c["passes"],
    ),
    Identity(
        "a game ends by cars where just one side's are all out",
        ("cars", "out_first", "out_second", "ended_out"),
        lambda c: (
            (((c["out_first"] == c["cars"]) ^ (c["out_second"] == c["cars"])) == c["ended_out"])
            & (np.maximum(c["out_first"], c["out_second"]) <= c["cars"])
        ),
    ),
    Identity(
        "the loser's cars are out or left",
        ("first_won", "decided", "cars", "out_first", "out_second", "loser_left"),
        lambda c: np.where(
            c["decided"],
            c["loser_left"] == c["cars"] - np.where(c["first_won"], c["out_second"], c["out_first"]),
            np.isnan(c["loser_left"].astype(float)),
        ),
    ),
    Identity(
        "every move is in the line",
        ("line", "moves", "passes"),
        lambda c: np.array(
            [
                len(line) == moves and np.count_nonzero(np.equal(line, PASS_CODE)) == passes
                for line, moves, passes in zip(c["line"], c["moves"], c["passes"], strict=True)
            ],
            bool,
        ),
    ),
)


def measure(played: PlayedDodgem) -> Mapping[str, Any]:
    """Return the row of a game."""
    rules, winner = played.rules, played.winner
    first = rules.first_side
    sides = (first, first.other)
    line = [code_of(move, rules.board, sides[number % 2]) for number, move in enumerate(played.moves)]
    passes = line.count(PASS_CODE)
    forward = sum(code != PASS_CODE and code % 3 == 0 for code in line)
    out = played.cars_out(0), played.cars_out(1)
    decided_by = played.verdict.decided_by
    lead = lead_by_round(line)
    return {
        "winner": "none" if winner is None else SEATS[winner],
        "decided": winner is not None,
        "drawn": winner is None,
        "first_won": winner == 0,
        "first_score": 0.5 if winner is None else 1.0 - winner,
        "ended_out": decided_by == "out",
        "ended_stuck": decided_by == "stuck",
        "ended_limit": decided_by == "move limit",
        "ended_repetition": decided_by == "repetition",
        "moves": len(line),
        "forward": forward,
        "sideways": len(line) - forward - passes,
        "passes": passes,
        "cars": rules.cars,
        "out_first": out[0],
        "out_second": out[1],
        "loser_left": None if winner is None else rules.cars - out[1 - winner],
        "opening": str(played.moves[0]),
        "opening_sideways": line[0] % 3 != 0,
        "line": line,
        "lead_changes": lead_changes(lead),
        "lead_final_share": None if winner is None else decisive_share(lead, winner),
        "drama": None if winner is None else drama(lead, winner),
        "lead_half": lead_at(lead, 0.5),
    }


def lead_by_round(line: Sequence[int]) -> list[int]:
    """Return the lead of the side that moved first in moves forward: at the start and after each round.

    A round is a move of each side, so that neither is ahead for having the move; the last may be of one move.
    """
    lead = [0]
    for at in range(0, len(line), 2):
        first, second = ([code != PASS_CODE and code % 3 == 0 for code in line[at : at + 2]] + [False])[:2]
        lead.append(lead[-1] + first - second)
    return lead


def describe(played: PlayedDodgem) -> str:
    """Return a game in words: its moves in pairs, the last position, and how it ended."""
    first = played.rules.first_side
    moves = [str(move) for move in played.moves]
    pairs = [f"{at // 2 + 1:>3}. {',  '.join(moves[at : at + 2])}" for at in range(0, len(moves), 2)]
    side = played.verdict.winner
    won = "nobody won" if side is None else f"{side.word} won"
    return "\n".join(
        (
            f"{first.word} moves first",
            *pairs,
            "",
            diagram(played.end),
            "",
            f"{won} after {len(moves)} moves, decided by: {played.verdict.decided_by}",
            f"cars out: {first.word} {played.cars_out(0)}, {first.other.word} {played.cars_out(1)}"
            f" of {played.rules.cars} each",
        )
    )


def _kept(board: int, stuck: StuckRule) -> Table:
    """Return a solved board as kept in a file; only the perfect player asks for one."""
    from lab.dodgem.tables import kept_table

    return kept_table(board, stuck)


ADAPTER = Adapter(
    game=Dodgem(tables=_kept),
    columns=COLUMNS,
    metrics=METRICS,
    identities=IDENTITIES,
    measure=measure,
    describe=describe,
    story=story_of,
    views=Views(
        headline=("moves", "first_player_wins", "first_player_score", "drawn", "decisiveness", "drama"),
        length=Spread("Length of a game", "moves of both sides", "moves"),
        spreads=(
            Spread("Lead changes", "times the lead changed sides", "lead_changes"),
            Spread("When the lead was final", "share of the rounds that had been played", "lead_final_share"),
        ),
        lead=Lead(("move forward", "moves forward"), "first_won", "decided", {0.5: "lead_half"}),
        extremes=(Extreme("the longest game", "moves"), Extreme("a drawn game", "drawn")),
        trade=("moves:low", "first_player_wins:50"),
    ),
)
