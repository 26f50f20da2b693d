"""Records of the benchmarks: what each row was when it was last accepted, by whom it was measured, and why it changed.

``tests/bench/records.jsonl`` has a line for each row: its name, its figure, the commit that measured it, and the reason
for which it replaced another one. Ratios are kept where a row has a peer, since both were measured side by side; else
the absolute figure, scaled to the idle machine.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.bench.bench_run import HERE, TIMES, Row

FILE = HERE / "records.jsonl"

WORSE = 0.10
"""By which part a figure may differ from its record: what is worse by more is listed."""

HIGHER, LOWER = ("ratio", "fps", "found"), (*TIMES, "MB", "ms CPU", "wrong")
"""Units of which more is better, and less."""

COUNTED = ("found", "wrong")
"""Units of what is counted, such as set-ups whose cause is found: these are the same in every run."""

Key = tuple[str, str, str]
"""Benchmark, case and peer; the peer is empty where there is none."""


@dataclass(frozen=True)
class Record:
    """The figure of a row, its unit (``ratio``, ``fps`` or a time), the commit that measured it, and why it changed."""

    bench: str
    case: str
    peer: str
    value: float
    unit: str
    commit: str
    reason: str

    @property
    def key(self) -> Key:
        """What it is the record of."""
        return self.bench, self.case, self.peer


def figure_of(row: Row) -> tuple[float, str] | None:
    """Return the figure of a row that is kept, and its unit; None of counts, errors and rows that say why not.

    >>> figure_of(Row(case="a", ours=2.0, unit="ms", peer="b", ratio=1.5)), figure_of(Row(case="n", ours=3.0, unit=""))
    ((1.5, 'ratio'), None)
    """
    ratio = row.get("ratio")
    if ratio is not None:
        return ratio, "ratio"
    return (row["ours"], row["unit"]) if row["unit"] in (*HIGHER, *LOWER) else None


def share_lost(value: float, record: Record) -> float:
    """Return by which part a figure is worse than its record; negative where it is better.

    >>> share_lost(12.0, Record("view", "a", "", 10.0, "ms", "", ""))
    0.2
    >>> share_lost(0.9, Record("core", "a", "b", 1.0, "ratio", "", ""))
    0.1
    >>> share_lost(1.0, Record("setups", "invented", "", 0.0, "wrong", "", ""))
    inf
    """
    if record.value == 0.0:
        return math.copysign(math.inf, value) * (-1.0 if record.unit in HIGHER else 1.0) if value else 0.0
    lost = 1.0 - value / record.value if record.unit in HIGHER else value / record.value - 1.0
    return round(lost, 12)


def is_other(value: float, record: Record) -> bool:
    """Return whether a figure differs from its record by more than noise.

    >>> is_other(9.5, Record("view", "a", "", 10.0, "ms", "", ""))
    False
    >>> is_other(9.0, Record("setups", "a", "", 10.0, "found", "", ""))
    True
    """
    return abs(share_lost(value, record)) > (0.0 if record.unit in COUNTED else WORSE)


def read(path: Path = FILE) -> dict[Key, Record]:
    """Return all records."""
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {record.key: record for record in (Record(**json.loads(line)) for line in lines)}


def write(records: Mapping[Key, Record], path: Path = FILE) -> None:
    """Write all records, in the order of their names."""
    lines = (json.dumps(asdict(records[key]), ensure_ascii=False) for key in sorted(records))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def compared(rows: Iterable[Row], records: Mapping[Key, Record]) -> list[str]:
    """Return a line for each row that is more than a tenth worse than its record, the worst first.

    Then those without a record, and the records of benchmarks that ran without measuring them.
    """
    rows = list(rows)
    worse: list[tuple[float, str]] = []
    new: list[str] = []
    ran, measured = {row["bench"] for row in rows}, {_key(row) for row in rows if figure_of(row) is not None}
    missing = [
        f"{' '.join(filter(None, key))}: not measured, {record.value:.4g} {record.unit} at {record.commit}"
        for key, record in sorted(records.items())
        if record.bench in ran and key not in measured
    ]
    for row in rows:
        figure = figure_of(row)
        if figure is None:
            continue
        record = records.get(_key(row))
        name = " ".join(part for part in (row["bench"], row["case"], _against(row)) if part)
        if record is None or record.unit != figure[1]:
            new.append(f"{name}: no record yet, {figure[0]:.4g} {figure[1]}")
            continue
        lost = share_lost(figure[0], record)
        if lost > 0.0 and is_other(figure[0], record):
            was = f"{record.value:.4g} {record.unit} at {record.commit}"
            worse.append((lost, f"{name}: {figure[0]:.4g} {figure[1]}, {100 * lost:.0f} % worse than {was}"))
    return [text for _, text in sorted(worse, reverse=True)] + new + missing


def changed(rows: Iterable[Row], records: Mapping[Key, Record], commit: str, reason: str) -> dict[Key, Record]:
    """Return the records with the figures of rows that are new or differ by more than noise; the others stay.

    Raises
    ------
    ValueError
        Without a reason: a record changes for one.
    """
    if not reason.strip():
        raise ValueError("A record is changed for a reason: say it, such as --record 'normals are no longer computed'.")
    found = dict(records)
    for row in rows:
        figure, before = figure_of(row), records.get(_key(row))
        if figure is None or (before and before.unit == figure[1] and not is_other(figure[0], before)):
            continue
        value = float(f"{figure[0]:.4g}")
        found[_key(row)] = Record(row["bench"], row["case"], row.get("peer") or "", value, figure[1], commit, reason)
    return found


def _key(row: Row) -> Key:
    return row["bench"], row["case"], row.get("peer") or ""


def _against(row: Row) -> str:
    return f"against {row['peer']}" if row.get("peer") else ""
