"""Tracks: readings without missing samples, with the body that their frame belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.readings import WIDTHS, Mount, Quantity, Readings, SensorLog
from framescope.features.evidence.core.stamps import even_stamps

FEWEST_SAMPLES = 12
"""Fewest samples of a track."""

SHORTEST, LONGEST = 0.5, 1.5
"""Length of a quaternion outside of which a sample counts as missing."""

PLANAR = 1e-9
"""Range up to which numbers are constant."""

GAP_PERIODS, SHORTEST_GAP = 2.5, 0.08
"""Time between samples above which nothing is interpolated, in periods, and at least, s."""


@dataclass(frozen=True, eq=False)
class Track:
    """Usable samples of readings.

    Attributes
    ----------
    readings
        The readings.
    t : (n,)
        Stamps, s; they increase strictly. Those that were rounded are even again.
    x : (n, k)
        Values without NaN; quaternions have unit length and continuous signs, headings no jumps.
    period
        Median time between samples, s.
    body
        Number of the body of the frame: frames joined by mounts belong to one body.
    R_BF : (3, 3)
        Orientation of the frame relative to the root frame of the body.
    p_BF : (3,)
        Position of the frame in the root frame, m.
    """

    readings: Readings
    t: Array
    x: Array
    period: float
    body: int
    R_BF: Array
    p_BF: Array

    @property
    def name(self) -> str:
        """Name of the readings."""
        return self.readings.name

    @property
    def quantity(self) -> Quantity:
        """Quantity of the readings."""
        return self.readings.quantity

    @cached_property
    def is_planar(self) -> bool:
        """Whether an orientation or angular velocity is exactly about z, as an odometry in the plane sends it."""
        if self.quantity not in ("orientation", "angular velocity"):
            return False
        return bool(np.all(np.ptp(self.x[:, :2], axis=0) < PLANAR))

    @property
    def longest_step(self) -> float:
        """Time between samples above which nothing is interpolated, s."""
        return max(GAP_PERIODS * self.period, SHORTEST_GAP)

    @cached_property
    def gaps(self) -> tuple[Array, Array]:
        """Starts (g,) and ends (g,) of the times without samples, s."""
        before = np.flatnonzero(np.diff(self.t) > self.longest_step)
        return self.t[before], self.t[before + 1]


@dataclass(frozen=True, eq=False)
class Body:
    """Frames that are joined by mounts: each frame's orientation and position on the root frame."""

    root: str
    poses: dict[str, tuple[Array, Array]]


def bodies_of(log: SensorLog) -> tuple[Body, ...]:
    """Return the bodies of the frames of a recording, that with most readings first.

    The root of a body is the frame that is mounted on no other. Readings without a frame share a body, whose root has
    an empty name.
    """
    frames = list(dict.fromkeys(readings.frame for readings in log.readings))
    by_frame: dict[str, list[Mount]] = {}
    for mount in log.mounts:
        by_frame.setdefault(mount.parent, []).append(mount)
        by_frame.setdefault(mount.frame, []).append(mount)
    mounted = {mount.frame for mount in log.mounts}
    left, bodies = frames, list[Body]()
    while left:
        members = _joined(left[0], by_frame)
        root = next((frame for frame in members if frame not in mounted), members[0])
        bodies.append(Body(root, _poses_from(root, by_frame)))
        left = [frame for frame in left if frame not in members]
    counts = [sum(readings.frame in body.poses for readings in log.readings) for body in bodies]
    return tuple(bodies[k] for k in sorted(range(len(bodies)), key=lambda k: -counts[k]))


def _joined(frame: str, by_frame: dict[str, list[Mount]]) -> list[str]:
    return list(_poses_from(frame, by_frame))


def _poses_from(root: str, by_frame: dict[str, list[Mount]]) -> dict[str, tuple[Array, Array]]:
    """Return the pose of every frame that mounts join to a root, the nearest first."""
    poses = {root: (np.eye(3), np.zeros(3))}
    waiting = [root]
    while waiting:
        at = waiting.pop(0)
        R_BA, p_BA = poses[at]
        for mount in by_frame.get(at, []):
            R_PF = Rotation.from_quat(mount.Q).as_matrix()
            if mount.parent == at and mount.frame not in poses:
                poses[mount.frame] = (R_BA @ R_PF, p_BA + R_BA @ mount.p)
                waiting.append(mount.frame)
            elif mount.frame == at and mount.parent not in poses:
                R_BP = R_BA @ R_PF.T
                poses[mount.parent] = (R_BP, p_BA - R_BP @ mount.p)
                waiting.append(mount.parent)
    return poses


def tracks_of(log: SensorLog, bodies: Iterable[Body]) -> tuple[Track, ...]:
    """Return the tracks of the readings that have enough samples and are not all zero."""
    bodies = tuple(bodies)
    tracks = list[Track]()
    for readings in log.readings:
        t, x = _usable(readings)
        if len(t) < FEWEST_SAMPLES or not np.any(x[:, :3] if readings.quantity != "orientation" else x):
            continue
        number = next(k for k, body in enumerate(bodies) if readings.frame in body.poses)
        R_BF, p_BF = bodies[number].poses[readings.frame]
        tracks.append(Track(readings, t, x, float(np.median(np.diff(t))), number, R_BF, p_BF))
    return tuple(tracks)


def _usable(readings: Readings) -> tuple[Array, Array]:
    """Return the stamps and values of the samples that are numbers and later than all before."""
    width = WIDTHS[readings.quantity]
    t, x = np.asarray(readings.t, dtype=float), np.asarray(readings.values, dtype=float).reshape(-1, width)
    is_good = np.isfinite(t) & np.isfinite(x).all(axis=1)
    if readings.quantity == "orientation":
        length = np.linalg.norm(x, axis=1)
        is_good &= (length > SHORTEST) & (length < LONGEST)
    t, x = t[is_good], x[is_good]
    if len(t):
        latest = np.concatenate([[-np.inf], np.maximum.accumulate(t)[:-1]])
        t, x = even_stamps(t[t > latest]), x[t > latest]
    if readings.quantity == "orientation" and len(t):
        x = x / np.linalg.norm(x, axis=1, keepdims=True)
        turned = np.sum(x[1:] * x[:-1], axis=1) < 0.0
        x = x * np.concatenate([[1.0], np.cumprod(np.where(turned, -1.0, 1.0))])[:, None]
    return t, x
