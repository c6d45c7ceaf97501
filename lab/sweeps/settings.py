"""The table ``[design]`` of a sweep: which kind, how large, from which seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from engine.errors import ConfigError
from engine.parameters import Param, Parameters
from lab.design import Factor, LatinHypercube, SensitivityDesign, SobolPoints
from lab.spec import inside
from lab.stats.sensitivity import MorrisScreening, SobolSampling

SIZES: Final[dict[str, tuple[str, ...]]] = {
    "latin-hypercube": ("points",),
    "sobol": ("points",),
    "morris": ("trajectories", "levels"),
    "sobol-indices": ("points", "replicates"),
}
"""What says how large a sampled design is: the first must be given, the rest may."""

LEVELS: Final = 4
REPLICATES: Final = 8


@dataclass(frozen=True, kw_only=True)
class DesignSettings(Parameters):
    """The table ``[design]``; a size of 0 is one that is not given."""

    kind: Annotated[
        Literal["one-at-a-time", "grid", "latin-hypercube", "sobol", "morris", "sobol-indices", "list"],
        Param("which variants are made"),
    ]
    points: Annotated[int, Param("variants drawn; of sobol-indices the base points of a replicate", low=0)] = 0
    trajectories: Annotated[int, Param("trajectories of a Morris screening", low=0)] = 0
    levels: Annotated[int, Param("levels of a Morris screening's grid, an even number; 0 takes 4", low=0)] = 0
    replicates: Annotated[int, Param("independent samples of sobol-indices; 0 takes 8", low=0)] = 0
    seed: Annotated[int, Param("seed of a sampled design", low=0)] = 0

    @property
    def sampled(self) -> bool:
        """Whether variants are drawn from ranges."""
        return self.kind in SIZES

    def check(self) -> None:
        """Each size belongs to some kinds, and those whose first it is need it."""
        own = SIZES.get(self.kind, ())
        if own and not getattr(self, own[0]):
            raise ConfigError(own[0], 0, f"must be given for {self.kind}: how many to draw")
        for name in ("points", "trajectories", "levels", "replicates"):
            if (value := getattr(self, name)) and name not in own:
                kinds = ", ".join(kind for kind, names in SIZES.items() if name in names)
                raise ConfigError(name, value, f"is for {kinds}, not for {self.kind}")
        if self.kind == "sobol-indices" and (self.points < 8 or self.points & (self.points - 1)):
            raise ConfigError("points", self.points, "must be a power of 2, at least 8")

    def draw(self, factors: tuple[Factor, ...]) -> LatinHypercube | SobolPoints | SensitivityDesign:
        """Return the sampled design of these factors."""
        if self.kind == "latin-hypercube":
            return LatinHypercube(factors, self.points, self.seed)
        if self.kind == "sobol":
            return SobolPoints(factors, self.points, self.seed)
        with inside("design"):
            if self.kind == "morris":
                sampling = MorrisScreening(len(factors), self.trajectories, self.levels or LEVELS, self.seed)
            else:
                sampling = SobolSampling(len(factors), self.points, self.replicates or REPLICATES, self.seed)
        return SensitivityDesign(factors, sampling)
