"""System of rigid bodies, their points and the elements between them: the input of a simulation, in numbers.

A body has a frame B with its origin in the centre of mass. Its *rest* is the pose at which all springs are relaxed and
all small angles zero; its initial pose and velocities are separate. A point transmits one direction of the world, or
all three. An element connects two points with the same number of directions, or a point and ground.

References
----------
20-sim, Iconic Diagrams, Mechanical, Translation, 3DSmallRotation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from framescope.core.bodies import RigidBody
from framescope.core.kernels.validation import Array, as_array, set_read_only

Model = Literal["finite", "small angle"]
Kind = Literal["X", "Y", "Z", "XYZ"]

Signal = Callable[[Array], Array]
"""Function of times (n,) that returns value, first and second derivative (3, n, k), with k directions, 1 or 3."""

Breaks = Callable[[float, float, int], Array]
"""Function that returns the breakpoints of a signal (n, 2) from start, end and the maximum number of breakpoints.

See `framescope.core.time_functions.breakpoints.breakpoints`.
"""

DIAGONAL_TOLERANCE = 1e-9
"""Product of inertia, relative to the largest moment, below which it counts as zero."""


@dataclass(frozen=True, eq=False)
class SystemBody:
    """A rigid body with its pose at rest, and its pose and velocities at the start.

    Parameters
    ----------
    name
        Name of the body.
    body
        Mass and inertia of one body, resolved in B.
    model
        ``"finite"`` for any rotation, ``"small angle"`` for 20-sim's model.
    R_rest : (3, 3)
        Maps vectors from B into the world W when all springs are relaxed.
    p_rest : (3,)
        Position of the centre of mass in this pose, m.
    R_start : (3, 3)
        Maps vectors from B into W at the start.
    p_start, v_start : (3,)
        Position and velocity of the centre of mass at the start, in world axes, m and m/s.
    w_start : (3,)
        Angular velocity at the start, resolved in B, rad/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, a matrix is not a rotation, or the inertia does not suit the
        model: the finite model needs the inertia of a real body, the small-angle model principal axes along the world's
        axes at rest.

    Examples
    --------
    >>> plate = RigidBody(2.0, [1.0, 2.0, 2.5])
    >>> at_rest = SystemBody("plate", plate, "finite", np.eye(3), [0, 0, 1], np.eye(3), [0, 0, 1], [0] * 3, [0] * 3)
    >>> at_rest.p_start
    array([0., 0., 1.])
    """

    name: str
    body: RigidBody
    model: Model
    R_rest: Array
    p_rest: Array
    R_start: Array
    p_start: Array
    v_start: Array
    w_start: Array

    def __post_init__(self) -> None:
        who = f"body {self.name}"
        if not isinstance(self.body, RigidBody):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"{who}: expected a RigidBody, got {type(self.body).__name__}")  # noqa: TRY004
        if self.body.mass.ndim:
            raise ValueError(f"{who}: expected a single body, got masses of shape {self.body.mass.shape}")
        if self.model not in ("finite", "small angle"):
            raise ValueError(f"{who}: model: expected finite or small angle, got {self.model!r}")
        for field in ("R_rest", "R_start"):
            set_read_only(self, **{field: as_rotation(f"{who}: {field}", getattr(self, field))})
        for field in ("p_rest", "p_start", "v_start", "w_start"):
            set_read_only(self, **{field: exactly(f"{who}: {field}", getattr(self, field), (3,))})
        _check_inertia(who, self)


@dataclass(frozen=True, eq=False)
class SystemPoint:
    """A connection point of a body, which transmits forces and velocities along world axes.

    Parameters
    ----------
    name
        Name of the point.
    body
        Name of its body.
    kind
        Direction that it transmits, ``"X"``, ``"Y"`` or ``"Z"``, or ``"XYZ"`` for all three.
    offset : (3,)
        Fixed position in the body, from the centre of mass, resolved in B, m.

    Raises
    ------
    ValueError
        When the kind is unknown or the offset is not three finite numbers.

    Examples
    --------
    >>> SystemPoint("corner", "plate", "XYZ", [0.1, 0.2, 0.0]).axes
    (0, 1, 2)
    """

    name: str
    body: str
    kind: Kind
    offset: Array

    def __post_init__(self) -> None:
        if self.kind not in ("X", "Y", "Z", "XYZ"):
            raise ValueError(f"point {self.name}: kind: expected X, Y, Z or XYZ, got {self.kind!r}")
        set_read_only(self, offset=exactly(f"point {self.name}: offset", self.offset, (3,)))

    @property
    def axes(self) -> tuple[int, ...]:
        """World axes of its directions, counted from 0."""
        return tuple("XYZ".index(letter) for letter in self.kind)


@dataclass(frozen=True, eq=False)
class Spring:
    """Linear spring and damper in parallel: ``k x + d der(x)`` pulls the two ends together.

    Parameters
    ----------
    name
        Name of the element.
    point_1, point_2
        Names of its points; None for ground.
    stiffness, damping : () or (3,)
        N/m and N s/m, not negative; three values only for points with three directions.

    Raises
    ------
    ValueError
        When a number is negative or not finite, or a shape is wrong.

    Examples
    --------
    >>> Spring("leg", "corner", None, 100.0, 2.0).stiffness
    array(100.)
    """

    word: ClassVar[str] = "spring"

    name: str
    point_1: str
    point_2: str | None
    stiffness: Array
    damping: Array

    def __post_init__(self) -> None:
        for field in ("stiffness", "damping"):
            what = f"element {self.name}: {field}"
            value = as_array(what, getattr(self, field)).copy()
            if value.shape not in ((), (3,)):
                raise ValueError(f"{what}: expected a number or three, got shape {value.shape}")
            if np.any(value < 0.0):
                raise ValueError(f"{what}: expected 0 or more, got {value.min()}")
            set_read_only(self, **{field: value})


@dataclass(frozen=True, eq=False)
class Source:
    """A source between points with a signal; see `Force` and `VelocitySource`."""

    name: str
    point_1: str
    point_2: str | None
    signal: Signal
    breaks: Breaks | None = None

    def __post_init__(self) -> None:
        check_signal(self.name, self.signal)


class Force(Source):
    """Force source: its signal, N, acts on point 1 and, reversed, on point 2.

    Parameters
    ----------
    name
        Name of the element.
    point_1, point_2
        Names of its points; None for ground.
    signal
        Force, N, see `Signal`.
    breaks
        Bends and jumps of the signal, see `Breaks`; None if there are none.

    Raises
    ------
    ValueError
        When the signal is not a function.

    Examples
    --------
    >>> Force("push", "corner", None, lambda t: np.zeros((3, len(t), 1))).point_1
    'corner'
    """

    word: ClassVar[str] = "force source"


class VelocitySource(Source):
    """Velocity source: point 1 moves relative to point 2, or to ground, with its signal, m/s. A constraint.

    Parameters
    ----------
    name
        Name of the element.
    point_1, point_2
        Names of its points; None for ground.
    signal
        Velocity, m/s, see `Signal`.
    breaks
        Bends and jumps of the signal, see `Breaks`; None if there are none.

    Raises
    ------
    ValueError
        When the signal is not a function.

    Examples
    --------
    >>> VelocitySource("hinge", "corner", None, lambda t: np.zeros((3, len(t), 3))).point_2 is None
    True
    """

    word: ClassVar[str] = "velocity source"


Element = Spring | Force | VelocitySource


@dataclass(frozen=True, eq=False)
class System:
    """Bodies, points and elements, gravity, and the time range.

    Parameters
    ----------
    bodies, points, elements
        In any order; names are unique in each.
    gravity_W : (3,)
        Acceleration of free fall, in world axes, m/s².
    start, end
        Times, s.

    Raises
    ------
    ValueError
        When a name is duplicate or refers to nothing, the points of an element have different numbers of directions, a
        signal or a stiffness has another number of directions, or the time range is not positive.

    Examples
    --------
    >>> System((), (), (), [0, 0, -9.81], 0.0, 1.0).gravity_W
    array([ 0.  ,  0.  , -9.81])
    """

    bodies: tuple[SystemBody, ...]
    points: tuple[SystemPoint, ...]
    elements: tuple[Element, ...]
    gravity_W: Array
    start: float
    end: float

    def __post_init__(self) -> None:
        for field in ("bodies", "points", "elements"):
            object.__setattr__(self, field, tuple(getattr(self, field)))
        set_read_only(self, gravity_W=exactly("gravity_W", self.gravity_W, (3,)))
        start, end = float(exactly("start", self.start, ())), float(exactly("end", self.end, ()))
        if not end > start:
            raise ValueError(f"end: expected a time after the start at {start} s, got {end}")
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "end", end)
        bodies = check_unique("body", (body.name for body in self.bodies))
        points = check_unique("point", (point.name for point in self.points))
        check_unique("element", (element.name for element in self.elements))
        known = set(bodies)
        for point in self.points:
            if point.body not in known:
                raise ValueError(f"point {point.name}: body: expected {one_of(bodies)}, got {point.body!r}")
        sizes = {point.name: len(point.axes) for point in self.points}
        for element in self.elements:
            _check_element(element, points, sizes, start)


def _check_element(element: Element, points: list[str], sizes: Mapping[str, int], start: float) -> None:
    who = f"element {element.name}"
    for field, name in (("point_1", element.point_1), ("point_2", element.point_2)):
        if name not in sizes and not (field == "point_2" and name is None):
            raise ValueError(f"{who}: {field}: expected {one_of(points)}, got {name!r}")
    if element.point_1 == element.point_2:
        raise ValueError(f"{who}: point_2: expected another point than point_1, got {element.point_2!r}")
    n = sizes[element.point_1]
    if element.point_2 is not None and sizes[element.point_2] != n:
        message = f"{who}: point_2: expected as many directions as {element.point_1}, {n}, got {sizes[element.point_2]}"
        raise ValueError(message)
    if isinstance(element, Spring):
        for field, value in (("stiffness", element.stiffness), ("damping", element.damping)):
            if value.shape not in ((), (n,)):
                raise ValueError(f"{who}: {field}: expected one number for a single direction, got three")
        return
    with np.errstate(all="ignore"):
        shape = np.shape(element.signal(np.array([start])))
    if shape != (3, 1, n):
        raise ValueError(f"{who}: signal: expected shape (3, 1, {n}) at one time, got {shape}")


def _check_inertia(who: str, body: SystemBody) -> None:
    if body.model == "finite":
        if not body.body.is_realizable:
            raise ValueError(
                f"{who}: inertia: expected moments of which none is greater than the sum of the other two, got"
                f" {', '.join(f'{J:.6g}' for J in body.body.inertia)}, which no body has"
            )
        return
    J_W = inertia_at_rest(body)
    off = np.abs(J_W - np.diag(np.diag(J_W))).max()
    if not off <= DIAGONAL_TOLERANCE * np.abs(J_W).max():
        raise ValueError(
            f"{who}: inertia: expected principal axes along the world's at rest for the small-angle model, got"
            f" products of inertia up to {off:.6g} kg m² there (turn the body, or use the finite model)"
        )


def inertia_at_rest(body: SystemBody) -> Array:
    """Return the inertia (3, 3) of a body about its centre of mass in world axes, in its rest pose, kg m².

    >>> plate = RigidBody(2.0, [1.0, 2.0, 2.5])
    >>> quarter = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    >>> body = SystemBody("plate", plate, "small angle", quarter, [0] * 3, quarter, [0] * 3, [0] * 3, [0] * 3)
    >>> np.diag(inertia_at_rest(body))
    array([2. , 1. , 2.5])
    """
    return body.R_rest @ body.body.inertia_matrix @ body.R_rest.T


ROTATION_TOLERANCE = 1e-6
"""Largest error of a rotation matrix."""


def check_unique(kind: str, names: Iterable[str]) -> list[str]:
    """Return the names of items of one kind; raise `ValueError` if one occurs twice."""
    listed = list(names)
    for name, n in Counter(listed).items():
        if n > 1:
            raise ValueError(f"{kind} {name}: expected a name of its own, got it {n} times")
    return listed


def one_of(names: list[str]) -> str:
    """Return the expected names as text for a message."""
    return f"one of {', '.join(names)}" if names else "one that exists, of which there is none"


def check_signal(name: str, signal: object) -> None:
    """Raise `ValueError` if a signal is not a function."""
    if not callable(signal):
        raise ValueError(  # noqa: TRY004
            f"element {name}: signal: expected a function of times, got {type(signal).__name__}"
        )


def exactly(name: str, value: object, shape: tuple[int, ...]) -> Array:
    """Return a copy of finite numbers with exactly this shape."""
    array = as_array(name, value, shape)  # pyright: ignore[reportArgumentType]
    if array.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, got {array.shape}")
    return array.copy()


def as_rotation(name: str, value: object) -> Array:
    """Return a copy of a rotation matrix; raise `ValueError` for any other."""
    R = exactly(name, value, (3, 3))
    off = float(np.abs(R @ R.T - np.eye(3)).max())
    if not off <= ROTATION_TOLERANCE or not np.linalg.det(R) > 0.0:
        raise ValueError(f"{name}: expected a rotation, got a matrix off by {off:.3g} or left-handed")
    return R
