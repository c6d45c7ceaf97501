"""A sweep's folder: its base, every variant it was ever asked for, and a run folder for each.

::

    sweep.json          the resolved base, its hash, and what each variant changes
    runs/VARIANT/       a run folder each (lab.results.folder), the base's among them
    results.csv         every metric of every variant, beside its difference from the base
    pairings.csv        seat-swapped pairs, where there are any
    effects/            a figure for each parameter

Runs stay whole runs, so that all that reads, checks or continues a run does so here too, and a variant that
another sweep of the same base asks for again is there already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.errors import ConfigError
from lab.errors import RunError
from lab.games import adapter_of
from lab.results import provenance
from lab.results.files import read_json, remove_leftovers, write_json
from lab.results.folder import Folder
from lab.spec import Experiment, differences
from lab.sweeps.variants import Variant, keys_of, value_at, variant_of

if TYPE_CHECKING:
    import pandas as pd

SCHEMA: Final = "rules-lab/sweep/1"


@dataclass(frozen=True)
class SweepFolder:
    """Paths of a sweep's folder."""

    path: Path

    @property
    def file(self) -> Path:
        """What the sweep is."""
        return self.path / "sweep.json"

    def exists(self) -> bool:
        """Say whether there is a sweep here."""
        return self.file.is_file()

    def run(self, variant: Variant) -> Folder:
        """Return a variant's run folder."""
        return Folder(self.path / "runs" / variant.folder)

    def variants(self) -> tuple[Variant, ...]:
        """Read the variants, the base first; raises :class:`RunError` where they are not what was written."""
        if not self.exists():
            raise RunError(f"{self.path}: is no sweep's folder (it has no {self.file.name})")
        stored = read_json(self.file, SCHEMA)
        try:
            base = Experiment.parse(stored["base"])
            variants = tuple(variant_of(base, entry["changes"]) for entry in stored["variants"])
        except ConfigError as error:
            raise RunError(f"{self.file}: {error}") from None
        except (KeyError, TypeError, AttributeError):
            raise RunError(f"{self.file}: is not what was written") from None
        known = [entry["hash"] for entry in stored["variants"]]
        if [variant.experiment.hash() for variant in variants] != known or variants[0].changes:
            raise RunError(
                f"{self.file}: its variants are not the experiments their hashes name: it was edited, or written "
                f"by a version with other rules"
            )
        return variants

    def admit(self, variants: Sequence[Variant]) -> None:
        """Raise :class:`ConfigError` unless these variants may be played here; writes nothing.

        A folder that does not exist, is empty, or holds a sweep of the same base by the same code admits them.
        """
        base, path = variants[0].experiment, str(self.path)
        if not self.exists():
            if self.path.exists() and not self.path.is_dir():
                raise ConfigError("out", path, "must be a folder, and is a file")
            if self.path.exists() and not all(item.name.startswith(".") for item in self.path.iterdir()):
                raise ConfigError("out", path, "must be a new or empty folder, or that of a sweep")
            return
        there = self.variants()[0].experiment
        if found := differences(there.identity(), base.identity()):
            shown = "; ".join(f"{key} is {there!r} there, {here!r} here" for key, there, here in found[:3])
            more = f"; and {len(found) - 3} more" if len(found) > 3 else ""
            raise ConfigError("out", path, f"must not hold a sweep of another base: {shown}{more}")
        code = provenance.code_hash(adapter_of(base.game))
        for variant in variants:
            self.run(variant).admit(variant.experiment, code)

    def prepare(self, variants: Sequence[Variant]) -> None:
        """Note the variants, those that are there already first; call it with the folder locked."""
        remove_leftovers(self.path)
        there = self.variants() if self.exists() else ()
        merged = {variant.experiment.hash(): variant for variant in (*there, *variants)}
        entries = [
            {"folder": variant.folder, "hash": identity, "changes": variant.changes}
            for identity, variant in merged.items()
        ]
        base = variants[0].experiment
        write_json(self.file, {"schema": SCHEMA, "base": base.table(), "hash": base.hash(), "variants": entries})
        (self.path / "runs").mkdir(exist_ok=True)

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return the games of all variants as one data frame, for notebooks.

        Parameters
        ----------
        columns
            Which of the game's columns to read (default: all).

        Returns
        -------
        pandas.DataFrame
            Indexed by ``variant`` (its label) and ``game``; a column for each key that any variant changes comes
            first, with the variant's value.
        """
        import pandas as pd

        from lab.results.run import Run

        variants = [variant for variant in self.variants() if self.run(variant).exists()]
        keys = keys_of(variants)
        frames: list[Any] = []
        for variant in variants:
            frame = Run(self.run(variant).path).frame(columns)
            for place, key in enumerate(keys):
                frame.insert(place, key, [value_at(variant.experiment, key)] * len(frame))
            frames.append(frame)
        return pd.concat(frames, keys=[variant.label for variant in variants], names=["variant"])
