"""Pairs of texts planted by SciPy alone: whether the true difference is named, and what is wrong and sure of itself.

A table of each kind: ``python -m tests.bench.bench_foreign_pairs COUNT [SHAPE]`` in the folder of the repository.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from framescope.features.compare import Comparison, compare
from tests.bench.bench_run import Row, row
from tests.support.foreign_pairs import KINDS, tally

COUNT = 24


def run() -> list[Row]:
    """Return the counts of true and of wrong answers, and the slowest pair."""
    times: list[float] = []
    compare("1 2 3", "3 2 1")
    related = sum((outcomes(kind, COUNT, times) for kind in KINDS), Counter[str]())
    others = sum((outcomes(kind, COUNT, times) for kind in ("unrelated", "offset")), Counter[str]())
    n = COUNT * len(KINDS)
    return [
        row("a pair, slowest", 1e3 * max(times), "ms"),
        Row(case=f"true relation not first of {n}", ours=n - related["first"], unit="missing"),
        Row(case=f"true relation not named of {n}", ours=n - related["named"], unit="missing"),
        Row(case="wrong and settled", ours=related["settled wrong"], unit="wrong"),
        Row(case=f"different and called alike of {2 * COUNT}", ours=others["settled"] + others["likely"], unit="wrong"),
    ]


def outcomes(kind: str, count: int, times: list[float], shape: str = "any") -> Counter[str]:
    """Return the counts of a kind, and add the times of its pairs on one processor, s."""

    def timed(first: str, second: str) -> Comparison:
        start = time.process_time()
        answer = compare(first, second)
        times.append(time.process_time() - start)
        return answer

    return tally(kind, count, timed, shape)


if __name__ == "__main__":
    for each in (*KINDS, "unrelated", "offset"):
        seconds: list[float] = []
        counts = outcomes(each, int(sys.argv[1]), seconds, *sys.argv[2:])
        print(f"{each:32} {max(seconds):5.2f} s", {word: n for word, n in counts.items() if n})
