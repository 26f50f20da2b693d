"""Poses of cameras without a window, and the way between two of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core.errors import ItemError, KeyPath
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.films import Easing
from framescope.features.films.core.easing import eased

Triple = tuple[float, float, float]

ASKEW = np.array((0.1, 0.2, 0.3))
"""Direction along no axis, from which a direction across another is made."""


@dataclass(frozen=True)
class CameraPose:
    """Position, focal point and up vector in world, m; vertical view angle, rad."""

    position: Triple
    focal_point: Triple
    up: Triple
    view_angle: float


def checked_pose(
    position: Sequence[float],
    focal_point: Sequence[float],
    up: Sequence[float],
    factor: float,
    view_angle: float,
    key_path: KeyPath,
) -> CameraPose:
    """Return a camera from lengths in a unit of `factor` m; raise `ItemError` for a camera without a direction."""
    p, f, u = factor * np.array(position), factor * np.array(focal_point), np.array(up)
    if np.linalg.norm(np.cross(f - p, u)) < 1e-12:
        raise ItemError(key_path, "the camera looks along its up direction, or its position is its focal point.")
    if not 0.0 < view_angle < math.pi:
        message = f"expected more than 0 and less than 180 deg, got {math.degrees(view_angle):g} deg."
        raise ItemError((*key_path, "view_angle"), message)
    return CameraPose(_triple(p), _triple(f), _triple(u / np.linalg.norm(u)), view_angle)


def mix_poses(a: CameraPose, b: CameraPose, share: float) -> CameraPose:
    """Return the camera on the way from `a` (0) to `b` (1).

    The focal point moves on a straight line. Around it, the direction turns on a great circle, and the distance changes
    by equal factors.

    >>> a, b = (CameraPose(p, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.5) for p in ((4.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    >>> mix_poses(a, b, 0.0) == a, mix_poses(a, b, 1.0) == b
    (True, True)
    >>> round(math.dist(mix_poses(a, b, 0.5).position, (0.0, 0.0, 0.0)), 9)
    2.0
    """
    if share <= 0.0:
        return a
    if share >= 1.0:
        return b
    focal_a, focal_b = np.array(a.focal_point), np.array(b.focal_point)
    offset_a, offset_b = np.array(a.position) - focal_a, np.array(b.position) - focal_b
    size_a, size_b = float(np.linalg.norm(offset_a)), float(np.linalg.norm(offset_b))
    direction = turned(offset_a / size_a, offset_b / size_b, share, np.array(a.up))
    distance = size_a ** (1.0 - share) * size_b**share
    focal = focal_a + share * (focal_b - focal_a)
    up = turned(np.array(a.up), np.array(b.up), share, direction)
    if np.linalg.norm(np.cross(up, direction)) < 1e-6:  # the way leads over a pole
        up = np.cross(direction, np.roll(direction, 1) + ASKEW)
        up /= np.linalg.norm(up)
    angle = a.view_angle + share * (b.view_angle - a.view_angle)
    return CameraPose(_triple(focal + distance * direction), _triple(focal), _triple(up), angle)


def turned(a: Array, b: Array, share: float, about: Array) -> Array:
    """Return the unit vector on the great circle from `a` to `b`; opposite vectors turn about `about`.

    >>> turned(np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), 0.5, np.array([0, 0, 1.0])).round(6).tolist()
    [0.707107, 0.707107, 0.0]
    """
    cosine = float(np.clip(a @ b, -1.0, 1.0))
    across = b - cosine * a
    size = float(np.linalg.norm(across))
    if size < 1e-9:
        if cosine > 0.0:
            return a
        across = np.cross(about, a)
        size = float(np.linalg.norm(across))
        if size < 1e-9:
            across = np.cross(a, np.roll(a, 1) + ASKEW)
            size = float(np.linalg.norm(across))
    angle = share * math.acos(cosine)
    return math.cos(angle) * a + math.sin(angle) * across / size


def path_pose(keys: Sequence[tuple[float, CameraPose, Easing]], t: float) -> CameraPose:
    """Return the camera of a path at a time, s: before the first key and after the last one it rests."""
    i = max((k for k, (time, _, _) in enumerate(keys) if time <= t), default=0)
    start, pose, easing = keys[i]
    if i == len(keys) - 1:
        return pose
    end, following, _ = keys[i + 1]
    return mix_poses(pose, following, min(eased(easing, (t - start) / (end - start)), 1.0))


def _triple(v: Array) -> Triple:
    return float(v[0]), float(v[1]), float(v[2])
