"""Random trials of the detective: how many are right, open, refused and wrong, by kind.

The goal is 396 of 400 right or honestly open, and none wrong. More of them, or others:
``python -m tests.bench.bench_detective_cases COUNT SEED`` in the folder of the repository, which also tells each that
is not right.
"""

from __future__ import annotations

import sys
from collections import Counter

from tests.bench.bench_run import Row
from tests.support.detective_trials import KINDS, tried

COUNT = 400


def run() -> list[Row]:
    """Return for each kind how many are right, open and neither."""
    counts, _ = outcomes(COUNT, 0)
    found = [*counts.items(), ("all", sum(counts.values(), Counter[str]()))]
    return [
        Row(case=f"{kind}: {outcome} of {of_kind.total()}", ours=of_kind[outcome], unit="", peer=None)
        for kind, of_kind in found
        for outcome in ("right", "open", "refused", "wrong")
        if of_kind[outcome] or outcome == "wrong"
    ]


def outcomes(count: int, seed: int) -> tuple[dict[str, Counter[str]], list[str]]:
    """Return the outcomes of so many trials by kind, and what is to be said of those that are not right."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    told: list[str] = []
    for k in range(seed, seed + count):
        trial, pairs, report, outcome = tried(k)
        counts[trial.kind][outcome] += 1
        if outcome != "right":
            truth = (
                "nothing" if trial.truth is None else "; ".join((*trial.truth.texts, trial.truth.interpretation_b.text))
            )
            told += [f"{k} {trial.kind}: {outcome} ({trial.facts})", f"  truth: {truth}"]
            told.append(f"  {report.verdict} ({pairs.offset:.3f} s)")
    return counts, told


if __name__ == "__main__":
    counts, told = outcomes(int(sys.argv[1]), int(sys.argv[2]))
    print("\n".join(told))
    for kind, of_kind in counts.items():
        print(f"{kind:20} {dict(of_kind)}")
