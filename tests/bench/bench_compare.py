"""Pairs of texts with a planted difference: how often each verdict comes, and whether the truth is named.

The goals, for 1,000 pairs of each kind with 0.3° and 2 mm of noise: the truth named in 99 %, nothing wrong settled,
unrelated numbers not called alike in 99.5 %. More of them: ``python -m tests.bench.bench_compare COUNT`` in the folder
of the repository.
"""

from __future__ import annotations

import statistics
import sys
import time

from framescope.features.compare import Comparison, compare
from tests.bench.bench_run import Row, row
from tests.support.planted_pairs import KINDS, tally

COUNT, DIGITS = 20, (2, 3, 6)


def run() -> list[Row]:
    """Return the time of a pair, and the counts of wrong and right answers."""
    counts, times = outcomes(COUNT)
    total = {word: sum(each[word] for each in counts.values()) for word in next(iter(counts.values()))}
    related = [each for (kind, _), each in counts.items() if not kind.startswith("unrelated")]
    unrelated = [each for (kind, _), each in counts.items() if kind.startswith("unrelated")]
    return [
        row("a pair, median", 1e3 * statistics.median(times), "ms"),
        row("a pair, slowest", 1e3 * max(times), "ms"),
        Row(case=f"truth named of {COUNT * len(related)}", ours=sum(each["named"] for each in related), unit="found"),
        Row(case="wrong and settled", ours=total["settled wrong"], unit="wrong"),
        Row(
            case=f"unrelated and called alike of {COUNT * len(unrelated)}",
            ours=sum(each["settled"] + each["likely"] for each in unrelated),
            unit="wrong",
        ),
    ]


def outcomes(count: int) -> tuple[dict[tuple[str, int], dict[str, int]], list[float]]:
    """Return the counts for each kind and number of digits, and the times of all pairs, s."""
    times: list[float] = []

    def timed(first: str, second: str) -> Comparison:
        start = time.perf_counter()
        answer = compare(first, second)
        times.append(time.perf_counter() - start)
        return answer

    return {(kind, digits): tally(kind, digits, count, timed) for kind in KINDS for digits in DIGITS}, times


if __name__ == "__main__":
    for (kind, digits), counts in outcomes(int(sys.argv[1]))[0].items():
        print(f"{kind:22} {digits} digits", {word: n for word, n in counts.items() if n})
