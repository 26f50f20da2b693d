"""Motion of a frame under a drag: its orientations, their angular velocity, and keyframes fitted to them."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core import quaternions
from framescope.core.errors import counted
from framescope.core.kernels import conversions, linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Key, Keyframes
from framescope.core.scene.schema.poses import QuaternionForm
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.system.growing_series import GrowingSeries
from framescope.core.time_functions.rotation_spline import RotationEnds, rotation_spline
from framescope.core.time_functions.smoothing_spline import smoothing_spline

CAPACITY = 4096
"""Samples that are kept: half a minute and more of the fastest mouse."""

TOLERANCE = math.radians(0.5)
"""How far keyframes may miss the motion of a hand, rad."""

BANDWIDTHS = (1.0, 2.0, 4.0, 8.0)
"""How much of a hand's motion is meant: what is faster than one of these is its trembling, Hz."""

TREMBLING, LARGEST = 4.0, math.radians(3.0)
"""How many times its trembling keyframes may miss a hand, and by how much at most, rad."""

CLEAN = math.radians(0.05)
"""A hand that trembles by less is taken as it is."""

MOST_SMOOTHED = 0.75
"""The part of what may be missed that smoothing may take; the rest is left for having few keys."""

MEDIAN_OF_CHANCE = 0.83
"""Median distance of a sample from the mean of its neighbours, where errors about one axis have a deviation of 1."""

MOST_LOOKED_AT = 1000
"""Samples of a smooth motion that keys are chosen from."""

END_WEIGHT = 1e4
"""How much more the first and the last sample count than others: there the frame begins, and there it was left."""

RATE_TOLERANCE, RATE_SHARE = math.radians(2.0), 0.05
"""How far they may miss its angular velocity at the first and the last key, rad/s, and as a part of the largest one."""

PAUSE, STEP = 0.5, 0.1
"""A hand that says nothing for so long stood still, up to a step before it says something again, s."""

STILL, N_STILL = 1e-6, 4
"""A smaller turn is none, rad; and how many samples stand for a first or a last interval without one."""

DECIMALS = 9
TIME_DECIMALS = 4


class DragRecord:
    """A growing series of the orientations of a frame in its parent, with the real times of the hand.

    The oldest samples go when it is full.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._series = GrowingSeries(9, capacity)

    def __len__(self) -> int:
        return len(self._series)

    def append(self, t: float, T_PF: Array) -> None:
        """Add an orientation at a time of the hand, s.

        Times that do not go on, and what is no orientation, are left out. Where the hand stood still it says nothing:
        what it did then is filled in, so that neither its velocity is smeared nor a curve swings over the gap.
        """
        times, rows = self._series.rows
        last = times[-1] if len(times) else -math.inf
        if not (math.isfinite(t) and np.isfinite(T_PF).all() and t > last):
            return
        if len(times) and t > last + PAUSE:
            still = _within(last, t)
            self._series.append(still, np.tile(rows[-1], (len(still), 1)))
        self._series.append(t, T_PF.reshape(9))

    @property
    def is_motion(self) -> bool:
        """Whether the frame was turned by more than one step: a value that is typed, or goes a step, is no motion."""
        T = self.T
        if len(T) < 3:
            return False
        return int((_angles_between(T[1:], T[:-1]) > STILL).sum()) > 1

    @property
    def times(self) -> Array:
        """Times (n,) of the hand, s, increasing."""
        return self._series.times

    @property
    def T(self) -> Array:
        """Transformation matrices (n, 3, 3), parent into frame, as the frame had them."""
        return self._series.rows[1].reshape(-1, 3, 3)


def _within(start: float, end: float) -> list[float]:
    """Return times between two at which a hand stood still, ever farther from both; the last is a step before the end.

    >>> [round(t, 2) for t in _within(0.0, 1.0)]
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
    The rotation vector from one sample to the next, divided by the time between, is the mean rate of the interval, and
    resolved alike at both its ends. A sample has the mean of the rates beside it, each weighted by the length of the
    other interval, which is exact for a rate that changes evenly; the ends have the rate of their only interval.

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


def drag_residues(T: Array) -> Array:
    """Return the six residues (n, 6) of orientations (n, 3, 3)."""
    return linear_algebra.orientation_residues(T)


def thinned(times: Array, T: Array, tolerance: float = TOLERANCE) -> NDArray[np.int_]:
    """Return which samples (k,) are enough: the rotation spline through them misses none by more than `tolerance`, rad.

    Notes
    -----
    From the two ends on, each interval that is off gains its worst sample, until none is. The first and the last are
    halved until the rate there is that of the hand: the spline's ends have no angular acceleration, which a hand may.
    """
    Q, w = _quaternions(T), drag_velocity(times, T)
    largest = float(np.linalg.norm(w, axis=-1).max(initial=0.0))
    rate_tolerance = max(RATE_TOLERANCE, RATE_SHARE * largest)
    kept = np.unique([0, len(times) - 1])
    while True:
        found, rates, _ = rotation_spline(times[kept], Q[kept], _ends(w)).sample(times)
        error = 2.0 * np.arccos(np.clip(np.abs((found * Q).sum(axis=-1)), 0.0, 1.0))
        error[kept] = 0.0
        if error.max() <= tolerance:
            is_off = np.linalg.norm(rates - w, axis=-1) > rate_tolerance
            ends = [(a + b) // 2 for i, a, b in ((0, *kept[:2]), (-1, *kept[-2:])) if is_off[i] and b - a > 1]
            if not ends:
                return kept
            kept = np.union1d(kept, ends)
            continue
        parts = itertools.pairwise(kept)
        worst = [a + int(np.argmax(error[a : b + 1])) for a, b in parts if error[a : b + 1].max() > tolerance]
        kept = np.union1d(kept, worst)


@dataclass(frozen=True, eq=False)
class FittedKeys:
    """Keys of a smooth motion: times (k,), s, quaternions (k, 4), and how far it is from the hand at most, rad."""

    times: Array
    Q: Array
    ends: RotationEnds
    deviation: float


def fitted(times: Array, T: Array, tolerance: float = TOLERANCE) -> FittedKeys:
    """Return few keys whose rotation spline follows a hand.

    Parameters
    ----------
    times : (n,)
        Increasing, s; at least two.
    T : (n, 3, 3)
        Transformation matrices, parent into frame.
    tolerance
        How far the spline may be from the hand, rad; where the hand trembles, by some times as much as it does.

    Notes
    -----
    A hand trembles, and a slider goes by pixels: keys through its samples would be many, and turn this way and that.
    The samples are smoothed, the more the better as long as the tolerance holds, and thinned then.

    Examples
    --------
    >>> from framescope.core.transformation_matrices import axis_rotation
    >>> times = np.linspace(0.0, 2.0, 200)
    >>> angles = np.sin(times) + 0.002 * np.random.default_rng(0).normal(size=200)
    >>> keys = fitted(times, np.stack([axis_rotation(3, angle) for angle in angles]))
    >>> len(keys.times) < 10, keys.deviation < TOLERANCE
    (True, True)
    """
    trembling = _trembling(times, T)
    allowed = min(max(tolerance, TREMBLING * trembling), LARGEST)
    if trembling > CLEAN:
        for bandwidth_hz in BANDWIDTHS:
            smooth = _smoothed(times, T, bandwidth_hz)
            off = float(_angles_between(smooth, T).max())
            if off < MOST_SMOOTHED * allowed:
                return _keys_of(times, smooth, T, allowed - off)
    return _keys_of(times, T, T, allowed)


def _trembling(times: Array, T: Array) -> float:
    """Return how much a hand trembles, rad: the usual distance of a sample from where its neighbours have it.

    That is the standard deviation of samples that are off by chance, each on its own; a smooth motion has none.
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


def _keys_of(times: Array, T: Array, T_hand: Array, tolerance: float) -> FittedKeys:
    every = -(-len(times) // MOST_LOOKED_AT)
    looked_at = np.unique(np.append(np.arange(0, len(times), every), len(times) - 1))
    kept = looked_at[thinned(times[looked_at], T[looked_at], tolerance)]
    Q, ends = _quaternions(T)[kept], _ends(drag_velocity(times, T))
    found = rotation_spline(times[kept], Q, ends).sample(times)[0]
    off = _angles_between(linear_algebra.matrix_from_quaternion(found), T_hand)
    return FittedKeys(times[kept], Q, ends, float(off.max()))


def _angles_between(T: Array, other: Array) -> Array:
    return np.linalg.norm(conversions.vector_from_matrix(linear_algebra.multiply_by_transposed(T, other)), axis=-1)


def _smoothed(times: Array, T: Array, bandwidth_hz: float) -> Array:
    """Return orientations without what is faster than the bandwidth, where its amplitude is 1/sqrt(2)."""
    if len(times) < 3:
        return T
    h = np.diff(times)
    weights = 0.5 * (np.append(h, 0.0) + np.append(0.0, h))
    weights[[0, -1]] *= END_WEIGHT
    lam = (math.sqrt(2.0) - 1.0) / (2.0 * math.pi * bandwidth_hz) ** 4
    pieces = smoothing_spline(times, _quaternions(T), weights, lam)
    last = ((pieces[0, -1] * h[-1] + pieces[1, -1]) * h[-1] + pieces[2, -1]) * h[-1] + pieces[3, -1]
    Q = np.concatenate([pieces[3], last[np.newaxis]])
    return linear_algebra.matrix_from_quaternion(Q / np.linalg.norm(Q, axis=-1, keepdims=True))


def as_keyframes(record: DragRecord, name: str, start: float, p_PF: Array, tolerance: float = TOLERANCE) -> Edit:
    """Return the edit that keeps the motion of a hand as the keyframes of a frame; it says how near they are.

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
    found = fitted(*_with_still_ends(times, T), tolerance)
    # Zero rather than minus zero, which nobody writes.
    x, y, z = (round(float(p), DECIMALS) + 0.0 for p in p_PF)
    position = (x, y, z) if any((x, y, z)) else None
    times_of_keys = [round(start + float(t - times[0]), TIME_DECIMALS) for t in found.times]
    keys = tuple(_key(t, q, position) for t, q in zip(times_of_keys, found.Q, strict=True))
    unit = {} if position is None else {"unit": "m"}
    ends = {"ends": "rest"} if found.ends == "rest" else {}
    motion = Keyframes.model_validate({"form": "keyframes", "keys": keys, **ends, **unit})

    def apply(scene: Scene) -> Scene:
        return set_frame(scene, name, motion=motion, orientation=None, position=None)

    text = f"{counted(len(keys), 'key')}, at most {math.degrees(found.deviation):.1f}° from the hand"
    return Edit(f"Kept the hand's motion of {name}: {text}", apply)


def _with_still_ends(times: Array, T: Array) -> tuple[Array, Array]:
    """Return samples with some more where the first or the last interval is a standstill.

    The hand then starts or stops at once. A spline through the ends of the interval alone would swing there.
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
    """Return what the spline has at its ends: a hand that begins and ends at rest is followed by one that does."""
    return "rest" if float(np.linalg.norm(w[[0, -1]], axis=-1).max()) <= RATE_TOLERANCE else "natural"


def _key(t: float, q: Array, position: tuple[float, float, float] | None) -> Key:
    a, b, c, d = (round(float(each), DECIMALS) + 0.0 for each in q)
    form = QuaternionForm(value=(a, b, c, d), order="xyzw")
    given = {} if position is None else {"position": position}
    return Key.model_validate({"time": Quantity(t, "s"), "orientation": form, **given})


def _quaternions(T: Array) -> Array:
    return quaternions.continuous_signs(linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN))
