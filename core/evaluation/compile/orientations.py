"""Orientation forms of a scene made into vectorised functions of time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from framescope.core import frames, kinematics, transformation_matrices
from framescope.core.errors import ItemError, KeyPath, Problem, did_you_mean
from framescope.core.evaluation.local_motion import (
    AxesTurn,
    LocalMotion,
    MotionContext,
    MotionSignals,
    Sample,
    compile_signals,
    standing,
    turning,
)
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.validation import SEQUENCES, Array, as_sequence
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.directions import DirectionsError, matrix_of_directions
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.system.caches import kept_while_used
from framescope.core.time_functions.breakpoints import TooManyBreakpointsError
from framescope.core.time_functions.piecewise_polynomial import is_beyond

ROTATION_TOLERANCE = 1e-3
"""How far authored numbers may miss a rotation and still be taken as rounding."""

MAX_STEPS = 100_000
"""Steps of one integration, which take about a tenth of a second."""

_STILL = "Use numbers, or expressions of parameters."


def compile_orientation(form: poses.ConstantOrientation, key_path: KeyPath, context: MotionContext) -> LocalMotion:
    """Make the motion of an orientation form that is not integrated; its position is the origin."""
    match form:
        case poses.Axes():
            return _axes(form, key_path, context)
        case poses.Planar():
            e = np.array(form.axis)
            length = float(np.sqrt(linear_algebra.dot(e, e)))
            if not abs(length - 1.0) <= ROTATION_TOLERANCE:
                raise ItemError(
                    (*key_path, "axis"), f"a rotation axis has unit length, this one {length:.6g}.", _unit_hint(e)
                )
            return _planar(e / length, form, key_path, context)
        case poses.Axis():
            if form.axis not in ("x", "y", "z"):
                raise ItemError((*key_path, "axis"), f'"{form.axis}" is no axis.', "Use one of: x, y, z.")
            return _planar(np.eye(3)["xyz".index(form.axis)], form, key_path, context)
        case poses.QuaternionForm():
            return _quaternion(form, key_path)
        case poses.NxNy() | poses.NxNz():
            return _two_directions(form, key_path)
        case poses.MatrixForm():
            return _matrix(form, key_path)


def constant_orientation(
    form: poses.ConstantOrientation | None, key_path: KeyPath, context: MotionContext
) -> tuple[Array, tuple[Problem, ...]]:
    """Return the matrix (3, 3) of an orientation that does not depend on t, and what is odd about it; none is eye."""
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
    """Make a position of signals; none is the origin."""
    if position is None:
        return MotionSignals((0.0, 0.0, 0.0), 1.0)
    factor = unit_factor(position.unit, "length", (*key_path, "unit"))
    return compile_signals(position.value, factor, (*key_path, "value"), context.parameters)


def _axes(form: poses.Axes, key_path: KeyPath, context: MotionContext) -> LocalMotion:
    try:
        sequence = as_sequence(form.sequence)
    except ValueError:
        raise ItemError(
            (*key_path, "sequence"),
            f'"{form.sequence}" is no axis sequence: three of X, Y, Z, neighbours different.',
            _sequence_hint(form.sequence),
        ) from None
    factor = unit_factor(form.unit, "angle", (*key_path, "unit"))
    signals = compile_signals(form.angles, factor, (*key_path, "angles"), context.parameters)

    def sample(t: Array) -> Sample:
        return turning(*axis_rotations.axes_motion(sequence)(*signals(t)))

    return LocalMotion(sample, signals.is_constant, axes=AxesTurn(sequence, signals))


def _sequence_hint(sequence: str) -> str:
    if sequence.upper() in SEQUENCES:
        return f'Write it in upper case: "{sequence.upper()}" are turns about the axes of the moving frame.'
    return did_you_mean(sequence, SEQUENCES)


def _planar(e: Array, form: poses.Planar | poses.Axis, key_path: KeyPath, context: MotionContext) -> LocalMotion:
    factor = unit_factor(form.unit, "angle", (*key_path, "unit"))
    signal = compile_signals((form.angle,), factor, (*key_path, "angle"), context.parameters)

    def sample(t: Array) -> Sample:
        angle, rate, second = signal(t)
        return turning(axis_rotations.planar_matrix(e, angle[:, 0]), e * rate, e * second)

    return LocalMotion(sample, signal.is_constant)


def _quaternion(form: poses.QuaternionForm, key_path: KeyPath) -> LocalMotion:
    place = (*key_path, "order")
    if form.order not in ("xyzw", "wxyz"):
        said = "the order of the quaternion is missing." if form.order is None else f'"{form.order}" is no order.'
        raise ItemError(place, said, 'Use "xyzw" (scalar last) or "wxyz" (scalar first).')
    Q = np.array(form.value) if form.order == "xyzw" else np.roll(form.value, -1)
    norm = float(np.sqrt(linear_algebra.squared_norm(Q)))
    if norm == 0.0:
        raise ItemError((*key_path, "value"), "the quaternion is zero.", "Use 0, 0, 0, 1 in xyzw for no rotation.")
    problems: tuple[Problem, ...] = ()
    if not abs(norm - 1.0) <= ROTATION_TOLERANCE:
        message = f"the length of the quaternion is {norm:.6g}, over the {ROTATION_TOLERANCE:g} taken as rounding."
        problems = (Problem((*key_path, "value"), message, "It is drawn normalised.", "red"),)
    return replace(standing(linear_algebra.matrix_from_quaternion(Q / norm), problems), quaternion=Q / norm)


def _two_directions(form: poses.NxNy | poses.NxNz, key_path: KeyPath) -> LocalMotion:
    try:
        return standing(matrix_of_directions(form))
    except DirectionsError as error:
        raise ItemError((*key_path, error.key), error.message, error.hint) from None


def _matrix(form: poses.MatrixForm, key_path: KeyPath) -> LocalMotion:
    if form.maps not in ("parent to frame", "frame to parent"):
        said = "the direction of the matrix is missing." if form.maps is None else f'"{form.maps}" is no direction.'
        raise ItemError(
            (*key_path, "maps"),
            said,
            'Use "parent to frame" (columns are the axes of the parent) or "frame to parent" (those of the frame).',
        )
    T = np.array(form.rows)
    T = T if form.maps == "parent to frame" else T.T
    nearest, distance = transformation_matrices.project_to_rotation(T)
    if distance <= ROTATION_TOLERANCE:
        return standing(nearest)
    is_left_handed = np.linalg.det(T) < 0.0
    message = (
        "the matrix is left-handed: its determinant is negative."
        if is_left_handed
        else f"the matrix is {distance:.4g} off the nearest rotation; {ROTATION_TOLERANCE:g} is taken as rounding."
    )
    hint = (
        "Swap two rows or change the sign of one. It is drawn as it stands."
        if is_left_handed
        else "It is drawn as it stands."
    )
    return standing(T, (Problem((*key_path, "rows"), message, hint, "red"),))


def _unit_hint(e: Array) -> str:
    norm = np.sqrt(linear_algebra.dot(e, e))
    if norm == 0.0:
        return "Use a direction such as [0, 0, 1]."
    return "Use [" + ", ".join(f"{x:.6g}" for x in e / norm) + "]."


@kept_while_used  # a frame gets a colour, a parent or a position and is another frame, which turns as before
def compile_integrated(form: poses.Integrated, context: MotionContext) -> LocalMotion:
    """Integrate an orientation over the whole time range, once; the sample applies its method between the steps."""
    key: KeyPath = ("orientation",)
    factor = unit_factor(form.unit, "angular velocity", (*key, "unit"))
    signals = compile_signals(form.w, factor, (*key, "w"), context.parameters)
    step = form.step.si("time", (*key, "step"))
    span = context.end - context.start
    if not step > 0.0:
        raise ItemError((*key, "step"), f"a step is longer than zero, this one is {form.step}.", "Use 10 ms.")
    if span / step > MAX_STEPS:
        raise ItemError(
            (*key, "step"),
            f"{span / step:.3g} steps are more than {MAX_STEPS}.",
            "Use a longer step or a shorter time range.",
        )
    T0, problems = constant_orientation(form.start, (*key, "start"), context)
    n_steps = max(1, int(np.ceil(span / step - 1e-9)))
    times = context.start + step * np.arange(n_steps + 1)
    try:
        breaks = signals.breaks(context.start, float(times[-1]), MAX_STEPS - n_steps)
    except TooManyBreakpointsError as error:
        raise ItemError(
            (*key, "w"),
            f"it bends or jumps more than {error.most} times, and each time a step has to end.",
            "Give it a longer period, or use a shorter time range.",
        ) from None
    # Both sides of each: no method has a jump inside a step.
    times = np.union1d(times, breaks)

    run = kinematics.integrate(
        frames.Orientation(T0, np.zeros(3)),
        signals.values,
        times,
        method=form.method,
        of=form.equation,
        renormalize=form.renormalize,
    )

    def sample(t: Array) -> Sample:
        """Return the run at times within the time range; beyond it the frame stands still."""
        inside = np.clip(t, context.start, context.end)
        w, b, _ = signals(inside)
        stands = is_beyond(t, context.start, context.end)[:, np.newaxis]
        return turning(run.T(inside), np.where(stands, 0.0, w), np.where(stands, 0.0, b))

    return LocalMotion(sample, is_constant=False, problems=problems, work=len(times) - 1)
