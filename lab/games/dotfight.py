"""Dotfight for the lab: its columns, its metrics as the public record defines them, and what must hold."""

from __future__ import annotations

import numpy as np

from engine.dotfight.game import DOTFIGHT
from lab.dotfight.story import story_of
from lab.estimators import Maximum, Mean, Proportion, Quantile, Ratio
from lab.games._dotfight_row import describe, measure
from lab.games.adapter import WINNER, Adapter, Column, Identity, Metric

COLUMNS = (
    WINNER,
    Column("decided", "bool", "", "somebody won (R12.1)"),
    Column("stalled", "bool", "", "nobody had won when the turns ran out (R12.2)"),
    Column("first_won", "bool", "", "the side that flicked first won"),
    Column("turns", "int", "turns", "number of the turn in progress when the game ended (R4.1)"),
    Column("flicks", "int", "flicks", "flicks of both sides"),
    Column("lunges", "int", "flicks", "flicks that were lunges"),
    Column("snipes", "int", "flicks", "flicks that were snipes"),
    Column("snipes_2plus", "int", "flicks", "snipes that crossed out two men or more"),
    Column("kills", "int", "men", "enemies crossed out"),
    Column("kills_lunge", "int", "men", "of these by lunges"),
    Column("kills_inside", "int", "men", "of these in their own base's garrison"),
    Column("kills_outside", "int", "men", "of these anywhere else"),
    Column("kills_road", "int", "men", "of these on the road"),
    Column("exposed_inside", "int", "man-flicks", "living enemies in their base's garrison, summed over flicks"),
    Column("exposed_outside", "int", "man-flicks", "living enemies anywhere else, summed over flicks"),
    Column("lungers_shot", "int", "men", "lungers shot where they landed (R8.3)"),
    Column("lungers_off_page", "int", "men", "lungers who ran off the page (R8.3)"),
    Column("declines", "int", "", "earned lunges declined (R4.4)"),
    Column("longest_turn", "int", "flicks", "most flicks that one side made in one turn"),
    Column("longest_turn_first", "int", "flicks", "the same, of the first side"),
    Column("longest_turn_second", "int", "flicks", "the same, of the second side"),
    Column("longest_turn_lunges", "int", "flicks", "lunges in the longest turn"),
    Column("longest_turn_chain4", "bool", "", "the longest turn holds a chain of four lunges or more"),
    Column("chains", "int", "chains", "lunge chains"),
    Column("chains_1", "int", "chains", "lunge chains of one lunge"),
    Column("chains_2", "int", "chains", "lunge chains of two"),
    Column("chains_3", "int", "chains", "lunge chains of three"),
    Column("chains_4plus", "int", "chains", "lunge chains of four or more"),
    Column("chain_longest", "int", "lunges", "longest lunge chain"),
    Column("snipe_runs", "int", "runs", "runs of snipes that each earned another flick"),
    Column("snipe_runs_1", "int", "runs", "such runs of one snipe"),
    Column("snipe_runs_2", "int", "runs", "such runs of two"),
    Column("snipe_runs_3plus", "int", "runs", "such runs of three or more"),
    Column("men", "int", "men", "men of both sides at the start"),
    Column("survivors", "int", "men", "living men at the end"),
    Column("inside_start", "int", "men", "men in their base's garrison at the first flick"),
    Column("inside_start_first", "int", "men", "of these the first side's"),
    Column("inside_start_second", "int", "men", "of these the second side's"),
    Column("inside_unequal", "bool", "", "decided, and the sides started with different numbers inside"),
    Column("inside_more_won", "bool", "", "the side that started with more inside won"),
    Column("bases", "int", "bases", "bases on the page"),
    Column("bases_emptied", "int", "bases", "bases that were at some time an empty ring (R2.5)"),
    Column("base_emptied_turns", "int", "turns", "turn each of these first was, summed"),
    Column("base_emptied_shares", "float", "", "the same as shares of the game's turns, summed"),
    Column("first_base_emptied", "int", "turns", "turn in which a base was first empty", optional=True),
    Column("sends", "int", "sends", "convoys sent (R9)"),
    Column("walkers", "int", "men", "men in them"),
    Column("half_unequal", "bool", "", "decided, and the sides had different numbers after half the turns"),
    Column("comeback", "bool", "", "the side behind after half the turns won"),
    Column("last_stand", "bool", "", "a side's last stand began (R11)"),
    Column("last_stand_both", "bool", "", "both sides' did"),
    Column("last_stand_decided", "bool", "", "decided, and a side's last stand began"),
    Column("stander_won", "bool", "", "won by a side whose last stand had begun"),
    Column("living_first", "list[int]", "men", "the first side's living men at the start and after each turn"),
    Column("living_second", "list[int]", "men", "the second side's"),
)

RECORD = "as the public record counts it"


def _chains(length: str, label: str) -> Metric:
    return Metric(
        f"chain_{length}",
        f"Lunge chains of {label}",
        "% of chains",
        "lunge chains of that length / all lunge chains, pooled",
        Ratio(f"chains_{length}", "chains", 100.0),
    )


METRICS = (
    Metric("turns", "Turns", "turns", f"mean over games, {RECORD}", Mean("turns")),
    Metric("turns_p10", "Turns, 10th percentile", "turns", "over games", Quantile("turns", 0.1)),
    Metric("turns_p90", "Turns, 90th percentile", "turns", "over games", Quantile("turns", 0.9)),
    Metric("flicks", "Flicks", "flicks", "mean over games", Mean("flicks")),
    Metric("first_player_wins", "First player wins", "%", "share of decided games", Proportion("first_won", "decided")),
    Metric("stalled", "Stalled", "%", "share of all games (R12.2)", Proportion("stalled")),
    Metric("lunge_share", "Lunge share", "% of flicks", "lunges / flicks, pooled", Ratio("lunges", "flicks", 100.0)),
    Metric("kills_per_flick", "Kills per flick", "men", "men crossed out / flicks, pooled", Ratio("kills", "flicks")),
    Metric(
        "snipes_2plus",
        "Snipes that take two or more",
        "% of snipes",
        "snipes with two kills or more / snipes, pooled",
        Ratio("snipes_2plus", "snipes", 100.0),
    ),
    Metric("longest_turn", "Longest turn", "flicks", "mean over games", Mean("longest_turn")),
    Metric("longest_turn_p90", "Longest turn, 90th percentile", "flicks", "over games", Quantile("longest_turn", 0.9)),
    Metric("longest_turn_max", "Longest turn, most", "flicks", "largest in any game", Maximum("longest_turn")),
    Metric(
        "longest_turn_lunges",
        "Lunges in the longest turn",
        "% of its flicks",
        "lunges / flicks of each game's longest turn, pooled",
        Ratio("longest_turn_lunges", "longest_turn", 100.0),
    ),
    Metric(
        "longest_turn_chain4",
        "Longest turns with a chain of 4+",
        "%",
        "share of games",
        Proportion("longest_turn_chain4"),
    ),
    Metric("chain_mean", "Lunge chain", "lunges", "lunges / lunge chains, pooled", Ratio("lunges", "chains")),
    _chains("1", "1"),
    _chains("2", "2"),
    _chains("3", "3"),
    _chains("4plus", "4 or more"),
    Metric("chain_max", "Lunge chain, longest", "lunges", "largest in any game", Maximum("chain_longest")),
    Metric(
        "snipe_run_1",
        "Earning snipes that stop at one",
        "% of runs",
        "runs of one earning snipe / all such runs, pooled",
        Ratio("snipe_runs_1", "snipe_runs", 100.0),
    ),
    Metric(
        "snipe_run_3plus",
        "Earning snipes three or more in a row",
        "% of runs",
        "runs of three or more / all such runs, pooled",
        Ratio("snipe_runs_3plus", "snipe_runs", 100.0),
    ),
    Metric(
        "kill_rate_inside",
        "Kill rate inside",
        "per 100 exposed",
        "men crossed out in their garrison / those exposed there at each flick, pooled",
        Ratio("kills_inside", "exposed_inside", 100.0),
    ),
    Metric(
        "kill_rate_outside",
        "Kill rate outside",
        "per 100 exposed",
        "men crossed out elsewhere / those exposed there at each flick, pooled",
        Ratio("kills_outside", "exposed_outside", 100.0),
    ),
    Metric("kills_inside", "Kills that were inside", "% of kills", "pooled", Ratio("kills_inside", "kills", 100.0)),
    Metric(
        "inside_at_start",
        "Men inside at the first flick",
        "% of men",
        "in their base's garrison, pooled",
        Ratio("inside_start", "men", 100.0),
    ),
    Metric(
        "more_inside_wins",
        "Side with more inside wins",
        "%",
        "share of decided games that started unequal inside",
        Proportion("inside_more_won", "inside_unequal"),
    ),
    Metric(
        "bases_emptied",
        "Bases emptied",
        "% of bases",
        "at some time an empty ring, pooled",
        Ratio("bases_emptied", "bases", 100.0),
    ),
    Metric(
        "base_emptied_turn",
        "Base first empty",
        "turn",
        "turn of the action that emptied it, pooled over bases",
        Ratio("base_emptied_turns", "bases_emptied"),
    ),
    Metric(
        "base_emptied_share",
        "Base first empty, through the game",
        "% of turns",
        "that turn / the game's turns, pooled over bases",
        Ratio("base_emptied_shares", "bases_emptied", 100.0),
    ),
    Metric(
        "first_base_emptied",
        "First base empty",
        "turn",
        "earliest such turn, mean over games with one",
        Mean("first_base_emptied"),
    ),
    Metric("sends", "Sends", "sends", "mean over games", Mean("sends")),
    Metric("road_kills", "Walkers crossed out on the road", "men", "mean over games", Mean("kills_road")),
    Metric(
        "walkers_lost",
        "Walkers lost",
        "% of walkers",
        "crossed out on the road / sent, pooled",
        Ratio("kills_road", "walkers", 100.0),
    ),
    Metric("lungers_shot", "Lungers shot", "men", "mean over games", Mean("lungers_shot")),
    Metric("lungers_off_page", "Lungers off the page", "men", "mean over games", Mean("lungers_off_page")),
    Metric("last_stand", "Games with a last stand", "%", "share of games", Proportion("last_stand")),
    Metric("last_stand_both", "Last stands on both sides", "%", "share of games", Proportion("last_stand_both")),
    Metric(
        "stander_won",
        "Won in or after one's last stand",
        "%",
        "share of decided games with a last stand, won by a side whose own had begun",
        Proportion("stander_won", "last_stand_decided"),
    ),
    Metric(
        "comeback",
        "Comebacks",
        "%",
        "share of decided games unequal after half the turns, won by the side behind",
        Proportion("comeback", "half_unequal"),
    ),
)

IDENTITIES = (
    Identity(
        "flicks are snipes and lunges",
        ("flicks", "snipes", "lunges"),
        lambda c: c["flicks"] == c["snipes"] + c["lunges"],
    ),
    Identity(
        "kills are inside and outside",
        ("kills", "kills_inside", "kills_outside"),
        lambda c: c["kills"] == c["kills_inside"] + c["kills_outside"],
    ),
    Identity(
        "men are alive, crossed out, shot or off the page",
        ("men", "survivors", "kills", "lungers_shot", "lungers_off_page"),
        lambda c: c["men"] == c["survivors"] + c["kills"] + c["lungers_shot"] + c["lungers_off_page"],
    ),
    Identity(
        "chains make up the lunges",
        ("chains", "chains_1", "chains_2", "chains_3", "chains_4plus", "lunges"),
        lambda c: (
            (c["chains"] == c["chains_1"] + c["chains_2"] + c["chains_3"] + c["chains_4plus"])
            & (c["chains_1"] + 2 * c["chains_2"] + 3 * c["chains_3"] + 4 * c["chains_4plus"] <= c["lunges"])
        ),
    ),
    Identity("a game is won or stalled", ("decided", "stalled"), lambda c: c["decided"] != c["stalled"]),
    Identity(
        "the winner is the winner",
        ("winner", "decided", "first_won"),
        lambda c: ((c["winner"] == "none") != c["decided"]) & ((c["winner"] == "first") == c["first_won"]),
    ),
    Identity(
        "living men are listed for each turn",
        ("living_first", "living_second", "turns", "survivors"),
        lambda c: np.array(
            [
                len(a) == len(b) == turns + 1 and a[-1] + b[-1] == survivors
                for a, b, turns, survivors in zip(
                    c["living_first"], c["living_second"], c["turns"], c["survivors"], strict=True
                )
            ],
            bool,
        ),
    ),
)

ADAPTER = Adapter(
    game=DOTFIGHT,
    columns=COLUMNS,
    metrics=METRICS,
    identities=IDENTITIES,
    measure=measure,
    describe=describe,
    story=story_of,
)
