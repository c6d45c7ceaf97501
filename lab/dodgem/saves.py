"""A person's games and scores on disk: whole after any crash, never reset in silence.

::

    scores.json                    the book of scores
    game-BOARD-LEVEL-STUCK.json    the unfinished game of that setting, one at most
    *.damaged-N.json               what could not be read, kept aside
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from engine.errors import RecordError
from lab.dodgem import contest as contest_file
from lab.dodgem import scorebook
from lab.dodgem.contest import Contest
from lab.dodgem.places import holding
from lab.dodgem.scorebook import Scorebook, Setting
from lab.errors import RunError, other_schema
from lab.printable import printable
from lab.results.files import remove_leftovers, sync_folder, write_json

T = TypeVar("T")


@dataclass(frozen=True)
class Saves:
    """A folder of a person's games and scores.

    Attributes
    ----------
    folder
        The folder; made when something is first written.
    say
        Told, in a line, of a file that could not be read and where it was put.
    """

    folder: Path
    say: Callable[[str], None]

    @property
    def scores_file(self) -> Path:
        """Where the book of scores is."""
        return self.folder / "scores.json"

    def game_file(self, setting: Setting) -> Path:
        """Return where the unfinished game of a setting is."""
        return self.folder / f"game-{setting.board}-{setting.level}-{setting.stuck}.json"

    @contextmanager
    def playing(self, setting: Setting) -> Generator[None, None, None]:
        """Hold the game of a setting, so that it is not played at two terminals at once."""
        try:
            with holding(self.folder / f".{self.game_file(setting).stem}.lock", wait=False):
                remove_leftovers(self.folder)
                yield
        except BlockingIOError:
            raise RunError(f"{setting}: is being played at another terminal") from None

    def scores(self) -> Scorebook:
        """Read the scores; empty before the first game, and where the file was damaged and is now kept aside."""
        return self._read(self.scores_file, scorebook.SCHEMA, Scorebook.parse) or Scorebook()

    def unfinished(self, setting: Setting) -> Contest | None:
        """Read the unfinished game of a setting, if there is one that can be read."""
        found = self._read(self.game_file(setting), contest_file.SCHEMA, Contest.parse)
        if found is not None and found.setting != setting:
            self._set_aside(self.game_file(setting), "is a game of another setting")
            return None
        return found

    def latest(self) -> Setting | None:
        """Return the setting of the game saved last, if any is unfinished."""
        games = sorted(self.folder.glob("game-?-*-*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in games:
            if (
                path.name.count(".") == 1
                and (found := self._read(path, contest_file.SCHEMA, Contest.parse)) is not None
            ):
                return found.setting
        return None

    def save(self, contest: Contest) -> None:
        """Save an unfinished game, atomically."""
        write_json(self.game_file(contest.setting), contest.table())

    def finish(self, contest: Contest) -> Scorebook:
        """Count a finished game and remove it; done twice, or after a crash in between, it counts once."""
        if (result := contest.result) is None:
            raise ValueError("the game is not over")
        with holding(self.folder / ".scores.lock"):
            book = self.scores().with_game(contest.setting, result, contest.identity)
            write_json(self.scores_file, book.table())
        self.game_file(contest.setting).unlink(missing_ok=True)
        sync_folder(self.folder)
        return book

    def _read(self, path: Path, schema: str, parse: Callable[[object], T]) -> T | None:
        """Return what a file holds; nothing where it is not there, or damaged and now kept aside.

        A sound file of another version of the format is refused instead, and stays where it is.
        """
        try:
            value = json.loads(path.read_bytes())
            found = value.get("schema") if isinstance(value, dict) else None
            if isinstance(found, str) and found != schema and found.startswith(schema.rpartition("/")[0]):
                raise other_schema(path, found, schema)
            return parse(value)
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError, RecordError) as error:
            self._set_aside(path, str(error))
            return None

    def _set_aside(self, path: Path, reason: str) -> None:
        number = 1
        while (aside := path.with_name(f"{path.stem}.damaged-{number}.json")).exists():
            number += 1
        path.rename(aside)
        sync_folder(path.parent)
        self.say(f"{path}: cannot be read ({printable(reason)}); it is kept as {aside.name}, and a new one is begun")
