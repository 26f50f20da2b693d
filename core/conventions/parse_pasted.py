"""Reader of pasted orientations: matrices of numpy, MATLAB, Julia and Modelica, quaternions, lines of code, texts.

The reader asks instead of guessing when a text is ambiguous: for the order of a quaternion, the direction of a matrix,
units, or the meaning of three bare numbers. It does not ask if the text names the parts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core import frames
from framescope.core.conventions.notation import NotationError, Parsed, parse_orientation, read_number
from framescope.core.conventions.ros_poses import read_printed_pose
from framescope.core.errors import counted
from framescope.core.kernels.validation import SEQUENCES

MAX_LENGTH = 4000
"""Largest number of characters of a pasted text."""

_NUMBER = re.compile(r"(?<![\w.])[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=[fF]?(?![\w.]))")
_GLUED_UNIT = re.compile(r"(?<=[\d.])(?=(deg|rad)\b)")
_COMMENT = re.compile(r"(?://|#|%).*")
_UNIT_LENGTH = 0.02


@dataclass(frozen=True)
class Question:
    """A question that a text leaves open.

    Parameters
    ----------
    key
        Key of the answer: ``"order"``, ``"unit"``, ``"direction"``, ``"kind"`` or ``"position"``.
    prompt
        The question in a few words.
    choices
        Pairs of an answer and its label.
    """

    key: str
    prompt: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Pasted:
    """Result of reading a pasted text: a description, open questions, and the orientation once all are answered.

    `position` is the position of the frame in its parent, m, if the text contains one and the answers accept it.
    """

    description: str
    questions: tuple[Question, ...] = ()
    parsed: Parsed | None = None
    position: tuple[float, float, float] | None = None


ORDER = Question("order", "Which number is the scalar?", (("xyzw", "last: x y z w"), ("wxyz", "first: w x y z")))
UNIT = Question("unit", "Unit of the angles?", (("deg", "degrees"), ("rad", "radians")))
_MATRICES = (("passive", "parent into frame"), ("active", "frame into parent"))
DIRECTION = Question("direction", "What does the matrix do?", _MATRICES)
_POSITIONS = (("m", "in metres"), ("mm", "in millimetres"), ("none", "leave out"))
POSITION = Question("position", "Its position?", _POSITIONS)


def read_pasted(text: str, answers: Mapping[str, str] | None = None, sequence: str = "XYZ") -> Pasted:
    """Return the orientation in a pasted text, with the questions that the text leaves open.

    Parameters
    ----------
    text
        ``[[1, 0, 0], ...]``, ``{{1, 0, 0}, ...}``, ``[1 0 0; 0 1 0; 0 0 1]``, four numbers, a line of code as written
        by `framescope.core.conventions.code_snippets`, a pose for `framescope.core.conventions.ros_poses`, or a text
        for `framescope.core.conventions.notation`.
    answers
        Answers to questions of an earlier reading, by key.
    sequence
        Axis sequence to offer for three bare angles.

    Returns
    -------
    Pasted
        Open questions, and the orientation once all are answered. ``parsed.distance`` is the distance of the numbers
        from a rotation.

    Raises
    ------
    NotationError
        When the text contains no orientation.

    Examples
    --------
    >>> read_pasted("[0 1 0; -1 0 0; 0 0 1]").questions[0].prompt
    'What does the matrix do?'
    >>> read_pasted("0, 0, 0.6, 0.8").questions[0].prompt
    'Which number is the scalar?'
    >>> read_pasted("0, 0, 0.6, 0.8", {"order": "xyzw"}).parsed.form
    'quaternion xyzw'
    """
    known_answers = dict(answers or {})
    printed = read_printed_pose(text.replace("\N{MINUS SIGN}", "-"))
    if printed is not None:
        pasted = _read_form(
            printed.form, list(printed.numbers), len(printed.numbers), printed.unit, printed.description
        )
        return replace(pasted, position=printed.position)
    if len(text) > MAX_LENGTH:
        raise NotationError(f"Expected an orientation, got a text of more than {MAX_LENGTH} characters.")
    text = _GLUED_UNIT.sub(" ", text.replace("\N{MINUS SIGN}", "-").strip())
    if not text:
        raise NotationError("Nothing to read yet: a matrix, a quaternion, angles or a line of code.")
    if re.match(r"(axes|extrinsic|rpy|quaternion|matrix|axis-angle|rotation-vector|rodrigues|mrp)\b(?!\s*\()", text):
        return _read_notation(text, known_answers)
    pasted = _read_code(text, known_answers)
    return pasted or _read_numbers(_COMMENT.sub("", text), known_answers, sequence)


def _read_notation(text: str, answers: Mapping[str, str]) -> Pasted:
    """Read a text of `framescope.core.conventions.notation`; a quaternion there may lack its order."""
    if re.match(r"quaternion[\s,:]+(?!xyzw|wxyz)", text):
        return _read_numbers(text, answers, "XYZ")
    parsed = parse_orientation(text, take_nearest=True)
    return Pasted(f"{parsed.form[:1].upper()}{parsed.form[1:]}: {parsed.meaning}", (), parsed)


# --- Lines of code that define the meaning of their numbers

_CODE = (
    (r"scalar_first\s*=\s*True", "quaternion wxyz", "A scipy quaternion, scalar first"),
    (r"from_quat\s*\(", "quaternion xyzw", "A scipy quaternion, scalar last"),
    (r"tf2?::Quaternion\b[^(]*\(", "quaternion xyzw", "A tf2 quaternion, scalar last"),
    (r"Quaternion[df]\b[^(]*\(", "quaternion wxyz", "An Eigen quaternion, scalar first"),
    (r"\bquaternion\s*\(", "quaternion wxyz", "A MATLAB quaternion, scalar first"),
    (r"\bQQuaternion\b[^(]*\(", "quaternion wxyz", "A Qt quaternion, scalar first"),
    (r"\b(?:new\s+(?:\w+\.)?|THREE\.)Quaternion\s*\(", "quaternion xyzw", "A three.js quaternion, scalar last"),
    (r"\bpyquaternion\.Quaternion\s*\(", "quaternion wxyz", "A pyquaternion, scalar first"),
    (r"\bQuaternion\s*\(\s*\(", "quaternion wxyz", "A Blender quaternion, scalar first"),
    (r"from_matrix\s*\(", "matrix active", "A scipy matrix, frame into parent"),
    (r"from_rotvec\s*\(", "rotation-vector", "A scipy rotation vector"),
)


def _read_code(text: str, answers: Mapping[str, str]) -> Pasted | None:
    """Read a line of code of a known library; None for any other text."""
    code = _COMMENT.sub("", text)
    reading = read_modelica(code) or read_three(code) or _read_named_parts(code)
    if reading is not None:
        form, numbers, unit, message = reading
        if len(numbers) == 12:
            return _read_pose(numbers, answers, message, (POSITION,), form.removeprefix("matrix "))
        return _read_form(form, numbers, len(numbers), unit, message)
    euler = re.search(r"from_euler\s*\(\s*['\"]([xyzXYZ]{3})['\"]\s*,(.*)", code, re.DOTALL)
    if euler:
        letters, arguments = euler[1], euler[2]
        unit = "deg" if re.search(r"degrees\s*=\s*True|,\s*True", arguments) else "rad"
        form = "axes" if letters.isupper() else "extrinsic"
        return _read_form(f"{form} {letters}", _numbers(arguments), 3, unit, f"scipy angles {letters}")
    for pattern, form, message in _CODE:
        match = re.search(pattern, code)
        if match is None:
            continue
        start = code.find("(", match.start()) if "scalar_first" not in pattern else code.find("from_quat")
        n = {"quaternion": 4, "matrix": 9, "rotation-vector": 3}[form.split()[0]]
        unit = ("deg" if re.search(r"degrees\s*=\s*True", code) else "rad") if n == 3 else ""
        numbers = _numbers(code[start:])
        return _read_form(form, numbers[:n] if len(numbers) > n else numbers, n, unit, message)
    if re.search(r"v_2 = T \*?@? ?v_1", text):
        return _read_form("matrix passive", _numbers(code), 9, "", "A matrix, v_2 = T v_1")
    return _read_positional(text, code, answers) or _read_hamilton(code)


def _read_named_parts(code: str) -> CodeReading | None:
    """Read a quaternion with named parts, in any order; in a pose, the parts follow a word such as ``orientation``."""
    at = re.search(r"orientation|rotation|quaternion", code, re.IGNORECASE)
    for start in (at.end() if at else 0, 0):
        parts = re.findall(rf"(?<![A-Za-z0-9])_?([wxyz])\W{{1,3}}?\s*({_NUMBER.pattern})", code[start:])
        values = {str(name): float(number) for name, number in parts[:4]}
        if set(values) == set("wxyz"):
            return "quaternion xyzw", [values[name] for name in "xyzw"], "", "A quaternion with named parts"
    letters = [name for name, _ in parts]
    if set(letters) == set("wxyz"):
        raise NotationError("Found x, y, z and w more than once: paste the quaternion alone.")
    return None


def _read_positional(text: str, code: str, answers: Mapping[str, str]) -> Pasted | None:
    """Read ``Quaternion(…)``, whose first or last number is the scalar, depending on the library.

    A comment may state the order.
    """
    call = re.search(r"\bQuaternion\s*\(", code)
    if call is None:
        return None
    match = re.search(r"(?://|#|%).*?\b(?:(w, ?x, ?y, ?z)|(x, ?y, ?z, ?w))\b", text)
    order = answers.get("order", "") if match is None else "wxyz" if match[1] else "xyzw"
    questions = (ORDER,) if match is None else ()
    if not order:
        return Pasted("A quaternion; its library is not stated", questions)
    return _read_form(f"quaternion {order}", _numbers(code[call.end() :]), 4, "", "A quaternion", questions)


def _read_hamilton(code: str) -> Pasted | None:
    """Read ``0.8 + 0.1i - 0.2j + 0.5k``."""
    number = r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    pattern = (
        rf"\s*([+-]?)\s*{number}\s*([+-])\s*{number}\s*\*?\s*i\w?\s*([+-])\s*{number}\s*\*?\s*j\w?\s*([+-])\s*{number}"
    )
    match = re.fullmatch(pattern + r"\s*\*?\s*k\w?\s*", code)
    if match is None:
        return None
    w, x, y, z = (float(f"{match[i]}{match[i + 1]}") for i in (1, 3, 5, 7))
    return _read_form("quaternion xyzw", [x, y, z, w], 4, "", "A quaternion w + x i + y j + z k")


# --- Numbers alone


def _read_numbers(text: str, answers: Mapping[str, str], sequence: str) -> Pasted:
    """Read bare numbers by their count, with questions about ambiguous numbers."""
    unit_word = re.search(r"(?<![a-z])(deg|rad)\w*\W*$|°\W*$", text.lower())
    unit = "" if unit_word is None else unit_word[1] or "deg"
    numbers = _numbers(text)
    if len(numbers) == 16:
        numbers = _upper_rows(numbers)
    if len(numbers) == 12 and text.count("[") + text.count("{") + text.count(";") >= 2:
        return _read_pose(numbers, answers, "The matrix of a pose", (DIRECTION, POSITION))
    match len(numbers):
        case 9:
            direction = answers.get("direction", "")
            if not direction:
                return Pasted("A matrix", (DIRECTION,))
            return _read_form(f"matrix {direction}", numbers, 9, "", "A matrix", (DIRECTION,))
        case 4 if abs(np.linalg.norm(numbers) - 1.0) < _UNIT_LENGTH or not unit:
            if abs(np.linalg.norm(numbers[:3]) - 1.0) < _UNIT_LENGTH < abs(np.linalg.norm(numbers) - 1.0):
                return _read_angles("axis-angle", numbers, unit, answers, "An axis and an angle", ())
            order = answers.get("order", "")
            if not order:
                return Pasted("A quaternion, or four numbers that may be one", (ORDER,))
            return _read_form(f"quaternion {order}", numbers, 4, "", "A quaternion", (ORDER,))
        case 4:
            return _read_angles("axis-angle", numbers, unit, answers, "An axis and an angle", ())
        case 3:
            return _read_three_numbers(numbers, unit, answers, sequence)
        case n:
            raise NotationError(
                f"Found {n} number{'s' * (n != 1)}: expected 9 of a matrix, 4 of a quaternion or of axis and angle,"
                " or 3 of angles or of a vector."
            )


def _read_three_numbers(numbers: list[float], unit: str, answers: Mapping[str, str], sequence: str) -> Pasted:
    """Read three bare numbers, which may be angles, a rotation vector or Rodrigues parameters."""
    sequence = sequence if sequence in SEQUENCES else "XYZ"
    vectors = ("rotation-vector", "rotation vector"), ("rodrigues", "Rodrigues")
    kinds = ((f"axes {sequence}", f"angles {sequence}"), *vectors)
    kind = Question("kind", "What are the three numbers?", kinds)
    answer = answers.get("kind", "")
    if answer not in [choice for choice, _ in kind.choices]:
        return Pasted("Three numbers", (kind,))
    if answer == "rodrigues":
        return _read_form(answer, numbers, 3, "", "Rodrigues parameters", (kind,))
    return _read_angles(answer, numbers, unit, answers, dict(kind.choices)[answer].capitalize(), (kind,))


def _read_angles(
    form: str,
    numbers: list[float],
    unit: str,
    answers: Mapping[str, str],
    message: str,
    questions: tuple[Question, ...],
) -> Pasted:
    """Read numbers with angles; ask for the unit unless the text or an answer has it."""
    questions = questions if unit else (*questions, UNIT)
    unit = unit or answers.get("unit", "")
    if not unit:
        return Pasted(message, questions)
    return _read_form(form, numbers, len(numbers), unit, message, questions)


def _read_pose(
    numbers: list[float], answers: Mapping[str, str], message: str, questions: tuple[Question, ...], direction: str = ""
) -> Pasted:
    """Read the three rows of a pose matrix, each ending with a coordinate of the position."""
    direction, unit = direction or answers.get("direction", ""), answers.get("position", "")
    if not (direction and unit):
        return Pasted(message, questions)
    rows = np.reshape(numbers, (3, 4))
    pasted = _read_form(f"matrix {direction}", rows[:, :3].ravel().tolist(), 9, "", message, questions)
    if unit == "none" or pasted.parsed is None:
        return pasted
    p = (1e-3 if unit == "mm" else 1.0) * rows[:, 3]
    x, y, z = (p if direction == "active" else -p @ pasted.parsed.R.T).tolist()
    return replace(pasted, position=(x, y, z))


def _upper_rows(numbers: list[float]) -> list[float]:
    """Return the twelve numbers of the upper three rows of a homogeneous matrix."""
    matrix = np.reshape(numbers, (4, 4))
    if np.abs(matrix[3] - [0.0, 0.0, 0.0, 1.0]).max() > 1e-9:
        raise NotationError("Found 16 numbers whose last row is not 0 0 0 1: expected the matrix of a pose.")
    return numbers[:12]


def _read_form(
    form: str, numbers: list[float], n: int, unit: str, message: str, questions: tuple[Question, ...] = ()
) -> Pasted:
    """Read numbers in a form of `notation`, or raise when their count is wrong."""
    if len(numbers) != n:
        raise NotationError(f"{message} has {n} numbers, got {len(numbers)}.")
    text = " ".join([form, *(repr(number) for number in numbers), *([unit] if unit else [])])
    return Pasted(message, questions, parse_orientation(text, take_nearest=True))


def _numbers(text: str) -> list[float]:
    return [float(match) for match in _NUMBER.findall(text)]


CodeReading = tuple[str, list[float], str, str]
"""A form of `notation`, the numbers, their unit if they are angles, and a description."""

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
"""Names of the arguments of Modelica's functions in `Frames`, and of the record with their result."""


def read_modelica(code: str) -> CodeReading | None:
    """Return the orientation in a call of Modelica's ``Frames``, or None without such a call.

    Raises
    ------
    NotationError
        When an argument is missing, or has the wrong number of numbers.

    Examples
    --------
    >>> read_modelica("R = Frames.axesRotations({3, 2, 1}, {pi/2, 0, 0}, zeros(3));")
    ('axes ZYX', [1.5707963267948966, 0.0, 0.0], 'rad', 'Modelica angles ZYX')
    """
    calls = re.finditer(rf"\b({'|'.join(_ARGUMENTS)})\s*\(", code)
    call = next((match for match in calls if match[1] != "Orientation" or "{" in code[match.end() :]), None)
    if call is None:
        return None
    name = call[1]
    arguments = _arguments(code[call.end() :], _ARGUMENTS[name])
    label = f"Modelica's {name}"
    match name:
        case "axesRotations":
            digits = _numbers_of(arguments, "sequence", 3, label)
            sequence = "".join("XYZ"[int(digit) - 1] if digit in (1.0, 2.0, 3.0) else "?" for digit in digits)
            if sequence not in SEQUENCES:
                raise NotationError(f"{label}: expected a sequence of axes such as {{3, 2, 1}}, neighbours different.")
            return f"axes {sequence}", _numbers_of(arguments, "angles", 3, label), "rad", f"Modelica angles {sequence}"
        case "axisRotation":
            (axis,), (angle,) = _numbers_of(arguments, "axis", 1, label), _numbers_of(arguments, "angle", 1, label)
            if axis not in (1.0, 2.0, 3.0):
                raise NotationError(f"{label}: expected the axis 1, 2 or 3, got {axis:g}.")
            e = [float(axis == i) for i in (1, 2, 3)]
            return "axis-angle", [*e, angle], "rad", f"A Modelica turn about {'xyz'[int(axis) - 1]}"
        case "planarRotation":
            numbers = [*_numbers_of(arguments, "e", 3, label), *_numbers_of(arguments, "angle", 1, label)]
            return "axis-angle", numbers, "rad", "A Modelica turn about an axis"
        case "from_nxy" | "from_nxz":
            n_x, n = (_numbers_of(arguments, key, 3, label) for key in _ARGUMENTS[name])
            T = (frames.from_nxy if name == "from_nxy" else frames.from_nxz)(n_x, n).T
            return "matrix passive", T.ravel().tolist(), "", "Two directions of Modelica"
        case "from_Q":
            return "quaternion xyzw", _numbers_of(arguments, "Q", 4, label), "", "A Modelica quaternion, scalar last"
        case "from_T_inv":
            numbers = _numbers_of(arguments, "T_inv", 9, label)
            return "matrix active", numbers, "", "A Modelica matrix, frame into parent"
        case _:
            return "matrix passive", _numbers_of(arguments, "T", 9, label), "", "A Modelica matrix, parent into frame"


def read_three(code: str) -> CodeReading | None:
    """Return the Euler angles or matrix elements in code of three.js, or None when there are none.

    Angles are named by their axes, in any order. Matrices are stored column by column, frame into parent. For 16
    elements, the three upper rows are returned.

    Raises
    ------
    NotationError
        When the order of the angles is unknown, or there are neither 9 nor 16 elements.

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
        columns = [numbers[n * i : n * i + 3] for i in range(n)]
        rows = [column[i] for i in range(3) for column in columns]
        return "matrix active", rows, "", "A three.js matrix, column by column"
    call = re.search(r"\b(?:THREE\.|new\s+)Euler\s*\(([^)]*)\)", code)
    if call is not None:
        words = [word.strip(" '\"") for word in call[1].split(",")]
        if len(words) not in (3, 4):
            raise NotationError(
                f"three.js's Euler: expected three angles and an order, got {counted(len(words), 'argument')}."
            )
        return _read_three_angles(dict(zip("xyz", words, strict=False)), words[3] if len(words) == 4 else "XYZ")
    angles = dict(re.findall(r"\b_([xyz])\W{1,3}?\s*([+-]?[\d.][\d.eE+-]*)", code))
    order = re.search(r"\b_?order\W{1,4}([A-Z]{3})\b", code)
    return _read_three_angles(angles, order[1]) if set(angles) == set("xyz") and order is not None else None


def _read_three_angles(words: dict[str, str], order: str) -> CodeReading:
    if order not in SEQUENCES or len(set(order)) != 3:
        raise NotationError(f'three.js\'s Euler: expected an order such as XYZ, got "{order[:20]}".')
    angles = [read_number("three.js's Euler", words[letter]) for letter in order.lower()]
    return f"axes {order}", angles, "rad", f"three.js angles {order}"


# --- Arguments


def _arguments(text: str, names: Sequence[str]) -> dict[str, str]:
    """Return the arguments of a call by name, from text after the opening parenthesis."""
    parts, depth = [""], 1
    for mark in text:
        depth += (mark in "([{") - (mark in ")]}")
        if depth == 0:
            break
        if mark == "," and depth == 1:
            parts.append("")
        else:
            parts[-1] += mark
    arguments: dict[str, str] = {}
    for i, part in enumerate(parts):
        name, equals, value = part.partition("=")
        if equals:
            arguments[name.strip()] = value.strip()
        elif i < len(names):
            arguments[names[i]] = part.strip()
    return arguments


def _numbers_of(arguments: dict[str, str], key: str, n: int, label: str) -> list[float]:
    """Return the numbers of an argument; calls such as ``zeros(3)`` are not evaluated and raise."""
    if key not in arguments:
        raise NotationError(f"{label}: {key} is missing.")
    words = re.findall(r"[^\s,{}\[\];]+", arguments[key].replace("Modelica.Constants.pi", "pi").replace(" ", ""))
    if len(words) != n:
        raise NotationError(f"{label}: expected {n} number{'s' * (n != 1)} for {key}, got {len(words)}.")
    return [read_number(f"{label}: {key}", word) for word in words]
