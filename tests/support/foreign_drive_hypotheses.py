"""Faults that readings of a planted drive may have, as far as rivals of the planted one are made of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from tests.support.foreign_drives import DEGREES, STANDARD_G, Drive, Sensor

FAMILIES = (
    {"unit", "scale"},
    {"mounting", "wrong frame", "body axes", "doubled axes"},
    {"world axes", "starts as zero", "doubled axes"},
    {"delay", "clock drift"},
)
"""Kinds that do the same to the same readings, if their values agree."""


@dataclass(frozen=True)
class Hypothesis:
    """Fault that some readings may have: kind, names of the readings, and what is known or fitted of its value.

    `known` is the value of a kind with a list of values; `starts` are first values of what is fitted.
    """

    kind: str
    sensors: tuple[str, ...]
    known: tuple[float, ...] = ()
    starts: tuple[tuple[float, ...], ...] = ((),)

    @property
    def size(self) -> int:
        """Return how many numbers are fitted."""
        return len(self.starts[0])


Explanation = tuple[Hypothesis, ...]
"""Faults that some readings may have together; none if there is no fault."""

NOTHING: Explanation = ()


def is_kindred(kind: str, other: str) -> bool:
    """Return whether two kinds may do the same to the same readings."""
    return kind == other or any({kind, other} <= family for family in FAMILIES)


def by_kind(drive: Drive, group: tuple[str, ...]) -> dict[str, list[Hypothesis]]:
    """Return the faults that some readings may have together, by kind."""
    by_kind: dict[str, list[Hypothesis]] = {}
    for hypothesis in hypotheses_of(drive, group):
        by_kind.setdefault(hypothesis.kind, []).append(hypothesis)
    return by_kind


def groups_of(drive: Drive) -> Iterator[tuple[str, ...]]:
    """Yield names of readings that may share a fault: one reading, a source, a frame, a pose in its reference."""
    sensors, seen = drive.sensors, set()
    for sensor in sensors:
        of_source = [s for s in sensors if s.source == sensor.source]
        in_reference = [s for s in of_source if s.quantity in ("orientation", "position")]
        in_reference += [s for s in of_source if s.quantity == "velocity" and s.resolved_in == s.reference]
        of_frame = [s for s in sensors if s.frame == sensor.frame] if "imu" in sensor.frame else []
        for group in ([sensor], of_source, in_reference, of_frame):
            names = tuple(s.name for s in group)
            if names and frozenset(names) not in seen:
                seen.add(frozenset(names))
                yield names


_TURNS = tuple(tuple(q) for q in Rotation.create_group("O").as_quat() if abs(q[3]) < 0.999)
_MIRRORS = tuple(tuple(-R.ravel()) for R in Rotation.create_group("O").as_matrix() if np.trace(R) < 2.9)
"""Matrices that map axes onto axes and mirror them; −1 is the other sign."""


def hypotheses_of(drive: Drive, group: tuple[str, ...]) -> Iterator[Hypothesis]:
    """Yield the faults that all of some readings may have together."""
    sensors = [s for s in drive.sensors if s.name in group]
    of_source = {s.name for s in drive.sensors if s.source == sensors[0].source}
    if set(group) == of_source:
        yield Hypothesis("delay", group, (), tuple((x,) for x in (-0.4, -0.1, -0.03, 0.0, 0.03, 0.1, 0.4)))
        if drive.motion.duration > 40.0:
            small = 0.15 / drive.motion.duration
            yield Hypothesis("clock drift", group, (), ((0.0, small), (0.0, -small)))
    stated = {mount.frame for mount in drive.mounts if mount.stated is not None and "imu" in mount.frame}
    if sensors[0].frame in stated and set(group) == {s.name for s in drive.sensors if s.frame == sensors[0].frame}:
        starts = tuple(tuple(Rotation.from_quat(q).as_rotvec()) for q in _TURNS)
        yield Hypothesis("mounting", group, (), ((0.0, 0.0, 0.0), *starts))
    quantities = {s.quantity for s in sensors}
    if len(sensors) > 1:
        if quantities <= {"orientation", "position", "velocity"} and "orientation" in quantities:
            yield from (Hypothesis("world axes", group, q) for q in _TURNS)
        return
    (quantity,) = quantities
    yield from _of_one(drive, sensors[0], quantity, group)


def _of_one(drive: Drive, sensor: Sensor, quantity: str, group: tuple[str, ...]) -> Iterator[Hypothesis]:
    if "imu" in sensor.frame and quantity != "heading":
        starts = tuple(tuple(Rotation.from_quat(q).as_rotvec()) for q in _TURNS)
        yield Hypothesis("mounting", group, (), ((0.0, 0.0, 0.0), *starts))
    if quantity == "orientation":
        yield Hypothesis("inverse", group)
        yield from (Hypothesis("mirrored axes", group, matrix) for matrix in _MIRRORS)
        yield from (Hypothesis("quaternion order", group, (shift,)) for shift in (1.0, -1.0))
        yield from (Hypothesis(kind, group, q) for kind in ("world axes", "body axes") for q in _TURNS)
        first = drive.stated(sensor, np.zeros(1))[0]
        if abs(first[3]) > 0.9999 * np.linalg.norm(first):
            yield Hypothesis(
                "starts as zero", group, (), ((0.0, 0.0, 0.0), (np.pi, 0, 0), (0, np.pi, 0), (2.0, 0, 0), (0, 2, 0))
            )
        return
    yield Hypothesis("sign", group)
    factors = {"angular velocity": DEGREES, "heading": DEGREES, "specific force": STANDARD_G, "magnetic field": 1e6}
    factor = factors.get(quantity, 1e3)
    yield from (Hypothesis("unit", group, (x,)) for x in (factor, 1.0 / factor))
    yield Hypothesis("scale", group, (), ((1.0,), (3.0,), (0.3,)))
    if quantity == "heading":
        return
    yield from (Hypothesis("mirrored axes", group, matrix) for matrix in _MIRRORS)
    kind = "world axes" if quantity == "position" else "body axes"
    yield from (Hypothesis(kind, group, q) for q in _TURNS)
    if quantity in ("angular velocity", "specific force", "magnetic field"):
        yield Hypothesis("bias", group, (), ((0.0, 0.0, 0.0),))
    if quantity == "specific force":
        yield Hypothesis("gravity removed", group)
    if quantity in ("angular velocity", "specific force", "velocity"):
        is_in_reference = quantity == "velocity" and sensor.resolved_in == sensor.reference
        yield Hypothesis("resolved in frame" if is_in_reference else "resolved in reference", group)
