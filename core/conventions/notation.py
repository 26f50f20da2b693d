"""Orientations as short unambiguous texts: ``axes ZYX 10 20 30 deg``, ``quaternion wxyz 1 0 0 0``.

A text consists of the name of a form, a qualifier where the numbers alone are ambiguous, the numbers, and the unit of
angles. Numbers may be fractions of pi, as in ``pi/6``. Commas, colons, semicolons and brackets may separate words.
Ambiguous texts are rejected, never guessed.

====================================  ===================================================================
``axes XYZ 10 20 30 deg``             rotations about axes of the moving frame, any of the twelve sequences
``extrinsic xyz 10 20 30 deg``        rotations about fixed axes of frame 1
``rpy 10 20 30 deg``                  roll, pitch, yaw as in ROS
``quaternion xyzw 0 0 0.6 0.8``       Hamilton's, scalar last, or first with ``wxyz``
``matrix passive 0 1 0 -1 0 0 0 0 1``  row by row, ``v_2 = T v_1``; ``active``: ``v_1 = R v_2``
``axis-angle 0 0 1 90 deg``           rotation about an axis
``rotation-vector 0 0 1.57 rad``      axis times angle
``rodrigues 0 0 1``                   axis times tan(angle/2)
``mrp 0 0 0.4``                       modified Rodrigues parameters, axis times tan(angle/4)
====================================  ===================================================================

A form to write is named with colons: ``axes:ZYX``, ``quaternion:wxyz``, ``rotation-vector:rad``, ``code:scipy``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core import conventions, frames
from framescope.core.conventions.code_snippets import ROTATION_TOLERANCE, TARGETS, as_code, single_rotation
from framescope.core.conventions.matrix_problems import matrix_problem
from framescope.core.errors import FramescopeError, did_you_mean
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.angle_branches import both_branches
from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, SEQUENCES, Array, as_sequence
from framescope.core.orientation import Orientation
from framescope.core.transformation_matrices import project_to_rotation

_NEAR_LOCK = 1e-6
"""Sine of the distance from gimbal lock below which a note warns of gimbal lock."""
_HALF_TURN = 1e-12
"""Scalar of a quaternion below which it counts as a half turn."""


@dataclass(frozen=True)
class TextForm:
    """A form of orientation as text: functions that read and write its numbers, and their meaning.

    `write` returns all sets of numbers for an orientation. The last `n_angles` numbers are angles, in rad. The first
    `n_of_unit_length` numbers together have unit length. With `is_vector`, the length of the vector is an angle.
    """

    name: str
    n_numbers: int
    read: Callable[[str, Array], tuple[Array, float]]
    write: Callable[[str, Array], Sequence[Array]]
    meaning: Callable[[str], str]
    note: Callable[[str, Array], str] = lambda _qualifier, _T: ""
    qualifiers: tuple[str, ...] = ()
    kind_of_qualifier: str = ""
    default: str = ""
    n_angles: int = 0
    n_of_unit_length: int = 0
    is_matrix: bool = False
    is_vector: bool = False


def _exact(read: Callable[[str, Array], Array]) -> Callable[[str, Array], tuple[Array, float]]:
    """Return a reader for numbers that always are a rotation, with the distance 0."""
    return lambda qualifier, numbers: (read(qualifier, numbers), 0.0)


def _T(Q: Array) -> Array:
    """Return the matrix of a quaternion."""
    return linear_algebra.matrix_from_quaternion(Q)


def _Q(T: Array) -> Array:
    """Return the quaternion of a matrix."""
    return linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN)


def _read_matrix(qualifier: str, numbers: Array) -> tuple[Array, float]:
    """Return the rotation nearest to nine numbers, and its distance from them."""
    M = numbers.reshape(3, 3)
    T, distance = project_to_rotation(M if qualifier == "passive" else M.T)
    return T, float(distance)


def _axes_branches(sequence: str, T: Array) -> list[Array]:
    """Return both sets of angles of a matrix."""
    return list(both_branches(as_sequence(sequence), T))


def _lock_note(sequence: str, T: Array, first: str, third: str) -> str:
    """Return a note on gimbal lock, or an empty text; `first` and `third` name the angles of the moving axes."""
    axes = as_sequence(sequence)
    row = T[axes[2] - 1]
    if axis_rotations.is_locked(axes)(T):
        sign = "+" if row[axes[0] - 1] > 0.0 else "-"
        return f"gimbal lock: only {first} {sign} {third} is defined; {first} is set to 0"
    off = math.hypot(*(row[i] for i in range(3) if i != axes[0] - 1))
    if off < _NEAR_LOCK:
        uncertainty = f"{1e-16 / off:.1g} rad"
        return f"near gimbal lock, {off:.2g} rad from it: {first} and {third} are uncertain by about {uncertainty}"
    return ""


def _half_turn_note(_qualifier: str, T: Array) -> str:
    """Return a note on half turns, which have two opposite directions, or an empty text."""
    return "half turn: the opposite direction is the same orientation" if abs(_Q(T)[3]) < _HALF_TURN else ""


def _rodrigues_note(_qualifier: str, T: Array) -> str:
    """Return a note on half turns, where Rodrigues parameters are infinite, or an empty text."""
    w = abs(_Q(T)[3])
    if w == 0.0:
        return "infinite at a half turn; mrp, quaternion or axis-angle have numbers for it"
    return "half turn within rounding: the numbers show little else" if w < _HALF_TURN else ""


_ORDERS = {"xyzw": "last", "wxyz": "first"}

FORMS: dict[str, TextForm] = {
    form.name: form
    for form in (
        TextForm(
            "axes",
            3,
            _exact(lambda sequence, angles: frames.axes_rotations(sequence, angles).T),
            _axes_branches,
            lambda sequence: (
                f"turns about the axes {', '.join(sequence.lower())} of the moving frame, one after another"
            ),
            note=lambda sequence, T: _lock_note(sequence, T, "angle 1", "angle 3"),
            qualifiers=SEQUENCES,
            kind_of_qualifier="sequence of moving axes (upper case)",
            n_angles=3,
        ),
        TextForm(
            "extrinsic",
            3,
            _exact(lambda axes, angles: frames.axes_rotations(*conventions.intrinsic_from_extrinsic(axes, angles)).T),
            lambda axes, T: [angles[::-1] for angles in _axes_branches(axes[::-1].upper(), T)],
            lambda axes: f"turns about the fixed axes {', then '.join(axes)} of frame 1",
            note=lambda axes, T: _lock_note(axes[::-1].upper(), T, "angle 3", "angle 1"),
            qualifiers=EXTRINSIC_SEQUENCES,
            kind_of_qualifier="sequence of fixed axes (lower case)",
            n_angles=3,
        ),
        TextForm(
            "rpy",
            3,
            _exact(lambda _, angles: conventions.T_from_roll_pitch_yaw(angles)),
            lambda _, T: [conventions.roll_pitch_yaw_from_T(T)],
            lambda _: "roll, pitch, yaw as in ROS: turns about the fixed axes x, then y, then z of frame 1",
            note=lambda _, T: _lock_note("ZYX", T, "yaw", "roll"),
            n_angles=3,
        ),
        TextForm(
            "quaternion",
            4,
            _exact(lambda order, q: _T(q if order == "xyzw" else np.roll(q, -1))),
            lambda order, T: [_Q(T) if order == "xyzw" else np.roll(_Q(T), 1)],
            lambda order: f"Hamilton's, scalar {_ORDERS[order]}: v_1 = q v_2 conj(q)",
            qualifiers=tuple(_ORDERS),
            kind_of_qualifier="order",
            default="xyzw",
            n_of_unit_length=4,
        ),
        TextForm(
            "matrix",
            9,
            _read_matrix,
            lambda direction, T: [(T if direction == "passive" else T.T).ravel()],
            lambda direction: (
                "row by row, v_2 = T v_1: its rows are the axes of frame 2 resolved in frame 1"
                if direction == "passive"
                else "row by row, v_1 = R v_2: its columns are the axes of frame 2 resolved in frame 1"
            ),
            qualifiers=("passive", "active"),
            kind_of_qualifier="direction",
            default="passive",
            is_matrix=True,
        ),
        TextForm(
            "axis-angle",
            4,
            _exact(lambda _, n: _T(conventions.quaternion_from_axis_angle(n[:3], n[3]))),
            lambda _, T: [np.append(*conventions.axis_angle_from_quaternion(_Q(T)))],
            lambda _: "the turn from frame 1 to frame 2 about an axis, whose components are the same in both",
            note=_half_turn_note,
            n_angles=1,
            n_of_unit_length=3,
        ),
        TextForm(
            "rotation-vector",
            3,
            _exact(lambda _, r: conventions.T_from_rotation_vector(r)),
            lambda _, T: [conventions.rotation_vector_from_T(T)],
            lambda _: "axis times angle of the turn from frame 1 to frame 2",
            note=_half_turn_note,
            n_angles=3,
            is_vector=True,
        ),
        TextForm(
            "rodrigues",
            3,
            _exact(lambda _, g: _T(conventions.quaternion_from_rodrigues(g))),
            lambda _, T: [conventions.rodrigues_from_quaternion(_Q(T))],
            lambda _: "Rodrigues (Gibbs) parameters, axis times tan(angle/2), of the turn from frame 1 to frame 2",
            note=_rodrigues_note,
        ),
        TextForm(
            "mrp",
            3,
            _exact(lambda _, p: _T(conventions.quaternion_from_modified_rodrigues(p))),
            lambda _, T: [conventions.modified_rodrigues_from_quaternion(_Q(T))],
            lambda _: "modified Rodrigues parameters, axis times tan(angle/4), of the turn from frame 1 to frame 2",
            note=_half_turn_note,
        ),
    )
}
"""Forms that can be read and written, by name."""


UNITS = {"deg": math.pi / 180.0, "rad": 1.0}
"""Units of angles, in rad."""

_DECIMAL = r"(?:\d+\.?\d*|\.\d+)"
_NUMBER = re.compile(rf"[+-]?{_DECIMAL}(e[+-]?\d+)?|[+-]?(?:{_DECIMAL}\*?)?(?:pi|π)(?:/{_DECIMAL})?", re.IGNORECASE)
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)|none|null|n/?a|#n/?a", re.IGNORECASE)
_OF_PI = re.compile(rf"([+-]?)({_DECIMAL})?\*?(?:pi|π)(?:/({_DECIMAL}))?", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s,;:()\[\]{}]+")
_GLUED_UNIT = re.compile(r"(?<=[\d.])(?=(deg|rad)\b)")
_DIGITS = re.compile(r"[1-3]{3}")


class NotationError(FramescopeError, ValueError):
    """Error of a text that is not an orientation, or does not name a form to write."""


@dataclass(frozen=True, eq=False)
class Parsed:
    """Result of parsing a text.

    Parameters
    ----------
    R : Orientation
        A rotation, frame 1 into frame 2, with zero angular velocity.
    form
        Name and qualifier, such as ``"quaternion xyzw"``.
    meaning
        Meaning of the numbers, in words.
    distance
        Distance of the numbers from a rotation. For quaternions and axes it is the deviation from unit length, for
        matrices the Frobenius norm of the difference from the nearest rotation.
    """

    R: Orientation
    form: str
    meaning: str
    distance: float


@dataclass(frozen=True)
class Writing:
    """An orientation written in one form.

    Parameters
    ----------
    form
        Name and qualifier, such as ``"axes ZYX"`` or ``"code scipy"``.
    texts
        The text, and for axis sequences the text of the second set of angles. Empty if the form has no numbers for the
        orientation.
    meaning
        Meaning of the numbers, in words.
    note
        Note on special cases such as gimbal lock; mostly empty.
    """

    form: str
    texts: tuple[str, ...]
    meaning: str
    note: str = ""


def parse_orientation(text: str, *, take_nearest: bool = False) -> Parsed:
    """Return the orientation that a text describes, with the meaning of its numbers.

    Parameters
    ----------
    text
        Text in one of the forms of the table in the module's docstring.
    take_nearest
        Accept numbers at any distance from a rotation, and return the nearest rotation. Otherwise the distance is
        limited to 1e-3.

    Returns
    -------
    Parsed
        The rotation from frame 1 into frame 2, the form with its qualifier, the meaning of the numbers, and their
        distance from a rotation.

    Raises
    ------
    NotationError
        A `ValueError` that names the expected text, the actual text, and a likely correction if there is one.

    Notes
    -----
    The parser rejects a missing qualifier or unit where the numbers alone are ambiguous, a unit where there are no
    angles, numbers over 1e100, and an axis or a quaternion of zeros, even with `take_nearest`. Quaternions and axes are
    divided by their length, matrices replaced by the nearest rotation. All other forms are rotations for any numbers.
    Names of forms may be in either case. Axes may not: upper case means moving axes, lower case fixed axes.

    Examples
    --------
    >>> parsed = parse_orientation("axis-angle [0, 0, 1] 90 deg")
    >>> parsed.R.T.round(12)[0], parsed.form
    (array([0., 1., 0.]), 'axis-angle')
    >>> parse_orientation("quaternion 0 0 0 1")
    Traceback (most recent call last):
    ...
    framescope.core.conventions.notation.NotationError: quaternion: state the order, xyzw or wxyz.
    """
    text = _GLUED_UNIT.sub(" ", text.replace("\N{MINUS SIGN}", "-").replace("°", " deg "))
    words = [word for word in _SEPARATORS.split(text) if word]
    if not words:
        raise NotationError('Expected an orientation such as "axes ZYX 10 20 30 deg", got an empty text.')
    form = _form(words.pop(0))
    if form.qualifiers and len(words) > form.n_numbers and _DIGITS.fullmatch(words[0]):
        letters = "".join("XYZ"[int(digit) - 1] for digit in words[0])
        letters = letters if letters in form.qualifiers else letters.lower()
        raise NotationError(f'{form.name}: write the axes with letters, "{letters}" for {words[0]}.')
    qualifier = _qualifier(form, words.pop(0) if words and not _is_number(words[0]) else "")
    label = _label(form, qualifier)
    # A word in place of the last number is no unit.
    is_unit = bool(words) and not _is_number(words[-1]) and (len(words) > form.n_numbers or words[-1] in UNITS)
    unit = words.pop() if is_unit else ""
    if unit and form.n_angles > 1:  # each angle may have it, as in 10° 20° 30°
        words = [word for word in words if word != unit]
    numbers = [read_number(label, word) for word in words]
    return orientation_from_numbers(label, numbers, unit, take_nearest=take_nearest)


def orientation_from_numbers(label: str, numbers: Sequence[float], unit: str = "", *, take_nearest: bool) -> Parsed:
    """Return the orientation that the numbers of a form describe.

    Parameters
    ----------
    label
        Name and qualifier of the form, such as ``"axes ZYX"`` or ``"rpy"``.
    numbers
        Finite numbers of the form.
    unit
        Unit of its angles, ``"deg"`` or ``"rad"``; empty for forms without angles.
    take_nearest
        Accept numbers at any distance from a rotation, and return the nearest rotation.

    Raises
    ------
    NotationError
        When the count of numbers or the unit is wrong, or the numbers are farther than 1e-3 from a rotation.

    Examples
    --------
    >>> orientation_from_numbers("rpy", [0.0, 0.0, 90.0], "deg", take_nearest=False).R.T.round(12)[0]
    array([0., 1., 0.])
    """
    name, _, qualifier = label.partition(" ")
    form = _form(name)
    if len(numbers) != form.n_numbers:
        raise NotationError(f"{label}: expected {form.n_numbers} numbers, got {len(numbers)}.")
    values = _in_unit(form, np.array(numbers, dtype=float), _unit(form, label, unit))
    unit_numbers, distance = _normalize(form, label, values)
    T, distance_of_matrix = form.read(qualifier, unit_numbers)
    distance = max(distance, distance_of_matrix)
    if distance > ROTATION_TOLERANCE and not take_nearest:
        offer = _write(form, qualifier, form.write(qualifier, T)[0] if form.is_matrix else unit_numbers, unit or "rad")
        problem = matrix_problem(values.reshape(3, 3)) if form.is_matrix else None
        fault = f"its numbers are {distance:.3g} away from any rotation." if problem is None else problem.message
        expected = f"Expected a rotation within {ROTATION_TOLERANCE:g}."
        raise NotationError(f'{label}: {fault} {expected} The nearest is "{offer}".')
    return Parsed(Orientation(T, np.zeros(3)), label, form.meaning(qualifier), distance)


def write_orientation(R: Orientation, form: str, unit: str = "deg") -> str:
    """Return one orientation as a text that `parse_orientation` reads, or as a line of code.

    Parameters
    ----------
    R : Orientation
        One orientation, within 1e-3 of a rotation.
    form
        Target such as ``"axes:ZYX"``, ``"extrinsic:xyz"``, ``"quaternion"`` (scalar last), ``"quaternion:wxyz"``,
        ``"matrix"`` (passive), ``"matrix:active"``, ``"axis-angle"``, ``"rotation-vector:rad"``, ``"rodrigues"``,
        ``"mrp"``, ``"rpy"``, ``"code:scipy"``.
    unit
        Unit of angles unless `form` contains one, ``"deg"`` or ``"rad"``.

    Returns
    -------
    str
        Text with 15 significant digits, or code with all digits.

    Raises
    ------
    NotationError
        When the form or unit is unknown, or the form has no numbers for this orientation.
    ValueError
        When `R` is not an `Orientation`, has leading axes, or has a matrix farther than 1e-3 from a rotation.

    Notes
    -----
    A matrix that has drifted by more than 1e-12 is replaced by the nearest rotation. The angular velocity is written
    only as code for Modelica. At gimbal lock, angle 1 of a sequence is set to 0, angle 3 of ``"extrinsic"``, and the
    yaw of ``"rpy"``. Only ``"rodrigues"`` lacks numbers for some orientations, namely half turns.

    Examples
    --------
    >>> from framescope.core import frames
    >>> R = frames.axis_rotation(3, np.pi / 2)
    >>> write_orientation(R, "rpy"), write_orientation(R, "axis-angle:rad")
    ('rpy 0 0 90 deg', 'axis-angle 0 0 1 1.5707963267949 rad')
    """
    writing = describe_orientation(R, form, unit)
    if not writing.texts:
        raise NotationError(f"{writing.form}: {writing.note}.")
    return writing.texts[0]


def describe_orientation(R: Orientation, form: str, unit: str = "deg") -> Writing:
    """Return an orientation in a form, with its second set of angles, the meaning of the numbers, and a note.

    Parameters
    ----------
    R : Orientation
        One orientation, within 1e-3 of a rotation.
    form
        Target as for `write_orientation`, such as ``"axes:ZYX"``, ``"rotation-vector:rad"`` or ``"code:scipy"``.
    unit
        Unit of angles unless `form` contains one, ``"deg"`` or ``"rad"``.

    Returns
    -------
    Writing
        The form with its qualifier, its texts, the meaning of the numbers, and a note. There is no text where the form
        has no numbers for this orientation; the note gives the reason.

    Raises
    ------
    NotationError
        When the form or unit is unknown.
    ValueError
        When `R` is not an `Orientation`, has leading axes, or has a matrix farther than 1e-3 from a rotation.

    Notes
    -----
    ``"axes"`` and ``"extrinsic"`` have two texts, one for each set of angles of the orientation. Notes report gimbal
    lock, angles less than 1e-6 rad from it, and half turns.

    Examples
    --------
    >>> from framescope.core import frames
    >>> describe_orientation(frames.axes_rotations("ZYX", [0.0, np.pi / 2, 0.0]), "axes:ZYX").note
    'gimbal lock: only angle 1 - angle 3 is defined; angle 1 is set to 0'
    """
    target = parse_target(form, unit)
    R = single_rotation(R)
    if target.form is None:
        code = target.qualifier
        return Writing(f"code {code}", (as_code(R, code),), f"one line of code for {code}")
    candidates = [numbers for numbers in target.form.write(target.qualifier, R.T) if np.isfinite(numbers).all()]
    texts = tuple(_write(target.form, target.qualifier, numbers, target.unit) for numbers in candidates)
    note = target.form.note(target.qualifier, R.T)
    return Writing(_label(target.form, target.qualifier), texts, target.form.meaning(target.qualifier), note)


# --- Targets


@dataclass(frozen=True)
class Target:
    """A form to write, with qualifier and unit.

    Parameters
    ----------
    form
        The form, or None for code.
    qualifier
        Qualifier of the form, such as ``"ZYX"``, or target of the code; empty for forms without qualifiers.
    unit
        ``"deg"`` or ``"rad"``; empty for forms without angles.
    """

    form: TextForm | None
    qualifier: str
    unit: str


def parse_target(text: str, unit: str = "deg") -> Target:
    """Return the form, qualifier and unit that a text such as ``"axes:ZYX:rad"`` names.

    Parameters
    ----------
    text
        Name of a form, optionally with a qualifier and a unit, separated by colons; or ``"code:"`` with one of
        `code_snippets.TARGETS`.
    unit
        Unit of angles unless the text contains one, ``"deg"`` or ``"rad"``.

    Returns
    -------
    Target
        The form with qualifier and unit. Default qualifiers are ``"xyzw"`` for quaternions and ``"passive"`` for
        matrices.

    Raises
    ------
    NotationError
        When the form, qualifier or unit is unknown, an axis sequence is missing, or there is a unit without angles.

    Examples
    --------
    >>> parse_target("quaternion").qualifier, parse_target("code:numpy").qualifier
    ('xyzw', 'numpy')
    """
    if unit not in UNITS:
        raise NotationError(f'unit: expected deg or rad, got "{unit}". {did_you_mean(unit, UNITS)}')
    name, *parts = (part.strip() for part in text.strip().split(":"))
    units = [part for part in parts if part in UNITS]
    others = [part for part in parts if part not in UNITS]
    if len(units) > 1 or len(others) > 1:
        raise NotationError(f'"{text}": expected a form with at most one qualifier and one unit, such as axes:ZYX:rad.')
    if name.casefold() == "code":
        target = others[0] if others else ""
        if target not in TARGETS or units:
            got = units[0] if units else target
            raise NotationError(f'code: expected a library or language, got "{got}". {did_you_mean(got, TARGETS)}')
        return Target(None, target, "")
    form = _form(name, "code")
    label = _label(form, _qualifier(form, others[0] if others else form.default))
    requested_unit = units[0] if units else unit if form.n_angles else ""
    return Target(form, label.partition(" ")[2], _unit(form, label, requested_unit))


def _form(word: str, *others: str) -> TextForm:
    """Return the text form of a given name, or raise an error with suggestions."""
    form = FORMS.get(word.casefold())
    if form is None:
        names = [*FORMS, *others]
        raise NotationError(f'Expected the name of a form of orientation, got "{word}". {did_you_mean(word, names)}')
    return form


def _qualifier(form: TextForm, word: str) -> str:
    """Return a valid qualifier of a form, or raise an error with suggestions."""
    if not form.qualifiers and word:
        raise NotationError(f'{form.name}: expected numbers, got "{word}".')
    if not form.qualifiers or word in form.qualifiers:
        return word
    if not word:
        some = " or ".join(form.qualifiers) if len(form.qualifiers) == 2 else f"such as {form.qualifiers[-2]}"
        raise NotationError(f"{form.name}: state the {form.kind_of_qualifier}, {some}.")
    hint = _other_case(form, word) or did_you_mean(word, form.qualifiers)
    raise NotationError(f'{form.name}: expected the {form.kind_of_qualifier}, got "{word}". {hint}')


def _other_case(form: TextForm, word: str) -> str:
    """Return a hint on a sequence written in the other case, or an empty text."""
    moving, fixed = word.upper(), word.lower()
    if form.name == "axes" and moving in SEQUENCES:
        return f'Moving axes are upper case, "axes {moving}"; lower case is about fixed axes, "extrinsic {fixed}".'
    if form.name == "extrinsic" and word in SEQUENCES:
        return f'Fixed axes are lower case, "extrinsic {fixed}"; upper case is about moving axes, "axes {moving}".'
    return ""


def _unit(form: TextForm, label: str, word: str) -> str:
    """Return the unit of the angles, or raise an error when it is missing, unknown or superfluous."""
    if form.n_angles and not word:
        raise NotationError(f'{label}: the angles need a unit: write "deg" or "rad" behind the numbers.')
    if word and not form.n_angles:
        raise NotationError(f'{label}: there are no angles in it that could have the unit "{word}".')
    if word and word not in UNITS:
        raise NotationError(f'{label}: expected the unit deg or rad, got "{word}". {did_you_mean(word, UNITS)}')
    return word


def _is_number(word: str) -> bool:
    """Return whether a word is a number, or a text for a missing number, which `read_number` rejects."""
    return bool(_NUMBER.fullmatch(word) or _NOT_FINITE.fullmatch(word))


def read_number(label: str, word: str) -> float:
    """Return a number or a fraction of pi, or raise a `NotationError` that begins with `label`."""
    if not _NUMBER.fullmatch(word):
        finite = "finite " if _NOT_FINITE.fullmatch(word) else ""
        raise NotationError(f'{label}: expected a {finite}number, got "{word}".')
    of_pi = _OF_PI.fullmatch(word)
    if of_pi is None:
        number = float(word)
    else:
        sign, times, part = of_pi.groups()
        divisor = float(part or 1)
        number = float(f"{sign}{times or 1}") * math.pi / divisor if divisor else math.inf
    if not abs(number) <= 1e100:
        raise NotationError(f'{label}: expected numbers of at most 1e100, got "{word}".')
    return number


def _label(form: TextForm, qualifier: str) -> str:
    return f"{form.name} {qualifier}" if qualifier else form.name


def _in_unit(form: TextForm, numbers: Array, unit: str) -> Array:
    """Return the numbers with angles converted to rad."""
    numbers = numbers.copy()
    angles = numbers[form.n_numbers - form.n_angles :]
    if unit == "deg":  # whole turns are removed in degrees, where this is exact; in radians it would cost digits
        if form.is_vector:
            length = math.hypot(*angles)
            angles *= _within_half_turn(length) / length if length > 180.0 else 1.0
        else:
            angles[:] = [_within_half_turn(angle) for angle in angles]
    angles *= UNITS.get(unit, 1.0)
    return numbers


def _within_half_turn(angle_deg: float) -> float:
    """Return an angle minus whole turns.

    >>> _within_half_turn(1e3), _within_half_turn(180.0), _within_half_turn(-190.0)
    (-80.0, 180.0, 170.0)
    """
    return math.remainder(angle_deg, 360.0) if abs(angle_deg) > 180.0 else angle_deg


def _normalize(form: TextForm, label: str, numbers: Array) -> tuple[Array, float]:
    """Normalize the numbers that together must have unit length; return all numbers and the deviation of the length."""
    if not form.n_of_unit_length:
        return numbers, 0.0
    length = math.hypot(*numbers[: form.n_of_unit_length])
    if length < 1e-100:
        raise NotationError(f"{label}: expected a direction of unit length, got zeros.")
    numbers = numbers.copy()
    numbers[: form.n_of_unit_length] /= length
    return numbers, abs(length - 1.0)


def _write(form: TextForm, qualifier: str, numbers: Array, unit: str) -> str:
    """Return the text of numbers in a form."""
    numbers = numbers + 0.0  # no -0
    first_angle = form.n_numbers - form.n_angles
    if unit == "deg":
        numbers[first_angle:] = np.degrees(numbers[first_angle:])
    words = [f"{number:.15g}" for number in numbers]
    if form.is_matrix:
        words = ["[" + "; ".join(" ".join(words[i : i + 3]) for i in (0, 3, 6)) + "]"]
    return " ".join([_label(form, qualifier), *words, *([unit] if form.n_angles else [])])
