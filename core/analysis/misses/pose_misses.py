"""Misses of measured poses: against their frames, or against each other if the frames have no pose."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

import numpy as np

from framescope.core.analysis.misses.miss import Miss, miss_of
from framescope.core.evaluation.compile.instruments import CompiledMeasurement
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_tree import FrameTree
from framescope.core.evaluation.local_motion import LocalMotion
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.recordings.outliers import gaps

TIMES = 121
"""Largest number of times at which a measurement is compared."""

FLOOR_ANGLE, FLOOR_ANGLE_RECORDED = float(np.radians(1.75)), float(np.radians(1.0))
"""Tolerances of angles, rad: of a constant, and of a recording, whose noise is known."""

FLOOR_LENGTH = 5e-3
"""Tolerance of a calibrated position, m."""

FLOOR_PART = 0.01
"""Tolerance of a calibrated position relative to its length; the larger of this and `FLOOR_LENGTH` applies."""

FLOOR_PART_RECORDED = 0.003
"""Tolerance relative to the length of a recorded position, whose noise is known."""

DEGREE = float(np.radians(1.0))

Pose = Callable[[Array], tuple[Array, Array]]


class SampledMotions:
    """Poses of motions at some times, each sampled once, as variants of a plan share most of them."""

    def __init__(self) -> None:
        self._sampled: dict[tuple[int, bytes], tuple[LocalMotion, Array, Array]] = {}

    def pose(self, motion: LocalMotion, t: Array) -> tuple[Array, Array]:
        """Return ``R_PF, p_PF`` at times (n,)."""
        if motion.still is not None:
            T, p = motion.still
            return T.T[np.newaxis], p[np.newaxis]
        key = id(motion), t.tobytes()
        if key not in self._sampled:
            with np.errstate(all="ignore"):
                T, p = motion.pose(t)
            self._sampled[key] = motion, linear_algebra.transpose(T), p
        return self._sampled[key][1:]


def rows_between(tree: FrameTree, of: str, relative_to: str) -> tuple[list[int], list[int]] | None:
    """Return the rows from each of two frames up to their common ancestor; None without a path."""
    ways = [_rows_above(tree, tree.index[name]) for name in (of, relative_to)]
    if not all(way[-1] == 0 for way in ways):
        return None
    while len(ways[0]) > 1 and len(ways[1]) > 1 and ways[0][-2] == ways[1][-2]:
        ways = [way[:-1] for way in ways]
    return ways[0][:-1], ways[1][:-1]


def _rows_above(tree: FrameTree, row: int) -> list[int]:
    rows = [row]
    while rows[-1] > 0 and rows[-1] in tree.motions and len(rows) <= len(tree.names):
        rows.append(int(tree.parents[rows[-1]]))
    return rows


def compose_pose(tree: FrameTree, rows: Collection[int], t: Array, sampled: SampledMotions) -> tuple[Array, Array]:
    """Return the pose (n, 3, 3), (n, 3) of the first of some rows in the parent of the last.

    Each row is the parent of the row before.
    """
    poses = [sampled.pose(tree.motions[row], t) for row in rows]
    if not poses:
        return np.eye(3)[np.newaxis], np.zeros((1, 3))
    R, p = poses[0]
    for R_PF, p_PF in poses[1:]:
        p = p_PF + linear_algebra.apply_matrix(R_PF, p)
        R = linear_algebra.multiply_matrices(R_PF, R)
    return R, p


def relative_pose(
    tree: FrameTree, ways: tuple[list[int], list[int]], t: Array, sampled: SampledMotions
) -> tuple[Array, Array]:
    """Return the pose of a frame in another at times (n,), by the rows up to their common ancestor."""
    R_CB, p_CB = compose_pose(tree, ways[0], t, sampled)
    if not ways[1]:
        return R_CB, p_CB
    R_CA, p_CA = compose_pose(tree, ways[1], t, sampled)
    R = linear_algebra.multiply_matrices(linear_algebra.transpose(R_CA), R_CB)
    return R, linear_algebra.apply_transposed(R_CA, p_CB - p_CA)


def pose_misses(plan: Plan, sampled: SampledMotions, names: Collection[str] | None = None) -> Iterator[Miss]:
    """Yield the misses of all or the named measured poses against the frames, position and orientation separately.

    The comparison is limited to times at which every recording on the path has samples nearby.
    """
    for name, staged in plan.instruments.measurements.items():
        if staged.pose is None or (names is not None and name not in names):
            continue
        ways = rows_between(plan.tree, staged.of, staged.relative_to)
        if ways is not None and ways != ([], []):
            yield from _against_frames(plan, staged, ways, sampled)
        elif ways is None:
            yield from _against_another(plan, staged)


def _against_frames(
    plan: Plan, staged: CompiledMeasurement, ways: tuple[list[int], list[int]], sampled: SampledMotions
) -> Iterator[Miss]:
    t = times_of(plan, staged, ways)
    if not len(t) or staged.pose is None:
        return
    R, p = relative_pose(plan.tree, ways, t, sampled)
    yield from _misses(staged, staged.pose, (R, p), t, _noise(plan, staged, ways, t, sampled))


def _misses(
    staged: CompiledMeasurement, pose: Pose, there: tuple[Array, Array], t: Array, noise: tuple[float, float],
    against: str = "",
) -> Iterator[Miss]:  # fmt: skip
    with np.errstate(all="ignore"):
        T, p = pose(t)
    R_there, p_there = there
    key = ("measured", staged.name)
    if staged.has_orientation:
        angle = rotation_angle(linear_algebra.multiply_matrices(T, R_there))
        floor = FLOOR_ANGLE if staged.motion is None else FLOOR_ANGLE_RECORDED
        miss = miss_of(key, f"orientation{against}", angle, t, noise[1], floor, "°", DEGREE)
        yield from () if miss is None else (miss,)
    if staged.has_position:
        lengths = np.sqrt(np.maximum((p**2).sum(axis=-1), (p_there**2).sum(axis=-1)))
        length = float(np.nanmax(lengths)) if np.isfinite(lengths).any() else 0.0
        part = FLOOR_PART if staged.motion is None else FLOOR_PART_RECORDED
        floor = max(FLOOR_LENGTH, part * length)
        distance = np.sqrt(((p - p_there) ** 2).sum(axis=-1))
        miss = miss_of(key, f"position{against}", distance, t, noise[0], floor, "m", 1.0)
        yield from () if miss is None else (miss,)


def times_of(plan: Plan, staged: CompiledMeasurement, ways: tuple[list[int], list[int]]) -> Array:
    """Return the times at which a measured pose is compared with the frames on the path between its two frames."""
    motions = [plan.tree.motions[row] for way in ways for row in way]
    return _times(plan, [*([] if staged.motion is None else [staged.motion]), *motions])


def _times(plan: Plan, motions: list[LocalMotion]) -> Array:
    """Return the times of comparison: sample times that are within all recordings and outside their gaps."""
    recorded = [motion.sample_times for motion in motions if motion.sample_times is not None]
    start = max([plan.start, *(float(times[0]) for times in recorded)])
    end = min([plan.end, *(float(times[-1]) for times in recorded)])
    if end < start:
        return np.zeros(0)
    if not recorded:
        return np.linspace(start, end, TIMES if any(motion.still is None for motion in motions) else 2)
    t = recorded[0][(recorded[0] >= start) & (recorded[0] <= end)]
    for times in recorded[1:]:
        for i in gaps(times).tolist():
            t = t[(t <= times[i]) | (t >= times[i + 1])]
    return t if len(t) <= TIMES else t[np.linspace(0, len(t) - 1, TIMES).astype(int)]


def _noise(
    plan: Plan, staged: CompiledMeasurement, ways: tuple[list[int], list[int]], t: Array, sampled: SampledMotions
) -> tuple[float, float]:
    """Return the rms distance, m, and angle, rad, expected from the noise of all recordings on the path."""
    p2 = a2 = 0.0
    own = None if staged.motion is None or staged.motion.smoothing is None else staged.motion.smoothing.accuracy
    if own is not None:
        p2, a2 = 3.0 * own.position_noise**2, 3.0 * own.angle_noise**2
    of_way, relative_way = ways
    for way in ways:
        for i, row in enumerate(way):
            smoothing = plan.tree.motions[row].smoothing
            if smoothing is None or smoothing.accuracy is None:
                continue
            # A rotation of this frame moves the measured origin in proportion to its distance.
            is_of = way is of_way
            arm = compose_pose(plan.tree, way[:i], t, sampled) if is_of else relative_pose(
                plan.tree, (of_way, relative_way[i:]), t, sampled
            )  # fmt: skip
            p, a = smoothing.accuracy.position_noise, smoothing.accuracy.angle_noise
            arms: Array = (arm[1] ** 2).sum(axis=-1)
            p2 += 3.0 * p**2 + 2.0 * a**2 * float(np.nanmean(arms))
            a2 += 3.0 * a**2
    return float(np.sqrt(p2)), float(np.sqrt(a2))


def _against_another(plan: Plan, staged: CompiledMeasurement) -> Iterator[Miss]:
    """Yield the misses of a measurement against the first measurement of the same frames, which have no pose."""
    pair = {staged.of, staged.relative_to}
    other = next(
        (item for item in plan.instruments.measurements.values() if item.pose and {item.of, item.relative_to} == pair),
        staged,
    )
    if other is staged:
        return
    a, b = (staged, other) if other.has_orientation else (other, staged)
    t = _times(plan, [item.motion for item in (a, b) if item.motion is not None])
    if a.pose is None or b.pose is None or not len(t):
        return
    with np.errstate(all="ignore"):
        T_b, p_b = b.pose(t)
    R_b = linear_algebra.transpose(T_b)
    shared = a.has_position and b.has_position, a.has_orientation and b.has_orientation
    if a.of != b.of:  # inverting a position needs the orientation
        R_b, p_b = T_b, -linear_algebra.apply_matrix(T_b, p_b)
        shared = shared[0] and b.has_orientation, shared[1]
    pair_measurement = replace(a, name=staged.name, has_position=shared[0], has_orientation=shared[1])
    yield from _misses(pair_measurement, a.pose, (R_b, p_b), t, (0.0, 0.0), f" against {other.name}")


def rotation_angle(R: Array) -> Array:
    """Return the angles (n,) of matrices (n, 3, 3), rad, accurate even for small angles."""
    v = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=-1)
    return np.arctan2(np.sqrt((v**2).sum(axis=-1)), np.trace(R, axis1=1, axis2=2) - 1.0)
