"""Readings of the sensors of a recording, as the recording states them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core.kernels.validation import Array

Quantity = Literal[
    "orientation",
    "heading",
    "angular velocity",
    "specific force",
    "velocity",
    "position",
    "magnetic field",
    "joint",
]
"""Quantity that a sensor reads."""

WIDTHS: dict[Quantity, int] = {
    "orientation": 4,
    "heading": 1,
    "angular velocity": 3,
    "specific force": 3,
    "velocity": 3,
    "position": 3,
    "magnetic field": 3,
    "joint": 1,
}
"""Numbers of one reading, by quantity."""

LARGEST = 1e12
"""Largest number that a sensor can read, in whatever unit: positions on the Earth in millimetres have 1e10."""


@dataclass(frozen=True, eq=False)
class Readings:
    """Readings of one quantity by one sensor over time, in the conventions that the recording states.

    The statement may be wrong: the search tries other conventions.

    Attributes
    ----------
    name
        Name in sentences that no other readings have, such as ``"orientation of /imu/data"``.
    source
        Topic, file or item that the readings come from. Readings of one message share it.
    quantity
        Quantity of the readings.
    t : (n,)
        Stamps since the start of the recording, s; they increase.
    values : (n, k)
        Orientation: quaternion of `frame` relative to `reference`, scalar last. Heading: angle of the x axis of `frame`
        about the z axis of `reference`, rad. Angular velocity of `frame`, rad/s, and specific force (at rest the
        upward reaction to gravity), m/s², and magnetic field, T, resolved in `frame`. Position of the origin of `frame`
        relative to `reference` and resolved in it, m. Velocity of that origin relative to `reference`, resolved in
        `resolved_in`, m/s. Joint: value of the joint that moves `frame` on `reference`, rad or m; joints are compared
        apart from the motion of bodies. NaN where there is no reading, or a number above `LARGEST`.
    frame, reference
        Frame that the sensor reads the motion of, and the frame relative to which; empty if the recording names none.
    resolved_in
        Frame in which a velocity is resolved; `frame` or `reference`.
    received : (n,) or None
        Times of reception since the start of the recording, s.
    covariance : (k, k) or None
        Covariance that the recording states, for orientations that of a small turn (3, 3).
    is_stamped
        Whether the messages have stamps. Otherwise `t` are times of reception, and a delay is no fault of a clock.
    """

    name: str
    source: str
    quantity: Quantity
    t: Array
    values: Array
    frame: str = ""
    reference: str = ""
    resolved_in: str = ""
    received: Array | None = None
    covariance: Array | None = None
    is_stamped: bool = True

    def __post_init__(self) -> None:
        is_too_large = np.abs(self.values) > LARGEST
        if is_too_large.any():
            object.__setattr__(self, "values", np.where(is_too_large, np.nan, self.values))


@dataclass(frozen=True, eq=False)
class Mount:
    """Fixed pose of one frame on another, as a recording states it.

    Attributes
    ----------
    parent, frame
        The frame on which, and the frame that is mounted.
    Q : (4,)
        Quaternion of `frame` relative to `parent`, scalar last.
    p : (3,)
        Position of the origin of `frame` in `parent`, m.
    source
        Topic, file or item that states it.
    sent
        The pose of `frame` in the frame in which the recording sends it, if that is another than `parent`.
    """

    parent: str
    frame: str
    Q: Array
    p: Array
    source: str = ""
    sent: Mount | None = None


@dataclass(frozen=True, eq=False)
class SensorLog:
    """All readings of a recording, and the mounts that it states.

    Attributes
    ----------
    readings
        Readings of all sensors. Their names differ.
    mounts
        Fixed poses between frames that are named by readings.
    start_ns
        Stamp of the start of the recording, ns; 0 if the recording has no stamps of a clock.
    """

    readings: tuple[Readings, ...]
    mounts: tuple[Mount, ...] = ()
    start_ns: int = 0
