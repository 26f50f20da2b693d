"""Moving frames sampled in groups: those of one axis sequence go through one kernel call together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core import turns
from framescope.core.arrays import Array, Sequence3
from framescope.core.motions import LocalMotion, Sample, Signals

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class MovingGroup:
    """Frames that are sampled together: their rows, and a function of times (m,) giving a `Sample` of (m, k, ...)."""

    rows: Rows
    sample: Callable[[Array], Sample]


def group_moving(rows: Iterable[int], motions: Mapping[int, LocalMotion]) -> tuple[MovingGroup, ...]:
    """Return the groups of moving frames."""
    by_sequence: dict[Sequence3, list[int]] = {}
    groups: list[MovingGroup] = []
    for row in rows:
        axes = motions[row].axes
        if axes is None:
            groups.append(_single(row, motions[row]))
        else:
            by_sequence.setdefault(axes.sequence, []).append(row)
    groups += (_of_sequence(sequence, found, motions) for sequence, found in by_sequence.items())
    return tuple(groups)


def _single(row: int, motion: LocalMotion) -> MovingGroup:
    def sample(t: Array) -> Sample:
        return Sample(*(part[:, np.newaxis] for part in motion.sample(t)))

    return MovingGroup(np.array([row]), sample)


def _of_sequence(sequence: Sequence3, rows: list[int], motions: Mapping[int, LocalMotion]) -> MovingGroup:
    angles = [motions[row].axes for row in rows]
    positions = [motions[row].position for row in rows]
    kernel = turns.axes_motion(sequence)

    def sample(t: Array) -> Sample:
        turned = _together(t, [axes and axes.angles for axes in angles])
        p, v, a = _together(t, positions)
        T, w, b = kernel(*turned)
        return Sample(T, p, w, v, b, a)

    return MovingGroup(np.array(rows), sample)


def _together(t: Array, signals: list[Signals | None]) -> Array:
    """Return values, first and second derivatives (3, m, k, 3) of k triples of signals; those of none are zero."""
    out = np.zeros((3, len(t), len(signals), 3))
    for i, triple in enumerate(signals):
        if triple is not None:
            triple.fill(t, out[:, :, i])
    return out
