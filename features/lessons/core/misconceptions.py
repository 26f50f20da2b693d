"""Misconceptions about rotations, and the orientations that they lead to.

The misconceptions are the readings of angles that the convention detective tries, applied to the angles of one moment.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.detective.core.hypotheses import angles_between
from framescope.features.detective.core.interpretations import Interpretation

CLOSE = np.radians(6.0)
"""Uncertainty of an orientation that a user drags, rad. Orientations closer than this are not distinguished."""

FITS = np.radians(22.0)
"""Largest angle between an answer and a misconception that explains it, rad."""

SAME = np.radians(0.5)
"""Angle below which the orientations of two misconceptions count as equal, rad."""

ORDINALS = ("first", "second", "third")


@dataclass(frozen=True, eq=False)
class Misconception:
    """Misconception that explains a wrong answer.

    Attributes
    ----------
    name
        Short, stable name, such as ``"fixed for moving"``.
    clause
        Description that continues the sentence "That is where it would be if".
    R : (3, 3)
        Orientation of the frame in its parent that follows from it, ``v_parent = R @ v_frame``.
    """

    name: str
    clause: str
    R: Array


def of_angles(sequence: str, angles: Array) -> tuple[Misconception, ...]:
    """Return the misconceptions about three turns about moving axes that lead to another orientation.

    Parameters
    ----------
    sequence
        One of the twelve axis sequences, such as ``"ZYX"``.
    angles : (3,)
        Angles in the order of the sequence, rad.

    Examples
    --------
    >>> misconceptions = of_angles("ZYX", np.radians([50.0, 28.0, 40.0]))
    >>> sorted({misconception.name for misconception in misconceptions})[:3]
    ['fixed for moving', 'not turned', 'other order']
    """
    right = matrix_of_angles(sequence, angles)
    return _drop_repeats(right, _thoughts(sequence, angles, right))


def of_orientation(right: Array, quaternion: Array | None = None) -> tuple[Misconception, ...]:
    """Return the misconceptions about an orientation (3, 3) that is not given by angles.

    With the `quaternion` (4,) that gives it, scalar last, wrong readings of the quaternion are included.
    """
    thoughts = [*_of_any(right)]
    if quaternion is not None:
        R = Interpretation("quaternion", "wxyz").matrices(quaternion[np.newaxis])[0]
        thoughts.insert(0, Misconception("scalar first", "the first of the four numbers were the scalar", R))
        angle = np.arctan2(np.linalg.norm(quaternion[:3]), quaternion[3])
        half = Interpretation("rotation vector", "", "rad").matrices((angle * _unit(quaternion[:3]))[np.newaxis])[0]
        clause = "it were turned by the angle in the quaternion, which is half the angle"
        thoughts.append(Misconception("half the angle", clause, half))
    return _drop_repeats(right, thoughts)


def _drop_repeats(right: Array, thoughts: Iterable[Misconception]) -> tuple[Misconception, ...]:
    """Drop misconceptions that lead to the right orientation, and repeats of one name with an equal orientation."""
    distinct: list[Misconception] = []
    for thought in thoughts:
        namesakes = (other for other in distinct if other.name == thought.name)
        if float(angles_between(thought.R, right)) > CLOSE and not any(
            float(angles_between(other.R, thought.R)) < SAME for other in namesakes
        ):
            distinct.append(thought)
    return tuple(distinct)


def _of_any(right: Array) -> Iterator[Misconception]:
    yield Misconception(
        "transpose", "it were turned in the opposite direction: this is its parent, seen from the frame", right.T
    )
    yield Misconception("not turned", "it was not turned at all", np.eye(3))


def _unit(v: Array) -> Array:
    return v / max(float(np.linalg.norm(v)), 1e-300)


def _thoughts(sequence: str, angles: Array, right: Array) -> Iterator[Misconception]:
    fixed = matrix_of_angles(sequence.lower(), angles)
    clause = "each turn were about a fixed axis, not about an axis that the earlier turns have moved"
    yield Misconception("fixed for moving", clause, fixed)
    for places in list(itertools.permutations(range(3)))[1:]:
        axes = ", ".join(sequence[i].lower() for i in places)
        other = matrix_of_angles("".join(sequence[i] for i in places), angles[list(places)])
        yield Misconception("other order", f"the turns were in another order: about {axes}", other)
    transpose, not_turned = _of_any(right)
    yield transpose
    yield Misconception(
        "other sign", "all three turns were in the opposite direction", matrix_of_angles(sequence, -angles)
    )
    for i, ordinal in enumerate(ORDINALS):
        sign = np.where(np.arange(3) == i, -1.0, 1.0)
        clause = f"the {ordinal} turn, about {sequence[i].lower()}, were in the opposite direction"
        yield Misconception("other sign", clause, matrix_of_angles(sequence, sign * angles))
    for i, ordinal in enumerate(ORDINALS):
        factors = np.where(np.arange(3) == i, 0.0, 1.0)
        clause = f"the {ordinal} turn, about {sequence[i].lower()}, was left out"
        yield Misconception("turn left out", clause, matrix_of_angles(sequence, factors * angles))
    yield not_turned


def matrix_of_angles(sequence: str, angles: Array) -> Array:
    """Return the orientation (3, 3) of angles about moving axes; about fixed axes if the sequence is in lower case."""
    return Interpretation("angles", sequence, "rad").matrices(angles[np.newaxis])[0]


def nearest(answer: Array, right: Array, thoughts: Iterable[Misconception]) -> tuple[Misconception, ...]:
    """Return the misconceptions whose orientation is near an answer, the nearest first.

    Empty where the answer is nearer to the right orientation, or where no misconception fits.
    """
    candidates = list(thoughts)
    if not candidates:
        return ()
    errors = angles_between(np.stack([candidate.R for candidate in candidates]), answer[np.newaxis])
    best = float(errors.min())
    if best > FITS or float(angles_between(right, answer)) < best:
        return ()
    order: list[int] = np.argsort(errors, kind="stable").tolist()
    return tuple(candidates[i] for i in order if errors[i] <= best + SAME or errors[i] <= min(best + CLOSE, FITS))


def in_words(matches: tuple[Misconception, ...]) -> str:
    """Return a sentence that explains an answer by its misconceptions; empty where there are none."""
    if not matches:
        return ""
    first, *others = dict.fromkeys(misconception.clause for misconception in matches)
    if not others:
        return f"That is where it would be if {first}."
    how_many = "Both fit" if len(others) == 1 else "Several fit"
    return f"That is where it would be if {first}; or if {'; or if '.join(others[:2])}. {how_many} what you did."
