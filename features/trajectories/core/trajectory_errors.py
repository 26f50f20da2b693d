"""Errors of a trajectory against a reference: absolute (APE) and relative (RPE) pose errors, and their statistics.

The definitions are those that evo publishes, so that the numbers of both programs agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.features.trajectories.core.pose_stream import StreamError, rotations

Relation = Literal[
    "trans_part", "rot_part", "angle_rad", "angle_deg", "full", "point_distance", "point_distance_error_ratio"
]
DeltaUnit = Literal["f", "m", "r", "d", "s"]

RELATIONS: dict[Relation, tuple[str, str]] = {
    "trans_part": ("translation", "m"),
    "rot_part": ("rotation matrix", ""),
    "angle_rad": ("rotation angle", "rad"),
    "angle_deg": ("rotation angle", "deg"),
    "full": ("whole transformation", ""),
    "point_distance": ("distance of points", "m"),
    "point_distance_error_ratio": ("error of distances", "%"),
}
"""Relations of two poses by evo's names: the part that an error measures in words, and its unit."""

DELTA_UNITS: dict[DeltaUnit, tuple[str, str]] = {
    "f": ("frame", "frames"),
    "m": ("m", "m"),
    "r": ("rad", "rad"),
    "d": ("deg", "deg"),
    "s": ("s", "s"),
}
"""Units of the step of relative errors by their letters, singular and plural."""

STATISTICS = ("rmse", "mean", "median", "std", "min", "max", "sse")
"""Names of the statistics, in the order of tables."""

TOLERANCE = 0.1
"""Deviation of a pair from the step that all pairs allow, as a fraction of the step, as in evo."""

Pose = tuple[Array, Array]
"""Positions (n, 3), m, and quaternions (n, 4) of n poses."""


@dataclass(frozen=True, eq=False)
class PoseErrors:
    """Errors of pairs of poses, or of pairs of steps.

    Attributes
    ----------
    errors : (n,)
        Errors, in `unit`.
    rows : (n,)
        Indices of the pairs of poses at which the errors count: of a step, of its end.
    relation
        Part of the pose that is compared.
    starts : (n,)
        Indices of the pairs at which the steps begin; equal to `rows` of absolute errors.
    notes
        Sentences on what was left out.
    """

    errors: Array
    rows: NDArray[np.intp]
    relation: Relation
    starts: NDArray[np.intp]
    notes: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """Unit of the errors; empty if they have none."""
        return RELATIONS[self.relation][1]


def ape(reference: Pose, estimate: Pose, relation: Relation = "trans_part") -> PoseErrors:
    """Return the absolute errors of poses, pair by pair: those of ``inv(X_ref) X_est``.

    Raises
    ------
    StreamError
        When the relation is one of distances between two times, which an absolute error does not have.

    Examples
    --------
    >>> q = np.array([[0.0, 0.0, 0.0, 1.0]])
    >>> ape((np.zeros((1, 3)), q), (np.array([[3.0, 4.0, 0.0]]), q)).errors
    array([5.])
    """
    if relation == "point_distance_error_ratio":
        raise StreamError("an absolute error has no ratio of distances. Use rpe, or another relation of poses.")
    (p, q), (p_est, q_est) = reference, estimate
    errors = _sizes(p_est - p, _relative_quaternion(q, q_est), relation)
    rows = np.arange(len(p))
    return PoseErrors(errors, rows, relation, rows)


def rpe(
    reference: Pose,
    estimate: Pose,
    relation: Relation = "trans_part",
    *,
    delta: float = 1.0,
    unit: DeltaUnit = "f",
    all_pairs: bool = False,
    tolerance: float = TOLERANCE,
    from_reference: bool = False,
    t: Array | None = None,
) -> PoseErrors:
    """Return the errors of steps: those of ``inv(inv(X_i) X_j) (inv(Y_i) Y_j)`` with reference X and estimate Y.

    Parameters
    ----------
    reference, estimate
        Poses, pair by pair.
    relation
        Part of the error that is measured.
    delta, unit
        Length of a step in frames, metres of the path, radians or degrees of turning, or seconds.
    all_pairs
        Whether steps begin at each pose. Otherwise each begins where the one before ends.
    tolerance
        Deviation from the length that a step may have with `all_pairs`, as a fraction of `delta`.
    from_reference
        Whether the reference decides the steps, instead of the estimate.
    t : (n,), optional
        Times of the pairs, s, for steps in seconds.

    Raises
    ------
    StreamError
        When no step has the length.

    Notes
    -----
    Consecutive steps end at the first pose at which the path, the accumulated turning or the time since their beginning
    reaches `delta`. With all pairs, a step of metres or seconds ends at the pose nearest to `delta`, within the
    tolerance, and a step of an angle at each pose whose turning from the beginning is within the tolerance.

    Examples
    --------
    >>> q = np.tile([0.0, 0.0, 0.0, 1.0], (4, 1))
    >>> p = np.arange(12.0).reshape(4, 3)
    >>> found = rpe((p, q), (1.1 * p, q), delta=2)
    >>> found.errors.round(6), found.starts, found.rows
    (array([1.03923]), array([0]), array([2]))
    """
    starts, ends = steps_of(
        reference if from_reference else estimate, delta, unit, all_pairs=all_pairs, tolerance=tolerance, t=t
    )
    (p, q), (p_est, q_est) = reference, estimate
    notes: tuple[str, ...] = ()
    if relation in ("point_distance", "point_distance_error_ratio"):
        distance = np.linalg.norm(p[ends] - p[starts], axis=1)
        errors = np.abs(distance - np.linalg.norm(p_est[ends] - p_est[starts], axis=1))
        if relation == "point_distance_error_ratio":
            is_moved = distance > 0.0
            if not is_moved.any():
                raise StreamError("the reference does not move within a step, so that no ratio of distances exists.")
            if not is_moved.all():
                notes = (f"{counted(int((~is_moved).sum()), 'step')} without motion of the reference left out.",)
            starts, ends = starts[is_moved], ends[is_moved]
            errors = 100.0 * errors[is_moved] / distance[is_moved]
        return PoseErrors(errors, ends, relation, starts, notes)
    q_step, p_step = _step(p, q, starts, ends)
    q_step_est, p_step_est = _step(p_est, q_est, starts, ends)
    errors = _sizes(p_step_est - p_step, _relative_quaternion(q_step, q_step_est), relation)
    return PoseErrors(errors, ends, relation, starts, notes)


def _step(p: Array, q: Array, starts: NDArray[np.intp], ends: NDArray[np.intp]) -> tuple[Array, Array]:
    """Return quaternions and positions of the poses at the ends of steps, in those at their starts."""
    R = rotations(q[starts])
    return _relative_quaternion(q[starts], q[ends]), np.einsum("nji,nj->ni", R, p[ends] - p[starts])


def _relative_quaternion(q_A: Array, q_B: Array) -> Array:
    """Return the quaternions (n, 4) of ``inv(q_A) q_B``."""
    u, v = -q_A[:, :3], q_B[:, :3]
    a, b = q_A[:, 3:], q_B[:, 3:]
    vector = a * v + b * u + np.cross(u, v)
    return np.concatenate([vector, a * b - np.einsum("ni,ni->n", u, v)[:, np.newaxis]], axis=1)


def angles_of(q: Array) -> Array:
    """Return the rotation angles (n,) in 0 to pi of quaternions (n, 4), rad; exact near 0 and near pi.

    >>> angles_of(np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1e-9, 1.0]]))
    array([3.14159265e+00, 2.00000000e-09])
    """
    return 2.0 * np.arctan2(np.linalg.norm(q[:, :3], axis=1), np.abs(q[:, 3]))


def _sizes(d: Array, q: Array, relation: Relation) -> Array:
    """Return the sizes (n,) of errors of position d (n, 3) and orientation q (n, 4)."""
    match relation:
        case "trans_part" | "point_distance" | "point_distance_error_ratio":
            return np.linalg.norm(d, axis=1)
        case "angle_rad":
            return angles_of(q)
        case "angle_deg":
            return np.degrees(angles_of(q))
        case "rot_part":
            return _matrix_sizes(q)
        case "full":
            return np.hypot(_matrix_sizes(q), np.linalg.norm(d, axis=1))


def _matrix_sizes(q: Array) -> Array:
    """Return the Frobenius norms (n,) of ``R(q) - I``: ``2 sqrt(2) sin(angle / 2)``."""
    return 2.0 * np.sqrt(2.0) * np.linalg.norm(q[:, :3], axis=1) / np.linalg.norm(q, axis=1)


def steps_of(
    poses: Pose,
    delta: float,
    unit: DeltaUnit,
    *,
    all_pairs: bool = False,
    tolerance: float = TOLERANCE,
    t: Array | None = None,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the indices of the poses at which steps of one length begin and end, see `rpe`.

    Raises
    ------
    StreamError
        When no step has the length, or the length does not suit its unit.
    """
    p, q = poses
    n = len(p)
    if not (np.isfinite(delta) and delta > 0.0):
        raise StreamError(f"expected a step above 0, got {delta:g}.")
    if unit == "f":
        if not float(delta).is_integer():
            raise StreamError(f"expected a whole number of frames, got {delta:g}.")
        k = int(delta)
        starts = np.arange(0, n - k) if all_pairs else np.arange(0, n - k, k)
        return _some_steps(starts, starts + k, delta, unit, n)
    if unit in ("r", "d"):
        angle = np.radians(delta) if unit == "d" else float(delta)
        if angle > np.pi:
            raise StreamError(f"expected an angle of at most 180 degrees, got {delta:g} {DELTA_UNITS[unit][1]}.")
        if all_pairs:
            return _some_steps(*_turned_by(q, angle, tolerance * angle), delta, unit, n)
        turned = np.concatenate([[0.0], angles_of(_relative_quaternion(q[:-1], q[1:]))])
        return _some_steps(*_consecutive(turned, angle), delta, unit, n)
    if unit == "m":
        way = np.concatenate([[0.0], np.linalg.norm(np.diff(p, axis=0), axis=1)])
    else:
        if t is None:
            raise StreamError("steps in seconds need times, and these poses have none. Use frames or metres.")
        way = np.concatenate([[0.0], np.diff(t)])
    found = _nearest_to(np.cumsum(way), delta, tolerance * delta) if all_pairs else _consecutive(way, delta)
    return _some_steps(*found, delta, unit, n)


def _some_steps(
    starts: NDArray[np.intp], ends: NDArray[np.intp], delta: float, unit: DeltaUnit, n: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    if not len(starts):
        words = DELTA_UNITS[unit]
        raise StreamError(
            f"no step of {delta:g} {words[0] if delta == 1 else words[1]} in {counted(n, 'pose')}."
            " Use a smaller --delta, or a larger --delta_tol with all pairs."
        )
    return starts, ends


def _consecutive(way: Array, delta: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return starts and ends of steps that each begin where the one before ends; `way` (n,) is from the pose before.

    The sums of each step begin anew, so that the ends do not depend on the rounding of a running total.
    """
    ends: list[int] = [0]
    total = np.asarray(np.cumsum(way), dtype=np.float64)
    i, n = 0, len(way)
    while i < n - 1:
        # A first guess by the running total, then the sum of the step itself decides.
        j = max(int(np.searchsorted(total, total[i] + delta, side="left")) - 2, i + 1)
        sums = np.asarray(np.cumsum(way[i + 1 : j + 1]), dtype=np.float64)
        sum_here = float(sums[-1])
        while sum_here < delta and j < n - 1:
            j += 1
            sum_here += float(way[j])
        if sum_here < delta:
            break
        ends.append(j)
        i = j
    rows = np.array(ends, dtype=np.intp)
    return rows[:-1], rows[1:]


def _nearest_to(total: Array, delta: float, tolerance: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return, for each start, the first end whose distance along a way is nearest to a step, within a tolerance."""
    starts = np.arange(len(total) - 1)
    after = np.clip(np.searchsorted(total, total[:-1] + delta, side="left"), starts + 1, len(total) - 1)
    before = np.maximum(after - 1, starts + 1)
    off = [np.abs(total[ends] - total[:-1] - delta) for ends in (before, after)]
    ends = np.where(off[0] <= off[1], before, after)
    first = np.searchsorted(total, total[ends], side="left")  # of poses that rest, the first
    ends = np.where(first > starts, first, ends)
    is_close = np.minimum(*off) <= tolerance
    return starts[is_close], ends[is_close]


BLOCK = 2_000_000
"""Number of pairs of poses whose angles are compared at once."""


def _turned_by(q: Array, angle: float, tolerance: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return all pairs of poses, the first before the second, whose turning from one to the other is about an angle."""
    parts: list[NDArray[Any]] = []
    n = len(q)
    rows = max(1, BLOCK // max(n, 1))
    for start in range(0, n - 1, rows):
        block = np.arange(start, min(start + rows, n - 1))
        cosine = np.abs(q[block] @ q[start:].T)
        chord = 1.0 - np.minimum(cosine, 1.0) ** 2
        turned = 2.0 * np.arctan2(np.sqrt(chord), cosine)
        near = np.abs(turned - angle) <= tolerance
        i, j = np.nonzero(near)
        is_later = j > i
        parts.append(np.stack([block[i[is_later]], start + j[is_later]]))
    pairs = np.concatenate(parts, axis=1) if parts else np.zeros((2, 0), dtype=np.intp)
    return pairs[0], pairs[1]


def statistics_of(errors: Array) -> dict[str, float]:
    """Return the statistics of errors (n,), n > 0, by their names.

    ``sse`` is the sum of squares, ``std`` the standard deviation about the mean, divided by n.

    >>> {name: round(value, 6) for name, value in statistics_of(np.array([0.0, 3.0, 4.0, 5.0])).items()}
    {'rmse': 3.535534, 'mean': 3.0, 'median': 3.5, 'std': 1.870829, 'min': 0.0, 'max': 5.0, 'sse': 50.0}
    """
    squares = errors**2
    return {
        "rmse": float(np.sqrt(squares.mean())),
        "mean": float(errors.mean()),
        "median": float(np.median(errors)),
        "std": float(errors.std()),
        "min": float(errors.min()),
        "max": float(errors.max()),
        "sse": float(squares.sum()),
    }
