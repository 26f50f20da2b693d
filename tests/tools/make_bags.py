"""Writes the prepared bags of the manual's page on transforms that fail: ``python -m tests.tools.make_bags``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from framescope import assets
from tests.support import planted_bags
from tests.support.bags import Sent, drive, write_ros1

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


def drive_with(cause: str) -> list[Sent]:
    """Return the transforms of a drive of 12 s with one cause."""
    healthy = [replace(each, log_ns=each.stamp_ns + DELAY_NS) for each in drive(seconds=12.0, hz=10.0)]
    return CAUSES[cause](np.random.default_rng(SEED), healthy).sent


def write(folder: Path) -> None:
    """Write all of them into a folder."""
    for cause in CAUSES:
        path = folder / f"{cause}.bag"
        path.unlink(missing_ok=True)
        write_ros1(path, drive_with(cause))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write(FOLDER)
