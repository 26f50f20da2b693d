"""Constraints by the connection points of a body, and the motions that they leave free.

The unit force of each direction of a point is a column of six numbers, force first. A motion in which these forces do
no work is free. `describe_free_motions` describes such motions in words.

References
----------
20-sim, Iconic Diagrams, Mechanical, Translation, 3DSmallRotation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from framescope.core.kernels.validation import Array, broadcast_leading
from framescope.core.points import Point, PointX, PointXYZ, PointY, PointZ

RANK_TOLERANCE = 1e-9
"""Singular value of unit-force columns, relative to the largest, below which it counts as zero."""


def force_columns(points: Sequence[Point]) -> Array:
    """Return the port forces of unit forces at points, as columns.

    Parameters
    ----------
    points
        Connection points of one body; X, Y and Z have one column each, XYZ three.

    Returns
    -------
    (..., 6, n)
        Columns `P_out.F` of unit forces, linear first; ``(6, 0)`` without points.

    Raises
    ------
    ValueError
        When `points` is not a list of points, or their offsets do not broadcast.

    Notes
    -----
    A column is ``[n, r × n]`` with `n` the direction and `r` the offset, in m. The transposed matrix gives the
    velocities `p_in.v` of all points from the port's `P_out.v`.

    Examples
    --------
    >>> from framescope.core.points import PointX, PointY
    >>> force_columns([PointX(YP=2.0, ZP=0.0), PointY(XP=3.0, ZP=0.0)])
    array([[ 1.,  0.],
           [ 0.,  1.],
           [ 0.,  0.],
           [ 0.,  0.],
           [ 0.,  0.],
           [-2.,  3.]])
    """
    rows = [velocity_rows(point) for point in _as_points(points)]
    leading = broadcast_leading(**{f"points[{i}]": row.shape[:-2] for i, row in enumerate(rows)})
    wide = [np.broadcast_to(row, leading + row.shape[-2:]) for row in rows]
    return np.ascontiguousarray(np.swapaxes(np.concatenate([np.zeros((*leading, 0, 6)), *wide], axis=-2), -1, -2))


def as_point(name: str, point: Point) -> Point:
    """Return a connection point; raise `ValueError` for any other argument."""
    if type(point) not in (PointX, PointY, PointZ, PointXYZ):
        raise ValueError(f"{name}: expected a PointX, PointY, PointZ or PointXYZ, got {type(point).__name__}")
    return point


def _as_points(points: Iterable[Point]) -> list[Point]:
    try:
        listed = list(points)
    except TypeError:
        raise ValueError(f"points: expected a list of points, got {type(points).__name__}") from None
    return [as_point(f"points[{i}]", point) for i, point in enumerate(listed)]


def velocity_rows(point: Point) -> Array:
    """Return `velocity_in` as a linear map (..., n, 6), which is `force_out` of unit forces."""
    if isinstance(point, PointXYZ):
        offsets = (offset[..., np.newaxis] for offset in (point.XP, point.YP, point.ZP))
        return PointXYZ(*offsets).force_out(np.eye(3)) + 0.0  # no negative zeros
    return (point.force_out(1.0) + 0.0)[..., np.newaxis, :]


def single_columns(points: Sequence[Point]) -> Array:
    """Return `force_columns` (6, n); raise `ValueError` if an offset is an array."""
    columns = force_columns(points)
    if columns.ndim != 2:
        raise ValueError(f"points: expected single numbers as offsets, got offsets of shape {columns.shape[:-2]}")
    return columns


def lever_of(columns: Array) -> float:
    """Return the length of the longest torque of columns (6, n), m; 1 if there is none."""
    longest = np.hypot.reduce(columns[3:], axis=0).max(initial=0.0)
    return float(longest) if longest > 0.0 else 1.0


def _null_space(columns: Array) -> Array:
    """Return an orthonormal basis (n, 6) of the motions without work, with angular velocities times the lever."""
    L = lever_of(columns)
    scaled_rows = columns.T / np.array([1.0, 1.0, 1.0, L, L, L])
    if not scaled_rows.size:
        return np.eye(6)
    # With six rows or more V is complete anyway; a full U would have as many columns as there are rows.
    _, sizes, V = np.linalg.svd(scaled_rows, full_matrices=len(scaled_rows) < 6)
    return V[int(np.sum(sizes > RANK_TOLERANCE * sizes[0])) :]


def plain_motions(columns: Array) -> Array:
    """Return the free motions (n, 6) in the simplest form: translations, then rotations, then screws."""
    free = _null_space(columns)
    L = lever_of(columns)
    if not len(free):
        return free
    # Translations are the combinations without rotation; the others rotate about the directions that they span.
    U, sizes, V = np.linalg.svd(free[:, 3:])
    n_rotating = int(np.sum(sizes > RANK_TOLERANCE))
    translations = _plain_directions((U[:, n_rotating:].T @ free)[:, :3])
    directions = _plain_directions(V[:n_rotating])
    shares = directions @ V[:n_rotating].T / sizes[:n_rotating]
    v = L * (shares @ U[:, :n_rotating].T @ free[:, :3])
    onto_translations = translations.T @ translations
    v = v - v @ onto_translations
    for i, e in enumerate(directions):  # a translation may cancel the advance of a screw
        shift = onto_translations @ e
        if shift @ shift > RANK_TOLERANCE:
            v[i] -= (v[i] @ e) / (shift @ shift) * shift
    return np.block([[translations, np.zeros_like(translations)], [tidy(v, L), directions]])


def _plain_directions(directions: Array) -> Array:
    """Return orthonormal directions (n, 3) with the same span as the given directions, along axes where possible."""
    projector = directions.T @ directions
    basis: list[Array] = []
    for _ in range(len(directions)):
        sizes = np.diagonal(projector)  # squared length of each axis projected onto the remaining span
        i = int(np.argmax(sizes >= sizes.max() - RANK_TOLERANCE))
        e = projector[i] / np.linalg.norm(projector[i])
        basis.append(upright(tidy(e)))
        projector = projector - np.outer(e, e)
    return np.array(basis).reshape(-1, 3)


def upright(e: Array) -> Array:
    """Return a direction or its opposite, so that the first of its largest components is positive."""
    sizes = np.abs(e)
    return e if e[int(np.argmax(sizes >= sizes.max() * (1.0 - RANK_TOLERANCE)))] > 0.0 else 0.0 - e


def tidy(v: Array, size: float = 1.0) -> Array:
    """Return numbers with rounding errors around zero set to zero."""
    return np.where(np.abs(v) <= 1e-12 * size, 0.0, v)


def describe_free_motions(points: Sequence[Point]) -> tuple[str, ...]:
    """Return descriptions of the motions that points leave free.

    Parameters
    ----------
    points
        Connection points of one body, with single numbers as offsets.

    Returns
    -------
    tuple of str
        One description for each free motion, none if the body is fixed; see `motion_text`. All free motions are sums
        of these.

    Raises
    ------
    ValueError
        When `points` is not a list of points, or an offset is an array.

    Notes
    -----
    Translations come first, then rotations and screws about perpendicular axes, along the axes of the world where
    possible. If a point can be at rest in all rotations and screws, the axes pass through this point. Only the
    directions are orthogonal.

    Examples
    --------
    >>> from framescope.core.points import PointXYZ, PointZ
    >>> for words in describe_free_motions([PointZ(0.0, 0.0), PointZ(1.0, 0.0), PointZ(0.0, 1.0)]):
    ...     print(words)
    translation along x
    translation along y
    rotation about z through the centre of mass
    >>> describe_free_motions([PointXYZ(0.0, 1.0, 0.0), PointXYZ(2.0, 1.0, 0.0)])
    ('rotation about x through (0, 1, 0) m',)
    """
    columns = single_columns(points)
    L = lever_of(columns)
    motions = plain_motions(columns)
    rotating = motions[np.any(motions[:, 3:] != 0.0, axis=1)]
    at_rest = _point_at_rest(rotating, L)
    return tuple(motion_text(motion, L, at_rest) for motion in motions)


def _point_at_rest(rotating: Array, L: float) -> Array | None:
    """Return the point (3,) nearest to the centre of mass that is at rest in all motions; None if there is none."""
    if len(rotating) < 2:
        return None
    v, w = rotating[:, :3], rotating[:, 3:]
    crossing = np.concatenate([np.cross(e, np.eye(3)).T for e in w])  # its product with p is w × p of every motion
    p = np.asarray(np.linalg.lstsq(-crossing, v.ravel(), rcond=RANK_TOLERANCE)[0], dtype=np.float64)
    rests = np.abs(v.ravel() + crossing @ p).max() <= RANK_TOLERANCE * L
    return tidy(p, L) if rests else None


def motion_text(motion: Array, L: float, at_rest: Array | None = None) -> str:
    """Return a description of the motion of a body with a given velocity.

    Parameters
    ----------
    motion : (6,)
        Velocity of the centre of mass, m/s, then angular velocity, rad/s, in world axes; only their ratio matters.
    L
        Size of the body, m: an angular velocity is zero if it moves this lever by less than 1e-9 of the velocity, and
        a screw is a rotation if its advance per radian is less than 1e-9 of the size.
    at_rest : (3,)
        Point of the axis, from the centre of mass, m; the default is the point nearest to the centre of mass.

    Returns
    -------
    str
        A translation, a rotation about an axis, or a screw: a rotation with a translation along its axis, negative
        for a left-handed screw; "rest" for zeros.

    Notes
    -----
    Every motion is one of these: the axis is along `w` through ``w × v / w·w``, the advance ``v·w / w·w`` per radian.
    Directions are written with their largest component positive; numbers are rounded to six digits.

    References
    ----------
    R. S. Ball, "A Treatise on the Theory of Screws", 1900, chapter 1.

    Examples
    --------
    >>> motion_text(np.array([0.0, -2.0, 0.0, 0.0, 0.0, 1.0]), 1.0)
    'rotation about z through (2, 0, 0) m'
    """
    v, w = motion[:3], motion[3:]
    largest = np.abs(motion).max()
    if largest == 0.0:
        return "rest"
    v, w = v / largest, w / largest
    speed, turning = float(np.linalg.norm(v)), float(np.linalg.norm(w))
    if turning * L <= RANK_TOLERANCE * speed:
        return f"translation along {_direction(v / speed)}"
    e = w / turning
    advance = float(v @ e) / turning
    if at_rest is None:
        at_rest = np.cross(e, v) / turning
    through = "the centre of mass" if np.all(np.abs(at_rest) <= RANK_TOLERANCE * L) else f"{_triple(at_rest)} m"
    if abs(advance) <= RANK_TOLERANCE * L:
        return f"rotation about {_direction(e)} through {through}"
    return f"screw about {_direction(e)} through {through}, advancing {_number(2.0 * np.pi * advance)} m per turn"


def _direction(e: Array) -> str:
    e = upright(e)
    i = int(np.argmax(e))
    return "xyz"[i] if np.linalg.norm(np.delete(e, i)) <= RANK_TOLERANCE else _triple(e)


def _triple(v: Array) -> str:
    rounded = np.where(np.abs(v) <= RANK_TOLERANCE * np.abs(v).max(), 0.0, v)
    return f"({', '.join(map(_number, rounded.tolist()))})"


def _number(x: float) -> str:
    return f"{x:.6g}"
