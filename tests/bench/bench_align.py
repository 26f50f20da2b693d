"""Random pairs of pose streams, planted by SciPy alone: right, named, wrong, and hand-eye sets beside OpenCV's methods.

More of them, or others: ``python -m tests.support.foreign_stream_trials FIRST LAST SETS`` in the folder of the
repository prints a table for each kind.
"""

from __future__ import annotations

import os
import statistics
from typing import Any

import numpy as np

from tests.bench.bench_run import BOUND, Row, median_time, row
from tests.support.foreign_stream_trials import HandEyeOutcome, hand_eye_outcome, tally
from tests.support.foreign_streams import has_hand_eye, pair

COUNT = int(os.environ.get("ALIGN_PAIRS", "60"))
"""Pairs; 500 in all with ``ALIGN_PAIRS=500``."""

SETS = 200
"""Sets of hand and eye."""

N_LONG, LONG_S = 100_000, 3.0
"""Poses of a long stream, and the time for its alignment, s."""


def run() -> list[Row]:
    """Return the outcomes, the times, and the errors beside OpenCV's."""
    counts = tally(map(pair, range(COUNT)))
    rights = {part: values.count(False) for part, values in counts.parts.items()}
    rows = [
        Row(case=f"pairs: {outcome} of {COUNT}", ours=counts.outcomes[outcome], unit="", peer=None)
        for outcome in ("right", "named", "off", "not named", "wrong convention", "refused")
    ]
    rows += [
        Row(case=f"{part} not within 3σ of {len(counts.parts[part])}", ours=n, unit="wrong", peer=None)
        for part, n in rights.items()
    ]
    rows.append(row("alignment of a pair, median", 1e3 * statistics.median(counts.seconds), "ms"))
    return [*rows, _long_row(), *_hand_eye_rows()]


def _long_row() -> Row:
    from framescope.features.trajectories.core.align_streams import align
    from framescope.features.trajectories.core.pose_stream import stream_of

    n = np.arange(float(N_LONG))
    q = np.stack([np.sin(n / 900), np.sin(n / 700), np.sin(n / 500), 3.0 + 0.0 * n], axis=1)
    a = stream_of("a", n / 100, np.stack([np.sin(n / 600), np.cos(n / 800), np.sin(n / 1100)], axis=1), q / 3.0)
    b = stream_of("b", n / 100 + 0.1, a.p_RF + a.R_RF @ [0.1, 0.0, 0.2], a.q_RF)
    return row(f"alignment of {N_LONG:,} poses", median_time(lambda: align(a, b), 3), "s", BOUND, LONG_S)


def _hand_eye_rows() -> list[Row]:
    if not has_hand_eye():
        return [Row(case="hand-eye left out: this OpenCV has no calibrateHandEye", ours=0.0, unit="-")]
    outcomes = [hand_eye_outcome(seed) for seed in range(SETS)]
    n_worse = sum(not outcome.is_no_worse for outcome in outcomes)
    rows = [Row(case=f"hand-eye: cost above OpenCV's best of {SETS}", ours=n_worse, unit="worse", peer=None)]
    for k, unit in enumerate(("mrad", "mm")):
        peers = {name: _rms(outcomes, name, k) for name in outcomes[0].opencv}
        best: Any = min(peers, key=lambda name: peers[name])
        rows.append(row("hand-eye: rms error", _rms(outcomes, "", k), unit, f"OpenCV, {best}", peers[best]))
    return rows


def _rms(outcomes: list[HandEyeOutcome], name: str, k: int) -> float:
    """Return the rms error of a method of OpenCV, of ours without a name, in mrad or mm."""
    values = [outcome.opencv.get(name, (np.nan, np.nan)) if name else outcome.ours for outcome in outcomes]
    return 1e3 * float(np.sqrt(np.nanmean(np.array(values)[:, k] ** 2)))
