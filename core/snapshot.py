"""The state of a scene at one time, or at many: read-only arrays over its frames."""

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
    """A mapping whose values are made when they are first asked for."""

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
    """A vector to be drawn: its foot `p_W` and itself, `vector_W`, both (..., 3) and resolved in world, SI units."""

    p_W: Array
    vector_W: Array


@dataclass(frozen=True, eq=False)
class PortState:
    """State of a connection point; of X, Y and Z ``(...)``, of XYZ ``(..., 3)``.

    Attributes
    ----------
    F, v, x
        Force on the body, N, velocity, m/s, and displacement from rest, m, along the directions of the point.
    p_W, force_W : (..., 3)
        Where the point is, and the force on the body there, resolved in world.
    """

    F: Array
    v: Array
    x: Array
    p_W: Array
    force_W: Array


@dataclass(frozen=True, eq=False)
class Measurement:
    """Measurement: a pose as `R_WM` and `p_WM` in world, or a vector as it is resolved; NaN where there is none."""

    R_WM: Array | None = None
    p_WM: Array | None = None
    vector: Array | None = None


@dataclass(frozen=True, eq=False)
class Adrift:
    """Frames that hang on one without a pose: where they are relative to each other is known all the same.

    Attributes
    ----------
    snapshot
        The frames where they would be if those without a pose in their parent stood in its origin.
    anchors : (..., n)
        The row of the frame without a pose that each hangs on, itself or above; 0 of those with a pose in world. Two
        frames are known relative to each other where these are the same.
    """

    snapshot: Snapshot
    anchors: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Poses, velocities and accelerations of every frame; leading axes ``(...)`` are those of `t`.

    Frame 0 is the world. SI units, radians. A frame without a pose (see `is_posed`) holds NaN. Velocities and
    accelerations are computed when they are first asked for.

    The pose of a recording is that of its samples, its rates are those of the smoothed motion. Velocities and
    accelerations are of the smoothed motion from end to end: of `smoothed`, with the poses that they are derivatives
    of. What takes poses and rates together takes both from there.

    Attributes
    ----------
    index
        The row of each frame name.
    t : (...)
        Time, seconds.
    T_PF : (..., n, 3, 3)
        Transformation matrix of each frame, parent into frame, as it stands: an integrated one drifts.
    w_PF_F : (..., n, 3)
        Angular velocity of the frame relative to its parent, resolved in the frame.
    R_WF : (..., n, 3, 3)
        Takes vectors from the frame into world: its columns are the frame's axes in world.
    p_WF : (..., n, 3)
        Position of the frame's origin in world.
    is_posed : (..., n)
        Whether the frame has a pose at that time.
    derive_velocities, derive_accelerations
        Give what `w_WF_F` and `v_WF`, `b_WF_F` and `a_WF` return.
    derive_smoothed
        Gives what `smoothed` returns; None where that is this one.
    derive_adrift
        Gives what `adrift` returns; None where all frames have a pose, or nobody knows.
    derive_position_rests
        Gives what `position_rests` returns; None where nobody knows.
    sensors
        What each sensor shows, packed (..., 3 k), by its name.
    arrows
        By sensor, the vectors v, a, w, z that it draws.
    ports
        What goes through each connection point.
    measurements
        What each measured item measurements.
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
        for each in fields(self):
            value = getattr(self, each.name)
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

    @cached_property
    def smoothed(self) -> Snapshot:
        """The frames at the same times in the smoothed motion that velocities and accelerations are derivatives of."""
        return self if self.derive_smoothed is None else self.derive_smoothed()

    @cached_property
    def adrift(self) -> Adrift | None:
        """The frames with those that hang on one without a pose; None where all have one."""
        return None if self.derive_adrift is None else self.derive_adrift()

    @cached_property
    def position_rests(self) -> Array | None:
        """What rounding took off `p_WF` (..., n, 3), m, so that differences keep their digits; None if not known."""
        return None if self.derive_position_rests is None else self.derive_position_rests()

    def offset_W(self, of: str, relative_to: str) -> Array:
        """Return the position (..., 3) of one frame's origin from another's, resolved in world, however far out, m."""
        i, j, rests = self.index[of], self.index[relative_to], self.position_rests
        with np.errstate(invalid="ignore"):
            apart = self.p_WF[..., i, :] - self.p_WF[..., j, :]
            return apart if rests is None else apart + (rests[..., i, :] - rests[..., j, :])

    @cached_property
    def _velocities(self) -> tuple[Array, Array]:
        return _read_only(self.derive_velocities())

    @cached_property
    def _accelerations(self) -> tuple[Array, Array]:
        return _read_only(self.derive_accelerations())


def moments(snapshot: Snapshot) -> Iterator[Snapshot]:
    """Yield the snapshots of single times that make up one of many times (n,): what is derived is so at once for all.

    They share the memory of the whole.
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
    return PortState(*(getattr(port, each.name)[k] for each in fields(port)))


def _measurement_at(snapshot: Snapshot, name: str, k: int) -> Measurement:
    measurement = snapshot.measurements[name]
    parts = (getattr(measurement, each.name) for each in fields(measurement))
    return Measurement(*(None if part is None else part[k] for part in parts))


def _read_only(arrays: tuple[Array, Array]) -> tuple[Array, Array]:
    for array in arrays:
        array.flags.writeable = False
    return arrays
