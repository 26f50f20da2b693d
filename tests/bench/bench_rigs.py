"""Random rigs with a wrong entry: how many are right, open and wrong, and the time for each; healthy rigs are silent.

More of them, or others: ``python -m tests.bench.bench_rigs COUNT SEED`` in the folder of the repository.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter

from tests.bench.bench_run import Row, row
from tests.support.planted_rigs import planted_rig
from tests.support.rig_trials import outcome_of

COUNT, HEALTHY = 200, 50


def run() -> list[Row]:
    """Return the outcomes, and the median time of a search."""
    counts, times = outcomes(COUNT, 0)
    rows = [
        Row(case=f"rigs: {outcome} of {COUNT}", ours=counts[outcome], unit="", peer=None)
        for outcome in ("right", "open", "out of sight", "missed", "wrong")
    ]
    healthy = Counter(outcome_of(planted_rig(10_000 + seed, n_faults=0)) for seed in range(HEALTHY))
    rows.append(Row(case=f"healthy rigs: alarms of {HEALTHY}", ours=HEALTHY - healthy["silent"], unit="", peer=None))
    return [*rows, row("search in a rig", 1e3 * statistics.median(times), "ms")]


def outcomes(count: int, seed: int) -> tuple[Counter[str], list[float]]:
    """Return the outcomes of so many rigs, and the time for each, s."""
    counts: Counter[str] = Counter()
    times: list[float] = []
    for k in range(seed, seed + count):
        rig = planted_rig(k)
        start = time.perf_counter()
        counts[outcome_of(rig)] += 1
        times.append(time.perf_counter() - start)
    return counts, times


if __name__ == "__main__":
    counted, seconds = outcomes(int(sys.argv[1]), int(sys.argv[2]))
    print(dict(counted), f"{1e3 * statistics.median(seconds):.1f} ms each, at most {1e3 * max(seconds):.0f} ms")
