"""Dates and clocks as loggers and spreadsheets write them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

import numpy as np

from tests.imports.motions import N, Variant, pose, quat, text, walk, xyz

Moment = dt.datetime
MORNING, NOON = Moment(2026, 11, 21, 9, 59, 58), Moment(2026, 11, 21, 11, 59, 58)


def stamps() -> Iterator[Variant]:
    m = walk()
    rows = text(xyz(m) | quat(m), header=False).strip().split("\n")
    names = "x,y,z,qx,qy,qz,qw"

    def of(name: str, written: Callable[[Moment], str], first: Moment = MORNING, head: str = "time", **more: object) -> Variant:  # fmt: skip # noqa: E501
        times = [written(first + dt.timedelta(seconds=round(t, 3))) for t in m.t.tolist()]
        lines = [f"{head},{names}", *(f"{a},{b}" for a, b in zip(times, rows, strict=True)), ""]
        return Variant("clocks", name, "\n".join(lines).encode(), m, **more)  # type: ignore[arg-type]

    def ms(d: Moment) -> str:
        return f"{d.microsecond // 1000:03d}"

    def half(d: Moment) -> str:
        return f"{(d.hour - 1) % 12 + 1}:{d:%M:%S}.{ms(d)} {d:%p}"

    yield of("MM/DD/YYYY", lambda d: f"{d:%m/%d/%Y %H:%M:%S}.{ms(d)}")
    yield of("DD/MM/YYYY", lambda d: f"{d:%d/%m/%Y %H:%M:%S}.{ms(d)}")
    yield of("3/4/2026, a day or a month", lambda d: f"{d:%m/%d/%Y %H:%M:%S}.{ms(d)}", Moment(2026, 3, 4, 9), must_be=("time",))  # fmt: skip # noqa: E501
    yield of("M/D/YYYY over noon", lambda d: f"{d.month}/{d.day}/{d.year} {half(d)}", NOON)
    yield of("am and pm alone", lambda d: half(d).lower(), NOON)
    yield of("DD.MM.YY", lambda d: f"{d:%d.%m.%y %H:%M:%S}.{ms(d)}")
    yield of("D.M.YYYY h:mm", lambda d: f"{d.day}.{d.month}.{d.year} {d.hour}:{d:%M:%S}.{ms(d)}")
    yield of("a zone", lambda d: f"{d:%Y-%m-%dT%H:%M:%S.%f}+01:00")
    yield of("basic ISO", lambda d: f"{d:%Y%m%dT%H%M%S}.{ms(d)}Z")
    yield of("DD-Mon-YYYY", lambda d: f"{d:%d-%b-%Y %H:%M:%S}.{ms(d)}")
    yield of("Mon D, YYYY", lambda d: f'"{d:%b %d, %Y %H:%M:%S}.{ms(d)}"')
    yield of("date and half of the day apart", lambda d: f"{d:%m/%d/%Y},{half(d)}", head="Date,Time")
    yield of("minutes and seconds", lambda d: f"{d:%M:%S}.{ms(d)}", Moment(2026, 11, 21, 9, 2, 58))
    yield of("milliseconds behind a colon", lambda d: f"{d:%H:%M:%S}:{ms(d)}")
    yield of("dashes", lambda d: f"{d:%Y-%m-%d %H-%M-%S}_{ms(d)}")
    yield of("thousands in quotes", lambda d: f'"{1000 + (d - MORNING).total_seconds() * 1e3:,.0f}"', head="time_ms")
    days = np.array([(MORNING - Moment(1899, 12, 30)).total_seconds() / 86400.0]) + m.t / 86400.0
    for name, first in (("days of a spreadsheet", 0.0), ("days of MATLAB", 693960.0)):
        content = text(pose(m, {"time": days + first}), number=lambda x: f"{x:.12f}")
        near = Variant("clocks", name, content.encode(), m, answers={"time_unit": "d"}, slack=1e-4)
        yield near
    whole, part = np.floor(m.t + 1.7e9), np.round((m.t % 1.0) * 1e9)
    long = lambda x: f"{x:.12g}"  # noqa: E731
    for name, scale in (("sec msec", 1e-6), ("sec usec", 1e-3), ("sec nanosec", 1.0)):
        second, rest = name.split()
        yield Variant("clocks", name, text(pose(m, {second: whole, rest: part * scale}), number=long).encode(), m)
    content = text(pose(m, {"sec": whole, "nsec": part}), header=False, number=long)
    yield Variant("clocks", "sec nsec, no header", content.encode(), m, {"quaternion": "xyzw"})
    for name, steps in (("PacketCounter", 1.0), ("ticks", 5000.0), ("SampleTimeFine", 500.0)):
        content = text(pose(m, {name: 31245.0 + steps * np.arange(N)}))
        yield Variant("clocks", name, content.encode(), m, {"time": "none", "rate": "20"})
    coarse = np.floor(m.t).astype("m8[s]") + np.datetime64("2026-11-21T10:00:00")
    lines = text(pose(m, {"time(millisecond)": m.t * 1e3})).splitlines()
    made = [f"{a},{b}" for a, b in zip(["datetime(utc)", *map(str, coarse)], lines, strict=True)]
    yield Variant("clocks", "a coarse date beside milliseconds", "\n".join([*made, ""]).encode(), m)
