"""The benchmarks' dispatcher: ``run.py bench [NAME] [--json FILE] [--compare] [--record REASON]``.

Every ``tests/bench/bench_<name>.py`` but this one has ``run() -> list[Row]``. Figures are ratios measured side by side
in one run; `ratio` above 1 means that we are better. Absolute figures are scaled to the idle machine by a calibration.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

IDLE_S = {"numpy kernel": 0.0060, "python loop": 0.0105}
"""What the calibration takes on the idle machine that the absolute figures are for."""


TIMES = ("s", "ms", "µs", "ns")
"""Units of what is scaled to the idle machine; counts and errors are not."""

BOUND = "the bound"
"""The peer of what is held against a fixed figure for the idle machine, to which it is scaled like what has no peer."""


class Row(TypedDict, total=False):
    """One line of the table; `peer` is None where there is none."""

    bench: str
    case: str
    ours: float
    unit: str
    peer: str | None
    peer_value: float | None
    ratio: float | None
    raw: float
    """The absolute figure as measured; `ours` is then scaled by calibrations before and after the benchmark.

    A benchmark that calibrates by itself, closer to what it measures, sets both.
    """


def row(case: str, ours: float, unit: str, peer: str | None = None, peer_value: float | None = None) -> Row:
    """Return a row where less is better (times); the ratio is the peer's figure over ours."""
    ratio = None if peer_value is None else peer_value / ours
    return Row(case=case, ours=ours, unit=unit, peer=peer, peer_value=peer_value, ratio=ratio)


def median_time(call: Callable[[], object], repeats: int = 5) -> float:
    """Return the median time of a call in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def calibrate(repeats: int = 9) -> dict[str, float]:
    """Return the times of a numpy kernel and of a Python loop."""
    return {"numpy kernel": median_time(_kernel, repeats), "python loop": median_time(_loop, repeats)}


def _kernel() -> None:
    for _ in range(4):
        np.sqrt(_POINTS[:, 0] * _POINTS[:, 0] + _POINTS[:, 1] * _POINTS[:, 1] + _POINTS[:, 2] * _POINTS[:, 2])


def _loop() -> None:
    total = 0
    for i in range(200_000):
        total += i & 7


_POINTS = np.random.default_rng(0).normal(size=(200_000, 3))


def slowness(calibration: dict[str, float], idle: dict[str, float] = IDLE_S) -> float:
    """Return how many times slower than idle the machine is, by what a calibration takes on the idle machine."""
    return statistics.mean(seconds / idle[name] for name, seconds in calibration.items())


def names() -> list[str]:
    """Return the names of all benchmarks."""
    return sorted(path.stem[6:] for path in HERE.glob("bench_*.py") if path.stem != "bench_run")


def keep_settings_in(folder: Path) -> None:
    """Leave the settings and the unsaved work of the person alone who runs this."""
    from PySide6.QtCore import QSettings

    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        os.environ[name] = str(folder)
    for form in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
        QSettings.setPath(form, QSettings.Scope.UserScope, str(folder))


def main(arguments: list[str]) -> int:
    """Run one or all benchmarks, print the table, write the rows."""
    parser = argparse.ArgumentParser(prog="run.py bench")
    parser.add_argument("name", nargs="?", choices=names(), help="one benchmark; all without it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows to a file")
    parser.add_argument("--compare", action="store_true", help="list what is a tenth worse than its record")
    parser.add_argument("--record", metavar="REASON", help="keep the figures as records, for a reason")
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(ROOT))
    with tempfile.TemporaryDirectory() as folder:
        keep_settings_in(Path(folder))
        rows = _measure([options.name] if options.name else names())
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if options.compare or options.record is not None:
        from tests.bench import records

        if options.compare:
            print("\n".join(records.compared(rows, records.read())) or "Nothing is a tenth worse than its record.")
        if options.record is not None:
            records.write(records.changed(rows, records.read(), measured_commit(), options.record))
    return 0


def _measure(chosen: list[str]) -> list[Row]:
    """Run benchmarks, print their tables, and return the rows."""
    rows: list[Row] = []
    for name in chosen:
        print(f"{name} …", file=sys.stderr, flush=True)
        before = slowness(calibrate())
        found = [Row(**each, bench=name) for each in importlib.import_module(f"tests.bench.bench_{name}").run()]
        factor = (before + slowness(calibrate())) / 2
        found = [scaled(each, factor) for each in found]
        print_table(found, factor)
        rows += found
    return rows


def scaled(found: Row, factor: float) -> Row:
    """Return a row whose absolute time, if it has one and is not scaled yet, is that of the idle machine."""
    if found.get("peer") not in {None, BOUND} or found["unit"] not in TIMES or "raw" in found:
        return found
    ours = found["ours"] / factor
    bound = found.get("peer_value")
    return Row(**{**found, "raw": found["ours"], "ours": ours, "ratio": None if bound is None else bound / ours})


def measured_commit() -> str:
    """Return the commit that is measured, with a plus where files differ from it."""
    git = shutil.which("git") or "git"
    command = [git, "describe", "--always", "--dirty=+"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"


def print_table(rows: list[Row], factor: float) -> None:
    """Print rows as a table."""
    print(f"{rows[0]['bench']}  (machine at {factor:.2f} of its idle times)" if rows else "no rows")
    width = max((len(r["case"]) for r in rows), default=0)
    for r in rows:
        line = f"  {r['case']:<{width}}  {r['ours']:10.4g} {r['unit']:<6}"
        if r.get("ratio") is not None:
            line += f"  against {r['peer_value']:10.4g}  ratio {r['ratio']:7.2f}   {r['peer']}"
        if "raw" in r:
            line += f"  raw {r['raw']:10.4g}"
        print(line)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
