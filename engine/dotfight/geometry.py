"""What a flick's ink meets and where, by Shapely (R6.1, R6.2).

Points are complex numbers, x + iy, so that turning about a point is a multiplication. The ink is a ``LineString``;
whatever it comes within reach of is found by ``dwithin`` and placed by ``line_locate_point``. GEOS has no circles,
only polygons inscribed in them that a grazing line can miss: there Shapely says which walls the ink meets and about
where, which is exact, and the closed form says at which points of those pieces.
"""

from __future__ import annotations

from cmath import rect
from math import hypot, inf, sqrt
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.dotfight.outcome import EDGE, MAN_HIT, WALL
from engine.dotfight.page import NOWHERE, Bases, Men
from engine.dotfight.rules import Rules
from engine.jit import compiled, entry_point

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


class Path(NamedTuple):
    """The ink still to be walked: a polyline on the page.

    Attributes
    ----------
    points, arc
        Vertices, ``(n + 1,)`` complex, and the distance along the whole ink, from the man, to each.
    wall
        The base on whose wall the path begins because it was turned there, or NOWHERE.
    stretch
        The ink between two of the path's points is at most this many times as long as the straight line.
    """

    points: NDArray[np.complex128]
    arc: NDArray[np.float64]
    wall: int
    stretch: float

    def line(self) -> Geometry:
        """Return the path as a geometry."""
        return shapely.linestrings(self.points.view(np.float64).reshape(-1, 2))

    def at(self, d: float) -> complex:
        """Return the point at distance ``d``."""
        return point_at(self.points, self.arc, d)

    def turned(self, d: float, jolt: float, wall: int) -> Path:
        """Return what lies beyond distance ``d``, turned there by ``jolt`` rad, bow included (R8.2)."""
        points, arc = np.empty_like(self.points), np.empty_like(self.arc)
        n = turn(self.points, self.arc, d, rect(1.0, jolt), points, arc)
        return Path(points[:n], arc[:n], wall, self.stretch)


@compiled
def piece_at(arc: NDArray[np.float64], d: float) -> int:
    """Return the piece on which distance ``d`` lies, the later one where two meet."""
    j = arc.shape[0] - 2
    while j > 0 and arc[j] > d:
        j -= 1
    return j


@entry_point
def point_at(points: NDArray[np.complex128], arc: NDArray[np.float64], d: float) -> complex:
    """Return the point of a path at distance ``d``."""
    j = piece_at(arc, d)
    size = arc[j + 1] - arc[j]
    share = (d - arc[j]) / size if size > 0.0 else 0.0
    return points[j] + (points[j + 1] - points[j]) * share


@entry_point
def turn(
    points: NDArray[np.complex128],
    arc: NDArray[np.float64],
    d: float,
    by: complex,
    out_points: NDArray[np.complex128],
    out_arc: NDArray[np.float64],
) -> int:
    """Write what lies beyond distance ``d``, turned there by the unit number ``by``; return how many vertices."""
    j, pivot = piece_at(arc, d), point_at(points, arc, d)
    out_points[0], out_arc[0] = pivot, d
    for i in range(j + 1, points.shape[0]):
        out_points[i - j] = pivot + (points[i] - pivot) * by
        out_arc[i - j] = arc[i]
    return points.shape[0] - j


@entry_point
def lay(
    start: complex, control: complex, end: complex, points: NDArray[np.complex128], arc: NDArray[np.float64]
) -> None:
    """Write the vertices of a quadratic Bézier cut at equal parameters, and the distance to each (R6.1).

    ``control`` and ``end`` are as seen from ``start``.
    """
    n = points.shape[0] - 1
    points[0], arc[0] = start, 0.0
    for i in range(1, n + 1):
        t = i / n
        points[i] = start + control * (2.0 * t * (1.0 - t)) + end * (t * t)
        arc[i] = arc[i - 1] + abs(points[i] - points[i - 1])


class Walls:
    """What a wall is: here, an exact circle round each base.

    This class is what changes for bases of another shape. Ink that crosses a wall comes within ``radius`` of its
    centre; where it crosses, and what lies within, ``crossings`` and ``around`` say. For a polygon that would be
    Shapely's ``intersection`` with its outline, placed by ``line_locate_point``, and ``covers``.
    """

    def __init__(self, bases: Bases, radius: float, pieces: int) -> None:
        self.radius = radius
        self.centres: list[complex] = (bases["x"] + 1j * bases["y"]).tolist()
        self._found = np.empty(2 * pieces)

    def around(self, point: complex) -> list[int]:
        """Return the bases within whose wall a point lies, the wall itself included."""
        return [base for base, centre in enumerate(self.centres) if abs(centre - point) <= self.radius]

    def crossings(self, path: Path, base: int, nearest: float) -> list[float]:
        """Return the distances at which a path crosses a wall, in or out; it is nearest the centre at ``nearest``."""
        # Whatever ink lies inside the circle lies within a diameter of the nearest point.
        window = 2.0 * self.radius * path.stretch
        on_it = path.wall == base
        n = cross_circle(path.points, path.arc, nearest, window, self.centres[base], self.radius, on_it, self._found)
        return self._found[:n].tolist()


@entry_point
def cross_circle(
    points: NDArray[np.complex128],
    arc: NDArray[np.float64],
    nearest: float,
    window: float,
    centre: complex,
    radius: float,
    begins_on_it: bool,
    found: NDArray[np.float64],
) -> int:
    """Write into ``found`` where a path crosses a circle within ``window`` of ``nearest``; return how many crossings.

    On the piece from a to b, seen from the centre, |a + t(b - a)|² = radius² is size·t² + 2·lean·t + rest = 0.
    """
    n = 0
    first, last = piece_at(arc, nearest - window), piece_at(arc, nearest + window)
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
        start, length = arc[j], arc[j + 1] - arc[j]
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
        self.walls = Walls(bases, rules.base_radius, rules.ink_segments)
        self.bases: int = bases.shape[0]
        self.pieces = rules.ink_segments
        self.width, self.height = rules.page_width, rules.page_height
        # Walls first, then men: a thing's place in these arrays is its base, or its man after all bases.
        self.places = np.array(self.walls.centres + [OFF_PAGE] * rules.men)
        self.things: Geometries = np.concatenate([points_at(self.places[: self.bases]), np.full(rules.men, None)])
        self.reach = np.repeat([rules.base_radius, rules.hit_reach], [self.bases, rules.men])
        self.coordinates = self.places.view(np.float64).reshape(-1, 2)
        self.moved = np.empty(rules.men, np.int64)
        self.near = np.empty(self.bases + rules.men, np.int64)
        self.every_wall = np.ones(self.bases, bool)

    def ink(self, start: complex, angle: float, length: float, bend: float) -> Path:
        """Return a flick's ink: a quadratic Bézier cut at equal parameters (R6.1)."""
        end = rect(length, angle)
        points, arc = np.empty(self.pieces + 1, np.complex128), np.empty(self.pieces + 1)
        lay(start, (0.5 + 2j * bend) * end, end, points, arc)
        return Path(points, arc, NOWHERE, hypot(1.0, 4.0 * bend))  # no piece is steeper than 4·bend

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
        found: list[Meeting] = []
        n = list_near(path.points, path.arc, self.coordinates, self.reach, targets, self.near)
        if n:
            line, near = path.line(), self.near[:n]
            met = near[within(line, self.things[near], self.reach[near])]
            if met.size:
                begins = path.arc.item(0)
                along: list[float] = shapely.line_locate_point(line, self.things[met]).tolist()
                for thing, nearest in zip(met.tolist(), along, strict=True):
                    if thing < self.bases:
                        found += [(d, WALL, thing) for d in self.walls.crossings(path, thing, begins + nearest)]
                    else:
                        found.append((begins + nearest, MAN_HIT, thing - self.bases))
        exit_ = leave_page(path.points, path.arc, self.width, self.height)
        if exit_ < inf:
            found.append((exit_, EDGE, NOWHERE))
        found.sort()
        return found


@entry_point
def list_near(
    points: NDArray[np.complex128],
    arc: NDArray[np.float64],
    places: NDArray[np.float64],
    reach: NDArray[np.float64],
    things: NDArray[np.int64],
    near: NDArray[np.int64],
) -> int:
    """List in ``near`` the ``things`` that a path can reach; few of them need a look.

    All ink of that length lies in the ellipse about its ends. ``places`` (n, 2) and ``reach`` (n,) are of all things.
    """
    start, end, length = points[0], points[-1], arc[-1] - arc[0]
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
def leave_page(points: NDArray[np.complex128], arc: NDArray[np.float64], width: float, height: float) -> float:
    """Return the distance at which a path first leaves the page, infinity if it does not."""
    for j in range(points.shape[0] - 1):
        a, b = points[j], points[j + 1]
        if not (0.0 <= b.real <= width and 0.0 <= b.imag <= height):
            share = min(inside_share(a.real, b.real, width), inside_share(a.imag, b.imag, height))
            return arc[j] + max(0.0, share) * (arc[j + 1] - arc[j])
    return inf


@compiled
def inside_share(a: float, b: float, most: float) -> float:
    """Return the share of the way from ``a`` to ``b`` that lies within 0 and ``most``; 1 if ``b`` does too."""
    if b < 0.0:
        return a / (a - b)
    if b > most:
        return (most - a) / (b - a)
    return 1.0


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
