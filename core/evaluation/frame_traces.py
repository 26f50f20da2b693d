"""Traces of frames relative to each other: angles and quaternions that are continuous over the scene's time.

All that shows such numbers has them from here: panels, read-outs, plots, tables, films and the command line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from framescope.core.evaluation.delayed_frames import Delay, row_before, seen_through
from framescope.core.evaluation.frame_tree import FrameTree, build_tree, evaluate_tree, subtree
from framescope.core.evaluation.local_motion import LocalMotion
from framescope.core.evaluation.relative_motion import relative_orientations
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.attitude_trace import AttitudeTrace, Begin
from framescope.core.kernels.nearest_rotation import shown_rotations
from framescope.core.kernels.validation import Array, Sequence3, as_sequence
from framescope.core.snapshot import Snapshot
from framescope.core.system.caches import cache_while_used
from framescope.core.system.growing_series import GrowingSeries

CONTINUOUS_RULE = "followed from the start of the scene, from the authored angles or else branch 1"
"""Which of all the angles of an orientation are the continuous ones, in the words of the window."""

SIGN_RULE = "sign followed from the start of the scene, from the authored one or else w ≥ 0"
"""Which of the two quaternions of an orientation is shown, in the words of the window."""

Chain = tuple[LocalMotion, ...]

Moment = tuple[int, ...]
"""Revisions of the growing series that motions read: a trace is of the data that there were."""

AxisSequence = str | tuple[int, ...]


def live_range(live: Iterable[GrowingSeries]) -> tuple[float, float] | None:
    """Return from when to when there are data, s; None before there are any over a time."""
    times = [each for series in live if len(each := series.times)]
    start, end = min((each[0] for each in times), default=0.0), max((each[-1] for each in times), default=0.0)
    return (float(start), float(end)) if end > start else None


@dataclass(frozen=True, eq=False)
class FrameTraces:
    """The traces of the frames of a tree over the time range of a scene, s; each is made when it is first needed.

    Where motions read series that grow (`live`), it is made anew once they have grown. With a `delay` they are of
    frames as they were so long before, relative to others as they are; the snapshots are then those of `seen_through`.
    Frames are named as in the scene all the same: `of` is the delayed one.
    """

    tree: FrameTree
    start: float
    end: float
    live: tuple[GrowingSeries, ...] = ()
    delay: Delay | None = None
    _made: dict[tuple[str, str], tuple[Moment, _Pair | None]] = field(default_factory=dict, init=False, repr=False)
    _delayed: dict[Delay, FrameTraces] = field(default_factory=dict, init=False, repr=False)

    def delayed(self, delay: Delay) -> FrameTraces:
        """Return the traces of frames as they were so long before, seen through one that stands still between."""
        if delay not in self._delayed:
            self._delayed[delay] = replace(self, delay=delay)
        return self._delayed[delay]

    def row_of(self, of: str) -> str:
        """Return the name of the row that a frame has in the snapshots of these traces."""
        return of if self.delay is None else row_before(of)

    def angles(
        self, snapshot: Snapshot, of: str, relative_to: str, sequence: AxisSequence, guess_angle1: float | None = None
    ) -> Array:
        """Return the continuous angles (..., 3) of one frame relative to another at the times of a snapshot, rad.

        They are computed from where the frames are, and followed from the start of the scene: there they are the
        authored ones, where `of` is authored by that sequence in `relative_to`, else those of branch 1, or with a
        guess those with a first one nearest to it. At the lock the first angle stays as it was. NaN without a pose.
        What turns too often to be followed has the angles of branch 1.
        """
        T = self.rotations(snapshot, of, relative_to).reshape(-1, 3, 3)
        found = self.angles_of(T, snapshot.t.reshape(-1), of, relative_to, sequence, guess_angle1)
        return found.reshape(*snapshot.t.shape, 3)

    def angles_of(
        self, T: Array, times: Array, of: str, relative_to: str, sequence: AxisSequence, guess: float | None = None
    ) -> Array:
        """Return the continuous angles (n, 3) as `angles`, of the matrices (n, 3, 3) that there are at times (n,)."""
        axes, pair = as_sequence(sequence), self._pair(of, relative_to)
        if pair is None:
            return np.full((len(times), 3), np.nan)
        begin = pair.begin(axes) if guess is None else float(guess)
        return pair.trace.angles(times, T, axes, begin)

    def quaternions(self, snapshot: Snapshot, of: str, relative_to: str) -> Array:
        """Return the quaternions (..., 4) from one frame into another, scalar last, at the times of a snapshot.

        The sign goes on from the start of the scene, where the scalar is not negative, or as authored. NaN without a
        pose.
        """
        T = self.rotations(snapshot, of, relative_to).reshape(-1, 3, 3)
        pair = self._pair(of, relative_to)
        if pair is None:
            return np.full((*snapshot.t.shape, 4), np.nan)
        found = pair.trace.quaternions(snapshot.t.reshape(-1), T, pair.authored_quaternion)
        return found.reshape(*snapshot.t.shape, 4)

    def rotations(self, snapshot: Snapshot, of: str, relative_to: str) -> Array:
        """Return the rotations (..., 3, 3) that are told of one frame in another: as `matrices`, but without drift.

        Of two frames that drift both it is between the rotations that are told of them in world, so that all that
        are told fit together.
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
        """Return the matrices (..., 3, 3) from one frame into another; of a frame in its parent as they stand.

        A frame is turned in its parent even where there is no such parent, or where nothing says where that is. While
        it hangs on another one, how it is turned follows from where both are.
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
        if key not in self._made or self._made[key][0] != moment:
            start, end = live_range(self.live) or (self.start, self.end)
            tree = self.tree
            if self.delay is not None:
                tree = subtree(tree, (of, relative_to, self.delay.through))
            elif tree.switches:
                tree = subtree(tree, (of, relative_to))
            if self.delay is not None or tree.switches:
                self._made[key] = moment, _tree_pair(tree, of, relative_to, start, end, self.delay)
                return self._made[key][1]
            i = self.tree.index[of]
            motion = self.tree.motions.get(i)
            chains: tuple[Chain, Chain] | None
            if motion is not None and self._is_parent(relative_to, of):
                chains = (motion,), ()
            else:
                chains = self._chains(i, self.tree.index[relative_to])
            self._made[key] = moment, None if chains is None else _pair_of(*chains, start, end, moment)
        return self._made[key][1]

    def _is_parent(self, relative_to: str, of: str) -> bool:
        """Return whether the scene names a frame as parent of another: also one that does not exist, and in a ring."""
        i = self.tree.index[of]
        return self.tree.ring_parents.get(i, int(self.tree.parents[i])) == self.tree.index.get(relative_to, -1)

    def _chains(self, i: int, j: int) -> tuple[Chain, Chain] | None:
        """Return the motions of both frames up to the first frame that both hang on; None where one has no pose."""
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
        return of, relative_to


@dataclass(frozen=True, eq=False)
class _Pair:
    """The trace of one frame relative to another, and what is authored of it where it hangs on the other."""

    trace: AttitudeTrace
    authored: LocalMotion | None
    times: Array

    @property
    def authored_quaternion(self) -> Array | None:
        return None if self.authored is None else self.authored.quaternion

    def begin(self, axes: Sequence3) -> Begin:
        """Return the authored angles at the start of the scene; None where there are none by that sequence."""
        turn = None if self.authored is None else self.authored.axes
        if turn is None or turn.sequence != axes:
            return None
        with np.errstate(all="ignore"):
            angles = turn.angles.values(self.times)
        known = np.flatnonzero(np.isfinite(angles).all(axis=-1))
        if not len(known):
            return None
        a, b, c = angles[known[0]].tolist()
        return a, b, c


@cache_while_used
def _pair_of(of: Chain, relative_to: Chain, start: float, end: float, _moment: Moment) -> _Pair:
    """Make the trace of what hangs on a chain of motions relative to what hangs on another, the lowest first."""
    is_constant = all(motion.is_constant for motion in (*of, *relative_to))
    authored = of[0] if len(of) == 1 and not relative_to else None

    def of_one(t: Array) -> tuple[Array, Array]:
        with np.errstate(all="ignore"):
            T = of[0].pose(t)[0]
            return shown_rotations(T), np.sqrt((of[0].sample(t).w ** 2).sum(axis=-1))

    tree = _small_tree(of, relative_to)
    i, j = len(of), len(of) + len(relative_to) if relative_to else 0

    def of_two(t: Array) -> tuple[Array, Array]:
        snapshot = evaluate_tree(tree, t)
        with np.errstate(all="ignore"):
            R_WA, R_WB = (shown_rotations(snapshot.R_WF[:, k]) for k in (i, j))
            T = linear_algebra.multiply_matrices(linear_algebra.transpose(R_WA), R_WB)
            return T, np.sqrt((snapshot.w_PF_F**2).sum(axis=-1)).sum(axis=-1)

    trace = AttitudeTrace(of_two if authored is None else of_one, start, end, is_constant=is_constant)
    return _Pair(trace, authored, np.linspace(start, end, 65))


def _tree_pair(tree: FrameTree, of: str, relative_to: str, start: float, end: float, delay: Delay | None) -> _Pair:
    """Make the trace of a frame relative to another in a tree that is not the same all the time, or at two times."""

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
    """Return the tree of two chains alone, that of `of` in rows 1 to n, the frame that both hang on for the world."""
    motions = (*reversed(of), *reversed(relative_to))
    n = len(of)
    parents = [0, *(0 if i in (0, n) else i for i in range(len(motions)))]
    names = tuple(str(i) for i in range(len(parents)))
    return build_tree(names, np.array(parents), dict(enumerate(motions, start=1)))
