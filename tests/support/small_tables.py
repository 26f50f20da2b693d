"""Small tables of poses in every container that is read: JSON in many forms, text, NPZ and Parquet."""

from __future__ import annotations

import io
import json

import numpy as np

_T = np.linspace(0.0, 1.9, 20)
_ROWS = [
    [round(float(t), 3), round(float(np.cos(t)), 6), round(float(np.sin(t)), 6), 0.25, 0.0, 0.0, 0.6, 0.8] for t in _T
]
_NAMES = ["t", "x", "y", "z", "qx", "qy", "qz", "qw"]


def json_tables() -> list[bytes]:
    rows = [dict(zip(_NAMES, row, strict=True)) for row in _ROWS]
    nested = [{"stamp": row[0], "pose": {"position": row[1:4], "orientation": row[4:]}} for row in _ROWS]
    columns = {name: [row[k] for row in _ROWS] for k, name in enumerate(_NAMES)}
    forms = rows, nested, columns, _ROWS, {"poses": nested}, [{"t": row[0], "x": row[1], "y": row[2]} for row in _ROWS]
    lines = "\n".join(map(json.dumps, rows))
    return [*(json.dumps(form).encode() for form in forms), lines.encode()]


def text_tables() -> list[bytes]:
    def text(sign: str, head: bool = True) -> str:
        lines = [sign.join(map(str, row)) for row in _ROWS]
        return "\n".join(([sign.join(_NAMES)] if head else []) + lines) + "\n"

    stamped = "time,x,y,frame\n" + "".join(
        f"2024-05-01T10:00:{row[0]:06.3f}Z,{row[1]},{row[2]},{'ab'[k % 2]}\n" for k, row in enumerate(_ROWS)
    )
    three = "a;b;c\n" + "".join(f"{row[0]};{row[1]};{row[2]}\n".replace(".", ",") for row in _ROWS)
    return [each.encode() for each in (text(","), text(" ", head=False), text("\t"), stamped, three)]


def npz_tables() -> list[bytes]:
    def packed(**arrays: np.ndarray) -> bytes:
        file = io.BytesIO()
        np.savez(file, **arrays)
        return file.getvalue()

    block = np.array(_ROWS)
    return [
        packed(t=block[:, 0], p=block[:, 1:4], q=block[:, 4:]),
        packed(**{name: block[:, k] for k, name in enumerate(_NAMES)}),
        packed(poses=np.tile(np.eye(4), (20, 1, 1)), times=_T.astype("datetime64[ns]").astype("i8")),
        packed(t=_T.astype("f4"), flag=_T > 1.0, word=np.array([f"w{k % 3}" for k in range(20)]), x=block[:, 1]),
    ]


def parquet_tables() -> list[bytes]:
    import pyarrow as pa
    from pyarrow import parquet

    def written(**columns: object) -> bytes:
        file = io.BytesIO()
        parquet.write_table(pa.table(columns), file)
        return file.getvalue()

    plain = {name: [row[k] for row in _ROWS] for k, name in enumerate(_NAMES)}
    return [
        written(**plain),
        written(t=pa.array([int(1e9 * t) for t in _T], pa.timestamp("ns")), x=plain["x"], word=["a", "b"] * 10),
        written(t=plain["t"], p=pa.array([row[1:4] for row in _ROWS]), none=[None] * 20, flag=[True] * 20),
        written(t=plain["t"], s=pa.array([{"x": row[1], "y": row[2]} for row in _ROWS])),
    ]
