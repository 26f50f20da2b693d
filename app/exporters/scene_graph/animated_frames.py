"""Motion of an animated model's frames in their parents, of their gimbal rings, and of the lines to their parents."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.core import quaternions
from framescope.core.evaluation.drawn_frames import drawn_frames
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.frame_tree import blocks_of_times
from framescope.core.kernels.nearest_rotation import nearest_rotation, shown_rotations
from framescope.core.kernels.sampled_tracks import Allowed, States, join_states
from framescope.core.kernels.validation import Array
from framescope.ui.scene_view.geometry.gimbal_geometry import ring_rotations
from framescope.ui.scene_view.geometry.instanced_mesh import AxesAlong

SAMPLE_TIMES = 64
"""Number of times at which the extent of a scene's motion is sampled."""

TOLERANCE_FACTOR = 10.0
"""Factor by which rings and lines may be less accurate than frames, because nobody reads numbers off them."""

UNBOUND = 1e30
"""Extent of frames and rings, m: so large that the angle alone limits their error."""

NO_TURN = (0.0, 0.0, 0.0, 1.0)

Rows = NDArray[np.intp]


class FrameReach:
    """Extent of the frames' motion, and the error allowed to each so that chains of frames keep to an angle.

    Attributes
    ----------
    center : (3,)
        Median position of all frames but world, in world, m.
    angles, lengths : (n,)
        Allowed error of each frame in its parent, rad and m; the length is the angle times the frame's travel.
    length
        Largest error of a frame in world that follows from them, m.
    scale
        Largest travel of a frame in its parent, and at least the length of an axis, m.
    """

    def __init__(self, plan: Plan, start: float, stop: float, moving_rows: Rows, angle: float) -> None:
        n, parents, order = len(plan.names), plan.tree.parents, plan.tree.order
        blocks = blocks_of_times(plan.tree, np.linspace(start, stop, SAMPLE_TIMES))
        parts = [drawn_frames(plan.tree, evaluate(plan, block)) for block in blocks]
        p_WF = np.concatenate([part.p_WF for part in parts])
        R_WF = np.concatenate([part.R_WF for part in parts])
        # World, at row 0, is left out: the scene may lie far from it.
        is_known = np.asarray(np.isfinite(p_WF[:, 1:]).all(axis=-1), dtype=np.bool_)
        places = p_WF[:, 1:][is_known]
        self.center = np.median(places, axis=0) if len(places) else np.zeros(3)
        axis = float(np.max(np.where(plan.view_data.has_triad, plan.view_data.triad_length, 0.0), initial=0.0)) or 0.1
        above = np.maximum(parents, 0)
        p_PF = np.nan_to_num(np.einsum("mfji,mfj->mfi", R_WF[:, above], p_WF - p_WF[:, above]), nan=0.0)
        travel = 0.5 * np.sqrt(np.square(np.ptp(p_PF, axis=0)).sum(axis=-1))
        arm = np.sqrt(np.square(p_PF).sum(axis=-1)).max(axis=0)
        self.scale = max(axis, float(travel.max(initial=0.0)))
        moves = np.zeros(n)
        moves[moving_rows] = 1.0
        depth = np.zeros(n)
        for row in order[1:].tolist():
            depth[row] = depth[parents[row]] + moves[row]
        for row in order[:0:-1].tolist():
            depth[parents[row]] = max(depth[parents[row]], depth[row])
        self.angles = angle / np.maximum(depth, 1.0)
        self.lengths = self.angles * np.maximum(travel, axis)
        angle_off, length_off = np.zeros(n), np.zeros(n)
        for row in order[1:].tolist():
            up = parents[row]
            angle_off[row] = angle_off[up] + moves[row] * self.angles[row]
            length_off[row] = length_off[up] + angle_off[up] * arm[row] + moves[row] * self.lengths[row]
        self.length = float(length_off.max(initial=0.0)) or angle * axis


class FrameMotion:
    """Motions of frames, gimbal rings and lines to parents, all in their parents, sampled at any times.

    `rows` are the moving frames, `rings` the frames with gimbal rings, three for each, and `links` the frames with a
    line to their parent.
    """

    def __init__(self, plan: Plan, rows: Rows, rings: Rows, links: Rows) -> None:
        self._plan, self._rows, self._rings, self._links = plan, rows, rings, links
        parents = plan.tree.parents
        self._needed = np.unique(np.concatenate([rows, np.maximum(parents[rows], 0), rings, links]).astype(np.intp))
        self.count = len(rows) + 3 * len(rings) + len(links)

    def allowed_errors(self, reach: FrameReach) -> Allowed:
        """Return the allowed errors of all motions."""
        rows = np.concatenate([self._rows, np.repeat(self._rings, 3), self._links]).astype(np.intp)
        n_framed = len(rows) - len(self._links)
        extents = np.full(len(rows), UNBOUND)
        extents[n_framed:] = 0.0
        lengths, angles = reach.lengths[rows], reach.angles[rows]
        lengths[n_framed:] *= TOLERANCE_FACTOR
        angles[n_framed:] *= TOLERANCE_FACTOR
        return Allowed(angles, lengths, lengths, extents)

    def turns(self, start: float, stop: float) -> float:
        """Estimate the number of full turns of the fastest motion at each time."""
        times = np.linspace(start, stop, SAMPLE_TIMES)
        fastest = self.sample(times).rates.max(axis=1, initial=0.0)
        return float(fastest.mean() * (stop - start) / (2.0 * np.pi))

    def sample(self, times: Array) -> States:
        """Return the states of all motions at times (m,), s."""
        return join_states([self._sample(block) for block in blocks_of_times(self._plan.tree, times)])

    def _sample(self, times: Array) -> States:
        plan, m = self._plan, len(times)
        snapshot = drawn_frames(plan.tree, evaluate(plan, times))
        shown = np.full((m, len(plan.names), 3, 3), np.nan)
        shown[:, self._needed] = shown_rotations(snapshot.R_WF[:, self._needed])
        p, Q = np.zeros((m, self.count, 3)), np.tile(np.array(NO_TURN), (m, self.count, 1))
        size, is_seen = np.ones((m, self.count, 3)), np.zeros((m, self.count), dtype=bool)
        rates = np.zeros((m, self.count))
        n = len(self._rows)
        parent = np.maximum(plan.tree.parents, 0)

        def places(rows: Rows) -> Array:
            from_parent = snapshot.p_WF[:, rows] - snapshot.p_WF[:, parent[rows]]
            return np.einsum("mfji,mfj->mfi", shown[:, parent[rows]], from_parent)

        R_PF = np.swapaxes(shown[:, parent[self._rows]], -1, -2) @ shown[:, self._rows]
        _write_poses(is_seen[:, :n], p[:, :n], Q[:, :n], snapshot.is_posed[:, self._rows], places(self._rows), R_PF)
        rates[:, :n] = _finite(np.sqrt(np.square(snapshot.w_PF_F[:, self._rows]).sum(axis=-1)))
        sequences = {rings.i_frame: rings.sequence for rings in plan.view_data.rings}
        for k, row in enumerate(self._rings.tolist()):
            here = slice(n + 3 * k, n + 3 * k + 3)
            sequence = sequences[row]
            angles, dangles = plan.turn_angles(plan.names[int(row)], sequence, snapshot)
            with np.errstate(invalid="ignore"):
                R_PR = np.stack(ring_rotations(sequence, angles.T)[1:], axis=1)
            p_PF = np.repeat(places(np.array([row])), 3, axis=1)
            is_valid = snapshot.is_posed[:, [row]] & np.isfinite(R_PR).all(axis=(-1, -2))
            _write_poses(is_seen[:, here], p[:, here], Q[:, here], is_valid, p_PF, R_PR)
            rates[:, here] = _finite(np.abs(dangles).sum(axis=-1))[:, None]
        here = slice(n + 3 * len(self._rings), None)
        if len(self._links):
            p_PF = places(self._links)
            along = AxesAlong(p_PF[..., 0].size)
            along.turn(p_PF.reshape(-1, 3))
            is_valid = np.asarray(np.isfinite(p_PF).all(axis=-1), dtype=np.bool_)
            R_PL = np.moveaxis(along.axes, 0, -1).reshape(m, -1, 3, 3)
            R_PL[~along.is_given.reshape(m, -1)] = np.eye(3)  # of zero length and so without a direction
            _write_poses(is_seen[:, here], p[:, here], Q[:, here], is_valid, np.zeros_like(p_PF), R_PL)
            size[:, here, 2] = np.where(is_valid, along.lengths.reshape(m, -1), 1.0)
        return States(p, Q, size, is_seen, rates)


def still_pose(plan: Plan, row: int) -> tuple[Array, Array] | None:
    """Return position and quaternion of a frame that is fixed in its parent; None where they are not finite."""
    T, p = plan.tree.still_T_PF[row], plan.tree.still_p_PF[row]
    if not (np.isfinite(T).all() and np.isfinite(p).all()):
        return None
    return p, quaternions.from_T(nearest_rotation(T)[0])


def _write_poses(
    is_seen: NDArray[np.bool_], p: Array, Q: Array, is_valid: NDArray[np.bool_], p_now: Array, R: Array
) -> None:
    """Write the poses that are known and finite."""
    is_valid = is_valid & np.isfinite(p_now).all(axis=-1) & np.isfinite(R).all(axis=(-1, -2))
    is_seen[:] = is_valid
    p[is_valid] = p_now[is_valid]
    Q[is_valid] = quaternions.from_T(np.swapaxes(R[is_valid], -1, -2))


def _finite(values: Array) -> Array:
    return np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
