"""The state of a scene at one time, or at many: read-only arrays over its frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from framescope.core.componentwise import Array

Derive = Callable[[], tuple[Array, Array]]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Poses, velocities and accelerations of every frame; leading axes ``(...)`` are those of `t`.

    Frame 0 is the world. SI units, radians. A frame without a pose (see `is_posed`) holds NaN. Velocities and
    accelerations are computed when they are first asked for.

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

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
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
    def _velocities(self) -> tuple[Array, Array]:
        return _read_only(self.derive_velocities())

    @cached_property
    def _accelerations(self) -> tuple[Array, Array]:
        return _read_only(self.derive_accelerations())


def _read_only(arrays: tuple[Array, Array]) -> tuple[Array, Array]:
    for array in arrays:
        array.flags.writeable = False
    return arrays
