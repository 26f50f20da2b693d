"""The state of a scene at one time, or at many: read-only arrays over its frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Poses and velocities of every frame; leading axes ``(...)`` are those of `t`.

    Frame 0 is the world. SI units, radians. A frame without a pose (see `is_posed`) holds NaN.

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
    w_WF_F : (..., n, 3)
        Absolute angular velocity of the frame, resolved in the frame.
    v_WF : (..., n, 3)
        Velocity of the frame's origin, resolved in world.
    is_posed : (..., n)
        Whether the frame has a pose at that time.
    """

    index: Mapping[str, int]
    t: Array
    T_PF: Array
    w_PF_F: Array
    R_WF: Array
    p_WF: Array
    w_WF_F: Array
    v_WF: Array
    is_posed: NDArray[np.bool_]

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
