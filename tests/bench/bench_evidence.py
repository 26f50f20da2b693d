"""Random drives with faults of sensors, planted by SciPy alone: found, wrong, false alarms, mountings and delays.

More of them, or others: ``python -m tests.support.foreign_drive_trials FIRST LAST HEALTHY`` in the folder of the
repository prints a table for each kind of fault and drive.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

from tests.bench.bench_run import BOUND, Row, row
from tests.support.foreign_bags import write_long_bag
from tests.support.foreign_drive_trials import Tally, tally
from tests.support.foreign_drives import drive, healthy_drive

COUNT = int(os.environ.get("EVIDENCE_DRIVES", "60"))
HEALTHY = COUNT // 3
"""Drives; 300 and 100 in all with ``EVIDENCE_DRIVES=300``."""

LONG_S = 20.0
"""Time within which an hour's half of an IMU at 400 Hz is to be judged, s."""


def run() -> list[Row]:
    """Return the outcomes, the times of a search, and that of a long bag."""
    faulty = tally(map(drive, range(COUNT)))
    healthy = tally(map(healthy_drive, range(HEALTHY)))
    return [*outcome_rows(faulty, healthy), *long_bag_rows()]


def outcome_rows(faulty: Tally, healthy: Tally) -> list[Row]:
    """Return a row for each outcome, and for mountings, delays and directions."""
    n_alarms = faulty.outcomes["false alarm"] + healthy.outcomes["false alarm"]
    n_healthy = n_alarms + faulty.outcomes["silent"] + healthy.outcomes["silent"]
    n_told = sum(faulty.outcomes[outcome] for outcome in ("found", "missed", "wrong"))
    mounts, delays = [*faulty.mounts, *healthy.mounts], faulty.delays
    directions = [*faulty.directions, *healthy.directions]
    counts = (
        (f"found of {n_told}", faulty.outcomes["found"], "found"),
        (f"missed of {n_told}", faulty.outcomes["missed"], "missed"),
        ("wrong", faulty.outcomes["wrong"], "wrong"),
        ("cannot tell, and silent or open", faulty.outcomes["cannot tell"], ""),
        (f"false alarms of {n_healthy} healthy", n_alarms, "alarms"),
        (f"mounting not within 3σ of {len(mounts)}", mounts.count(False), "wrong"),
        (f"delay not within 2 ms or 3σ of {len(delays)}", delays.count(False), "wrong"),
        (f"open direction not named of {len(directions)}", directions.count(False), "wrong"),
    )
    seconds = [*faulty.seconds, *healthy.seconds]
    return [
        *(Row(case=case, ours=count, unit=unit, peer=None) for case, count, unit in counts),
        row("search in a drive, median", 1e3 * statistics.median(seconds), "ms"),
        row("search in a drive, slowest", 1e3 * max(seconds), "ms"),
    ]


def long_bag_rows() -> list[Row]:
    """Return the time of the evidence in a bag of 1 GB with 30 minutes of an IMU at 400 Hz."""
    from framescope.features.evidence.core.bag_readings import readings_of_bag
    from framescope.features.evidence.core.examine import examine

    with tempfile.TemporaryDirectory() as folder:
        path = write_long_bag(Path(folder) / "long")
        start = time.process_time()
        log = readings_of_bag(path)
        read = time.process_time()
        examine(log)
        end = time.process_time()
    return [
        row("1 GB, 30 min of IMU at 400 Hz: reading", read - start, "s"),
        row("1 GB, 30 min of IMU at 400 Hz: evidence", end - start, "s", BOUND, LONG_S),
    ]
