"""Edits of the authored angles of an axis sequence, about moving or fixed axes.

They set an angle, write an expression of t, or set a rate. Angles are counted as they are authored.
"""

from __future__ import annotations

import re

from framescope.core.errors import ExpressionError, RefusedError
from framescope.core.kernels.validation import as_sequence
from framescope.core.scene.edits.base import Edit, set_frame
from framescope.core.scene.edits.driven_parameters import driving_parameter, rotate_by_parameters
from framescope.core.scene.edits.pose import angle_names
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.kinds.orientations import (
    BY_HAND,
    EXACT,
    IN_FORMULA,
    ORIENTATION_KINDS,
    Now,
    angle_factor,
    axis_letters,
    moving_sequence,
    no_rotation,
    set_signal,
    three_angles,
)
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.plain_scalars import number_text
from framescope.core.scene.schema.poses import Axis, OrientationForm, ThreeAngles
from framescope.core.time_functions.expression_rewriting import scale_expression, split_constant, with_constant
from framescope.core.time_functions.expressions import parse_expression

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_EVEN = re.compile(rf"([+-]?)\s*(?:({_NUMBER})\s*\*\s*t|t\s*\*\s*({_NUMBER})|t)")

_CONSTANT_FIRST = re.compile(rf"[+-]?{_NUMBER}(?=\s*[+-])\s*")


def turn_to(name: str, i_angle: int, angle_rad: float, t: float, label: str) -> Edit:
    """Return the edit that makes one angle of an axis sequence equal to `angle_rad` at time `t`.

    A constant angle gets this value. If the angle is a parameter, the parameter gets it. An expression of t keeps its
    terms, and a constant at its end is added or changed, with the decimals that the angle needs.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "orientation": {
    ...     "form": "axes", "sequence": "XYZ", "angles": [10, "5*t", 0], "unit": "deg"}}}})
    >>> turn_to("a", 1, 0.5235987755982988, 2.0, "").apply(scene).frames["a"].orientation.angles
    (10.0, '5*t + 20', 0.0)
    """

    def apply(scene: Scene) -> Scene:
        form = _angles_of(scene, name)
        authored, factor = form.angles[i_angle], angle_factor(form.unit)
        now = Now(t, scene.parameters, BY_HAND if isinstance(authored, str) else EXACT)
        changed = _with_angle(scene, name, i_angle, set_signal(authored, angle_rad, factor, now))
        return rotate_by_parameters(scene, changed, name)

    return Edit(label, apply)


def reset_angle(name: str, i_angle: int, label: str) -> Edit:
    """Return the edit that sets a constant angle or its parameter to zero, or removes the constant of an expression."""

    def apply(scene: Scene) -> Scene:
        authored = _angles_of(scene, name).angles[i_angle]
        driver = driving_parameter(authored, scene.parameters)
        if driver is not None:
            return scene.model_copy(update={"parameters": scene.parameters | {driver: 0.0}})
        return _with_angle(scene, name, i_angle, with_constant(authored, 0.0) if isinstance(authored, str) else 0.0)

    return Edit(label, apply)


def set_sequence(name: str, sequence: str) -> Edit:
    """Return the edit that changes the axis sequence of a frame and keeps its three angles as authored.

    `sequence` is about moving axes in upper case, about fixed axes in lower case, or ``"rpy"``.
    """
    as_sequence(moving_sequence(sequence))

    def apply(scene: Scene) -> Scene:
        form = _angles_of(scene, name)
        return set_frame(scene, name, orientation=three_angles(sequence, form.angles, form.unit))

    return Edit(f"Changed {name} to sequence {sequence}", apply)


def expression_constant(scene: Scene, name: str, i_angle: int) -> tuple[str, float] | None:
    """Return the text and the added constant of an angle that is an expression of t, else None.

    An expression that cannot be parsed counts as text without a constant.
    """
    frame = scene.frames.get(name)
    if frame is None or not isinstance(frame.orientation, ThreeAngles):
        return None
    authored = frame.orientation.angles[i_angle]
    if not isinstance(authored, str):
        return None
    try:
        parse_expression(authored, scene.parameters)
    except ExpressionError:
        return authored, 0.0
    return authored, split_constant(authored)[1]


def write_angle(name: str, i_angle: int, signal: float | str, unit: str, sequence: str, label: str) -> Edit:
    """Return the edit that writes one angle of a frame as a number or an expression of t.

    Parameters
    ----------
    name, i_angle
        The frame, and the index of the angle.
    signal
        New value of the angle.
    unit
        Unit of `signal`, ``"deg"`` or ``"rad"``; empty for the authored unit of the frame. The frame takes the unit of
        an expression if its other two angles are zero. Otherwise the expression gets a factor.
    sequence
        Axis sequence for a frame without an orientation, or with a rotation about one axis, which becomes an angle of
        this sequence.
    label
        Text that undo shows.

    Returns
    -------
    Edit
        Applying it raises a `RefusedError` with the reason of `why_no_expression`, or an `ExpressionError` if the
        expression cannot be read.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "orientation": {
    ...     "form": "axes", "sequence": "XYZ", "angles": [10, 0, 0], "unit": "deg"}}}})
    >>> write_angle("a", 0, "30*sin(t)", "deg", "XYZ", "").apply(scene).frames["a"].orientation.angles
    ('30*sin(t)', 0.0, 0.0)
    >>> write_angle("a", 1, "0.5*t", "rad", "XYZ", "").apply(scene).frames["a"].orientation.angles[1]
    '(0.5*t)*180/pi'
    >>> form = write_angle("a", 0, "0.5*t", "rad", "XYZ", "").apply(scene).frames["a"].orientation
    >>> form.angles, form.unit
    (('0.5*t', 0.0, 0.0), 'rad')
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"rotor": {"parent": "world", "orientation": {
    ...     "form": "axis", "axis": "z", "angle": "360*t", "unit": "deg"}}}})
    >>> write_angle("rotor", 0, "10*sin(t)", "deg", "YXZ", "").apply(scene).frames["rotor"].orientation.angles
    ('10*sin(t)', 0.0, '360*t')
    """

    def apply(scene: Scene) -> Scene:
        refusal = why_no_expression(scene, name, sequence)
        if refusal:
            raise RefusedError(refusal)
        form = scene.frames[name].orientation
        if not isinstance(form, ThreeAngles):
            form = _as_sequence(form, sequence, i_angle)
        authored = form.unit or ""
        others = (*form.angles[:i_angle], *form.angles[i_angle + 1 :])
        if isinstance(signal, str) and unit and all(other == 0.0 for other in others):
            form, authored = form.model_copy(update={"unit": unit}), unit
        is_same = unit in ("", authored)
        if isinstance(signal, str):
            parse_expression(signal, scene.parameters)
            value = signal if is_same else scale_expression(signal, angle_factor(unit) / angle_factor(authored))
        else:
            value = signal if is_same else EXACT.of_angle(signal * angle_factor(unit) / angle_factor(authored), 1.0)
        return _with_angle(set_frame(scene, name, orientation=form), name, i_angle, value)

    return Edit(label, apply)


def why_no_expression(scene: Scene, name: str, sequence: str) -> str:
    """Return the reason why the angles of a frame cannot be expressions of t; empty if they can.

    Parameters
    ----------
    scene, name
        The scene and the name of the frame.
    sequence
        Axis sequence of the angles of a frame that has no sequence of its own.

    Examples
    --------
    >>> why_no_expression(Scene(), "world", "XYZ")
    'the world stays where it is'
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"rotor": {"parent": "world", "orientation": {
    ...     "form": "axis", "axis": "y", "angle": "360*t", "unit": "deg"}}}})
    >>> why_no_expression(scene, "rotor", "ZYX"), why_no_expression(scene, "rotor", "ZXZ")
    ('', 'it is a rotation about y, which ZXZ does not have: choose a sequence with Y, then type the formula')
    """
    frame = scene.frames.get(name)
    if frame is None:
        return "the world stays where it is"
    if frame.motion is not None:
        return MOTION_KINDS.of(frame.motion).why_no_expression(frame.motion)
    form = frame.orientation
    if form is None:
        return ""
    if isinstance(form, Axis):
        letter = form.axis.upper()
        if letter not in axis_letters(sequence):
            without = f"it is a rotation about {form.axis}, which {sequence} does not have"
            return f"{without}: choose a sequence with {letter}, then type the formula"
    elif not isinstance(form, ThreeAngles):
        other = f"a formula needs three angles: choose convert… below, then {sequence}, and type it again"
        return ORIENTATION_KINDS.of(form).fixed or other
    try:
        angle_factor(form.unit)
    except RefusedError as error:
        return str(error)
    return ""


def _as_sequence(form: OrientationForm | None, sequence: str, i_angle: int) -> ThreeAngles:
    """Return no rotation or a rotation about one axis as three angles, which has its angle at `i_angle` if possible."""
    if not isinstance(form, Axis):
        return no_rotation(sequence)
    letter, letters = form.axis.upper(), axis_letters(sequence)
    i_own = i_angle if letters[i_angle] == letter else letters.index(letter)
    first, second, third = (form.angle if i == i_own else 0.0 for i in range(3))
    return three_angles(sequence, (first, second, third), form.unit)


def even_parts(signal: float | str) -> tuple[float, float] | None:
    """Return rate and constant of an angle that is a number, or a number times t with or without a constant.

    None for any other expression, even with a parameter only, because such an expression must not be rewritten.

    Examples
    --------
    >>> even_parts("5*t - 20"), even_parts("1 - 2*t"), even_parts(3.0), even_parts("-t"), even_parts("sin(t)")
    ((5.0, -20.0), (-2.0, 1.0), (0.0, 3.0), (-1.0, 0.0), None)
    """
    if not isinstance(signal, str):
        return 0.0, signal
    rest, constant = split_constant(signal)
    before = _CONSTANT_FIRST.match(rest)
    if before is not None and constant == 0.0:
        rest, constant = rest[before.end() :], float(before[0])
    match = _EVEN.fullmatch(rest)
    if match is None:
        return None
    rate = float(match[2] or match[3] or 1.0)
    return (-rate if match[1] == "-" else rate), constant


def set_rate(name: str, i_angle: int, rate: float, t: float, label: str) -> Edit:
    """Return the edit that gives one angle of an axis sequence a constant rate and keeps its value at time `t`.

    The constant of the expression is rounded as a person would type it.

    Parameters
    ----------
    name, i_angle
        The frame, and the index of the angle.
    rate
        Rate of the angle, rad/s; 0 makes the angle a number.
    t
        The present time, s.
    label
        Text that undo shows.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "orientation": {
    ...     "form": "axes", "sequence": "XYZ", "angles": [10, "sin(t)", 0], "unit": "deg"}}}})
    >>> set_rate("a", 0, 0.08726646259971647, 2.0, "").apply(scene).frames["a"].orientation.angles
    ('5*t', 'sin(t)', 0.0)
    """

    def apply(scene: Scene) -> Scene:
        form = _angles_of(scene, name)
        parts = even_parts(form.angles[i_angle])
        if parts is None:
            raise RefusedError(f"{angle_names(form)[i_angle]} is {form.angles[i_angle]}: its rate follows from that")
        factor = angle_factor(form.unit)
        new = EXACT.of_angle(rate / factor, 1.0)
        constant = (EXACT if new == 0.0 else IN_FORMULA).of_angle(parts[0] * t + parts[1] - new * t, factor)
        return _with_angle(scene, name, i_angle, _signal_text(new, constant))

    return Edit(label, apply)


def _signal_text(rate: float, constant: float) -> float | str:
    if rate == 0.0:
        return constant
    text = f"{number_text(rate)}*t"
    return text if constant == 0.0 else f"{text} {'-' if constant < 0.0 else '+'} {number_text(abs(constant))}"


def _angles_of(scene: Scene, name: str) -> ThreeAngles:
    form = scene.frames[name].orientation
    if isinstance(form, ThreeAngles):
        return form
    raise RefusedError(f"{name} has no three angles: convert it first")


def _with_angle(scene: Scene, name: str, i_angle: int, value: float | str) -> Scene:
    form = _angles_of(scene, name)
    angles = (*form.angles[:i_angle], value, *form.angles[i_angle + 1 :])
    return set_frame(scene, name, orientation=form.model_copy(update={"angles": angles}))
