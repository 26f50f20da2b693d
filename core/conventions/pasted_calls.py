"""Calls and objects of other programs that say what their numbers are: Modelica's frames and those of three.js."""

from __future__ import annotations

import re
from collections.abc import Sequence

from framescope.core import frames
from framescope.core.conventions.notation import NotationError, read_number
from framescope.core.kernels.validation import SEQUENCES

Found = tuple[str, list[float], str, str]
"""A form of `notation`, the numbers, their unit where they are angles, and what they are in words."""

_ARGUMENTS = {
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
"""Modelica's functions of `Frames`, and the record that holds their result, by name with their arguments."""


def read_modelica(code: str) -> Found | None:
    """Return what a call of Modelica's ``Frames`` says, None where there is none.

    Raises
    ------
    NotationError
        When an argument is missing, or is no list of as many numbers as it should be.

    Examples
    --------
    >>> read_modelica("R = Frames.axesRotations({3, 2, 1}, {pi/2, 0, 0}, zeros(3));")
    ('axes ZYX', [1.5707963267948966, 0.0, 0.0], 'rad', 'Modelica angles ZYX')
    """
    calls = re.finditer(rf"\b({'|'.join(_ARGUMENTS)})\s*\(", code)
    call = next((each for each in calls if each[1] != "Orientation" or "{" in code[each.end() :]), None)
    if call is None:
        return None
    name = call[1]
    given = _arguments(code[call.end() :], _ARGUMENTS[name])
    what = f"Modelica's {name}"
    match name:
        case "axesRotations":
            digits = _numbers(given, "sequence", 3, what)
            sequence = "".join("XYZ"[int(digit) - 1] if digit in (1.0, 2.0, 3.0) else "?" for digit in digits)
            if sequence not in SEQUENCES:
                raise NotationError(f"{what}: expected a sequence of axes such as {{3, 2, 1}}, neighbours different.")
            return f"axes {sequence}", _numbers(given, "angles", 3, what), "rad", f"Modelica angles {sequence}"
        case "axisRotation":
            (axis,), (angle,) = _numbers(given, "axis", 1, what), _numbers(given, "angle", 1, what)
            if axis not in (1.0, 2.0, 3.0):
                raise NotationError(f"{what}: expected the axis 1, 2 or 3, got {axis:g}.")
            e = [float(axis == i) for i in (1, 2, 3)]
            return "axis-angle", [*e, angle], "rad", f"A Modelica turn about {'xyz'[int(axis) - 1]}"
        case "planarRotation":
            numbers = [*_numbers(given, "e", 3, what), *_numbers(given, "angle", 1, what)]
            return "axis-angle", numbers, "rad", "A Modelica turn about an axis"
        case "from_nxy" | "from_nxz":
            n_x, n = (_numbers(given, key, 3, what) for key in _ARGUMENTS[name])
            T = (frames.from_nxy if name == "from_nxy" else frames.from_nxz)(n_x, n).T
            return "matrix passive", T.ravel().tolist(), "", "Two directions of Modelica"
        case "from_Q":
            return "quaternion xyzw", _numbers(given, "Q", 4, what), "", "A Modelica quaternion, scalar last"
        case "from_T_inv":
            return "matrix active", _numbers(given, "T_inv", 9, what), "", "A Modelica matrix, frame into parent"
        case _:
            return "matrix passive", _numbers(given, "T", 9, what), "", "A Modelica matrix, parent into frame"


def read_three(code: str) -> Found | None:
    """Return what Euler angles or the elements of a matrix of three.js say, None where there are none.

    Its angles are named by their axes, whatever their order; its matrices stand column by column, frame into parent.

    Raises
    ------
    NotationError
        When the angles have no known order, or there are other than 9 or 16 elements.

    Examples
    --------
    >>> read_three("new THREE.Euler(0.1, 0.2, 0.3, 'ZYX')")
    ('axes ZYX', [0.3, 0.2, 0.1], 'rad', 'three.js angles ZYX')
    """
    elements = re.search(r"\belements\W{1,3}\s*(?:\w+\(\d+\)\s*)?\[([^\]]*)\]", code)
    if elements is not None:
        numbers = [read_number("three.js's elements", word) for word in re.findall(r"[^\s,]+", elements[1])]
        n = {9: 3, 16: 4}.get(len(numbers))
        if n is None:
            raise NotationError(f"three.js's elements: expected 9 or 16 numbers, got {len(numbers)}.")
        columns = [numbers[n * i : n * i + 3] for i in range(3)]
        rows = [column[i] for i in range(3) for column in columns]
        return "matrix active", rows, "", "A three.js matrix, column by column"
    call = re.search(r"\b(?:THREE\.|new\s+)Euler\s*\(([^)]*)\)", code)
    if call is not None:
        words = [word.strip(" '\"") for word in call[1].split(",")]
        if len(words) not in (3, 4):
            raise NotationError(f"three.js's Euler: expected three angles and an order, got {len(words)} arguments.")
        return _three_angles(dict(zip("xyz", words, strict=False)), words[3] if len(words) == 4 else "XYZ")
    named = dict(re.findall(r"\b_([xyz])\W{1,3}?\s*([+-]?[\d.][\d.eE+-]*)", code))
    order = re.search(r"\b_?order\W{1,4}([A-Z]{3})\b", code)
    return _three_angles(named, order[1]) if set(named) == set("xyz") and order is not None else None


def _three_angles(words: dict[str, str], order: str) -> Found:
    if order not in SEQUENCES or len(set(order)) != 3:
        raise NotationError(f'three.js\'s Euler: expected an order such as XYZ, got "{order[:20]}".')
    angles = [read_number("three.js's Euler", words[letter]) for letter in order.lower()]
    return f"axes {order}", angles, "rad", f"three.js angles {order}"


# --- Arguments


def _arguments(text: str, names: Sequence[str]) -> dict[str, str]:
    """Return the arguments of a call by name, from behind its opening bracket on."""
    parts, depth = [""], 1
    for mark in text:
        depth += (mark in "([{") - (mark in ")]}")
        if depth == 0:
            break
        if mark == "," and depth == 1:
            parts.append("")
        else:
            parts[-1] += mark
    found: dict[str, str] = {}
    for i, part in enumerate(parts):
        name, equals, value = part.partition("=")
        if equals:
            found[name.strip()] = value.strip()
        elif i < len(names):
            found[names[i]] = part.strip()
    return found


def _numbers(given: dict[str, str], key: str, n: int, what: str) -> list[float]:
    """Return the numbers of an argument; ``zeros(3)`` and other calls are none."""
    if key not in given:
        raise NotationError(f"{what}: {key} is missing.")
    words = re.findall(r"[^\s,{}\[\];]+", given[key].replace("Modelica.Constants.pi", "pi").replace(" ", ""))
    if len(words) != n:
        raise NotationError(f"{what}: expected {n} number{'s' * (n != 1)} for {key}, got {len(words)}.")
    return [read_number(f"{what}: {key}", word) for word in words]
