"""Orientations pasted from elsewhere: matrices of numpy, MATLAB, Julia and Modelica, quaternions, lines of code, texts.

What a text leaves open is asked, never guessed: the order of a quaternion, the direction of a matrix, units, what three
bare numbers are. Parts that have names are read by them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core import frames
from framescope.core.conventions.notation import NotationError, Parsed, parse_orientation, read_number
from framescope.core.errors import counted
from framescope.core.kernels.validation import SEQUENCES

MAX_LENGTH = 4000
"""Characters of a text that is read."""

_NUMBER = re.compile(r"(?<![\w.])[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=[fF]?(?![\w.]))")
_GLUED_UNIT = re.compile(r"(?<=[\d.])(?=(deg|rad)\b)")
_COMMENT = re.compile(r"(?://|#|%).*")
_UNIT_LENGTH = 0.02


@dataclass(frozen=True)
class Question:
    """Question that a text leaves open.

    Parameters
    ----------
    key
        Under which the answer is passed: ``"order"``, ``"unit"``, ``"direction"``, ``"kind"`` or ``"position"``.
    prompt
        The question, in a few words.
    choices
        The answers: what is passed, and what it is called.
    """

    key: str
    prompt: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Pasted:
    """What a pasted text was read as: `description` in words, what is still open, and the reading once nothing is.

    `position` is that of the frame in its parent, m, where there is one to be taken.
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
    """Return what a pasted text says of an orientation, with the questions that it leaves open.

    Parameters
    ----------
    text
        Anything: ``[[1, 0, 0], ...]``, ``{{1, 0, 0}, ...}``, ``[1 0 0; 0 1 0; 0 0 1]``, four numbers, a line such as
        `framescope.core.conventions.code_snippets` writes, or a text that `framescope.core.conventions.notation` reads.
    answers
        To questions of an earlier reading, by their key.
    sequence
        Of three bare angles, when they are that.

    Returns
    -------
    Pasted
        With a reading once all questions are answered; how far its numbers are from a rotation is
        the `distance` of the reading.

    Raises
    ------
    NotationError
        When there is no orientation in it.

    Examples
    --------
    >>> read_pasted("[0 1 0; -1 0 0; 0 0 1]").questions[0].prompt
    'What does the matrix do?'
    >>> read_pasted("0, 0, 0.6, 0.8").questions[0].prompt
    'Which number is the scalar?'
    >>> read_pasted("0, 0, 0.6, 0.8", {"order": "xyzw"}).parsed.form
    'quaternion xyzw'
    """
    given = dict(answers or {})
    if len(text) > MAX_LENGTH:
        raise NotationError(f"Expected an orientation, got a text of more than {MAX_LENGTH} characters.")
    text = _GLUED_UNIT.sub(" ", text.replace("\N{MINUS SIGN}", "-").strip())
    if not text:
        raise NotationError("Nothing to read yet: a matrix, a quaternion, angles or a line of code.")
    if re.match(r"(axes|extrinsic|rpy|quaternion|matrix|axis-angle|rotation-vector|rodrigues|mrp)\b(?!\s*\()", text):
        return _worded(text, given)
    known = _known_code(text, given)
    return known or _bare(_COMMENT.sub("", text), given, sequence)


def _worded(text: str, given: Mapping[str, str]) -> Pasted:
    """Read a text of `framescope.core.conventions.notation`; a quaternion there may still lack its order."""
    if re.match(r"quaternion[\s,:]+(?!xyzw|wxyz)", text):
        return _bare(text, given, "XYZ")
    parsed = parse_orientation(text, take_nearest=True)
    return Pasted(f"{parsed.form[:1].upper()}{parsed.form[1:]}: {parsed.meaning}", (), parsed)


# --- Lines of code that say themselves what their numbers are

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


def _known_code(text: str, given: Mapping[str, str]) -> Pasted | None:
    code = _COMMENT.sub("", text)
    known = read_modelica(code) or read_three(code) or _named_parts(code)
    if known is not None:
        form, numbers, unit, message = known
        if len(numbers) == 12:
            return _posed(numbers, given, message, (POSITION,), form.removeprefix("matrix "))
        return _read(form, numbers, len(numbers), unit, message)
    euler = re.search(r"from_euler\s*\(\s*['\"]([xyzXYZ]{3})['\"]\s*,(.*)", code, re.DOTALL)
    if euler:
        letters, rest = euler[1], euler[2]
        unit = "deg" if re.search(r"degrees\s*=\s*True|,\s*True", rest) else "rad"
        form = "axes" if letters.isupper() else "extrinsic"
        return _read(f"{form} {letters}", _numbers(rest), 3, unit, f"scipy angles {letters}")
    for pattern, form, message in _CODE:
        found = re.search(pattern, code)
        if found is None:
            continue
        start = code.find("(", found.start()) if "scalar_first" not in pattern else code.find("from_quat")
        n = {"quaternion": 4, "matrix": 9, "rotation-vector": 3}[form.split()[0]]
        unit = ("deg" if re.search(r"degrees\s*=\s*True", code) else "rad") if n == 3 else ""
        numbers = _numbers(code[start:])
        return _read(form, numbers[:n] if len(numbers) > n else numbers, n, unit, message)
    if re.search(r"v_2 = T \*?@? ?v_1", text):
        return _read("matrix passive", _numbers(code), 9, "", "A matrix, v_2 = T v_1")
    return _positional(text, code, given) or _hamilton(code)


def _named_parts(code: str) -> Found | None:
    """Read a quaternion that names its parts, in whatever order; that of a pose stands behind its name."""
    at = re.search(r"orientation|rotation|quaternion", code, re.IGNORECASE)
    for start in (at.end() if at else 0, 0):
        found = re.findall(rf"(?<![A-Za-z0-9])_?([wxyz])\W{{1,3}}?\s*({_NUMBER.pattern})", code[start:])
        named = {str(name): float(number) for name, number in found[:4]}
        if set(named) == set("wxyz"):
            return "quaternion xyzw", [named[name] for name in "xyzw"], "", "A quaternion with named parts"
    letters = [name for name, _ in found]
    if set(letters) == set("wxyz"):
        raise NotationError("Found x, y, z and w more than once: paste the quaternion alone.")
    return None


def _positional(text: str, code: str, given: Mapping[str, str]) -> Pasted | None:
    """Read ``Quaternion(…)``: of some libraries the scalar is its first number, of some its last; comments may tell."""
    found = re.search(r"\bQuaternion\s*\(", code)
    if found is None:
        return None
    match = re.search(r"(?://|#|%).*?\b(?:(w, ?x, ?y, ?z)|(x, ?y, ?z, ?w))\b", text)
    order = given.get("order", "") if match is None else "wxyz" if match[1] else "xyzw"
    asked = (ORDER,) if match is None else ()
    if not order:
        return Pasted("A quaternion, of a library that is not told", asked)
    return _read(f"quaternion {order}", _numbers(code[found.end() :]), 4, "", "A quaternion", asked)


def _hamilton(code: str) -> Pasted | None:
    """Read ``0.8 + 0.1i - 0.2j + 0.5k``."""
    number = r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    pattern = (
        rf"\s*([+-]?)\s*{number}\s*([+-])\s*{number}\s*\*?\s*i\w?\s*([+-])\s*{number}\s*\*?\s*j\w?\s*([+-])\s*{number}"
    )
    found = re.fullmatch(pattern + r"\s*\*?\s*k\w?\s*", code)
    if found is None:
        return None
    w, x, y, z = (float(f"{found[i]}{found[i + 1]}") for i in (1, 3, 5, 7))
    return _read("quaternion xyzw", [x, y, z, w], 4, "", "A quaternion w + x i + y j + z k")


# --- Numbers alone


def _bare(text: str, given: Mapping[str, str], sequence: str) -> Pasted:
    unit_word = re.search(r"(?<![a-z])(deg|rad)\w*\W*$|°\W*$", text.lower())
    unit = "" if unit_word is None else unit_word[1] or "deg"
    numbers = _numbers(text)
    if len(numbers) == 16:
        numbers = _of_homogeneous(numbers)
    if len(numbers) == 12 and text.count("[") + text.count("{") + text.count(";") >= 2:
        return _posed(numbers, given, "The matrix of a pose", (DIRECTION, POSITION))
    match len(numbers):
        case 9:
            direction = given.get("direction", "")
            if not direction:
                return Pasted("A matrix", (DIRECTION,))
            return _read(f"matrix {direction}", numbers, 9, "", "A matrix", (DIRECTION,))
        case 4 if abs(np.linalg.norm(numbers) - 1.0) < _UNIT_LENGTH or not unit:
            if abs(np.linalg.norm(numbers[:3]) - 1.0) < _UNIT_LENGTH < abs(np.linalg.norm(numbers) - 1.0):
                return _with_unit("axis-angle", numbers, unit, given, "An axis and an angle", ())
            order = given.get("order", "")
            if not order:
                return Pasted("A quaternion, or four numbers that may be one", (ORDER,))
            return _read(f"quaternion {order}", numbers, 4, "", "A quaternion", (ORDER,))
        case 4:
            return _with_unit("axis-angle", numbers, unit, given, "An axis and an angle", ())
        case 3:
            return _three(numbers, unit, given, sequence)
        case n:
            raise NotationError(
                f"Found {n} number{'s' * (n != 1)}: expected 9 of a matrix, 4 of a quaternion or of axis and angle,"
                " or 3 of angles or of a vector."
            )


def _three(numbers: list[float], unit: str, given: Mapping[str, str], sequence: str) -> Pasted:
    sequence = sequence if sequence in SEQUENCES else "XYZ"
    vectors = ("rotation-vector", "rotation vector"), ("rodrigues", "Rodrigues")
    kinds = ((f"axes {sequence}", f"angles {sequence}"), *vectors)
    kind = Question("kind", "What are the three numbers?", kinds)
    chosen = given.get("kind", "")
    if chosen not in [choice for choice, _ in kind.choices]:
        return Pasted("Three numbers", (kind,))
    if chosen == "rodrigues":
        return _read(chosen, numbers, 3, "", "Rodrigues parameters", (kind,))
    return _with_unit(chosen, numbers, unit, given, dict(kind.choices)[chosen].capitalize(), (kind,))


def _with_unit(
    form: str, numbers: list[float], unit: str, given: Mapping[str, str], message: str, asked: tuple[Question, ...]
) -> Pasted:
    asked = asked if unit else (*asked, UNIT)
    unit = unit or given.get("unit", "")
    if not unit:
        return Pasted(message, asked)
    return _read(form, numbers, len(numbers), unit, message, asked)


def _posed(
    numbers: list[float], given: Mapping[str, str], message: str, asked: tuple[Question, ...], direction: str = ""
) -> Pasted:
    """Read the three rows of a pose matrix, each with its part of the position behind it."""
    direction, unit = direction or given.get("direction", ""), given.get("position", "")
    if not (direction and unit):
        return Pasted(message, asked)
    rows = np.reshape(numbers, (3, 4))
    pasted = _read(f"matrix {direction}", rows[:, :3].ravel().tolist(), 9, "", message, asked)
    if unit == "none" or pasted.parsed is None:
        return pasted
    p = (1e-3 if unit == "mm" else 1.0) * rows[:, 3]
    x, y, z = (p if direction == "active" else -p @ pasted.parsed.R.T).tolist()
    return replace(pasted, position=(x, y, z))


def _of_homogeneous(numbers: list[float]) -> list[float]:
    """Return the twelve numbers of the upper rows of a pose matrix."""
    matrix = np.reshape(numbers, (4, 4))
    if np.abs(matrix[3] - [0.0, 0.0, 0.0, 1.0]).max() > 1e-9:
        raise NotationError("Found 16 numbers whose last row is not 0 0 0 1: expected the matrix of a pose.")
    return numbers[:12]


def _read(
    form: str, numbers: list[float], n: int, unit: str, message: str, questions: tuple[Question, ...] = ()
) -> Pasted:
    if len(numbers) != n:
        raise NotationError(f"{message} has {n} numbers, got {len(numbers)}.")
    text = " ".join([form, *(repr(number) for number in numbers), *([unit] if unit else [])])
    return Pasted(message, questions, parse_orientation(text, take_nearest=True))


def _numbers(text: str) -> list[float]:
    return [float(match) for match in _NUMBER.findall(text)]


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
            digits = _numbers_of(given, "sequence", 3, what)
            sequence = "".join("XYZ"[int(digit) - 1] if digit in (1.0, 2.0, 3.0) else "?" for digit in digits)
            if sequence not in SEQUENCES:
                raise NotationError(f"{what}: expected a sequence of axes such as {{3, 2, 1}}, neighbours different.")
            return f"axes {sequence}", _numbers_of(given, "angles", 3, what), "rad", f"Modelica angles {sequence}"
        case "axisRotation":
            (axis,), (angle,) = _numbers_of(given, "axis", 1, what), _numbers_of(given, "angle", 1, what)
            if axis not in (1.0, 2.0, 3.0):
                raise NotationError(f"{what}: expected the axis 1, 2 or 3, got {axis:g}.")
            e = [float(axis == i) for i in (1, 2, 3)]
            return "axis-angle", [*e, angle], "rad", f"A Modelica turn about {'xyz'[int(axis) - 1]}"
        case "planarRotation":
            numbers = [*_numbers_of(given, "e", 3, what), *_numbers_of(given, "angle", 1, what)]
            return "axis-angle", numbers, "rad", "A Modelica turn about an axis"
        case "from_nxy" | "from_nxz":
            n_x, n = (_numbers_of(given, key, 3, what) for key in _ARGUMENTS[name])
            T = (frames.from_nxy if name == "from_nxy" else frames.from_nxz)(n_x, n).T
            return "matrix passive", T.ravel().tolist(), "", "Two directions of Modelica"
        case "from_Q":
            return "quaternion xyzw", _numbers_of(given, "Q", 4, what), "", "A Modelica quaternion, scalar last"
        case "from_T_inv":
            return "matrix active", _numbers_of(given, "T_inv", 9, what), "", "A Modelica matrix, frame into parent"
        case _:
            return "matrix passive", _numbers_of(given, "T", 9, what), "", "A Modelica matrix, parent into frame"


def read_three(code: str) -> Found | None:
    """Return what Euler angles or the elements of a matrix of three.js say, None where there are none.

    Its angles are named by their axes, whatever their order; its matrices stand column by column, frame into parent. Of
    one of 16 elements the three rows of a pose are returned.

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


def _numbers_of(given: dict[str, str], key: str, n: int, what: str) -> list[float]:
    """Return the numbers of an argument; ``zeros(3)`` and other calls are none."""
    if key not in given:
        raise NotationError(f"{what}: {key} is missing.")
    words = re.findall(r"[^\s,{}\[\];]+", given[key].replace("Modelica.Constants.pi", "pi").replace(" ", ""))
    if len(words) != n:
        raise NotationError(f"{what}: expected {n} number{'s' * (n != 1)} for {key}, got {len(words)}.")
    return [read_number(f"{what}: {key}", word) for word in words]
