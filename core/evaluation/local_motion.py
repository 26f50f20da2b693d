"""Local motion of a frame in its parent: the common type of all motion kinds, and its parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from framescope.core.errors import ExpressionError, ItemError, KeyPath, Problem
from framescope.core.kernels.validation import Array, Sequence3
from framescope.core.recordings.smoothing import Smoothing
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.system.file_access import Access
from framescope.core.time_functions.breakpoints import breakpoints
from framescope.core.time_functions.expressions import Expression, parse_expression
from framescope.core.time_functions.scalar_keyframes import ScalarKeyframes


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


def keep_last_time(sample: Callable[[Array], Sample]) -> Callable[[Array], Sample]:
    """Return a function like `sample` that keeps its sample at the last single time.

    While time stands still, every edit of another frame asks for that time again.

    Examples
    --------
    >>> asked = []
    >>> def sample(t):
    ...     asked.append(t)
    ...     return Sample(*[np.zeros(len(t))] * 6)
    >>> motion = keep_last_time(sample)
    >>> motion(np.array([1.0])) is motion(np.array([1.0])), len(asked)
    (True, 1)
    """
    last: tuple[float, Sample] | None = None

    def at(t: Array) -> Sample:
        nonlocal last
        if len(t) != 1:
            return sample(t)
        kept, time = last, float(t[0])  # another thread may replace `last`
        if kept is None or kept[0] != time:
            last = kept = time, sample(t)
        return kept[1]

    return at


@dataclass(frozen=True, eq=False)
class MotionSignals:
    """Several authored numbers or expressions of t, in SI units, with their derivatives."""

    items: tuple[float | Expression, ...]
    factor: float

    @property
    def is_constant(self) -> bool:
        """Whether none of the signals depends on t."""
        return not any(isinstance(item, Expression) and "t" in item.mentions for item in self.items)

    def breaks(self, start: float, end: float, most: int) -> Array:
        """Return the times (n, 2) before and after each breakpoint of the signals; errors are as in `breakpoints`."""
        return breakpoints([item for item in self.items if isinstance(item, Expression)], start, end, most)

    def __call__(self, t: Array) -> Array:
        """Return values, first and second derivatives (3, n, k) at times (n,)."""
        out = np.zeros((3, len(t), len(self.items)))
        self.fill(t, out)
        return out

    def values(self, t: Array) -> Array:
        """Return the values (n, k) at times (n,), without derivatives."""
        out = np.empty((len(t), len(self.items)))
        time = t[0] if len(t) == 1 else t  # three times as fast with a number as with an array of length 1
        for i, item in enumerate(self.items):
            out[:, i] = item(time) if isinstance(item, Expression) else item
        return out * self.factor

    def fill(self, t: Array, out: Array) -> None:
        """Write values, first and second derivatives into `out` (3, n, k), which must contain zeros."""
        time = t[0] if len(t) == 1 else t  # three times as fast with a number as with an array of length 1
        for i, item in enumerate(self.items):
            if isinstance(item, Expression):
                jet = item.jet(time)
                out[0, :, i], out[1, :, i], out[2, :, i] = jet.f, jet.d, jet.dd
            else:
                out[0, :, i] = item
        out *= self.factor


@dataclass(frozen=True, eq=False)
class AxesTurn:
    """A rotation about the axes of a sequence by authored angles.

    Angles about fixed axes are those of the reversed sequence about moving axes, in reverse order: `is_about_fixed`.
    """

    sequence: Sequence3
    angles: MotionSignals
    is_about_fixed: bool = False


@dataclass(frozen=True, eq=False)
class AxisTurn:
    """A rotation by an authored angle about an axis (3,) of unit length."""

    axis: Array
    angle: MotionSignals


@dataclass(frozen=True, eq=False)
class RecordedValue:
    """Value of a joint over time from a recording, in rad or m; used like `MotionSignals` with one signal.

    `factor` is the size of the joint's unit, rad or m.
    """

    curve: ScalarKeyframes
    factor: float
    items: tuple[Expression, ...] = ()
    is_constant: bool = False

    def __call__(self, t: Array) -> Array:
        """Return value, first and second derivative (3, n, 1) at times (n,)."""
        return np.stack(self.curve.sample(t))[..., np.newaxis]

    def values(self, t: Array) -> Array:
        """Return the value (n, 1) at times (n,)."""
        return self.curve.sample(t)[0][:, np.newaxis]


@dataclass(frozen=True, eq=False)
class JointValue:
    """A rotation about an axis (3,) of unit length, or a translation along it, by an authored value in rad or m.

    The axis is resolved in the frame. At a value of zero, `T` (3, 3) is the matrix from the parent into the frame, and
    `p` (3,), m, the frame's position in the parent. `lower` and `upper` bound the value; they are infinite if there are
    no bounds. `still` is the value if it is constant.
    """

    T: Array
    p: Array
    axis: Array
    value: MotionSignals | RecordedValue
    is_revolute: bool
    lower: float
    upper: float
    still: float | None = None

    def at(self, t: float) -> float:
        """Return the value at a time, rad or m."""
        if self.still is not None:
            return self.still
        with np.errstate(all="ignore"):
            return float(self.value.values(np.array([t]))[0, 0])


@dataclass(frozen=True, eq=False)
class ParentChanges:
    """Successive parents of a frame: the first of k + 1 `names`, then each later one from its time in `times`, s."""

    times: Array
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class LocalMotion:
    """Motion of a frame F in its parent P.

    `sample` takes times (n,). `still` holds ``T_PF, p_PF`` of a constant motion. The authored parts are: `axes`, the
    angles of an axis sequence; `about`, the angle about one axis; `T` (3, 3), a constant matrix; `joint`, the joint
    whose child the frame is; `quaternion` (4,), scalar last and of unit length; and `position`. Parts that do not exist
    are None. `problems` have key paths relative to the frame. `work` is the number of steps of its integration,
    `n_samples` the number of its samples.

    A recording whose pose is not smoothed has the pose in `own_pose`. `sample` is then the smoothed motion, the only
    source of rates. `smoothing` describes the smoothing of any recording, and `sample_times` (n,) are the times of its
    samples in the scene, s.

    The motion of a bag may have different parents over time, listed in `parents`. `known` (k, 2) are the time spans
    with a pose, None for always. `held` returns the last pose at times (n,), and its age, s.

    If `is_connected` is false, the pose only places the frame in the picture and is not known.
    """

    sample: Callable[[Array], Sample]
    is_constant: bool
    still: tuple[Array, Array] | None = None
    axes: AxesTurn | None = None
    about: AxisTurn | None = None
    joint: JointValue | None = None
    T: Array | None = None
    quaternion: Array | None = None
    position: MotionSignals | None = None
    problems: tuple[Problem, ...] = ()
    work: int = 0
    n_samples: int = 0
    own_pose: Callable[[Array], tuple[Array, Array]] | None = None
    smoothing: Smoothing | None = None
    sample_times: Array | None = None
    parents: ParentChanges | None = None
    known: Array | None = None
    held: Callable[[Array], tuple[Array, Array, Array]] | None = None
    is_connected: bool = True

    def pose(self, t: Array) -> tuple[Array, Array]:
        """Return ``T_PF, p_PF`` at times (n,), as the frame is shown."""
        return self.sample(t)[:2] if self.own_pose is None else self.own_pose(t)


@dataclass(frozen=True)
class MotionContext:
    """Context of compiling an item.

    Attributes
    ----------
    start, end
        Time range, s.
    access
        Access to files. Not compared, because authored motions read no files.
    parameters
        Named numbers of the scene.
    """

    start: float
    end: float
    access: Access = field(compare=False)
    parameters: FrozenDict[float]


def compile_signals(
    items: tuple[float | str, ...], factor: float, key_path: KeyPath, parameters: FrozenDict[float]
) -> MotionSignals:
    """Compile authored signals; raise `ItemError` for the first item that is not an expression of t."""
    compiled: list[float | Expression] = []
    for i, item in enumerate(items):
        try:
            compiled.append(parse_expression(item, parameters) if isinstance(item, str) else item)
        except ExpressionError as error:
            place = key_path if len(items) == 1 else (*key_path, i)
            raise ItemError(place, error.message, error.hint) from None
    return MotionSignals(tuple(compiled), factor)


def turning(T: Array, w: Array, b: Array) -> Sample:
    """Return the sample of a frame that rotates about the origin of its parent."""
    zeros = np.zeros_like(w)
    return Sample(T, zeros, w, zeros, b, zeros)


def standing(T: Array, problems: tuple[Problem, ...] = ()) -> LocalMotion:
    """Return the motion of a frame at rest at the origin of its parent."""

    def sample(t: Array) -> Sample:
        return turning(np.broadcast_to(T, (len(t), 3, 3)), np.zeros((len(t), 3)), np.zeros((len(t), 3)))

    return LocalMotion(sample, is_constant=True, T=T, problems=problems)
