"""Angular velocities with a known orientation at every time, the reference for drift."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from framescope.core import frames, kinematics
from framescope.core.errors import HintedError
from framescope.core.evaluation.compile.orientations import compile_orientation
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.local_motion import LocalMotion
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.model import WORLD

PROBES = 65
"""Number of times at which a frame is checked for an orientation."""

REFERENCE_STEPS = 1024
"""Initial number of steps of the sixth-order method that integrates a reference orientation."""

MAX_REFERENCE_STEPS = 16 * REFERENCE_STEPS
"""Largest number of steps of a reference orientation."""

REFERENCE_CHANGE = 1e-12
"""Change of the final orientation after halving the step below which a reference is accepted, rad."""


class LaboratoryError(HintedError):
    """Error of a choice that cannot be integrated; `message` has the reason, `hint` the fix."""


@dataclass(frozen=True)
class Steady:
    """Constant angular velocity, resolved in the frame, rad/s. The initial orientation is no rotation."""

    w: tuple[float, float, float]


@dataclass(frozen=True)
class RatePreset:
    """Angular velocity of one of the `PRESETS`, by its name."""

    name: str


@dataclass(frozen=True)
class OfFrame:
    """Angular velocity of a frame of the scene relative to its parent, resolved in the frame."""

    name: str


Choice = Steady | RatePreset | OfFrame

PRESETS: Mapping[str, poses.Axes] = {
    "tumbling": poses.Axes(
        sequence="ZYX", angles=("0.9*t + 0.4*sin(1.7*t)", "0.8*sin(1.1*t)", "1.3*t + 0.3*cos(0.9*t)"), unit="rad"
    ),
    "coning": poses.Axes(sequence="ZYZ", angles=("6*t", 0.1, "-6*t"), unit="rad"),
    "spinning top": poses.Axes(sequence="ZXZ", angles=("0.8*t", "0.5 + 0.1*sin(3*t)", "9*t"), unit="rad"),
}
"""Orientations with angles that are functions of time; their exact derivatives give the angular velocity."""


@dataclass(frozen=True, eq=False)
class Rate:
    """Angular velocity over time, with the orientation that follows from it.

    Attributes
    ----------
    choice
        Choice of the user.
    start, end
        Time range, s.
    w
        Angular velocities (n, 3) at times (n,), resolved in frame 2, rad/s.
    T
        Transformation matrices (n, 3, 3) from frame 1 into frame 2 at times (n,).
    source
        Source of `T`, as text.
    doubt
        Uncertainty of `T` relative to the integral of `w`, rad; 0 where it is exact up to rounding.
    """

    choice: Choice
    start: float
    end: float
    w: Callable[[Array], Array]
    T: Callable[[Array], Array]
    source: str
    doubt: float = 0.0


def make_rate(choice: Choice, plan: Plan) -> Rate:
    """Return the angular velocity of a choice over the time range of a plan.

    Parameters
    ----------
    choice
        Constant angular velocity, one of the `PRESETS`, or the motion of a frame relative to its parent.
    plan
        Plan of the scene, with the time range and the frame.

    Raises
    ------
    LaboratoryError
        When there is no such preset or frame, or the frame has no orientation at some time.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.scene.schema.model import Scene
    >>> rate = make_rate(Steady((0.0, 0.0, 0.5)), compile_plan(Scene()))
    >>> rate.T(np.array([0.0, np.pi]))[1].round(12)[0]
    array([0., 1., 0.])
    """
    match choice:
        case Steady():
            return _steady(choice, plan)
        case RatePreset():
            if choice.name not in PRESETS:
                raise LaboratoryError(f'There is no preset "{choice.name}".', f"Use one of: {', '.join(PRESETS)}.")
            motion = compile_orientation(PRESETS[choice.name], ("orientation",), plan.context)
            source = "angles as functions of time, differentiated exactly"
            return Rate(
                choice, plan.start, plan.end, lambda t: motion.sample(t).w, lambda t: motion.sample(t).T, source
            )
        case OfFrame():
            return _of_frame(choice, plan)


def _steady(choice: Steady, plan: Plan) -> Rate:
    w = np.array(choice.w, dtype=np.float64)
    if not np.isfinite(w).all():
        raise LaboratoryError("An angular velocity is three finite numbers.")
    start = plan.start

    def T(t: Array) -> Array:
        return axis_rotations.matrix_from_rotation_vector((t - start)[:, np.newaxis] * w)

    return Rate(choice, start, plan.end, lambda t: np.broadcast_to(w, (len(t), 3)), T, "one turn about a fixed axis")


def _of_frame(choice: OfFrame, plan: Plan) -> Rate:
    name = choice.name
    motion = motion_of(plan, name)
    frame = plan.scene.frames[name]

    def w(t: Array) -> Array:
        with np.errstate(all="ignore"):
            return motion.sample(t).w

    def T(t: Array) -> Array:
        with np.errstate(all="ignore"):
            return motion.sample(t).T

    times = np.linspace(plan.start, plan.end, PROBES)
    refuse_gaps(name, times, T(times), w(times))
    if frame.motion is None and isinstance(frame.orientation, poses.Integrated):
        reference, change = _reference(w, T(times[:1])[0], plan.start, plan.end)
        return Rate(choice, plan.start, plan.end, w, reference, "its rate, integrated finely at sixth order", change)
    if frame.motion is None:
        source = "its own orientation, as it is written"
        return Rate(choice, plan.start, plan.end, w, T, source)
    doubt = _mismatch(w, T, plan.start, plan.end)
    return Rate(choice, plan.start, plan.end, w, T, "its own orientation", doubt)


def motion_of(plan: Plan, name: str) -> LocalMotion:
    """Return the motion of a frame in its parent; raise a `LaboratoryError` with the reason if there is none."""
    if name == WORLD:
        raise LaboratoryError("The world does not turn.", "Select a frame that does.")
    if name not in plan.index:
        raise LaboratoryError(f'There is no frame "{name}".', "Select one in the outline or in the scene.")
    motion = plan.tree.motions.get(plan.index[name])
    if motion is None:
        raise LaboratoryError(f"{name} has no pose.", "The problems list gives the reason.")
    return motion


def refuse_gaps(name: str, t: Array, T: Array, w: Array) -> None:
    """Raise a `LaboratoryError` if matrices (n, 3, 3) or angular velocities (n, 3) at times (n,) are not finite."""
    is_good = np.isfinite(w).all(axis=1) & np.isfinite(T).all(axis=(1, 2))
    if not is_good.all():
        t_bad = t[np.argmin(is_good)]
        raise LaboratoryError(f"{name} has no orientation at t = {t_bad:.4g} s.", "Choose a frame that always has one.")


def _reference(
    w: Callable[[Array], Array], T0: Array, start: float, end: float
) -> tuple[Callable[[Array], Array], float]:
    """Integrate an angular velocity with fine steps; return the orientation and its change on halving them, rad."""
    n, before = REFERENCE_STEPS, None
    while True:
        T_start, times = frames.Orientation(T0, np.zeros(3)), np.linspace(start, end, n + 1)
        run = kinematics.integrate(T_start, w, times, "magnus-6", "quaternion")
        T_end = run.T(end)
        change = np.inf if before is None else float(attitude_error(T_end[np.newaxis], before[np.newaxis])[0])
        if change < REFERENCE_CHANGE or n >= MAX_REFERENCE_STEPS:
            return run.T, change
        n, before = 2 * n, T_end


def _mismatch(w: Callable[[Array], Array], T: Callable[[Array], Array], start: float, end: float) -> float:
    """Return the largest angle between an orientation and the integral of its angular velocity, rad."""
    times = np.linspace(start, end, 4 * REFERENCE_STEPS + 1)
    exact = T(times)
    run = kinematics.integrate(frames.Orientation(exact[0], np.zeros(3)), w, times, "magnus-6", "quaternion")
    errors = attitude_error(linear_algebra.matrix_from_quaternion(run.states), exact)
    return float(np.nanmax(errors))


def attitude_error(T1: Array, T2: Array) -> Array:
    """Return the angles (n,) between rotations (n, 3, 3), rad; accurate for small angles.

    Notes
    -----
    ``2 asin(|T1 - T2| / √8)``: the Frobenius norm of the difference of two rotations is ``√8 sin(angle / 2)``.

    Examples
    --------
    >>> small_turn = axis_rotations.matrix_from_rotation_vector(np.array([[0.0, 0.0, 1e-9]]))
    >>> bool(abs(attitude_error(small_turn, np.eye(3)[np.newaxis])[0] - 1e-9) < 1e-16)
    True
    """
    difference = (T1 - T2).reshape(*T1.shape[:-2], 9)
    return 2.0 * np.arcsin(np.minimum(np.sqrt((difference * difference).sum(axis=-1) / 8.0), 1.0))
