"""The sections that every run has: how long games are, how they go, where things are lost, what a lead is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.estimators import present
from lab.plots.curves import Curve, Marks, snowball, survival
from lab.plots.distribution import Counts, distribution
from lab.plots.mix import mix
from lab.plots.page_map import Layer, page_map
from lab.reports.balance.model import Picture, Section, Sheet
from lab.reports.balance.tallies import Tallies
from lab.reports.balance.wording import shown
from lab.results.run import Run
from lab.stats.intervals import Interval, Undefined, wilson
from lab.stats.logit import logit_fit
from lab.stats.ratios import ratio_bootstrap
from lab.stats.survival import FEWEST
from lab.stats.survival import survival as survival_of
from lab.summary import Line
from lab.views import Losses, Views

FEWEST_AT_A_LEAD = 5
MAPS = 3
"""Maps side by side in one figure."""


@dataclass(frozen=True)
class Played:
    """A run to be drawn: what it is called beside another, its games, and its sums."""

    label: str
    run: Run
    games: int
    tallies: Tallies

    @property
    def views(self) -> Views:
        """What there is to see of the game."""
        return self.run.adapter.views


def lengths(played: Sequence[Played], target: tuple[int, int] | None) -> Section:
    """Return the section of distributions; the first of ``played`` is what the report is about."""
    views = played[0].views
    spreads = [*([views.length] if views.length else []), *views.spreads]
    pictures: list[Picture] = []
    sheets: list[Sheet] = []
    absent = [] if spreads else ["The game declares no columns whose distribution is shown."]
    for spread in spreads:
        counts = [counts_of(one, spread.column) for one in played]
        found = [one for one in counts if one is not None]
        if counts[0] is None:
            absent.append(f"{spread.title}: no game has a value.")
            continue
        column = played[0].run.adapter.column(spread.column)
        name = f"distribution-{spread.column}"
        caption = "; ".join(f"{one.label}: n = {one.n:,} games" for one in found)
        band = target if spread is views.length else None
        figure = distribution(spread.title, spread.axis, found, caption, band)
        pictures.append(Picture(name, f"{spread.title}: share of games by {column.meaning}.", figure))
        rows = [
            (one.label, float(value), int(games), 100 * games / one.n)
            for one in found
            for value, games in zip(one.values, one.games, strict=True)
        ]
        sheets.append(Sheet(name, spread.title, ("run", spread.column, "games", "percent"), rows))
    return Section("How long, how far, how often", (), tuple(pictures), tuple(sheets), tuple(absent))


def counts_of(played: Played, column: str) -> Counts | None:
    """Return the games by value of a column, those without one left out."""
    values = played.run.columns([column])[column].astype(float)
    values, games = np.unique(values[~np.isnan(values)], return_counts=True)
    return Counts(played.label, values, games) if values.size else None


def fates(played: Sequence[Played]) -> Section:
    """Return the section on what is lost: survival in each state, and where on the page."""
    title = "Who is lost, and where"
    losses, tallies = played[0].views.losses, played[0].tallies
    if losses is None:
        return Section(title, absent=("The game has no columns that say where and when something is lost.",))
    if tallies.places is None:
        return Section(title, absent=("No games.",))
    pictures: list[Picture] = []
    sheets: list[Sheet] = []
    absent: list[str] = []
    drawn = [curve for one in played for curve in _survival_curves(one, losses, many=len(played) > 1)]
    if drawn:
        caption = (
            f"n = {_all_games(played)} games. Kaplan-Meier by turn; whoever changes state is followed in the new one. "
            f"Bands: 95%, whole games resampled; a curve ends where fewer than {FEWEST} games have anyone at risk."
        )
        text = f"{_many(losses.thing)} left who stayed there (%)"
        figure = survival(f"How long a {losses.thing} lasts", "turns, of both sides", text, drawn, caption)
        pictures.append(Picture("survival", f"Survival of a {losses.thing} by turn, in each state.", figure))
        rows = [
            (curve.label, int(x), y, low, high)
            for curve in drawn
            if curve.low is not None and curve.high is not None
            for x, y, low, high in zip(curve.x, curve.y, curve.low, curve.high, strict=True)
        ]
        sheets.append(Sheet("survival", "Survival by turn", ("state", "turn", "percent", "low", "high"), rows))
    else:
        absent.append(f"Survival: fewer than {FEWEST} games had anyone at risk.")
    pictures += _maps(played[0], losses, tallies.places)
    sheets.append(_places_sheet(played[0], losses, tallies.places))
    return Section(title, (), tuple(pictures), tuple(sheets), tuple(absent))


def _many(thing: str) -> str:
    return "men" if thing == "man" else f"{thing}s"


def _all_games(played: Sequence[Played]) -> str:
    return " and ".join(f"{one.tallies.games:,}" for one in played)


def _survival_curves(played: Played, losses: Losses, many: bool) -> list[Curve]:
    lost, at_risk = played.tallies.lost, played.tallies.at_risk
    found: list[Curve] = []
    if lost is None or at_risk is None:
        return found
    for state, one, other in zip(losses.states, lost, at_risk, strict=True):
        if (curve := survival_of(one, other)) is not None:
            label = f"{state.label}, {played.label}" if many else state.label
            turns = np.arange(len(curve.estimate), dtype=float)
            found.append(Curve(label, turns, *(100 * part for part in (curve.estimate, curve.low, curve.high))))
    return found


def _maps(played: Played, losses: Losses, places: NDArray[np.int64]) -> list[Picture]:
    layers = [
        Layer(f"{label} ({100 * counts.sum() / max(1, places.sum()):.0f}%)", counts)
        for (_, label), counts in zip(sorted(losses.ways.items()), places, strict=True)
        if counts.any()
    ]
    page = losses.page(played.run.experiment.rules)
    found: list[Picture] = []
    for number, start in enumerate(range(0, len(layers), MAPS), 1):
        some = layers[start : start + MAPS]
        caption = (
            f"n = {played.tallies.games:,} games; page {page[0]:g} by {page[1]:g} {losses.unit}. Darkest: "
            f"{_many(losses.thing)} a game in one cell; each map has its own scale. In brackets: share of all lost. "
            f"Above, blue: the first side's, lost to the second; below, red: the second side's."
        )
        title = f"Where {_many(losses.thing)} are lost" + (f", {number}" if len(layers) > MAPS else "")
        figure = page_map(title, some, page, played.tallies.games, ("first side's", "second side's"), caption)
        alt = "Maps of the page: " + ", ".join(layer.label for layer in some) + ", for each side."
        found.append(Picture(f"page-{number}", alt, figure))
    return found


def _places_sheet(played: Played, losses: Losses, places: NDArray[np.int64]) -> Sheet:
    _, _, rows, columns = places.shape
    width, height = losses.page(played.run.experiment.rules)
    labels = [label for _, label in sorted(losses.ways.items())]
    cells = [
        (labels[way], ("first", "second")[side], column * width / columns, row * height / rows, int(count))
        for (way, side, row, column), count in np.ndenumerate(places)
        if count
    ]
    return Sheet("places", "Losses by place", ("how", "side", "x_from", "y_from", "lost"), cells)


def course(played: Played) -> Section:
    """Return the section on what is done when, and what a lead is worth."""
    title = "What is done when, and what a lead is worth"
    parts = [_mix(played), _snowball(played)]
    return Section(
        title,
        (),
        tuple(picture for part in parts for picture in part.pictures),
        tuple(sheet for part in parts for sheet in part.sheets),
        tuple(reason for part in parts for reason in part.absent),
    )


def _mix(played: Played) -> Section:
    deeds, sums = played.views.deeds, played.tallies.deeds
    if deeds is None or sums is None:
        return Section("", absent=("Action mix: the game has no columns of actions by phase.",))
    totals = sums.sum(axis=1)
    rows: list[tuple[str | float, ...]] = []
    shares = np.zeros((len(deeds.phases), len(deeds.columns)))
    for place, phase in enumerate(deeds.phases):
        for kind, deed in enumerate(deeds.columns):
            share = ratio_bootstrap(100 * sums[:, kind, place], totals[:, place])
            if isinstance(share, Undefined):
                rows.append((phase, deed, "", "", "", f"undefined: {share.reason}"))
                continue
            shares[place, kind] = share.estimate
            rows.append((phase, deed, share.estimate, share.low, share.high, ""))
    caption = f"n = {played.tallies.games:,} games, {totals.sum():,.0f} actions; a game's turns are cut into thirds"
    figure = mix("What is done in each part of a game", deeds.phases, list(deeds.columns), shares, caption)
    header = ("phase", "action", "percent", "low", "high", "note")
    picture = Picture("action-mix", "Share of each kind of action in each third of a game.", figure)
    return Section("", (), (picture,), (Sheet("action-mix", "Actions by phase", header, rows),))


def _snowball(played: Played) -> Section:
    lead = played.views.lead
    if lead is None:
        return Section("", absent=("Snowball: the game has no columns of a lead.",))
    curves: list[Curve] = []
    rows: list[tuple[str | float, ...]] = []
    marks: Marks | None = None
    n = 0
    middle = min(lead.at, key=lambda share: abs(share - 0.5))
    for share, column in sorted(lead.at.items()):
        won, ahead = present(played.run.columns([lead.won, column, lead.among]), (lead.won, column), lead.among)
        moment = f"after {100 * share:g}% of the turns"
        n = len(won)
        values, place = np.unique(ahead, return_inverse=True)
        games = np.bincount(place)
        wins = np.bincount(place, weights=won.astype(float)).astype(int)
        rows += _lead_rows(moment, values, wins, games)
        if share == middle:
            marks = _lead_marks(moment, values, wins, games)
        fit = logit_fit(won, ahead) if n else Undefined("no game was decided", 0)
        if isinstance(fit, Undefined):
            continue
        low, high = np.quantile(ahead, (0.005, 0.995)).tolist()
        x = np.linspace(low, high, 80)
        worth = shown(fit.slope)
        curves.append(Curve(f"{100 * share:g}% of the turns: {worth} log odds a {lead.unit[0]}", x, 100 * fit.share(x)))
    header = ("moment", f"lead_{lead.unit[1].replace(' ', '_')}", "won", "games", "percent", "low", "high")
    sheet = Sheet("snowball", "Won by lead", header, rows)
    if marks is None or not marks.x.size:
        return Section("", (), (), (sheet,), ("Snowball: too few decided games at any lead.",))
    axis = f"lead of the side that moved first ({lead.unit[1]})"
    caption = f"n = {n:,} decided games; leads of fewer than {FEWEST_AT_A_LEAD} games are not marked. Curves: logistic."
    curves = [Curve(_shorter(curve.label), curve.x, curve.y) for curve in curves]
    figure = snowball("What a lead is worth", axis, marks, curves, caption)
    return Section("", (), (Picture("snowball", "Share won against the lead.", figure),), (sheet,))


def _shorter(label: str) -> str:
    return label.replace("(95% interval ", "(").replace(" to ", "–")


def _lead_rows(
    moment: str, values: NDArray[np.float64], wins: NDArray[np.int64], games: NDArray[np.int64]
) -> list[tuple[str | float, ...]]:
    found: list[tuple[str | float, ...]] = []
    for value, won, n in zip(values, wins, games, strict=True):
        share = wilson(int(won), int(n))
        if isinstance(share, Interval):
            ends = (100 * share.estimate, 100 * share.low, 100 * share.high)
            found.append((moment, float(value), int(won), int(n), *ends))
    return found


def _lead_marks(moment: str, values: NDArray[np.float64], wins: NDArray[np.int64], games: NDArray[np.int64]) -> Marks:
    kept = [
        (float(value), share)
        for value, won, n in zip(values, wins, games, strict=True)
        if n >= FEWEST_AT_A_LEAD and isinstance(share := wilson(int(won), int(n)), Interval)
    ]
    x = np.array([value for value, _ in kept])
    y, low, high = (100 * np.array([getattr(share, end) for _, share in kept]) for end in ("estimate", "low", "high"))
    return Marks(f"counted {moment}, 95% intervals", x, y, low, high)


def metrics_sheet(lines: Sequence[Line]) -> Sheet:
    """Return every metric with its interval, unit, definition and source."""
    header = ("metric", "estimate", "low", "high", "unit", "games", "definition", "note")
    rows: list[tuple[str | float, ...]] = []
    people: list[tuple[str, ...]] = []
    for line in lines:
        metric, estimate = line.metric, line.estimate
        if isinstance(estimate, Undefined):
            note = f"undefined: {estimate.reason}"
            ends: tuple[str | float, ...] = ("", "", "")
        elif isinstance(estimate, Interval):
            note = ""
            ends = tuple(line.scale * end for end in (estimate.estimate, estimate.low, estimate.high))
        else:
            note = "of this sample; no interval"
            ends = (line.scale * estimate.estimate, "", "")
        rows.append((metric.name, *ends, metric.unit, estimate.n, metric.definition, note))
        value = shown(estimate, line.scale).replace("95% interval ", "")
        people.append((metric.label, value, metric.unit, f"{estimate.n:,}", metric.definition))
    shown_header = ("metric", "estimate (95% interval)", "unit", "games", "what is counted")
    return Sheet("metrics", "Every metric", header, rows, (shown_header, people))
