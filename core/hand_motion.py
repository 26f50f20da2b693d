"""What a hand does to a frame: the orientations it passes through, their angular velocity, and keyframes of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from framescope.core import conversion_kernels, kernels, quaternions
from framescope.core.arrays import Array
from framescope.core.keyframes import rotation_spline
from framescope.core.scene.edits import Edit, set_frame
from framescope.core.scene.model import Scene
from framescope.core.scene.motions import Key, Keyframes
from framescope.core.scene.poses import QuaternionForm
from framescope.core.scene.quantities import Quantity

CAPACITY = 4096
"""Samples that are kept: half a minute and more of the fastest mouse."""

TOLERANCE = math.radians(0.2)
"""How far keyframes may miss the motion of the hand."""

DECIMALS = 9
TIME_DECIMALS = 4


class HandRecord:
    """A growing record of the orientations of a frame in its parent, with the real times of the hand.

    The oldest samples go when it is full.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._times = np.empty(capacity)
        self._T = np.empty((capacity, 3, 3))
        self._n = 0

    def __len__(self) -> int:
        return min(self._n, len(self._times))

    def append(self, t: float, T_PF: Array) -> None:
        """Add an orientation at a time of the hand, s; one at the same time takes the place of the last one.

        Times that go back, and what is no orientation, are left out.
        """
        if not (math.isfinite(t) and np.isfinite(T_PF).all()):
            return
        last = self._times[(self._n - 1) % len(self._times)] if self._n else -math.inf
        if t < last:
            return
        if t > last:
            self._n += 1
        row = (self._n - 1) % len(self._times)
        self._times[row], self._T[row] = t, T_PF

    @property
    def times(self) -> Array:
        """Times (n,) of the hand, s, increasing."""
        return self._times[self._rows()]

    @property
    def T(self) -> Array:
        """Transformation matrices (n, 3, 3), parent into frame, as the frame had them."""
        return self._T[self._rows()]

    def _rows(self) -> NDArray[np.int_]:
        n = len(self)
        return np.arange(self._n - n, self._n) % len(self._times)


def hand_velocity(times: Array, T: Array) -> Array:
    """Return the angular velocity of a frame relative to its parent, resolved in the frame, from its orientations.

    Parameters
    ----------
    times : (n,)
        Increasing, s.
    T : (n, 3, 3)
        Transformation matrices, parent into frame.

    Returns
    -------
    (n, 3)
        rad/s; zeros for a single sample.

    Notes
    -----
    The rotation vector from one sample to the next, divided by the time between, is the mean rate of the interval, and
    resolved alike at both its ends. A sample has the mean of the rates beside it, each weighted by the length of the
    other interval, which is exact for a rate that changes evenly; the ends have the rate of their only interval.

    Examples
    --------
    >>> from framescope.core.transformation_matrices import axis_rotation
    >>> times = np.array([0.0, 0.1, 0.3])
    >>> hand_velocity(times, np.stack([axis_rotation(3, 2.0 * t) for t in times])).round(9)
    array([[0., 0., 2.],
           [0., 0., 2.],
           [0., 0., 2.]])
    """
    if len(times) < 2:
        return np.zeros((len(times), 3))
    h = np.diff(times)[:, np.newaxis]
    step = kernels.multiply_by_transposed(T[1:], T[:-1])
    rates = conversion_kernels.vector_from_matrix(step) / h
    w = np.empty((len(times), 3))
    w[0], w[-1] = rates[0], rates[-1]
    w[1:-1] = (h[1:] * rates[:-1] + h[:-1] * rates[1:]) / (h[:-1] + h[1:])
    return w


def hand_residues(T: Array) -> Array:
    """Return the six residues (n, 6) of orientations (n, 3, 3)."""
    return kernels.orientation_residues(T)


def thinned(times: Array, T: Array, tolerance: float = TOLERANCE) -> NDArray[np.int_]:
    """Return which samples (k,) are enough: the rotation spline through them misses none by more than `tolerance`, rad.

    Notes
    -----
    From the two ends on, each interval that is off gains its worst sample, until none is.
    """
    Q = _quaternions(T)
    kept = np.unique([0, len(times) - 1])
    while True:
        found, _, _ = rotation_spline(times[kept], Q[kept]).sample(times)
        error = 2.0 * np.arccos(np.clip(np.abs((found * Q).sum(axis=-1)), 0.0, 1.0))
        error[kept] = 0.0
        if error.max() <= tolerance:
            return kept
        parts = itertools.pairwise(kept)
        worst = [a + int(np.argmax(error[a : b + 1])) for a, b in parts if error[a : b + 1].max() > tolerance]
        kept = np.union1d(kept, worst)


def as_keyframes(record: HandRecord, name: str, start: float, p_PF: Array, tolerance: float = TOLERANCE) -> Edit:
    """Return the edit that keeps the motion of a hand as the keyframes of a frame.

    Parameters
    ----------
    record
        What the hand did.
    name
        The frame; what moved it before is replaced.
    start
        When the motion begins in the scene, s.
    p_PF : (3,)
        Where the frame's origin stays, from the parent's, resolved in the parent, m.
    tolerance
        How far the smooth rotation through the keys may miss the hand, rad.

    Raises
    ------
    ValueError
        When applied with less than two samples.

    Examples
    --------
    >>> record = HandRecord()
    >>> for t in (0.0, 0.5, 1.0):
    ...     record.append(t, np.eye(3))
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}}})
    >>> motion = as_keyframes(record, "a", 2.0, np.zeros(3)).apply(scene).frames["a"].motion
    >>> [str(key.time) for key in motion.keys]
    ['2 s', '3 s']
    """
    times, T = record.times, record.T

    def apply(scene: Scene) -> Scene:
        if len(times) < 2:
            raise ValueError("the hand has not moved yet")
        kept = thinned(times, T, tolerance)
        Q = _quaternions(T[kept])
        # Zero rather than minus zero, which nobody writes.
        x, y, z = (round(float(p), DECIMALS) + 0.0 for p in p_PF)
        position = (x, y, z) if any((x, y, z)) else None
        keys = tuple(
            _key(round(start + float(t - times[0]), TIME_DECIMALS), q, position)
            for t, q in zip(times[kept], Q, strict=True)
        )
        unit = {} if position is None else {"unit": "m"}
        motion = Keyframes.model_validate({"form": "keyframes", "keys": keys, **unit})
        return set_frame(scene, name, motion=motion, orientation=None, position=None)

    return Edit(f"Kept the hand's motion of {name} as keyframes", apply)


def _key(t: float, q: Array, position: tuple[float, float, float] | None) -> Key:
    a, b, c, d = (round(float(each), DECIMALS) + 0.0 for each in q)
    form = QuaternionForm(value=(a, b, c, d), order="xyzw")
    given = {} if position is None else {"position": position}
    return Key.model_validate({"time": Quantity(t, "s"), "orientation": form, **given})


def _quaternions(T: Array) -> Array:
    return quaternions.continuous_signs(kernels.quaternion_from_matrix(T, kernels.NO_TURN))
