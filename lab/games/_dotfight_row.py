"""From a played game of Dotfight to its row: every quantity a game that the metrics need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.dotfight.actions import LUNGE
from engine.dotfight.game import Played
from engine.dotfight.log import BaseEmptied, Entry, FlickPlayed, LungeDeclined, SendOrdered
from engine.dotfight.page import NOWHERE
from lab.games._dotfight_losses import OWN_INK, course_of
from lab.measures.course import by_phase, longest_waits
from lab.measures.leads import SHARES, decisive_share, deficits, drama, lead_at, lead_changes

WINNERS = ("none", "first", "second")
LONG_CHAIN = 4
DEEDS = ("snipes", "lunges", "sends", "declines")
LEADS = ("lead_quarter", "lead_half", "lead_three_quarters")


class Turn(NamedTuple):
    """One turn: who had the pen, the flicks and declines of it in order, and the flicks alone."""

    number: int
    side: int
    entries: list[FlickPlayed | LungeDeclined]
    flicks: list[FlickPlayed]

    def chains(self) -> list[int]:
        """Return the lengths of its lunge chains: runs of lunges by one man, each but the last earning the next."""
        chains: list[int] = []
        open_chain = False
        for entry in self.entries:
            if isinstance(entry, FlickPlayed) and entry.flick.kind == LUNGE:
                if open_chain and entry.owed:
                    chains[-1] += 1
                else:
                    chains.append(1)
                open_chain = entry.earned
            else:
                open_chain = False
        return chains

    def snipe_runs(self) -> list[int]:
        """Return the lengths of its runs of snipes that each earned another flick."""
        runs: list[int] = []
        open_run = False
        for flick in self.flicks:
            earned = flick.earned and flick.flick.kind != LUNGE
            if earned and open_run:
                runs[-1] += 1
            elif earned:
                runs.append(1)
            open_run = earned
        return runs


def turns_of(log: Sequence[Entry]) -> list[Turn]:
    """Return the turns in which anybody flicked or declined, in order."""
    turns: list[Turn] = []
    turn = Turn(0, 0, [], [])
    for entry in log:
        if not isinstance(entry, (FlickPlayed, LungeDeclined)):
            continue
        if entry.turn != turn.number:
            turn = Turn(entry.turn, entry.side, [], [])
            turns.append(turn)
        turn.entries.append(entry)
        if isinstance(entry, FlickPlayed):
            turn.flicks.append(entry)
    return turns


def living_after(flicks: Sequence[FlickPlayed], start: tuple[int, int], turns: int) -> list[tuple[int, int]]:
    """Return the living men of both sides after each turn, index 0 being the start."""
    living: list[tuple[int, int]] = []
    now = start
    for flick in flicks:
        while len(living) < flick.turn:
            living.append(now)
        now = flick.living
    return living + [now] * (turns + 1 - len(living))


def measure(game: Played) -> dict[str, Any]:
    """Return the row of a game."""
    rules, end, start = game.rules, game.end, game.start.men
    flicks = [entry for entry in game.log if isinstance(entry, FlickPlayed)]
    # The fields of a flick, each with the values of all flicks: adding those up takes half as long.
    each: Any = FlickPlayed._make(zip(*flicks, strict=True) if flicks else [()] * len(FlickPlayed._fields))
    lunges = [flick for flick in flicks if flick.flick.kind == LUNGE]
    snipes = [flick for flick in flicks if flick.flick.kind != LUNGE]
    declines = [entry for entry in game.log if isinstance(entry, LungeDeclined)]
    orders = [entry for entry in game.log if isinstance(entry, SendOrdered)]
    deeds = zip(DEEDS, (snipes, lunges, orders, declines), strict=True)
    emptied = [entry.turn for entry in game.log if isinstance(entry, BaseEmptied)]
    turns = turns_of(game.log)
    chains = Counter(length for turn in turns for length in turn.chains())
    snipe_runs = Counter(length for turn in turns for length in turn.snipe_runs())
    lunge_endings = [lunge.outcome.ending for lunge in lunges]
    snipe_kills = [snipe.outcome.ending.kills for snipe in snipes]
    kills = sum(snipe_kills) + sum([ending.kills for ending in lunge_endings])
    kills_inside = sum(each.kills_inside)
    longest = max(turns, key=lambda turn: len(turn.flicks), default=None)
    longest_of = [max((len(turn.flicks) for turn in turns if turn.side == side), default=0) for side in (0, 1)]

    winner = end.winner
    decided = winner >= 0
    # In the garrison of any of his own bases: about a base one may be placed inside its neighbour, too.
    garrisoned = start["inside"] != NOWHERE
    inside_of = [int(np.count_nonzero(garrisoned & (start["side"] == side))) for side in (0, 1)]
    half_men = rules.bases_per_side * rules.soldiers_per_base
    living = living_after(flicks, (half_men, half_men), end.turn)
    at_half = living[end.turn // 2]
    behind = -1 if at_half[0] == at_half[1] else int(at_half[0] > at_half[1])
    unequal = inside_of[0] != inside_of[1]
    stood = [since > 0 for since in end.stand_since.tolist()]
    lead = [first - second for first, second in living]
    waits = longest_waits(each.side)
    course = course_of(game)
    return {
        "winner": WINNERS[winner + 1],
        "decided": decided,
        "stalled": bool(end.stalled),
        "first_won": winner == 0,
        "turns": end.turn,
        "flicks": len(flicks),
        "lunges": len(lunges),
        "snipes": len(snipes),
        "snipes_2plus": sum(k >= 2 for k in snipe_kills),
        "kills": kills,
        "kills_lunge": kills - sum(snipe_kills),
        "kills_inside": kills_inside,
        "kills_outside": kills - kills_inside,
        "kills_road": sum(each.kills_road),
        "exposed_inside": sum(each.exposed_inside),
        "exposed_outside": sum(each.exposed_outside),
        "lungers_shot": sum([ending.shot_in >= 0 for ending in lunge_endings]),
        "lungers_off_page": sum([ending.off_page for ending in lunge_endings]),
        "declines": len(declines),
        "longest_turn": max(longest_of),
        "longest_turn_first": longest_of[0],
        "longest_turn_second": longest_of[1],
        "longest_turn_lunges": sum(f.flick.kind == LUNGE for f in longest.flicks) if longest else 0,
        "longest_turn_chain4": longest is not None and max(longest.chains(), default=0) >= LONG_CHAIN,
        "chains": sum(chains.values()),
        "chains_1": chains[1],
        "chains_2": chains[2],
        "chains_3": chains[3],
        "chains_4plus": sum(count for length, count in chains.items() if length >= LONG_CHAIN),
        "chain_longest": max(chains, default=0),
        "snipe_runs": sum(snipe_runs.values()),
        "snipe_runs_1": snipe_runs[1],
        "snipe_runs_2": snipe_runs[2],
        "snipe_runs_3plus": sum(count for length, count in snipe_runs.items() if length >= 3),
        "men": rules.men,
        "survivors": sum(living[end.turn]),
        "inside_start": sum(inside_of),
        "inside_start_first": inside_of[0],
        "inside_start_second": inside_of[1],
        "inside_unequal": decided and unequal,
        "inside_more_won": decided and unequal and inside_of[winner] > inside_of[1 - winner],
        "bases": rules.bases,
        "bases_emptied": len(emptied),
        "base_emptied_turns": sum(emptied),
        "base_emptied_shares": sum((turn / end.turn for turn in emptied), 0.0),
        "first_base_emptied": min(emptied, default=None),
        "sends": len(orders),
        "walkers": sum(len(order.send.men) for order in orders),
        "half_unequal": decided and behind >= 0,
        "comeback": decided and winner == behind,
        "last_stand": any(stood),
        "last_stand_both": all(stood),
        "last_stand_decided": decided and any(stood),
        "stander_won": decided and stood[winner],
        "living_first": [pair[0] for pair in living],
        "living_second": [pair[1] for pair in living],
        "inside_first": [pair[0] for pair in course.inside],
        "inside_second": [pair[1] for pair in course.inside],
        "lead_changes": lead_changes(lead),
        "lead_final_share": decisive_share(lead, winner) if decided else None,
        "drama": drama(lead, winner) if decided else None,
        "deficit_most": max(deficits(lead, winner)) if decided else None,
        **{name: lead_at(lead, share) for name, share in zip(LEADS, SHARES, strict=True)},
        "wait_longest": max(waits),
        "wait_first": waits[0],
        "wait_second": waits[1],
        **{f"{deed}_by_phase": by_phase([entry.turn for entry in entries], end.turn) for deed, entries in deeds},
        "own_crossed_out": sum(loss.how == OWN_INK for loss in course.losses),
        "lost_turn": [loss.turn for loss in course.losses],
        "lost_x": [round(loss.x) for loss in course.losses],
        "lost_y": [round(loss.y) for loss in course.losses],
        "lost_side": [loss.side for loss in course.losses],
        "lost_how": [loss.how for loss in course.losses],
    }


def describe(game: Played) -> str:
    """Say in words how a game went."""
    lines: list[str] = []
    for turn in turns_of(game.log):
        deeds: list[str] = []
        for entry in turn.entries:
            if isinstance(entry, LungeDeclined):
                deeds.append("declines the lunge")
                continue
            flick, ending = entry.flick, entry.outcome.ending
            deed = f"man {flick.man} {'lunges' if flick.kind == LUNGE else 'snipes'} {flick.length:.0f}"
            if ending.kills:
                deed += ", crosses out " + " ".join(map(str, entry.outcome.crossed_out().tolist()))
            if ending.shot_in >= 0:
                deed += f", is shot in base {ending.shot_in}"
            elif flick.kind == LUNGE and ending.off_page:
                deed += ", runs off the page"
            deeds.append(deed)
        left = turn.flicks[-1].living if turn.flicks else ("", "")
        lines.append(f"{turn.number:4d} {WINNERS[turn.side + 1]:6s} {'; '.join(deeds)}  [{left[0]}:{left[1]}]")
    end = game.end
    lines.append("stalled" if end.stalled else f"{WINNERS[end.winner + 1]} wins in turn {end.turn}")
    return "\n".join(lines)
