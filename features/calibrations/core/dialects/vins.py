"""Settings of VINS-Mono and VINS-Fusion, and their files of cameras.

``extrinsicRotation`` with ``extrinsicTranslation`` and ``body_T_cam0`` take points of the camera to the body, the IMU.
``estimate_extrinsic`` says how far they are to be trusted: 0 is exact, 1 a first guess, 2 unknown.

References
----------
VINS-Mono and VINS-Fusion, comments of ``euroc_config.yaml``; ``camera_models`` (CamOdoCal).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from framescope.core.errors import FramescopeError, Problem, visible_text
from framescope.core.kernels.validation import Array
from framescope.features.calibrations.core.calibration import (
    Calibration,
    CalibrationError,
    Edge,
    Lens,
    edge_of,
    lens_problem,
    pose_of_rows,
)
from framescope.features.calibrations.core.calibration_scene import tree_of
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.lens_models import EQUIDISTANT, NONE, RADTAN, frame_name, lens_model
from framescope.features.calibrations.core.numbers_in_text import number_text
from framescope.features.calibrations.core.opencv_storage import (
    facts_at,
    matrix_lines,
    matrix_of,
    numbers_at,
    pose_rows,
    read_storage,
    replace_entry,
    size_at,
)

IMU, BODY = "imu", "body"
"""Names of the frame of the IMU in settings of VINS-Mono and of VINS-Fusion."""

ROTATION, TRANSLATION = "extrinsicRotation", "extrinsicTranslation"
_BOTH = f"{ROTATION}, {TRANSLATION}"
_CAMERA = re.compile(r"body_T_cam(\d{1,3})")
_KEYS = r"(?:extrinsicRotation|extrinsicTranslation|body_T_cam\d+|projection_parameters|mirror_parameters)"
_MARK = re.compile(rf"^[\"']?{_KEYS}[\"']?[ \t]*:|^cam\d_calib[ \t]*:|<{_KEYS}[ \t>]".encode(), re.MULTILINE)
_NAMED_CAMERA = re.compile(r"(cam\d+|left|right)", re.IGNORECASE)
_FACTS = (
    ("td", "time shift, t_imu = t_cam + shift", "s"),
    ("acc_n", "noise of the accelerometer", "m/s²/√Hz"),
    ("gyr_n", "noise of the gyroscope", "rad/s/√Hz"),
    ("acc_w", "random walk of the accelerometer", "m/s³/√Hz"),
    ("gyr_w", "random walk of the gyroscope", "rad/s²/√Hz"),
    ("g_norm", "gravity", "m/s²"),
)
_MODELS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "PINHOLE": (("fx", "fy", "cx", "cy"), ("k1", "k2", "p1", "p2"), ()),
    "MEI": (("gamma1", "gamma2", "u0", "v0"), ("k1", "k2", "p1", "p2"), ("xi",)),
    "KANNALA_BRANDT": (("mu", "mv", "u0", "v0"), ("k2", "k3", "k4", "k5"), ()),
}
"""Keys of the projection, the distortion and the mirror, by model of the camera."""


def is_vins(head: bytes) -> bool:
    """Return whether a text has keys of VINS."""
    return b"\0" not in head and _MARK.search(head) is not None


def read(source: Source) -> Calibration:
    """Return the poses and lenses of settings, or the lens of a file of a camera.

    Lenses that settings name by file are read where the file lies beside them.
    """
    document = read_storage(source.text, source.name)
    keys = document.keys
    edges, problems = _edges(keys)
    lenses: list[Lens] = []
    if "projection_parameters" in keys:
        try:
            lenses.append(_lens(keys, _camera_name(keys, source, has_pose=bool(edges))))
        except CalibrationError as error:
            problems.append(lens_problem("projection_parameters", error))
    for key in [key for key in keys if re.fullmatch(r"cam\d_calib", key)]:
        lens, faults = _lens_beside(key, keys[key], source)
        lenses += lens
        problems += faults
    facts, faults = facts_at(keys, _FACTS)
    problems += faults
    trust = keys.get("estimate_extrinsic")
    problems = [*document.problems, *problems, *_trust(trust, has_pose=bool(edges))]
    if not (edges or lenses or problems):
        raise CalibrationError(f"{source.name}: the settings have no pose and no lens (body_T_cam0, {_BOTH}).")
    return Calibration("vins", tuple(edges), tuple(lenses), facts=tuple(facts), problems=tuple(problems))


def _edges(keys: Mapping[str, Any]) -> tuple[list[Edge], list[Problem]]:
    edges: list[Edge] = []
    problems: list[Problem] = []
    for key in keys:
        if match := _CAMERA.fullmatch(key):
            X, faults = pose_of_rows(pose_rows(keys[key], key), key)
            edges.append(edge_of(key, (f"cam{int(match[1])}", BODY), X, BODY))
            problems += faults
    if ROTATION in keys or TRANSLATION in keys:
        for key, other in ((ROTATION, TRANSLATION), (TRANSLATION, ROTATION)):
            if key not in keys:
                raise CalibrationError(f"{key}: expected it beside {other}.")
        X, faults = pose_of_rows(_rows(keys), _BOTH)
        name = frame_name(keys.get("camera_name", ""), "camera")
        edges.append(edge_of(_BOTH, ("camera" if name == IMU else name, IMU), X, IMU))
        problems += faults
    return edges, problems


def _rows(keys: Mapping[str, Any]) -> Array:
    """Return the matrix (3, 4) of rotation and translation."""
    R, p = matrix_of(keys[ROTATION], ROTATION), matrix_of(keys[TRANSLATION], TRANSLATION)
    if R.shape not in ((3, 3), (1, 9)):
        raise CalibrationError(f"{ROTATION}: expected a matrix 3 x 3, got {R.shape[0]} x {R.shape[1]}.")
    if p.size != 3:
        raise CalibrationError(f"{TRANSLATION}: expected 3 numbers, got {p.size}.")
    return np.hstack([R.reshape(3, 3), p.reshape(3, 1)])


def _trust(value: object, *, has_pose: bool) -> list[Problem]:
    """Return the problem of an extrinsic that the settings call a guess or unknown."""
    where = ("estimate_extrinsic",)
    if value == 2:
        message = "by the value 2 the settings call the pose of the camera unknown, and VINS estimates it."
        hint = "Its numbers are drawn as they stand; VINS does not use them." if has_pose else ""
        return [Problem(where, message, hint, "amber", kind="unknown-extrinsic")]
    if value == 1 and has_pose:
        message = "by the value 1 the settings call the pose of the camera a first guess."
        return [Problem(where, message, severity="note", kind="guessed-extrinsic")]
    return []


def _camera_name(keys: Mapping[str, Any], source: Source, *, has_pose: bool) -> str:
    """Return the name of the camera: as the file has it, or that of the file where all such files have "camera"."""
    name = frame_name(keys.get("camera_name", ""), "camera")
    if has_pose or name != "camera":
        return "camera" if name == IMU else name
    match = _NAMED_CAMERA.match(source.stem)
    return match[1].lower() if match else frame_name(source.stem, "camera")


def _lens(keys: Mapping[str, Any], name: str) -> Lens:
    kind = str(keys.get("model_type", "PINHOLE")).upper()
    if kind not in _MODELS:
        known = ", ".join(_MODELS)
        raise CalibrationError(f"model_type: expected one of {known}, got {visible_text(kind[:40])}.")
    projection, distortion, mirror = _MODELS[kind]
    focal_u, focal_v, u, v = _section(keys, "projection_parameters", projection)
    if kind == "KANNALA_BRANDT":
        coefficients = _section(keys, "projection_parameters", distortion)
        model = EQUIDISTANT
    else:
        coefficients = _section(keys, "mirror_parameters", mirror) if mirror else ()
        coefficients += _section(keys, "distortion_parameters", distortion) if "distortion_parameters" in keys else ()
        model = "mei" if kind == "MEI" else lens_model("radtan", len(coefficients), "distortion_parameters")
    size = size_at(keys, "image_width", "image_height")
    return Lens(name, size, (focal_u, focal_v), (u, v), model, coefficients)


def _section(keys: Mapping[str, Any], section: str, wanted: Sequence[str]) -> tuple[float, ...]:
    values = keys.get(section)
    if not isinstance(values, Mapping):
        raise CalibrationError(f"{section}: expected {', '.join(wanted)}.")
    mapping = cast("Mapping[str, Any]", values)
    try:
        return numbers_at(mapping, wanted)
    except CalibrationError as error:
        raise type(error)(f"{section}: {error}") from None


def _lens_beside(key: str, file: object, source: Source) -> tuple[list[Lens], list[Problem]]:
    name = key.removesuffix("_calib")
    data = source.beside(str(file)) if isinstance(file, str) else None
    if data is None:
        message = f"the lens of {name} is in {visible_text(str(file)[:80])}, which does not lie beside the settings."
        return [], [Problem((key,), message, severity="note")]
    inner = Source(str(file), data, source.folder)
    try:
        keys = read_storage(inner.text, inner.name).keys
        return [replace(_lens(keys, name), name=inner.name)], []
    except FramescopeError as error:
        return [], [Problem((key,), str(error), severity="amber")]


# --- Writing


def write(calibration: Calibration) -> str:
    """Return the text of settings, with the direction of each matrix as a comment.

    One camera with its lens is written as settings of VINS-Mono. Several are written as those of VINS-Fusion, whose
    lenses are in files of their own.

    Raises
    ------
    CalibrationError
        When the frames are other than a body and its cameras, or the lens has a model that VINS does not have.
    """
    tree, loops = tree_of(calibration.edges)
    body = tree[0].parent if tree else BODY
    if loops or any(edge.parent != body for edge in tree):
        raise CalibrationError("settings of VINS hold poses of cameras in one body, one for each camera.")
    lenses = {lens.frame: lens for lens in calibration.lenses}
    cameras = [edge.child for edge in tree]
    if not tree and len(lenses) != 1:
        raise CalibrationError("a file of a camera of VINS holds one lens.")
    lines = ["%YAML:1.0", "---"]
    if len(lenses) == 1 and len(cameras) < 2:
        lines += _lens_lines(next(iter(lenses.values())))
    else:
        lines += [f"# lens of {visible_text(name)}: in a file of its own" for name in lenses]
    if len(tree) == 1 and lenses:
        rows = tree[0].X_PC.to_matrix()[:3]
        comment = f"take points of {visible_text(cameras[0])} to {visible_text(body)}"
        lines += matrix_lines(ROTATION, rows[:, :3].tolist(), f"{ROTATION} and {TRANSLATION} {comment}")
        lines += matrix_lines(TRANSLATION, rows[:, 3:].tolist())
    else:
        for k, edge in enumerate(tree):
            comment = f"body_T_cam{k} takes points of {visible_text(edge.child)} to {visible_text(body)}"
            lines += matrix_lines(f"body_T_cam{k}", edge.X_PC.to_matrix().tolist(), comment)
    facts = {fact.entry: fact.value for fact in calibration.facts}
    lines += [f"{key}: {number_text(facts[key])}" for key, _, _ in _FACTS if key in facts]
    return "\n".join([*lines, ""])


def _lens_lines(lens: Lens) -> list[str]:
    kinds = {NONE: "PINHOLE", RADTAN: "PINHOLE", EQUIDISTANT: "KANNALA_BRANDT", "mei": "MEI"}
    kind = kinds.get(lens.model)
    if kind is None:
        raise CalibrationError(f"a file of a camera of VINS holds no lens of the model {visible_text(lens.model)}.")
    projection, distortion, mirror = _MODELS[kind]
    numbers = lens.coefficients
    if kind == "PINHOLE" and len(numbers) == 5 and numbers[4] == 0.0:
        numbers = numbers[:4]
    if len(numbers) not in (0, len(distortion) + len(mirror)):
        raise CalibrationError("a file of a camera of VINS holds k1, k2, p1, p2 and no k3.")
    lines = [f"model_type: {kind}", f"camera_name: {visible_text(lens.frame)}"]
    if lens.size is not None:
        lines += [f"image_width: {lens.size[0]}", f"image_height: {lens.size[1]}"]
    center = zip(projection, (*lens.focal, *lens.center), strict=True)
    bent = zip(distortion, numbers[len(mirror) :], strict=False)
    if mirror:
        lines += [
            "mirror_parameters:",
            *(f"   {key}: {number_text(x)}" for key, x in zip(mirror, numbers, strict=False)),
        ]
    projected = [f"   {key}: {number_text(x)}" for key, x in center]
    distorted = [f"   {key}: {number_text(x)}" for key, x in bent]
    if kind == "KANNALA_BRANDT":
        return [*lines, "projection_parameters:", *distorted, *projected]
    lines += ["distortion_parameters:", *distorted] if distorted else []
    return [*lines, "projection_parameters:", *projected]


def patch(text: str, edges: tuple[Edge, ...]) -> str:
    """Return the text of a file with the numbers of some edges replaced."""
    for edge in edges:
        if edge.entry == _BOTH:
            text = replace_entry(text, (ROTATION,), edge.X_file.R_AB.ravel().tolist())
            text = replace_entry(text, (TRANSLATION,), edge.X_file.p_AB.tolist())
        else:
            text = replace_entry(text, (edge.entry,), edge.X_file.to_matrix().ravel().tolist())
    return text


VINS = Dialect(
    "vins",
    "settings of VINS",
    (".yaml",),
    is_vins,
    read,
    (
        ("extrinsicRotation, extrinsicTranslation", "takes points of the camera to the IMU"),
        ("body_T_cam0", "takes points of the camera to the body (the IMU)"),
    ),
    example="""\
%YAML:1.0
---
estimate_extrinsic: 0
body_T_cam0: !!opencv-matrix
   rows: 4
   cols: 4
   dt: d
   data: [0.0, 0.0, 1.0, 0.12,
         -1.0, 0.0, 0.0, 0.03,
          0.0, -1.0, 0.0, 0.05,
          0.0, 0.0, 0.0, 1.0]
""",
    write=write,
    patch=patch,
)
