"""Kinds of orientation forms: their values, how to set another orientation, and their conversions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple

import numpy as np

from framescope.core import conventions, frames, transformation_matrices
from framescope.core.angle_branches import axes_rotations_angles_branches, axes_rotations_angles_continuous
from framescope.core.errors import ItemError, Problem, RefusedError, did_you_mean
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, SEQUENCES, USUAL_SEQUENCE, Array, as_sequence
from framescope.core.orientation import Orientation
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.kinds.registry import Kind, Kinds, M
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.time_functions.expression_rewriting import split_constant, with_constant
from framescope.core.time_functions.expressions import parse_expression

PARALLEL = 1e-3
"""Sine of the angle below which two directions count as parallel, as in the reference for unit vectors."""

Direction = tuple[float, ...]


def named_directions(form: poses.NxNy | poses.NxNz) -> dict[str, Direction]:
    """Return the two directions of a form by key, the x axis first."""
    return {"n_x": form.n_x} | ({"n_y": form.n_y} if isinstance(form, poses.NxNy) else {"n_z": form.n_z})


def matrix_of_directions(form: poses.NxNy | poses.NxNz) -> Array:
    """Return the matrix (3, 3) of two directions, parent into frame; their lengths do not matter.

    The reference replaces directions that are zero, parallel or short. Here zero and parallel directions are an error.
    Lengths are scaled near 1 by powers of two, without rounding errors.

    Raises
    ------
    ItemError
        When a direction is zero, or the directions are parallel.

    Examples
    --------
    >>> matrix_of_directions(poses.NxNy(n_x=(0, 2, 0), n_y=(0, 0, 0.0005))).round(12) + 0.0
    array([[0., 1., 0.],
           [0., 0., 1.],
           [1., 0., 0.]])
    """
    n_x, (key, n) = form.n_x, list(named_directions(form).items())[1]
    axis = key[-1]
    for name, direction in (("n_x", n_x), (key, n)):
        if not any(direction):
            raise ItemError((name,), f"the direction {name} is zero.", f"Give it a length: {_example(name)}.")
    a, b = _scale_to_one(n_x), _scale_to_one(n)
    sine = float(np.linalg.norm(np.cross(a, b)) / (np.linalg.norm(a) * np.linalg.norm(b)))
    if sine <= PARALLEL:
        apart = f", {math.degrees(math.asin(sine)):.2g} degrees apart" if sine > 0.0 else ""
        message = f"the directions n_x and {key} are parallel{apart}: they do not say where {axis} points."
        raise ItemError((key,), message, f"Turn one of them by more than {math.degrees(PARALLEL):.2g} degrees.")
    return (frames.from_nxy if axis == "y" else frames.from_nxz)(a, b).T


def _example(name: str) -> str:
    """Return an example of a direction as text.

    >>> _example("n_z")
    '[0, 0, 1]'
    """
    return str([int(name == key) for key in ("n_x", "n_y", "n_z")])


def _scale_to_one(direction: Direction) -> Array:
    """Return a direction scaled so that its largest component is from 1 to 2."""
    _, exponent = math.frexp(max(map(abs, direction)))
    return np.array([math.ldexp(x, 1 - exponent) for x in direction])


def turned_direction(direction: Direction, R: Array, decimals: int) -> Direction:
    """Return a direction rotated by a matrix (3, 3), rounded to `decimals`, to more when shorter than 1.

    >>> turned_direction((0.0, 1e-20, 0.0), np.eye(3), 3)
    (0.0, 1e-20, 0.0)
    """
    largest = max(map(abs, direction))
    more = max(0, -math.floor(math.log10(largest))) if largest > 0.0 else 0
    return tuple(round(float(x), decimals + more) + 0.0 for x in R @ np.array(direction))


ROTATION_TOLERANCE = 1e-3
"""Distance from a rotation up to which a matrix or a quaternion counts as a rotation."""

UNCHANGED = 1e-13
"""Change of an angle below which its authored value is kept, rad."""

Signal = float | str


class Digits(NamedTuple):
    """Decimals of new angles (`more` for radians and turns) and of other numbers.

    `tolerance` is the largest deviation from a rotation about the single axis of a form.
    """

    angles: int
    others: int
    tolerance: float = 1e-6
    more: int = 0

    def of_angle(self, angle: float, factor: float) -> float:
        """Return a rounded angle in a unit of `factor` radians."""
        return round(float(angle), self.angles + (self.more if factor > 0.1 else 0)) + 0.0

    def of_numbers(self, values: Array) -> tuple[float, ...]:
        """Return rounded numbers that are not angles."""
        return tuple(round(float(value), self.others) + 0.0 for value in values)


BY_HAND = Digits(6, 9, more=2)
"""Decimals for rotations by dragging."""

EXACT = Digits(12, 12)
"""Decimals for orientations that are set by value, accurate to about 1e-12."""

IN_FORMULA = Digits(3, 3, more=2)
"""Decimals of a constant that is added to a formula of t: as many as a person would type."""


class Now(NamedTuple):
    """Context for reading or setting a form: time, s, parameters of the scene, and decimals of new numbers."""

    t: float
    parameters: FrozenDict[float]
    digits: Digits = EXACT


class Still(NamedTuple):
    """Value of a form without angles: matrix (3, 3), parent into frame, problems, and quaternion."""

    T: Array
    problems: tuple[Problem, ...] = ()
    Q: Array | None = None


@dataclass(frozen=True, kw_only=True)
class Turns(Generic[M]):
    """Rotations by authored angles.

    Attributes
    ----------
    key
        Field with the angle or angles.
    axes
        Function of angles (k,), rad, that returns the axes of the rotations as rows, resolved in the parent.
    matrix
        Function of angles (k,), rad, that returns the matrix (3, 3), parent into frame.
    solved
        Function that returns the angles (k,) of a matrix, rad, nearest to the present angles. It may raise
        `RefusedError`.
    """

    key: str
    axes: Callable[[M, Array], Array]
    matrix: Callable[[M, Array], Array]
    solved: Callable[[M, Array, Array, float], Array]


@dataclass(frozen=True, kw_only=True)
class OrientationKind(Kind[M]):
    """Properties of a kind of orientation form.

    Attributes
    ----------
    word, text
        Name of the form in a word or two, and its description with conventions.
    turns
        Functions of a form with angles.
    still
        Function that returns the value of a form without angles. It raises `ItemError` with a key path relative to the
        form.
    with_matrix
        Function that returns a form without angles with another matrix (3, 3), parent into frame.
    fixed
        Reason why the orientation of the form cannot be set; empty if it can.
    conversions
        Menu entries for conversions into this kind, by key: the form, and its convention after a colon.
    qualifier
        Field that holds the convention.
    converted
        Function that returns the form for a convention, a matrix (3, 3) and a unit of angle. By default, `start` gets
        the matrix.
    """

    icon: str = "axis-3d"
    word: Callable[[M], str]
    text: Callable[[M], str]
    turns: Turns[M] | None = None
    still: Callable[[M], Still] | None = None
    with_matrix: Callable[[M, Array, Now], M] | None = None
    fixed: str = ""
    conversions: Mapping[str, str] = field(default_factory=dict[str, str])
    qualifier: str = ""
    converted: Callable[[str, Array, str], M] | None = None


# --- Values


def signal_value(signal: Signal, parameters: FrozenDict[float], t: float) -> float:
    """Return a number, or the value of an expression at time `t`, in its own unit.

    Raises
    ------
    RefusedError
        When the expression cannot be read, or its value is not finite.
    """
    if not isinstance(signal, str):
        return signal
    try:
        value = float(parse_expression(signal, parameters)(t))
    except ValueError as error:
        raise RefusedError(f"its angles have no value: {error}") from None
    if not math.isfinite(value):
        raise RefusedError(f"its angles have no value: {signal} is not finite at t = {t:g} s")
    return value


def angle_factor(unit: str | None) -> float:
    """Return the size of a unit of angle, rad, or raise a `RefusedError`."""
    try:
        return unit_factor(unit, "angle", ("orientation", "unit"))
    except ItemError as error:
        raise RefusedError(f"its angles have no value: {error}") from None


def authored_angles(form: poses.OrientationForm | None) -> tuple[Signal, ...]:
    """Return the angles of a form as authored; empty for a form without angles.

    >>> authored_angles(poses.Axis(axis="z", angle="5*t", unit="deg"))
    ('5*t',)
    """
    turns = None if form is None else ORIENTATION_KINDS.of(form).turns
    if turns is None:
        return ()
    angles: Signal | tuple[Signal, ...] = getattr(form, turns.key)
    return angles if isinstance(angles, tuple) else (angles,)


def with_angles(form: Any, turns: Turns[Any], angles: tuple[Signal, ...]) -> Any:
    """Return a form with other authored angles."""
    is_several = isinstance(getattr(form, turns.key), tuple)
    return form.model_copy(update={turns.key: angles if is_several else angles[0]})


def angles_at(form: Any, now: Now) -> Array:
    """Return the angles (k,) of a form, rad, with full turns; raise `RefusedError` for an angle without a value."""
    values = [signal_value(angle, now.parameters, now.t) for angle in authored_angles(form)]
    return np.array(values) * angle_factor(form.unit)


def matrix_of(form: poses.OrientationForm | None, t: float, parameters: FrozenDict[float]) -> Array:
    """Return the matrix (3, 3) of a form at time `t`, parent into frame; the form None is no rotation.

    Raises
    ------
    RefusedError
        When the form has no value at this time, is far from a rotation, or is integrated.

    Examples
    --------
    >>> matrix_of(poses.Axis(axis="z", angle="90*t", unit="deg"), 1.0, FrozenDict()).round(12)[0]
    array([0., 1., 0.])
    """
    if form is None:
        return np.eye(3)
    kind = ORIENTATION_KINDS.of(form)
    if kind.turns is not None:
        return kind.turns.matrix(form, angles_at(form, Now(t, parameters)))
    if kind.still is None:
        raise RefusedError(kind.fixed)
    try:
        return rotation_near(kind.still(form).T)
    except ItemError as error:
        raise RefusedError(error.message.removesuffix(".")) from None


def rotation_near(T: Array) -> Array:
    """Return the rotation nearest to a matrix (3, 3); raise `RefusedError` if the distance exceeds 1e-3."""
    if not np.isfinite(T).all():
        raise RefusedError("it has no orientation at this time")
    nearest, distance = transformation_matrices.project_to_rotation(T)
    if distance > ROTATION_TOLERANCE:
        raise RefusedError(f"the matrix is off the nearest rotation by {distance:.4g}; limit {ROTATION_TOLERANCE:g}")
    return nearest


# --- Another orientation


def with_orientation(form: poses.OrientationForm | None, T: Array, now: Now) -> Any:
    """Return a form with the matrix `T` at a time, and the kind, unit, order and direction of the given form.

    Angles take the values nearest to the present angles, on either branch and with any full turns. Unchanged angles
    keep their authored text. A constant is added to expressions of t. The form None becomes three angles XYZ in
    degrees.

    Parameters
    ----------
    form
        The authored form.
    T : (3, 3)
        A rotation, parent into frame.
    now
        The present time and the parameters of the scene.

    Raises
    ------
    RefusedError
        When the form cannot have this orientation, or is integrated.

    Examples
    --------
    >>> form = poses.Axes(sequence="XYZ", angles=(200.0, "5*t", 0.0), unit="deg")
    >>> T = matrix_of(form.model_copy(update={"angles": (200.0, 40.0, 0.0)}), 0.0, FrozenDict())
    >>> with_orientation(form, T, Now(2.0, FrozenDict())).angles
    (200.0, '5*t + 30', 0.0)
    """
    if form is None:
        form = no_rotation()
    kind, T = ORIENTATION_KINDS.of(form), rotation_near(T)
    if kind.with_matrix is not None:
        return kind.with_matrix(form, T, now)
    if kind.turns is None:
        raise RefusedError(kind.fixed)
    present = angles_at(form, now)
    target = kind.turns.solved(form, T, present, now.digits.tolerance)
    factor = angle_factor(getattr(form, "unit", None))
    angles = tuple(
        authored if abs(new - old) <= UNCHANGED * max(1.0, abs(old)) else set_signal(authored, new, factor, now)
        for authored, old, new in zip(authored_angles(form), present.tolist(), target.tolist(), strict=True)
    )
    return with_angles(form, kind.turns, angles)


def no_rotation(sequence: str = USUAL_SEQUENCE) -> poses.ThreeAngles:
    """Return three zero angles of a `sequence_key`, in degrees.

    >>> no_rotation("ZYX").angles
    (0.0, 0.0, 0.0)
    """
    return three_angles(sequence, (0.0, 0.0, 0.0), "deg")


def still_form(key: str, T: Array, unit: str = "deg") -> Any:
    """Return the form of a conversion key with the matrix `T` (3, 3); angles in `unit`."""
    T = rotation_near(T)
    for kind in ORIENTATION_KINDS:
        if key in kind.conversions:
            if kind.converted is not None:
                return kind.converted(key.partition(":")[2], T, unit)
            return with_orientation(kind.model.model_validate(kind.start), T, Now(0.0, FrozenDict()))
    hint = did_you_mean(key, conversions())
    raise ValueError(f"kind: expected a form to convert into, got {key!r}. {hint}")


def conversions() -> dict[str, str]:
    """Return the menu words of all conversions, by key.

    >>> conversions()["axes:ZYX"]
    'Three angles ZYX'
    """
    return {key: text for kind in ORIENTATION_KINDS for key, text in kind.conversions.items()}


def conversion_key(form: poses.OrientationForm | None) -> str:
    """Return the conversion key of a form; empty if no conversion yields it.

    >>> conversion_key(poses.QuaternionForm(value=(0, 0, 0, 1), order="xyzw"))
    'quaternion:xyzw'
    """
    kind = None if form is None else ORIENTATION_KINDS.of(form)
    if kind is None or not kind.conversions:
        return ""
    return f"{kind.form}:{getattr(form, kind.qualifier)}" if kind.qualifier else kind.form


def set_signal(authored: Signal, angle: float, factor: float, now: Now) -> Signal:
    """Return a signal that equals an angle, rad, at a time: a number, or the expression with another constant.

    >>> set_signal("0.8*sin(t) + 1", 3.0, 1.0, Now(0.0, FrozenDict()))
    '0.8*sin(t) + 3'
    """
    value = angle / factor
    if not isinstance(authored, str):
        return now.digits.of_angle(value, factor)
    rest, _ = split_constant(authored)
    constant = now.digits.of_angle(value - signal_value(rest, now.parameters, now.t), factor)
    return with_constant(authored, constant)


# --- Three angles


RPY = "rpy"
"""Key of roll, pitch and yaw among the sequences."""

ROLL_PITCH_YAW = ("roll", "pitch", "yaw")
"""Names of their angles."""


def sequence_key(form: poses.ThreeAngles) -> str:
    """Return the sequence of three angles: upper case for moving axes, lower case for fixed ones, or ``"rpy"``.

    >>> sequence_key(poses.Extrinsic(sequence="zxz", angles=(0, 0, 0))), sequence_key(poses.Rpy(angles=(0, 0, 0)))
    ('zxz', 'rpy')
    """
    return RPY if isinstance(form, poses.Rpy) else form.sequence


def three_angles(sequence: str, angles: tuple[Signal, Signal, Signal], unit: str | None) -> poses.ThreeAngles:
    """Return the form of three angles with a `sequence_key`.

    >>> three_angles("rpy", (0.0, 0.0, "5*t"), "deg").form
    'rpy'
    """
    if sequence == RPY:
        return poses.Rpy(angles=angles, unit=unit)
    model = poses.Extrinsic if sequence in EXTRINSIC_SEQUENCES else poses.Axes
    return model(sequence=sequence, angles=angles, unit=unit)


def is_about_fixed(sequence: str) -> bool:
    """Return whether a `sequence_key` is about fixed axes."""
    return sequence == RPY or sequence in EXTRINSIC_SEQUENCES


def moving_sequence(sequence: str) -> str:
    """Return the sequence about moving axes of a `sequence_key`; fixed axes are reversed.

    >>> moving_sequence("rpy"), moving_sequence("zxy"), moving_sequence("ZXZ")
    ('ZYX', 'YXZ', 'ZXZ')
    """
    return axis_letters(sequence)[::-1] if is_about_fixed(sequence) else sequence


def axis_letters(sequence: str) -> str:
    """Return the axes of a `sequence_key`, angle by angle, in upper case.

    >>> axis_letters("rpy"), axis_letters("zxz")
    ('XYZ', 'ZXZ')
    """
    return "XYZ" if sequence == RPY else sequence.upper()


def _sequence_of(form: poses.ThreeAngles) -> tuple[int, int, int]:
    """Return the sequence about moving axes."""
    if isinstance(form, poses.Extrinsic) and form.sequence not in EXTRINSIC_SEQUENCES:
        raise RefusedError(f'its sequence cannot be used: "{form.sequence}" is none of fixed axes, such as "xyz"')
    form = poses.as_moving(form)
    try:
        return as_sequence(form.sequence)
    except ValueError as error:
        raise RefusedError(f"its sequence cannot be used: {error}") from None


def joint_axes(sequence: str, angles: Array) -> Array:
    """Return the rows e1, e2', e3'': the axes of the three rotations of a sequence, resolved in the parent.

    >>> joint_axes("XYZ", np.zeros(3))
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    axes = as_sequence(sequence)
    T1 = axis_rotations.axis_matrix(axes[0])(angles[0])
    T21 = axis_rotations.axis_matrix(axes[1])(angles[1]) @ T1
    e1, e2, e3 = (np.eye(3)[axis - 1] for axis in axes)
    return np.array([e1, T1.T @ e2, T21.T @ e3])


def _solved_axes(form: poses.ThreeAngles, T: Array, present: Array, _tolerance: float) -> Array:
    return axes_rotations_angles_continuous(Orientation(T, np.zeros(3)), _sequence_of(form), present)


def _converted_axes(sequence: str, T: Array, unit: str) -> poses.ThreeAngles:
    """Return the form of three constant angles with a `sequence_key`, on branch 1."""
    factor = angle_factor(unit)
    angles, _ = axes_rotations_angles_branches(Orientation(T, np.zeros(3)), moving_sequence(sequence))
    angles = angles[::-1] if is_about_fixed(sequence) else angles
    a, b, c = (0.0 if abs(x) <= UNCHANGED else EXACT.of_angle(x / factor, factor) for x in angles.tolist())
    return three_angles(sequence, (a, b, c), unit)


# About fixed axes: the angles of the reversed sequence, in reverse order.
_FIXED_ANGLES: Turns[Any] = Turns(
    key="angles",
    axes=lambda form, angles: joint_axes(poses.as_moving(form).sequence, angles[::-1])[::-1],
    matrix=lambda form, angles: frames.axes_rotations(_sequence_of(form), angles[::-1]).T,
    solved=lambda form, T, present, tolerance: _solved_axes(form, T, present[::-1], tolerance)[::-1],
)


# --- One angle


def axis_of(form: poses.Axis | poses.Planar) -> Array:
    """Return the rotation axis (3,) of a form with one angle, a unit vector."""
    if isinstance(form, poses.Planar):
        return np.array(form.axis) / max(float(np.linalg.norm(form.axis)), 1e-300)
    if form.axis not in ("x", "y", "z"):
        raise RefusedError(f'its axis "{form.axis}" is none of x, y, z')
    return np.eye(3)["xyz".index(form.axis)]


def _solved_angle(form: poses.Axis | poses.Planar, T: Array, present: Array, tolerance: float) -> Array:
    e = axis_of(form)
    angle = float(conventions.rotation_vector_from_T(T) @ e)
    if np.abs(axis_rotations.planar_matrix(e, np.array(angle)) - T).max() > tolerance:
        named = form.axis if isinstance(form, poses.Axis) else "the axis of its plane"
        other = "convert it to three angles, a quaternion or a matrix first"
        raise RefusedError(f"it turns about {named} only, by one angle: {other}")
    return angle + 2.0 * math.pi * np.round((present - angle) / (2.0 * math.pi))


_ONE_ANGLE: Turns[Any] = Turns(
    key="angle",
    axes=lambda form, _angles: axis_of(form)[np.newaxis],
    matrix=lambda form, angles: axis_rotations.planar_matrix(axis_of(form), angles[0]),
    solved=_solved_angle,
)


def _converted_planar(_: str, T: Array, unit: str) -> poses.Planar:
    factor = angle_factor(unit)
    Q = linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN)
    axis, angle = conventions.axis_angle_from_quaternion(Q)
    x, y, z = EXACT.of_numbers(axis)
    return poses.Planar(axis=(x, y, z), angle=EXACT.of_angle(float(angle) / factor, factor), unit=unit)


# --- Quaternions, matrices and directions


def _quaternion(form: poses.QuaternionForm) -> Still:
    if form.order not in ("xyzw", "wxyz"):
        text = "the order of the quaternion is missing." if form.order is None else f'"{form.order}" is no order.'
        raise ItemError(("order",), text, 'Use "xyzw" (scalar last) or "wxyz" (scalar first).')
    Q = np.array(form.value) if form.order == "xyzw" else np.roll(form.value, -1)
    norm = float(np.sqrt(linear_algebra.squared_norm(Q)))
    if norm == 0.0:
        raise ItemError(("value",), "the quaternion is zero.", "Use 0, 0, 0, 1 in xyzw for no rotation.")
    problems: tuple[Problem, ...] = ()
    if not abs(norm - 1.0) <= ROTATION_TOLERANCE:
        message = f"the length of the quaternion is {norm:.6g}, over the {ROTATION_TOLERANCE:g} taken as rounding."
        problems = (Problem(("value",), message, "It is drawn normalised.", "red"),)
    return Still(linear_algebra.matrix_from_quaternion(Q / norm), problems, Q / norm)


def _set_quaternion(form: poses.QuaternionForm, T: Array, now: Now) -> poses.QuaternionForm:
    is_last = form.order != "wxyz"
    Q = linear_algebra.quaternion_from_matrix(T, np.array(form.value) if is_last else np.roll(form.value, -1))
    return form.model_copy(update={"value": now.digits.of_numbers(Q if is_last else np.roll(Q, 1))})


def _converted_quaternion(order: str, T: Array, _unit: str) -> poses.QuaternionForm:
    unit = poses.QuaternionForm(value=(0.0, 0.0, 0.0, 1.0) if order == "xyzw" else (1.0, 0.0, 0.0, 0.0), order=order)
    return _set_quaternion(unit, T, Now(0.0, FrozenDict()))


def _matrix(form: poses.MatrixForm) -> Still:
    if form.maps not in ("parent to frame", "frame to parent"):
        text = "the direction of the matrix is missing." if form.maps is None else f'"{form.maps}" is no direction.'
        hint = 'Use "parent to frame" (columns are the axes of the parent) or "frame to parent" (those of the frame).'
        raise ItemError(("maps",), text, hint)
    T = np.array(form.rows)
    T = T if form.maps == "parent to frame" else T.T
    nearest, distance = transformation_matrices.project_to_rotation(T)
    if distance <= ROTATION_TOLERANCE:
        return Still(nearest)
    is_left_handed = np.linalg.det(T) < 0.0
    message = (
        "the matrix is left-handed: its determinant is negative."
        if is_left_handed
        else f"the matrix is {distance:.4g} off the nearest rotation; {ROTATION_TOLERANCE:g} is taken as rounding."
    )
    fix = "Swap two rows or change the sign of one. " if is_left_handed else ""
    return Still(T, (Problem(("rows",), message, f"{fix}It is drawn as it stands.", "red"),))


def _set_rows(form: poses.MatrixForm, T: Array, now: Now) -> poses.MatrixForm:
    rows = T.T if form.maps == "frame to parent" else T
    return form.model_copy(update={"rows": tuple(now.digits.of_numbers(row) for row in rows)})


def _set_directions(form: Any, T: Array, now: Now) -> Any:
    """Rotate both directions together, with their lengths and angle; replace directions that define no frame."""
    named, digits = named_directions(form), now.digits
    try:
        R = T.T @ matrix_of_directions(form)
    except ItemError:
        return form.model_copy(update={key: digits.of_numbers(T["xyz".index(key[-1])]) for key in named})
    return form.model_copy(update={key: turned_direction(n, R, digits.others) for key, n in named.items()})


def _unit_text(form: poses.ThreeAngles | poses.Axis | poses.Planar) -> str:
    return form.unit or "no unit"


ORIENTATION_KINDS: Kinds[OrientationKind[Any]] = Kinds(
    OrientationKind(
        model=poses.Axes,
        start={"sequence": USUAL_SEQUENCE, "angles": (0, 0, 0), "unit": "deg"},
        word=lambda form: form.sequence,
        text=lambda form: f"three angles {form.sequence}, {_unit_text(form)}",
        turns=Turns(
            key="angles",
            axes=lambda form, angles: joint_axes(form.sequence, angles),
            matrix=lambda form, angles: frames.axes_rotations(_sequence_of(form), angles).T,
            solved=_solved_axes,
        ),
        conversions={f"axes:{sequence}": f"Three angles {sequence}" for sequence in SEQUENCES},
        qualifier="sequence",
        converted=_converted_axes,
    ),
    OrientationKind(
        model=poses.Axis,
        start={"axis": "z", "angle": 0, "unit": "deg"},
        word=lambda _form: "one axis",
        text=lambda form: f"one angle about {form.axis}, {_unit_text(form)}",
        turns=_ONE_ANGLE,
    ),
    OrientationKind(
        model=poses.QuaternionForm,
        start={"value": (0, 0, 0, 1), "order": "xyzw"},
        word=lambda _form: "quaternion",
        text=lambda form: f"quaternion {' '.join(form.order or '')}".rstrip(),
        still=_quaternion,
        with_matrix=_set_quaternion,
        conversions={"quaternion:xyzw": "Quaternion x y z w", "quaternion:wxyz": "Quaternion w x y z"},
        qualifier="order",
        converted=_converted_quaternion,
    ),
    OrientationKind(
        model=poses.MatrixForm,
        start={"rows": ((1, 0, 0), (0, 1, 0), (0, 0, 1)), "maps": "parent to frame"},
        word=lambda _form: "matrix",
        text=lambda form: f"matrix, {form.maps or 'no direction'}",
        still=_matrix,
        with_matrix=_set_rows,
        conversions={"matrix": "Matrix"},
    ),
    OrientationKind(
        model=poses.Rpy,
        start={"angles": (0, 0, 0), "unit": "deg"},
        word=lambda _form: RPY,
        text=lambda form: f"roll, pitch, yaw about fixed axes, {_unit_text(form)}",
        turns=_FIXED_ANGLES,
        conversions={RPY: "Roll, pitch, yaw (fixed axes)"},
        converted=lambda _, T, unit: _converted_axes(RPY, T, unit),
    ),
    OrientationKind(
        model=poses.Extrinsic,
        start={"sequence": USUAL_SEQUENCE.lower(), "angles": (0, 0, 0), "unit": "deg"},
        word=lambda form: f"fixed {form.sequence}",
        text=lambda form: f"three angles {form.sequence} about fixed axes, {_unit_text(form)}",
        turns=_FIXED_ANGLES,
        conversions={
            f"extrinsic:{sequence}": f"Three angles {sequence}, fixed axes" for sequence in EXTRINSIC_SEQUENCES
        },
        qualifier="sequence",
        converted=_converted_axes,
    ),
    OrientationKind(
        model=poses.Planar,
        start={"axis": (0, 0, 1), "angle": 0, "unit": "deg"},
        word=lambda _form: "one axis",
        text=lambda form: f"one angle about an axis, {_unit_text(form)}",
        turns=_ONE_ANGLE,
        conversions={"planar": "One angle about an axis"},
        converted=_converted_planar,
    ),
    OrientationKind(
        model=poses.NxNy,
        start={"n_x": (1, 0, 0), "n_y": (0, 1, 0)},
        word=lambda _form: "two directions",
        text=lambda _form: "directions x and y",
        still=lambda form: Still(matrix_of_directions(form)),
        with_matrix=_set_directions,
        conversions={"nxy": "Two directions, x and y"},
    ),
    OrientationKind(
        model=poses.NxNz,
        start={"n_x": (1, 0, 0), "n_z": (0, 0, 1)},
        word=lambda _form: "two directions",
        text=lambda _form: "directions x and z",
        still=lambda form: Still(matrix_of_directions(form)),
        with_matrix=_set_directions,
        conversions={"nxz": "Two directions, x and z"},
    ),
    OrientationKind(
        model=poses.Integrated,
        icon="rotate-3d",
        start={"w": (0, 0, 30), "unit": "deg/s", "equation": "quaternion", "method": "rk4", "step": "10 ms"},
        word=lambda _form: "integrated",
        text=lambda _form: "integrated",
        fixed="its orientation is integrated from its angular velocity",
    ),
)
