"""Compilation of orientation forms into vectorised functions of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np

from framescope.core import frames, kinematics
from framescope.core.errors import ItemError, KeyPath, Problem, did_you_mean
from framescope.core.evaluation.local_motion import (
    AxesTurn,
    AxisTurn,
    LocalMotion,
    MotionContext,
    MotionSignals,
    Sample,
    compile_signals,
    keep_last_time,
    standing,
    turning,
)
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, SEQUENCES, Array, as_sequence
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.kinds.orientations import ORIENTATION_KINDS, ROLL_PITCH_YAW, ROTATION_TOLERANCE
from framescope.core.scene.schema.miscounted import Miscounted
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.system.caches import cache_while_used
from framescope.core.time_functions.breakpoints import TooManyBreakpointsError
from framescope.core.time_functions.piecewise_polynomial import is_beyond

MAX_STEPS = 100_000
"""Maximum number of steps of one integration, which take about a tenth of a second."""

_STILL = "Use numbers, or expressions of parameters."


def compile_orientation(form: poses.OrientationForm, key_path: KeyPath, context: MotionContext) -> LocalMotion:
    """Return the motion of an orientation form; its position is the origin."""
    refuse_miscounted(form, key_path)
    kind = ORIENTATION_KINDS.of(form)
    if kind.still is None:
        return COMPILERS[kind.model](form, key_path, context)
    try:
        T, problems, Q = kind.still(form)
    except ItemError as error:
        raise ItemError((*key_path, *error.key_path), error.message, error.hint) from None
    return replace(standing(T, tuple(replace(p, key_path=(*key_path, *p.key_path)) for p in problems)), quaternion=Q)


def constant_orientation(
    form: poses.OrientationForm | None, key_path: KeyPath, context: MotionContext
) -> tuple[Array, tuple[Problem, ...]]:
    """Return the matrix (3, 3) (identity for None) of an orientation that does not depend on t, and its problems."""
    if form is None:
        return np.eye(3), ()
    motion = compile_orientation(form, key_path, context)
    if not motion.is_constant:
        raise ItemError(key_path, "this orientation must not depend on t.", _STILL)
    with np.errstate(all="ignore"):
        T = motion.sample(np.zeros(1)).T[0]
    if not np.isfinite(T).all():
        raise ItemError(key_path, "this orientation has no value.")
    return T, motion.problems


def constant_position(position: poses.Position | None, key_path: KeyPath, context: MotionContext) -> Array:
    """Return a position (3,) that does not depend on t, m."""
    signals = compile_position(position, key_path, context)
    if not signals.is_constant:
        raise ItemError((*key_path, "value"), "this position must not depend on t.", _STILL)
    with np.errstate(all="ignore"):
        p = signals(np.zeros(1))[0][0]
    if not np.isfinite(p).all():
        raise ItemError((*key_path, "value"), "this position has no value.")
    return p


def compile_position(position: poses.Position | None, key_path: KeyPath, context: MotionContext) -> MotionSignals:
    """Return the signals of a position; None is the origin."""
    if position is None:
        return MotionSignals((0.0, 0.0, 0.0), 1.0)
    refuse_miscounted(position, key_path)
    factor = unit_factor(position.unit, "length", (*key_path, "unit"))
    return compile_signals(position.value, factor, (*key_path, "value"), context.parameters)


_ENTRIES = {"angles": ("α", "β", "γ"), "rows": ("row 1", "row 2", "row 3")}
"""Names of the entries of lists by key; those of vectors are x, y and z."""


_NO_POSE = "Until then it has no pose and is not drawn."


def refuse_miscounted(item: Item, key_path: KeyPath) -> None:
    """Raise `ItemError` for the first list of a pose or of a joint with too few or too many entries."""
    for key in type(item).model_fields:
        value: object = getattr(item, key)
        if isinstance(value, Miscounted):
            raise _count_error(item, (*key_path, key), value)
        for i, row in enumerate(cast("tuple[object, ...]", value) if isinstance(value, tuple) else ()):
            if isinstance(row, Miscounted):
                raise _count_error(item, (*key_path, key, i), row)


def _count_error(item: Item, place: KeyPath, numbers: Miscounted) -> ItemError:
    count, n = len(numbers), len(numbers.authored)
    word = {"angles": "angles", "rows": "rows"}.get(str(place[-1]), "numbers")
    if n > count:
        return ItemError(place, f"expected {count} {word}, got {n}.", f"Remove {n - count} of them. {_NO_POSE}")
    names = _ENTRIES.get(str(place[-1]), ("x", "y", "z"))
    if isinstance(item, poses.QuaternionForm):
        names = tuple(item.order or "xyzw")
    if isinstance(item, poses.Rpy):
        names = ROLL_PITCH_YAW
    *others, last = names[n:] if len(names) == count else ("something",)
    missing = f"{', '.join(others)} and {last} are missing" if others else f"{last} is missing"
    hint = f"Add {'them' if others else last}. {_NO_POSE}"
    return ItemError(place, f"expected {count} {word}, got {n}: {missing}.", hint)


def _axes(form: poses.Axes, key_path: KeyPath, context: MotionContext) -> LocalMotion:
    try:
        as_sequence(form.sequence)
    except ValueError:
        raise no_sequence(form.sequence, (*key_path, "sequence"), _sequence_hint(form.sequence)) from None
    return _three_angles(form, key_path, context)


def _extrinsic(form: poses.Extrinsic, key_path: KeyPath, context: MotionContext) -> LocalMotion:
    if form.sequence not in EXTRINSIC_SEQUENCES:
        message = f'"{form.sequence}" is no sequence of fixed axes: three of x, y, z, neighbours different.'
        lower = form.sequence.lower()
        hint = 'Use one such as "xyz" or "zyx".'
        if lower in EXTRINSIC_SEQUENCES:
            hint = f'Write it in lower case: "{lower}" are turns about the fixed axes of the parent.'
        raise ItemError((*key_path, "sequence"), message, hint)
    return _three_angles(form, key_path, context)


def _three_angles(form: poses.ThreeAngles, key_path: KeyPath, context: MotionContext) -> LocalMotion:
    """Return the motion of three angles. About fixed axes it is that of the reversed sequence, to the bit."""
    factor = unit_factor(form.unit, "angle", (*key_path, "unit"))
    signals = compile_signals(form.angles, factor, (*key_path, "angles"), context.parameters)
    is_fixed = not isinstance(form, poses.Axes)
    if is_fixed:
        signals = replace(signals, items=signals.items[::-1])
    sequence = as_sequence(poses.as_moving(form).sequence)

    def sample(t: Array) -> Sample:
        return turning(*axis_rotations.axes_motion(sequence)(*signals(t)))

    return LocalMotion(sample, signals.is_constant, axes=AxesTurn(sequence, signals, is_fixed))


def no_sequence(sequence: str | None, key_path: KeyPath, hint: str = 'Use one such as "XYZ" or "ZYX".') -> ItemError:
    """Return the error for a text that is not an axis sequence."""
    return ItemError(key_path, f'"{sequence}" is no axis sequence: three of X, Y, Z, neighbours different.', hint)


def _sequence_hint(sequence: str) -> str:
    if sequence.upper() in SEQUENCES:
        moving = f'Write it in upper case: "{sequence.upper()}" are turns about the axes of the moving frame.'
        return f"{moving} Turns about fixed axes have form: extrinsic."
    return did_you_mean(sequence, SEQUENCES)


def _planar(form: poses.Planar, key_path: KeyPath, context: MotionContext) -> LocalMotion:
    return _about(unit_axis(form.axis, (*key_path, "axis")), form, key_path, context)


def unit_axis(axis: tuple[float, float, float], key_path: KeyPath) -> Array:
    """Return an authored axis (3,) normalised to unit length, which corrects its rounding."""
    e = np.array(axis)
    length = float(np.sqrt(linear_algebra.dot(e, e)))
    if not abs(length - 1.0) <= ROTATION_TOLERANCE:
        raise ItemError(key_path, f"a rotation axis has unit length, this one {length:.6g}.", _unit_hint(e))
    return e / length


def _axis(form: poses.Axis, key_path: KeyPath, context: MotionContext) -> LocalMotion:
    if form.axis not in ("x", "y", "z"):
        raise ItemError((*key_path, "axis"), f'"{form.axis}" is no axis.', "Use one of: x, y, z.")
    return _about(np.eye(3)["xyz".index(form.axis)], form, key_path, context)


def _about(e: Array, form: poses.Planar | poses.Axis, key_path: KeyPath, context: MotionContext) -> LocalMotion:
    factor = unit_factor(form.unit, "angle", (*key_path, "unit"))
    signal = compile_signals((form.angle,), factor, (*key_path, "angle"), context.parameters)

    def sample(t: Array) -> Sample:
        return turning(*axis_rotations.planar_motion(e, *signal(t)[..., 0]))

    return LocalMotion(sample, signal.is_constant, about=AxisTurn(e, signal))


def _unit_hint(e: Array) -> str:
    norm = np.sqrt(linear_algebra.dot(e, e))
    if norm == 0.0:
        return "Use a direction such as [0, 0, 1]."
    return "Use [" + ", ".join(f"{x:.6g}" for x in e / norm) + "]."


@cache_while_used  # an edit of the frame's parent or position keeps the integrated rotation
def _integrate(form: poses.Integrated, context: MotionContext) -> LocalMotion:
    """Integrate an orientation over the whole time range once; between the steps, sampling applies the same method."""
    key: KeyPath = ("orientation",)
    factor = unit_factor(form.unit, "angular velocity", (*key, "unit"))
    signals = compile_signals(form.w, factor, (*key, "w"), context.parameters)
    step = form.step.si("time", (*key, "step"))
    span = context.end - context.start
    if not step > 0.0:
        raise ItemError((*key, "step"), f"a step is longer than zero, this one is {form.step}.", "Use 10 ms.")
    if span / step > MAX_STEPS:
        message = f"{span / step:.3g} steps are more than {MAX_STEPS}."
        raise ItemError((*key, "step"), message, "Use a longer step or a shorter time range.")
    T0, problems = constant_orientation(form.start, (*key, "start"), context)
    n_steps = max(1, int(np.ceil(span / step - 1e-9)))
    times = context.start + step * np.arange(n_steps + 1)
    try:
        breaks = signals.breaks(context.start, float(times[-1]), MAX_STEPS - n_steps)
    except TooManyBreakpointsError as error:
        message = f"it bends or jumps more than {error.most} times, and each time a step has to end."
        raise ItemError((*key, "w"), message, "Give it a longer period, or use a shorter time range.") from None
    # Include both sides of each breakpoint, so that no jump is inside a step.
    times = np.union1d(times, breaks)

    start, method, of = frames.Orientation(T0, np.zeros(3)), form.method, form.equation
    run = kinematics.integrate(start, signals.values, times, method=method, of=of, renormalize=form.renormalize)

    def sample(t: Array) -> Sample:
        """Return the integrated motion within the time range; outside, the frame is at rest."""
        inside = np.clip(t, context.start, context.end)
        w, b, _ = signals(inside)
        is_outside = is_beyond(t, context.start, context.end)[:, np.newaxis]
        return turning(run.T(inside), np.where(is_outside, 0.0, w), np.where(is_outside, 0.0, b))

    return LocalMotion(keep_last_time(sample), is_constant=False, problems=problems, work=len(times) - 1)


COMPILERS: dict[type[Item], Callable[[Any, KeyPath, MotionContext], LocalMotion]] = {
    poses.Axes: _axes,
    poses.Extrinsic: _extrinsic,
    poses.Rpy: _three_angles,
    poses.Planar: _planar,
    poses.Axis: _axis,
    poses.Integrated: lambda form, _key_path, context: _integrate(form, context),
}
"""Functions that compile the forms that may depend on t, by model."""
