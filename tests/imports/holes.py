"""Logs with rows that hold no pose, scaled quaternions, and times of day without a date."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from tests.imports.motions import Variant, pose, quat, text, walk, xyz

Change = Callable[[list[str]], object]


def holes() -> Iterator[Variant]:
    m = walk()
    whole = text(pose(m))

    def of(name: str, change: Change, answers: Mapping[str, str] = {}) -> Variant:
        lines = whole.splitlines()
        cells = [line.split(",") for line in lines[1:]]
        for row in (11, 12, 30):
            change(cells[row])
        written = "\n".join([lines[0], *map(",".join, cells)]) + "\n"
        return Variant("TUM", name, written.encode(), m, answers=answers)

    def put(i: int, cell: str) -> Change:
        return lambda row: row.__setitem__(i, cell)

    yield of("-9999 for no number", put(2, "-9999"))
    yield of("1e20 for no number", put(2, "1e20"))
    yield of("-32768 in the quaternion", put(5, "-32768"))
    yield of("zeros where tracking was lost", lambda row: row.__setitem__(slice(1, None), ["0"] * 7))
    yield of("empty cells", put(1, ""))
    for scale in (16384.0, 32767.0, 1e9):
        content = text({"t": m.t} | xyz(m) | {name: scale * each for name, each in quat(m).items()})
        yield Variant("TUM", f"quaternions times {scale:g}", content.encode(), m)
    for form in ("{:02d}:{:02d}:{:09.6f}", "{:02d}:{:02d}:{:07.4f}Z"):
        lines = text(pose(m)).splitlines()
        seconds = m.t - m.t[0] + 45.0
        days = [form.format(9, int(s // 60), s % 60) for s in np.round(seconds, 4).tolist()]
        rows = [f"{day},{line.partition(',')[2]}" for day, line in zip(days, lines[1:], strict=True)]
        yield Variant("TUM", f"times of day {form}", "\n".join([lines[0], *rows, ""]).encode(), m)
