"""Writes the prepared bags of the manual: ``python -m tests.tools.make_bags``.

They are those of the page on transforms that fail, and a drive with a turned IMU.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from framescope import assets
from tests.support import imu_drives, planted_bags
from tests.support.bags import Other, Sent, drive, write_ros1
from tests.support.imu_drives import turned_imu

FOLDER = assets.path("scenes") / "bags"

SEED = 11

DELAY_NS = 2_000_000
"""Between the stamp of a transform and its reception."""

CAUSES = {
    "two-parents": planted_bags.two_parents,
    "clock-behind": planted_bags.late,
    "trees-apart": planted_bags.apart,
    "falls-silent": planted_bags.silence,
    "two-spellings": planted_bags.other_case,
}
"""The commonest causes, by the names of their bags: what plants each."""


TURNED_IMU = "turned-imu"
"""Name of the bag with a turned IMU."""


def drive_with(cause: str) -> list[Sent]:
    """Return the transforms of a drive of 12 s with one cause."""
    healthy = [replace(each, log_ns=each.stamp_ns + DELAY_NS) for each in drive(seconds=12.0, hz=10.0)]
    return CAUSES[cause](np.random.default_rng(SEED), healthy).sent


def turned_drive() -> list[Sent | Other]:
    """Return a drive of 20 s on rough ground with an IMU that is mounted −y z −x, which no transform states."""
    imu = replace(turned_imu(), hz=50.0)
    return imu_drives.drive_with(np.random.default_rng(SEED), (imu,), seconds=20.0, odometry_hz=20.0)


def write(folder: Path) -> None:
    """Write all of them into a folder."""
    bags = {cause: drive_with(cause) for cause in CAUSES}
    for name, sent in {**bags, TURNED_IMU: turned_drive()}.items():
        path = folder / f"{name}.bag"
        path.unlink(missing_ok=True)
        write_ros1(path, sent, compression="BZ2" if name == TURNED_IMU else "")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write(FOLDER)
