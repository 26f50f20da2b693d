"""Set-ups with planted faults: how many are found, explained and mended, and how many healthy ones raise an alarm.

Each that is not right, with all that is said of it: ``python -m tests.bench.bench_setups [PART OF A LABEL [SEED]]`` in
the folder of the repository.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from tests.bench.bench_run import Row
from tests.setups.corpus import Case, double, healthy, single
from tests.setups.judge import Judgement, judged


def run() -> list[Row]:
    """Return the counts of each part of the corpus."""
    rows: list[Row] = []
    for name, cases in (("one fault", single()), ("two faults", double()), ("healthy", healthy())):
        judgements = [judged(case) for case in cases]
        rows += [Row(case=f"{name}: {what}", ours=n, unit="", peer=None) for what, n in counts(judgements).items()]
    return rows


def counts(judgements: Sequence[Judgement]) -> dict[str, int]:
    """Return how many are found, explained, in which way, harmed by a mend, and falsely alarmed."""
    return {
        "set-ups": len(judgements),
        "found": sum(one.found for one in judgements),
        "explained": sum(bool(one.explained) for one in judgements),
        **{f"by {way}": n for way, n in sorted(Counter(one.explained for one in judgements if one.explained).items())},
        "with a mend that harms": sum(bool(one.harm) for one in judgements),
        "with an alarm beside": sum(bool(one.alarms) for one in judgements),
    }


def _told(case: Case) -> Judgement:
    one = judged(case)
    is_right = one.found and one.explained if case.faults else not one.told
    sign = "ok  " if is_right and not one.harm and not one.alarms else "MISS"
    found = "found" if one.found else "not found"
    print(f"{sign} {one.label}: {found}, {one.explained or 'not explained'}", flush=True)
    for kind, texts in (("harm", one.harm), ("alarm", one.alarms), ("said", one.told if sign == "MISS" else ())):
        for text in texts:
            print(f"       {kind}: {text}")
    return one


if __name__ == "__main__":
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for name, cases in (("one fault", single(seed)), ("two faults", double(seed)), ("healthy", healthy(seed))):
        found = [_told(case) for case in cases if part in case.label]
        print(f"== {name}: {counts(found)}")
