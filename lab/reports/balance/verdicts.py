"""The answers to a designer's first four questions: is it fair, how long is it, what drives it, what is undecided."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from lab.estimators import present
from lab.reports.balance.effects_of import Effect, difference, effects_of, matters
from lab.reports.balance.model import Verdict
from lab.reports.balance.of_pairings import match
from lab.reports.balance.subject import Subject
from lab.reports.balance.wording import listed, of_line, percent, rounded, shown
from lab.results.run import Run
from lab.stats.intervals import Interval, Undefined, quantile_interval, wilson
from lab.stats.logit import logit_fit
from lab.stats.power import games_for_half_width, sd_of_proportion
from lab.summary import Line
from lab.sweeps.variants import seat_text

FAIR_WITHIN: Final = 0.05
"""A first player who wins within so much of half the games has no advantage that matters."""

SHOWN: Final = 5
"""Open questions on the first screen."""

CLOSE_SHARE: Final = 2.5
CLOSE_PART: Final = 0.05
"""A metric is known well enough to half-widths of so many points, or of so much of its value."""


@dataclass(frozen=True)
class Fairness:
    """What an interval for a share says of evenness, and how many observations would tell where it does not."""

    answer: str
    told: bool
    needed: int | None


def fairness(share: Interval, within: float = FAIR_WITHIN) -> Fairness:
    """Return whether a share is even for all that matters, is not, or cannot be told yet."""
    if 0.5 - within <= share.low and share.high <= 0.5 + within:
        return Fairness("Fair", True, None)
    if share.low > 0.5 + within or share.high < 0.5 - within:
        return Fairness("Not fair", True, None)
    margin = max(abs(abs(share.estimate - 0.5) - within), within / 10)
    return Fairness("Undecided", False, games_for_half_width(margin, sd_of_proportion(share.estimate)))


def fair(subject: Subject, run: Run) -> Verdict:
    """Answer whether the first seat is worth more than the second."""
    question = "Is it fair?"
    winner = run.columns(["winner"])["winner"]
    decided = int(np.count_nonzero(winner != "none"))
    share = wilson(int(np.count_nonzero(winner == "first")), decided)
    if not isinstance(share, Interval):
        return Verdict(question, "Undecided", False, (f"No game of {len(winner):,} was won by anybody.",))
    said = fairness(share)
    lines = [f"The side that moves first wins {percent(share)} of {decided:,} decided games."]
    answer, told = said.answer, said.told
    if said.needed is not None:
        games = said.needed * len(winner) / decided
        lines.append(f"About {rounded(games)} games in all would tell, if the share stayed as it is.")
    comparison = subject.comparison
    seats = [
        (match(pairing), pairing.pairs.first_seat)
        for pairing in (comparison.pairings if comparison else ())
        if isinstance(pairing.pairs.first_seat, Interval)
    ]
    one, other = (seat_text(seat) for seat in run.experiment.seats)
    if seats:
        found = [fairness(seat) for _, seat in seats]
        unfair = any(one.answer == "Not fair" for one in found)
        answer = "Not fair" if unfair else "Fair" if all(one.told for one in found) else "Undecided"
        told = answer != "Undecided"
        ends = sorted((seat.estimate, label, seat) for label, seat in seats)
        for word, (_, label, seat) in zip(("Least", "Most")[: len(ends)], (ends[0], ends[-1]), strict=False):
            lines.append(f"{word} for the first seat, seats swapped: {percent(seat)} of the points ({label}).")
    elif one != other:
        answer, told = "Cannot be told from this", False
        lines.append(f"The seats hold different players ({one}; {other}): only swapped seats tell the seat's worth.")
    if answer in ("Fair", "Not fair"):
        lines.append(f"Fair means: the whole interval lies within {100 * FAIR_WITHIN:g} points of even.")
    return Verdict(question, answer, told, tuple(lines))


def long(subject: Subject, run: Run, target: tuple[int, int] | None) -> Verdict:
    """Answer how long a game is, against a target where there is one."""
    question = "How long is it?"
    length = subject.adapter.views.length
    if length is None:
        return Verdict(question, "Not known", False, ("The game declares no column for its length.",))
    unit = subject.adapter.column(length.column).unit
    values = run.columns([length.column])[length.column].astype(float)
    mean = subject_line(subject, length.column)
    lines = [f"Mean length: {of_line(mean)}."] if mean else []
    low, middle, high = (float(np.sort(values)[min(int(p * len(values)), len(values) - 1)]) for p in (0.1, 0.5, 0.9))
    lines.append(f"Median {shown(quantile_interval(values, 0.5))}; eight games in ten take {low:g} to {high:g} {unit}.")
    answer, told = f"{middle:g} {unit}", True
    if target is not None:
        within = wilson(int(np.count_nonzero((values >= target[0]) & (values <= target[1]))), len(values))
        parts = [100 * float(np.mean(part)) for part in (values < target[0], values > target[1])]
        if isinstance(within, Interval):
            lines.append(
                f"{percent(within)} of games last {target[0]} to {target[1]} {unit}; {parts[0]:.1f}% are shorter, "
                f"{parts[1]:.1f}% longer."
            )
            answer += f", {100 * within.estimate:.0f}% on target"
    if (stalled := subject.line("stalled")) is not None:
        lines.append(f"Stalled: {of_line(stalled)}.")
    return Verdict(question, answer, told, tuple(lines))


def subject_line(subject: Subject, metric: str) -> Line | None:
    """Return a metric's line where it has a value."""
    line = subject.line(metric)
    return line if line is not None and isinstance(line.estimate, Interval) else None


def drives(subject: Subject, run: Run) -> Verdict:
    """Answer which parameters move the game; of a single run, what a lead is worth."""
    question = "What drives it?"
    lines, lead = _snowball(subject, run), subject.adapter.views.lead
    comparison = subject.comparison
    if comparison is None:
        answer = f"A lead in {lead.unit[1]}, as far as one run tells" if lead and lines else "Cannot be told from this"
        lines.append("Which rules drive it only a sweep can tell (lab sweep).")
        return Verdict(question, answer, bool(lines[:-1]), tuple(lines))
    effects = effects_of(comparison, subject.headline)
    moving = [effect for effect in effects if effect.state == "moves"]
    sized = sorted(moving, key=_size, reverse=True)
    keys = list(dict.fromkeys(effect.key for effect in sized))
    told = [_effect_text(effect) for effect in _one_a_metric(sized)]
    if keys:
        answer = listed(keys, 3)
    elif effects:
        answer = "Nothing that was varied, as far as can be seen"
    else:
        answer = "Cannot be told parameter by parameter"
        lines.append("No variant changes one parameter alone.")
    return Verdict(question, answer, bool(keys), (*told, *lines))


def _size(effect: Effect) -> float:
    """Return an effect's strongest difference in units of what matters for its metric."""
    base = effect.strongest
    limit = matters(base)
    return abs(difference(base).estimate) / limit if limit else 0.0


def _one_a_metric(effects: list[Effect], most: int = 4) -> list[Effect]:
    first = {effect.metric.name: effect for effect in reversed(effects)}
    return sorted(first.values(), key=_size, reverse=True)[:most]


def _effect_text(effect: Effect) -> str:
    cell = effect.strongest
    unit = "points" if effect.metric.unit.startswith("%") else effect.metric.unit
    change = shown(difference(cell), sign="+", unit=unit)
    return f"{effect.metric.label}: {effect.key} = {effect.value(cell)} moves it most, by {change}."


def _snowball(subject: Subject, run: Run) -> list[str]:
    lead = subject.adapter.views.lead
    if lead is None:
        return []
    share, column = min(lead.at.items(), key=lambda item: abs(item[0] - 0.5))
    won, ahead = present(run.columns([lead.won, column, lead.among]), (lead.won, column), lead.among)
    fit = logit_fit(won, ahead) if len(won) else Undefined("no game was decided", 0)
    if isinstance(fit, Undefined):
        return []
    low, odds, high = (math.exp(end) for end in (fit.slope.low, fit.slope.estimate, fit.slope.high))
    worth = shown(Interval(odds, low, high, fit.slope.n))
    return [f"Each {lead.unit[0]} ahead after {100 * share:g}% of the turns multiplies the odds of winning by {worth}."]


def open_questions(subject: Subject, even: Verdict) -> list[str]:
    """Return what cannot be told yet, and how many games would tell; the answer on fairness is given."""
    comparison = subject.comparison
    found = [] if even.told else ["Fairness: see its own answer."]
    found += [
        text
        for name in subject.headline
        if name != "first_player_wins" and (text := _wide(subject.line(name), subject.games))
    ]
    if comparison is not None:
        found += _open_effects(effects_of(comparison, subject.headline))
    return found


def undecided(lines: list[str]) -> Verdict:
    """Sum up the open questions."""
    answer = "Nothing among the headline numbers" if not lines else f"{len(lines)} question{'s' * (len(lines) > 1)}"
    shown_lines = (
        lines if len(lines) <= SHOWN else [*lines[: SHOWN - 1], f"{len(lines) - SHOWN + 1} more, listed below."]
    )
    return Verdict("What is undecided?", answer, not lines, tuple(shown_lines))


def _open_effects(effects: list[Effect]) -> list[str]:
    found: list[str] = []
    for name in dict.fromkeys(effect.metric.name for effect in effects):
        some = [effect for effect in effects if effect.metric.name == name and effect.state == "open"]
        if some:
            needed = [effect.games for effect in some if effect.games]
            more = f"; about {rounded(max(needed))} games a variant would tell" if needed else ""
            keys = listed([effect.key for effect in some])
            found.append(f"{some[0].metric.label}: whether it is moved, to a degree that matters, by {keys}{more}.")
    return found


def _wide(line: Line | None, games: int) -> str | None:
    """Say that a metric's interval is wide, and how many games would make it close."""
    if line is None or not isinstance(line.estimate, Interval):
        return None
    half = line.scale * line.estimate.half_width
    share = line.metric.unit.startswith("%")
    close = CLOSE_SHARE if share else CLOSE_PART * abs(line.scale * line.estimate.estimate)
    if half <= close or close == 0:
        return None
    needed = rounded(games * (half / close) ** 2)
    aim = f"{CLOSE_SHARE:g} points" if share else f"{100 * CLOSE_PART:g}%"
    return f"{line.metric.label}: {of_line(line)}; about {needed} games in all would bring it to ±{aim}."
