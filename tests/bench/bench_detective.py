"""The convention detective: how often a planted convention is found, for every kind, and how long it takes.

Rates are of 100 seeded cases with 20 samples and a noise of 1 mrad; the goal is 99 or more of every kind. Times are of
the whole search; the goal is 2 s for 10 000 samples. There is no peer: no other library does this.
"""

from __future__ import annotations

import numpy as np

from framescope.features.detective.core.interpretations import Interpretation
from framescope.features.detective.core.pipeline import detect
from tests.bench.bench_run import Row, median_time, row
from tests.support.detective_cases import CHANGES, FORMS, KINDS, case_of, n_found, random_matrices, shaken

N_CASES = 100


def run() -> list[Row]:
    """Return a row for each kind, and the times."""
    rows = [Row(case=f"{form}, {change}: found of {N_CASES}", ours=n_found(form, change, N_CASES), unit="", peer=None)
            for form, change in KINDS]  # fmt: skip
    return rows + _times()


def _times() -> list[Row]:
    found: list[Row] = []
    for form in FORMS:
        case = case_of(0, form, CHANGES[-1])
        found.append(
            row(f"20 samples, {form}", 1e3 * median_time(lambda case=case: detect(case.numbers, case.R)), "ms")
        )
    random = np.random.default_rng(1)
    R = random_matrices(random, 10_000)
    angles = Interpretation("angles", "ZYX", "deg").numbers(shaken(random, R))
    others = {
        "known orientations": R,
        "quaternions": Interpretation("quaternion", "wxyz").numbers(R),
        "angles": Interpretation("angles", "zxz", "rad").numbers(R),
    }
    for name, numbers in others.items():
        seconds = median_time(lambda numbers=numbers: detect(angles, numbers), 3)
        found.append(row(f"10 000 samples, angles against {name}", seconds, "s"))
    return found
