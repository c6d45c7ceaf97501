"""A person's results against the levels: pure values, counted and checked here, kept in a file elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

from engine.dodgem.rules import STUCK_RULES, StuckRule
from engine.errors import RecordError

Result = Literal["win", "loss", "draw"]

PLAYED_BOARDS = (3, 4, 5)
PLAYED_LEVELS = ("easy", "normal", "hard", "crazy", "perfect")

SCHEMA = "rules-lab/dodgem-scores/1"


@dataclass(frozen=True, order=True)
class Setting:
    """What a person plays: results are kept apart for each."""

    board: int
    level: str
    stuck: StuckRule

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.board} × {self.board} against {self.level}, stuck side {self.stuck}"

    @classmethod
    def parse(cls, table: Mapping[str, Any]) -> Setting:
        """Read plain values; raises :class:`RecordError` for what cannot be played."""
        board, level, stuck = table.get("board"), table.get("level"), table.get("stuck")
        if type(board) is not int or board not in PLAYED_BOARDS:
            raise RecordError(f"board = {board!r}: must be one of {PLAYED_BOARDS}")
        if level not in PLAYED_LEVELS:
            raise RecordError(f"level = {level!r}: must be one of {', '.join(PLAYED_LEVELS)}")
        if stuck not in STUCK_RULES:
            raise RecordError(f"stuck = {stuck!r}: must be one of {', '.join(STUCK_RULES)}")
        return cls(board, level, stuck)


@dataclass(frozen=True)
class Tally:
    """Results of one setting.

    Attributes
    ----------
    wins, losses, draws
        Games.
    streak
        Wins since the last game that was not won.
    best_streak
        The longest such run ever.
    last_game
        Identity of the game counted last, so that none is counted twice.
    """

    wins: int = 0
    losses: int = 0
    draws: int = 0
    streak: int = 0
    best_streak: int = 0
    last_game: str = ""

    def __post_init__(self) -> None:
        """Refuse what no games can add up to."""
        if not 0 <= self.streak <= self.best_streak <= self.wins or min(self.losses, self.draws) < 0:
            raise RecordError(f"results that no games add up to: {asdict(self)}")

    @property
    def games(self) -> int:
        """Games played to the end."""
        return self.wins + self.losses + self.draws

    @property
    def win_rate(self) -> float:
        """Share of the games that were won; 0 before the first."""
        return self.wins / self.games if self.games else 0.0

    def with_game(self, result: Result, game: str) -> Tally:
        """Return the tally with one game more, or as it is where that game was counted last."""
        if game == self.last_game:
            return self
        streak = self.streak + 1 if result == "win" else 0
        return Tally(
            self.wins + (result == "win"),
            self.losses + (result == "loss"),
            self.draws + (result == "draw"),
            streak,
            max(streak, self.best_streak),
            game,
        )


@dataclass(frozen=True)
class Scorebook:
    """The tallies of every setting that was played."""

    tallies: Mapping[Setting, Tally] = field(default_factory=dict[Setting, Tally])

    def of(self, setting: Setting) -> Tally:
        """Return the tally of a setting, empty before its first game."""
        return self.tallies.get(setting, Tally())

    def with_game(self, setting: Setting, result: Result, game: str) -> Scorebook:
        """Return the book with a game counted."""
        return replace(self, tallies={**self.tallies, setting: self.of(setting).with_game(result, game)})

    def table(self) -> dict[str, Any]:
        """Return the book as plain values."""
        return {
            "schema": SCHEMA,
            "scores": [{**asdict(setting), **asdict(tally)} for setting, tally in sorted(self.tallies.items())],
        }

    @classmethod
    def parse(cls, table: object) -> Scorebook:
        """Read plain values; raises :class:`RecordError` for what is not a book."""
        if not isinstance(table, Mapping) or table.get("schema") != SCHEMA:
            raise RecordError(f"is no book of scores of this version ({SCHEMA})")
        scores = table.get("scores")
        if not isinstance(scores, list) or not all(isinstance(entry, Mapping) for entry in scores):
            raise RecordError("scores: must be a list of tables")
        tallies = {Setting.parse(entry): _tally(entry) for entry in scores}
        if len(tallies) < len(scores):
            raise RecordError("scores: a setting stands there twice")
        return cls(tallies)


def _tally(entry: Mapping[str, Any]) -> Tally:
    values: dict[str, Any] = {one.name: entry.get(one.name) for one in fields(Tally)}
    for name, value in values.items():
        kind = str if name == "last_game" else int
        if type(value) is not kind:
            raise RecordError(f"{name} = {value!r}: must be {'text' if kind is str else 'a whole number'}")
    return Tally(**values)
