"""What the figures of a benchmark imply for runs far larger than any benchmark: writes SCALING.md."""

from __future__ import annotations

from collections.abc import Mapping

from figures import HERE, shown

from lab.runners.plan import BATCH_SECONDS

GAMES = (10**6, 10**8, 10**10)
CORES = (2, 64, 4096)
DAY = 86_400.0
GIB = 2.0**30


def duration(seconds: float) -> str:
    """Return a length of time in the unit that suits it."""
    for unit, size in (("years", 365.25 * DAY), ("days", DAY), ("h", 3600.0), ("min", 60.0)):
        if seconds >= size:
            return f"{shown(seconds / size)} {unit}"
    return f"{shown(seconds)} s"


def write_scaling(figures: Mapping[str, float]) -> None:
    """Write the page from figures by name (median)."""
    rate = figures["3 × 8, kernel adjudicates"]
    shapely = figures["3 × 8, shapely adjudicates"]
    size = figures["a game of 3 × 8 on disk"]
    batch = next(value for name, value in figures.items() if name.startswith("a batch of")) / 1e3
    memory = figures["peak of a process that plays 200 games itself"]
    limit = BATCH_SECONDS / batch
    rows = [
        f"| 10^{len(str(games)) - 1} games | "
        + " | ".join(duration(games / rate / min(cores, limit)) for cores in CORES)
        + f" | {shown(games * size / GIB)} GiB |"
        for games in GAMES
    ]
    text = f"""# What the figures mean for long runs

Computed from [figures.csv](figures.csv) by `make bench`; every number is of one machine and one size, 3 × 8.

- **A game** takes {shown(1e3 / rate)} ms of one core where the kernel adjudicates, {shown(1e3 / shapely)} ms with
  Shapely, whatever the number of games: nothing in a game depends on those before it, since its random streams are
  keyed by its own index.
- **On disk** a game takes {shown(size)} bytes, in files of 128 MiB; reading one column reads that column only.
- **A worker** needs {shown(memory)} MiB at its peak, most of it imports, whatever the number of games; where it has to
  compile as well, about 150 more.
- **The driver** checks and writes a batch, about {BATCH_SECONDS:g} s of a worker's play, in {shown(batch * 1e3)} ms. It
  takes in about {1 / batch:.0f} batches a second, so it keeps about {limit:.0f} cores busy and no more.

| kernel adjudicates | {" | ".join(f"{cores:,} cores" for cores in CORES)} | on disk |
|---|{"---|" * len(CORES)}---|
{chr(10).join(rows)}

Beyond {limit:.0f} cores the driver bounds the time, as said above. Start-up (some seconds for Ray, once) is left out.

**What breaks first, and why it does not.** Not memory: batches in flight are a fixed number for each worker, and a
file is written in row groups of 8,192 games. Not the number of files: parts are joined as the run goes, 512 at a time.
It is the one driver. Beyond about {limit:.0f} cores batches come faster than it writes them; workers then wait,
since no more than a fixed number of batches is ever in flight, and nothing is lost. Two ways round it, both exact
because a game is a function of seed and index alone: longer batches (`BATCH_SECONDS` in `lab/runners/plan.py`; ten
times as long make room for ten times the cores), or several runs of other seeds side by side, each with a driver of its
own. For 10^10 games the disk asks for the second one anyway.
"""
    (HERE / "SCALING.md").write_text(text, encoding="utf-8")
