"""Camera chains and IMU files of Kalibr.

``T_cam_imu`` takes points of the IMU to the camera, ``T_cn_cnm1`` those of the camera before to this one, and ``T_i_b``
those of the body, which is the first IMU, to this IMU.

References
----------
Kalibr wiki, "YAML formats".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from framescope.core.errors import Problem
from framescope.features.calibrations.core.calibration import (
    Calibration,
    CalibrationError,
    Edge,
    Fact,
    Lens,
    edge_of,
    pose_of_rows,
)
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.numbers_in_text import number_text
from framescope.features.calibrations.core.yaml_texts import floats, read_yaml, replace_scalars, scalar_paths

IMU = "imu0"
"""Name of the frame of the first IMU."""

_CAMERA, _IMU_KEY = re.compile(r"cam\d+"), re.compile(r"imu\d+")
_MARK = re.compile(
    rb"^[ \t]+(?:T_cn_cnm1|T_cam_imu|T_imu_cam|timeshift_cam_imu|cam_overlaps|T_i_b|accelerometer_noise_density"
    rb"|distortion_coeffs)[ \t]*:",
    re.MULTILINE,
)
_SECTION = re.compile(rb"^[\"']?(?:cam|imu)\d+[\"']?[ \t]*:", re.MULTILINE)
_EXTRA_NUMBERS = {"pinhole": 0, "omni": 1, "ds": 2, "eucm": 2}
"""Count of numbers before the focal lengths, by model of the camera."""


def is_kalibr(head: bytes) -> bool:
    """Return whether a text has sections of cameras or IMUs with entries of Kalibr."""
    return b"\0" not in head and _SECTION.search(head) is not None and _MARK.search(head) is not None


def read(source: Source) -> Calibration:
    """Return the content of a camera chain or an IMU file."""
    document = read_yaml(source.text, source.name)
    edges: list[Edge] = []
    chain: list[Edge] = []
    lenses: list[Lens] = []
    facts: list[Fact] = []
    problems: list[Problem] = []
    imus: list[str] = []
    for name, section in document.keys.items():
        if not isinstance(section, Mapping):
            continue
        entries = cast("Mapping[str, Any]", section)
        if _CAMERA.fullmatch(name):
            before = f"cam{int(name[3:]) - 1}"
            for key, takes, target in (
                ("T_cam_imu", (IMU, name), edges),
                ("T_imu_cam", (name, IMU), edges),
                ("T_cn_cnm1", (before, name), chain),
            ):
                if key in entries:
                    X, faults = _pose(entries[key], f"{name}.{key}")
                    parent = before if key == "T_cn_cnm1" else IMU
                    target.append(edge_of(f"{name}.{key}", takes, X, parent))
                    problems += faults
            lens = _lens(name, entries)
            lenses += [lens] if lens is not None else []
            facts += _facts(name, entries, (("timeshift_cam_imu", "time shift, t_imu = t_cam + shift", "s"),))
        elif _IMU_KEY.fullmatch(name):
            imus.append(name)
            if "T_i_b" in entries and name == IMU:
                problems += _of_body(entries["T_i_b"])
            elif "T_i_b" in entries:
                X, faults = _pose(entries["T_i_b"], f"{name}.T_i_b")
                edges.append(edge_of(f"{name}.T_i_b", (IMU, name), X, IMU))
                problems += faults
            facts += _facts(name, entries, _IMU_FACTS)
    if not (edges or chain or lenses or facts):
        raise CalibrationError(f"{source.name}: its sections have no pose and no lens.")
    return Calibration(
        "kalibr",
        (*edges, *chain),
        tuple(lenses),
        facts=tuple(facts),
        problems=tuple(problems),
        frames=() if edges else tuple(imus[:1]),
    )


def _of_body(value: Any) -> list[Problem]:
    """Return the problem of a pose of the first IMU in the body, which it is, that is not the identity."""
    entry = f"{IMU}.T_i_b"
    X, _ = _pose(value, entry)
    if np.allclose(X.to_matrix(), np.eye(4), atol=1e-9):
        return []
    message = f"{IMU} is the body of Kalibr, so that T_i_b of it is the identity. Other numbers are not used."
    return [Problem((entry,), message, severity="amber", kind="unread-pose")]


_IMU_FACTS = (
    ("time_offset", "time offset", "s"),
    ("update_rate", "rate", "Hz"),
    ("accelerometer_noise_density", "noise of the accelerometer", "m/s²/√Hz"),
    ("accelerometer_random_walk", "random walk of the accelerometer", "m/s³/√Hz"),
    ("gyroscope_noise_density", "noise of the gyroscope", "rad/s/√Hz"),
    ("gyroscope_random_walk", "random walk of the gyroscope", "rad/s²/√Hz"),
)


def _pose(value: Any, entry: str) -> tuple[Any, tuple[Problem, ...]]:
    numbers = floats(value, None, entry)
    if len(numbers) not in (12, 16):
        raise CalibrationError(f"{entry}: expected a matrix 4 x 4, got {len(numbers)} numbers.")
    return pose_of_rows(np.reshape(numbers, (-1, 4)), entry)


def _lens(name: str, entries: Mapping[str, Any]) -> Lens | None:
    """Return the lens of a camera; None without intrinsics."""
    if "intrinsics" not in entries:
        return None
    numbers = floats(entries["intrinsics"], None, f"{name}.intrinsics")
    camera_model = str(entries.get("camera_model", "pinhole"))
    n_extra = _EXTRA_NUMBERS.get(camera_model, len(numbers) - 4)
    if len(numbers) != n_extra + 4 or n_extra < 0:
        raise CalibrationError(f"{name}.intrinsics: expected {n_extra + 4} numbers, got {len(numbers)}.")
    fu, fv, pu, pv = numbers[n_extra:]
    distortion = str(entries.get("distortion_model", "none"))
    size = floats(entries["resolution"], 2, f"{name}.resolution") if "resolution" in entries else None
    return Lens(
        name,
        None if size is None else (int(size[0]), int(size[1])),
        (fu, fv),
        (pu, pv),
        distortion if camera_model == "pinhole" else f"{camera_model}-{distortion}",
        numbers[:n_extra] + floats(entries.get("distortion_coeffs", []), None, f"{name}.distortion_coeffs"),
        str(entries.get("rostopic", "")),
    )


def _facts(name: str, entries: Mapping[str, Any], wanted: Sequence[tuple[str, str, str]]) -> list[Fact]:
    return [
        Fact(f"{name}.{key}", label, floats(entries[key], 1, f"{name}.{key}")[0], unit)
        for key, label, unit in wanted
        if key in entries
    ]


# --- Writing


def write(calibration: Calibration) -> str:
    """Return the text of a camera chain, with the direction of each matrix as a comment.

    Raises
    ------
    CalibrationError
        When there is no camera, or an edge is between other frames than cameras and the IMU.
    """
    cameras = [edge.child for edge in calibration.edges if edge.parent == IMU or "T_cn_cnm1" in edge.entry]
    names = sorted({*cameras, *(lens.frame for lens in calibration.lenses)})
    if not names or any(not _CAMERA.fullmatch(name) for name in names):
        raise CalibrationError("a camera chain of Kalibr holds frames called cam0, cam1, … on a frame called imu0.")
    facts = {fact.entry: fact.value for fact in calibration.facts}
    lines: list[str] = []
    for name in names:
        lines.append(f"{name}:")
        for edge in calibration.edges:
            key = "T_cam_imu" if edge.parent == IMU else "T_cn_cnm1"
            if edge.child == name:
                lines.append(f"  # {key} {_words(edge)}")
                lines.append(f"  {key}:")
                matrix = (edge.X_file if edge.is_inverse else edge.X_file.inverse()).to_matrix()
                lines += [f"  - [{', '.join(map(number_text, row))}]" for row in matrix.tolist()]
        lens = next((lens for lens in calibration.lenses if lens.frame == name), None)
        lines += [] if lens is None else _lens_lines(lens)
        if (shift := facts.get(f"{name}.timeshift_cam_imu")) is not None:
            lines.append(f"  timeshift_cam_imu: {number_text(shift)}")
    return "\n".join([*lines, ""])


def _words(edge: Edge) -> str:
    return f"takes points of {edge.parent} to {edge.child}"


def _lens_lines(lens: Lens) -> list[str]:
    camera_model, _, distortion = lens.model.rpartition("-")
    n_extra = _EXTRA_NUMBERS.get(camera_model, 0)
    intrinsics = (*lens.coefficients[:n_extra], *lens.focal, *lens.center)
    lines = [
        f"  camera_model: {camera_model or 'pinhole'}",
        f"  distortion_coeffs: [{', '.join(map(number_text, lens.coefficients[n_extra:]))}]",
        f"  distortion_model: {distortion}",
        f"  intrinsics: [{', '.join(map(number_text, intrinsics))}]",
    ]
    if lens.size is not None:
        lines.append(f"  resolution: [{lens.size[0]}, {lens.size[1]}]")
    return [*lines, f"  rostopic: {lens.name}"] if lens.name else lines


def patch(text: str, edges: tuple[Edge, ...]) -> str:
    """Return the text of a file with the numbers of some edges replaced."""
    for edge in edges:
        document = read_yaml(text, "the file")
        path = tuple(edge.entry.split("."))
        matrix = document.keys[path[0]][path[1]]
        n = len(floats(matrix, None, edge.entry))
        paths = scalar_paths(matrix, path)
        values = edge.X_file.to_matrix().ravel()[:n].tolist()
        text = replace_scalars(text, list(zip(paths, values, strict=True)), edge.entry)
    return text


KALIBR = Dialect(
    "kalibr",
    "camera chains of Kalibr",
    (".yaml",),
    is_kalibr,
    read,
    (
        ("T_cam_imu", "takes points of the IMU to the camera"),
        ("T_cn_cnm1", "takes points of the camera before to this camera"),
        ("T_i_b", "takes points of the body (the first IMU) to this IMU"),
    ),
    example="""\
cam0:
  T_cam_imu:
  - [0.0, -1.0, 0.0, 0.03]
  - [0.0, 0.0, -1.0, 0.02]
  - [1.0, 0.0, 0.0, -0.05]
  - [0.0, 0.0, 0.0, 1.0]
  camera_model: pinhole
  distortion_coeffs: [-0.28, 0.07, 0.0002, 0.00002]
  distortion_model: radtan
  intrinsics: [458.6, 457.3, 367.2, 248.4]
  resolution: [752, 480]
""",
    write=write,
    patch=patch,
)
