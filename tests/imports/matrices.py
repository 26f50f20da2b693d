"""Poses as matrices: KITTI's, 4x4 and 3x4, row by row and column by column."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.imports.motions import (
    Columns,
    N,
    Variant,
    comma,
    text,
    tumble,
    xyz,
)


def matrices() -> Iterator[Variant]:
    m = tumble()
    T = np.zeros((N, 4, 4))
    T[:, :3, :3], T[:, :3, 3], T[:, 3, 3] = m.R, m.p, 1.0
    rate = {"rate": "20"}
    orders = {"row": T, "column": np.swapaxes(T, -1, -2)}

    def cells(block: np.ndarray, names: list[str] | None = None) -> Columns:
        flat = block.reshape(N, -1)
        return dict(zip(names or [f"c{i}" for i in range(flat.shape[1])], flat.T, strict=True))

    kitti = cells(T[:, :3])
    yield Variant("KITTI", "as it is", text(kitti, " ", header=False).encode(), m, rate, ".txt", must_be=("rate",))
    yield Variant("KITTI", ".kitti", text(kitti, " ", header=False).encode(), m, rate, ".kitti", must_be=("rate",))
    yield Variant("KITTI", "commas", text(kitti, header=False).encode(), m, rate, must_be=("rate",))
    yield Variant("KITTI", "with a time", text({"t": m.t} | kitti, " ", header=False).encode(), m, {}, ".txt")
    yield Variant(
        "KITTI", "exponents", text(kitti, " ", header=False, number=lambda x: f"{x:.9e}").encode(), m, rate, ".txt"
    )
    yield Variant(
        "KITTI",
        "with row numbers",
        text({"n": np.arange(float(N))} | kitti, " ", header=False).encode(),
        m,
        rate,
        ".txt",
        must_be=("rate",),
    )
    yield Variant(
        "KITTI", "a last line cut short", (text(kitti, " ", header=False) + "1 0 0").encode(), m, rate, ".txt"
    )
    inverse = np.linalg.inv(T)
    yield Variant(
        "KITTI",
        "world in the camera",
        text(cells(inverse[:, :3]), " ", header=False).encode(),
        m,
        rate | {"direction": "parent in frame"},
        ".txt",
        must_be=("direction",),
    )
    by_column = np.swapaxes(T[:, :3], -1, -2)
    for time in (True, False):
        stamp = {"t": m.t} if time else {}
        more = {} if time else rate
        timed = "with" if time else "without"
        yield Variant(
            "KITTI",
            f"3x4 column by column, {timed} time",
            text(stamp | cells(by_column), " ", header=False).encode(),
            m,
            more | {"matrix": "column"},
            ".txt",
            must_be=("matrix",),
        )
        yield Variant(
            "KITTI",
            f"3x3 and position, {timed} time",
            text(stamp | cells(m.R) | xyz(m), " ", header=False).encode(),
            m,
            more | {"matrix": "row"},
            ".txt",
            must_be=("matrix",),
        )
        for order, block in orders.items():
            yield Variant(
                "4x4",
                f"{order} by {order}, {timed} time, no header",
                text(stamp | cells(block), header=False).encode(),
                m,
                more,
            )
            yield Variant(
                "4x4",
                f"{order} by {order}, {timed} time, blanks",
                text(stamp | cells(block), " ", header=False).encode(),
                m,
                more,
                ".txt",
            )
            for first, letter in ((0, "T"), (1, "T"), (0, "m"), (0, "T_")):
                names = [f"{letter}{i}{j}" for i in range(first, first + 4) for j in range(first, first + 4)]
                yield Variant(
                    "4x4",
                    f"{order} by {order}, {timed} time, {names[0]}..",
                    text(stamp | cells(block, names)).encode(),
                    m,
                    more,
                )
    names = [f"T_{i}_{j}" for i in range(4) for j in range(4)]
    yield Variant("4x4", "T_0_0", text({"time": m.t} | cells(T, names), ";").encode(), m)
    yield Variant(
        "4x4",
        "T[0][0]",
        text({"time": m.t} | cells(T, [f"T[{i}][{j}]" for i in range(4) for j in range(4)])).encode(),
        m,
    )
    upper = [f"T{i}{j}" for i in range(3) for j in range(4)]
    yield Variant("4x4", "T00 to T23", text({"time": m.t} | cells(T[:, :3], upper)).encode(), m)
    r = [f"r{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
    yield Variant("4x4", "r11 and x", text({"time": m.t} | xyz(m) | cells(m.R, r)).encode(), m)
    yield Variant(
        "4x4",
        "r11 the other way",
        text({"time": m.t} | xyz(m) | cells(np.swapaxes(m.R, -1, -2), r)).encode(),
        m,
        {"rotation": "parent to frame"},
        must_be=("rotation",),
    )
    yield Variant(
        "4x4",
        "decimal commas with tabs",
        text({"t": m.t} | cells(T, [*upper, "T30", "T31", "T32", "T33"]), "\t", number=comma).encode(),
        m,
        {},
        ".txt",
    )
    mm = T.copy()
    mm[:, :3, 3] *= 1e3
    yield Variant(
        "4x4",
        "millimetres",
        text({"t": m.t} | cells(mm), header=False).encode(),
        m,
        {"position_unit": "mm"},
        must_be=("position_unit",),
    )
