"""What a flick's ink meets and where, by Shapely (R6.1, R6.2).

Points are complex numbers, x + iy, so that turning about a point is a multiplication. The ink is a ``LineString``;
whatever it comes within reach of is found by ``dwithin`` and placed by ``line_locate_point``. GEOS has no circles,
only polygons inscribed in them that a grazing line can miss: there Shapely says which walls the ink meets and about
where, which is exact, and the closed form says at which points of those pieces.
"""

from __future__ import annotations

from bisect import bisect_right
from cmath import rect
from itertools import pairwise
from math import hypot, sqrt
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.dotfight.outcome import EDGE, MAN_HIT, WALL
from engine.dotfight.page import NOWHERE, Bases, Men
from engine.dotfight.rules import Rules
from engine.jit import entry_point

Geometry = Any
"""One Shapely geometry (typed loosely: Shapely's functions are declared to return either one or an array)."""
Geometries = Any
"""``(n,)`` array of Shapely geometries."""

OFF_PAGE = complex(np.inf, 0.0)
"""Where the dead are: within reach of nothing."""

Meeting = tuple[float, int, int]
"""(distance along the ink; EDGE, WALL or MAN_HIT; base or man), which sort as R6.2 asks, exact ties included."""

within: Any = shapely.dwithin  # takes an array of distances too, which its type does not say


def points_at(places: NDArray[np.complex128]) -> Geometries:
    """Return Shapely points at complex places, ``(n,)``."""
    return shapely.points(places.view(np.float64).reshape(-1, 2))


class Path:
    """The ink still to be walked: a polyline on the page.

    Attributes
    ----------
    points, arcs
        Vertices, ``(n + 1,)`` complex, and the distance along the whole ink, from the man, to each.
    spots, arc
        The same as lists, for arithmetic on one piece at a time.
    wall
        The base on whose wall the path begins because it was turned there, or NOWHERE.
    stretch
        The ink between two of the path's points is at most this many times as long as the straight line.
    """

    __slots__ = ("arc", "arcs", "points", "spots", "stretch", "wall")

    def __init__(self, points: NDArray[np.complex128], arcs: NDArray[np.float64], wall: int, stretch: float) -> None:
        self.points, self.arcs = points, arcs
        self.spots: list[complex] = points.tolist()
        self.arc: list[float] = arcs.tolist()
        self.wall = wall
        self.stretch = stretch

    def line(self) -> Geometry:
        """Return the path as a geometry."""
        return shapely.linestrings(self.points.view(np.float64).reshape(-1, 2))

    def piece_at(self, d: float) -> int:
        """Return the piece on which distance ``d`` lies."""
        return max(0, min(bisect_right(self.arc, d), len(self.arc) - 1) - 1)

    def at(self, d: float) -> complex:
        """Return the point at distance ``d``."""
        j = self.piece_at(d)
        size = self.arc[j + 1] - self.arc[j]
        share = (d - self.arc[j]) / size if size > 0.0 else 0.0
        return self.spots[j] + (self.spots[j + 1] - self.spots[j]) * share

    def turned(self, d: float, jolt: float, wall: int) -> Path:
        """Return what lies beyond distance ``d``, turned there by ``jolt`` rad, bow included (R8.2)."""
        j, pivot = self.piece_at(d), self.at(d)
        points = pivot + (self.points[j:] - pivot) * rect(1.0, jolt)
        points[0] = pivot
        arcs = self.arcs[j:].copy()
        arcs[0] = d
        return Path(points, arcs, wall, self.stretch)


class Walls:
    """What a wall is: here, an exact circle round each base.

    This class is what changes for bases of another shape. Ink that crosses a wall comes within ``radius`` of its
    centre; where it crosses, and what lies within, ``crossings`` and ``around`` say. For a polygon that would be
    Shapely's ``intersection`` with its outline, placed by ``line_locate_point``, and ``covers``.
    """

    def __init__(self, bases: Bases, radius: float) -> None:
        self.radius = radius
        self.centres: NDArray[np.complex128] = bases["x"] + 1j * bases["y"]

    def around(self, point: complex) -> list[int]:
        """Return the bases within whose wall a point lies, the wall itself included."""
        return (np.abs(self.centres - point) <= self.radius).nonzero()[0].tolist()

    def crossings(self, path: Path, base: int, nearest: float) -> list[float]:
        """Return the distances at which a path crosses a wall, in or out; it is nearest the centre at ``nearest``."""
        # Whatever ink lies inside the circle lies within a diameter of the nearest point.
        window = 2.0 * self.radius * path.stretch
        first, last = path.piece_at(nearest - window), path.piece_at(nearest + window)
        found = np.empty(2 * (last - first + 1))
        n = cross_circle(path.points, path.arcs, first, last, self.centres[base], self.radius, path.wall == base, found)
        return found[:n].tolist()


@entry_point
def cross_circle(
    points: NDArray[np.complex128],
    arcs: NDArray[np.float64],
    first: int,
    last: int,
    centre: complex,
    radius: float,
    begins_on_it: bool,
    found: NDArray[np.float64],
) -> int:
    """Write into ``found`` where the pieces ``first`` to ``last`` of a path cross a circle; return how many crossings.

    On the piece from a to b, seen from the centre, |a + t(b - a)|² = radius² is size·t² + 2·lean·t + rest = 0.
    """
    n = 0
    b = points[first] - centre
    inside = abs(b) < radius
    for j in range(first, last + 1):
        a, b = b, points[j + 1] - centre
        begins_inside, inside = inside, abs(b) < radius
        step = b - a
        lean = (a.conjugate() * step).real
        on_wall = j == 0 and begins_on_it
        if on_wall:
            begins_inside = lean < 0.0
        if begins_inside == inside and (inside or lean >= 0.0):
            continue
        size = step.real * step.real + step.imag * step.imag
        rest = 0.0 if on_wall else abs(a) ** 2 - radius * radius
        under_root = lean * lean - size * rest
        if under_root <= 0.0:
            continue
        root = sqrt(under_root)
        start, length = arcs[j], arcs[j + 1] - arcs[j]
        if begins_inside:
            found[n] = start + min(1.0, (root - lean) / size) * length
            n += 1
        elif inside:
            found[n] = start + max(0.0, (-root - lean) / size) * length
            n += 1
        elif -lean < size:
            found[n] = start + (-root - lean) / size * length
            found[n + 1] = start + (root - lean) / size * length
            n += 2
    return n


class Ground:
    """The page as ink meets it: its edge, its walls and its men."""

    def __init__(self, rules: Rules, bases: Bases) -> None:
        self.walls = Walls(bases, rules.base_radius)
        self.bases: int = bases.shape[0]
        self.width, self.height = rules.page_width, rules.page_height
        self.page = shapely.box(0.0, 0.0, self.width, self.height)
        shapely.prepare(self.page)
        # Walls first, then men: a thing's place in these arrays is its base, or its man after all bases.
        self.places = np.concatenate([self.walls.centres, np.full(rules.men, OFF_PAGE)])
        self.things: Geometries = np.concatenate([points_at(self.walls.centres), np.full(rules.men, None)])
        self.reach = np.repeat([rules.base_radius, rules.hit_reach], [self.bases, rules.men])
        self.coordinates = self.places.view(np.float64).reshape(-1, 2)
        self.moved = np.empty(rules.men, np.int64)
        self.near = np.empty(self.bases + rules.men, np.int64)
        self.every_wall = np.ones(self.bases, bool)
        t = np.linspace(0.0, 1.0, rules.ink_segments + 1)
        self.to_control, self.to_end = 2.0 * t * (1.0 - t), t * t

    def ink(self, start: complex, angle: float, length: float, bend: float) -> Path:
        """Return a flick's ink: a quadratic Bézier cut at equal parameters (R6.1)."""
        end = rect(length, angle)
        control = (0.5 + 2j * bend) * end
        points = start + control * self.to_control + end * self.to_end
        arcs = np.zeros(points.size)
        np.abs(points[1:] - points[:-1]).cumsum(out=arcs[1:])
        return Path(points, arcs, NOWHERE, hypot(1.0, 4.0 * bend))  # no piece is steeper than 4·bend

    def stand(self, men: Men) -> None:
        """Take up where the living men now stand; only what has changed is made anew."""
        n = note_places(men, self.coordinates[self.bases :], self.moved)
        if n:
            moved = self.bases + self.moved[:n]
            self.things[moved] = shapely.points(self.coordinates[moved])

    def targets(self, men: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the things that a flick can meet: every wall, and those of the ``men`` (men,) marked true."""
        return np.concatenate([self.every_wall, men]).nonzero()[0]

    def meetings(self, path: Path, targets: NDArray[np.int64]) -> list[Meeting]:
        """Return what a path meets, in order (R6.2): every crossing of a wall, every man within reach, the edge."""
        line = path.line()
        begins, ends = path.arc[0], path.arc[-1]
        found: list[Meeting] = []
        n = list_near(self.coordinates, self.reach, targets, path.spots[0], path.spots[-1], ends - begins, self.near)
        near = self.near[:n]
        met = near[within(line, self.things[near], self.reach[near])]
        if met.size:
            along: list[float] = shapely.line_locate_point(line, self.things[met]).tolist()
            for thing, nearest in zip(met.tolist(), along, strict=True):
                if thing < self.bases:
                    crossed = self.walls.crossings(path, thing, begins + nearest)
                    found += [(d, WALL, thing) for d in crossed]
                else:
                    found.append((begins + nearest, MAN_HIT, thing - self.bases))
        if not shapely.covers(self.page, line):
            found += [(d, EDGE, NOWHERE) for d in self.exits(path)]
        found.sort()
        return found

    def exits(self, path: Path) -> list[float]:
        """Return the distance at which a path first leaves the page, if it does."""
        width, height = self.width, self.height
        for j, (a, b) in enumerate(pairwise(path.spots)):
            if not (0.0 <= b.real <= width and 0.0 <= b.imag <= height):
                share = min(inside_share(a.real, b.real, width), inside_share(a.imag, b.imag, height))
                return [path.arc[j] + max(0.0, share) * (path.arc[j + 1] - path.arc[j])]
        return []


@entry_point
def list_near(
    places: NDArray[np.float64],
    reach: NDArray[np.float64],
    things: NDArray[np.int64],
    start: complex,
    end: complex,
    length: float,
    near: NDArray[np.int64],
) -> int:
    """List in ``near`` the ``things`` that ink from ``start`` to ``end`` can reach: few of them need a look.

    All ink of that length lies in the ellipse about its ends. ``places`` (n, 2) and ``reach`` (n,) are of all things.
    """
    n = 0
    for i in range(things.shape[0]):
        thing = things[i]
        x, y = places[thing, 0], places[thing, 1]
        detour = hypot(x - start.real, y - start.imag) + hypot(x - end.real, y - end.imag)
        if detour - 2.0 * reach[thing] <= length:
            near[n] = thing
            n += 1
    return n


@entry_point
def note_places(men: Men, places: NDArray[np.float64], moved: NDArray[np.int64]) -> int:
    """Write where the living stand, and OFF_PAGE for the dead, into ``places`` (men, 2).

    Those whose place changes are listed in ``moved`` (men,); returns how many.
    """
    n = 0
    for m in range(men.shape[0]):
        x, y = (men[m].x, men[m].y) if men[m].alive else (np.inf, 0.0)
        if places[m, 0] != x or places[m, 1] != y:
            places[m, 0], places[m, 1] = x, y
            moved[n] = m
            n += 1
    return n


def inside_share(a: float, b: float, most: float) -> float:
    """Return the share of the way from ``a`` to ``b`` that lies within 0 and ``most``; 1 if ``b`` does too."""
    if b < 0.0:
        return a / (a - b)
    if b > most:
        return (most - a) / (b - a)
    return 1.0
