"""Items of a set-up as an engineer writes them: poses and vectors as numbers, and what a scene says they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from tests.setups.motions import Array, Pose, Truth

LENGTHS = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "ft": 0.3048}
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
    """A recorded pose; `start` is what the scene says of its clock, s, and right where it is that of the first row."""

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

    @property
    def pose(self) -> Pose:
        return self.R, self.p

    def with_pose(self, pose: Pose) -> Log:
        return replace(self, R=pose[0], p=pose[1])

    def written(self, name: str, tables: dict[str, Table]) -> dict[str, Any]:
        """Return it as a scene has it, and add its table."""
        numbers = numbers_of(self.R, self.form)
        names = [f"r{i}" for i in range(numbers.shape[1])]
        tables[f"{name}.csv"] = (
            ["t", "x", "y", "z", *names * self.has_orientation],
            np.column_stack([self.t, self.p / LENGTHS[self.unit], *[numbers] * self.has_orientation]),
        )
        said = self.said or self.form
        columns: dict[str, Any] = {"time": "t", "time_unit": "s", "position": ["x", "y", "z"]}
        columns["position_unit"] = self.said_unit or self.unit
        if self.has_orientation and said in ("xyzw", "wxyz"):
            columns["orientation"] = {"form": "quaternion", "columns": names, "order": said}
        elif self.has_orientation and "parent" in said:
            columns["orientation"] = {"form": "matrix", "columns": names, "maps": said}
        elif self.has_orientation:
            sequence, unit = said.split()
            columns["orientation"] = {"form": "axes", "columns": names, "sequence": sequence, "unit": unit}
        motion = {"form": "recorded", "file": f"{name}.csv", "format": "table", "columns": columns}
        motion["start"] = f"{self.start:.6g} s"
        if self.of:
            return {"form": "pose", "of": self.of, "relative_to": self.parent, "motion": motion}
        return {"parent": self.parent, "motion": motion}


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
        tables[f"{name}.csv"] = ["t", "x", "y", "z"], np.column_stack([self.t, self.values / FACTORS[self.unit]])
        return {
            "form": self.kind, "of": self.of, "relative_to": self.relative_to, "resolved_in": self.resolved_in,
            "unit": self.said_unit or self.unit, "file": f"{name}.csv", "time": "t", "time_unit": "s",
            "values": list(self.names), "start": f"{self.start:.6g} s",
        }  # fmt: skip


Item = Fixed | Log | Vector
Table = tuple[list[str], Array]


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
        for name, (names, rows) in tables.items():
            np.savetxt(folder / name, rows, fmt="%.7g", delimiter=",", header=",".join(names), comments="")
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
    sequence, unit = form.split()
    return turns.as_euler(sequence, degrees=unit == "deg")
