"""Batched sampling of animated frames: frames with the same axis sequence share one kernel call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.local_motion import LocalMotion, MotionSignals, Sample
from framescope.core.kernels import axis_rotations
from framescope.core.kernels.validation import Array, Sequence3
from framescope.core.system.caches import cache_while_used
from framescope.core.system.cooperative_yield import checkpoint
from framescope.core.time_functions.expression_groups import group_expressions
from framescope.core.time_functions.expressions import Expression

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class FrameBatch:
    """Frames sampled together: their rows, and a function of times (m,) that returns a `Sample` of (m, k, ...).

    `own_pose` returns the pose if it differs from the sample's, see `LocalMotion`.
    """

    rows: Rows
    sample: Callable[[Array], Sample]
    own_pose: Callable[[Array], tuple[Array, Array]] | None = None


def batches_of(rows: Iterable[int], motions: Mapping[int, LocalMotion]) -> tuple[FrameBatch, ...]:
    """Return the batches of moving frames."""
    by_sequence: dict[Sequence3, list[int]] = {}
    groups: list[FrameBatch] = []
    for row in rows:
        axes = motions[row].axes
        if axes is None:
            groups.append(_single(row, motions[row]))
        else:
            by_sequence.setdefault(axes.sequence, []).append(row)
    groups += (
        _of_sequence(sequence, tuple(sequence_rows), tuple(motions[row] for row in sequence_rows))
        for sequence, sequence_rows in by_sequence.items()
    )
    return tuple(groups)


def _single(row: int, motion: LocalMotion) -> FrameBatch:
    def sample(t: Array) -> Sample:
        return Sample(*(part[:, np.newaxis] for part in motion.sample(t)))

    own_pose = motion.own_pose
    if own_pose is None:
        return FrameBatch(np.array([row]), sample)

    def pose(t: Array) -> tuple[Array, Array]:
        T, p = own_pose(t)
        return T[:, np.newaxis], p[:, np.newaxis]

    return FrameBatch(np.array([row]), sample, pose)


@cache_while_used
def _of_sequence(sequence: Sequence3, rows: tuple[int, ...], motions: tuple[LocalMotion, ...]) -> FrameBatch:
    """Return the batch of moving frames with the same sequence; cached, so that edits of other frames reuse it."""
    axes = [motion.axes for motion in motions]
    angles = SignalTable([turn and turn.angles for turn in axes])
    positions = SignalTable([motion.position for motion in motions])
    kernel = axis_rotations.axes_motion(sequence)

    def sample(t: Array) -> Sample:
        p, v, a = positions(t)
        T, w, b = kernel(*angles(t))
        return Sample(T, p, w, v, b, a)

    return FrameBatch(np.array(rows), sample)


class SignalTable:
    """Triples of signals that are sampled together; a missing triple is zero."""

    def __init__(self, triples: Sequence[MotionSignals | None]) -> None:
        self._shape = (len(triples), 3)
        self._constants, self._factors = np.zeros(self._shape).ravel(), np.ones(self._shape).ravel()
        expressions: list[Expression] = []
        places: list[int] = []
        for i, triple in enumerate(triples):
            checkpoint()
            for j, item in enumerate(() if triple is None else triple.items):
                if isinstance(item, Expression) and "t" in item.mentions:
                    expressions.append(item)
                    places.append(3 * i + j)
                else:
                    self._constants[3 * i + j] = item(0.0) if isinstance(item, Expression) else item
            self._factors[3 * i : 3 * i + 3] = 1.0 if triple is None else triple.factor
        self._groups = [(np.array(places)[group.rows], group) for group in group_expressions(expressions)]

    def __call__(self, t: Array) -> Array:
        """Return values, first and second derivatives (3, n, k, 3) at times (n,)."""
        out = np.zeros((3, len(t), len(self._constants)))
        out[0] = self._constants
        for places, group in self._groups:
            jet = group.jet(t)
            out[0][:, places], out[1][:, places], out[2][:, places] = jet.f, jet.d, jet.dd
        out *= self._factors
        return out.reshape(3, len(t), *self._shape)
