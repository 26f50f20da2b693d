"""Damaged files of every kind that Framescope opens: more than 20,000, by the commands that a person would type.

Every command must end with an answer or a message, without a traceback, within 20 s of CPU and 2 GB. A printed fault
names its file: ``reader_fuzzing.mutant(kind, number)``. The benchmark `fuzz` has meshes and more scenes.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.bench.bench_run import Row, row
from tests.support.reader_fuzzing import KINDS, Tally, run_apart

CHUNK = 100
ORDINARY = tuple(f"exit status {status}" for status in range(4))


def run(share: float = 1.0) -> list[Row]:
    """Open a share of the files of each kind."""
    chunks = [
        (kind, first, min(first + CHUNK, n))
        for kind, files in KINDS.items()
        for n in [max(round(share * files.count), 1)]
        for first in range(0, n, CHUNK)
    ]
    tallies = {kind: Tally() for kind in KINDS}
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as threads:
        for (kind, *_), tally in zip(chunks, threads.map(lambda chunk: run_apart(*chunk), chunks), strict=True):
            tallies[kind].add(tally)
    rows = []
    for kind, tally in tallies.items():
        for fault in tally.faults:
            print(f"  {fault}", file=sys.stderr)
        others = sum(n for outcome, n in tally.outcomes.items() if outcome not in ORDINARY)
        rows += [
            row(f"{kind}: commands", tally.outcomes.total(), "commands"),
            row(
                f"{kind}: commands that found a scene, a table or a fault", tally.outcomes["exit status 0"], "commands"
            ),
            row(f"{kind}: tracebacks, deaths and commands over the limits", others, "commands"),
            row(f"{kind}: longest file ({tally.longest})", tally.longest_s, "s"),
        ]
    return rows
