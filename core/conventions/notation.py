"""Orientations as short texts that say what they mean: ``axes ZYX 10 20 30 deg``, ``quaternion wxyz 1 0 0 0``.

A text is the name of a form, its qualifier where the numbers alone could be read in more than one way, the numbers, and
the unit of angles. A number may be a part of pi, as in ``pi/6``; commas, colons, semicolons and brackets may stand
between words. What is ambiguous is refused, never guessed.

====================================  ===================================================================
``axes XYZ 10 20 30 deg``             turns about the axes of the moving frame, any of the twelve sequences
``extrinsic xyz 10 20 30 deg``        turns about the fixed axes of frame 1
``rpy 10 20 30 deg``                  roll, pitch, yaw as in ROS
``quaternion xyzw 0 0 0.6 0.8``       Hamilton's, scalar last, or first with ``wxyz``
``matrix passive 0 1 0 -1 0 0 0 0 1``  row by row, ``v_2 = T v_1``; ``active``: ``v_1 = R v_2``
``axis-angle 0 0 1 90 deg``           a turn about an axis
``rotation-vector 0 0 1.57 rad``      axis times angle
``rodrigues 0 0 1``                   axis times tan(angle/2)
``mrp 0 0 0.4``                       modified Rodrigues parameters, axis times tan(angle/4)
====================================  ===================================================================

What is asked for to be written has colons: ``axes:ZYX``, ``quaternion:wxyz``, ``rotation-vector:rad``, ``code:scipy``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core import conventions, frames
from framescope.core.conventions.code_snippets import ROTATION_TOLERANCE, TARGETS, as_code, single_rotation
from framescope.core.errors import FramescopeError, did_you_mean
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.angle_branches import both_branches
from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, SEQUENCES, Array, as_sequence
from framescope.core.orientation import Orientation
from framescope.core.transformation_matrices import project_to_rotation

_NEAR_LOCK = 1e-6
_HALF_TURN = 1e-12


@dataclass(frozen=True)
class TextForm:
    """One form: how its numbers are read and written, `write` with all sets of them.

    Angles are the last numbers, in rad; those that together have unit length are the first. Of a vector the
    length is an angle.
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
    """Return a reader of numbers of which all are rotations."""
    return lambda qualifier, numbers: (read(qualifier, numbers), 0.0)


def _T(Q: Array) -> Array:
    return linear_algebra.matrix_from_quaternion(Q)


def _Q(T: Array) -> Array:
    return linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN)


def _read_matrix(qualifier: str, numbers: Array) -> tuple[Array, float]:
    M = numbers.reshape(3, 3)
    T, distance = project_to_rotation(M if qualifier == "passive" else M.T)
    return T, float(distance)


def _axes_branches(sequence: str, T: Array) -> list[Array]:
    return list(both_branches(as_sequence(sequence), T))


def _lock_note(sequence: str, T: Array, first: str, third: str) -> str:
    """Tell of gimbal lock; `first` and `third` are what the angles of the moving axes are called."""
    axes = as_sequence(sequence)
    row = T[axes[2] - 1]
    if axis_rotations.is_locked(axes)(T):
        sign = "+" if row[axes[0] - 1] > 0.0 else "-"
        return f"gimbal lock: only {first} {sign} {third} is defined; {first} is set to 0"
    off = math.hypot(*(row[i] for i in range(3) if i != axes[0] - 1))
    if off < _NEAR_LOCK:
        by = f"{1e-16 / off:.1g} rad"
        return f"near gimbal lock, {off:.2g} rad from it: {first} and {third} are uncertain by about {by}"
    return ""


def _half_turn_note(_qualifier: str, T: Array) -> str:
    return "half turn: the opposite direction is the same orientation" if abs(_Q(T)[3]) < _HALF_TURN else ""


def _rodrigues_note(_qualifier: str, T: Array) -> str:
    w = abs(_Q(T)[3])
    if w == 0.0:
        return "infinite at a half turn; mrp, quaternion or axis-angle have numbers for it"
    return "half turn within rounding: the numbers say little more than that" if w < _HALF_TURN else ""


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
"""The forms that are read and written, by name."""


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
    """A text is no orientation, or names no form to write one in."""


@dataclass(frozen=True, eq=False)
class Parsed:
    """Result of parsing a text.

    Parameters
    ----------
    R : Orientation
        A rotation, frame 1 into frame 2; its angular velocity is zero.
    form
        Name and qualifier, such as ``"quaternion xyzw"``.
    meaning
        What the numbers are, in words.
    distance
        How far they were from a rotation: of a quaternion or an axis its length from 1, of a matrix the Frobenius norm
        of the difference to the nearest rotation, which was taken.
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
        The text, and for sequences of turns that of the other angles for the same orientation; none where the form has
        no numbers for it.
    meaning
        What the numbers are, in words.
    note
        What is special here, such as gimbal lock; mostly empty.
    """

    form: str
    texts: tuple[str, ...]
    meaning: str
    note: str = ""


def parse_orientation(text: str, *, take_nearest: bool = False) -> Parsed:
    """Return the orientation that a text describes, with how it was read.

    Parameters
    ----------
    text
        As the table at the head of this module has it.
    take_nearest
        Take the nearest rotation however far the numbers are from one; without, at most 1e-3.

    Returns
    -------
    Reading
        The rotation from frame 1 into frame 2, the form with its qualifier, what the numbers mean, and how far they
        were from a rotation.

    Raises
    ------
    NotationError
        A `ValueError`: it names what was expected, what came, and where it can the text that was probably meant.

    Notes
    -----
    Refused are a qualifier or a unit that is missing where the numbers alone could be read in more than one way, a unit
    where there are no angles, numbers over 1e100, and an axis or a quaternion of zeros, with `take_nearest` too.
    Quaternions and axes are divided by their length, matrices replaced by the nearest rotation; all other numbers are
    rotations as they stand. The name of a form may be in either case, letters of axes may not: upper case is about
    moving axes, lower case about fixed ones.

    Examples
    --------
    >>> parsed = parse_orientation("axis-angle [0, 0, 1] 90 deg")
    >>> parsed.R.T.round(12)[0], parsed.form
    (array([0., 1., 0.]), 'axis-angle')
    >>> parse_orientation("quaternion 0 0 0 1")
    Traceback (most recent call last):
    ...
    framescope.core.conventions.notation.NotationError: quaternion: say which order, xyzw or wxyz.
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
    # Where a word stands in place of the last number, it is no unit.
    is_unit = bool(words) and not _is_number(words[-1]) and (len(words) > form.n_numbers or words[-1] in UNITS)
    unit = words.pop() if is_unit else ""
    if unit and form.n_angles > 1:  # each angle may have it, as in 10° 20° 30°
        words = [word for word in words if word != unit]
    numbers = np.array([read_number(label, word) for word in words])
    if len(numbers) != form.n_numbers:
        raise NotationError(f"{label}: expected {form.n_numbers} numbers, got {len(numbers)}.")
    numbers = _in_unit(form, numbers, _unit(form, label, unit))
    given, distance = _made_unit(form, label, numbers)
    T, distance_of_matrix = form.read(qualifier, given)
    distance = max(distance, distance_of_matrix)
    if distance > ROTATION_TOLERANCE and not take_nearest:
        offer = _written(form, qualifier, form.write(qualifier, T)[0] if form.is_matrix else given, unit or "rad")
        raise NotationError(
            f"{label}: expected a rotation within {ROTATION_TOLERANCE:g}, got numbers {distance:.3g} away from any."
            f' The nearest is "{offer}".'
        )
    return Parsed(Orientation(T, np.zeros(3)), label, form.meaning(qualifier), distance)


def write_orientation(R: Orientation, form: str, unit: str = "deg") -> str:
    """Return one orientation as a text that `parse_orientation` reads, or as a line of code.

    Parameters
    ----------
    R : Orientation
        One orientation, within 1e-3 of a rotation.
    form
        Such as ``"axes:ZYX"``, ``"extrinsic:xyz"``, ``"quaternion"`` (scalar last), ``"quaternion:wxyz"``, ``"matrix"``
        (passive), ``"matrix:active"``, ``"axis-angle"``, ``"rotation-vector:rad"``, ``"rodrigues"``, ``"mrp"``,
        ``"rpy"``, ``"code:scipy"``.
    unit
        Of angles for which the form says none, ``"deg"`` or ``"rad"``.

    Returns
    -------
    str
        With 15 significant digits; code has all.

    Raises
    ------
    NotationError
        When there is no such form or unit, or the form has no numbers for this orientation.
    ValueError
        When `R` is no `Orientation`, has leading axes, or has a matrix farther than 1e-3 from a rotation.

    Notes
    -----
    A matrix that has drifted by more than 1e-12 is replaced by the nearest rotation. The angular velocity is written
    only as code for Modelica. At the lock of a sequence angle 1 is set to 0, with ``"extrinsic"`` angle 3, with
    ``"rpy"`` yaw. Only ``"rodrigues"`` lacks numbers for some orientations, the half turns.

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
    """Return one orientation in one form, with its other angles, what the numbers mean, and what is special.

    Parameters
    ----------
    R : Orientation
        One orientation, within 1e-3 of a rotation.
    form
        As `write_orientation` takes it, such as ``"axes:ZYX"``, ``"rotation-vector:rad"`` or ``"code:scipy"``.
    unit
        Of angles for which the form says none, ``"deg"`` or ``"rad"``.

    Returns
    -------
    Writing
        The form with its qualifier, its texts, what the numbers mean, and a note. There is no text where the form has
        no numbers for this orientation; the note tells why.

    Raises
    ------
    NotationError
        When there is no such form or unit.
    ValueError
        When `R` is no `Orientation`, has leading axes, or has a matrix farther than 1e-3 from a rotation.

    Notes
    -----
    ``"axes"`` and ``"extrinsic"`` have two texts, both sets of angles that are the orientation. The notes tell of
    gimbal lock, of angles less than 1e-6 rad from it, and of half turns.

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
    texts = tuple(_written(target.form, target.qualifier, numbers, target.unit) for numbers in candidates)
    note = target.form.note(target.qualifier, R.T)
    return Writing(_label(target.form, target.qualifier), texts, target.form.meaning(target.qualifier), note)


# --- What there is


@dataclass(frozen=True)
class Target:
    """A form to write in, with qualifier and unit.

    Parameters
    ----------
    form
        The form, or None for code.
    qualifier
        Its qualifier, such as ``"ZYX"``, or what the code is for; empty where there is none to say.
    unit
        ``"deg"`` or ``"rad"``; empty where there are no angles.
    """

    form: TextForm | None
    qualifier: str
    unit: str


def parse_target(text: str, unit: str = "deg") -> Target:
    """Return what a text such as ``"axes:ZYX:rad"`` asks for.

    Parameters
    ----------
    text
        Name of a form, its qualifier and a unit, the last two where they are wanted, with colons between; or
        ``"code:"`` with one of `code.TARGETS`.
    unit
        Of angles for which the text says none, ``"deg"`` or ``"rad"``.

    Returns
    -------
    Target
        The form with qualifier and unit. A qualifier that is not said is ``"xyzw"`` of quaternions and ``"passive"`` of
        matrices.

    Raises
    ------
    NotationError
        When there is no such form, qualifier or unit, a sequence of axes is not said, or a unit is where there are no
        angles.

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
            raise NotationError(f'code: expected what to write it for, got "{got}". {did_you_mean(got, TARGETS)}')
        return Target(None, target, "")
    form = _form(name, "code")
    label = _label(form, _qualifier(form, others[0] if others else form.default))
    asked = units[0] if units else unit if form.n_angles else ""
    return Target(form, label.partition(" ")[2], _unit(form, label, asked))


def _form(word: str, *others: str) -> TextForm:
    form = FORMS.get(word.casefold())
    if form is None:
        names = [*FORMS, *others]
        raise NotationError(f'Expected the name of a form of orientation, got "{word}". {did_you_mean(word, names)}')
    return form


def _qualifier(form: TextForm, word: str) -> str:
    if not form.qualifiers and word:
        raise NotationError(f'{form.name}: expected numbers, got "{word}".')
    if not form.qualifiers or word in form.qualifiers:
        return word
    if not word:
        some = " or ".join(form.qualifiers) if len(form.qualifiers) == 2 else f"such as {form.qualifiers[-2]}"
        raise NotationError(f"{form.name}: say which {form.kind_of_qualifier}, {some}.")
    hint = _other_case(form, word) or did_you_mean(word, form.qualifiers)
    raise NotationError(f'{form.name}: expected the {form.kind_of_qualifier}, got "{word}". {hint}')


def _other_case(form: TextForm, word: str) -> str:
    """Say what a sequence in the other case means."""
    moving, fixed = word.upper(), word.lower()
    if form.name == "axes" and moving in SEQUENCES:
        return f'Moving axes are upper case, "axes {moving}"; lower case is about fixed axes, "extrinsic {fixed}".'
    if form.name == "extrinsic" and word in SEQUENCES:
        return f'Fixed axes are lower case, "extrinsic {fixed}"; upper case is about moving axes, "axes {moving}".'
    return ""


def _unit(form: TextForm, label: str, word: str) -> str:
    if form.n_angles and not word:
        raise NotationError(f'{label}: the angles need a unit: write "deg" or "rad" behind the numbers.')
    if word and not form.n_angles:
        raise NotationError(f'{label}: there are no angles in it that could have the unit "{word}".')
    if word and word not in UNITS:
        raise NotationError(f'{label}: expected the unit deg or rad, got "{word}". {did_you_mean(word, UNITS)}')
    return word


def _is_number(word: str) -> bool:
    """Return whether a word is a number, or stands for none: such a one is refused where it stands."""
    return bool(_NUMBER.fullmatch(word) or _NOT_FINITE.fullmatch(word))


def read_number(label: str, word: str) -> float:
    """Return a number or a part of pi, or raise a `NotationError` that begins with a label."""
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
    numbers = numbers.copy()
    angles = numbers[form.n_numbers - form.n_angles :]
    if unit == "deg":  # whole turns go while they are exact: in radians they take digits along
        if form.is_vector:
            length = math.hypot(*angles)
            angles *= _within_half_turn(length) / length if length > 180.0 else 1.0
        else:
            angles[:] = [_within_half_turn(angle) for angle in angles]
    angles *= UNITS.get(unit, 1.0)
    return numbers


def _within_half_turn(angle_deg: float) -> float:
    """Return an angle less whole turns.

    >>> _within_half_turn(1e3), _within_half_turn(180.0), _within_half_turn(-190.0)
    (-80.0, 180.0, 170.0)
    """
    return math.remainder(angle_deg, 360.0) if abs(angle_deg) > 180.0 else angle_deg


def _made_unit(form: TextForm, label: str, numbers: Array) -> tuple[Array, float]:
    """Return the numbers with the part that must have unit length divided by its length, and how far that was off."""
    if not form.n_of_unit_length:
        return numbers, 0.0
    length = math.hypot(*numbers[: form.n_of_unit_length])
    if length < 1e-100:
        raise NotationError(f"{label}: expected a direction of unit length, got zeros.")
    numbers = numbers.copy()
    numbers[: form.n_of_unit_length] /= length
    return numbers, abs(length - 1.0)


def _written(form: TextForm, qualifier: str, numbers: Array, unit: str) -> str:
    numbers = numbers + 0.0  # no -0
    first_angle = form.n_numbers - form.n_angles
    if unit == "deg":
        numbers[first_angle:] = np.degrees(numbers[first_angle:])
    words = [f"{number:.15g}" for number in numbers]
    if form.is_matrix:
        words = ["[" + "; ".join(" ".join(words[i : i + 3]) for i in (0, 3, 6)) + "]"]
    return " ".join([_label(form, qualifier), *words, *([unit] if form.n_angles else [])])
