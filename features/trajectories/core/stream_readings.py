"""Readings of a pose stream by other conventions: inverse poses, scalar first, inverse orientations, left-handed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from framescope.core.errors import visible_text
from framescope.core.kernels.validation import Array
from framescope.features.trajectories.core.pose_stream import PoseStream, quaternions_of, rotations, same_signs

Side = Literal["a", "b"]

MIRROR = np.diag([1.0, 1.0, -1.0])
"""Mirror in the plane of x and y. Mirrors in other planes differ by rotations, which the mounting contains."""


@dataclass(frozen=True)
class StreamReading:
    """How the numbers of one of two streams are read.

    Attributes
    ----------
    side
        Stream whose numbers are read otherwise.
    is_scalar_first
        Whether its quaternions, read as x y z w, are w x y z.
    is_turned_round
        Whether its orientations take vectors from the reference into the frame, beside positions in the reference.
    is_inverse
        Whether its poses are those of the reference in the frame.
    is_mirrored
        Whether its axes are left-handed.
    axes
        Change of the axes of its positions that its orientations do not have, as a signed permutation by rows, such as
        ``(("y", 1), ("x", 1), ("z", -1))``; empty for none.
    axes_text
        The change in words.
    """

    side: Side = "b"
    is_scalar_first: bool = False
    is_turned_round: bool = False
    is_inverse: bool = False
    is_mirrored: bool = False
    axes: tuple[tuple[float, ...], ...] = ()
    axes_text: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether the numbers are read as they are."""
        return self.cost == 0.0

    @property
    def cost(self) -> float:
        """Implausibility of the reading, in units of the logarithm of a misfit."""
        parts = 0.2 * self.is_inverse + 0.25 * self.is_scalar_first + 0.35 * self.is_turned_round
        return parts + 0.35 * self.is_mirrored + 0.5 * bool(self.axes)

    @property
    def of_positions(self) -> StreamReading:
        """The reading without another order or direction of orientations, which moves constant orientations alone.

        Of poses that do not turn, the inverse ones of a and those of b differ by the mounting.

        >>> StreamReading("a", is_scalar_first=True).of_positions == PLAIN
        True
        """
        return replace(self, side="b", is_scalar_first=False, is_turned_round=False)

    def of(self, stream: PoseStream) -> PoseStream:
        """Return the stream read so.

        >>> q = np.array([[1.0, 0.0, 0.0, 0.0]])
        >>> StreamReading(is_scalar_first=True).of(PoseStream("b", None, np.zeros((1, 3)), q)).q_RF
        array([[0., 0., 0., 1.]])
        """
        p, q = self.of_poses(stream.p_RF, stream.q_RF)
        return replace(stream, p_RF=p, q_RF=same_signs(q))

    def of_poses(self, p: Array, q: Array) -> tuple[Array, Array]:
        """Return positions (n, 3) and quaternions (n, 4) read so."""
        if self.is_scalar_first:
            q = q[:, [1, 2, 3, 0]]
        if self.is_turned_round:
            q = q * [-1.0, -1.0, -1.0, 1.0]
        if self.axes:
            p = p @ np.array(self.axes).T
        if self.is_mirrored:
            p, q = p @ MIRROR, quaternions_of(MIRROR @ rotations(q) @ MIRROR)
        if self.is_inverse:
            p, q = inverse_poses(p, q)
        return p, q

    def words(self, a: str, b: str) -> str:
        """Return the reading in words, with the names of the streams.

        >>> StreamReading(is_inverse=True).words("imu", "cam")
        'cam holds inverse poses: of its reference in its frame'
        """
        name = visible_text(a if self.side == "a" else b)
        parts: list[str] = []
        if self.is_scalar_first:
            parts.append(f"the quaternions of {name} are scalar first (w x y z)")
        if self.is_turned_round:
            parts.append(
                f"the orientations of {name} take vectors from its reference into its frame, its positions not"
            )
        if self.axes:
            parts.append(f"the positions of {name} have other axes than its orientations: {self.axes_text}")
        if self.is_mirrored:
            parts.append(f"{name} is left-handed against {visible_text(b if self.side == 'a' else a)}")
        if self.is_inverse:
            parts.append(f"{name} holds inverse poses: of its reference in its frame")
        return "; ".join(parts) or "as they are read"


def inverse_poses(p: Array, q: Array) -> tuple[Array, Array]:
    """Return the inverse poses of positions (n, 3) and quaternions (n, 4)."""
    return -np.einsum("nji,nj->ni", rotations(q), p), q * [-1.0, -1.0, -1.0, 1.0]


PLAIN = StreamReading()
"""The numbers as they are."""

READINGS: tuple[StreamReading, ...] = (
    PLAIN,
    StreamReading(is_inverse=True),
    StreamReading(is_scalar_first=True),
    StreamReading(is_turned_round=True),
    StreamReading(is_mirrored=True),
    StreamReading(is_scalar_first=True, is_inverse=True),
    StreamReading(is_scalar_first=True, is_turned_round=True),
    StreamReading(is_mirrored=True, is_inverse=True),
    StreamReading(is_mirrored=True, is_scalar_first=True),
    StreamReading(is_mirrored=True, is_turned_round=True),
    StreamReading("a", is_scalar_first=True),
    StreamReading("a", is_turned_round=True),
    StreamReading("a", is_scalar_first=True, is_inverse=True),
    StreamReading("a", is_scalar_first=True, is_turned_round=True),
)
"""Readings that are tried. Inverse poses of a are inverse poses of b with X and Y exchanged, and are tried as those."""
