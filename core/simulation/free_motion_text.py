"""Motions of a rigid body in words: translations, rotations about an axis, and screws.

References
----------
R. S. Ball, "A Treatise on the Theory of Screws", 1900, for motions and forces of a body.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.points import Point
from framescope.core.simulation import point_constraints


def describe_free_motions(points: Sequence[Point]) -> tuple[str, ...]:
    """Return in words the motions that points leave free.

    Parameters
    ----------
    points
        Connection points of one body, with single numbers as offsets.

    Returns
    -------
    tuple of str
        As many as the body has free motions, none when it is held; see `motion_text`. All free motions are sums
        of these.

    Raises
    ------
    ValueError
        When `points` is no list of points, or an offset is an array.

    Notes
    -----
    Translations come first, then rotations and screws, about axes at right angles to each other and along those of the
    world where that is possible. Where one point can stay at rest in all of them the axes go through it.
    They are orthogonal in directions only.

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
    columns = point_constraints.single_columns(points)
    L = point_constraints.lever_of(columns)
    motions = point_constraints.plain_motions(columns)
    rotating = motions[np.any(motions[:, 3:] != 0.0, axis=1)]
    at_rest = _point_at_rest(rotating, L)
    return tuple(motion_text(motion, L, at_rest) for motion in motions)


def _point_at_rest(rotating: Array, L: float) -> Array | None:
    """Return the point (3,) nearest to the centre of mass that rests in all of several motions, if there is one."""
    if len(rotating) < 2:
        return None
    v, w = rotating[:, :3], rotating[:, 3:]
    crossing = np.concatenate([np.cross(e, np.eye(3)).T for e in w])  # times p it is w × p of every motion
    p = np.asarray(np.linalg.lstsq(-crossing, v.ravel(), rcond=point_constraints.RANK_TOLERANCE)[0], dtype=np.float64)
    rests = np.abs(v.ravel() + crossing @ p).max() <= point_constraints.RANK_TOLERANCE * L
    return point_constraints.tidy(p, L) if rests else None


def motion_text(motion: Array, L: float, at_rest: Array | None = None) -> str:
    """Return in words what kind of motion a velocity of a body is.

    Parameters
    ----------
    motion : (6,)
        Velocity of the centre of mass, m/s, then angular velocity, rad/s, in world axes; only their ratio counts.
    L
        Size of the body, m: an angular velocity is none when it moves this lever by 1e-9 of the velocity, and a
        screw is a rotation when a radian advances it by less than 1e-9 of it.
    at_rest : (3,)
        A point of the axis, from the centre of mass, m; without, the one nearest to it.

    Returns
    -------
    str
        A translation, a rotation about an axis, or a screw: a rotation with a translation along its axis, which
        advances by less than nothing when it is left-handed; of zeros "rest".

    Notes
    -----
    Every motion is one of these: the axis goes along `w` through ``w × v / w·w`` and advances ``v·w / w·w`` per radian.
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
    if turning * L <= point_constraints.RANK_TOLERANCE * speed:
        return f"translation along {_direction(v / speed)}"
    e = w / turning
    advance = float(v @ e) / turning
    if at_rest is None:
        at_rest = np.cross(e, v) / turning
    through = (
        "the centre of mass"
        if np.all(np.abs(at_rest) <= point_constraints.RANK_TOLERANCE * L)
        else f"{_triple(at_rest)} m"
    )
    if abs(advance) <= point_constraints.RANK_TOLERANCE * L:
        return f"rotation about {_direction(e)} through {through}"
    return f"screw about {_direction(e)} through {through}, advancing {_number(2.0 * np.pi * advance)} m per turn"


def _direction(e: Array) -> str:
    e = point_constraints.upright(e)
    i = int(np.argmax(e))
    return "xyz"[i] if np.linalg.norm(np.delete(e, i)) <= point_constraints.RANK_TOLERANCE else _triple(e)


def _triple(v: Array) -> str:
    shown = np.where(np.abs(v) <= point_constraints.RANK_TOLERANCE * np.abs(v).max(), 0.0, v)
    return f"({', '.join(map(_number, shown.tolist()))})"


def _number(x: float) -> str:
    return f"{x:.6g}"
