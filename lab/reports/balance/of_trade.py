"""The trade-off of two metrics over the variants of a sweep."""

from __future__ import annotations

from lab.games.adapter import Metric
from lab.measures.front import Aim, front
from lab.plots.style import with_unit
from lab.plots.trade import NAMED, Spot, trade
from lab.reports.balance.effects_of import observed
from lab.reports.balance.model import Picture, Section, Sheet
from lab.reports.balance.of_sweep import games_text
from lab.sweeps.compare import Comparison


def trade_off(comparison: Comparison, aims: tuple[Aim, Aim]) -> Section:
    """Return the section: a point a variant, and the variants that no other betters in both metrics."""
    title = "Trade-off"
    columns = [comparison.of(aim.metric) for aim in aims]
    metrics = [cells[0].metric for cells in columns]
    kept = [
        (one.variant, x, y)
        for one, other in zip(*columns, strict=True)
        if (x := observed(one)) is not None and (y := observed(other)) is not None
    ]
    if len(kept) < 2:
        return Section(title, absent=("Fewer than two variants have both metrics.",))
    best = front([(aims[0].loss(x[0]), aims[1].loss(y[0])) for _, x, y in kept])
    spots = [
        Spot(variant.label, x, y, on_front, variant is comparison.base)
        for (variant, x, y), on_front in zip(kept, best, strict=True)
    ]
    names = (_axis(metrics[0], aims[0]), _axis(metrics[1], aims[1]))
    caption = f"n = {games_text(comparison)} games a variant, {len(spots):,} variants. Numbers: the table below."
    heading = f"{metrics[0].label} against {metrics[1].label[:1].lower()}{metrics[1].label[1:]}"
    figure = trade(heading, names, spots, caption)
    ordered = sorted((spot for spot in spots if spot.front), key=lambda spot: spot.x[0])
    people = [
        (str(number) if number <= NAMED else "", spot.label, f"{spot.x[0]:.3g}", f"{spot.y[0]:.3g}")
        for number, spot in enumerate(ordered, 1)
    ]
    header = ("variant", metrics[0].name, "x_low", "x_high", metrics[1].name, "y_low", "y_high", "front")
    rows = [(spot.label, *spot.x, *spot.y, spot.front) for spot in spots]
    shown = (("", "variant on the front", *names), people)
    sheet = Sheet("trade-off", "Trade-off", header, rows, shown)
    words = ("The front is that of the estimates: where intervals overlap, more games may move variants on or off it.",)
    return Section(title, words, (Picture("trade-off", f"{heading}, a point a variant.", figure),), (sheet,))


def _axis(metric: Metric, aim: Aim) -> str:
    best = f"{aim.best} is better" if isinstance(aim.best, str) else f"best near {aim.best:g}"
    return f"{with_unit(metric.label, metric.unit)}, {best}"
