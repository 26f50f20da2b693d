"""Settings of ORB-SLAM2 and ORB-SLAM3, and of programs that read the same keys.

``Tbc`` and ``IMU.T_b_c1`` take points of the left camera to the body, which is the IMU, whatever comments beside them
say: the example settings have "from body-frame (imu) to left camera". ``Stereo.T_c1_c2`` and ``Tlr`` take points of the
right camera to the left one. Some forks have ``Tcb``, which takes points of the body to the camera. ``Stereo.b`` and
``Camera.bf`` over the focal length are the distance of the right camera along the x axis of the left one.

References
----------
ORB-SLAM3 v1.0, Calibration_Tutorial.pdf, sections "IMU-Camera extrinsics" and "Stereo"; ``Settings.cc``,
``Tracking.cc``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from framescope.core.errors import Problem, visible_text
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import (
    MAX_NUMBER,
    Calibration,
    CalibrationError,
    Edge,
    Fact,
    Lens,
    edge_of,
    lens_problem,
    pose_of_rows,
)
from framescope.features.calibrations.core.calibration_scene import tree_of
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.lens_models import EQUIDISTANT, MODELS, NONE, RADTAN, lens_model
from framescope.features.calibrations.core.numbers_in_text import number_text
from framescope.features.calibrations.core.opencv_storage import (
    facts_at,
    is_matrix,
    matrix_lines,
    matrix_of,
    number_at,
    numbers_at,
    pose_rows,
    read_storage,
    replace_entry,
    size_at,
)

BODY = "body"
"""Name of the frame of the body, which is the IMU."""

ALONG_X = 1e-9
"""Deviation of a pose from a shift along x, m or as a sine, that is attributed to rounding."""

_KEYS = r"(?:Camera[12]?\.(?:fx|type|bf)|Tbc|Tcb|Tlr|IMU\.T_b_c1|Stereo\.(?:T_c1_c2|b))"
_MARK = re.compile(rf"^[\"']?{_KEYS}[\"']?[ \t]*:|<{_KEYS}[ \t>]".encode(), re.MULTILINE)
_FACTS = (
    ("Camera.fps", "rate of the cameras", "Hz"),
    ("Camera.bf", "baseline times focal length", "m px"),
    ("Stereo.b", "baseline of the rectified pair", "m"),
    ("RGBD.DepthMapFactor", "units of depth images in a metre", "1/m"),
    ("DepthMapFactor", "units of depth images in a metre", "1/m"),
    ("IMU.NoiseGyro", "noise of the gyroscope", "rad/s/√Hz"),
    ("IMU.NoiseAcc", "noise of the accelerometer", "m/s²/√Hz"),
    ("IMU.GyroWalk", "random walk of the gyroscope", "rad/s²/√Hz"),
    ("IMU.AccWalk", "random walk of the accelerometer", "m/s³/√Hz"),
    ("IMU.Frequency", "rate of the IMU", "Hz"),
)


def is_orb_slam(head: bytes) -> bool:
    """Return whether a text has keys of the settings of ORB-SLAM."""
    return b"\0" not in head and _MARK.search(head) is not None


def read(source: Source) -> Calibration:
    """Return the poses and lenses of settings."""
    document = read_storage(source.text, source.name)
    keys = document.keys
    is_new = any(key.startswith(("Camera1.", "IMU.T_", "Stereo.T_")) for key in keys)
    left, right = ("camera1" if is_new else "camera"), "camera2"
    edges: list[Edge] = []
    problems: list[Problem] = list(document.problems)
    for key, takes, parent in _poses(left, right):
        if key in keys:
            X, faults = pose_of_rows(pose_rows(keys[key], key), key)
            edges.append(edge_of(key, takes, X, parent))
            problems += faults
    lens_prefixes = ((left, "Camera1" if "Camera1.fx" in keys else "Camera"), (right, "Camera2"))
    lenses: list[Lens] = []
    for name, prefix in lens_prefixes:
        if f"{prefix}.fx" in keys:
            try:
                lenses.append(_lens(name, prefix, keys))
            except CalibrationError as error:
                problems.append(lens_problem(prefix, error))
    facts, faults = facts_at(keys, _FACTS)
    problems += faults
    if not any(right in (edge.parent, edge.child) for edge in edges):
        beside, faults = _beside(keys, {fact.entry: fact.value for fact in facts}, (left, right))
        edges += beside
        problems += faults
        if beside and len(lenses) == 1 and lenses[0].frame == left:
            lenses.append(replace(lenses[0], frame=right))
    if is_matrix(keys.get("RIGHT.P")):
        baseline, faults = _rectified_pair(keys)
        facts += baseline
        problems += faults
    if not (edges or lenses or problems):
        raise CalibrationError(f"{source.name}: the settings have no pose and no lens (Camera.fx, Tbc, IMU.T_b_c1).")
    return Calibration("orb-slam", tuple(edges), tuple(lenses), facts=tuple(facts), problems=tuple(problems))


def _poses(left: str, right: str) -> tuple[tuple[str, tuple[str, str], str], ...]:
    """Return the keys of poses, the frames from which and to which their numbers take points, and the parents."""
    return (
        ("Tbc", (left, BODY), BODY),
        ("IMU.T_b_c1", (left, BODY), BODY),
        ("Tcb", (BODY, left), BODY),
        ("Stereo.T_c1_c2", (right, left), left),
        ("Tlr", (right, left), left),
    )


_RGB_D = ("RGBD.DepthMapFactor", "DepthMapFactor")
"""Keys of cameras with a depth sensor, whose baseline is that of no second camera."""


def _beside(
    keys: Mapping[str, Any], facts: Mapping[str, float], names: tuple[str, str]
) -> tuple[list[Edge], list[Problem]]:
    """Return the pose of the right camera of a rectified pair, at its baseline on the x axis of the left one."""
    key = next((key for key in ("Stereo.b", "Camera.bf") if key in facts), None)
    if key is None or any(other in keys for other in _RGB_D):
        return [], []
    try:
        b = facts[key] / (_focal(keys) if key == "Camera.bf" else 1.0)
    except CalibrationError as error:
        return [], [Problem((key,), f"the right camera is left out: {error}", severity="amber")]
    if not 0.0 < abs(b) <= MAX_NUMBER:
        return [], []
    left, right = names
    X = Transform(np.eye(3), np.array([b, 0.0, 0.0]))
    problems: list[Problem] = []
    kind = str(keys.get("Camera.type", ""))
    if key == "Stereo.b" and kind.lower() != "rectified":
        message = (
            "ORB-SLAM3 reads Stereo.b of cameras of the type Rectified. Of the type"
            f" {visible_text(kind[:40]) or 'PinHole'} it reads Stereo.T_c1_c2, which is missing."
        )
        problems.append(Problem((key,), message, f"{right} is drawn at Stereo.b on the x axis of {left}.", "amber"))
    return [edge_of(key, (right, left), X, left)], problems


def _focal(keys: Mapping[str, Any]) -> float:
    """Return the focal length of the left camera, by which Camera.bf is divided, pixels."""
    key = "Camera1.fx" if "Camera1.fx" in keys else "Camera.fx"
    fx = number_at(keys, key)
    if not fx > 0.0:
        raise CalibrationError(f"{key}: expected a focal length above 0 pixels, got {fx:g}.")
    return fx


def _lens(name: str, prefix: str, keys: Mapping[str, Any]) -> Lens:
    fx, fy, cx, cy = numbers_at(keys, [f"{prefix}.{key}" for key in ("fx", "fy", "cx", "cy")])
    kind = str(keys.get("Camera.type", keys.get("Camera.model", "PinHole")))
    known = MODELS.get(kind.lower())
    wanted = {EQUIDISTANT: ("k1", "k2", "k3", "k4"), NONE: ()}.get(known or "", ("k1", "k2", "p1", "p2", "k3"))
    present = [key for key in wanted if f"{prefix}.{key}" in keys]
    coefficients = tuple(number_at(keys, f"{prefix}.{key}") for key in present)
    if present and tuple(present) != wanted[: len(present)]:
        missing = next(key for key in wanted if key not in present)
        raise CalibrationError(f"{prefix}.{missing}: expected it beside {prefix}.{present[-1]}.")
    size = size_at(keys, "Camera.width", "Camera.height") or size_at(keys, "Camera.cols", "Camera.rows")
    model = lens_model(kind, len(coefficients), prefix)
    return Lens(name, size, (fx, fy), (cx, cy), model, coefficients)


def _rectified_pair(keys: Mapping[str, Any]) -> tuple[list[Fact], list[Problem]]:
    P = matrix_of(keys["RIGHT.P"], "RIGHT.P")
    if P.shape != (3, 4) or P[0, 0] <= 0.0:
        return [], []
    baseline = -float(P[0, 3] / P[0, 0])
    message = "LEFT.R and RIGHT.R turn the images into rectified ones; they are no pose of a camera and are not drawn."
    note = Problem(("RIGHT.P",), f"{message} The right camera is {baseline:.4g} m beside the left one.", "", "note")
    return [Fact("RIGHT.P", "baseline of the rectified pair", baseline, "m")], [note]


# --- Writing


def write(calibration: Calibration) -> str:
    """Return the text of settings of ORB-SLAM3, with the direction of each matrix as a comment.

    Raises
    ------
    CalibrationError
        When there are more than two cameras, or frames other than a body and its cameras.
    """
    tree, loops = tree_of(calibration.edges)
    lenses = {lens.frame: lens for lens in calibration.lenses}
    body = next((edge.parent for edge in tree if edge.parent not in lenses), None)
    cameras = list(dict.fromkeys([*(edge.child for edge in tree), *lenses]))
    cameras = [name for name in cameras if name != body]
    if body is None and tree:
        cameras = list(dict.fromkeys([tree[0].parent, *cameras]))
    if loops or not 0 < len(cameras) <= 2 or any(edge.parent not in (body, *cameras) for edge in tree):
        raise CalibrationError("settings of ORB-SLAM3 hold a body and one or two cameras on it, each with one pose.")
    poses = {edge.child: edge for edge in tree}
    lines = ["%YAML:1.0", 'File.version: "1.0"', *_type_lines([lenses[name] for name in cameras if name in lenses])]
    for k, name in enumerate(cameras):
        lines += [] if name not in lenses else _lens_lines(f"Camera{k + 1}", lenses[name])
    if body is not None and cameras[0] in poses and poses[cameras[0]].parent == body:
        lines += _pose_lines("IMU.T_b_c1", poses[cameras[0]].X_PC, cameras[0], body)
    elif body is not None:
        raise CalibrationError(f"settings of ORB-SLAM3 hold the pose of the left camera in the body {body}.")
    if len(cameras) == 2:
        edge = poses.get(cameras[1])
        if edge is None:
            raise CalibrationError(f"settings of ORB-SLAM3 hold the pose of {cameras[1]} in {cameras[0]}.")
        X = edge.X_PC if edge.parent == cameras[0] else poses[cameras[0]].X_PC.inverse() @ edge.X_PC
        lines += _pose_lines("Stereo.T_c1_c2", X, cameras[1], cameras[0])
    facts = {fact.entry: fact.value for fact in calibration.facts}
    lines += [f"{key}: {number_text(facts[key])}" for key, _, _ in _FACTS if key in facts]
    return "\n".join([*lines, ""])


def _pose_lines(key: str, X: Transform, start: str, end: str) -> list[str]:
    comment = f"{key} takes points of {visible_text(start)} to {visible_text(end)}"
    return list(matrix_lines(key, X.to_matrix().tolist(), comment))


def _type_lines(lenses: list[Lens]) -> list[str]:
    models = {lens.model for lens in lenses}
    if not lenses:
        return []
    kind = {NONE: "PinHole", RADTAN: "PinHole", EQUIDISTANT: "KannalaBrandt8"}
    kinds = {kind.get(model, "") for model in models}
    if len(kinds) > 1 or "" in kinds:
        raise CalibrationError(
            f"settings of ORB-SLAM3 hold lenses that are all radtan or all equidistant, not {models}."
        )
    size = lenses[0].size
    if any(lens.size != size for lens in lenses):
        raise CalibrationError("settings of ORB-SLAM3 hold one size of the images of both cameras.")
    sides = [] if size is None else [f"Camera.width: {size[0]}", f"Camera.height: {size[1]}"]
    return [f'Camera.type: "{kinds.pop()}"', *sides]


def _lens_lines(prefix: str, lens: Lens) -> list[str]:
    names = ("k1", "k2", "k3", "k4") if lens.model == EQUIDISTANT else ("k1", "k2", "p1", "p2", "k3")
    pairs = [
        *zip(("fx", "fy", "cx", "cy"), (*lens.focal, *lens.center), strict=True),
        *zip(names, lens.coefficients, strict=False),
    ]
    return [f"{prefix}.{key}: {number_text(value)}" for key, value in pairs]


def patch(text: str, edges: tuple[Edge, ...]) -> str:
    """Return the text of a file with the numbers of some edges replaced."""
    for edge in edges:
        if edge.entry in ("Stereo.b", "Camera.bf"):
            text = replace_entry(text, (edge.entry,), [_baseline(text, edge)])
        else:
            text = replace_entry(text, (edge.entry,), edge.X_file.to_matrix().ravel().tolist())
    return text


def _baseline(text: str, edge: Edge) -> float:
    """Return the number of a baseline for a pose along the x axis of the left camera."""
    X = edge.X_file
    if max(np.abs(X.R_AB - np.eye(3)).max(), np.abs(X.p_AB[1:]).max()) > ALONG_X:
        raise CalibrationError(f"{edge.entry} holds a distance along x alone. Write Stereo.T_c1_c2 instead.")
    b = float(X.p_AB[0])
    return b * _focal(read_storage(text, "the file").keys) if edge.entry == "Camera.bf" else b


ORB_SLAM = Dialect(
    "orb-slam",
    "settings of ORB-SLAM",
    (".yaml", ".xml"),
    is_orb_slam,
    read,
    (
        ("Tbc", "takes points of the camera to the body (the IMU)"),
        ("IMU.T_b_c1", "takes points of the left camera to the body (the IMU)"),
        ("Stereo.T_c1_c2", "takes points of the right camera to the left camera"),
        ("Tlr", "takes points of the right camera to the left camera"),
        ("Tcb", "takes points of the body (the IMU) to the camera"),
        ("Stereo.b, Camera.bf", "distance of the right camera along x of the left camera; bf is times fx"),
    ),
    example="""\
%YAML:1.0
Camera.type: "PinHole"
Camera.fx: 420.0
Camera.fy: 421.0
Camera.cx: 318.5
Camera.cy: 242.25
Camera.k1: -0.28
Camera.k2: 0.07
Camera.p1: 0.0002
Camera.p2: 0.00002
Camera.width: 640
Camera.height: 480
Tbc: !!opencv-matrix
   rows: 4
   cols: 4
   dt: f
   data: [0.0, 0.0, 1.0, 0.12,
         -1.0, 0.0, 0.0, 0.03,
          0.0, -1.0, 0.0, 0.05,
          0.0, 0.0, 0.0, 1.0]
""",
    write=write,
    patch=patch,
)
