"""Misconceptions about rotations: what an orientation or a direction becomes that is thought of in another way.

They are the readings of angles that the convention detective tries, on the angles of one moment.
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
"""Answers of a hand that is meant to be still are so far apart, rad."""

FITS = np.radians(22.0)
"""By how much a hand may miss what it means, so that it is still told what that was, rad."""

SAME = np.radians(0.5)
"""Misconceptions whose orientations differ by less are one, rad."""

ORDINALS = ("first", "second", "third")


@dataclass(frozen=True, eq=False)
class Misconception:
    """What somebody thought who gave an answer.

    Attributes
    ----------
    name
        A short name that does not change, such as ``"fixed for moving"``.
    says
        What it is, as it follows "That is where it would be, if".
    R : (3, 3)
        The orientation that it leads to: of the frame in its parent, ``v_parent = R @ v_frame``.
    """

    name: str
    says: str
    R: Array


def of_angles(sequence: str, angles: Array) -> tuple[Misconception, ...]:
    """Return the misconceptions about three turns about moving axes that lead somewhere else.

    Parameters
    ----------
    sequence
        One of the twelve, such as ``"ZYX"``.
    angles : (3,)
        In its order, rad.

    Examples
    --------
    >>> found = of_angles("ZYX", np.radians([50.0, 28.0, 40.0]))
    >>> sorted({each.name for each in found})[:3]
    ['fixed for moving', 'not turned', 'other order']
    """
    right = _turned(sequence, angles)
    return _apart_from(right, _thoughts(sequence, angles, right))


def of_orientation(right: Array, quaternion: Array | None = None) -> tuple[Misconception, ...]:
    """Return the misconceptions about an orientation (3, 3) that is not told by angles.

    With the `quaternion` (4,) that it is told by, scalar last, also those of its reading.
    """
    thoughts = [*_of_any(right)]
    if quaternion is not None:
        R = Interpretation("quaternion", "wxyz").matrices(quaternion[np.newaxis])[0]
        thoughts.insert(0, Misconception("scalar first", "the first of the four numbers were the scalar", R))
        angle = np.arctan2(np.linalg.norm(quaternion[:3]), quaternion[3])
        half = Interpretation("rotation vector", "", "rad").matrices((angle * _unit(quaternion[:3]))[np.newaxis])[0]
        says = "it turned by the angle that stands in the quaternion, which is half of it"
        thoughts.append(Misconception("half the angle", says, half))
    return _apart_from(right, thoughts)


def _apart_from(right: Array, thoughts: Iterable[Misconception]) -> tuple[Misconception, ...]:
    """Return misconceptions that lead somewhere else, and of those of one name that lead to one place the first."""
    found: list[Misconception] = []
    for each in thoughts:
        known = (one for one in found if one.name == each.name)
        if float(angles_between(each.R, right)) > CLOSE and not any(
            float(angles_between(one.R, each.R)) < SAME for one in known
        ):
            found.append(each)
    return tuple(found)


def _of_any(right: Array) -> Iterator[Misconception]:
    yield Misconception("transpose", "it was turned the other way: this is its parent, seen from the frame", right.T)
    yield Misconception("not turned", "it was not turned at all", np.eye(3))


def _unit(v: Array) -> Array:
    return v / max(float(np.linalg.norm(v)), 1e-300)


def _thoughts(sequence: str, angles: Array, right: Array) -> Iterator[Misconception]:
    fixed = _turned(sequence.lower(), angles)
    says = "each turn went about a fixed axis, not about the axis as the turns before have left it"
    yield Misconception("fixed for moving", says, fixed)
    for places in list(itertools.permutations(range(3)))[1:]:
        said = ", ".join(sequence[i].lower() for i in places)
        other = _turned("".join(sequence[i] for i in places), angles[list(places)])
        yield Misconception("other order", f"the turns came in another order: about {said}", other)
    transpose, not_turned = _of_any(right)
    yield transpose
    yield Misconception("other sign", "all three turns went the other way round", _turned(sequence, -angles))
    for i, ordinal in enumerate(ORDINALS):
        sign = np.where(np.arange(3) == i, -1.0, 1.0)
        says = f"the {ordinal} turn, about {sequence[i].lower()}, went the other way round"
        yield Misconception("other sign", says, _turned(sequence, sign * angles))
    for i, ordinal in enumerate(ORDINALS):
        kept = np.where(np.arange(3) == i, 0.0, 1.0)
        says = f"the {ordinal} turn, about {sequence[i].lower()}, was left out"
        yield Misconception("turn left out", says, _turned(sequence, kept * angles))
    yield not_turned


def _turned(choice: str, angles: Array) -> Array:
    """Return the orientation (3, 3) of angles about moving axes, or fixed ones in lower case."""
    return Interpretation("angles", choice, "rad").matrices(angles[np.newaxis])[0]


def nearest(answer: Array, right: Array, thoughts: Iterable[Misconception]) -> tuple[Misconception, ...]:
    """Return which misconceptions lead to an orientation, the one that fits best first; several fit as well.

    None where the answer is nearer to the right one, or where no misconception fits.
    """
    listed = list(thoughts)
    if not listed:
        return ()
    off = angles_between(np.stack([each.R for each in listed]), answer[np.newaxis])
    best = float(off.min())
    if best > FITS or float(angles_between(right, answer)) < best:
        return ()
    order: list[int] = np.argsort(off, kind="stable").tolist()
    return tuple(listed[i] for i in order if off[i] <= best + SAME or off[i] <= min(best + CLOSE, FITS))


def in_words(found: tuple[Misconception, ...]) -> str:
    """Return a sentence on what an answer means; empty where nothing fits."""
    if not found:
        return ""
    first, *others = dict.fromkeys(each.says for each in found)
    if not others:
        return f"That is where it would be if {first}."
    how_many = "Both fit" if len(others) == 1 else "Several fit"
    return f"That is where it would be if {first}; or if {'; or if '.join(others[:2])}. {how_many} what you did."
