"""Coverage-guided fuzzing of one reader: ``python tests/fuzz_readers.py READER FOLDER SECONDS``.

Inputs that reach code no other has reached are kept in FOLDER and varied further; one that ends in a traceback, takes
longer than twenty seconds or two gigabytes ends the process with an exit status other than 0.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import atheris

WATCHED = ["tomllib", "json.decoder", "engine", "lab"]
"""Packages whose branches guide the search."""

ENGINE = Path(__file__).parents[1] / "engine"
COMPILED = [
    ".".join(path.relative_to(ENGINE.parent).with_suffix("").parts)
    for path in ENGINE.rglob("*.py")
    if "engine.jit" in path.read_text()
]
"""Modules that must stay as they are, for Numba could not compile what watches them."""

with atheris.instrument_imports(include=WATCHED, exclude=COMPILED, enable_loader_override=False):
    from readers import ODD, ODD_TOML, examples, feed, paths, spoilt, spoilt_line


def main(reader: str, folder: Path, seconds: int) -> None:
    """Fuzz for so many seconds."""
    found = examples(reader)
    # The first byte chooses between the bytes as they are and an example that the rest says how to spoil.
    for number, example in enumerate(found):
        (folder / f"example-{number}").write_bytes(b"\0" + example)
    for number in range(64):
        (folder / f"spoilt-{number}").write_bytes(b"\xff" + hashlib.sha256(bytes([number])).digest())

    def once(data: bytes) -> None:
        if not data[:1] or data[0] < 128:
            feed(reader, data[1:])
            return
        choices = atheris.FuzzedDataProvider(data[1:])
        content = found[choices.ConsumeIntInRange(0, len(found) - 1)]
        if reader in ("experiment", "sweep"):
            for _ in range(choices.ConsumeIntInRange(1, 4)):
                value = ODD_TOML[choices.ConsumeIntInRange(0, len(ODD_TOML) - 1)]
                content = spoilt_line(content, choices.ConsumeIntInRange(0, 500), value)
            feed(reader, content)
            return
        tree = json.loads(content)
        for _ in range(choices.ConsumeIntInRange(1, 4)):
            if not (places := paths(tree)):
                break
            number = choices.ConsumeIntInRange(0, len(ODD))
            value = ODD[number] if number < len(ODD) else ...
            tree = spoilt(tree, places[choices.ConsumeIntInRange(0, len(places) - 1)], value)
        feed(reader, json.dumps(tree).encode())

    for example in found:
        feed(reader, example)
    options = [f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048", f"-artifact_prefix={folder}/"]
    atheris.Setup([sys.argv[0], *options, "-max_len=65536", "-verbosity=0", str(folder)], once)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
