"""Rates of recordings against the truth: how much worse the usual bandwidths are than the best ones.

One row for each recording of `tests.support.noisy_motions`, over seeds and with and without spikes.
"""

from __future__ import annotations

from tests.bench.bench_run import Row
from tests.support.noisy_motions import NOISY, times_the_best

SEEDS = 5

SPIKED = 0.005
"""Part of the samples whose position is a spike."""


def run() -> list[Row]:
    """Return the largest factor of each recording, of velocity and of angular velocity."""
    rows: list[Row] = []
    for case in NOISY:
        found = [times_the_best(case, seed, spiked) for seed in range(SEEDS) for spiked in (0.0, SPIKED)]
        for what, values in zip(("velocity", "angular velocity"), zip(*found, strict=True), strict=True):
            rows.append(Row(case=f"{case}: {what}", ours=max(values), unit="times the best", peer=None))
    return rows


if __name__ == "__main__":
    for row in run():
        print(f"{row['case']}: {row['ours']:.2f}")
