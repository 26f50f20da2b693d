"""Readings of elements of robot descriptions: origin of URDF, pose of SDF, attributes of MJCF."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.core.readings.numerals import Numeral, read_numeral
from framescope.core.readings.reading import (
    Reading,
    ReadingError,
    TextReadings,
    join_readings,
    read_orientation,
    read_position,
)

_ORIGIN = re.compile(r"<origin\b([^<>]*)")
_POSE = re.compile(r"<pose\b([^<>]*)>([^<>]*)(?:</pose>|\Z)")
_ELEMENT = re.compile(r"<(\w+)\b([^<>]*\b(?:quat|euler|axisangle|xyaxes|zaxis|pos)\s*=[^<>]*)")
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")

_LOOSE = re.compile(r"(?<![\w-])(xyz|rpy|pos|quat)\s{0,4}=\s{0,4}(?:\"([^\"<>]{0,200})\"|'([^'<>]{0,200})')")
"""Attributes without their element."""


def read_xml(text: str) -> TextReadings | None:
    """Return the readings of elements with a pose; None without one.

    Examples
    --------
    >>> read_xml('<origin xyz="0 0 1.5" rpy="0 0 0"/>').settled.p_PF
    (0.0, 0.0, 1.5)
    """
    readings = [_read_origin(match[1]) for match in _ORIGIN.finditer(text)]
    readings = [reading for reading in readings if reading is not None]
    readings = readings or [_read_pose(_attributes(match[1]), match[2]) for match in _POSE.finditer(text)]
    if not readings:
        compiler = re.search(r"<compiler\b([^<>]*)", text)
        options = _attributes(compiler[1]) if compiler else {}
        found = [_read_element(_attributes(match[2]), options) for match in _ELEMENT.finditer(text)]
        readings = [reading for reading in found if reading is not None]
    if not readings:
        attributes = {name: a or b for name, a, b in _LOOSE.findall(text)}
        if {"xyz", "rpy"} <= set(attributes):
            readings = [_origin_of(attributes)]
        elif {"pos", "quat"} <= set(attributes):
            readings = [reading for reading in [_read_element(attributes, {})] if reading is not None]
    if not readings:
        return None
    if len(readings) == 1:
        return TextReadings((readings[0],))
    return TextReadings((join_readings(readings, f"{readings[0].source}, and {len(readings) - 1} more"),))


def _attributes(text: str) -> dict[str, str]:
    return {name: a or b for name, a, b in _ATTRIBUTE.findall(text)}


def _read_origin(text: str) -> Reading | None:
    attributes = _attributes(text)
    return _origin_of(attributes) if {"xyz", "rpy"} & set(attributes) else None


def _origin_of(attributes: dict[str, str]) -> Reading:
    p, rpy = (_numbers(attributes.get(key, "0 0 0"), 3, key) for key in ("xyz", "rpy"))
    source = "The origin of URDF, roll pitch yaw about fixed axes in radians"
    assumed = tuple(f"no {key}: zero" for key in ("xyz", "rpy") if key not in attributes)
    return read_orientation("extrinsic xyz", rpy, "rad", source=source, p=p, assumed=assumed)


def _read_pose(attributes: dict[str, str], text: str) -> Reading:
    parent = attributes.get("relative_to", "")
    if attributes.get("rotation_format") == "quat_xyzw":
        numbers = _numbers(text, 7, "pose")
        source = "The pose of SDF, quaternion with scalar last"
        return read_orientation("quaternion xyzw", numbers[3:], source=source, p=numbers[:3], names=(parent, ""))
    numbers = _numbers(text, 6, "pose")
    unit = "deg" if attributes.get("degrees") in ("true", "1") else "rad"
    source = "The pose of SDF, roll pitch yaw about fixed axes"
    return read_orientation("extrinsic xyz", numbers[3:], unit, source=source, p=numbers[:3], names=(parent, ""))


def _read_element(attributes: dict[str, str], compiler: dict[str, str]) -> Reading | None:
    """Read an element of MJCF; angles are degrees and Euler angles moving xyz unless its compiler says otherwise."""
    name = attributes.get("name", "")
    p = _numbers(attributes["pos"], 3, "pos") if "pos" in attributes else None
    unit = "rad" if compiler.get("angle") == "radian" else "deg"
    assumed = () if "angle" in compiler else ("angles in degrees, the default of MJCF",)
    if "quat" in attributes:
        q = _numbers(attributes["quat"], 4, "quat")
        source = "The quaternion of MJCF, scalar first"
        return read_orientation("quaternion wxyz", q, source=source, p=p, names=("", name))
    if "euler" in attributes:
        letters = compiler.get("eulerseq", "xyz")
        form = f"axes {letters.upper()}" if letters.islower() else f"extrinsic {letters.lower()}"
        angles = _numbers(attributes["euler"], 3, "euler")
        source = f"Euler angles of MJCF, sequence {letters}"
        return read_orientation(form, angles, unit, source=source, p=p, assumed=assumed, names=("", name))
    if "axisangle" in attributes:
        numbers = _numbers(attributes["axisangle"], 4, "axisangle")
        source = "Axis and angle of MJCF"
        return read_orientation("axis-angle", numbers, unit, source=source, p=p, assumed=assumed, names=("", name))
    if "xyaxes" in attributes:
        numbers = _numbers(attributes["xyaxes"], 6, "xyaxes")
        return _of_axes(_from_two_axes(numbers[:3], numbers[3:]), "The x and y axes of MJCF", p, name)
    if "zaxis" in attributes:
        axis = _numbers(attributes["zaxis"], 3, "zaxis")
        return _of_axes(_least_turn_of_z(axis), "The z axis of MJCF, reached by the least turn", p, name)
    if p is None:
        return None
    return read_position(p, source="The position of an element of MJCF", names=("", name))


def _of_axes(R: Array, source: str, p: Sequence[float] | None, name: str) -> Reading:
    """Return the reading of an active matrix that is computed from axes, whose digits are not those of the text."""
    numbers = [Numeral(value) for value in R.ravel().tolist()]
    return replace(read_orientation("matrix active", numbers, source=source, p=p, names=("", name)), rows=())


def _from_two_axes(x: Sequence[float], y: Sequence[float]) -> Array:
    """Return the active matrix (3, 3) whose first axis is x, with y in the plane of the first two."""
    first = _unit(x, "xyaxes")
    second = _unit(np.asarray(y) - first * (first @ np.asarray(y)), "xyaxes")
    third = np.asarray(np.cross(first, second), dtype=np.float64)
    return np.column_stack([first, second, third])


def _least_turn_of_z(z: Sequence[float]) -> Array:
    """Return the active matrix (3, 3) of the least turn that brings the z axis to a direction."""
    x, y, w = _unit(z, "zaxis")
    if w < -1.0 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    K = np.array([[0.0, 0.0, x], [0.0, 0.0, y], [-x, -y, 0.0]])
    return np.asarray(np.eye(3) + K + K @ K / (1.0 + w))


def _unit(v: Sequence[float] | Array, name: str) -> Array:
    length = float(np.linalg.norm(v))
    if length < 1e-9:
        raise ReadingError(f"{name}: an axis has no direction.")
    return np.asarray(v, dtype=np.float64) / length


def _numbers(text: str, n: int, name: str) -> list[float]:
    numbers = [read_numeral(word) for word in text.split()]
    values = [number for number in numbers if number is not None]
    if len(values) != n or len(numbers) != n:
        raise ReadingError(f'{name}: expected {counted(n, "number")}, got "{text.strip()[:60]}".')
    return list(values)
