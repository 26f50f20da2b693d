"""Shapes in a result of a Modelica tool, however it says where they are, and the frames that they move with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.features.modelica.core.result_frames import ResultFrame

TOLERANCE = 2e-5
"""How much a shape may move in the frame that it is fixed to, as a part of its distance, and rad: single precision."""

LOOKED_AT = 32
"""Times at which that is looked at first."""


@dataclass(frozen=True, eq=False)
class ResultShape:
    """A shape at all times of a result.

    Attributes
    ----------
    name
        The component that draws it.
    kind
        As Modelica calls it: ``box``, ``sphere``, ``cylinder``, ``cone``, ``pipe``, ...; or the name of a file.
    T : (n, 3, 3)
        Rows are its directions of length, width and height, resolved in world.
    r : (n, 3)
        Where it begins, from the world's origin, resolved in world, m.
    size : (n, 3)
        Length, width and height, m.
    extra : (n,)
        What its kind needs besides, such as the ratio of the diameters of a cone.
    color
        ``#rrggbb``; None where it is not known.
    """

    name: str
    kind: str
    T: Array
    r: Array
    size: Array
    extra: Array
    color: str | None = None


def directions(along: Array, aside: Array) -> Array:
    """Return the directions (n, 3, 3) of length, width and height in rows; of width what is across the length counts.

    Without a length it is x, and without a width across that it is y, or x: so Modelica's shapes have it.

    >>> directions(np.array([[2.0, 0.0, 0.0]]), np.array([[1.0, 1.0, 0.0]]))[0].tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    x, y = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    length = np.linalg.norm(along, axis=1, keepdims=True)
    e_l = np.where(length < 1e-10, x, along / np.where(length < 1e-10, 1.0, length))
    is_across = (np.cross(e_l, aside) ** 2).sum(axis=1, keepdims=True) > 1e-6
    aside = np.where(is_across, aside, np.where(np.abs(e_l[:, :1]) > 1e-6, y, x))
    e_h = np.cross(e_l, aside)
    e_h /= np.linalg.norm(e_h, axis=1, keepdims=True)
    return np.stack([e_l, np.cross(e_h, e_l), e_h], axis=1)


@dataclass(frozen=True, eq=False)
class FixedTo:
    """Frame that a shape is fixed to; None is the world. `T` (3, 3) takes the frame into the shape, `r` is from it."""

    frame: ResultFrame | None
    T: Array
    r: Array


def fixed_to(shape: ResultShape, frames: Sequence[ResultFrame]) -> FixedTo | None:
    """Return the frame that a shape moves with, of its own component if it can be; None where there is none."""
    candidates = sorted(frames, key=lambda frame: -max(_in_common(name, shape.name) for name in frame.names))
    n = len(shape.r)
    some = np.unique(np.linspace(0, n - 1, min(LOOKED_AT, n)).astype(np.int64))
    for rows in (some, slice(None)):
        candidates = [frame for frame in candidates if _relative(shape, frame, rows) is not None]
    moving = next((frame for frame in candidates if not frame.is_constant), None)
    for frame in (moving, *candidates[:1], None) if moving is None else (moving,):
        found = _relative(shape, frame, slice(None))
        if found is not None:
            return FixedTo(None if frame is None or frame.is_world else frame, *found)
    return None


def _relative(
    shape: ResultShape, frame: ResultFrame | None, rows: slice | NDArray[np.int64]
) -> tuple[Array, Array] | None:
    """Return the pose of a shape in a frame where it stays the same, None where it does not."""
    T_S, r_S = shape.T[rows], shape.r[rows]
    T_F, r_F = (np.eye(3)[np.newaxis], np.zeros((1, 3))) if frame is None else (frame.T[rows], frame.r[rows])
    T = T_S @ np.swapaxes(T_F, 1, 2)
    apart = r_S - r_F
    r = np.einsum("nij,nj->ni", np.broadcast_to(T_F, T.shape), apart)
    far = 1.0 + float(np.abs(r_S).max(initial=0.0)) + float(np.abs(r_F).max(initial=0.0))
    if not np.isfinite(r).all() or np.abs(r - r[0]).max() > TOLERANCE * far or np.abs(T - T[0]).max() > TOLERANCE:
        return None
    return T[0], r[0]


def _in_common(one: str, other: str) -> int:
    """Return how many parts two paths have in common.

    >>> _in_common("arm.body.frame_a", "arm.body.shape"), _in_common("a.b", "b.b")
    (2, 0)
    """
    n = 0
    for a, b in zip(one.split("."), other.split("."), strict=False):
        if a != b:
            break
        n += 1
    return n
