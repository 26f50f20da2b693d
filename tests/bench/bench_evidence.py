"""Random drives with faults of sensors, planted by SciPy alone: found, wrong, false alarms, mountings and delays.

All 300 and 100: ``EVIDENCE_DRIVES=300 python run.py bench evidence``. What was said of each drive, and a table by kinds
of faults: ``python -m tests.support.foreign_drive_trials 0-60`` in the folder of the repository.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.bench.bench_run import BOUND, Row, row
from tests.support.foreign_bags import write_long_bag
from tests.support.foreign_drive_trials import DELAY_S, Tally, tally
from tests.support.foreign_drives import drive, healthy_drive

COUNT = int(os.environ.get("EVIDENCE_DRIVES", "60"))
HEALTHY = COUNT // 3
"""Drives; 300 and 100 in all with ``EVIDENCE_DRIVES=300``."""

LONG_S = 20.0
"""Time within which half an hour of an IMU at 400 Hz is to be judged, s."""


def run() -> list[Row]:
    """Return the outcomes, the times of a search, and that of a long bag."""
    faulty = tally(map(drive, range(COUNT)))
    healthy = tally(map(healthy_drive, range(HEALTHY)))
    return [*outcome_rows(faulty, healthy), *long_bag_rows()]


def outcome_rows(faulty: Tally, healthy: Tally) -> list[Row]:
    """Return a row for each outcome, and for mountings, delays and directions.

    The first rows have the parts that are right where the motion can tell the faults, in all, by number of faults and
    by kind of motion; then where it cannot, and the part of the drives that can tell.
    """
    n_alarms = faulty.outcomes["false alarm"] + healthy.outcomes["false alarm"]
    n_healthy = n_alarms + faulty.outcomes["silent"] + healthy.outcomes["silent"]
    parts = [(f"can tell, {group}", *faulty.n_right(group, can_tell=True)) for group in faulty.groups]
    parts += [("cannot tell, all", *faulty.n_right("all", can_tell=False))]
    n_told = parts[0][2]
    mounts, delays = [*faulty.mounts, *healthy.mounts], faulty.delays
    directions = [*faulty.directions, *healthy.directions]
    near = [error <= DELAY_S for error in faulty.delay_errors]
    parts += [
        ("mounting within 3σ", sum(mounts), len(mounts)),
        ("delay within 2 ms, in proportion below 100 Hz, or 3σ", sum(delays), len(delays)),
        ("delay within 2 ms, all rates 100 Hz or more", sum(near), len(near)),
        ("open direction named", sum(directions), len(directions)),
        ("healthy drives without a false alarm", n_healthy - n_alarms, n_healthy),
    ]
    counts = (
        ("missed", faulty.outcomes["missed"], "drives"),
        ("wrong", faulty.outcomes["wrong"], "drives"),
        (f"false alarms of {n_healthy} healthy", n_alarms, "drives"),
    )
    seconds = [*faulty.seconds, *healthy.seconds]
    n_faulty = n_told + faulty.n_right("all", can_tell=False)[1]
    return [
        *(_part(f"right where it {case}" if "tell" in case else case, n, of) for case, n, of in parts if of),
        _part("drives that can tell their faults", n_told, max(1, n_faulty)),
        *(Row(case=case, ours=count, unit=unit, peer=None) for case, count, unit in counts),
        *(
            row(f"error of a delay at 100 Hz, {title}", 1e3 * float(np.quantile(faulty.delay_errors, q)), "ms of delay")
            for title, q in (("median", 0.5), ("greatest", 1.0))
            if faulty.delay_errors
        ),
        row("search in a drive, median", 1e3 * statistics.median(seconds), "ms"),
        row("search in a drive, slowest", 1e3 * max(seconds), "ms"),
    ]


def _part(case: str, n: int, of: int) -> Row:
    """Return a row of a part of some drives or answers, in percent."""
    return Row(case=f"{case}: {n} of {of}", ours=100.0 * n / of, unit="%", peer=None)


def long_bag_rows() -> list[Row]:
    """Return the time of the evidence in a bag of 1 GB with 30 minutes of an IMU at 400 Hz."""
    from framescope.features.bags.core.bag_file import open_bag
    from framescope.features.evidence.core.bag_log import sensor_log
    from framescope.features.evidence.core.examine import examine

    with tempfile.TemporaryDirectory() as folder:
        path = write_long_bag(Path(folder) / "long")
        start = time.process_time()
        with open_bag(path) as bag:
            log = sensor_log(bag)
        read = time.process_time()
        examine(log)
        end = time.process_time()
    return [
        row("1 GB, 30 min of IMU at 400 Hz: reading", read - start, "s"),
        row("1 GB, 30 min of IMU at 400 Hz: evidence", end - start, "s", BOUND, LONG_S),
    ]
