"""Conversion code of a finding: a function from a row of `a` to the corresponding row of `b`.

Each language has a *dialect*, its syntax of matrices, elements and functions. The formulas are the same for all.
Matrices are active, as in `interpretations`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from framescope.core.errors import did_you_mean
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.code_dialects import DIALECTS, Dialect, number
from framescope.features.detective.core.hypotheses import Hypothesis
from framescope.features.detective.core.interpretations import ANGLE_PLACES, Interpretation

LABELS = {
    "numpy": "Python (numpy)",
    "scipy": "Python (scipy)",
    "matlab": "MATLAB",
    "julia": "Julia",
    "modelica": "Modelica",
    "eigen": "C++ (Eigen)",
    "ros-tf2": "C++ (ROS tf2)",
}
"""Name of each target language in the window."""

UNSEEN, LONGEST_NAME = "\N{REPLACEMENT CHARACTER}", 100
"""Replacement of a character that a comment cannot hold, and largest number of characters of a name in a comment."""

CYCLES = {(0, 1, 2), (1, 2, 0), (2, 0, 1)}


def conversion_code(h: Hypothesis, target: str, name_a: str = "A", name_b: str = "B") -> str:
    """Return a function ``b_from_a`` that turns a row of `a` into the row of `b` by a hypothesis.

    Parameters
    ----------
    h
        Hypothesis, such as the best finding's.
    target
        As in `framescope.core.conventions.code_snippets.as_code`: ``"numpy"``, ``"scipy"``, ``"matlab"``, ``"julia"``,
        ``"modelica"``, ``"eigen"`` or ``"ros-tf2"``.
    name_a, name_b
        Names of the sides in the comment.

    Raises
    ------
    ValueError
        When the target is unknown.

    Examples
    --------
    >>> from framescope.features.detective.core.axis_changes import IDENTITY
    >>> first, last = Interpretation("quaternion", "wxyz"), Interpretation("quaternion", "xyzw")
    >>> h = Hypothesis(first, last, False, IDENTITY, IDENTITY)
    >>> scope = {}
    >>> exec(conversion_code(h, "numpy"), scope)
    >>> scope["b_from_a"]([0.8, 0.0, 0.0, 0.6])
    array([0. , 0. , 0.6, 0.8])
    """
    if target not in LABELS:
        raise ValueError(
            f'there is no target "{target}": expected one of {", ".join(LABELS)}. {did_you_mean(target, LABELS)}'
        )
    name_a, name_b = _comment_words(name_a), _comment_words(name_b)
    head = [f"{name_a}: {'; '.join(_single(text) for text in h.texts)}.", f"{name_b}: {h.interpretation_b.text}."]
    if target == "scipy":
        return "\n".join([*(f"# {line}" for line in head), *scipy_lines(h)]) + "\n"
    dialect = DIALECTS[target](len(_names(h.interpretation_b)))
    lines = [*(f"{dialect.comment} {line}" for line in head), *dialect.opens]
    lines += [f"    {line}" for line in _body(h, dialect)]
    return "\n".join([*lines, *dialect.closes]) + "\n"


def _single(text: str) -> str:
    return " ".join(text.split())


def _comment_words(name: str) -> str:
    r"""Return the name of a side for a comment: it cannot end the comment or be read by a compiler.

    Python reads a file's encoding from its first comments, and some encodings contain hidden line breaks.

    >>> _comment_words("a.csv\nimport os # coding: utf-7"), len(_comment_words("x" * 5000))
    ('a.csv import os # coding\ufffd utf-7', 100)
    """
    line = re.sub(r"(?i)(?<=coding)[:=]", UNSEEN, _single(name))
    plain = "".join(mark if mark.isprintable() else UNSEEN for mark in line[:LONGEST_NAME])
    return plain if len(line) <= LONGEST_NAME else f"{plain[:-1]}…"


def _names(interpretation: Interpretation) -> range:
    return range({"quaternion": 4, "matrix": 9, "axis and angle": 4, "heading": 1}.get(interpretation.kind, 3))


# --- Formulas


def _body(h: Hypothesis, d: Dialect) -> Iterator[str]:
    yield from _read(h.interpretation_a, d)
    A = d.transpose("A") if h.is_inverse else "A"
    factors = [A]
    if not np.allclose(h.left, np.eye(3)):
        yield d.let("L", _literal(h.left.T, d), "m")
        factors.insert(0, "L")
    if not np.allclose(h.right, np.eye(3)):
        yield d.let("R", _literal(h.right.T, d), "m")
        factors.append("R")
    yield d.let("M", d.product(factors) if len(factors) > 1 else A, "m")
    yield from _write(h.interpretation_b, d)


def _literal(M: Array, d: Dialect) -> str:
    return d.matrix([[number(value) for value in row] for row in M])


def _in_radians(text: str, interpretation: Interpretation, d: Dialect) -> str:
    return f"{text} * {d.pi} / 180.0" if interpretation.unit == "deg" else text


def _in_unit(text: str, interpretation: Interpretation, d: Dialect) -> str:
    return f"{text} * 180.0 / {d.pi}" if interpretation.unit == "deg" else text


def _read(interpretation: Interpretation, d: Dialect) -> Iterator[str]:
    """Yield lines that compute the active matrix A from a row."""
    match interpretation.kind:
        case "matrix":
            yield d.let("A", d.matrix([[d.row(3 * i + j) for j in range(3)] for i in range(3)]), "m")
        case "heading":
            angle = _in_radians(d.row(0), interpretation, d)
            yield d.let("c", d.call("cos", angle), "n")
            yield d.let("s", d.call("sin", angle), "n")
            yield d.let("A", d.matrix(_about(2, "c", "s")), "m")
        case "quaternion":
            parts = {letter: d.row(interpretation.choice.index(letter)) for letter in "xyzw"}
            yield d.let("n", d.call("sqrt", " + ".join(f"{part} * {part}" for part in parts.values())), "n")
            for letter, part in parts.items():
                yield d.let(letter, f"{part} / n", "n")
            yield d.let("A", d.matrix(_of_quaternion()), "m")
        case "angles":
            moving = interpretation.choice.isupper()
            for i, letter in enumerate(interpretation.choice.upper()):
                angle = _in_radians(d.row(i), interpretation, d)
                yield d.let(f"c{i + 1}", d.call("cos", angle), "n")
                yield d.let(f"s{i + 1}", d.call("sin", angle), "n")
                yield d.let(f"A{i + 1}", d.matrix(_about("XYZ".index(letter), f"c{i + 1}", f"s{i + 1}")), "m")
            yield d.let("A", d.product(["A1", "A2", "A3"] if moving else ["A3", "A2", "A1"]), "m")
        case _:
            yield from _read_turn(interpretation, d)


def _read_turn(interpretation: Interpretation, d: Dialect) -> Iterator[str]:
    """Yield lines that compute the matrix of a rotation about an axis, by its quaternion."""
    if interpretation.kind == "axis and angle":
        place = ANGLE_PLACES[interpretation.choice]
        parts = [d.row(i) for i in range(4) if i != place]
        yield d.let("h", f"{_in_radians(d.row(place), interpretation, d)} / 2.0", "n")
        yield d.let("n", d.call("sqrt", " + ".join(f"{part} * {part}" for part in parts)), "n")
        yield d.let("k", f"{d.call('sin', 'h')} / {d.call('max', 'n, 1e-300')}", "n")
    else:
        parts = [d.row(i) for i in range(3)]
        yield d.let("n", d.call("sqrt", " + ".join(f"{part} * {part}" for part in parts)), "n")
        yield d.let("h", f"{_in_radians('n', interpretation, d)} / 2.0", "n")
        yield d.let("k", f"{d.call('sin', 'h')} / {d.call('max', 'n, 1e-300')}", "n")
    for letter, part in zip("xyz", parts, strict=True):
        yield d.let(letter, f"{part} * k", "n")
    yield d.let("w", d.call("cos", "h"), "n")
    yield d.let("A", d.matrix(_of_quaternion()), "m")


def _of_quaternion() -> list[list[str]]:
    return [
        ["1.0 - 2.0 * (y * y + z * z)", "2.0 * (x * y - z * w)", "2.0 * (x * z + y * w)"],
        ["2.0 * (x * y + z * w)", "1.0 - 2.0 * (x * x + z * z)", "2.0 * (y * z - x * w)"],
        ["2.0 * (x * z - y * w)", "2.0 * (y * z + x * w)", "1.0 - 2.0 * (x * x + y * y)"],
    ]


def _about(axis: int, c: str, s: str) -> list[list[str]]:
    M = [["1.0" if i == j else "0.0" for j in range(3)] for i in range(3)]
    j, k = (axis + 1) % 3, (axis + 2) % 3
    M[j][j] = M[k][k] = c
    M[j][k], M[k][j] = f"-{s}", s
    return M


def _write(interpretation: Interpretation, d: Dialect) -> Iterator[str]:
    """Yield lines that return the row for the matrix M."""
    match interpretation.kind:
        case "matrix":
            yield d.gives([d.element("M", i, j) for i in range(3) for j in range(3)])
        case "heading":
            heading = d.call("atan2", f"{d.element('M', 1, 0)}, {d.element('M', 0, 0)}")
            yield d.gives([_in_unit(heading, interpretation, d)])
        case "angles":
            yield from _write_angles(interpretation, d)
        case "quaternion":
            lines, parts = d.quaternion()
            yield from lines
            yield d.gives([dict(zip("xyzw", parts, strict=True))[letter] for letter in interpretation.choice])
        case _:
            yield from _write_turn(interpretation, d)


def _write_turn(interpretation: Interpretation, d: Dialect) -> Iterator[str]:
    lines, (x, y, z, w) = d.quaternion()
    yield from lines
    for name, part in zip(("qx", "qy", "qz", "qw"), (x, y, z, w), strict=True):
        yield d.let(name, part, "n")
    yield d.let("m", d.call("sqrt", "qx * qx + qy * qy + qz * qz"), "n")
    yield d.let("turn", f"2.0 * {d.call('atan2', 'm, qw')}", "n")
    yield d.let("angle", _in_unit("turn", interpretation, d), "n")
    if interpretation.kind == "rotation vector":
        yield d.let("f", f"angle / {d.call('max', 'm, 1e-300')}", "n")
        yield d.gives(["f * qx", "f * qy", "f * qz"])
        return
    yield d.let("f", f"1.0 / {d.call('max', 'm, 1e-300')}", "n")
    axes = ["f * qx", "f * qy", "f * qz"]
    axes.insert(ANGLE_PLACES[interpretation.choice], "angle")
    yield d.gives(axes)


def _write_angles(interpretation: Interpretation, d: Dialect) -> Iterator[str]:
    """Yield lines that compute the angles of a sequence, the second in its usual range.

    Each rotation is removed before the next angle is computed. So at gimbal lock, where the first angle is arbitrary,
    the other two match it.
    """
    moving = interpretation.choice if interpretation.choice.isupper() else interpretation.choice[::-1].upper()
    i, j, k = ("XYZ".index(letter) for letter in moving)
    m = 3 - i - j
    s = 1 if (i, j, m) in CYCLES else -1

    def element(sign: int, r: int, c: int) -> str:
        return ("-" if sign < 0 else "") + d.element("M", r, c)

    def remaining(r: int, c: int, sign: int = 1) -> str:
        """Write an element, in row j or m, of M without the first rotation."""
        other, direction = (m, s) if r == j else (j, -s)
        text = f"{d.element('M', r, c)} * cf {'+' if direction > 0 else '-'} {d.element('M', other, c)} * sf"
        return text if sign > 0 else f"-({text})"

    if i == k:
        first = (element(1, j, i), element(-s, m, i))
        second = (remaining(m, i, -s), d.element("M", i, i))
        third = (remaining(j, m, -s), remaining(j, j))
    else:
        first = (element(-s, j, k), element(1, k, k))
        second = (element(s, i, k), remaining(k, k))
        third = (remaining(j, i, s), remaining(j, j))
    yield d.let("first", d.call("atan2", ", ".join(first)), "n")
    yield d.let("cf", d.call("cos", "first"), "n")
    yield d.let("sf", d.call("sin", "first"), "n")
    yield d.let("angle1", _in_unit("first", interpretation, d), "n")
    yield d.let("angle2", _in_unit(d.call("atan2", ", ".join(second)), interpretation, d), "n")
    yield d.let("angle3", _in_unit(d.call("atan2", ", ".join(third)), interpretation, d), "n")
    names = ["angle1", "angle2", "angle3"]
    yield d.gives(names if interpretation.choice.isupper() else names[::-1])


def scipy_lines(h: Hypothesis) -> list[str]:
    """Return the lines of a function that converts many rows with scipy."""
    lines = ["import numpy as np", "from scipy.spatial.transform import Rotation", "", "", "def b_from_a(a):"]
    lines.append('    """Return rows of b (n, k) of rows of a (n, l)."""')
    lines.append("    a = np.atleast_2d(np.asarray(a, dtype=float))")
    lines.append(f"    r = {_scipy_read(h.interpretation_a)}")
    if h.is_inverse:
        lines.append("    r = r.inv()")
    for name, M, fmt in (("L", h.left.T, "L * r"), ("R", h.right.T, "r * R")):
        if not np.allclose(M, np.eye(3)):
            proper = M if np.linalg.det(M) > 0 else -M  # mirrors of both sides cancel
            rows = ", ".join("[" + ", ".join(number(value) for value in row) + "]" for row in proper)
            lines += [f"    {name} = Rotation.from_matrix([{rows}])", f"    r = {fmt}"]
    return [*lines, f"    return {_scipy_write(h.interpretation_b)}"]


def _scipy_read(interpretation: Interpretation) -> str:
    degrees = ", degrees=True" if interpretation.unit == "deg" else ""
    match interpretation.kind:
        case "quaternion":
            return (
                "Rotation.from_quat(a)" if interpretation.choice == "xyzw" else "Rotation.from_quat(a[:, [1, 2, 3, 0]])"
            )
        case "matrix":
            return "Rotation.from_matrix(a.reshape(-1, 3, 3))"
        case "heading":
            return f'Rotation.from_euler("z", a.reshape(-1){degrees})'
        case "rotation vector":
            return f"Rotation.from_rotvec(a{degrees})"
        case "axis and angle":
            axis, angle = ("a[:, :3]", "a[:, 3:]") if interpretation.choice == "xyz angle" else ("a[:, 1:]", "a[:, :1]")
            return f"Rotation.from_rotvec({axis} / np.linalg.norm({axis}, axis=1, keepdims=True) * {angle}{degrees})"
        case _:
            return f'Rotation.from_euler("{interpretation.choice}", a{degrees})'


def _scipy_write(interpretation: Interpretation) -> str:
    degrees = "degrees=True" if interpretation.unit == "deg" else ""
    match interpretation.kind:
        case "quaternion":
            return "r.as_quat()" if interpretation.choice == "xyzw" else "r.as_quat()[:, [3, 0, 1, 2]]"
        case "matrix":
            return "r.as_matrix().reshape(-1, 9)"
        case "heading":
            return f'r.as_euler("ZYX"{", " + degrees if degrees else ""}).reshape(-1, 3)[:, :1]'
        case "rotation vector":
            return f"r.as_rotvec({degrees})"
        case "axis and angle":
            angle = "np.degrees(r.magnitude())" if degrees else "r.magnitude()"
            axis = "r.as_rotvec() / np.maximum(r.magnitude(), 1e-300)[:, None]"
            parts = [f"{axis}", f"{angle}[:, None]"]
            return f"np.hstack([{', '.join(parts if interpretation.choice == 'xyz angle' else parts[::-1])}])"
        case _:
            return f'r.as_euler("{interpretation.choice}"{", " + degrees if degrees else ""})'
