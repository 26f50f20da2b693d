"""Calibrations that OpenCV's programs write, and matrices in OpenCV's YAML or XML with names that state a direction.

``R`` with ``T`` of a stereo calibration take points of the first camera to the second, in the unit of the squares of
the board. A matrix ``A_T_B`` or ``T_A_B`` takes points of B to A by the usage of this notation. As nothing in the file
says so, such an edge has a doubt.

References
----------
OpenCV 4.10, ``stereoCalibrate``: "(R, T) brings points given in the first camera's coordinate system to points in the
second camera's coordinate system"; samples ``calibration.cpp``, ``stereo_calib.cpp``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np

from framescope.core.errors import Problem, visible_text
from framescope.features.calibrations.core.calibration import (
    Calibration,
    CalibrationError,
    Edge,
    Lens,
    edge_of,
    pose_of_rows,
)
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.lens_models import (
    EQUIDISTANT,
    NONE,
    RADTAN,
    RATIONAL,
    frame_name,
    lens_model,
)
from framescope.features.calibrations.core.named_directions import direction_of, open_edge
from framescope.features.calibrations.core.opencv_storage import (
    facts_at,
    is_matrix,
    matrix_lines,
    matrix_of,
    read_storage,
    replace_entry,
    size_at,
)

LARGE = 5.0
"""Distance of two cameras above which its unit is probably not the metre."""

_MARK = re.compile(rb"!!opencv-matrix|type_id=\"opencv-matrix\"")
_STEREO = {"R1", "R2", "P1", "P2", "Q", "E", "F", "M1", "M2", "K1", "K2", "cameraMatrix1", "camera_matrix_1", "CM1"}
"""Names of matrices beside which R and T are those of a stereo calibration."""

_MATRIX = re.compile(r"(?:CM|M|K|camera_?matrix|intrinsics?)(?:_?(1|2|left|right|l|r))?\Z", re.IGNORECASE)
_BENDING = re.compile(
    r"(?:D|dist|dist_?coeffs?|distortion(?:_?(?:coefficients|coeffs?))?)(?:_?(1|2|left|right|l|r))?\Z", re.IGNORECASE
)
_SIDES = {"l": "left", "r": "right"}
_FACTS = ("avg_reprojection_error", "Avg_Reprojection_Error", "rms", "RMS")


def is_opencv(head: bytes) -> bool:
    """Return whether a text has a matrix of OpenCV's FileStorage."""
    return b"\0" not in head and _MARK.search(head) is not None


def read(source: Source) -> Calibration:
    """Return the poses and lenses of a file."""
    document = read_storage(source.text, source.name)
    keys = document.keys
    lenses = list(_lenses(keys))
    edges: list[Edge] = []
    problems: list[Problem] = list(document.problems)
    if is_matrix(keys.get("R")) and is_matrix(keys.get("T")):
        edge, faults = _stereo(keys, lenses)
        edges.append(edge)
        problems += faults
        problems += _contrary_baseline(keys, edge)
    for key, value in keys.items():
        if is_matrix(value) and _is_pose_shaped(cast("Mapping[str, Any]", value)) and not re.fullmatch(r"[PQ]\d?", key):
            edge, faults = _directed(key, value)
            edges += edge
            problems += faults
    if "extrinsic_parameters" in keys:
        message = "the poses of the board in each picture are no pose of a sensor on another, and are not drawn."
        problems.append(Problem(("extrinsic_parameters",), message, severity="note"))
    facts, faults = facts_at(keys, [(key, "error of the reprojection", "px") for key in _FACTS])
    problems += faults
    if not (edges or lenses):
        names = ", ".join(visible_text(key) for key in list(keys)[:8]) or "nothing"
        message = "it is a file of OpenCV without a pose or a lens whose meaning its names state"
        raise CalibrationError(f"{source.name}: {message} (it has {names}).")
    return Calibration("opencv", tuple(edges), tuple(lenses), facts=tuple(facts), problems=tuple(problems))


def _is_pose_shaped(mapping: Mapping[str, Any]) -> bool:
    return mapping["cols"] == 4 and mapping["rows"] in (3, 4)


def _lenses(keys: Mapping[str, Any]) -> Iterator[Lens]:
    bending = {match[1] or "": key for key in keys if (match := _BENDING.match(key)) and is_matrix(keys[key])}
    for key in keys:
        match = _MATRIX.match(key)
        if match is None or not is_matrix(keys[key]):
            continue
        K = matrix_of(keys[key], key)
        if K.shape != (3, 3):
            continue
        side = match[1] or ""
        coefficients: tuple[float, ...] = ()
        if side in bending:
            coefficients = tuple(matrix_of(keys[bending[side]], bending[side]).ravel().tolist())
        named = "equidistant" if keys.get("fisheye_model") in (1, True) else _by_count(len(coefficients))
        size = size_at(keys, "image_width", "image_height") or size_at(keys, "image_Width", "image_Height")
        fx, fy, cx, cy = (float(K[i, k]) for i, k in ((0, 0), (1, 1), (0, 2), (1, 2)))
        model = lens_model(named, len(coefficients), bending.get(side, key))
        yield Lens(_camera(side.lower()), size, (fx, fy), (cx, cy), model, coefficients)


def _by_count(count: int) -> str:
    """Return the name of OpenCV's model with a count of coefficients."""
    return {0: "none", 4: "radtan", 5: "radtan", 8: "rational"}.get(count, f"OpenCV with {count} coefficients")


def _camera(side: str) -> str:
    side = _SIDES.get(side, side)
    return side if side in ("left", "right") else f"camera{side}"


def _stereo(keys: Mapping[str, Any], lenses: list[Lens]) -> tuple[Edge, list[Problem]]:
    R, p = matrix_of(keys["R"], "R"), matrix_of(keys["T"], "T")
    if R.size == 3:
        raise CalibrationError("R: expected a matrix 3 x 3, got a rotation vector.")
    if R.shape != (3, 3) or p.size != 3:
        raise CalibrationError(f"R, T: expected 3 x 3 and 3 numbers, got {R.shape[0]} x {R.shape[1]} and {p.size}.")
    X, faults = pose_of_rows(np.hstack([R, p.reshape(3, 1)]), "R, T")
    has_sides = any(lens.frame in ("left", "right") for lens in lenses)
    first, second = ("left", "right") if has_sides else ("camera1", "camera2")
    problems = list(faults)
    distance = float(np.linalg.norm(X.p_AB))
    if distance > LARGE:
        message = f"the cameras are {distance:.4g} units apart. T has the unit of the squares of the board, often mm."
        problems.append(Problem(("T",), message, "It is taken for metres.", "amber", kind="unit-of-board"))
    doubt = ""
    if not _STEREO & keys.keys() and len(lenses) < 2:
        doubt = (
            "nothing in the file says which frames R and T connect. As those of OpenCV's stereo calibration they take"
            " points of the first camera to the second; in other programs those of the second to the first."
        )
    return edge_of("R, T", (first, second), X, first, doubt), problems


def _contrary_baseline(keys: Mapping[str, Any], edge: Edge) -> list[Problem]:
    """Return the problem of P2 that has the second camera on the other side of the first one than T."""
    if not is_matrix(keys.get("P2")):
        return []
    P, t = matrix_of(keys["P2"], "P2"), edge.X_file.p_AB
    k = int(np.argmax(np.abs(t[:2])))
    if P.shape != (3, 4) or not P[k, 3] * t[k] < 0.0:
        return []
    first, second = map(visible_text, (edge.parent, edge.child))
    ways = ("right", "left") if k == 0 else ("below", "above")
    here, there = ways if t[k] < 0.0 else ways[::-1]
    message = f"R and T have {second} {_place(here)} {first}, and P2 has it {_place(there)} it: R and T are inverted."
    return [Problem(("R, T",), message, "They are drawn as they are written.", "amber", kind="inverted")]


def _place(way: str) -> str:
    return way if way in ("below", "above") else f"to the {way} of"


def _directed(key: str, value: object) -> tuple[list[Edge], list[Problem]]:
    """Return the edge of a matrix whose name states a direction; a note for another."""
    takes = direction_of(key)
    M = matrix_of(value, key)
    if takes is None:
        message = "the name does not say which frames the matrix connects, and in which direction. It is not drawn."
        return [], [Problem((key,), message, severity="note", kind="unnamed-pose")]
    X, faults = pose_of_rows(M, key)
    start, end = frame_name(takes[0], "start"), frame_name(takes[1], "end")
    return [open_edge(key, (start, end), X)], list(faults)


# --- Writing


def write(calibration: Calibration) -> str:
    """Return the text of a stereo calibration, or of the calibration of one camera, in OpenCV's YAML.

    Raises
    ------
    CalibrationError
        When there are poses other than one of a camera in another, or more than two cameras.
    """
    edges, lenses = calibration.edges, calibration.lenses
    if len(edges) > 1 or len(lenses) > 2 or (not edges and len(lenses) != 1):
        raise CalibrationError(
            "a stereo calibration of OpenCV holds the pose of one camera in another, and their lenses."
        )
    lines = ["%YAML:1.0", "---"]
    frames = [edges[0].parent, edges[0].child] if edges else [lens.frame for lens in lenses]
    for lens in lenses:
        if lens.frame not in frames:
            raise CalibrationError(f"{visible_text(lens.frame)} is none of the two cameras of the stereo calibration.")
        suffix = str(frames.index(lens.frame) + 1) if edges else ""
        lines += _lens_lines(lens, suffix)
    if edges:
        first, second = frames
        X = edges[0].X_file if edges[0].is_inverse else edges[0].X_file.inverse()
        rows = X.to_matrix()[:3]
        comment = f"R and T take points of {visible_text(first)} (camera 1) to {visible_text(second)} (camera 2)"
        lines += matrix_lines("R", rows[:, :3].tolist(), comment)
        lines += matrix_lines("T", rows[:, 3:].tolist())
        if len(lenses) < 2:
            lines += matrix_lines("R1", np.eye(3).tolist(), "rectification of camera 1: none")
    return "\n".join([*lines, ""])


def _lens_lines(lens: Lens, suffix: str) -> list[str]:
    if lens.model not in (NONE, RADTAN, RATIONAL, EQUIDISTANT) and not lens.model.startswith("OpenCV"):
        raise CalibrationError(f"files of OpenCV hold no lens of the model {visible_text(lens.model)}.")
    (fx, fy), (cx, cy) = lens.focal, lens.center
    K = [[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]]
    size = (
        [] if lens.size is None or suffix == "2" else [f"image_width: {lens.size[0]}", f"image_height: {lens.size[1]}"]
    )
    model = ["fisheye_model: 1"] if lens.model == EQUIDISTANT and suffix != "2" else []
    key, bent = (f"M{suffix}", f"D{suffix}") if suffix else ("camera_matrix", "distortion_coefficients")
    coefficients = list(matrix_lines(bent, [lens.coefficients])) if lens.coefficients else []
    return [*size, *model, *matrix_lines(key, K), *coefficients]


def patch(text: str, edges: tuple[Edge, ...]) -> str:
    """Return the text of a file with the numbers of some edges replaced."""
    for edge in edges:
        if edge.entry == "R, T":
            text = replace_entry(text, ("R",), edge.X_file.R_AB.ravel().tolist())
            text = replace_entry(text, ("T",), edge.X_file.p_AB.tolist())
        else:
            text = replace_entry(text, (edge.entry,), edge.X_file.to_matrix().ravel().tolist())
    return text


OPENCV = Dialect(
    "opencv",
    "calibrations of OpenCV",
    (".yml", ".yaml", ".xml"),
    is_opencv,
    read,
    (
        ("R, T", "takes points of the first camera to the second, in the unit of the board"),
        ("A_T_B, T_A_B", "takes points of B to A by the usage of the name; the file does not state it"),
    ),
    example="""\
%YAML:1.0
---
R: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ 1., 0., 0., 0., 1., 0., 0., 0., 1. ]
T: !!opencv-matrix
   rows: 3
   cols: 1
   dt: d
   data: [ -0.12, 0., 0. ]
P1: !!opencv-matrix
   rows: 3
   cols: 4
   dt: d
   data: [ 420., 0., 318.5, 0., 0., 420., 242.25, 0., 0., 0., 1., 0. ]
""",
    write=write,
    patch=patch,
)
