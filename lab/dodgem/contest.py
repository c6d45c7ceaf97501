"""A person's game against a level: what may happen in it, as values that are saved after every move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from engine.dodgem.board import Move
from engine.dodgem.match import Match
from engine.dodgem.notation import parse_move
from engine.dodgem.players import PLAYERS, decide
from engine.dodgem.rules import DodgemRules, Side, StuckRule
from engine.dodgem.state import unsolved
from engine.dodgem.table import Table
from engine.errors import GameError, RecordError
from engine.rng import Purpose, Streams
from lab.dodgem.scorebook import Result, Setting

SCHEMA = "rules-lab/dodgem-game/1"

PERSON, COMPUTER = Side.UP, Side.RIGHT
"""The person drives up and moves first, as on the page that describes the game to be played."""

Tables = Callable[[int, StuckRule], Table]
"""Where solved boards come from."""


@dataclass(frozen=True)
class Contest:
    """A person's game.

    Attributes
    ----------
    setting
        What is played.
    identity
        Name of this game among all, by which it is counted once.
    seed
        Seed of the computer's chance: its k-th move has the same luck whatever is taken back.
    match
        The game.
    resigned
        Whether the person has given up.
    """

    setting: Setting
    identity: str
    seed: int
    match: Match
    resigned: bool = False

    @classmethod
    def begin(cls, setting: Setting, identity: str, seed: int) -> Contest:
        """Return a game in which nobody has moved."""
        return cls(setting, identity, seed, Match.begin(_rules(setting)))

    @property
    def result(self) -> Result | None:
        """How the game ended for the person; nothing while it goes on."""
        if self.resigned:
            return "loss"
        if (verdict := self.match.verdict) is None:
            return None
        if verdict.winner is None:
            return "draw"
        return "win" if verdict.winner == PERSON else "loss"

    @property
    def persons_turn(self) -> bool:
        """Whether the person is to move."""
        return self.match.position.to_move == PERSON

    def after(self, move: Move) -> Contest:
        """Return the game after a move of whoever is to move."""
        return replace(self, match=self.match.after(move))

    def reply(self, tables: Tables) -> Move:
        """Return the computer's move; only the perfect level looks at a table."""
        player, position = PLAYERS[self.setting.level](), self.match.position
        turn = len(self.match.moves) // 2
        chance = Streams(self.seed, 0).stream(Purpose.DECISIONS_SECOND).random((turn + 1, 2))[turn]
        perfect = self.setting.level == "perfect"
        solution = tables(self.setting.board, self.setting.stuck).solution if perfect else unsolved()
        return decide(player, position, self.setting.stuck, chance, solution)

    def undone(self) -> Contest | None:
        """Return the game before the person's last move, or nothing where there is none to take back."""
        back = 2 if self.persons_turn else 1
        match = self.match
        if len(match.moves) < back:
            return None
        return replace(self, match=Match(match.rules, match.moves[:-back], match.positions[:-back]))

    def given_up(self) -> Contest:
        """Return the game resigned by the person."""
        return replace(self, resigned=True)

    def table(self) -> dict[str, Any]:
        """Return the game as plain values."""
        return {
            "schema": SCHEMA,
            **asdict(self.setting),
            "identity": self.identity,
            "seed": self.seed,
            "moves": [str(move) for move in self.match.moves],
            "resigned": self.resigned,
        }

    @classmethod
    def parse(cls, table: object) -> Contest:
        """Read plain values and play the moves again; raises :class:`RecordError` for what is not such a game."""
        if not isinstance(table, Mapping) or table.get("schema") != SCHEMA:
            raise RecordError(f"is no game of this version ({SCHEMA})")
        identity, seed = table.get("identity"), table.get("seed")
        moves, resigned = table.get("moves"), table.get("resigned")
        if not (isinstance(identity, str) and type(seed) is int and seed >= 0 and type(resigned) is bool):
            raise RecordError("identity, seed or resigned is missing or of the wrong kind")
        if not isinstance(moves, list):
            raise RecordError("moves: must be a list")
        contest = cls.begin(Setting.parse(table), identity, seed)
        for number, move in enumerate(moves):
            try:
                contest = contest.after(parse_move(str(move), contest.match.position))
            except (GameError, RecordError) as error:
                raise RecordError(f"moves[{number}]: {error}") from None
        return replace(contest, resigned=resigned)


def _rules(setting: Setting) -> DodgemRules:
    return DodgemRules(board=setting.board, stuck=setting.stuck, first_mover="up")
