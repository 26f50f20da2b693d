"""Traces of relative rotations: angles and quaternions that are continuous over the scene's time.

Everything that shows such numbers reads them here: panels, read-outs, plots, tables, films and the command line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from framescope.core.evaluation.delayed_frames import Delay, row_before, seen_through
from framescope.core.evaluation.frame_tree import FrameTree, build_tree, evaluate_tree, subtree
from framescope.core.evaluation.local_motion import LocalMotion
from framescope.core.evaluation.relative_motion import relative_orientations
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.attitude_trace import AttitudeTrace, Begin, first_knots, has_values
from framescope.core.kernels.nearest_rotation import shown_rotations
from framescope.core.kernels.validation import Array, Sequence3, as_sequence
from framescope.core.snapshot import Snapshot
from framescope.core.system.caches import cache_while_used
from framescope.core.system.growing_series import GrowingSeries

CONTINUOUS_RULE = "followed from the start of the scene, from the authored angles or else branch 1"
"""Rule by which one of the possible sets of angles is chosen, in the words of the window."""

SIGN_RULE = "sign followed from the start of the scene, from the authored one or else w ≥ 0"
"""Rule by which one of the two quaternions is chosen, in the words of the window."""

Chain = tuple[LocalMotion, ...]

Moment = tuple[int, ...]
"""Revisions of the growing series that motions read; a trace is valid for these revisions only."""

AxisSequence = str | tuple[int, ...]


def live_range(live: Iterable[GrowingSeries]) -> tuple[float, float] | None:
    """Return start and end of the data of growing series, s; None if they cover no time yet."""
    times = [data_times for series in live if len(data_times := series.times)]
    start, end = (
        min((data_times[0] for data_times in times), default=0.0),
        max((data_times[-1] for data_times in times), default=0.0),
    )
    return (float(start), float(end)) if end > start else None


@dataclass(frozen=True, eq=False)
class FrameTraces:
    """Traces of the frames of a tree over the time range of a scene, s, computed on first use.

    If motions read growing series (`live`), a trace is recomputed after they have grown. With a `delay`, the traces are
    of earlier poses relative to present poses, and the snapshots come from `seen_through`. The methods take names of
    frames in the scene; `of` is the delayed frame.
    """

    tree: FrameTree
    start: float
    end: float
    live: tuple[GrowingSeries, ...] = ()
    delay: Delay | None = None
    _traces: dict[tuple[str, str], tuple[Moment, _Pair | None]] = field(default_factory=dict, init=False, repr=False)
    _delayed: dict[Delay, FrameTraces] = field(default_factory=dict, init=False, repr=False)
    _first: dict[int, _Turning] = field(default_factory=dict, init=False, repr=False)
    _rests: dict[int, Array | None] = field(default_factory=dict, init=False, repr=False)

    def with_delay(self, delay: Delay) -> FrameTraces:
        """Return the traces of earlier poses, seen through a frame that counts as fixed meanwhile."""
        if delay not in self._delayed:
            self._delayed[delay] = replace(self, delay=delay)
        return self._delayed[delay]

    def row_of(self, of: str) -> str:
        """Return the name of a frame's row in the snapshots of these traces."""
        return of if self.delay is None else row_before(of)

    def angles(
        self, snapshot: Snapshot, of: str, relative_to: str, sequence: AxisSequence, guess_angle1: float | None = None
    ) -> Array:
        """Return the continuous angles (..., 3) of one frame relative to another at the times of a snapshot, rad.

        They are the authored angles if `of` has this sequence in `relative_to`. Others are computed from the
        poses and followed from the start of the scene, on branch 1 there. With a guess, they start with the set whose
        first angle is nearest to the guess. At gimbal lock their first angle keeps its value. Without a pose the
        angles are NaN. If the rotation is too fast to follow, the angles are of branch 1.
        """
        T = self.rotations(snapshot, of, relative_to).reshape(-1, 3, 3)
        angles = self.angles_of(T, snapshot.t.reshape(-1), of, relative_to, sequence, guess_angle1)
        return angles.reshape(*snapshot.t.shape, 3)

    def angles_of(
        self, T: Array, times: Array, of: str, relative_to: str, sequence: AxisSequence, guess: float | None = None
    ) -> Array:
        """Return the continuous angles (n, 3) as in `angles`, for matrices (n, 3, 3) at times (n,)."""
        axes, pair = as_sequence(sequence), self._pair(of, relative_to)
        if pair is None:
            return np.full((len(times), 3), np.nan)
        authored = pair.authored_angles(times, axes) if guess is None else None
        if authored is not None:
            return np.where(has_values(T)[:, np.newaxis], authored, np.nan)
        begin = pair.begin(axes) if guess is None else float(guess)
        return pair.trace.angles(times, T, axes, begin)

    def quaternions(self, snapshot: Snapshot, of: str, relative_to: str) -> Array:
        """Return the quaternions (..., 4) from one frame into another, scalar last, at the times of a snapshot.

        The sign is continuous from the start of the scene, where it is as authored or the scalar is not negative. NaN
        without a pose.
        """
        T = self.rotations(snapshot, of, relative_to).reshape(-1, 3, 3)
        pair = self._pair(of, relative_to)
        if pair is None:
            return np.full((*snapshot.t.shape, 4), np.nan)
        quaternions = pair.trace.quaternions(snapshot.t.reshape(-1), T, pair.authored_quaternion)
        return quaternions.reshape(*snapshot.t.shape, 4)

    def rotations(self, snapshot: Snapshot, of: str, relative_to: str) -> Array:
        """Return the shown rotations (..., 3, 3) from one frame into another: `matrices` without drift.

        A matrix that has drifted is replaced by the relative rotation of the shown rotations of both frames in world,
        so that all shown rotations are consistent.
        """
        T = self.matrices(snapshot, of, relative_to)
        shown = shown_rotations(T)
        is_drifted = np.isfinite(T).all(axis=(-2, -1)) & (shown != T).any(axis=(-2, -1))
        if is_drifted.any() and relative_to in snapshot.index:
            i, j = snapshot.index[self.row_of(of)], snapshot.index[relative_to]
            R_WA, R_WB = (shown_rotations(snapshot.R_WF[..., k, :, :][is_drifted]) for k in (i, j))
            shown[is_drifted] = linear_algebra.multiply_matrices(linear_algebra.transpose(R_WA), R_WB)
        return shown

    def matrices(self, snapshot: Snapshot, of: str, relative_to: str) -> Array:
        """Return the matrices (..., 3, 3) from one frame into another; for a frame in its parent, its local matrices.

        A frame has a rotation in its parent even if this parent does not exist or has no known pose. At times with
        another parent, the rotation follows from the poses of both frames.
        """
        i = snapshot.index[of]
        is_in_parent = self.delay is None and self._is_parent(relative_to, of)
        T_PF = snapshot.T_PF[..., i, :, :]
        if is_in_parent and (i not in self.tree.switches or np.isfinite(T_PF).all()):
            return T_PF
        R_WB, R_WA = relative_orientations(snapshot, self.row_of(of), relative_to)
        T_AB = linear_algebra.multiply_matrices(linear_algebra.transpose(R_WA), R_WB)
        return np.where(np.isfinite(T_PF), T_PF, T_AB) if is_in_parent else T_AB

    def _pair(self, of: str, relative_to: str) -> _Pair | None:
        key, moment = (of, relative_to), tuple(series.revision for series in self.live)
        if key not in self._traces or self._traces[key][0] != moment:
            start, end = live_range(self.live) or (self.start, self.end)
            tree = self.tree
            T = None if self.delay is not None or self._is_parent(relative_to, of) else self._rest(of, relative_to)
            if T is not None:
                self._traces[key] = moment, _resting_pair(T, start, end)
                return self._traces[key][1]
            if self.delay is not None:
                tree = subtree(tree, (of, relative_to, self.delay.through))
            elif tree.switches:
                tree = subtree(tree, (of, relative_to))
            if self.delay is not None or tree.switches:
                self._traces[key] = moment, _tree_pair(tree, of, relative_to, start, end, self.delay)
                return self._traces[key][1]
            i = self.tree.index[of]
            motion = self.tree.motions.get(i)
            pair = None
            if motion is not None and self._is_parent(relative_to, of):
                pair = _pair_of((motion,), (), start, end, moment)
            elif (chains := self._chains(i, j := self.tree.index[relative_to])) is not None:
                pair = _pair_of(chains.of, chains.relative_to, start, end, moment)
                if chains.meet_in_world and not self.live and not (pair.trace.is_constant or pair.trace.is_begun):
                    pair.trace.begin_with(*_relative(self._first_in_world(i), self._first_in_world(j)))
            self._traces[key] = moment, pair
        return self._traces[key][1]

    def _is_parent(self, relative_to: str, of: str) -> bool:
        """Return whether the scene names a frame as parent of another, even if it does not exist or is in a cycle."""
        i = self.tree.index[of]
        return self.tree.ring_parents.get(i, int(self.tree.parents[i])) == self.tree.index.get(relative_to, -1)

    def _rest(self, of: str, relative_to: str) -> Array | None:
        """Return the matrix (3, 3) from one frame into another if both rest in world; otherwise None."""
        R_WA, R_WB = (self._rest_in_world(self.tree.index[name]) for name in (of, relative_to))
        if R_WA is None or R_WB is None:
            return None
        R_WA, R_WB = shown_rotations(np.stack([R_WA, R_WB]))
        return linear_algebra.multiply_matrices(linear_algebra.transpose(R_WA), R_WB)

    def _rest_in_world(self, row: int) -> Array | None:
        """Return the rotation (3, 3) of a frame into world if it and all its ancestors rest; otherwise None.

        The rotations of ancestors are kept, so that those of all frames take one product each.
        """
        tree, rests = self.tree, self._rests
        path: list[int] = []
        while row > 0 and row not in rests:
            path.append(row)
            row = int(tree.parents[row])
        R = np.eye(3) if row == 0 else rests.get(row)
        for below in reversed(path):
            T = _rest_in_parent(tree, below)
            R = None if R is None or T is None else linear_algebra.multiply_by_transposed(R, T)
            rests[below] = R
        return R

    def _first_in_world(self, row: int) -> _Turning:
        """Return the rotation of a frame with a pose into world at the first knots of its traces.

        The rotations of its ancestors are kept, so that those of all frames take one product each.
        """
        tree, first = self.tree, self._first
        if not first:
            n = len(first_knots(self.start, self.end))
            first[0] = _Turning(np.broadcast_to(np.eye(3), (n, 3, 3)), np.zeros(n))
        path = [row]
        while path[-1] not in first:
            path.append(int(tree.parents[path[-1]]))
        turning = first[path.pop()]
        for below in reversed(path):
            turning = _carried(turning, tree.motions[below], first_knots(self.start, self.end))
            if below != row:
                first[below] = turning
        return turning

    def _chains(self, i: int, j: int) -> _Chains | None:
        """Return the motions of both frames up to their first common ancestor; None if one has no pose."""
        tree = self.tree
        above: list[list[int]] = []
        for row in (i, j):
            path = [row]
            while path[-1] > 0:
                if path[-1] not in tree.motions or len(path) > len(tree.names):
                    return None
                path.append(int(tree.parents[path[-1]]))
            if path[-1] < 0:
                return None
            above.append(path)
        shared = set(above[0]) & set(above[1])
        of, relative_to = (tuple(tree.motions[row] for row in path if row not in shared) for path in above)
        return _Chains(of, relative_to, meet_in_world=shared == {0})


@dataclass(frozen=True, eq=False)
class _Chains:
    """Motions of two frames, each from the lowest frame up to their first common ancestor."""

    of: Chain
    relative_to: Chain
    meet_in_world: bool


class _Turning(NamedTuple):
    """Rotations (k, 3, 3) of a frame into world, and bounds of their rates (k,), rad/s."""

    R_WF: Array
    rates: Array


def _carried(parent: _Turning, motion: LocalMotion, times: Array) -> _Turning:
    """Return the rotation of a frame from that of its parent, at times (k,)."""
    with np.errstate(all="ignore"):
        if not motion.is_connected:
            return _Turning(np.full((len(times), 3, 3), np.nan), np.full(len(times), np.nan))
        T, w = motion.pose(times)[0], motion.sample(times).w
        R_WF = linear_algebra.multiply_by_transposed(parent.R_WF, T)
        return _Turning(R_WF, parent.rates + np.sqrt((w**2).sum(axis=-1)))


def _relative(of: _Turning, relative_to: _Turning) -> tuple[Array, Array]:
    """Return the matrices (k, 3, 3) from one frame into another, and bounds of their rates (k,)."""
    with np.errstate(all="ignore"):
        R_WA, R_WB = shown_rotations(of.R_WF), shown_rotations(relative_to.R_WF)
        T = linear_algebra.multiply_matrices(linear_algebra.transpose(R_WA), R_WB)
        return T, of.rates + relative_to.rates


def _rest_in_parent(tree: FrameTree, row: int) -> Array | None:
    """Return the constant matrix (3, 3) from the parent into a frame; None if there is none."""
    motion = tree.motions.get(row)
    if motion is None or motion.still is None or not motion.is_connected or row in tree.switches:
        return None
    T = motion.still[0]
    return T if np.isfinite(T).all() else None


def _resting_pair(T: Array, start: float, end: float) -> _Pair:
    """Return the trace of two frames at rest, with the matrix (3, 3) from one into the other."""

    def attitude(times: Array) -> tuple[Array, Array]:
        return np.broadcast_to(T, (len(times), 3, 3)), np.zeros(len(times))

    return _Pair(AttitudeTrace(attitude, start, end, is_constant=True), None, np.zeros(0))


@dataclass(frozen=True, eq=False)
class _Pair:
    """Trace of one frame relative to another, and its authored motion if the other is its parent."""

    trace: AttitudeTrace
    authored: LocalMotion | None
    times: Array

    @property
    def authored_quaternion(self) -> Array | None:
        return None if self.authored is None else self.authored.quaternion

    def authored_angles(self, times: Array, axes: Sequence3) -> Array | None:
        """Return the authored angles (n, 3) at times (n,), rad; None if the frame has no such sequence."""
        turn = None if self.authored is None else self.authored.axes
        if turn is None or turn.sequence != axes:
            return None
        with np.errstate(all="ignore"):
            return turn.angles.values(times)

    def begin(self, axes: Sequence3) -> Begin:
        """Return the authored angles at the start of the scene; None if the frame has no such sequence."""
        angles = self.authored_angles(self.times, axes)
        if angles is None:
            return None
        known = np.flatnonzero(np.isfinite(angles).all(axis=-1))
        if not len(known):
            return None
        a, b, c = angles[known[0]].tolist()
        return a, b, c


@cache_while_used
def _pair_of(of: Chain, relative_to: Chain, start: float, end: float, _moment: Moment) -> _Pair:
    """Return the trace of two chains of motions relative to each other, each from the lowest frame up."""
    is_constant = all(motion.is_constant for motion in (*of, *relative_to))
    authored = of[0] if len(of) == 1 and not relative_to else None

    def relative_to_parent(t: Array) -> tuple[Array, Array]:
        with np.errstate(all="ignore"):
            T = of[0].pose(t)[0]
            return shown_rotations(T), np.sqrt((of[0].sample(t).w ** 2).sum(axis=-1))

    # The tree of a long chain takes memory, and most traces do not need it.
    small_tree = cache(partial(_small_tree, of, relative_to))
    i, j = len(of), len(of) + len(relative_to) if relative_to else 0

    def relative_to_other(t: Array) -> tuple[Array, Array]:
        snapshot = evaluate_tree(small_tree(), t)
        with np.errstate(all="ignore"):
            R_WA, R_WB = (shown_rotations(snapshot.R_WF[:, k]) for k in (i, j))
            T = linear_algebra.multiply_matrices(linear_algebra.transpose(R_WA), R_WB)
            return T, np.sqrt((snapshot.w_PF_F**2).sum(axis=-1)).sum(axis=-1)

    trace = AttitudeTrace(
        relative_to_other if authored is None else relative_to_parent, start, end, is_constant=is_constant
    )
    return _Pair(trace, authored, np.linspace(start, end, 65))


def _tree_pair(tree: FrameTree, of: str, relative_to: str, start: float, end: float, delay: Delay | None) -> _Pair:
    """Return the trace of a frame relative to another in a tree that changes over time, or at two times."""

    def turning(snapshot: Snapshot) -> Array:
        return np.sqrt((snapshot.w_PF_F**2).sum(axis=-1)).sum(axis=-1)

    def attitude(t: Array) -> tuple[Array, Array]:
        snapshot = evaluate_tree(tree, t)
        with np.errstate(all="ignore"):
            bound = turning(snapshot)
            if delay is not None:
                then = evaluate_tree(tree, t - delay.seconds)
                snapshot, bound = seen_through(snapshot, then, of, delay.through), bound + turning(then)
            row = of if delay is None else row_before(of)
            R_WB, R_WA = map(shown_rotations, relative_orientations(snapshot, row, relative_to))
            return linear_algebra.multiply_matrices(linear_algebra.transpose(R_WA), R_WB), bound

    return _Pair(AttitudeTrace(attitude, start, end), None, np.linspace(start, end, 65))


def _small_tree(of: Chain, relative_to: Chain) -> FrameTree:
    """Return the tree of two chains only: `of` in rows 1 to n, and their common ancestor as the world."""
    motions = (*reversed(of), *reversed(relative_to))
    n = len(of)
    parents = [0, *(0 if i in (0, n) else i for i in range(len(motions)))]
    names = tuple(str(i) for i in range(len(parents)))
    return build_tree(names, np.array(parents), dict(enumerate(motions, start=1)))
