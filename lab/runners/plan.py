"""Which games to hand out next, in batches of a second or two, sized by how long games have taken so far."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from lab.results.compact import ROW_GROUP
from lab.runners.batch import Batch

BATCH_SECONDS = 2.0
"""Checking, writing and joining a batch of Dotfight takes some 25 ms: too much of one second for a runner that is to
cost less than 5%, not of two (2026-12-01)."""

LARGEST_BATCH = ROW_GROUP


class Plan:
    """The games still to be handed out, in order of index.

    Parameters
    ----------
    experiment
        The experiment as text (:func:`lab.runners.batch.job_text`).
    missing
        Half-open ranges of game indices to play, ascending.
    """

    def __init__(self, experiment: str, missing: Iterable[tuple[int, int]]) -> None:
        self._experiment = experiment
        self._missing = deque(missing)
        self._beyond = 0
        self._returned: deque[Batch] = deque()
        self._size = 1
        self._observations = 0
        self.seconds_per_game: float | None = None

    @property
    def games_left(self) -> int:
        """Games not handed out yet."""
        return sum(stop - start for start, stop in self._missing) + sum(len(batch) for batch in self._returned)

    def take(self, workers: int) -> Batch | None:
        """Return the next batch for one of ``workers``, or None when all games are handed out.

        Towards the end batches shrink, so that no worker sits idle while another plays a long last one.
        """
        if self._returned:
            return self._returned.popleft()
        if not self._missing:
            return None
        fair_share = -(-self.games_left // (2 * workers)) if workers > 1 else self.games_left
        start, stop = self._missing.popleft()
        end = min(stop, start + min(self._size, fair_share))
        if end < stop:
            self._missing.appendleft((end, stop))
        return Batch(self._experiment, start, end)

    def give_back(self, batch: Batch) -> None:
        """Take back a batch that was not played; it is handed out again as it is."""
        self._returned.append(batch)

    def extend(self, missing: Iterable[tuple[int, int]], beyond: int) -> None:
        """Add games to hand out after all others; about ``beyond`` more may be asked for once they are played."""
        self._missing.extend(missing)
        self._beyond = beyond

    def observe(self, games: int, seconds: float) -> None:
        """Learn from ``games`` played in ``seconds`` how large a batch should be."""
        if not games:
            return
        latest = seconds / games
        # The first game of a process also loads and compiles: forgotten as soon as there is a second one.
        known = self.seconds_per_game if self._observations > 1 else None
        self._observations += 1
        self.seconds_per_game = latest if known is None else 0.5 * (known + latest)
        wanted = int(BATCH_SECONDS / max(self.seconds_per_game, 1e-9))
        self._size = max(1, min(wanted, 8 * self._size, LARGEST_BATCH))

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds of play left, on one worker, what may yet be asked for included; None before games tell."""
        if self.seconds_per_game is None or self._observations < 2:
            return None
        return self.seconds_per_game * (self.games_left + self._beyond)
