"""Faults that the numbers of a pose may have, each with the pose that was meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

import numpy as np

from framescope.core.errors import visible_text
from framescope.core.kernels.validation import SEQUENCES, Array
from framescope.features.calibrations.core.calibration import Edge, Turn, nearest_orthogonal
from framescope.features.calibrations.core.rig.adjustment import Noise, Poses, covariance_of
from framescope.features.detective.core.axis_changes import FRD_FLU, AxisChange, changes
from framescope.features.detective.core.interpretations import Interpretation

Kind = Literal[
    "as written",
    "inverted",
    "transposed",
    "position inverted",
    "other order",
    "other unit of angles",
    "millimetres",
    "centimetres",
    "mirrored",
    "other axes",
    "names swapped",
]
"""Kind of a fault: ``"as written"`` is none."""

KINDS: tuple[Kind, ...] = get_args(Kind)
"""All kinds, the likely ones first."""

OPTICAL, BODY = AxisChange((1, 2, 0), (-1, -1, 1)), AxisChange((2, 0, 1), (1, -1, -1))
"""Optical axes in terms of body axes, and body axes in terms of optical axes."""

_FIRST_AXES = (OPTICAL, BODY, FRD_FLU)

_MIRRORS = tuple(
    AxisChange((0, 1, 2), tuple(-1 if i == k else 1 for i in range(3)))  # one axis reversed
    for k in range(3)
)


LARGEST_RIG = 100.0
"""Largest distance that a position may have in a larger unit, m: with a longer lever, noise of rotations hides all."""

_SCALES: tuple[tuple[Kind, float, str], ...] = (
    ("millimetres", 1e-3, "has its position in millimetres"),
    ("millimetres", 1e3, "has its position divided by 1000"),
    ("centimetres", 1e-2, "has its position in centimetres"),
    ("centimetres", 1e2, "has its position divided by 100"),
)
"""Kind, factor from the numbers to the position that was meant, and text of wrong units."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """Fault of a pose.

    Attributes
    ----------
    kind
        Kind of the fault.
    text
        Predicate of a sentence on the entry, such as ``"is inverted"``.
    R : (3, 3)
        Rotation of the pose that was meant, of the child in the parent.
    p : (3,)
        Its position, m.
    """

    kind: Kind
    text: str
    R: Array
    p: Array


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """Faults of a pose, the first being none, with their poses and covariances.

    `is_possible` is false for a pose as written whose matrix is no rotation.
    """

    kinds: tuple[Kind, ...]
    texts: tuple[str, ...]
    poses: Poses
    is_possible: bool = True

    def __len__(self) -> int:
        return len(self.kinds)

    def __getitem__(self, index: int) -> Hypothesis:
        return Hypothesis(self.kinds[index], self.texts[index], self.poses.R[index], self.poses.p[index])


Change = tuple[Kind, str, Array, Array, bool]
"""Kind, text, rotation and position in the sense of the file, and whether the file has the other sense."""


def hypotheses_of(edge: Edge, noise: Noise) -> Hypotheses:
    """Return the faults that a pose may have.

    Examples
    --------
    >>> from framescope.core.transform import Transform
    >>> edge = Edge("imu", "cam", Transform(np.eye(3), [0.1, 0.0, 0.0]), "T", is_inverse=True)
    >>> found = hypotheses_of(edge, Noise())
    >>> found.kinds[:2], found.poses.p[:2].tolist()
    (('as written', 'inverted'), [[-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]])
    """
    R, is_proper = nearest_orthogonal(edge.X_file.R_AB)
    found = list(_changes(edge, R, np.asarray(edge.X_file.p_AB), is_proper=is_proper))
    R_file = np.array([change[2] for change in found])
    q_file = np.array([change[3] for change in found])
    is_inverse = np.array([edge.is_inverse != change[4] for change in found])
    R_inverse = np.swapaxes(R_file, 1, 2)
    p_inverse = -np.einsum("nij,nj->ni", R_inverse, q_file)
    poses = Poses(
        np.where(is_inverse[:, None, None], R_inverse, R_file),
        np.where(is_inverse[:, None], p_inverse, q_file) + 0.0,
        covariance_of(q_file, is_inverse, noise),
    )
    kinds: tuple[Kind, ...] = tuple(change[0] for change in found)
    texts = tuple(change[1] for change in found)
    return Hypotheses(kinds, texts, poses, is_proper)


def _changes(edge: Edge, R: Array, q: Array, *, is_proper: bool) -> Iterator[Change]:
    yield "as written", "is right as it is", R, q, False
    if not is_proper:
        yield from _of_reflection(edge, R, q)
        return
    yield "inverted", "is inverted", R, q, True
    yield "transposed", "has its rotation transposed", R.T, q, False
    for moved in (-R @ q, -R.T @ q, -q):
        yield "position inverted", "has the position of the inverse pose", R, moved, False
    if edge.turn is not None:
        yield from _of_turn(edge.turn, R, q)
    for kind, factor, text in _SCALES:
        if factor < 1.0 or factor * float(np.linalg.norm(q)) <= LARGEST_RIG:
            yield kind, text, R, factor * q, False
    yield from _of_mirrors(edge, R, q)
    yield from _of_axes(edge, R, q)


def _of_axes(edge: Edge, R: Array, q: Array) -> Iterator[Change]:
    """Yield other axes of the frames to which and from which the numbers take points."""
    start, end = map(visible_text, edge.takes)
    for change in _axes():
        A = change.matrix
        yield "other axes", f"is in other axes of {end}: {change.text}", A @ R, A @ q, False
        yield "other axes", f"is in other axes of {start}: {change.text}", R @ A.T, q, False
    for change in _FIRST_AXES:
        A = change.matrix
        yield "other axes", f"is in other axes of both frames: {change.text}", A @ R @ A.T, A @ q, False


@cache
def _axes() -> tuple[AxisChange, ...]:
    """Return the 23 changes of axes that keep the handedness, optical and body axes first."""
    return (*_FIRST_AXES, *(change for change in changes(is_proper=True)[1:] if change not in _FIRST_AXES))


def _of_mirrors(edge: Edge, R: Array, q: Array) -> Iterator[Change]:
    """Yield mirrored axes of both frames, and a position with one wrong sign, in the axes of either frame."""
    for letter, change in zip("xyz", _MIRRORS, strict=True):
        M = change.matrix
        yield "mirrored", f"is mirrored: {letter} of both frames is reversed", M @ R @ M, M @ q, False
        yield "mirrored", f"has a position with {letter} reversed", R, M @ q, False
        if edge.is_inverse:
            yield "mirrored", f"has a position with {letter} of {edge.parent} reversed", R, R @ M @ R.T @ q, False


def _of_reflection(edge: Edge, R: Array, q: Array) -> Iterator[Change]:
    """Yield the rotations that a reflection may stand for."""
    start, end = map(visible_text, edge.takes)
    for letter, change in zip("xyz", _MIRRORS, strict=True):
        M = change.matrix
        yield "mirrored", f"is mirrored: {letter} of {start} is reversed", R @ M, q, False
        yield "mirrored", f"is mirrored: {letter} of {end} is reversed", M @ R, M @ q, False
        yield "mirrored", f"has a rotation with row {'xyz'.index(letter) + 1} reversed", M @ R, q, False
    yield "mirrored", "has a rotation of opposite sign", -R, q, False


def _of_turn(turn: Turn, R: Array, q: Array) -> Iterator[Change]:
    """Yield other readings of the numbers of a rotation; `R` is the reading of the file."""
    numbers = np.array([turn.numbers], dtype=float)
    read = _matrix(turn.form, turn.order, turn.unit, numbers)
    if read is None:
        return
    # The dialect may have inverted the rotation, or put it between other frames.
    before = R @ read.T
    other_unit = "rad" if turn.unit == "deg" else "deg"
    readings: list[tuple[Kind, str, str, str]] = []
    if turn.form == "quaternion":
        other = "wxyz" if turn.order == "xyzw" else "xyzw"
        readings.append(("other order", f"has its quaternion as {other}", other, ""))
    else:
        readings.append(("other unit of angles", f"has its angles in {other_unit}", turn.order, other_unit))
        for sequence in SEQUENCES:
            for order in (sequence, sequence.lower()):
                if len(set(sequence)) == 3 and order != turn.order:
                    about = "moving" if order.isupper() else "fixed"
                    text = f"has its angles about {about} axes {order.upper()}"
                    readings.append(("other order", text, order, turn.unit))
    for kind, text, order, unit in readings:
        matrix = _matrix(turn.form, order, unit, numbers)
        if matrix is not None:
            is_transposed = np.allclose(R, read.T, atol=1e-9) and not np.allclose(R, read, atol=1e-9)
            yield kind, text, matrix.T if is_transposed else before @ matrix, q, False


def _matrix(form: Literal["quaternion", "angles"], order: str, unit: str, numbers: Array) -> Array | None:
    """Return the rotation (3, 3) of numbers (1, n); None for a quaternion of zeros."""
    if form == "quaternion" and not np.linalg.norm(numbers) > 1e-9:
        return None
    return Interpretation(form, order, unit if form == "angles" else "").matrices(numbers)[0]
