"""Readings of constructors and calls of libraries: Eigen, Sophus, tf2, KDL, scipy, pyquaternion, three.js, Modelica."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core import frames
from framescope.core.errors import counted
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.orientation import Orientation
from framescope.core.readings.expressions import Call, Name, Product, Value, flat_numbers, parse_at
from framescope.core.readings.reading import (
    Placement,
    Reading,
    ReadingError,
    TextReadings,
    invert,
    join_readings,
    read_orientation,
)

ORDER = "Which number is the scalar?"
ORDERS = (("quaternion xyzw", "last: x y z w"), ("quaternion wxyz", "first: w x y z"))
"""Orders of quaternions with their labels."""

_COMMENT_ORDER = re.compile(r"(?://|#|%).*?\b(?:(w, ?x, ?y, ?z)|(x, ?y, ?z, ?w))\b")
_DEGREES = {"deg", "degree", "degrees", "d"}

MOST_FAULTS = 100
"""Number of calls with faults after which the reader gives up."""

Reader = Callable[[Call, str], list[Reading]]
"""Function of a call and of the text after its name, which returns the readings of the call."""


def read_calls(text: str) -> TextReadings | None:
    """Return the readings of the known calls in a text; None without such a call.

    Several calls of the same kind are a list.

    Examples
    --------
    >>> read_calls("q.setRPY(0.1, 0.2, 0.3);").settled.form
    'extrinsic xyz'
    """
    results, rest = _results(text)
    if not results:
        return None
    results[0] = _with_position(results[0], rest)
    first = results[0]
    if len(results) > 1 and len(first) == 1:
        same = [readings[0] for readings in results if len(readings) == 1]
        if len({(reading.kind, reading.form) for reading in same}) == 1:
            first = [join_readings(same, first[0].source)]
    if len(results) > 1 and not first[0].is_list:
        return TextReadings(reason=f"The text has {len(results)} different poses: paste one of them alone.")
    question = "" if len(first) == 1 else ORDER if first[0].form.startswith("quaternion") else "Which reading is meant?"
    return TextReadings(tuple(first), question)


_POSITION = re.compile(r"\b(?:Vector3[df]?|Translation3[df]?|Point3?[df]?)\b\s*(?:\w+\s*)?[({]")


def _with_position(readings: list[Reading], rest: str) -> list[Reading]:
    """Return readings of a rotation with the position that the only vector beside it has, if there is one."""
    matches = list(_POSITION.finditer(rest))
    if len(matches) != 1 or any(reading.kind != "orientation" or reading.is_list for reading in readings):
        return readings
    try:
        numbers = flat_numbers(parse_at(rest, matches[0].start()))
    except ReadingError:
        return readings
    if len(numbers) != 3:
        return readings
    x, y, z = map(float, numbers)
    return [
        replace(
            reading,
            placements=(replace(reading.placements[0], p_PF=(x, y, z)),),
            assumed=(*reading.assumed, "the vector beside it is its position, in metres"),
        )
        for reading in readings
    ]


def _results(text: str) -> tuple[list[list[Reading]], str]:
    """Return the readings of each known call, and the text without the calls; raise the first fault without any."""
    results: list[list[Reading]] = []
    faults: list[ReadingError] = []
    end, rest = 0, ""
    for match in _CALL.finditer(text):
        if match.start() < end:
            continue
        try:
            readings = _read_value(parse_at(text, match.start()), text)
        except ReadingError as error:
            faults.append(error)
            if len(faults) == MOST_FAULTS:
                break
            continue
        if readings:
            results.append(readings)
            rest += text[end : match.start()] + " "
            end = _end_of_call(text, match.end() - 1)
    if faults and not results:
        raise faults[0]
    return results, rest + text[end:]


def _end_of_call(text: str, start: int) -> int:
    """Return the index behind the last of a chain of calls and products that begins with a bracket."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth <= 0 and not re.match(r"\s*(?:\*|@|\.)\s*[\w:.<>]+\s*\(", text[i + 1 :]) and text[i] in ")]}":
            return i + 1
        if depth <= 0 and text[i] in ";\n":
            return i
    return len(text)


def _read_value(value: Value, text: str) -> list[Reading]:
    if isinstance(value, Product):
        return [_product([_only(_read_value(part, text)) for part in value.factors])]
    if not isinstance(value, Call):
        return []
    reader = _reader_of(value)
    readings = reader(value, text) if reader is not None else []
    if {"inverse", "conjugate", "inv", "transpose", "conj", "inverted"} & set(value.methods):
        readings = [replace(invert(reading), source=f"{reading.source}, inverted") for reading in readings]
    return readings


def _only(readings: Sequence[Reading]) -> Reading:
    if len(readings) != 1 or readings[0].R is None:
        raise ReadingError("A product has a factor whose reading is open: paste each factor alone.")
    return readings[0]


def _product(readings: Sequence[Reading]) -> Reading:
    """Return the product of rotations, the first about the outermost axes."""
    R_PF = np.eye(3)
    for reading in readings:
        if reading.p_PF is not None or reading.R is None:
            raise ReadingError("A product of poses: paste each of them alone.")
        R_PF = R_PF @ reading.R.T.T
    rounding = math.hypot(*(reading.rounding_deg for reading in readings))
    source = f"A product of {len(readings)} rotations, {readings[0].source[:1].lower()}{readings[0].source[1:]} first"
    return Reading(source, "product", (Placement(Orientation(R_PF.T.copy(), np.zeros(3))),), rounding_of_text=rounding)


# --- Arguments


def _numbers(call: Call, n: int | None = None) -> list[float]:
    """Return the numbers of the positional arguments, or of the only named one."""
    parts = [part for part in call.positional if not isinstance(part, (str, Name))]
    if not parts and call.named:
        parts = [part for part in call.named.values() if not isinstance(part, (str, Name))]
    variables = [part.text for part in call.positional if isinstance(part, Name)]
    variables = [name for name in variables if name not in ("True", "False")]
    if variables:
        raise ReadingError(f"{variables[0]} is a variable: replace it with its number.")
    numbers = flat_numbers(list(parts))
    if n is not None and len(numbers) != n:
        raise ReadingError(f"{call.last_name}: expected {counted(n, 'number')}, got {len(numbers)}.")
    return numbers


def _argument(call: Call, i: int, *names: str) -> Value | None:
    for name in names:
        if name in call.named:
            return call.named[name]
    return call.positional[i] if i < len(call.positional) else None


def _strings(call: Call) -> list[str]:
    return [part for part in (*call.positional, *call.named.values()) if isinstance(part, str)]


def _is_true(call: Call, name: str, i: int = 99) -> bool:
    value = _argument(call, i, name)
    return isinstance(value, Name) and value.text == "True"


def _unit(call: Call) -> str:
    """Return the unit that an argument such as ``degrees=True`` or ``"deg"`` states; rad without one."""
    is_deg = _is_true(call, "degrees") or any(word in _DEGREES for word in _strings(call))
    return "deg" if is_deg else "rad"


def _sequence_form(letters: str, *, moving: bool) -> str:
    if letters.upper() not in SEQUENCES:
        raise ReadingError(f"Expected a sequence of axes such as ZYX, got {letters[:20]}.")
    return f"axes {letters.upper()}" if moving else f"extrinsic {letters.lower()}"


# --- Readers


@dataclass(frozen=True)
class _Plain:
    """Reader of a call whose arguments are the numbers of a form, radians."""

    form: str
    source: str
    n: int
    unit: str = ""

    def __call__(self, call: Call, _text: str) -> list[Reading]:
        if self.n == 4 and set("wxyz") <= set(call.named):
            return _named_quaternion(call, self.source)
        return [read_orientation(self.form, _numbers(call, self.n), self.unit, source=self.source)]


def _named_quaternion(call: Call, source: str) -> list[Reading]:
    numbers = [flat_numbers(call.named[letter])[0] for letter in "xyzw"]
    return [read_orientation("quaternion xyzw", numbers, source=f"{source.partition(',')[0]} with named parts")]


_PYQUATERNION = {"axis", "array", "real", "scalar"}
_LIBRARIES = (
    (r"pyquaternion", "quaternion wxyz", "A pyquaternion, scalar first"),
    (r"tf2?(::|\.)|LinearMath|geometry_msgs", "quaternion xyzw", "A tf2 quaternion, scalar last"),
    (r"Eigen|Sophus", "quaternion wxyz", "An Eigen quaternion, scalar first"),
    (r"THREE", "quaternion xyzw", "A three.js quaternion, scalar last"),
)
"""Pattern of a qualified name, with the form of its quaternion and a description."""


def _quaternion(call: Call, text: str) -> list[Reading]:
    """Read ``Quaternion(…)``: by the names of its arguments, by its library, else in both orders."""
    if set("wxyz") <= set(call.named):
        return _named_quaternion(call, "A quaternion")
    if _PYQUATERNION & set(call.named):
        return [_pyquaternion(call)]
    for pattern, form, source in _LIBRARIES:
        if re.search(pattern, call.name):
            return [read_orientation(form, _numbers(call, 4), source=source)]
    if re.search(r"\bnew\s+Quaternion\s*\(", text):
        return [read_orientation("quaternion xyzw", _numbers(call, 4), source="A three.js quaternion, scalar last")]
    if re.search(r"Quaternion\s*\(\s*\(", text):
        form, source = "quaternion wxyz", "A Blender quaternion, scalar first"
        if len(call.positional) == 2:
            form, source = "axis-angle", "A Blender quaternion of axis and angle"
        unit = "rad" if form == "axis-angle" else ""
        return [read_orientation(form, _numbers(call, 4), unit, source=source)]
    match = _COMMENT_ORDER.search(text)
    numbers = _numbers(call, 4)
    if match is not None:
        return [read_orientation(ORDERS[1 if match[1] else 0][0], numbers, source="A quaternion")]
    source = "A quaternion whose library is not stated"
    return [read_orientation(form, numbers, source=source, choice=label) for form, label in ORDERS]


def _pyquaternion(call: Call) -> Reading:
    """Read the named arguments of pyquaternion: axis and angle, scalar and vector, or an array."""
    if "array" in call.named:
        return read_orientation(
            "quaternion wxyz", flat_numbers(call.named["array"]), source="A pyquaternion, scalar first"
        )
    if "axis" in call.named:
        for key, unit in (("degrees", "deg"), ("radians", "rad"), ("angle", "rad")):
            if key in call.named:
                numbers = [*flat_numbers(call.named["axis"]), *flat_numbers(call.named[key])]
                return read_orientation("axis-angle", numbers, unit, source="A pyquaternion of axis and angle")
        raise ReadingError("Quaternion: expected degrees, radians or angle with its axis.")
    scalar = call.named.get("real", call.named.get("scalar"))
    vector = call.named.get("imaginary", call.named.get("vector"))
    if scalar is None or vector is None:
        raise ReadingError("Quaternion: expected a vector with its scalar.")
    numbers = [*flat_numbers(scalar), *flat_numbers(vector)]
    return read_orientation("quaternion wxyz", numbers, source="A pyquaternion, scalar first")


def _from_euler(call: Call, _text: str) -> list[Reading]:
    letters = _argument(call, 0, "seq")
    if not isinstance(letters, str):
        raise ReadingError("from_euler: expected the axes as a text, such as 'xyz'.")
    angles = call.positional[1] if len(call.positional) > 1 else call.named.get("angles")
    numbers = flat_numbers(angles) if angles is not None else []
    unit = "deg" if _is_true(call, "degrees", 2) else "rad"
    source = f"scipy angles {letters}"
    if len(letters) == 1 and len(numbers) == 1:
        axis = [float(letters.lower() == letter) for letter in "xyz"]
        return [read_orientation("axis-angle", [*axis, *numbers], unit, source=source)]
    form = _sequence_form(letters, moving=letters.isupper())
    if len(numbers) > 3 and len(numbers) % 3 == 0:
        rows = [numbers[i : i + 3] for i in range(0, len(numbers), 3)]
        return [join_readings([read_orientation(form, row, unit, source=source) for row in rows], source)]
    return [read_orientation(form, numbers, unit, source=source)]


def _from_quat(call: Call, _text: str) -> list[Reading]:
    is_first = _is_true(call, "scalar_first")
    order, label = ("wxyz", "first") if is_first else ("xyzw", "last")
    source = f"A scipy quaternion, scalar {label}"
    numbers = _numbers(Call(call.name, call.positional[:1] or tuple(call.named.values())[:1]))
    form = f"quaternion {order}"
    if len(numbers) > 4 and len(numbers) % 4 == 0:
        rows = [numbers[i : i + 4] for i in range(0, len(numbers), 4)]
        return [join_readings([read_orientation(form, row, source=source) for row in rows], source)]
    return [read_orientation(form, numbers, source=source)]


def _from_rotvec(call: Call, _text: str) -> list[Reading]:
    numbers = _numbers(call, 3)
    return [read_orientation("rotation-vector", numbers, _unit(call), source="A scipy rotation vector")]


def _from_mrp(call: Call, _text: str) -> list[Reading]:
    return [read_orientation("mrp", _numbers(call, 3), source="scipy's modified Rodrigues parameters")]


def _matrix(source: str, direction: str = "active") -> Reader:
    def read(call: Call, _text: str) -> list[Reading]:
        parts = [part for part in call.positional if not isinstance(part, (str, float))]
        numbers = flat_numbers(parts[0]) if parts else _numbers(call)
        return [read_matrix(numbers, direction, source)]

    return read


def read_matrix(numbers: Sequence[float], direction: str, source: str) -> Reading:
    """Return the reading of 9, 12 or 16 numbers row by row in a known direction; positions are in metres."""
    if len(numbers) not in (9, 12, 16):
        raise ReadingError(f"{source}: expected 9, 12 or 16 numbers, got {len(numbers)}.")
    if len(numbers) == 9:
        return read_orientation(f"matrix {direction}", numbers, source=source)
    rows = [numbers[i : i + 4] for i in range(0, len(numbers), 4)]
    if len(rows) == 4 and max(abs(a - b) for a, b in zip(rows[3], (0, 0, 0, 1), strict=True)) > 1e-3:
        raise ReadingError(f"{source}: expected the last row 0 0 0 1, got {' '.join(f'{x:g}' for x in rows[3])}.")
    rotation = [number for row in rows[:3] for number in row[:3]]
    return read_orientation("matrix active", rotation, source=source, p=[row[3] for row in rows[:3]])


def _angle_axis(call: Call, _text: str) -> list[Reading]:
    """Read ``AngleAxisd(angle, axis)`` of Eigen and ``AngleAxis(angle, x, y, z)`` of Julia."""
    if len(call.positional) == 2:
        numbers = [*_axis(call.positional[1]), *flat_numbers(call.positional[0])]
    else:
        angle, x, y, z = _numbers(call, 4)
        numbers = [x, y, z, angle]
    return [read_orientation("axis-angle", numbers, "rad", source="An angle and an axis")]


def _axis(value: Value) -> list[float]:
    unit = re.search(
        r"Unit([XYZ])$|([XYZ])_?AXIS$", value.name if isinstance(value, Call) else getattr(value, "text", "")
    )
    if unit is not None:
        return [float((unit[1] or unit[2]) == letter) for letter in "XYZ"]
    return flat_numbers(value)


def _turn_about(source: str, unit: str = "rad") -> Reader:
    """Return the reader of ``Rx(angle)`` and the like; the name's last letter is the axis."""

    def read(call: Call, _text: str) -> list[Reading]:
        axis = [float(call.last_name[-1].lower() == letter) for letter in "xyz"]
        angle = _numbers(Call(call.name, call.positional[:1], {}), 1)
        stated = "deg" if unit == "deg" or _unit(call) == "deg" else "rad"
        units = ("deg", "rad") if unit == "ask" and _unit(call) != "deg" else (stated,)
        labels = {"deg": "degrees", "rad": "radians"}
        return [
            read_orientation(
                "axis-angle", [*axis, *angle], each, source=source, choice=labels[each] if len(units) > 1 else ""
            )
            for each in units
        ]

    return read


def _angles(form: str, source: str, unit: str = "rad", order: str = "") -> Reader:
    def read(call: Call, _text: str) -> list[Reading]:
        names = [name for name in ("roll", "pitch", "yaw") if name in call.named]
        if len(names) == 3:
            numbers = [flat_numbers(call.named[name])[0] for name in order.split() or names]
        else:
            numbers = _numbers(call, 3)
        return [read_orientation(form, numbers, "deg" if _unit(call) == "deg" else unit, source=source)]

    return read


def _euler_of_transformations(call: Call, _text: str) -> list[Reading]:
    """Read calls of tf's transformations.py, whose axes begin with ``s`` for fixed and ``r`` for moving axes."""
    axes = next(iter(_strings(call)), "sxyz")
    if axes[:1] not in ("s", "r"):
        raise ReadingError(f"{call.last_name}: expected axes such as sxyz or rzyx, got {axes[:20]}.")
    form = _sequence_form(axes[1:], moving=axes[0] == "r")
    parts = tuple(part for part in (*call.positional, *call.named.values()) if not isinstance(part, str))
    numbers = _numbers(Call(call.name, parts), 3)
    return [read_orientation(form, numbers, "rad", source=f"Angles {axes} of transformations.py")]


def _eul(call: Call, _text: str) -> list[Reading]:
    letters = next((word for word in _strings(call) if word.upper() in SEQUENCES), "ZYX")
    numbers = _numbers(Call(call.name, call.positional[:1]), 3)
    form = _sequence_form(letters, moving=True)
    return [read_orientation(form, numbers, "rad", source=f"MATLAB angles {letters}")]


def _rpy_of_spatialmath(call: Call, _text: str) -> list[Reading]:
    order = next((word for word in _strings(call) if word in ("zyx", "xyz", "yxz", "vehicle", "arm", "camera")), "zyx")
    letters = {"vehicle": "zyx", "arm": "xyz", "camera": "yxz"}.get(order, order)
    parts = tuple(part for part in call.positional if not isinstance(part, (str, Name)))
    roll, pitch, yaw = _numbers(Call(call.name, parts), 3)
    source = f"spatialmath roll, pitch, yaw in the order {letters}"
    return [read_orientation(f"axes {letters.upper()}", [yaw, pitch, roll], _unit(call), source=source)]


def _euler_of_spatialmath(call: Call, _text: str) -> list[Reading]:
    parts = tuple(part for part in call.positional if not isinstance(part, (str, Name)))
    return [
        read_orientation("axes ZYZ", _numbers(Call(call.name, parts), 3), _unit(call), source="spatialmath angles ZYZ")
    ]


def _three_euler(call: Call, text: str) -> list[Reading]:
    first = call.positional[0] if call.positional else None
    is_blender = isinstance(first, list) and "THREE" not in call.name
    order = next((word for word in _strings(call)), "XYZ").upper()
    if order not in SEQUENCES or len(set(order)) != 3:
        raise ReadingError(f"Euler: expected an order such as XYZ, got {order[:20]}.")
    parts = tuple(part for part in call.positional if not isinstance(part, str))
    by_axis = dict(zip("XYZ", _numbers(Call(call.name, parts), 3), strict=True))
    numbers = [by_axis[letter] for letter in order]
    if is_blender:
        return [read_orientation(f"extrinsic {order.lower()}", numbers, "rad", source=f"Blender angles {order}")]
    if "THREE" not in call.name and not re.search(r"\bnew\s+Euler", text):
        return [
            read_orientation(
                f"axes {order}", numbers, "rad", source="Euler angles", choice=f"three.js: moving {order}"
            ),
            read_orientation(
                f"extrinsic {order.lower()}", numbers, "rad", source="Euler angles", choice=f"Blender: fixed {order}"
            ),
        ]
    return [read_orientation(f"axes {order}", numbers, "rad", source=f"three.js angles {order}")]


def _pose_of_parts(call: Call, text: str) -> list[Reading]:
    """Read ``SE3d(rotation, translation)`` and ``Pose(…)``: a rotation and three numbers of a position."""
    rotation: list[Reading] = []
    position: list[float] | None = None
    for part in (*call.positional, *call.named.values()):
        if isinstance(part, (Call, Product)):
            readings = _read_value(part, text)
            if readings:
                rotation = readings
                continue
        numbers = flat_numbers(part)
        if len(numbers) == 3:
            position = numbers
        elif len(numbers) in (9, 16) and not rotation:
            rotation = [read_matrix(numbers, "active", f"A matrix in {call.last_name}")]
    if not rotation:
        return []
    if position is None:
        return rotation
    x, y, z = (float(number) for number in position)
    return [
        replace(
            reading,
            placements=tuple(replace(placement, p_PF=(x, y, z)) for placement in reading.placements),
            source=f"A pose of {call.last_name}: {reading.source[:1].lower()}{reading.source[1:]}",
        )
        for reading in rotation
    ]


def _exp_map(call: Call, _text: str) -> list[Reading]:
    if "SE3" in call.name:
        raise ReadingError("A twist of SE3 is no pose: paste the matrix.")
    return [
        read_orientation("rotation-vector", _numbers(call, 3), "rad", source="The exponential of a rotation vector")
    ]


def _rotation_matrix_of_mathematica(call: Call, _text: str) -> list[Reading]:
    if len(call.positional) != 2:
        raise ReadingError("RotationMatrix: expected an angle and an axis.")
    numbers = [*flat_numbers(call.positional[1]), *flat_numbers(call.positional[0])]
    return [read_orientation("axis-angle", numbers, "rad", source="Mathematica's angle and axis")]


def _euler_of_mathematica(call: Call, _text: str) -> list[Reading]:
    digits = flat_numbers(call.positional[1]) if len(call.positional) > 1 else [3.0, 2.0, 3.0]
    letters = "".join("XYZ"[int(digit) - 1] for digit in digits if digit in (1.0, 2.0, 3.0))
    form = _sequence_form(letters, moving=True)
    return [
        read_orientation(
            form, _numbers(Call(call.name, call.positional[:1])), "rad", source=f"Mathematica angles {letters}"
        )
    ]


def _julia_angles(call: Call, _text: str) -> list[Reading]:
    letters = call.last_name[3:]
    if len(letters) == 1:
        return _turn_about(f"A Julia turn about {letters}")(call, "")
    return [
        read_orientation(_sequence_form(letters, moving=True), _numbers(call), "rad", source=f"Julia angles {letters}")
    ]


_MODELICA = {
    "axesRotations": ("sequence", "angles", "der_angles"),
    "axisRotation": ("axis", "angle", "der_angle"),
    "planarRotation": ("e", "angle", "der_angle"),
    "from_nxy": ("n_x", "n_y"),
    "from_nxz": ("n_x", "n_z"),
    "from_T": ("T", "w"),
    "from_T_inv": ("T_inv", "w"),
    "from_Q": ("Q", "w"),
    "Orientation": ("T", "w"),
}
"""Names of the arguments of Modelica's functions in `Frames`, and of the record with their result."""


_MODELICA_FORMS = {
    "from_Q": ("quaternion xyzw", 4, "A Modelica quaternion, scalar last"),
    "from_T_inv": ("matrix active", 9, "A Modelica matrix, frame into parent"),
    "from_T": ("matrix passive", 9, "A Modelica matrix, parent into frame"),
    "Orientation": ("matrix passive", 9, "A Modelica matrix, parent into frame"),
}
"""Form, count of numbers and description of functions whose first argument is the orientation."""


def _modelica(call: Call, _text: str) -> list[Reading]:
    name = call.last_name
    if name in _MODELICA_FORMS:
        form, n, source = _MODELICA_FORMS[name]
        return [read_orientation(form, _modelica_numbers(call, _MODELICA[name][0], n), source=source)]
    if name == "axesRotations":
        digits = _modelica_numbers(call, "sequence", 3)
        sequence = "".join("XYZ"[int(digit) - 1] if digit in (1.0, 2.0, 3.0) else "?" for digit in digits)
        if sequence not in SEQUENCES:
            raise ReadingError(
                "Modelica's axesRotations: expected a sequence of axes such as {3, 2, 1}, neighbours different."
            )
        angles = _modelica_numbers(call, "angles", 3)
        return [read_orientation(f"axes {sequence}", angles, "rad", source=f"Modelica angles {sequence}")]
    if name == "axisRotation":
        (axis,) = _modelica_numbers(call, "axis", 1)
        if axis not in (1.0, 2.0, 3.0):
            raise ReadingError(f"Modelica's axisRotation: expected the axis 1, 2 or 3, got {axis:g}.")
        numbers = [*(float(axis == i) for i in (1, 2, 3)), *_modelica_numbers(call, "angle", 1)]
        source = f"A Modelica turn about {'xyz'[int(axis) - 1]}"
        return [read_orientation("axis-angle", numbers, "rad", source=source)]
    if name == "planarRotation":
        numbers = [*_modelica_numbers(call, "e", 3), *_modelica_numbers(call, "angle", 1)]
        return [read_orientation("axis-angle", numbers, "rad", source="A Modelica turn about an axis")]
    n_x, n_other = (_modelica_numbers(call, key, 3) for key in _MODELICA[name])
    T = (frames.from_nxy if name == "from_nxy" else frames.from_nxz)(n_x, n_other).T
    return [read_orientation("matrix passive", T.ravel().tolist(), source="Two directions of Modelica")]


def _modelica_numbers(call: Call, key: str, n: int) -> list[float]:
    """Return the numbers of an argument of a function of Modelica's `Frames`."""
    label = f"Modelica's {call.last_name}"
    value = _argument(call, _MODELICA[call.last_name].index(key), key)
    if value is None:
        raise ReadingError(f"{label}: {key} is missing.")
    values = flat_numbers(value)
    if len(values) != n:
        raise ReadingError(f"{label}: expected {counted(n, 'number')} for {key}, got {len(values)}.")
    return values


_READERS: dict[str, Reader] = {
    # scipy
    "from_quat": _from_quat,
    "from_matrix": _matrix("A scipy matrix, frame into parent"),
    "from_dcm": _matrix("A scipy matrix, frame into parent"),
    "from_rotvec": _from_rotvec,
    "from_euler": _from_euler,
    "from_mrp": _from_mrp,
    # quaternions
    "Quaternion": _quaternion,
    "QQuaternion": _Plain("quaternion wxyz", "A Qt quaternion, scalar first", 4),
    "Quaterniond": _Plain("quaternion wxyz", "An Eigen quaternion, scalar first", 4),
    "Quaternionf": _Plain("quaternion wxyz", "An Eigen quaternion, scalar first", 4),
    "quaternion": _Plain("quaternion wxyz", "A quaternion of MATLAB or numpy-quaternion, scalar first", 4),
    "QuatRotation": _Plain("quaternion wxyz", "A Julia quaternion, scalar first", 4),
    "UnitQuaternion": _Plain("quaternion wxyz", "A quaternion of spatialmath, scalar first", 4),
    "quat2rotm": _Plain("quaternion wxyz", "A MATLAB quaternion, scalar first", 4),
    # tf2, tf, KDL, MoveIt
    "setRPY": _Plain("extrinsic xyz", "tf2's setRPY: roll, pitch, yaw", 3, "rad"),
    "setEulerYPR": _Plain("axes ZYX", "tf2's setEulerYPR: yaw, pitch, roll", 3, "rad"),
    "createQuaternionMsgFromRollPitchYaw": _Plain("extrinsic xyz", "tf's roll, pitch, yaw", 3, "rad"),
    "createQuaternionFromRPY": _Plain("extrinsic xyz", "tf's roll, pitch, yaw", 3, "rad"),
    "quaternion_from_euler": _euler_of_transformations,
    "euler_matrix": _euler_of_transformations,
    "Matrix3x3": _matrix("A tf2 matrix, frame into parent"),
    "RPY": _angles("extrinsic xyz", "Roll, pitch, yaw of KDL", order="roll pitch yaw"),
    # Eigen, Sophus
    "AngleAxisd": _angle_axis,
    "AngleAxisf": _angle_axis,
    "AngleAxis": _angle_axis,
    "SE3d": _pose_of_parts,
    "SE3f": _pose_of_parts,
    "Pose3": _pose_of_parts,
    "exp": _exp_map,
    "rotX": _turn_about("A turn of Sophus"),
    "rotY": _turn_about("A turn of Sophus"),
    "rotZ": _turn_about("A turn of Sophus"),
    # spatialmath and the Robotics Toolbox
    "Rx": _turn_about("A turn of spatialmath"),
    "Ry": _turn_about("A turn of spatialmath"),
    "Rz": _turn_about("A turn of spatialmath"),
    "SO3": _matrix("A matrix of spatialmath, frame into parent"),
    "SE3": _matrix("A pose of spatialmath, frame into parent"),
    "Eul": _euler_of_spatialmath,
    # MATLAB
    "eul2rotm": _eul,
    "eul2quat": _eul,
    "eul2tform": _eul,
    "axang2rotm": _Plain("axis-angle", "MATLAB's axis and angle", 4, "rad"),
    "axang2quat": _Plain("axis-angle", "MATLAB's axis and angle", 4, "rad"),
    "rotx": _turn_about("MATLAB's turn about x: the toolboxes differ in its unit", "ask"),
    "roty": _turn_about("MATLAB's turn about y: the toolboxes differ in its unit", "ask"),
    "rotz": _turn_about("MATLAB's turn about z: the toolboxes differ in its unit", "ask"),
    "angle2dcm": _Plain("axes ZYX", "MATLAB's angle2dcm: yaw, pitch, roll", 3, "rad"),
    # three.js and Blender
    "Euler": _three_euler,
    # Julia's Rotations.jl
    "RotationVec": _Plain("rotation-vector", "A Julia rotation vector", 3, "rad"),
    **{f"Rot{letters}": _julia_angles for letters in (*SEQUENCES, "X", "Y", "Z")},
    # Mathematica
    "RotationMatrix": _rotation_matrix_of_mathematica,
    "EulerMatrix": _euler_of_mathematica,
    "RollPitchYawMatrix": _Plain("extrinsic zyx", "Mathematica's RollPitchYawMatrix", 3, "rad"),
    # OpenCV
    "Rodrigues": _Plain("rotation-vector", "OpenCV's rotation vector", 3, "rad"),
    **dict.fromkeys(_MODELICA, _modelica),
}
"""Readers of calls by the last part of the name."""

_QUALIFIED = {"exp": r"SO3\w*(?:<\w+>)?::", "Rx": r"\w+\.", "Ry": r"\w+\.", "Rz": r"\w+\.", "Eul": r"S[OE]3\."}
"""Pattern of the qualifier without which a name is too common to be recognised."""

_NAMES = "|".join(f"{_QUALIFIED.get(name, '')}{name}" for name in sorted(_READERS, key=len, reverse=True))
_CALL = re.compile(
    rf"(?<![\w.:])(?:(?:(?!pyquaternion\b)|)[A-Za-z_]\w*(?:<[\w:]+>)?(?:::|\.|->))*(?:{_NAMES})(?:<[\w:]+>)?"
    r"(?:::?\s*)?(?:\s+[A-Za-z_]\w*)?\s*[({\[]"
)


def _reader_of(call: Call) -> Reader | None:
    name = call.last_name
    if name == "RPY" and re.search(r"S[OE]3|UnitQuaternion", call.name):
        return _rpy_of_spatialmath
    if name in _QUALIFIED and not re.search(_QUALIFIED[name] + name + "$", call.name):
        return None
    if name in ("SE3", "SO3") and any(isinstance(part, (Call, Product)) for part in call.positional[:1]):
        inner = call.positional[0]
        if isinstance(inner, Call) and inner.last_name in ("array", "asarray", "matrix"):
            return _READERS[name]
        return _pose_of_parts
    return _READERS.get(name)
