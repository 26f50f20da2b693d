"""How the cases of the reference numbers are called: one by one, and stacked into batches.

A case names a function of a reference; here stands which of ours that is and how its arguments and results translate.
What is not an array (a sequence, an axis, a switch) is fixed within a batch.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from framescope.core import conventions, frames, kinematics, points, quaternions, spatial, transformation_matrices

GOLDEN = Path(__file__).parents[1] / "golden"

PLAIN = {"sequence", "axis", "withResidues", "seq", "seq_dest", "normalize"}
"""Inputs that are plain values, never arrays."""

KEYWORDS = {"withResidues": "with_residues", "guessAngle1": "guess_angle1", "Q_guess": "Q_guess"}
"""Inputs that go by keyword, with our name."""

MODULES = {
    "Frames": frames,
    "Frames.Quaternions": quaternions,
    "Frames.TransformationMatrices": transformation_matrices,
    "Modelica.Math.Vectors": frames,
}


@dataclass(frozen=True)
class Case:
    """One case of a file of reference numbers."""

    file: str
    number: int
    fn: str
    tag: str
    inputs: dict[str, Any]
    outputs: dict[str, Any]

    @property
    def name(self) -> str:
        """Where it stands: file, number in the file, function."""
        return f"{self.file}[{self.number}] {self.fn}"

    @property
    def plain(self) -> str:
        """The inputs that must be the same within a batch."""
        shapes = {key: np.shape(value) for key, value in self.inputs.items() if key in {"v1", "v2", "q", "D"}}
        return repr(({key: value for key, value in self.inputs.items() if key in PLAIN}, shapes))


@lru_cache
def cases(file: str) -> tuple[Case, ...]:
    """Return the cases of a file."""
    listed = json.loads((GOLDEN / f"{file}.json").read_text(encoding="utf-8"))["cases"]
    return tuple(
        Case(file, i, case["fn"], case.get("tag", ""), case["inputs"], case["outputs"]) for i, case in enumerate(listed)
    )


def batches(file: str) -> Iterator[list[Case]]:
    """Yield the cases of a file that can be called at once."""

    def key(case: Case) -> tuple[str, str]:
        return case.fn, case.plain

    for _, group in groupby(sorted(cases(file), key=key), key=key):
        yield list(group)


def call(found: list[Case]) -> Any:
    """Return what our function gives for a batch of cases, or for a single one without a leading axis."""
    prefix, _, name = found[0].fn.rpartition(".")
    if prefix.startswith(("Frames", "Modelica")):
        return _modelica(prefix.removesuffix(".Orientation"), _snake(name), found)
    if found[0].file.startswith("simbody"):
        return _simbody(_snake(name), found)
    if found[0].file.startswith("twentysim"):
        return _twentysim(found)
    return JULIA[found[0].fn](Inputs(found))


def as_arrays(result: Any) -> list[np.ndarray]:
    """Return a result as arrays: the fields of an orientation, the members of a tuple, or the one array."""
    if isinstance(result, frames.Orientation):
        return [result.T, result.w]
    return [np.asarray(part) for part in result] if isinstance(result, tuple) else [np.asarray(result)]


def expected(case: Case) -> list[np.ndarray]:
    """Return the reference's result in our layout."""
    result = case.outputs.get("result", case.outputs)
    if case.file.startswith("simbody"):
        return [np.ravel(result)]
    if case.file.startswith("twentysim"):
        return [np.array(result["P_out.F"]), np.array(result["p_in.v"])]
    if isinstance(result, dict):
        return [np.array(value) for key, value in result.items() if key != "seq"]
    if case.fn in QUATERNION_RESULTS:
        return [np.roll(result, -1)]
    return [np.array(result)]


class Inputs:
    """The inputs of some cases, each stacked along a leading axis unless there is one case only."""

    def __init__(self, found: list[Case]) -> None:
        self.cases = found

    def __getitem__(self, name: str) -> Any:
        """Return an input: a plain value, or an array with a leading axis when there are several cases."""
        if name in PLAIN:
            return self.cases[0].inputs[name]
        values = [case.inputs[name] for case in self.cases]
        if isinstance(values[0], dict):
            first, second = values[0]
            stacks = [self._stack([value[key] for value in values]) for key in (first, second)]
            return (frames.Orientation if first == "T" else spatial.Transform)(*stacks)
        return self._stack(values)

    def Q(self, name: str) -> np.ndarray:
        """Return a quaternion, scalar first in the file, scalar last here."""
        return np.roll(self[name], -1, axis=-1)

    def item(self, name: str, i: int) -> Any:
        """Return the i-th of an input that is a list of arrays."""
        return self._stack([case.inputs[name][i] for case in self.cases])

    def count(self, name: str) -> int:
        """Return how many arrays an input is a list of."""
        return len(self.cases[0].inputs[name])

    def _stack(self, values: list[Any]) -> np.ndarray:
        arrays = [np.array(value, dtype=float) for value in values]
        return arrays[0] if len(arrays) == 1 else np.stack(arrays)


def _snake(name: str) -> str:
    """Turn ``axesRotationsAngles`` and ``from_T_inv`` into our names."""
    return name if "_" in name else re.sub("([A-Z])", r"_\1", name).lower()


def _modelica(module: str, name: str, found: list[Case]) -> Any:
    inputs = Inputs(found)
    function: Callable[..., Any] = getattr(MODULES[module], name)
    positional = [inputs[key] for key in found[0].inputs if key not in KEYWORDS]
    return function(*positional, **{KEYWORDS[key]: inputs[key] for key in found[0].inputs if key in KEYWORDS})


def _simbody(name: str, found: list[Case]) -> np.ndarray:
    name = name.replace("_in_f", "_in_F").replace("_in_a", "_in_A")
    inputs = Inputs(found)
    arguments = [inputs[key] for key in found[0].inputs]
    single = len(found) == 1
    flat = [
        a.reshape((6,) if single else (len(found), 6)) if isinstance(a, np.ndarray) and a.shape[-2:] == (2, 3) else a
        for a in arguments
    ]
    return getattr(spatial, name)(*flat)


def _twentysim(found: list[Case]) -> tuple[np.ndarray, np.ndarray]:
    inputs = Inputs(found)
    kind = {"X": points.PointX, "Y": points.PointY, "Z": points.PointZ, "XYZ": points.PointXYZ}[found[0].fn[9:]]
    point = kind(*(inputs[key] for key in ("XP", "YP", "ZP") if key in found[0].inputs))
    return point.force_out(inputs["p_in.F"]), point.velocity_in(inputs["P_out.v"])


def _small_angle_matrix(inputs: Inputs) -> np.ndarray:
    T = conventions.T_from_small_angles(inputs["theta"])
    return conventions.orthonormalize_by_gram_schmidt(T) if inputs["normalize"] else T


def _inverse(Q: np.ndarray) -> np.ndarray:
    return quaternions.inverse_rotation(Q) / (quaternions.orientation_constraint(Q) + 1.0)


def _angle_and_axis(Q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return angle and axis as the Julia package has them: without a rotation the axis is zero."""
    axis, angle = conventions.axis_angle_from_quaternion(Q)
    return angle, np.where(angle[..., np.newaxis] == 0.0, 0.0, axis)


def _chain(compose: Callable[..., np.ndarray], parts: list[np.ndarray]) -> np.ndarray:
    return reduce(compose, parts)


def _quaternion_of_angles(sequence: str, angles: np.ndarray) -> np.ndarray:
    axes = ["XYZ".index(letter) + 1 for letter in sequence]
    parts = [quaternions.planar_rotation(frames.axis(axis), angles[..., i]) for i, axis in enumerate(axes)]
    return _upright(_chain(quaternions.absolute_rotation, parts))


def _upright(Q: np.ndarray) -> np.ndarray:
    """Return the one of `Q` and `-Q` with a scalar part that is not negative, as the Julia package does."""
    return np.where(Q[..., 3:] < 0.0, -Q, Q)


def _matrix_of_any_quaternion(Q: np.ndarray) -> np.ndarray:
    """Return what the Julia package makes of a quaternion that is not of unit length: the matrix times its square."""
    square = quaternions.orientation_constraint(Q)[..., np.newaxis] + 1.0
    return square * quaternions.to_T(quaternions.normalize_quaternion(Q))


QUATERNION_RESULTS = {
    "dquat",
    "dcm_to_quat",
    "angle_to_quat",
    "angle_to_quat_1",
    "angleaxis_to_quat",
    "smallangle_to_quat",
    "quat_mul",
    "quat_conj",
    "quat_inv",
    "quat_div",
    "quat_ldiv",
    "inv_rotation_quat",
    "compose_rotation_quat",
}
"""Functions of the Julia package that return a quaternion, scalar first."""

JULIA: dict[str, Callable[[Inputs], Any]] = {
    "ddcm": lambda of: kinematics.ddcm(of["Dba"], of["wba_b"]),
    "dquat": lambda of: kinematics.dquat(of.Q("qba"), of["wba_b"]),
    "orthonormalize": lambda of: conventions.orthonormalize_by_gram_schmidt(of["dcm"]),
    "angle_to_dcm": lambda of: transformation_matrices.axes_rotations(of["seq"], of["angles"]),
    "angle_to_dcm_1": lambda of: transformation_matrices.axis_rotation("XYZ".index(of["axis"]) + 1, of["angle"]),
    "angle_to_quat": lambda of: _quaternion_of_angles(of["seq"], of["angles"]),
    "angle_to_quat_1": lambda of: _upright(
        quaternions.planar_rotation(frames.axis("XYZ".index(of["axis"]) + 1), of["angle"])
    ),
    "angle_to_angleaxis": lambda of: _angle_and_axis(_quaternion_of_angles(of["seq"], of["angles"])),
    "angle_to_angle": lambda of: conventions.axes_angles_all_in_first(
        transformation_matrices.axes_rotations(of["seq"], of["angles"]), of["seq_dest"]
    ),
    "dcm_to_angle": lambda of: conventions.axes_angles_all_in_first(of["dcm"], of["seq"]),
    "quat_to_angle": lambda of: conventions.axes_angles_all_in_first(quaternions.to_T(of.Q("q")), of["seq"]),
    "dcm_to_quat": lambda of: quaternions.from_T(of["dcm"]),
    "dcm_to_angleaxis": lambda of: _angle_and_axis(quaternions.from_T(of["dcm"])),
    "quat_to_angleaxis": lambda of: _angle_and_axis(of.Q("q")),
    "quat_to_dcm": lambda of: _matrix_of_any_quaternion(of.Q("q")),
    "angleaxis_to_dcm": lambda of: transformation_matrices.planar_rotation(of["axis"], of["angle"]),
    "angleaxis_to_quat": lambda of: _upright(conventions.quaternion_from_axis_angle(of["axis"], of["angle"])),
    "smallangle_to_dcm": _small_angle_matrix,
    "smallangle_to_quat": lambda of: conventions.quaternion_from_small_angles(of["theta"]),
    "quat_mul": lambda of: quaternions.absolute_rotation(of.Q("q1"), of.Q("q2")),
    "quat_conj": lambda of: quaternions.inverse_rotation(of.Q("q")),
    "quat_inv": lambda of: _inverse(of.Q("q")),
    "quat_div": lambda of: quaternions.absolute_rotation(of.Q("q1"), _inverse(of.Q("q2"))),
    "quat_ldiv": lambda of: quaternions.absolute_rotation(_inverse(of.Q("q1")), of.Q("q2")),
    "quat_norm": lambda of: np.sqrt(quaternions.orientation_constraint(of.Q("q"))[..., 0] + 1.0),
    "inv_rotation_quat": lambda of: quaternions.inverse_rotation(of.Q("q")),
    "inv_rotation_dcm": lambda of: transformation_matrices.inverse_rotation(of["dcm"]),
    "rotate_vector_quat": lambda of: quaternions.resolve2(of.Q("q"), of["v"]),
    "rotate_vector_dcm": lambda of: transformation_matrices.resolve2(of["dcm"], of["v"]),
    "compose_rotation_quat": lambda of: _chain(
        quaternions.absolute_rotation, [np.roll(of.item("q", i), -1, axis=-1) for i in range(of.count("q"))]
    ),
    "compose_rotation_dcm": lambda of: _chain(
        transformation_matrices.absolute_rotation, [of.item("D", i) for i in range(of.count("D"))]
    ),
}
"""What each function of ReferenceFrameRotations.jl is here; quaternions come scalar first."""
