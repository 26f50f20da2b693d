"""Twins of frames: a copy beside the original, rotated by another sequence of the same three angles.

Angles that are numbers become parameters shared by both frames, so that one slider rotates both.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core import frames
from framescope.core.conventions import rotation_vector_from_T
from framescope.core.errors import RefusedError
from framescope.core.kernels.validation import SEQUENCES, Array, as_sequence
from framescope.core.scene.edits.base import set_frame
from framescope.core.scene.edits.copies import duplicate_items
from framescope.core.scene.edits.items import ItemEdit, free_name, rename_item, taken_names
from framescope.core.scene.edits.pose import LETTERS, Moment, shift_frame
from framescope.core.scene.schema.identifiers import words_in
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.kinds.orientations import ORIENTATION_KINDS, angle_factor
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import Axes

Keeps = Literal["axis", "place"]
"""Property that an angle keeps in another sequence: its axis, or its place among the three angles."""

NAMES = ("alpha", "beta", "gamma")
"""Parameter names for the three angles, if they are free."""

APART = 2.5
"""Distance of a twin from the original, as a multiple of the frame's reach."""

_PLAIN = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
_NEARLY = 0.95
_MAX_NAME = 190
_MAX_TWINS = 1000


@dataclass(frozen=True)
class Order:
    """A sequence of rotations, and the index (0, 1 or 2) of the given angle for each rotation."""

    sequence: str
    places: tuple[int, int, int] = (0, 1, 2)

    @property
    def text(self) -> str:
        """Product of its rotations, which maps vectors from the frame into its parent.

        >>> Order("XYZ", (2, 1, 0)).text
        'R = Rx(γ) Ry(β) Rz(α)'
        """
        return "R = " + " ".join(f"R{axis}({letter})" for axis, letter in self.turns)

    @property
    def turns(self) -> tuple[tuple[str, str], ...]:
        """Axis and angle of each rotation, as letters, from left to right."""
        return tuple((axis.lower(), LETTERS[i]) for axis, i in zip(self.sequence, self.places, strict=True))

    def matrix(self, angles: Array) -> Array:
        """Return the matrix (3, 3), parent into frame, of the given angles (3,), rad."""
        return frames.axes_rotations(self.sequence, np.asarray(angles)[list(self.places)]).T


def why_not_by_axis(own: str, other: str) -> str:
    """Return the reason why the angles of a sequence cannot keep their axes in another; empty if they can.

    >>> why_not_by_axis("ZYX", "XYZ"), why_not_by_axis("ZYX", "ZXZ")
    ('', 'ZXZ turns about z twice, and not about y')
    """
    for sequence in (own, other):
        if len(set(sequence)) < len(sequence):
            (missing,) = set("XYZ") - set(sequence)
            return f"{sequence} turns about {sequence[0].lower()} twice, and not about {missing.lower()}"
    return ""


def other_order(own: str, other: str, keeps: Keeps) -> Order:
    """Return another sequence, and the places of the angles of a sequence in it.

    Raises
    ------
    RefusedError
        When the angles cannot keep their axes.

    Examples
    --------
    >>> other_order("ZYX", "XYZ", "axis").places, other_order("ZYX", "XYZ", "place").places
    ((2, 1, 0), (0, 1, 2))
    """
    if keeps == "place":
        return Order(other)
    refusal = why_not_by_axis(own, other)
    if refusal:
        raise RefusedError(f"the angles have no axes to stay with: {refusal}. Have each keep its place")
    first, second, third = other
    return Order(other, (own.index(first), own.index(second), own.index(third)))


def angle_between(first: Order, other: Order, angles: Array) -> float:
    """Return the angle, rad, between the two orientations that two orders give for the same angles (3,).

    >>> bool(np.isclose(angle_between(Order("XYZ"), Order("ZYX", (2, 1, 0)), np.radians([90.0, 90.0, 0.0])), 2.0944))
    True
    """
    return float(np.linalg.norm(rotation_vector_from_T(other.matrix(angles) @ first.matrix(angles).T)))


def why_no_twin(scene: Scene, name: str) -> str:
    """Return the reason why a frame cannot have a twin, and advice, as a sentence; empty if it can.

    >>> why_no_twin(Scene(), "world")
    'the world is not turned: select a frame that is turned by three angles'
    """
    try:
        _turns_of(scene, name)
    except RefusedError as error:
        return str(error)
    return ""


def sequence_of(scene: Scene, name: str) -> str:
    """Return the sequence of a frame that can have a twin, upper case; raise a `RefusedError` if it cannot."""
    return _turns_of(scene, name).sequence


def twin_name(scene: Scene, name: str, other: str) -> str:
    """Return a free name for the twin of a frame, with its sequence.

    >>> twin_name(Scene(), "aircraft", "XYZ"), twin_name(Scene(), "aircraft ZYX", "XYZ")
    ('aircraft XYZ', 'aircraft XYZ')
    """
    stem, _, end = name.rpartition(" ")
    stem = stem if stem and end in SEQUENCES else name
    return free_name(taken_names(scene, "frames"), f"{stem[:_MAX_NAME].rstrip()} {other}")


def make_twin(scene: Scene, name: str, other: str, keeps: Keeps, d_P: Array, moment: Moment) -> ItemEdit:
    """Return the edit that puts a twin beside a frame, rotated by another sequence of the same three angles.

    Parameters
    ----------
    scene
        Scene of the frame.
    name
        The frame; its descendants are copied with it, with their appearance.
    other
        The sequence of the twin.
    keeps
        Property that each angle keeps, its axis or its place.
    d_P : (3,)
        Vector from the frame to its twin, m, resolved in their parent; see `offset_beside`.
    moment
        Present pose of the frame.

    Raises
    ------
    RefusedError
        When the frame cannot have a twin (see `why_no_twin`), or the scene would become too large.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world", "orientation": {
    ...     "form": "axes", "sequence": "ZYX", "angles": [10, "5*t", 30], "unit": "deg"}}}})
    >>> now = Moment(0.0, 0.0, np.eye(3), np.zeros(3))
    >>> twins = make_twin(scene, "a", "XYZ", "axis", np.array([0.0, 2.0, 0.0]), now).apply(scene)
    >>> twins.parameters, twins.frames["a"].orientation.angles
    ({'alpha': 10.0, 'gamma': 30.0}, ('alpha', '5*t', 'gamma'))
    >>> twins.frames["a XYZ"].orientation.angles, twins.frames["a XYZ"].position.value
    (('gamma', '5*t', 'alpha'), (0.0, 2.0, 0.0))
    """
    as_sequence(other)
    own = sequence_of(scene, name)
    if other == own:
        raise RefusedError(f"{name} has the sequence {own} already")
    order, twin = other_order(own, other, keeps), twin_name(scene, name, other)

    def apply(scene: Scene) -> Scene:
        scene, form = _with_parameters(scene, name, _turns_of(scene, name))
        copy = duplicate_items(scene, [("frames", name)])
        ((_, new),) = copy.keys
        scene = copy.apply(scene)
        scene = rename_item(scene, "frames", new, twin).apply(scene)
        i, j, k = order.places
        angles = (form.angles[i], form.angles[j], form.angles[k])
        orientation = form.model_copy(update={"sequence": other, "angles": angles})
        return shift_frame(twin, d_P, moment, "").apply(set_frame(scene, twin, orientation=orientation))

    apply(scene)
    return ItemEdit(f"Compared {name} with the order {other}", apply, (("frames", twin),))


def offset_beside(reach: float, right_P: Array, p_PF: Array, others_P: Array) -> Array:
    """Return the offset of a twin: along an axis of the parent, with a round length beyond the extent of the frame.

    Parameters
    ----------
    reach
        Reach of the frame and its descendants from its origin, m.
    right_P : (3,)
        Direction to the right in the picture, resolved in the parent; the offset is along the nearest axis of the
        parent.
    p_PF : (3,)
        The origin of the frame in its parent, m.
    others_P : (n, 3)
        Origins of other frames in the parent, m; places near such an origin are skipped.

    Returns
    -------
    (3,) array
        Vector from the frame to its twin, m, resolved in the parent.

    Examples
    --------
    >>> offset_beside(0.55, np.array([0.1, -0.9, 0.3]), np.zeros(3), np.array([[0.0, -1.5, 0.0]]))
    array([ 0., -3.,  0.])
    """
    axis = int(np.argmax(np.abs(right_P)))
    step = np.zeros(3)
    step[axis] = math.copysign(_round_number(APART * reach), right_P[axis])
    taken = np.asarray(others_P, dtype=float).reshape(-1, 3) - p_PF
    for n in range(1, _MAX_TWINS):
        if not (np.linalg.norm(taken - n * step, axis=1) < reach / 2).any():
            return n * step
    return step


def _round_number(value: float) -> float:
    """Return the smallest round number that is not much smaller than a value."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(n for n in (*_PLAIN, 15.0) if n * power >= _NEARLY * value) * power


def _turns_of(scene: Scene, name: str) -> Axes:
    """Return the three angles of a frame; raise a `RefusedError` with the reason if it cannot have a twin."""
    advice = "select a frame that is turned by three angles"
    if name == WORLD:
        raise RefusedError(f"the world is not turned: {advice}")
    if name not in scene.frames:
        raise RefusedError(f'there is no frame "{name}": {advice}')
    frame = scene.frames[name]
    why = _why_no_sequence(frame)
    if why:
        raise RefusedError(f"{name} {why}")
    form = frame.orientation
    assert isinstance(form, Axes)  # noqa: S101 - else there was a reason
    try:
        as_sequence(form.sequence)
        angle_factor(form.unit)
    except ValueError as error:  # a refusal is one
        raise RefusedError(f"the angles of {name} cannot be used, see the problems: {error}") from None
    return form


def _why_no_sequence(frame: Frame) -> str:
    advice = "select a frame that is turned by three angles"
    if frame.motion is not None:
        kind = MOTION_KINDS.of(frame.motion)
        return f"is {kind.moved or kind.form}, which no three angles of its own turn: {advice}"
    if frame.parent_keys:
        return f"gets other parents over time, which a twin beside it would not: {advice}"
    form = frame.orientation
    if form is None:
        return "is not turned yet: turn it first"
    if isinstance(form, Axes):
        return ""
    kind = ORIENTATION_KINDS.of(form)
    if kind.fixed:
        return f"is no product of three turns, {kind.fixed}: {advice}"
    return f"is written as {kind.word(form)}: convert it to a sequence first"


def _with_parameters(scene: Scene, name: str, form: Axes) -> tuple[Scene, Axes]:
    """Return the scene with the constant angles of a frame as parameters, and the new form of the frame."""
    numbers = [i for i, angle in enumerate(form.angles) if not isinstance(angle, str)]
    if not numbers:
        return scene, form
    names = _free_names(scene, numbers)
    values = {names[i]: float(form.angles[i]) for i in numbers}
    a, b, c = (names.get(i, angle) for i, angle in enumerate(form.angles))
    form = form.model_copy(update={"angles": (a, b, c)})
    scene = scene.model_copy(update={"parameters": scene.parameters | values})
    return set_frame(scene, name, orientation=form), form


def _free_names(scene: Scene, numbers: Collection[int]) -> dict[int, str]:
    """Return parameter names that occur nowhere in the scene, with the same ending for all angles."""
    used = scene.parameters.keys() | words_in(scene)
    ends = ("", *(f"_{n}" for n in range(2, len(used) + 3)))
    end = next(end for end in ends if not any(NAMES[i] + end in used for i in numbers))
    return {i: NAMES[i] + end for i in numbers}
