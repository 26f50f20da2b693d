"""Kinds of orientation forms: what each says, how it takes another orientation, and what it can be converted into."""

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
from framescope.core.kernels.validation import SEQUENCES, Array, as_sequence
from framescope.core.orientation import Orientation
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.kinds.registry import Kind, Kinds, M
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.time_functions.expression_rewriting import split_constant, with_constant
from framescope.core.time_functions.expressions import parse_expression

PARALLEL = 1e-3
"""Sine of the angle up to which two directions count as parallel: that of the reference for directions of length 1."""

Direction = tuple[float, ...]


def named_directions(form: poses.NxNy | poses.NxNz) -> dict[str, Direction]:
    """Return both directions by their keys, that of the x axis first."""
    return {"n_x": form.n_x} | ({"n_y": form.n_y} if isinstance(form, poses.NxNy) else {"n_z": form.n_z})


def matrix_of_directions(form: poses.NxNy | poses.NxNz) -> Array:
    """Return the matrix (3, 3) of two directions, parent into frame; their lengths do not matter.

    The reference replaces directions that are zero, parallel, or short. Here the first two are an error, and lengths
    are brought near 1 by powers of two, which leave every bit of a result that needed none.

    Raises
    ------
    ItemError
        When one is zero, or they are parallel.

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
    a, b = _scaled(n_x), _scaled(n)
    sine = float(np.linalg.norm(np.cross(a, b)) / (np.linalg.norm(a) * np.linalg.norm(b)))
    if sine <= PARALLEL:
        apart = f", {math.degrees(math.asin(sine)):.2g} degrees apart" if sine > 0.0 else ""
        message = f"the directions n_x and {key} are parallel{apart}: they do not say where {axis} points."
        raise ItemError((key,), message, f"Turn one of them by more than {math.degrees(PARALLEL):.2g} degrees.")
    return (frames.from_nxy if axis == "y" else frames.from_nxz)(a, b).T


def _example(name: str) -> str:
    """Return a direction as it is written.

    >>> _example("n_z")
    '[0, 0, 1]'
    """
    return str([int(name == key) for key in ("n_x", "n_y", "n_z")])


def _scaled(direction: Direction) -> Array:
    """Return a direction whose largest component is from 1 to 2."""
    _, exponent = math.frexp(max(map(abs, direction)))
    return np.array([math.ldexp(x, 1 - exponent) for x in direction])


def turned_direction(direction: Direction, R: Array, decimals: int) -> Direction:
    """Return a direction turned by a matrix (3, 3), with decimals for one of length 1, and more for shorter ones.

    >>> turned_direction((0.0, 1e-20, 0.0), np.eye(3), 3)
    (0.0, 1e-20, 0.0)
    """
    largest = max(map(abs, direction))
    more = max(0, -math.floor(math.log10(largest))) if largest > 0.0 else 0
    return tuple(round(float(x), decimals + more) + 0.0 for x in R @ np.array(direction))


ROTATION_TOLERANCE = 1e-3
"""How far numbers may be from a rotation and still be meant as one."""

UNCHANGED = 1e-13
"""Up to how much an angle counts as the one that is there, rad: what was authored stays as it is."""

Signal = float | str


class Digits(NamedTuple):
    """Decimals kept of new angles (`more` of radians and turns) and other numbers.

    `tolerance` is how far a turn may be from one about the axis of a form that has only one.
    """

    angles: int
    others: int
    tolerance: float = 1e-6
    more: int = 0

    def of_angle(self, angle: float, factor: float) -> float:
        """Return an angle rounded, in the unit of so many radians."""
        return round(angle, self.angles + (self.more if factor > 0.1 else 0)) + 0.0

    def of_numbers(self, values: Array) -> tuple[float, ...]:
        """Return other numbers rounded."""
        return tuple(round(float(value), self.others) + 0.0 for value in values)


BY_HAND = Digits(6, 9, more=2)
"""Of what a hand turns, in degrees."""

EXACT = Digits(12, 12)
"""Of what is set: the orientation is the one asked for to about 1e-12."""


class Now(NamedTuple):
    """When a form is read or set: the time, s, the parameters of the scene, and the decimals kept of new numbers."""

    t: float
    parameters: FrozenDict[float]
    digits: Digits = EXACT


class Still(NamedTuple):
    """What a form without angles says: the matrix (3, 3), parent into frame, what is odd about it, and a quaternion."""

    T: Array
    problems: tuple[Problem, ...] = ()
    Q: Array | None = None


@dataclass(frozen=True, kw_only=True)
class Turns(Generic[M]):
    """Turns by authored angles.

    Attributes
    ----------
    key
        The field with the angle, or the angles.
    axes
        Rows e_P: the axes of the turns at angles (k,), rad, resolved in the parent.
    matrix
        The matrix (3, 3), parent into frame, at angles (k,), rad.
    solved
        The angles (k,), rad, near the present ones, that give a matrix; may raise `RefusedError`.
    """

    key: str
    axes: Callable[[M, Array], Array]
    matrix: Callable[[M, Array], Array]
    solved: Callable[[M, Array, Array, float], Array]


@dataclass(frozen=True, kw_only=True)
class OrientationKind(Kind[M]):
    """What is asked of a kind of orientation form.

    Attributes
    ----------
    word, text
        What it is, in a word or two and with its conventions; whether angles run with t is added.
    turns
        Of a form with angles.
    still
        What a form without angles says; raises `ItemError` with a key relative to the form.
    with_matrix
        Gives a form without angles another matrix (3, 3), parent into frame.
    fixed
        Why no number of the form can be set; empty where it can.
    conversions
        Words for what can be converted into this kind, by key: the form, and after a colon its convention.
    qualifier
        The field with that convention.
    converted
        Makes the form of a convention, a matrix (3, 3), and a unit of angle; the one of `start` is set unless given.
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
        When it cannot be read, or has no finite value then.
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
    """Return a unit of angle in rad, or raise a `RefusedError`."""
    try:
        return unit_factor(unit, "angle", ("orientation", "unit"))
    except ItemError as error:
        raise RefusedError(f"its angles have no value: {error}") from None


def authored_angles(form: poses.OrientationForm | None) -> tuple[Signal, ...]:
    """Return the angles of a form as they are written; none where it has none.

    >>> authored_angles(poses.Axis(axis="z", angle="5*t", unit="deg"))
    ('5*t',)
    """
    turns = None if form is None else ORIENTATION_KINDS.of(form).turns
    if turns is None:
        return ()
    angles: Signal | tuple[Signal, ...] = getattr(form, turns.key)
    return angles if isinstance(angles, tuple) else (angles,)


def with_angles(form: Any, turns: Turns[Any], angles: tuple[Signal, ...]) -> Any:
    """Return a form with other angles, as they are written."""
    is_several = isinstance(getattr(form, turns.key), tuple)
    return form.model_copy(update={turns.key: angles if is_several else angles[0]})


def angles_at(form: Any, now: Now) -> Array:
    """Return the angles (k,) of a form, rad, whole turns included; raises `RefusedError`."""
    values = [signal_value(angle, now.parameters, now.t) for angle in authored_angles(form)]
    return np.array(values) * angle_factor(form.unit)


def matrix_of(form: poses.OrientationForm | None, t: float, parameters: FrozenDict[float]) -> Array:
    """Return the matrix (3, 3) of a form at time `t`, parent into frame; no form is no rotation.

    Raises
    ------
    RefusedError
        When the form has no value then, is far from a rotation, or is integrated.

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
    """Return the rotation next to a matrix (3, 3), or raise a `RefusedError` when it is not within 1e-3 of one."""
    if not np.isfinite(T).all():
        raise RefusedError("it has no orientation at this time")
    nearest, distance = transformation_matrices.project_to_rotation(T)
    if distance > ROTATION_TOLERANCE:
        raise RefusedError(f"the matrix is off the nearest rotation by {distance:.4g}; limit {ROTATION_TOLERANCE:g}")
    return nearest


# --- Another orientation


def reoriented(form: poses.OrientationForm | None, T: Array, now: Now) -> Any:
    """Return a form of the same kind, unit, order and direction that has the matrix `T` at a time.

    Angles go to the values nearest the present ones, on either branch and any turn; those that stay are left as
    authored, and expressions of t gain a constant. Without a form it becomes three angles XYZ in degrees.

    Parameters
    ----------
    form
        What is authored.
    T : (3, 3)
        A rotation, parent into frame.
    now
        The present time and the parameters of the scene.

    Raises
    ------
    RefusedError
        When the form cannot have that orientation, or is integrated.

    Examples
    --------
    >>> form = poses.Axes(sequence="XYZ", angles=(200.0, "5*t", 0.0), unit="deg")
    >>> T = matrix_of(form.model_copy(update={"angles": (200.0, 40.0, 0.0)}), 0.0, FrozenDict())
    >>> reoriented(form, T, Now(2.0, FrozenDict())).angles
    (200.0, '5*t + 30', 0.0)
    """
    if form is None:
        form = poses.Axes(sequence="XYZ", angles=(0.0, 0.0, 0.0), unit="deg")
    kind, T = ORIENTATION_KINDS.of(form), rotation_near(T)
    if kind.with_matrix is not None:
        return kind.with_matrix(form, T, now)
    if kind.turns is None:
        raise RefusedError(kind.fixed)
    present = angles_at(form, now)
    wanted = kind.turns.solved(form, T, present, now.digits.tolerance)
    factor = angle_factor(getattr(form, "unit", None))
    angles = tuple(
        authored if abs(new - old) <= UNCHANGED * max(1.0, abs(old)) else set_signal(authored, new, factor, now)
        for authored, old, new in zip(authored_angles(form), present.tolist(), wanted.tolist(), strict=True)
    )
    return with_angles(form, kind.turns, angles)


def still_form(key: str, T: Array, unit: str = "deg") -> Any:
    """Return the form of a key of conversions that has the matrix `T` (3, 3); angles in `unit`."""
    T = rotation_near(T)
    for kind in ORIENTATION_KINDS:
        if key in kind.conversions:
            if kind.converted is not None:
                return kind.converted(key.partition(":")[2], T, unit)
            return reoriented(kind.model.model_validate(kind.start), T, Now(0.0, FrozenDict()))
    hint = did_you_mean(key, conversions())
    raise ValueError(f"kind: expected a form to convert into, got {key!r}. {hint}")


def conversions() -> dict[str, str]:
    """Return words for all that can be converted into, by key.

    >>> conversions()["axes:ZYX"]
    'Three angles ZYX'
    """
    return {key: text for kind in ORIENTATION_KINDS for key, text in kind.conversions.items()}


def conversion_key(form: poses.OrientationForm | None) -> str:
    """Return the key of conversions that a form has; empty for those that are no choice to convert into.

    >>> conversion_key(poses.QuaternionForm(value=(0, 0, 0, 1), order="xyzw"))
    'quaternion:xyzw'
    """
    kind = None if form is None else ORIENTATION_KINDS.of(form)
    if kind is None or not kind.conversions:
        return ""
    return f"{kind.form}:{getattr(form, kind.qualifier)}" if kind.qualifier else kind.form


def set_signal(authored: Signal, angle: float, factor: float, now: Now) -> Signal:
    """Return a number, or an expression whose constant at the end makes it an angle, rad, at a time.

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


def _sequence_of(form: poses.Axes) -> tuple[int, int, int]:
    try:
        return as_sequence(form.sequence)
    except ValueError as error:
        raise RefusedError(f"its sequence cannot be used: {error}") from None


def joint_axes(sequence: str, angles: Array) -> Array:
    """Return the rows e1, e2', e3'': the axes of the three turns of a sequence, resolved in the parent.

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


def _solved_axes(form: poses.Axes, T: Array, present: Array, _tolerance: float) -> Array:
    return axes_rotations_angles_continuous(Orientation(T, np.zeros(3)), _sequence_of(form), present)


def _converted_axes(sequence: str, T: Array, unit: str) -> poses.Axes:
    """Return the angles of branch 1, which are those that are read off a frame that stands still."""
    factor = angle_factor(unit)
    found, _ = axes_rotations_angles_branches(Orientation(T, np.zeros(3)), sequence)
    a, b, c = (0.0 if abs(x) <= UNCHANGED else EXACT.of_angle(x / factor, factor) for x in found.tolist())
    return poses.Axes(sequence=sequence, angles=(a, b, c), unit=unit)


# --- One angle


def axis_of(form: poses.Axis | poses.Planar) -> Array:
    """Return the unit vector (3,) that a form with one angle turns about."""
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
    found = linear_algebra.quaternion_from_matrix(T, np.array(form.value) if is_last else np.roll(form.value, -1))
    return form.model_copy(update={"value": now.digits.of_numbers(found if is_last else np.roll(found, 1))})


def _converted_quaternion(order: str, T: Array, _unit: str) -> poses.QuaternionForm:
    none = poses.QuaternionForm(value=(0.0, 0.0, 0.0, 1.0) if order == "xyzw" else (1.0, 0.0, 0.0, 0.0), order=order)
    return _set_quaternion(none, T, Now(0.0, FrozenDict()))


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
    mend = "Swap two rows or change the sign of one. " if is_left_handed else ""
    return Still(T, (Problem(("rows",), message, f"{mend}It is drawn as it stands.", "red"),))


def _set_rows(form: poses.MatrixForm, T: Array, now: Now) -> poses.MatrixForm:
    rows = T.T if form.maps == "frame to parent" else T
    return form.model_copy(update={"rows": tuple(now.digits.of_numbers(row) for row in rows)})


def _set_directions(form: Any, T: Array, now: Now) -> Any:
    """Turn both directions together: their lengths and the angle between them stay. Those that said nothing are new."""
    named, digits = named_directions(form), now.digits
    try:
        R = T.T @ matrix_of_directions(form)
    except ItemError:
        return form.model_copy(update={key: digits.of_numbers(T["xyz".index(key[-1])]) for key in named})
    return form.model_copy(update={key: turned_direction(n, R, digits.others) for key, n in named.items()})


def _unit_text(form: poses.Axes | poses.Axis | poses.Planar) -> str:
    return form.unit or "no unit"


ORIENTATION_KINDS: Kinds[OrientationKind[Any]] = Kinds(
    OrientationKind(
        model=poses.Axes,
        start={"sequence": "XYZ", "angles": (0, 0, 0), "unit": "deg"},
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
