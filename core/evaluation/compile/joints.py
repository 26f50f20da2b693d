"""Compilation of joints: a frame that rotates about an axis or moves along it, from its pose at zero."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from framescope.core.errors import Fix, ItemError, KeyPath, Problem
from framescope.core.evaluation.compile.domain_checks import authored_signals, undefined
from framescope.core.evaluation.compile.orientations import (
    constant_orientation,
    constant_position,
    refuse_miscounted,
    unit_axis,
)
from framescope.core.evaluation.compile.recordings.joints import compile_recorded_value
from framescope.core.evaluation.local_motion import (
    JointValue,
    LocalMotion,
    MotionContext,
    MotionSignals,
    RecordedValue,
    Sample,
    compile_signals,
)
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import Frame
from framescope.core.scene.schema.motions import Joint
from framescope.core.scene.schema.quantities import unit_factor

KEY: KeyPath = ("motion",)

PROBES = 257
"""Number of times at which a changing value is compared with its bounds."""

REACH = 1e-9
"""Distance beyond a bound that counts as rounding, rad or m."""


def compile_joint(frame: Frame, context: MotionContext) -> LocalMotion:
    """Return the motion of a frame that is the child of a joint.

    Raises
    ------
    ItemError
        When the frame's pose at zero is not constant, the axis is invalid, or the lower limit is above the upper limit.
    """
    joint = frame.motion
    if not isinstance(joint, Joint):
        raise TypeError("expected a frame that is the child of a joint")
    T, problems = constant_orientation(frame.orientation, ("orientation",), context)
    value = _value(joint, T, constant_position(frame.position, ("position",), context), context)
    sample = _rotating(value) if value.is_revolute else _sliding(value)
    if not value.value.is_constant:
        problems += _beyond(joint, value, np.linspace(context.start, context.end, PROBES))
        return LocalMotion(sample, is_constant=False, joint=value, problems=problems)
    once = np.zeros(1)
    with np.errstate(all="ignore"):
        pose = sample(once)
    authored = authored_signals(None, None, None, value)
    problems += (*undefined(pose.T, pose.p, once, authored=authored), *_beyond(joint, value, once))
    return LocalMotion(sample, is_constant=True, still=(pose.T[0], pose.p[0]), joint=value, problems=problems)


def _value(joint: Joint, T: Array, p: Array, context: MotionContext) -> JointValue:
    refuse_miscounted(joint, KEY)
    axis, is_revolute = unit_axis(joint.axis, (*KEY, "axis")), joint.type == "revolute"
    factor = unit_factor(joint.unit, "angle" if is_revolute else "length", (*KEY, "unit"))
    lower = -math.inf if joint.lower is None else joint.lower
    upper = math.inf if joint.upper is None else joint.upper
    if lower > upper:
        message = f"the lower limit {lower:g} is above the upper limit {upper:g}."
        raise ItemError((*KEY, "lower"), message, "Exchange them.")
    signal: MotionSignals | RecordedValue = (
        compile_signals((joint.value,), factor, (*KEY, "value"), context.parameters)
        if joint.recording is None
        else compile_recorded_value(joint.recording, factor, context)
    )
    joint_value = JointValue(T, p, axis, signal, is_revolute, factor * lower, factor * upper)
    return replace(joint_value, still=joint_value.at(0.0)) if signal.is_constant else joint_value


def _rotating(joint: JointValue) -> Callable[[Array], Sample]:
    def sample(t: Array) -> Sample:
        T, w, b = axis_rotations.planar_motion(joint.axis, *joint.value(t)[..., 0])
        zeros = np.zeros_like(w)
        return Sample(linear_algebra.multiply_matrices(T, joint.T), zeros + joint.p, w, zeros, b, zeros)

    return sample


def _sliding(joint: JointValue) -> Callable[[Array], Sample]:
    along = linear_algebra.apply_transposed(joint.T, joint.axis)

    def sample(t: Array) -> Sample:
        way, rate, acceleration = joint.value(t)
        zeros, T = np.zeros((len(t), 3)), np.broadcast_to(joint.T, (len(t), 3, 3))
        return Sample(T, joint.p + way * along, zeros, rate * along, zeros, acceleration * along)

    return sample


def _beyond(joint: Joint, value: JointValue, times: Array) -> tuple[Problem, ...]:
    """Return the problem of a value outside its bounds at some of the times (n,)."""
    with np.errstate(all="ignore"):
        values = value.value.values(times)[:, 0]
        below, above = value.lower - REACH - values, values - value.upper - REACH
    out = np.flatnonzero((below > 0.0) | (above > 0.0))
    if not out.size:
        return ()
    worst = int(out[np.argmax(np.maximum(below, above)[out])])
    side, limit = ("below its lower", value.lower) if below[worst] > 0.0 else ("above its upper", value.upper)
    limit_text = _text_of(limit, joint, value)
    message = f"{joint.name or 'the joint'} is at {_text_of(values[worst], joint, value)}, {side} limit {limit_text}"
    moments: tuple[float, ...] = () if value.value.is_constant else tuple(times[out].tolist())
    if moments:
        message += f" at {times[worst]:.3g} s, and beyond its limits from {moments[0]:.3g} s on"
    is_typed = joint.recording is None and value.value.is_constant
    return (
        Problem(
            (*KEY, "value"),
            f"{message}.",
            "It is drawn as given.",
            "amber",
            time=moments[0] if moments else None,
            kind="joint-limit",
            times=moments,
            fix=Fix("Set to the limit", limit / value.value.factor) if is_typed else None,
        ),
    )


def _text_of(number: float, joint: Joint, value: JointValue) -> str:
    """Return a value of a joint in its unit; radians in degrees, too."""
    in_unit = f"{number / value.value.factor:.6g} {joint.unit}".replace(" deg", "°")
    return f"{in_unit} ({math.degrees(number):.4g}°)" if joint.unit == "rad" else in_unit
