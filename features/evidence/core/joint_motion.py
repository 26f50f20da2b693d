"""Joint states laid against the rates of a sensor on a link: forward kinematics must turn the link as the sensor does.

The mounting of the sensor and a constant factor of its readings stay open here: the search for faults tells them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.account import Fault, FaultKind
from framescope.features.evidence.core.joint_fits import SAME
from framescope.features.evidence.core.readings import Readings
from framescope.features.robots.core.link_poses import TURNING, Poses
from framescope.features.robots.core.robot import Joint

FITS = 0.1
"""Relative difference of rates up to which joint states and a sensor describe one motion."""

CLEARER = 0.5
"""Part of the difference of every other explanation up to which one is certain."""

WINDOW = 0.1
"""Least time over which rates are compared, s."""

FEWEST_WINDOWS = 20
"""Fewest windows of a comparison."""

LEAST_RATE = 0.03
"""Least rate that a comparison needs, root mean square, rad/s."""

OFFSETS = 24
"""Number of offsets that are tried before the best is refined."""

REFINED, N_REFINED = 8, 5
"""Number of offsets around the best that are tried, and number of such rounds."""

Values = Mapping[str, Array]
"""Values (n,) of joints by name, rad or m."""

Forward = Callable[[Values], Poses]
"""Forward kinematics: poses of one link for values of joints."""


@dataclass(frozen=True)
class ChainFault:
    """Fault of joints of a chain: kind, the joints, words that complete "… is" or "… are", and the size."""

    kind: FaultKind
    joints: tuple[str, ...]
    words: str
    value: tuple[float, ...] = ()

    def faults(self, name_of: Callable[[str], str]) -> tuple[Fault, ...]:
        """Return the faults of the readings of the joints."""
        return tuple(Fault(self.kind, name_of(joint), self.words, self.value) for joint in self.joints)


@dataclass(frozen=True, eq=False)
class ChainFit:
    """Joint states of a chain compared with the rates of a sensor.

    Attributes
    ----------
    difference
        Relative root mean square difference of the rates as stated.
    explanations
        Faults under which the rates agree, the best first; empty if they agree as stated, or under no known fault.
    explained
        Relative difference under the first of them.
    stretch
        Start and end of the comparison, s.
    """

    difference: float
    explanations: tuple[ChainFault, ...]
    explained: float
    stretch: tuple[float, float]

    @property
    def agrees(self) -> bool:
        """Whether the rates agree as stated."""
        return self.difference <= FITS


def fit_chain(
    t: Array, values: Values, joints: Sequence[Joint], forward: Forward, t_sensor: Array, sensor: Readings
) -> ChainFit | None:
    """Return how the states of the joints of a chain fit the rates of a sensor; None if the motion cannot tell.

    Parameters
    ----------
    t : (n,)
        Times of the states, s, which increase.
    values
        Values of the joints at these times.
    joints
        Joints of the chain, from the base to the link.
    forward
        Forward kinematics of the link that carries the sensor.
    t_sensor : (m,)
        Times of the readings, s, which increase.
    sensor
        Angular velocities or orientations of a frame that is fixed on the link.
    """
    edges = _edges(t, t_sensor)
    if len(edges) <= FEWEST_WINDOWS:
        return None
    times: Array = t[edges]
    rates = _sensor_rates(t_sensor, sensor, times)
    at_edges = {name: np.asarray(x)[edges] for name, x in values.items()}
    good = np.isfinite(rates).all(axis=1)
    for x in at_edges.values():
        good &= np.isfinite(x[1:]) & np.isfinite(x[:-1])
    n = int(np.count_nonzero(good))
    if n < FEWEST_WINDOWS or float(np.linalg.norm(rates[good])) < LEAST_RATE * math.sqrt(n):
        return None
    dt: Array = np.diff(times)[:, np.newaxis]

    def miss(changed: Values) -> float:
        filled = {name: np.nan_to_num(x) for name, x in changed.items()}
        R = Rotation.from_quat(forward(filled)[0])
        return _misfit(rates[good], ((R[:-1].inv() * R[1:]).as_rotvec() / dt)[good])

    stretch = float(t[edges[0]]), float(t[edges[-1]])
    plain = miss(at_edges)
    if plain <= FITS:
        return ChainFit(plain, (), plain, stretch)
    trials: list[tuple[float, ChainFault]] = []
    for fault, changed in _trials(at_edges, joints, miss):
        trials.append((miss(changed), fault))
    trials.sort(key=lambda trial: trial[0])
    good_trials = [trial for trial in trials if trial[0] <= FITS]
    if not good_trials:
        return ChainFit(plain, (), plain, stretch)
    best = good_trials[0][0]
    near = tuple(fault for size, fault in good_trials if best > CLEARER * size)
    return ChainFit(plain, near, best, stretch)


def _edges(t: Array, t_sensor: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    """Return the rows of times that are `WINDOW` apart or more, while the sensor reads."""
    if len(t) < 2 or len(t_sensor) < 2:
        return np.zeros(0, np.intp)
    inside = np.flatnonzero((t >= t_sensor[0]) & (t <= t_sensor[-1]))
    if len(inside) < 2:
        return np.zeros(0, np.intp)
    step = float(np.median(np.diff(t[inside])))
    return inside[:: max(1, math.ceil(WINDOW / max(step, 1e-6) - 1e-6))]


def _sensor_rates(t: Array, sensor: Readings, edges: Array) -> Array:
    """Return mean rates (k - 1, 3) of a sensor between times (k,), resolved in its frame, rad/s or as it reads."""
    dt = np.diff(edges)[:, np.newaxis]
    good = np.isfinite(sensor.values).all(axis=1)
    t, x = t[good], sensor.values[good]
    if len(t) < 2:
        return np.full((len(dt), 3), np.nan)
    if sensor.quantity == "orientation":
        R = Slerp(t, Rotation.from_quat(x))(np.clip(edges, t[0], t[-1]))
        return (R[:-1].inv() * R[1:]).as_rotvec() / dt
    steps = 0.5 * (x[1:] + x[:-1]) * np.diff(t)[:, np.newaxis]
    turned = np.vstack([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    columns: list[Array] = [np.interp(edges, t, turned[:, k]) for k in range(3)]
    at_edges: Array = np.stack(columns, axis=1)
    return np.diff(at_edges, axis=0) / dt


def _misfit(rates: Array, predicted: Array) -> float:
    """Return the relative difference of rates under the best orthogonal matrix and factor between them."""
    rates, predicted = rates - np.median(rates, axis=0), predicted - np.median(predicted, axis=0)
    size = float(np.sum(rates**2) * np.sum(predicted**2))
    if size <= 0.0:
        return 1.0
    shared = float(np.linalg.svd(rates.T @ predicted, compute_uv=False).sum())
    return math.sqrt(max(1.0 - shared**2 / size, 0.0))


def _trials(
    values: Values, joints: Sequence[Joint], miss: Callable[[Values], float]
) -> Iterator[tuple[ChainFault, Values]]:
    """Yield faults of a chain with the values that take them back."""
    turning = [joint.name for joint in joints if joint.type in TURNING and joint.name in values]
    moving = [name for name in turning if float(np.nanstd(values[name])) > SAME[True]]
    degree = math.degrees(1.0)
    for group in dict.fromkeys([tuple(turning), *((name,) for name in moving)]):
        if group:
            changed = {name: x / degree if name in group else x for name, x in values.items()}
            yield ChainFault("unit", group, "in degrees", (degree,)), changed
    if len(moving) > 1:
        for name in moving:
            yield ChainFault("sign", (name,), "of opposite sign"), {**values, name: -values[name]}
    for first, second in itertools.combinations(turning, 2):
        if first in moving or second in moving:
            changed = {**values, first: values[second], second: values[first]}
            yield ChainFault("joint order", (first, second), "swapped"), changed
    for name in turning[1:-1]:
        offset = _best_offset(values, name, miss)
        words = f"off by {-offset:.3g} rad ({math.degrees(-offset):.3g}°)".replace("-", "−")
        yield ChainFault("bias", (name,), words, (-offset,)), {**values, name: values[name] + offset}


def _best_offset(values: Values, name: str, miss: Callable[[Values], float]) -> float:
    """Return the angle to add to a joint under which the rates fit best, from -pi to pi, rad."""

    def at(offset: float) -> float:
        return miss({**values, name: values[name] + offset})

    best, reach = 0.0, math.pi
    for n in (OFFSETS, *(REFINED,) * N_REFINED):
        tried: list[float] = np.linspace(best - reach, best + reach, n + 1).tolist()
        best, reach = min(tried, key=at), 2.0 * reach / n
    return math.remainder(best, 2.0 * math.pi)
