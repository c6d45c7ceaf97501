"""A game of Dodgem as JSON: rules, players, seed, every move as typed, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.dodgem.board import Move
from engine.dodgem.match import Match, Verdict
from engine.dodgem.notation import parse_move
from engine.dodgem.players import PLAYERS, Player
from engine.dodgem.rules import DodgemRules
from engine.errors import ConfigError, GameError, RecordError
from engine.game import SEATS

SCHEMA = "dodgem-record/1"

_KEYS = ("schema", "game", "rules", "players", "seed", "index", "actions", "result")


@dataclass(frozen=True)
class Origin:
    """Where a game came from: who played, first seat first, and its place in an experiment."""

    players: tuple[Player, Player]
    seed: int
    index: int


def write_record(rules: DodgemRules, origin: Origin, moves: Iterable[Move], verdict: Verdict) -> dict[str, Any]:
    """Return a game as plain JSON values."""
    return {
        "schema": SCHEMA,
        "game": "dodgem",
        "rules": rules.table(),
        "players": {
            seat: {"name": player.name, **player.table()} for seat, player in zip(SEATS, origin.players, strict=True)
        },
        "seed": origin.seed,
        "index": origin.index,
        "actions": [str(move) for move in moves],
        "result": _result(rules, verdict),
    }


def read_record(record: Mapping[str, Any]) -> tuple[Origin, Match, Verdict]:
    """Read a game and play it again, move by move, through the readable rules.

    Raises
    ------
    RecordError
        Naming the part that is missing, wrong, against the rules, or ends otherwise than the record says.
    """
    if record.get("schema") != SCHEMA:
        raise RecordError(f"record.schema = {_shown(record.get('schema'))}: must be {SCHEMA!r}")
    for key in _KEYS:
        if key not in record:
            raise RecordError(f"record.{key}: is missing")
    for key in record:
        if key not in _KEYS:
            raise RecordError(f"record.{key}: unknown key; known here: {', '.join(_KEYS)}")
    if record["game"] != "dodgem":
        raise RecordError(f"record.game = {_shown(record['game'])}: must be 'dodgem'")
    try:
        rules = DodgemRules.parse(_table(record, "rules"))
    except ConfigError as error:
        raise RecordError(f"record.{error.inside('rules')}") from None
    players = _table(record, "players")
    if set(players) != set(SEATS):
        raise RecordError(f"record.players = {_shown(players)}: must name {' and '.join(SEATS)}")
    first, second = (_player(players, seat) for seat in SEATS)
    origin = Origin((first, second), _natural(record, "seed"), _natural(record, "index"))
    match = _played(rules, record["actions"])
    if match.verdict is None:
        raise RecordError("record.actions: end before the game is over")
    if record["result"] != (result := _result(rules, match.verdict)):
        raise RecordError(f"record.result = {_shown(record['result'])}: the actions give {result}")
    return origin, match, match.verdict


def _played(rules: DodgemRules, actions: Any) -> Match:
    if not isinstance(actions, list):
        raise RecordError(f"record.actions = {_shown(actions)}: must be a list of moves")
    match = Match.begin(rules)
    for number, text in enumerate(actions):
        try:
            if not isinstance(text, str):
                raise RecordError(f"{_shown(text)} is not a move")
            match = match.after(parse_move(text, match.position))
        except (GameError, RecordError) as error:
            raise RecordError(f"record.actions[{number}]: {error}") from None
    return match


def _result(rules: DodgemRules, verdict: Verdict) -> dict[str, Any]:
    winner = None if verdict.winner is None else SEATS[verdict.winner != rules.first_side]
    return {"winner": winner, "decided_by": verdict.decided_by}


def _player(players: Mapping[str, Any], seat: str) -> Player:
    options = dict(_table(players, seat, f"players.{seat}"))
    name = options.pop("name", None)
    if not isinstance(name, str) or name not in PLAYERS:
        raise RecordError(f"record.players.{seat}.name = {_shown(name)}: must be one of {', '.join(PLAYERS)}")
    try:
        return PLAYERS[name].parse(options)
    except ConfigError as error:
        raise RecordError(f"record.{error.inside(f'players.{seat}')}") from None


def _table(record: Mapping[str, Any], key: str, where: str = "") -> Mapping[str, Any]:
    value = record[key]
    if not isinstance(value, Mapping):
        raise RecordError(f"record.{where or key} = {_shown(value)}: must be a table")
    return value


def _natural(record: Mapping[str, Any], key: str) -> int:
    value = record[key]
    if type(value) is not int or value < 0:
        raise RecordError(f"record.{key} = {_shown(value)}: must be a whole number, at least 0")
    return value


def _shown(value: object) -> str:
    return repr(value)[:80]
