"""Hand-eye calibrations of easy_handeye (ROS 1) and easy_handeye2 (ROS 2).

The transformation takes points of the tracking system's base, such as the camera, to the robot's effector if the eye is
on the hand, and to the robot's base if it is not.

References
----------
`HandeyeCalibration` of IFL-CAMP/easy_handeye, and of marcoesposito1988/easy_handeye2, whose later versions write
``calibration_type`` and ``transform``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from framescope.core.errors import KeyPath
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Edge, Fact, Turn
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.numbers_in_text import number_text
from framescope.features.calibrations.core.pose_numbers import (
    check_pair,
    frame_name,
    pose_of_quaternion,
    quaternion_of,
    rounded,
)
from framescope.features.calibrations.core.tree_writing import json_text
from framescope.features.calibrations.core.yaml_texts import floats, read_yaml, replace_scalars

_ON_HAND = ("eye_on_hand", "eye on the hand (1) or on the base (0)")
_EFFECTOR = re.compile(r"tool|flange|hand|wrist|gripper|tcp|effector", re.IGNORECASE)

EYE_IN_HAND, EYE_ON_BASE = "eye_in_hand", "eye_on_base"
"""Kinds of calibration of easy_handeye2."""

_MARKS = (
    re.compile(rb"\btracking_base_frame[\"']?[ \t]*:"),
    re.compile(rb"\b(?:eye_on_hand|calibration_type)[\"']?[ \t]*:"),
    re.compile(rb"\btransform(?:ation)?[\"']?[ \t]*:"),
)

_FLAT: tuple[KeyPath, ...] = tuple(("transformation", key) for key in ("x", "y", "z", "qx", "qy", "qz", "qw"))
_NESTED: tuple[KeyPath, ...] = (
    *(("transform", "translation", key) for key in "xyz"),
    *(("transform", "rotation", key) for key in "xyzw"),
)


def is_easy_handeye(head: bytes) -> bool:
    """Return whether a text has the frames, the kind and the transformation of a hand-eye calibration."""
    return b"\0" not in head and all(mark.search(head) for mark in _MARKS)


def read(source: Source) -> Calibration:
    """Return the pose of the tracking system's base in the frame that carries it."""
    keys = read_yaml(source.text, source.name).keys
    parameters: Any = keys.get("parameters", keys)  # the first versions of easy_handeye have them at the top
    if not isinstance(parameters, Mapping):
        raise CalibrationError(f"{source.name}: expected the frames under parameters.")
    frames = cast("Mapping[str, Any]", parameters)
    is_on_hand = _is_on_hand(frames)
    carrier = "robot_effector_frame" if is_on_hand else "robot_base_frame"
    parent, child = (_frame(frames, key) for key in (carrier, "tracking_base_frame"))
    check_pair(parent, child, carrier)
    paths = _paths(keys)
    numbers = _numbers(keys, paths)
    X, problems = pose_of_quaternion(numbers[3:], numbers[:3], str(paths[0][0]))
    turn = Turn("quaternion", tuple(numbers[3:]), "xyzw")
    edges = (Edge(parent, child, X, str(paths[0][0]), turn=turn),)
    return Calibration("easy_handeye", edges, facts=(Fact(*_ON_HAND, float(is_on_hand)),), problems=problems)


def _is_on_hand(frames: Mapping[str, Any]) -> bool:
    kind, flag = frames.get("calibration_type"), frames.get("eye_on_hand")
    if isinstance(flag, bool):
        return flag
    if kind in (EYE_IN_HAND, EYE_ON_BASE):
        return kind == EYE_IN_HAND
    raise CalibrationError(
        f"expected eye_on_hand: true or false, or calibration_type: {EYE_IN_HAND} or {EYE_ON_BASE};"
        " it decides what carries the tracking system."
    )


def _frame(frames: Mapping[str, Any], key: str) -> str:
    if frames.get(key) is None:
        raise CalibrationError(f"{key}: expected the name of a frame, and there is none.")
    return frame_name(frames[key], key)


def _paths(keys: Mapping[str, Any]) -> Sequence[KeyPath]:
    return _FLAT if "transformation" in keys else _NESTED


def _numbers(keys: Mapping[str, Any], paths: Sequence[KeyPath]) -> list[float]:
    numbers: list[float] = []
    for path in paths:
        value: Any = keys
        for key in path:
            if not isinstance(value, Mapping) or key not in value:
                raise CalibrationError(f"expected {'.'.join(map(str, path))}, and there is none.")
            value = cast("Mapping[Any, Any]", value)[key]
        numbers += floats(value, 1, ".".join(map(str, path)))
    return numbers


# --- Writing


def write(calibration: Calibration) -> str:
    """Return the text of a hand-eye calibration with its direction as a comment.

    The parent of the only pose is the effector if the calibration or the name of the parent says so, else the base.

    Raises
    ------
    CalibrationError
        When there is not exactly one fixed pose.
    """
    if len(calibration.edges) != 1:
        raise CalibrationError(f"a hand-eye calibration holds one pose, and there are {len(calibration.edges)}.")
    edge = calibration.edges[0]
    stated = [bool(fact.value) for fact in calibration.facts if fact.entry == _ON_HAND[0]]
    is_on_hand = stated[0] if stated else _EFFECTOR.search(edge.parent) is not None
    keys = [str(path[1]) for path in _FLAT]
    numbers = [*rounded(edge.X_PC.p_AB), *quaternion_of(edge.X_PC, edge.entry)]
    carrier = "robot_effector_frame" if is_on_hand else "robot_base_frame"
    lines = [
        "parameters:",
        f"  eye_on_hand: {'true' if is_on_hand else 'false'}",
        f"  {carrier}: {json_text(edge.parent)}",
        f"  tracking_base_frame: {json_text(edge.child)}",
        f"# takes points of {edge.child} to {edge.parent}",
        "transformation:",
        *(f"  {key}: {number_text(value)}" for key, value in zip(keys, numbers, strict=True)),
    ]
    return "\n".join([*lines, ""])


def patch(text: str, edges: tuple[Edge, ...]) -> str:
    """Return the text of a file with the numbers of its pose replaced."""
    for edge in edges:
        keys = read_yaml(text, "the file").keys
        paths = _paths(keys)
        if edge.entry != paths[0][0]:
            raise CalibrationError(f"{edge.entry}: the file has no such entry.")
        old = _numbers(keys, paths)[3:]
        values = [*rounded(edge.X_PC.p_AB), *quaternion_of(edge.X_PC, edge.entry, old)]
        text = replace_scalars(text, list(zip(paths, values, strict=True)), edge.entry)
    return text


EXAMPLE = """\
parameters:
  eye_on_hand: true
  robot_base_frame: base_link
  robot_effector_frame: tool0
  tracking_base_frame: camera_link
transformation: {x: 0.05, y: 0.0, z: 0.08, qx: 0.0, qy: 0.0, qz: 0.6, qw: 0.8}
"""

EASY_HANDEYE = Dialect(
    "easy_handeye",
    "hand-eye calibrations of easy_handeye",
    (".yaml", ".calib"),
    is_easy_handeye,
    read,
    (
        ("transformation, eye_on_hand: true", "takes points of tracking_base_frame to robot_effector_frame"),
        ("transformation, eye_on_hand: false", "takes points of tracking_base_frame to robot_base_frame"),
    ),
    EXAMPLE,
    write,
    patch,
)
