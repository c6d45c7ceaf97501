"""Where a flick's ink meets walls, men and the page edge, by Shapely (R6.1, R6.2).

Points are complex numbers, x + iy: turning about a point is then a multiplication. The ink on the page is a
``LineString``. A man is met where the ink comes within reach of his centre, at the point of it nearest to him. A
wall is met when the ink comes within its radius of its centre. GEOS has no circles, only polygons inscribed in them
that a grazing line can miss: so Shapely says which pieces of the ink come within the circle, exactly, and the closed
form says where they cross it.
"""

from __future__ import annotations

from cmath import rect
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.dotfight.outcome import EDGE, MAN_HIT, WALL
from engine.dotfight.page import NOWHERE, Bases, Men
from engine.dotfight.rules import Rules

Geometries = NDArray[Any]
"""``(n,)`` array of Shapely geometries."""

Meeting = tuple[float, int, int]
"""(distance along the ink, EDGE, WALL or MAN_HIT, base or man): they sort in the order of R6.2, ties included."""


class Path(NamedTuple):
    """The ink still to be walked.

    ``points`` (n + 1,) are its vertices, ``arc`` (n + 1,) their distances along the whole ink from the man, and
    ``wall`` is the base on whose wall it begins because it was turned there, or NOWHERE.
    """

    points: NDArray[np.complex128]
    arc: NDArray[np.float64]
    wall: int

    def line(self) -> shapely.LineString:
        """Return the path as a geometry."""
        return shapely.linestrings(self.points.view(np.float64).reshape(-1, 2))

    def piece_at(self, d: float) -> int:
        """Return the piece on which distance ``d`` lies."""
        return min(int(self.arc.searchsorted(d, "right")), len(self.arc) - 1) - 1

    def at(self, d: float) -> complex:
        """Return the point at distance ``d``."""
        j = self.piece_at(d)
        (a, b), (start, end) = self.points[j : j + 2].tolist(), self.arc[j : j + 2].tolist()
        return a + (b - a) * ((d - start) / (end - start)) if end > start else a

    def turned(self, d: float, jolt: float, wall: int) -> Path:
        """Return what lies beyond distance ``d``, turned about the point there by ``jolt`` rad (R8.2)."""
        j, pivot = self.piece_at(d), self.at(d)
        points = pivot + (self.points[j:] - pivot) * rect(1.0, jolt)
        arc = self.arc[j:].copy()
        points[0], arc[0] = pivot, d
        return Path(points, arc, wall)


def ink_path(start: complex, angle: float, length: float, bend: float, segments: int) -> Path:
    """Return a flick's ink: a quadratic Bézier cut at equal parameters (R6.1)."""
    t = np.arange(segments + 1) / segments
    chord = rect(length, angle)
    control = (0.5 + 2j * bend) * chord
    points = start + (2.0 * control) * (t * (1.0 - t)) + chord * (t * t)
    arc = np.zeros(segments + 1)
    np.abs(points[1:] - points[:-1]).cumsum(out=arc[1:])
    return Path(points, arc, NOWHERE)


class Walls:
    """What a wall is: here, an exact circle round each base.

    For walls of another shape, such as polygons, this class is what changes: the ink meets a wall when it comes
    within ``reach`` of its ``cores`` geometry, and crosses it at ``crossings``.
    """

    def __init__(self, bases: Bases, radius: float) -> None:
        self.centres = bases["x"] + 1j * bases["y"]
        self.radius = radius
        self.cores: Geometries = shapely.points(bases["x"], bases["y"])
        self.reach = np.full(bases.shape[0], radius)

    def around(self, point: complex) -> list[int]:
        """Return the bases within whose wall a point lies, the wall itself included."""
        return np.flatnonzero(np.abs(self.centres - point) <= self.radius).tolist()

    def crossings(self, path: Path, base: int) -> list[float]:
        """Return the distances at which a path crosses the wall of a base, in or out."""
        found: list[float] = []
        square = self.radius * self.radius
        local = (path.points - self.centres[base]).tolist()
        arc = path.arc.tolist()
        standing = path.wall == base
        b = local[0]
        ends_inside = b.real * b.real + b.imag * b.imag < square
        for j in range(1, len(local)):
            a, b = b, local[j]
            inside = ends_inside
            ends_inside = b.real * b.real + b.imag * b.imag < square
            if inside and ends_inside and j > 1:
                continue
            step = b - a
            lean = a.real * step.real + a.imag * step.imag
            if lean >= 0.0 and not inside:
                continue
            size = step.real * step.real + step.imag * step.imag
            rest = a.real * a.real + a.imag * a.imag - square
            if j == 1 and standing:  # it begins on this very wall, and goes in or out
                rest, inside = 0.0, lean < 0.0
            under_root = lean * lean - size * rest
            if (inside and ends_inside) or under_root <= 0.0:
                continue
            root = sqrt(under_root)
            if inside:
                shares = [min(1.0, (root - lean) / size)]
            elif ends_inside:
                shares = [max(0.0, (-root - lean) / size)]
            elif 0.0 < -lean < size:
                shares = [(-root - lean) / size, (root - lean) / size]
            else:
                shares = []
            start, end = arc[j - 1], arc[j]
            found += [start + share * (end - start) for share in shares]
        return found


class Sheet:
    """The page as ink meets it: its edge, its walls, and the men."""

    def __init__(self, rules: Rules, bases: Bases) -> None:
        self.walls = Walls(bases, rules.base_radius)
        self.bases = bases.shape[0]
        self.page = shapely.box(0.0, 0.0, rules.page_width, rules.page_height)
        shapely.prepare(self.page)
        self.edge = self.page.exterior
        self.places = np.concatenate([self.walls.centres, np.full(rules.men, np.inf)])
        self.things = np.concatenate([self.walls.cores, np.full(rules.men, None)])
        self.reach = np.concatenate([self.walls.reach, np.full(rules.men, rules.hit_reach)])

    def place(self, men: Men) -> None:
        """Take up where the men now stand."""
        places = men["x"] + 1j * men["y"]
        moved = (places != self.places[self.bases :]).nonzero()[0]
        if moved.size:
            there = places[moved]
            self.places[self.bases + moved] = there
            self.things[self.bases + moved] = shapely.points(there.view(np.float64).reshape(-1, 2))


class Ground:
    """The sheet with the men whom one flick can meet."""

    def __init__(self, sheet: Sheet, men: Men, ids: NDArray[np.int64]) -> None:
        self.sheet = sheet
        sheet.place(men)
        self.refs = np.concatenate([BASES[: sheet.bases], ids + sheet.bases])
        self.places = sheet.places[self.refs]
        self.things = sheet.things[self.refs]
        self.reach = sheet.reach[self.refs]
        self.span = 2.0 * self.reach

    def meetings(self, path: Path) -> list[Meeting]:
        """Return what a path meets, in order (R6.2)."""
        line = path.line()
        start = float(path.arc[0])
        found: list[Meeting] = []
        # Whatever is within reach of the path is so near both its ends, taken together: an ellipse.
        apart = np.abs(self.places - path.points[0]) + np.abs(self.places - path.points[-1])
        near = (apart - self.span <= path.arc[-1] - start).nonzero()[0]
        STAT.append(near.size)
        if near.size:
            things = self.things[near]
            met = shapely.dwithin(line, things, self.reach[near]).nonzero()[0]
            if met.size:
                refs = self.refs[near[met]].tolist()
                bases = self.sheet.bases
                alongs = shapely.line_locate_point(line, things[met]).tolist()
                for ref, along in zip(refs, alongs):
                    if ref < bases:
                        found += [(d, WALL, ref) for d in self.sheet.walls.crossings(path, ref)]
                    else:
                        found.append((start + along, MAN_HIT, ref - bases))
        if not shapely.covers(self.sheet.page, line):
            out = shapely.points(shapely.get_coordinates(shapely.intersection(line, self.sheet.edge)))
            d = shapely.line_locate_point(line, out).min()
            found.append((start + float(d), EDGE, NOWHERE))
        found.sort()
        return found


STAT = []
BASES = np.arange(100)
