"""State of a scene at one time or at many: read-only arrays over its frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.componentwise import Array

Derive = Callable[[], tuple[Array, Array]]
Made = TypeVar("Made")


class Lazily(Mapping[str, Made]):
    """Mapping whose values are computed at their first access."""

    def __init__(self, makers: Mapping[str, Callable[[], Made]]) -> None:
        self._makers = makers
        self._made: dict[str, Made] = {}

    def __getitem__(self, name: str) -> Made:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


@dataclass(frozen=True, eq=False)
class VectorArrow:
    """A vector to draw: its foot `p_W` and its components `vector_W`, both (..., 3), resolved in world, SI units."""

    p_W: Array
    vector_W: Array


@dataclass(frozen=True, eq=False)
class PortState:
    """State of a connection point; ``(...)`` for X, Y and Z, ``(..., 3)`` for XYZ.

    Attributes
    ----------
    F, v, x
        Force on the body, N, velocity, m/s, and displacement from rest, m, along the directions of the point.
    p_W, force_W : (..., 3)
        Position of the point, and the force on the body at it, resolved in world.
    """

    F: Array
    v: Array
    x: Array
    p_W: Array
    force_W: Array


@dataclass(frozen=True, eq=False)
class Measurement:
    """Measured pose `R_WM` and `p_WM` in world, or measured vector in its resolving frame; NaN without a sample."""

    R_WM: Array | None = None
    p_WM: Array | None = None
    vector: Array | None = None


@dataclass(frozen=True, eq=False)
class Adrift:
    """Relations of frames without a pose in world, whose poses relative to each other may still be known.

    Attributes
    ----------
    snapshot
        Poses of all frames, as if each frame without a pose were at the origin of its parent.
    anchors : (..., n)
        For each frame, the row of the nearest frame without a pose, itself or an ancestor; 0 for frames with a pose in
        world. Two frames with equal anchors have a known relative pose.
    """

    snapshot: Snapshot
    anchors: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Poses, velocities and accelerations of all frames; leading axes ``(...)`` are the axes of `t`.

    Frame 0 is the world. SI units, radians. A frame without a pose (see `is_posed`) has NaN. Velocities and
    accelerations are computed at their first access.

    Poses of a recording are its samples; velocities and accelerations are derivatives of its smoothed motion. The
    snapshot `smoothed` has the poses of the smoothed motion. Computations with both poses and rates use `smoothed`.

    Attributes
    ----------
    index
        Row of each frame by name.
    t : (...)
        Time, s.
    T_PF : (..., n, 3, 3)
        Transformation matrix of each frame, parent into frame; an integrated matrix may have drifted.
    w_PF_F : (..., n, 3)
        Angular velocity of the frame relative to its parent, resolved in the frame.
    R_WF : (..., n, 3, 3)
        Rotation matrix from the frame into world; its columns are the frame's axes in world.
    p_WF : (..., n, 3)
        Position of the frame's origin in world.
    is_posed : (..., n)
        Whether the frame has a pose at that time.
    derive_velocities, derive_accelerations
        Functions that compute `w_WF_F` and `v_WF`, and `b_WF_F` and `a_WF`.
    derive_smoothed
        Function that computes `smoothed`; None if `smoothed` is this snapshot.
    derive_adrift
        Function that computes `adrift`; None if all frames have a pose, or relations are unknown.
    derive_position_rests
        Function that computes `position_rests`; None if these are unknown.
    sensors
        Packed output (..., 3 k) of each sensor, by name.
    arrows
        Vectors v, a, w, z that each sensor draws, by name of the sensor.
    ports
        State of each connection point, by name.
    measurements
        Measurement of each measured item, by name.
    """

    index: Mapping[str, int]
    t: Array
    T_PF: Array
    w_PF_F: Array
    R_WF: Array
    p_WF: Array
    is_posed: NDArray[np.bool_]
    derive_velocities: Derive
    derive_accelerations: Derive
    derive_smoothed: Callable[[], Snapshot] | None = None
    derive_adrift: Callable[[], Adrift] | None = None
    derive_position_rests: Callable[[], Array] | None = None
    sensors: Mapping[str, Array] = field(default_factory=dict[str, Array])
    arrows: Mapping[str, Mapping[str, VectorArrow]] = field(default_factory=dict[str, Mapping[str, VectorArrow]])
    ports: Mapping[str, PortState] = field(default_factory=dict[str, PortState])
    measurements: Mapping[str, Measurement] = field(default_factory=dict[str, Measurement])

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def w_WF_F(self) -> Array:
        """Absolute angular velocity (..., n, 3) of each frame, resolved in the frame, rad/s."""
        return self._velocities[0]

    @property
    def v_WF(self) -> Array:
        """Velocity (..., n, 3) of each frame's origin, resolved in world, m/s."""
        return self._velocities[1]

    @property
    def b_WF_F(self) -> Array:
        """Absolute angular acceleration (..., n, 3) of each frame, resolved in the frame, rad/s²."""
        return self._accelerations[0]

    @property
    def a_WF(self) -> Array:
        """Acceleration (..., n, 3) of each frame's origin, resolved in world, m/s²."""
        return self._accelerations[1]

    @property
    def smoothed(self) -> Snapshot:
        """Snapshot of the smoothed motion, to which velocities and accelerations belong, at the same times."""
        # A snapshot that cached itself would be a reference cycle, whose megabytes wait for the garbage collector.
        return self if self.derive_smoothed is None else self._smoothed

    @cached_property
    def adrift(self) -> Adrift | None:
        """Relations of frames without a pose in world; None if all frames have poses."""
        return None if self.derive_adrift is None else self.derive_adrift()

    @cached_property
    def position_rests(self) -> Array | None:
        """Rounding errors of `p_WF` (..., n, 3), m, so that differences keep their digits; None if unknown."""
        return None if self.derive_position_rests is None else self.derive_position_rests()

    def offset_W(self, of: str, relative_to: str) -> Array:
        """Return the position (..., 3) of one frame's origin from another's in world, exact far from the origin, m."""
        i, j, rests = self.index[of], self.index[relative_to], self.position_rests
        with np.errstate(invalid="ignore"):
            apart = self.p_WF[..., i, :] - self.p_WF[..., j, :]
            return apart if rests is None else apart + (rests[..., i, :] - rests[..., j, :])

    @cached_property
    def _smoothed(self) -> Snapshot:
        return self if self.derive_smoothed is None else self.derive_smoothed()

    @cached_property
    def _velocities(self) -> tuple[Array, Array]:
        return _read_only(self.derive_velocities())

    @cached_property
    def _accelerations(self) -> tuple[Array, Array]:
        return _read_only(self.derive_accelerations())


def moments(snapshot: Snapshot) -> Iterator[Snapshot]:
    """Yield a snapshot for each time of a snapshot of many times (n,).

    The snapshots share memory, and derived arrays are computed for all times at once.
    """

    def derived(k: int, derive: Callable[[], tuple[Array, Array]]) -> Derive:
        def arrays() -> tuple[Array, Array]:
            angular, linear = derive()
            return angular[k], linear[k]

        return arrays

    def rests_at(snapshot: Snapshot, k: int) -> Array:
        rests = snapshot.position_rests
        return np.zeros(()) if rests is None else rests[k]

    def adrift_at(adrift: Adrift, k: int) -> Adrift:
        return Adrift(moment(adrift.snapshot, k), adrift.anchors[k])

    def moment(snapshot: Snapshot, k: int) -> Snapshot:
        return Snapshot(
            index=snapshot.index,
            t=snapshot.t[k],
            T_PF=snapshot.T_PF[k],
            w_PF_F=snapshot.w_PF_F[k],
            R_WF=snapshot.R_WF[k],
            p_WF=snapshot.p_WF[k],
            is_posed=snapshot.is_posed[k],
            derive_velocities=derived(k, lambda: (snapshot.w_WF_F, snapshot.v_WF)),
            derive_accelerations=derived(k, lambda: (snapshot.b_WF_F, snapshot.a_WF)),
            derive_smoothed=None if snapshot.derive_smoothed is None else lambda: moment(snapshot.smoothed, k),
            derive_adrift=None if snapshot.adrift is None else partial(adrift_at, snapshot.adrift, k),
            derive_position_rests=partial(rests_at, snapshot, k) if snapshot.derive_position_rests else None,
            sensors=Lazily({name: partial(_row, snapshot.sensors, name, k) for name in snapshot.sensors}),
            arrows=Lazily({name: partial(_arrows_at, snapshot, name, k) for name in snapshot.arrows}),
            ports=Lazily({name: partial(_port_at, snapshot, name, k) for name in snapshot.ports}),
            measurements=Lazily({name: partial(_measurement_at, snapshot, name, k) for name in snapshot.measurements}),
        )

    for k in range(len(snapshot.t)):
        yield moment(snapshot, k)


def _row(values: Mapping[str, Array], name: str, k: int) -> Array:
    return values[name][k]


def _arrows_at(snapshot: Snapshot, name: str, k: int) -> Mapping[str, VectorArrow]:
    return {key: VectorArrow(arrow.p_W[k], arrow.vector_W[k]) for key, arrow in snapshot.arrows[name].items()}


def _port_at(snapshot: Snapshot, name: str, k: int) -> PortState:
    port = snapshot.ports[name]
    return PortState(*(getattr(port, member.name)[k] for member in fields(port)))


def _measurement_at(snapshot: Snapshot, name: str, k: int) -> Measurement:
    measurement = snapshot.measurements[name]
    parts = (getattr(measurement, member.name) for member in fields(measurement))
    return Measurement(*(None if part is None else part[k] for part in parts))


def _read_only(arrays: tuple[Array, Array]) -> tuple[Array, Array]:
    for array in arrays:
        array.flags.writeable = False
    return arrays
