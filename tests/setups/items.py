"""Items of a set-up as an engineer writes them: poses and vectors as numbers, and what a scene says they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from tests.setups.motions import Array, Pose, Truth

LENGTHS = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "in": 0.0254, "ft": 0.3048}
FACTORS = {
    "m/s": 1.0, "km/h": 1 / 3.6, "mm/s": 1e-3, "rad/s": 1.0, "deg/s": np.pi / 180, "m/s²": 1.0, "g": 9.80665,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Fixed:
    """A constant pose: written in one form and unit, said to be in another where that is the fault.

    Forms are ``xyzw``, ``wxyz``, ``frame to parent`` and ``parent to frame`` (matrices), and sequences of turns with
    their unit, such as ``ZYX deg``. `of` is the frame that it measures; none where it is a frame of the tree.
    """

    parent: str
    R: Array
    p: Array
    form: str = "xyzw"
    said: str = ""
    unit: str = "m"
    said_unit: str = ""
    of: str = ""

    @property
    def pose(self) -> Pose:
        return self.R[None], np.asarray(self.p, float)[None]

    def with_pose(self, pose: Pose) -> Fixed:
        return replace(self, R=pose[0][0], p=pose[1][0])

    def written(self, name: str, tables: dict[str, Table]) -> dict[str, Any]:
        """Return it as a scene has it."""
        del name, tables
        x = (np.asarray(self.p) / LENGTHS[self.unit]).round(7).tolist()
        numbers = numbers_of(self.R[None], self.form)[0].round(9).tolist()
        said = self.said or self.form
        if said in ("xyzw", "wxyz"):
            orientation: dict[str, Any] = {"form": "quaternion", "value": numbers, "order": said}
        elif "parent" in said:
            orientation = {"form": "matrix", "rows": np.reshape(numbers, (3, 3)).tolist(), "maps": said}
        else:
            sequence, unit = said.split()
            orientation = {"form": "axes", "sequence": sequence, "angles": numbers, "unit": unit}
        pose = {"position": {"value": x, "unit": self.said_unit or self.unit}, "orientation": orientation}
        return {"form": "pose", "of": self.of, "relative_to": self.parent, **pose} if self.of else {
            "parent": self.parent, **pose
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Log:
    """A recorded pose; `start` is what the scene says of its clock, s, and right where it is that of the first row.

    Forms are those of `Fixed` and headings: ``heading deg counterclockwise``, an angle about z, its unit and how it
    counts. The `format` is that of the file. Other formats than tables say nothing of their numbers: what is `said` of
    them, and their unit, is fixed, and a fault is what is written.
    """

    parent: str
    t: Array
    R: Array
    p: Array
    form: str = "xyzw"
    said: str = ""
    unit: str = "m"
    said_unit: str = ""
    of: str = ""
    start: float = 0.0
    has_orientation: bool = True
    has_position: bool = True
    format: str = "table"

    @property
    def pose(self) -> Pose:
        return self.R, self.p

    def with_pose(self, pose: Pose) -> Log:
        return replace(self, R=pose[0], p=pose[1])

    def written(self, name: str, tables: dict[str, Table]) -> dict[str, Any]:
        """Return it as a scene has it, and add its table."""
        motion: dict[str, Any] = {"form": "recorded", "format": self.format, "start": f"{self.start:.6g} s"}
        motion |= self._table(name, tables) if self.format == "table" else self._trajectory(name, tables)
        if self.of:
            return {"form": "pose", "of": self.of, "relative_to": self.parent, "motion": motion}
        return {"parent": self.parent, "motion": motion}

    def _table(self, name: str, tables: dict[str, Table]) -> dict[str, Any]:
        numbers = numbers_of(self.R, self.form)
        names = [f"r{i}" for i in range(numbers.shape[1])]
        tables[f"{name}.csv"] = Table(
            ("t", *("x", "y", "z") * self.has_position, *names * self.has_orientation),
            np.column_stack([
                self.t, *[self.p / LENGTHS[self.unit]] * self.has_position, *[numbers] * self.has_orientation
            ]),
        )  # fmt: skip
        columns: dict[str, Any] = {"time": "t", "time_unit": "s"}
        if self.has_position:
            columns |= {"position": ["x", "y", "z"], "position_unit": self.said_unit or self.unit}
        if self.has_orientation:
            columns["orientation"] = columns_said(self.said or self.form, names)
        return {"file": f"{name}.csv", "columns": columns}

    def _trajectory(self, name: str, tables: dict[str, Table]) -> dict[str, Any]:
        numbers, p = numbers_of(self.R, self.form), self.p / LENGTHS[self.unit]
        match self.format:
            case "tum":
                tables[f"{name}.tum"] = Table((), np.column_stack([self.t, p, numbers]), " ")
                return {"file": f"{name}.tum"}
            case "euroc":
                names = ("#timestamp [ns]", *(f"p_RS_R_{x} [m]" for x in "xyz"), *(f"q_RS_{x} []" for x in "wxyz"))
                tables[f"{name}.csv"] = Table(names, np.column_stack([1e9 * self.t, p, numbers]), ",", "%.0f")
                return {"file": f"{name}.csv"}
            case _:
                rows = np.concatenate([numbers.reshape(-1, 3, 3), p[:, :, None]], axis=2).reshape(-1, 12)
                tables[f"{name}.txt"] = Table((), rows, " ")
                return {"file": f"{name}.txt", "rate": f"{1.0 / np.diff(self.t).mean():.6g} Hz"}


def columns_said(said: str, names: list[str]) -> dict[str, Any]:
    """Return the columns of an orientation as a scene has them."""
    if said in ("xyzw", "wxyz"):
        return {"form": "quaternion", "columns": names, "order": said}
    if "parent" in said:
        return {"form": "matrix", "columns": names, "maps": said}
    if said.startswith("heading"):
        _, unit, counts = said.split()
        return {"form": "heading", "column": names[0], "unit": unit, "counts": counts}
    sequence, unit = said.split()
    return {"form": "axes", "columns": names, "sequence": sequence, "unit": unit}


@dataclass(frozen=True, eq=False)
class Vector:
    """A recorded vector, in SI units."""

    kind: str
    of: str
    relative_to: str
    resolved_in: str
    t: Array
    values: Array
    unit: str
    said_unit: str = ""
    start: float = 0.0
    names: tuple[str, str, str] = ("x", "y", "z")

    def written(self, name: str, tables: dict[str, Table]) -> dict[str, Any]:
        """Return it as a scene has it, and add its table."""
        tables[f"{name}.csv"] = Table(("t", "x", "y", "z"), np.column_stack([self.t, self.values / FACTORS[self.unit]]))
        return {
            "form": self.kind, "of": self.of, "relative_to": self.relative_to, "resolved_in": self.resolved_in,
            "unit": self.said_unit or self.unit, "file": f"{name}.csv", "time": "t", "time_unit": "s",
            "values": list(self.names), "start": f"{self.start:.6g} s",
        }  # fmt: skip


Item = Fixed | Log | Vector


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of a file with the names of their columns, if it has any, and how its first column is written."""

    names: tuple[str, ...]
    rows: Array
    delimiter: str = ","
    first: str = "%.9g"

    def save(self, path: Path) -> None:
        """Write it."""
        fmt = [self.first, *["%.7g"] * (self.rows.shape[1] - 1)]
        header = self.delimiter.join(self.names)
        np.savetxt(path, self.rows, fmt=fmt, delimiter=self.delimiter, header=header, comments="")


@dataclass(frozen=True, eq=False)
class Setup:
    """A scene as it is written, beside the truth."""

    frames: Mapping[str, Fixed | Log]
    measured: Mapping[str, Item]
    truth: Truth
    span: float
    allowed: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    """Items and kinds of problems that are meant to be there, such as gaps."""

    def changed(self, name: str, change: Any) -> Setup:
        """Return it with one item changed by a function."""
        part = "frames" if name in self.frames else "measured"
        items = dict(getattr(self, part))
        items[name] = change(items[name])
        return replace(self, **{part: items})

    def without(self, *names: str) -> Setup:
        """Return it without some measurements."""
        return replace(self, measured={k: v for k, v in self.measured.items() if k not in names})

    def write(self, folder: Path) -> dict[str, Any]:
        """Write the recordings and return the scene."""
        tables: dict[str, Table] = {}
        parts = {
            part: {name: item.written(name, tables) for name, item in items.items()}
            for part, items in (("frames", self.frames), ("measured", self.measured))
        }
        for name, table in tables.items():
            table.save(folder / name)
        return {"framescope": 1, "time": {"start": "0 s", "end": f"{self.span:g} s"}, **parts}


def numbers_of(R: Array, form: str) -> Array:
    """Return rotations (n, 3, 3) from the frame into its parent as numbers (n, k)."""
    turns = Rotation.from_matrix(R)
    if form in ("xyzw", "wxyz"):
        Q = turns.as_quat()
        signs = np.cumprod(np.where((Q[1:] * Q[:-1]).sum(axis=1) < 0.0, -1.0, 1.0))
        Q[1:] *= signs[:, None]
        return Q if form == "xyzw" else Q[:, [3, 0, 1, 2]]
    if "parent" in form:
        return (R if form == "frame to parent" else np.swapaxes(R, -1, -2)).reshape(-1, 9)
    if form.startswith("heading"):
        return headings_of(R, *form.split()[1:])
    sequence, unit = form.split()
    return turns.as_euler(sequence, degrees=unit == "deg")


def headings_of(R: Array, unit: str, counts: str) -> Array:
    """Return the angles (n, 1) from the parent's x to the frame's, or as a compass has it: clockwise from y."""
    ahead = R[:, :, 0]
    angle = {
        "counterclockwise": np.arctan2(ahead[:, 1], ahead[:, 0]),
        "clockwise": np.arctan2(-ahead[:, 1], ahead[:, 0]),
        "compass": np.arctan2(ahead[:, 0], ahead[:, 1]) % (2.0 * np.pi),
    }[counts]
    return (np.degrees(angle) if unit == "deg" else angle)[:, None]
