"""Motion under both orders of a quaternion, for a user who knows the real motion to compare."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array


@dataclass(frozen=True, eq=False)
class OrderedMotion:
    """Motion of a frame under one order of its quaternions.

    Attributes
    ----------
    order
        ``"xyzw"`` or ``"wxyz"``.
    z : (n, 3)
        The frame's z axis in the parent.
    tilt
        Largest angle between the z axes of frame and parent, rad.
    axis : (3,)
        Root of the sum of squares of the rotation from row to row about x, y and z, resolved in the frame, scaled to
        unit length; zero without rotation.
    """

    order: str
    z: Array
    tilt: float
    axis: Array

    @property
    def text(self) -> str:
        """Tilt and main rotation axis, as a phrase."""
        tilt = f"z tilts up to {np.degrees(self.tilt):.3g}°"
        if not self.axis.any():
            return f"{tilt}, does not turn"
        letter = "xyz"[int(np.argmax(np.abs(self.axis)))]
        share = 100.0 * float(np.max(np.abs(self.axis)))
        return f"{tilt}, turns about {letter} ({share:.0f} %)"


def both_orders(q: Array) -> tuple[OrderedMotion, OrderedMotion]:
    """Return the motion of quaternions (n, 4) in both orders.

    Examples
    --------
    >>> angle = np.linspace(0.0, 1.0, 20)
    >>> zero = np.zeros(20)
    >>> last, first = both_orders(np.stack([zero, zero, np.sin(angle / 2), np.cos(angle / 2)], axis=-1))
    >>> last.text
    'z tilts up to 0°, turns about z (100 %)'
    >>> first.text
    'z tilts up to 57.3°, turns about x (100 %)'
    """
    return _motion_of("xyzw", q), _motion_of("wxyz", q[:, [1, 2, 3, 0]])


def _motion_of(order: str, q: Array) -> OrderedMotion:
    with np.errstate(invalid="ignore", divide="ignore"):
        q = q / np.sqrt(linear_algebra.squared_norm(q))[:, np.newaxis]
    q = np.nan_to_num(q)
    x, y, z, w = q.T
    axis_z = np.stack([2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)], axis=-1)
    tilt = float(np.arccos(np.clip(axis_z[:, 2], -1.0, 1.0)).max(initial=0.0))
    a, b = q[:-1], q[1:]
    turn = a[:, 3:] * b[:, :3] - b[:, 3:] * a[:, :3] - np.cross(a[:, :3], b[:, :3])
    share = np.sqrt((turn**2).sum(axis=0))
    total = float(np.sqrt((share**2).sum()))
    return OrderedMotion(order, axis_z, tilt, share / total if total > 1e-12 else np.zeros(3))
