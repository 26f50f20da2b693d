"""Shapes in a result of a Modelica tool, from any source, and the frames that they move with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.features.modelica.core.result_frames import ResultFrame

TOLERANCE = 2e-5
"""Largest motion of a shape in the frame it is fixed to, by the rounding of single precision: relative, and rad."""

LOOKED_AT = 32
"""Number of times that are tested first."""


@dataclass(frozen=True, eq=False)
class ResultShape:
    """A shape at all times of a result.

    Attributes
    ----------
    name
        Name of the component that draws the shape.
    kind
        Kind in the words of Modelica: ``box``, ``sphere``, ``cylinder``, ``cone``, ``pipe``, ...; or the name of a
        file.
    T : (n, 3, 3)
        Directions of length, width and height as rows, resolved in world.
    r : (n, 3)
        Origin of the shape relative to the world's origin, resolved in world, m.
    size : (n, 3)
        Length, width and height, m.
    extra : (n,)
        Further parameter of the kind, such as the ratio of the diameters of a cone.
    color
        Colour ``#rrggbb``; None if unknown.
    """

    name: str
    kind: str
    T: Array
    r: Array
    size: Array
    extra: Array
    color: str | None = None


def directions(along: Array, aside: Array) -> Array:
    """Return the directions (n, 3, 3) of length, width and height as rows; the width is `aside` across the length."""
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
    """Frame that a shape is fixed to, None for the world. `T` (3, 3) maps frame to shape, `r` is in the frame."""

    frame: ResultFrame | None
    T: Array
    r: Array


def fixed_to(shape: ResultShape, frames: Sequence[ResultFrame]) -> FixedTo | None:
    """Return the frame that a shape moves with, preferably of its own component; None if there is none."""
    candidates = sorted(frames, key=lambda frame: -max(_count_common_parts(name, shape.name) for name in frame.names))
    n = len(shape.r)
    some = np.unique(np.linspace(0, n - 1, min(LOOKED_AT, n)).astype(np.int64))
    for rows in (some, slice(None)):
        candidates = [frame for frame in candidates if _relative(shape, frame, rows) is not None]
    moving = next((frame for frame in candidates if not frame.is_constant), None)
    for frame in (moving, *candidates[:1], None) if moving is None else (moving,):
        pose = _relative(shape, frame, slice(None))
        if pose is not None:
            return FixedTo(None if frame is None or frame.is_world else frame, *pose)
    return None


def _relative(
    shape: ResultShape, frame: ResultFrame | None, rows: slice | NDArray[np.int64]
) -> tuple[Array, Array] | None:
    """Return the pose of a shape in a frame if it is constant, else None."""
    T_S, r_S = shape.T[rows], shape.r[rows]
    T_F, r_F = (np.eye(3)[np.newaxis], np.zeros((1, 3))) if frame is None else (frame.T[rows], frame.r[rows])
    T = T_S @ np.swapaxes(T_F, 1, 2)
    apart = r_S - r_F
    r = np.einsum("nij,nj->ni", np.broadcast_to(T_F, T.shape), apart)
    far = 1.0 + float(np.abs(r_S).max(initial=0.0)) + float(np.abs(r_F).max(initial=0.0))
    if not np.isfinite(r).all() or np.abs(r - r[0]).max() > TOLERANCE * far or np.abs(T - T[0]).max() > TOLERANCE:
        return None
    return T[0], r[0]


def _count_common_parts(first: str, second: str) -> int:
    """Return the number of common leading parts of two paths.

    >>> _count_common_parts("arm.body.frame_a", "arm.body.shape"), _count_common_parts("a.b", "b.b")
    (2, 0)
    """
    n = 0
    for a, b in zip(first.split("."), second.split("."), strict=False):
        if a != b:
            break
        n += 1
    return n
