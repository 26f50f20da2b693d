"""Numbers, marks and containers that are written otherwise."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import numpy as np

from tests.imports.motions import Columns, Variant, comma, pose, quat, text, walk, xyz


def writings() -> Iterator[Variant]:
    m = walk()
    plain = pose(m)

    def of(name: str, content: str | bytes, **more: object) -> Variant:
        data = content if isinstance(content, bytes) else content.encode()
        return Variant("writing", name, data, m, **more)  # type: ignore[arg-type]

    def grouped(mark: str, point: str, separator: str) -> str:
        rows = [[comma(t) if point == "," else f"{t:.10g}", *p, *q] for t, p, q in zip(
            m.t.tolist(),
            [[f"{x:,.6f}".replace(".", "_").replace(",", mark).replace("_", point) for x in p] for p in m.p * 1e3],
            [[f"{x:.10f}".replace(".", point) for x in q] for q in m.q],
            strict=True,
        )]  # fmt: skip
        head = ["t", "x [mm]", "y [mm]", "z [mm]", "qx", "qy", "qz", "qw"]
        cell = '"{}"'.format if mark == separator else str
        return "\n".join([separator.join(head), *(separator.join(map(cell, row)) for row in rows), ""])

    yield of("1,234.5", grouped(",", ".", ","))
    yield of("1.234,5", grouped(".", ",", ";"))
    yield of("1 234,5", grouped(" ", ",", ";"))
    yield of("a hard blank between thousands", grouped("\u202f", ",", ";"))
    yield of("1'234.5", grouped("'", ".", ","))
    yield of("a minus of its own", text(plain).replace("-", "\u2212"))
    yield of("bars", text(plain, "|"))
    yield of("bars around", "\n".join(f"| {line} |" for line in text(plain, " | ").splitlines()))
    lines = text(plain).splitlines()
    yield of("a remark between", "\n".join([*lines[:30], "MARKER pressed", *lines[30:], ""]))
    yield of("zero bytes behind", text(plain).encode() + b"\0" * 300)
    units = ("s", "mm", "mm", "mm", "", "", "", "")
    yield of("units that end early, tabs", text(pose(m, scale=1e3), "\t", units=units), suffix=".txt")  # type: ignore[arg-type]
    cells = [f'{t:.10g},"({p[0]:.9f}, {p[1]:.9f}, {p[2]:.9f})","({q[0]:.9f}, {q[1]:.9f}, {q[2]:.9f}, {q[3]:.9f})"'
             for t, p, q in zip(m.t.tolist(), m.p.tolist(), m.q.tolist(), strict=True)]  # fmt: skip
    yield of("vectors in cells", "\n".join(["t,position,rotation", *cells, ""]), answers={"quaternion": "xyzw"})
    rounded = [f"{1e3 * x:,.0f}".replace(",", ".") for x in m.p[:, 0]]
    rounded = [f"{comma(t)};{x};{comma(y)};{comma(z)};{';'.join(map(comma, q))}" for t, x, y, z, q in zip(
        m.t.tolist(), rounded, (1e3 * m.p[:, 1]).tolist(), (1e3 * m.p[:, 2]).tolist(), m.q.tolist(), strict=True)]  # fmt: skip # noqa: E501
    yield of(
        "points that part thousands", "\n".join(["t;x;y;z;qx;qy;qz;qw", *rounded, ""]),
        answers={"decimal_comma": "thousands", "position_unit": "mm"}, must_be=("decimal_comma",), slack=1e-3,
    )  # fmt: skip
    objects = [
        {"t": t, "position": dict(zip("xyz", p, strict=True)), "orientation": dict(zip("xyzw", q, strict=True))}
        for t, p, q in zip(m.t.tolist(), m.p.tolist(), m.q.tolist(), strict=True)
    ]
    yield of("JSON, an object a line", "\n".join(map(json.dumps, objects)), suffix=".jsonl")
    yield of("JSON, a list of objects", json.dumps(objects), suffix=".json")
    yield of("JSON, lists of numbers", json.dumps({k: v.tolist() for k, v in plain.items()}), suffix=".json")
    poses = np.tile(np.eye(4), (len(m.t), 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = m.R, m.p
    block = "\n\n".join("\n".join(" ".join(f"{x:.10g}" for x in row) for row in T) for T in poses)
    yield of("4x4 matrices in four lines each", block, suffix=".txt", answers={"rate": "20"})
    for name, arrays in (
        ("poses (n, 4, 4)", {"t": m.t, "poses": poses}),
        ("R (n, 3, 3)", {"t": m.t, "p": m.p, "R": m.R}),
        ("(3, n)", {"t": m.t, "p": m.p.T, "q": m.q.T}),
        ("one array", {"arr_0": np.column_stack([m.t, m.p, m.q])}),
    ):
        packed = io.BytesIO()
        np.savez(packed, **arrays)  # type: ignore[arg-type]
        yield of(f"npz, {name}", packed.getvalue(), suffix=".npz", answers={"quaternion": "xyzw"})
    zero: Columns = {"timestamp": np.concatenate([[0.0, 0.0], m.t[2:] + 1.7e9])} | xyz(m) | quat(m)
    later = type(m)(m.t[2:], m.p[2:], m.R[2:])
    content = text(zero, number=lambda x: f"{x:.14g}").encode()
    yield Variant("writing", "times that are zero at first", content, later)
