"""How one frame moves in its parent: a frame of the scene made into a vectorised function of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from framescope.core import (
    frames,
    kernels,
    kinematics,
    recordings,
    tables,
    trajectories,
    transformation_matrices,
    turns,
)
from framescope.core.arrays import SEQUENCES, Array, Sequence3, as_sequence
from framescope.core.errors import ItemError, KeyPath, Problem, Severity, did_you_mean
from framescope.core.expressions import ExpressionError, parse_expression
from framescope.core.scene import poses
from framescope.core.scene.model import Frame
from framescope.core.scene.quantities import unit_factor

ROTATION_TOLERANCE = 1e-3
"""How far authored numbers may miss a rotation and still be taken as rounding."""

MAX_STEPS = 100_000
"""Steps of one integration: a second or two, for which a person can wait."""

PROBES = 65
"""At how many times a moving frame is tried for a value."""


class Sample(NamedTuple):
    """Motion of a frame F in its parent P at n times.

    Attributes
    ----------
    T : (n, 3, 3)
        Transformation matrix from P into F.
    p : (n, 3)
        Position of F's origin from P's, resolved in P, m.
    w : (n, 3)
        Angular velocity of F relative to P, resolved in F, rad/s.
    v : (n, 3)
        Derivative of `p`, m/s.
    b : (n, 3)
        Derivative of `w`, which is the angular acceleration resolved in F, rad/s².
    a : (n, 3)
        Second derivative of `p`, m/s².
    """

    T: Array
    p: Array
    w: Array
    v: Array
    b: Array
    a: Array


@dataclass(frozen=True, eq=False)
class Signals:
    """Several authored numbers or expressions of t, in SI units, with their derivatives."""

    items: tuple[float | str, ...]
    factor: float

    @property
    def is_constant(self) -> bool:
        """Whether none of them depends on t."""
        return not any(isinstance(item, str) for item in self.items)

    def __call__(self, t: Array) -> Array:
        """Return values, first and second derivatives (3, n, k) at times (n,)."""
        out = np.zeros((3, len(t), len(self.items)))
        self.fill(t, out)
        return out

    def fill(self, t: Array, out: Array) -> None:
        """Write values, first and second derivatives into `out` (3, n, k), which holds zeros."""
        time = t[0] if len(t) == 1 else t  # a number is three times as quick as an array of one
        for i, item in enumerate(self.items):
            if isinstance(item, str):
                jet = parse_expression(item).jet(time)
                out[0, :, i], out[1, :, i], out[2, :, i] = jet.f, jet.d, jet.dd
            else:
                out[0, :, i] = item
        out *= self.factor


@dataclass(frozen=True, eq=False)
class AxesTurn:
    """A turn about the axes of a sequence by authored angles."""

    sequence: Sequence3
    angles: Signals


@dataclass(frozen=True, eq=False)
class LocalMotion:
    """Motion of a frame F in its parent P.

    `sample` takes times (n,). `still` holds ``T_PF, p_PF`` of a motion that is constant. `axes` are the authored
    angles of a frame with an axis sequence, `position` the authored position; a frame that has another motion has
    None. `problems` have key paths relative to the frame.
    """

    sample: Callable[[Array], Sample]
    is_constant: bool
    still: tuple[Array, Array] | None = None
    axes: AxesTurn | None = None
    position: Signals | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Context:
    """What compiling a frame needs besides the frame: the time span and the folder of the scene."""

    start: float
    end: float
    folder: Path | None


def compile_motion(frame: Frame, context: Context) -> LocalMotion:
    """Make the motion of a frame.

    Raises
    ------
    ItemError
        When the frame cannot have a pose: the place in the frame, what is wrong, and how to mend it.
    """
    if frame.motion is None:
        # Frozen models are hashable, which the checker does not know.
        return _authored(frame, context)  # pyright: ignore[reportArgumentType]
    for key in ("position", "orientation"):
        if getattr(frame, key) is not None:
            raise ItemError((key,), "a recorded frame has its pose from the recording.", f"Remove {key}.")
    return _recorded(frame.motion, context)


@lru_cache(maxsize=20_000)
def _authored(frame: Frame, context: Context) -> LocalMotion:
    """Make the motion of a frame that depends on nothing outside the scene: once, as frames are frozen."""
    position = _position(frame.position)
    orientation = _orientation(frame.orientation, context)
    is_constant = orientation.is_constant and position.is_constant

    def sample(t: Array) -> Sample:
        turn = orientation.sample(t)
        p, v, a = position(t)
        return Sample(turn.T, p, turn.w, v, turn.b, a)

    times = np.zeros(1) if is_constant else np.linspace(context.start, context.end, PROBES)
    with np.errstate(all="ignore"):
        T, p, *_ = sample(times)
    problems = (*orientation.problems, *_undefined("position", p, times), *_undefined("orientation", T, times))
    return LocalMotion(
        sample,
        is_constant,
        still=(T[0], p[0]) if is_constant else None,
        axes=orientation.axes,
        position=position,
        problems=problems,
    )


def _undefined(key: str, values: Array, times: Array) -> tuple[Problem, ...]:
    """Return a problem when the values (n, ...) are not numbers at some of the times (n,)."""
    is_bad = ~np.isfinite(values.reshape(len(times), -1)).all(axis=1)
    if not is_bad.any():
        return ()
    when = "at any time" if is_bad.all() else f"at t = {times[is_bad][0]:.4g} s"
    hint = "The frame is not drawn then." if not is_bad.all() else "The frame is not drawn."
    severity: Severity = "red" if is_bad.all() else "amber"
    return (Problem((key,), f"it has no value {when}.", hint, severity),)


def compile_signals(items: tuple[float | str, ...], factor: float, key_path: KeyPath) -> Signals:
    """Check authored signals; raise `ItemError` at the one that is no expression of t."""
    for i, item in enumerate(items):
        if isinstance(item, str):
            try:
                parse_expression(item)
            except ExpressionError as error:
                place = key_path if len(items) == 1 else (*key_path, i)
                raise ItemError(place, error.message, error.hint) from None
    return Signals(items, factor)


def _position(position: poses.Position | None) -> Signals:
    if position is None:
        return Signals((0.0, 0.0, 0.0), 1.0)
    factor = unit_factor(position.unit, "length", ("position", "unit"))
    return compile_signals(position.value, factor, ("position", "value"))


def _orientation(form: poses.OrientationForm | None, context: Context) -> LocalMotion:
    if form is None:
        return _constant(np.eye(3))
    if isinstance(form, poses.Integrated):
        return _integrated(form, context)
    return compile_orientation(form, ("orientation",))


def compile_orientation(form: poses.ConstantOrientation, key_path: KeyPath) -> LocalMotion:
    """Make the motion of an orientation form that is not integrated; its position is the origin."""
    match form:
        case poses.Axes():
            return _axes(form, key_path)
        case poses.Planar():
            e = np.array(form.axis)
            length = float(np.sqrt(kernels.dot(e, e)))
            if not abs(length - 1.0) <= ROTATION_TOLERANCE:
                raise ItemError(
                    (*key_path, "axis"), f"a rotation axis has unit length, this one {length:.6g}.", _unit_hint(e)
                )
            return _planar(e / length, form.angle, form.unit, key_path)
        case poses.Axis():
            if form.axis not in ("x", "y", "z"):
                raise ItemError((*key_path, "axis"), f'"{form.axis}" is no axis.', "Use one of: x, y, z.")
            return _planar(np.eye(3)["xyz".index(form.axis)], form.angle, form.unit, key_path)
        case poses.QuaternionForm():
            return _quaternion(form, key_path)
        case poses.NxNy():
            return _constant(frames.from_nxy(form.n_x, form.n_y).T)
        case poses.NxNz():
            return _constant(frames.from_nxz(form.n_x, form.n_z).T)
        case poses.MatrixForm():
            return _matrix(form, key_path)


def _constant(T: Array, problems: tuple[Problem, ...] = ()) -> LocalMotion:
    def sample(t: Array) -> Sample:
        return _turning(np.broadcast_to(T, (len(t), 3, 3)), np.zeros((len(t), 3)), np.zeros((len(t), 3)))

    return LocalMotion(sample, is_constant=True, problems=problems)


def _axes(form: poses.Axes, key_path: KeyPath) -> LocalMotion:
    try:
        sequence = as_sequence(form.sequence)
    except ValueError:
        raise ItemError(
            (*key_path, "sequence"),
            f'"{form.sequence}" is no axis sequence: three of X, Y, Z, neighbours different.',
            _sequence_hint(form.sequence),
        ) from None
    factor = unit_factor(form.unit, "angle", (*key_path, "unit"))
    signals = compile_signals(form.angles, factor, (*key_path, "angles"))

    def sample(t: Array) -> Sample:
        return _turning(*turns.axes_motion(sequence)(*signals(t)))

    return LocalMotion(sample, signals.is_constant, axes=AxesTurn(sequence, signals))


def _turning(T: Array, w: Array, b: Array) -> Sample:
    """Return the motion of a frame that turns about the origin of its parent."""
    zeros = np.zeros_like(w)
    return Sample(T, zeros, w, zeros, b, zeros)


def _sequence_hint(sequence: str) -> str:
    if sequence.upper() in SEQUENCES:
        return f'Write it in upper case: "{sequence.upper()}" are turns about the axes of the moving frame.'
    return did_you_mean(sequence, SEQUENCES)


def _planar(e: Array, angle: float | str, unit: str | None, key_path: KeyPath) -> LocalMotion:
    factor = unit_factor(unit, "angle", (*key_path, "unit"))
    signal = compile_signals((angle,), factor, (*key_path, "angle"))

    def sample(t: Array) -> Sample:
        angle, rate, second = signal(t)
        return _turning(turns.planar_matrix(e, angle[:, 0]), e * rate, e * second)

    return LocalMotion(sample, signal.is_constant)


def _quaternion(form: poses.QuaternionForm, key_path: KeyPath) -> LocalMotion:
    place = (*key_path, "order")
    if form.order not in ("xyzw", "wxyz"):
        said = "the order of the quaternion is missing." if form.order is None else f'"{form.order}" is no order.'
        raise ItemError(place, said, 'Use "xyzw" (scalar last) or "wxyz" (scalar first).')
    Q = np.array(form.value) if form.order == "xyzw" else np.roll(form.value, -1)
    norm = float(np.sqrt(kernels.squared_norm(Q)))
    if norm == 0.0:
        raise ItemError((*key_path, "value"), "the quaternion is zero.", "Use 0, 0, 0, 1 in xyzw for no rotation.")
    problems: tuple[Problem, ...] = ()
    if not abs(norm - 1.0) <= ROTATION_TOLERANCE:
        message = f"the length of the quaternion is {norm:.6g}, over the {ROTATION_TOLERANCE:g} taken as rounding."
        problems = (Problem((*key_path, "value"), message, "It is drawn normalised.", "red"),)
    return _constant(kernels.matrix_from_quaternion(Q / norm), problems)


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
        return _constant(nearest)
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
    return _constant(T, (Problem((*key_path, "rows"), message, hint, "red"),))


def _unit_hint(e: Array) -> str:
    norm = np.sqrt(kernels.dot(e, e))
    if norm == 0.0:
        return "Use a direction such as [0, 0, 1]."
    return "Use [" + ", ".join(f"{x:.6g}" for x in e / norm) + "]."


def _integrated(form: poses.Integrated, context: Context) -> LocalMotion:
    key: KeyPath = ("orientation",)
    factor = unit_factor(form.unit, "angular velocity", (*key, "unit"))
    signals = compile_signals(form.w, factor, (*key, "w"))
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
    start = _constant(np.eye(3)) if form.start is None else compile_orientation(form.start, (*key, "start"))
    if not start.is_constant:
        raise ItemError((*key, "start"), "an initial orientation does not depend on t.", "Use numbers.")
    T0 = start.sample(np.array([context.start]))[0][0]
    n_steps = max(1, int(np.ceil(span / step - 1e-9)))

    def w(t: Array) -> Array:
        return signals(t)[0]

    run = kinematics.integrate(
        frames.Orientation(T0, np.zeros(3)),
        w,
        context.start + step * np.arange(n_steps + 1),
        method=form.method,
        of=form.equation,
        renormalize=form.renormalize,
    )

    def sample(t: Array) -> Sample:
        w, b, _ = signals(np.clip(t, context.start, context.end))
        return _turning(run.T(t), w, b)

    return LocalMotion(sample, is_constant=False, problems=start.problems)


def _recorded(form: poses.Recorded, context: Context) -> LocalMotion:
    key: KeyPath = ("motion",)
    bandwidth = form.bandwidth.si("frequency", (*key, "bandwidth"))
    path = _resolve(form.file, context.folder, (*key, "file"))
    try:
        stat = path.stat()
        spline = _smoothed(path, (stat.st_mtime_ns, stat.st_size), bandwidth)
    except (recordings.RecordingError, tables.TableError) as error:
        raise ItemError((*key, "file"), error.message, error.hint) from None
    except OSError as error:
        raise ItemError((*key, "file"), f"{form.file} cannot be read: {error.strerror}.") from None
    problems: tuple[Problem, ...] = ()
    if context.start < 0.0 or context.end > spline.t_end + 1e-9:
        message = f"the recording covers 0 to {spline.t_end:.2f} s, the scene {context.start:g} to {context.end:g} s."
        problems = (Problem((*key, "file"), message, "Outside it the frame stands still at its end.", "amber"),)

    def sample(t: Array) -> Sample:
        return Sample(*spline.sample(t))

    return LocalMotion(sample, is_constant=False, problems=problems)


@lru_cache(maxsize=64)
def _smoothed(path: Path, _state: tuple[int, int], bandwidth_hz: float) -> recordings.PoseSpline:
    """Read and fit a recording once per state (time of change, size) of its file."""
    return recordings.smooth(trajectories.read_tum(path)[0], bandwidth_hz)


def _resolve(name: str, folder: Path | None, key_path: KeyPath) -> Path:
    """Return the file that a scene names; it must lie inside the scene's own folder, links followed."""
    if folder is None:
        raise ItemError(key_path, f"{name} is looked for beside the scene.", "Save the scene first.")
    try:
        base = folder.resolve()
        path = (base / name).resolve()
        is_file = path.is_file()
    except (OSError, ValueError, RuntimeError):
        raise ItemError(key_path, f"{name!r} is no usable file name.") from None
    if not path.is_relative_to(base):
        raise ItemError(key_path, f"{name} lies outside the folder of the scene.", "Copy it beside the scene.")
    if not is_file:
        siblings = [item.name for item in path.parent.iterdir() if item.is_file()] if path.parent.is_dir() else []
        hint = did_you_mean(path.name, siblings) if siblings else f"Put it into {path.parent.name}."
        raise ItemError(key_path, f"there is no file {name} beside the scene.", hint)
    return path
