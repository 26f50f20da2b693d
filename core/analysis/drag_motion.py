"""Motion of a frame under a drag: its orientations, their angular velocity, and keyframes fitted to them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core import angle_branches, frames, quaternions
from framescope.core.errors import counted
from framescope.core.kernels import conversions, linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.schema.kinds.orientations import (
    is_about_fixed,
    moving_sequence,
    sequence_key,
    three_angles,
)
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.motions import Key, Keyframes, sequence_of_keys
from framescope.core.scene.schema.poses import QuaternionForm, ThreeAngles
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.system.growing_series import GrowingSeries
from framescope.core.time_functions.rotation_spline import RotationEnds, rotation_spline
from framescope.core.time_functions.smoothing_spline import smoothing_spline

CAPACITY = 4096
"""Largest number of samples kept: at least half a minute of the fastest mouse."""

TOLERANCE = math.radians(0.5)
"""Largest deviation of keyframes from the motion of a hand, rad."""

BANDWIDTHS = (1.0, 2.0, 4.0, 8.0)
"""Bandwidths tried for smoothing a hand's motion, Hz; faster motion counts as tremor."""

TREMBLING, LARGEST = 4.0, math.radians(3.0)
"""Largest deviation of keyframes from the hand: as a multiple of its tremor, and in rad."""

CLEAN = math.radians(0.05)
"""Tremor up to which a motion is not smoothed, rad."""

MOST_SMOOTHED = 0.75
"""Largest fraction of the tolerance that smoothing may use; the remainder allows fewer keys."""

MEDIAN_OF_CHANCE = 0.83
"""Median distance of a sample from the mean of its neighbours, for errors about one axis with a deviation of 1."""

MOST_LOOKED_AT = 1000
"""Largest number of samples of a smooth motion from which keys are chosen."""

END_WEIGHT = 1e4
"""Weight of the first and the last sample relative to others, since the drag starts and ends at these orientations."""

RATE_TOLERANCE, RATE_SHARE = math.radians(2.0), 0.05
"""Largest error of the angular velocity at the first and the last key: in rad/s, and as a fraction of its maximum."""

PAUSE, STEP = 0.5, 0.1
"""Time without samples after which the hand counts as still, and time before the next sample at which it moves, s."""

STILL, N_STILL = 1e-6, 4
"""Rotation up to which a frame counts as still, rad; samples added to a first or last interval without rotation."""

DECIMALS = 9
TIME_DECIMALS = 4


class DragRecord:
    """Growing series of the orientations of a frame in its parent, at real times of the drag.

    When the series is full, the oldest samples are dropped.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._series = GrowingSeries(9, capacity)

    def __len__(self) -> int:
        return len(self._series)

    def append(self, t: float, T_PF: Array) -> None:
        """Add an orientation at a time of the drag, s.

        Times that do not increase and invalid orientations are ignored. A still hand sends no samples. A pause is
        therefore filled with samples, so that the velocity is not smeared and no curve overshoots in the gap.
        """
        times, rows = self._series.rows
        last = times[-1] if len(times) else -math.inf
        if not (math.isfinite(t) and np.isfinite(T_PF).all() and t > last):
            return
        if len(times) and t > last + PAUSE:
            still = _pause_times(last, t)
            self._series.append(still, np.tile(rows[-1], (len(still), 1)))
        self._series.append(t, T_PF.reshape(9))

    @property
    def is_motion(self) -> bool:
        """Whether the frame rotated in more than one step. A typed value or a single step is no motion."""
        T = self.T
        if len(T) < 3:
            return False
        return int((_angles_between(T[1:], T[:-1]) > STILL).sum()) > 1

    @property
    def times(self) -> Array:
        """Times (n,) of the drag, s, increasing."""
        return self._series.times

    @property
    def T(self) -> Array:
        """Transformation matrices (n, 3, 3), parent into frame."""
        return self._series.rows[1].reshape(-1, 3, 3)


def _pause_times(start: float, end: float) -> list[float]:
    """Return times within a pause, denser towards its ends; the last is a step before the end.

    >>> [round(t, 2) for t in _pause_times(0.0, 1.0)]
    [0.1, 0.2, 0.4, 0.6, 0.8, 0.9]
    """
    half = (end - start) / 2.0
    away = [STEP * 2.0**k for k in range(64) if STEP * 2.0**k < half]
    return [*(start + dt for dt in away), *(end - dt for dt in reversed(away))]


def drag_velocity(times: Array, T: Array) -> Array:
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
    The rotation vector between two samples, divided by their time difference, is the mean rate of the interval; its
    components are the same at both ends. The rate at a sample is the mean of the rates on both sides, each weighted by
    the length of the other interval, which is exact for a linearly changing rate. The ends have the rate of their only
    interval.

    Examples
    --------
    >>> from framescope.core.transformation_matrices import axis_rotation
    >>> times = np.array([0.0, 0.1, 0.3])
    >>> drag_velocity(times, np.stack([axis_rotation(3, 2.0 * t) for t in times])).round(9)
    array([[0., 0., 2.],
           [0., 0., 2.],
           [0., 0., 2.]])
    """
    if len(times) < 2:
        return np.zeros((len(times), 3))
    h = np.diff(times)[:, np.newaxis]
    step = linear_algebra.multiply_by_transposed(T[1:], T[:-1])
    rates = conversions.vector_from_matrix(step) / h
    w = np.empty((len(times), 3))
    w[0], w[-1] = rates[0], rates[-1]
    w[1:-1] = (h[1:] * rates[:-1] + h[:-1] * rates[1:]) / (h[:-1] + h[1:])
    return w


def thin_samples(times: Array, T: Array, tolerance: float = TOLERANCE) -> NDArray[np.int_]:
    """Choose samples (k,) so that the rotation spline through them misses no sample by more than `tolerance`, rad.

    Notes
    -----
    Starting with the two ends, the worst sample of each interval that exceeds the tolerance is added. The first and the
    last interval are halved until the rates at the ends match the hand, because the spline has no angular acceleration
    at its ends, while a hand may have.
    """
    Q, w = _quaternions(T), drag_velocity(times, T)
    largest = float(np.linalg.norm(w, axis=-1).max(initial=0.0))
    rate_tolerance = max(RATE_TOLERANCE, RATE_SHARE * largest)
    chosen = np.unique([0, len(times) - 1])
    while True:
        fitted_Q, rates, _ = rotation_spline(times[chosen], Q[chosen], _ends(w)).sample(times)
        error = 2.0 * np.arccos(np.clip(np.abs((fitted_Q * Q).sum(axis=-1)), 0.0, 1.0))
        error[chosen] = 0.0
        if error.max() <= tolerance:
            is_off = np.linalg.norm(rates - w, axis=-1) > rate_tolerance
            ends = [(a + b) // 2 for i, a, b in ((0, *chosen[:2]), (-1, *chosen[-2:])) if is_off[i] and b - a > 1]
            if not ends:
                return chosen
            chosen = np.union1d(chosen, ends)
            continue
        parts = itertools.pairwise(chosen)
        worst = [a + int(np.argmax(error[a : b + 1])) for a, b in parts if error[a : b + 1].max() > tolerance]
        chosen = np.union1d(chosen, worst)


@dataclass(frozen=True, eq=False)
class FittedKeys:
    """Keys of a smooth motion: times (k,), s, quaternions (k, 4), and the largest deviation from the hand, rad."""

    times: Array
    Q: Array
    ends: RotationEnds
    deviation: float


def fit_keys(times: Array, T: Array, tolerance: float = TOLERANCE) -> FittedKeys:
    """Fit few keys whose rotation spline follows the motion of a hand.

    Parameters
    ----------
    times : (n,)
        Increasing, s; at least two.
    T : (n, 3, 3)
        Transformation matrices, parent into frame.
    tolerance
        Largest deviation of the spline from the hand, rad; larger when the hand trembles.

    Notes
    -----
    A hand trembles, and a slider moves in pixels. Keys through all samples would be many and rotate back and forth. The
    samples are therefore smoothed as much as the tolerance allows, and then thinned.

    Examples
    --------
    >>> from framescope.core.transformation_matrices import axis_rotation
    >>> times = np.linspace(0.0, 2.0, 200)
    >>> angles = np.sin(times) + 0.002 * np.random.default_rng(0).normal(size=200)
    >>> keys = fit_keys(times, np.stack([axis_rotation(3, angle) for angle in angles]))
    >>> len(keys.times) < 10, keys.deviation < TOLERANCE
    (True, True)
    """
    trembling = _trembling(times, T)
    allowed = min(max(tolerance, TREMBLING * trembling), LARGEST)
    if trembling > CLEAN:
        for bandwidth_hz in BANDWIDTHS:
            smooth = _smooth(times, T, bandwidth_hz)
            off = float(_angles_between(smooth, T).max())
            if off < MOST_SMOOTHED * allowed:
                return _choose_keys(times, smooth, T, allowed - off)
    return _choose_keys(times, T, T, allowed)


def _trembling(times: Array, T: Array) -> float:
    """Return the tremor of a hand, rad: the usual distance of a sample from the mean of its neighbours.

    It is the standard deviation of independent random errors, and zero for a smooth motion.
    """
    if len(times) < 3:
        return 0.0
    Q = _quaternions(T)
    share = ((times[1:-1] - times[:-2]) / (times[2:] - times[:-2]))[:, np.newaxis]
    between = Q[:-2] + share * (Q[2:] - Q[:-2])
    between /= np.linalg.norm(between, axis=-1, keepdims=True)
    off = _angles_between(linear_algebra.matrix_from_quaternion(between), T[1:-1])
    is_turning = _angles_between(T[2:], T[:-2]) > STILL
    return float(np.median(off[is_turning])) / MEDIAN_OF_CHANCE if is_turning.any() else 0.0


def _choose_keys(times: Array, T: Array, T_hand: Array, tolerance: float) -> FittedKeys:
    every = -(-len(times) // MOST_LOOKED_AT)
    candidates = np.unique(np.append(np.arange(0, len(times), every), len(times) - 1))
    chosen = candidates[thin_samples(times[candidates], T[candidates], tolerance)]
    Q, ends = _quaternions(T)[chosen], _ends(drag_velocity(times, T))
    fitted_Q = rotation_spline(times[chosen], Q, ends).sample(times)[0]
    off = _angles_between(linear_algebra.matrix_from_quaternion(fitted_Q), T_hand)
    return FittedKeys(times[chosen], Q, ends, float(off.max()))


def _angles_between(T: Array, other: Array) -> Array:
    return np.linalg.norm(conversions.vector_from_matrix(linear_algebra.multiply_by_transposed(T, other)), axis=-1)


def _smooth(times: Array, T: Array, bandwidth_hz: float) -> Array:
    """Smooth orientations; motions at the bandwidth keep 1/sqrt(2) of their amplitude."""
    if len(times) < 3:
        return T
    h = np.diff(times)
    weights = 0.5 * (np.append(h, 0.0) + np.append(0.0, h))
    weights[[0, -1]] *= END_WEIGHT
    lam = (math.sqrt(2.0) - 1.0) / (2.0 * math.pi * bandwidth_hz) ** 4
    pieces = smoothing_spline(times, _quaternions(T), weights, lam)
    last = ((pieces[0, -1] * h[-1] + pieces[1, -1]) * h[-1] + pieces[2, -1]) * h[-1] + pieces[3, -1]
    Q = np.concatenate([pieces[3], last[np.newaxis]])
    smooth = linear_algebra.matrix_from_quaternion(Q / np.linalg.norm(Q, axis=-1, keepdims=True))
    smooth[[0, -1]] = T[[0, -1]]
    return smooth


def as_keyframes(record: DragRecord, name: str, start: float, p_PF: Array, tolerance: float = TOLERANCE) -> Edit:
    """Return the edit that stores a drag as keyframes of a frame; its label states their deviation from the hand.

    Parameters
    ----------
    record
        Recorded drag.
    name
        Frame; its previous motion is replaced.
    start
        Start of the motion in the scene, s.
    p_PF : (3,)
        Constant position of the frame's origin in the parent, m.
    tolerance
        Largest deviation of the smooth rotation through the keys from the hand, rad.

    Raises
    ------
    ValueError
        With less than two samples.

    Examples
    --------
    >>> record = DragRecord()
    >>> for t in (0.0, 0.5, 1.0):
    ...     record.append(t, np.eye(3))
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}}})
    >>> edit = as_keyframes(record, "a", 2.0, np.zeros(3))
    >>> [str(key.time) for key in edit.apply(scene).frames["a"].motion.keys]
    ['2 s', '3 s']
    >>> edit.label
    "Kept the hand's motion of a: 2 keys, at most 0.0° from the hand"
    """
    times, T = record.times, record.T
    if len(times) < 2:
        raise ValueError("the hand has not moved yet")
    fitted_keys = fit_keys(*_extend_still_ends(times, T), tolerance)
    # Adding zero turns minus zero into zero.
    x, y, z = (round(float(p), DECIMALS) + 0.0 for p in p_PF)
    position = (x, y, z) if any((x, y, z)) else None
    times_of_keys = [round(start + float(t - times[0]), TIME_DECIMALS) for t in fitted_keys.times]
    unit = {} if position is None else {"unit": "m"}
    ends = {"ends": "rest"} if fitted_keys.ends == "rest" else {}

    def apply(scene: Scene) -> Scene:
        orientations = _orientations(fitted_keys.Q, _sequence_of(scene.frames[name]))
        keys = tuple(_key(t, form, position) for t, form in zip(times_of_keys, orientations, strict=True))
        motion = Keyframes.model_validate({"form": "keyframes", "keys": keys, **ends, **unit})
        return set_frame(scene, name, motion=motion, orientation=None, position=None)

    text = f"{counted(len(times_of_keys), 'key')}, at most {math.degrees(fitted_keys.deviation):.1f}° from the hand"
    return Edit(f"Kept the hand's motion of {name}: {text}", apply)


def _extend_still_ends(times: Array, T: Array) -> tuple[Array, Array]:
    """Add samples to the first or the last interval if it is a standstill.

    The hand then starts or stops abruptly, and a spline through the ends of the interval alone would overshoot.
    """
    w = drag_velocity(times, T)
    is_still = [float(np.linalg.norm(w[i])) * (times[j] - times[j - 1]) < STILL for i, j in ((0, 1), (-1, -1))]
    shares = np.arange(1, N_STILL + 1) / (N_STILL + 1)
    if is_still[1]:
        more = times[-2] + shares * (times[-1] - times[-2])
        times, T = np.insert(times, -1, more), np.concatenate([T[:-1], np.repeat(T[-2:-1], N_STILL, axis=0), T[-1:]])
    if is_still[0]:
        more = times[0] + shares * (times[1] - times[0])
        times, T = np.insert(times, 1, more), np.concatenate([T[:1], np.repeat(T[:1], N_STILL, axis=0), T[1:]])
    return times, T


def _ends(w: Array) -> RotationEnds:
    """Return the end condition of the spline: at rest if the hand starts and ends at rest."""
    return "rest" if float(np.linalg.norm(w[[0, -1]], axis=-1).max()) <= RATE_TOLERANCE else "natural"


def _sequence_of(frame: Frame) -> str | None:
    """Return the axis sequence of a frame, which its keys keep, and with them its rings and arcs: a `sequence_key`."""
    if isinstance(frame.motion, Keyframes):
        forms = {type(key.orientation) for key in frame.motion.keys}
        first = frame.motion.keys[0].orientation
        if len(forms) > 1 or not isinstance(first, ThreeAngles) or sequence_of_keys(frame.motion) is None:
            return sequence_of_keys(frame.motion)
        return sequence_key(first)
    return sequence_key(frame.orientation) if isinstance(frame.orientation, ThreeAngles) else None


def _orientations(Q: Array, sequence: str | None) -> Iterator[QuaternionForm | ThreeAngles]:
    """Yield the rotations of quaternions (k, 4), as angles of a sequence if there is one."""
    if sequence is None:
        for q in Q:
            a, b, c, d = (round(float(component), DECIMALS) + 0.0 for component in q)
            yield QuaternionForm(value=(a, b, c, d), order="xyzw")
        return
    R = frames.from_Q(Q, np.zeros((len(Q), 3)))
    for row in np.degrees(angle_branches.axes_rotations_angles_along(R, moving_sequence(sequence))):
        x, y, z = (round(float(angle), DECIMALS) + 0.0 for angle in (row[::-1] if is_about_fixed(sequence) else row))
        yield three_angles(sequence, (x, y, z), "deg")


def _key(t: float, form: QuaternionForm | ThreeAngles, position: tuple[float, float, float] | None) -> Key:
    given = {} if position is None else {"position": position}
    return Key.model_validate({"time": Quantity(t, "s"), "orientation": form, **given})


def _quaternions(T: Array) -> Array:
    return quaternions.continuous_signs(linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN))
