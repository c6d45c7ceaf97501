"""How fast the lab is on this machine: `make bench` runs it, writes README.md and figures.csv beside it.

What is worse than the committed figures by more than a fifth is printed as a regression.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from figures import HERE, Figure, committed, regressions, seconds, table, write_figures, write_sections
from positions import garrison_of, positions
from scaling import write_scaling
from where_time_goes import PREVIEWS, decide_in_part

from engine.dotfight.actions import Flick
from engine.dotfight.adjudicate import judge_of
from engine.dotfight.game import Dotfight
from engine.dotfight.rules import Rules
from engine.rng import Streams
from lab.driver import run
from lab.experiment_file import load, parse_change
from lab.games import adapter_of
from lab.results.folder import Folder
from lab.results.store import writing_to
from lab.runners.batch import Batch, job_text, play_batch
from lab.spec import Experiment

ROOT = HERE.parent.parent
CONFIGS = ROOT / "configs" / "dotfight"
SIZES = {"3 × 8": ("quick.toml", 60), "4 × 8": ("classic.toml", 40), "5 × 10": ("dawood.toml", 16)}
GEOMETRIES = ("kernel", "shapely")
ROUNDS = 5
RAY_GAMES, RAY_ROUNDS = 2000, 3
SHORT_GAMES = 12
STORED = 64
MEN, BASES = (4, 6, 8, 10, 12), (2, 3, 4, 5)
DODGEM_BOARDS = (3, 4)
FIRST_GAME = """
import time
start = time.perf_counter()
import sys
from pathlib import Path
from engine.rng import Streams
from lab.experiment_file import load
from lab.first_game import compile_first
from lab.games import adapter_of
quick = load(Path(sys.argv[1]))
game = adapter_of(quick.game).game
loaded = time.perf_counter()
compile_first(quick, lambda text: None)
game.play(quick.rules, quick.players, Streams(1, 0))
print(loaded - start, time.perf_counter() - loaded)
"""
SERIAL_RUN = """
import os, sys
from pathlib import Path
from lab.driver import run
from lab.experiment_file import load, parse_change
run(load(Path(sys.argv[1]), dict([parse_change("run.games=200")])), Path(sys.argv[2], str(os.getpid())), workers=0)
# Not by getrusage, which begins with the size of the process that started this one.
(peak,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print(int(peak.split()[1]) / 1024)
"""


def play(experiment: Experiment, first: int, games: int) -> None:
    """Play games and measure them for their rows, without writing any."""
    adapter = adapter_of(experiment.game)
    for index in range(first, first + games):
        adapter.measure(adapter.game.play(experiment.rules, experiment.players, Streams(1, index)))


def changed(config: Path, **changes: Any) -> Experiment:
    """Return the experiment of a config with some rules changed."""
    return load(config, dict(parse_change(f"{key}={value}") for key, value in changes.items()))


def games_per_second() -> list[Figure]:
    """Measure one core by size and geometry, the geometries in turn."""
    figures: list[Figure] = []
    for size, (config, games) in SIZES.items():
        rates: dict[str, list[float]] = {geometry: [] for geometry in GEOMETRIES}
        for round_ in range(ROUNDS + 1):  # the first warms up
            for geometry, runs in rates.items():
                experiment = changed(CONFIGS / config, geometry=geometry)
                elapsed = seconds(partial(play, experiment, round_ * games, games))
                if round_:
                    runs.append(games / elapsed)
        figures += [Figure(f"{size}, {geometry} adjudicates", runs, "games/s") for geometry, runs in rates.items()]
        ratios = [s / k for k, s in zip(rates["kernel"], rates["shapely"], strict=True)]
        figures.append(Figure(f"{size}, Shapely / kernel", ratios, "ratio"))
    return figures


def pieces_per_second() -> list[Figure]:
    """Measure previews in a compiled loop, and the adjudication of flicks as Python asks for it."""
    figures: list[Figure] = []
    rules = Rules(bases_per_side=3, geometry="kernel")
    games = list(positions(rules, 4))
    times = 20
    previews = times * sum(
        int(position.seat.given(position.page)[-2]["imagined"][0]) for game in games for position in game
    )

    def preview() -> None:
        for game in games:
            for position in game:
                decide_in_part(PREVIEWS, times, *position.seat.given(position.page))

    preview()
    figures.append(Figure("previews", [previews / seconds(preview) for _ in range(ROUNDS)], "1/s"))
    for geometry in GEOMETRIES:
        rules = Rules(bases_per_side=3, geometry=geometry)
        tasks = [
            (judge_of(rules, game[0].page.bases), position.page.men, garrison_of(position.page), position.action)
            for game in games
            for position in game
            if isinstance(position.action, Flick)
        ]

        def adjudicate(tasks: Any = tasks) -> None:
            for judge, men, garrison, flick in tasks:
                judge.judge(men, garrison, flick)

        adjudicate()
        rates = [len(tasks) / seconds(adjudicate) for _ in range(ROUNDS)]
        figures.append(Figure(f"flicks adjudicated, {geometry}", rates, "1/s"))
    return figures


def start_up() -> list[Figure]:
    """Measure a new process to its first game: with nothing compiled yet, and with everything cached."""
    cold: list[float] = []
    warm: list[float] = []
    imports: list[float] = []
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        for round_ in range(ROUNDS):
            command = [sys.executable, "-c", FIRST_GAME, str(CONFIGS / "quick.toml")]
            printed = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
            loaded, first_game = map(float, printed.split())
            imports.append(loaded)
            (warm if round_ else cold).append(first_game)
    return [
        Figure("imports", imports, "s"),
        Figure("first game, nothing compiled", cold, "s"),
        Figure("first game, cached", warm, "s"),
    ]


def ray_scaling() -> list[Figure]:
    """Measure runs on one core without Ray, and by Ray, in turn: a machine's speed comes and goes."""
    with tempfile.TemporaryDirectory() as folder:
        numbers = count()

        def run_of(games: int, workers: int) -> float:
            experiment = changed(CONFIGS / "quick.toml", **{"run.games": games})
            return seconds(lambda: run(experiment, Path(folder, str(next(numbers))), workers=workers))

        run_of(2, 0)
        serial: list[float] = []
        begin: list[float] = []
        two: list[float] = []
        rest: list[float] = []
        for _ in range(RAY_ROUNDS):
            with playing_timed() as played:
                serial.append(run_of(RAY_GAMES, 0))
            rest.append(100.0 * (1.0 - sum(played) / serial[-1]))
            begin.append(run_of(2, 2))
            two.append(run_of(RAY_GAMES, 2))
        one = run_of(RAY_GAMES, 1)
    rounds = list(zip(serial, begin, two, strict=True))
    return [
        Figure(f"{RAY_GAMES:,} games on one core, no Ray", serial, "s"),
        Figure("share of that which is not playing", rest, "%"),
        Figure("Ray started and stopped around 2 games", begin, "s"),
        Figure(f"{RAY_GAMES:,} games by Ray on 1 core, all told", [one], "s"),
        Figure(f"{RAY_GAMES:,} games by Ray on 2 cores, all told", two, "s"),
        Figure("speed-up by Ray on 2 cores, all told", [s / t for s, _, t in rounds], "ratio"),
        Figure("speed-up by Ray on 2 cores, start and stop apart", [s / (t - b) for s, b, t in rounds], "ratio"),
    ]


@contextmanager
def playing_timed() -> Generator[list[float], None, None]:
    """Note how long each game takes that this process plays inside the block, without what is made of it."""
    played: list[float] = []
    play = Dotfight.play

    def timed(*given: Any) -> Any:
        began = time.perf_counter()
        game = play(*given)
        played.append(time.perf_counter() - began)
        return game

    Dotfight.play = timed
    try:
        yield played
    finally:
        Dotfight.play = play


def memory() -> list[Figure]:
    """Measure the peak memory of a process that plays."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", SERIAL_RUN, str(CONFIGS / "quick.toml"), folder]
        alone = 0.0
        for _ in range(2):  # the first may compile, which takes memory too
            alone = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])
    return [Figure("peak of a process that plays 200 games itself", [alone], "MiB")]


def storing() -> list[Figure]:
    """Measure what the driver does for each batch it takes in, and what a game takes on disk."""
    experiment = changed(CONFIGS / "quick.toml", geometry="kernel", **{"run.games": ROUNDS * STORED})
    outcomes = [
        play_batch(Batch(job_text(experiment), round_ * STORED, (round_ + 1) * STORED)) for round_ in range(ROUNDS)
    ]
    with tempfile.TemporaryDirectory() as folder:
        place = Folder(Path(folder) / "run")
        with writing_to(place, experiment) as store:
            added = [seconds(partial(store.add, outcome)) * 1e3 for outcome in outcomes]
            store.compact()
        size = sum(path.stat().st_size for path in place.games.iterdir())
    return [
        Figure(f"a batch of {STORED} games checked and written by the driver", added, "ms"),
        Figure("a game of 3 × 8 on disk", [size / len(outcomes) / STORED], "bytes"),
    ]


def growth() -> list[Figure]:
    """Measure what a game costs against men and bases, and draw it."""
    figures: list[Figure] = []
    picture, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    for bases in BASES:
        costs: list[float] = []
        for men in MEN:
            shape = {"bases_per_side": bases, "soldiers_per_base": men, "geometry": "kernel"}
            experiment = changed(CONFIGS / "quick.toml", **shape)
            elapsed = [seconds(partial(play, experiment, round_ * SHORT_GAMES, SHORT_GAMES)) for round_ in range(3)]
            costs.append(float(np.median(elapsed)) * 1e3 / SHORT_GAMES)
            name = f"a game of {bases} × {men}, kernel adjudicates"
            figures.append(Figure(name, [seconds_ * 1e3 / SHORT_GAMES for seconds_ in elapsed], "ms"))
        axes.plot(MEN, costs, marker="o", label=f"{bases} bases a side")
    axes.set(xlabel="men in each base", ylabel="ms a game", xticks=MEN, ylim=(0, None))
    axes.set_title(f"What a game costs, kernel adjudicates ({SHORT_GAMES} games, median of 3)", loc="left", fontsize=10)
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    picture.savefig(HERE / "growth.svg", metadata={"Date": None})
    plt.close(picture)
    return figures


def lab(*arguments: str) -> None:
    """Run the command line in a process of its own."""
    command = Path(sys.executable).with_name("lab")
    subprocess.run([command, *arguments], check=True, stdout=subprocess.DEVNULL)


def others() -> list[Figure]:
    """Measure Dodgem's solver and the reports of a run and of a sweep."""
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for board in DODGEM_BOARDS:
            solve = partial(lab, "dodgem", "solve", "--board", str(board), "--tables", str(root / f"dodgem-{board}"))
            figures.append(Figure(f"Dodgem {board} × {board} solved, a process of its own", [seconds(solve)], "s"))
        quick = str(CONFIGS / "quick.toml")
        lab("run", quick, "--games", "300", "--set", "geometry=kernel", "--workers", "0", "--out", str(root / "run"))
        report = partial(lab, "report", str(root / "run"), "--out", str(root / "report"))
        figures.append(Figure("report of a run of 300 games, a process of its own", [seconds(report)], "s"))
    return figures


SECTIONS: dict[str, Callable[[], list[Figure]]] = {
    "Games a second on one core": games_per_second,
    "Previews and adjudications": pieces_per_second,
    "Start-up": start_up,
    "Runs, and Ray": ray_scaling,
    "Memory": memory,
    "Storing": storing,
    "Cost against men and bases": growth,
    "Dodgem and reports": others,
}


def main() -> None:
    """Measure, print, compare with the committed figures, and write the page."""
    before = committed()
    every: list[Figure] = []
    page: dict[str, str] = {}
    for title, measure in SECTIONS.items():
        figures = measure()
        every += figures
        page[title] = table(figures)
        if measure is growth:
            page[title] = f"![ms a game against men in each base, by bases a side](growth.svg)\n\n{page[title]}"
        print(f"\n## {title}\n\n{page[title]}", flush=True)
    worse = regressions(every, before)
    print("\n" + "\n".join([f"worse than committed: {line}" for line in worse] or ["nothing is worse than committed"]))
    write_sections(page)
    write_figures(every)
    write_scaling({figure.name: figure.middle for figure in every})


if __name__ == "__main__":
    main()
