"""Set-ups with planted faults: how many are found, explained and mended, and how many healthy ones raise an alarm.

The set-ups of `corpus`, and their twins over formats, mounts, noise and sensors. Each that is not right, with all that
is said of it, and a summary of each part: ``python -m tests.bench.bench_setups [PART OF A LABEL [SEED]]`` in the
folder of the repository.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.bench.bench_run import Row
from tests.setups import twins
from tests.setups.corpus import Case, double, healthy, single
from tests.setups.judge import Judgement, judged


def parts(seed: int = 0) -> Iterator[tuple[str, tuple[Case, ...]]]:
    """Yield the parts of all set-ups by name."""
    yield "one fault", single(seed)
    yield "two faults", double(seed)
    yield "healthy", healthy(seed)
    for name, cases in twins.groups(seed):
        yield f"twins, {name}", cases


def run() -> list[Row]:
    """Return the counts of each part, and how long all of it took."""
    rows: list[Row] = []
    start = time.perf_counter()
    for name, cases in parts():
        judgements = [judged(case) for case in cases]
        rows += [
            Row(case=f"{name}: {what}", ours=n, unit=_unit(what, is_healthy="healthy" in name), peer=None)
            for what, n in counts(judgements).items()
        ]
    seconds = time.perf_counter() - start
    return [*rows, Row(case="all set-ups", ours=seconds, unit="s", peer=None)]


def _unit(what: str, *, is_healthy: bool) -> str:
    """Return the unit of a count, by which its records know whether more is better; none where neither is."""
    if what.startswith("with ") or (is_healthy and what == "found"):
        return "wrong"
    return "found" if what in ("found", "explained") and not is_healthy else ""


def counts(judgements: Sequence[Judgement]) -> dict[str, int]:
    """Return how many are found, explained, in which way, harmed by a mend, and falsely alarmed."""
    return {
        "set-ups": len(judgements),
        "found": sum(one.found for one in judgements),
        "explained": sum(bool(one.explained) for one in judgements),
        **{f"by {way}": n for way, n in sorted(Counter(one.explained for one in judgements if one.explained).items())},
        "with a mend that harms": sum(bool(one.harm) for one in judgements),
        "with causes that are invented": sum(bool(one.invented) for one in judgements),
        "with an alarm beside": sum(bool(one.alarms) for one in judgements),
    }


def summary(cases: Sequence[Case], judgements: Sequence[Judgement]) -> str:
    """Return how many of some set-ups are found, explained, harmed and falsely alarmed, in one line."""
    n = len(cases)
    faulty = [one for case, one in zip(cases, judgements, strict=True) if case.faults]
    false = [one for case, one in zip(cases, judgements, strict=True) if (one.alarms if case.faults else one.told)]
    harmed = [one for one in judgements if one.harm or one.invented]
    explained = sum(bool(one.explained) for one in faulty)
    found = f"found {sum(one.found for one in faulty)} of {len(faulty)}, explained {explained}"
    return f"{found}; harmed {len(harmed)} of {n}; false alarms {len(false)} of {n}"


def _told(case: Case) -> Judgement:
    one = judged(case)
    is_right = one.found and one.explained if case.faults else not one.told
    sign = "ok  " if is_right and not one.harm and not one.invented and not one.alarms else "MISS"
    found = "found" if one.found else "not found"
    print(f"{sign} {one.label}: {found}, {one.explained or 'not explained'}", flush=True)
    lines = {
        "harm": one.harm,
        "invented": one.invented,
        "alarm": one.alarms,
        "said": one.told if sign == "MISS" else (),
    }
    for kind, texts in lines.items():
        for text in texts:
            print(f"       {kind}: {text}")
    return one


if __name__ == "__main__":
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for name, cases in parts(seed):
        chosen = [case for case in cases if part in case.label]
        if chosen:
            print(f"== {name}: {summary(chosen, [_told(case) for case in chosen])}")
