"""Check of a reconstruction by its points: images hold many of them, unless its poses are inverted or in other axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from framescope.core.errors import Problem, visible_text
from framescope.core.kernels.validation import Array
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Lens, PoseList

MOST_IMAGES, MOST_POINTS = 60, 1000
"""Numbers of images and of points that are tried, spread evenly."""

FEWEST_POINTS, FEWEST_IMAGES = 20, 3
"""Numbers of points and of images below which nothing is concluded."""

LEAST_SHARE, LEAST_FACTOR = 0.5, 3.0
"""Share of the points in images with another reading, and its ratio to the share as written, of wrong poses."""

NONE, SOME = 0.002, 0.02
"""Share as written of images that hold none of their own points, and share with another reading that then counts."""

GL_AXES = np.diag([1.0, -1.0, -1.0])
"""Rotation between the axes of OpenGL (y up, z back) and those of an optical frame (y down, z forward)."""


def sight_problems(calibration: Calibration) -> tuple[Problem, ...]:
    """Return a problem for each moving camera whose images hold the points only with another reading of its poses.

    Examples
    --------
    >>> import dataclasses
    >>> from framescope.features.calibrations.core.calibration import PointCloud
    >>> points = np.random.default_rng(0).normal(size=(50, 3))
    >>> X = Transform(np.tile(np.eye(3), (4, 1, 1)), [[x, 0.0, -9.0] for x in (-1.0, 0.0, 1.0, 2.0)])
    >>> poses = PoseList("reconstruction", "camera", X, is_camera=True)
    >>> right = Calibration("colmap", pose_lists=(poses,), clouds=(PointCloud("reconstruction", points),))
    >>> sight_problems(right)
    ()
    >>> turned = dataclasses.replace(right, pose_lists=(dataclasses.replace(poses, X_PC=X.inverse()),))
    >>> sight_problems(turned)[0].kind
    'inverted'
    """
    return tuple(
        problem
        for poses in calibration.pose_lists
        for cloud in calibration.clouds
        if poses.is_camera and cloud.frame == poses.parent
        for problem in _problems(poses, calibration.lenses, cloud.points)
    )


def _problems(poses: PoseList, lenses: Sequence[Lens], points: Array) -> Iterator[Problem]:
    points = points[np.isfinite(points).all(axis=1)]
    n = len(poses.X_PC)
    if len(points) < FEWEST_POINTS or n < FEWEST_IMAGES:
        return
    rows = np.unique(np.linspace(0, n - 1, min(n, MOST_IMAGES)).astype(int))
    points = points[np.unique(np.linspace(0, len(points) - 1, min(len(points), MOST_POINTS)).astype(int))]
    X = poses.X_PC[rows]
    own = [_lens_of(poses, lenses, k) for k in rows.tolist()]
    as_written, *others = ((kind, text, _share(reading, own, points)) for kind, text, reading in _readings(poses, X))
    kind, text, share = max(others, key=lambda other: other[2])
    is_most = share >= LEAST_SHARE and share >= LEAST_FACTOR * as_written[2]
    if not is_most and not (as_written[2] < NONE and share >= SOME):
        return
    message = (
        f"{text}: then the images of {visible_text(poses.child)} hold {share:.0%} of the points, and"
        f" {as_written[2]:.0%} with the poses as written."
    )
    hint = f"They are drawn as written: {_words(poses)}."
    yield Problem((poses.child,), message, hint, "amber", kind=kind)


def _words(poses: PoseList) -> str:
    start, end = (poses.parent, poses.child) if poses.is_inverse else (poses.child, poses.parent)
    axes = "y up, z back" if poses.has_gl_axes else "y down, z forward"
    return f"they take points of {visible_text(start)} to {visible_text(end)}, whose camera has {axes}"


def _readings(poses: PoseList, X: Transform) -> Iterator[tuple[str, str, Transform]]:
    """Yield the poses of an optical frame as written, and as other readings of the numbers have them."""
    in_file = X if not poses.has_gl_axes else Transform(X.R_AB @ GL_AXES, X.p_AB)
    inverse = in_file.inverse()
    turned = Transform(inverse.R_AB @ GL_AXES, inverse.p_AB)
    other_axes = "y down, z forward" if poses.has_gl_axes else "y up, z back"
    yield "", "", X
    yield "inverted", "the poses are probably inverted", turned if poses.has_gl_axes else inverse
    text = f"the camera of the poses probably has {other_axes}"
    yield "other axes", text, Transform(X.R_AB @ GL_AXES, X.p_AB)
    text = f"the poses are probably inverted, and their camera has {other_axes}"
    yield "inverted", text, inverse if poses.has_gl_axes else turned


def _lens_of(poses: PoseList, lenses: Sequence[Lens], k: int) -> Lens | None:
    if poses.cameras:
        return lenses[poses.cameras[k]]
    return next((lens for lens in lenses if lens.frame == poses.child), None)


def _share(X: Transform, lenses: Sequence[Lens | None], points: Array) -> float:
    """Return the share of pairs of an image and a point in which the image holds the point, without distortion."""
    p = np.einsum("nij,nmi->nmj", X.R_AB, points[np.newaxis] - X.p_AB[:, np.newaxis])
    bounds = np.array([_bounds(lens) for lens in lenses])[:, np.newaxis]
    is_before = p[..., 2] > 0.0
    tangents = p[..., :2] / np.where(is_before, p[..., 2], 1.0)[..., np.newaxis]
    is_in = is_before & (tangents > bounds[..., :2]).all(axis=-1) & (tangents < bounds[..., 2:]).all(axis=-1)
    return float(is_in.mean())


def _bounds(lens: Lens | None) -> tuple[float, float, float, float]:
    """Return the tangents of the edges of an image: left, upper, right, lower. A usual one where it is not known."""
    if lens is None or lens.size is None:
        return -1.0, -1.0, 1.0, 1.0
    (w, h), (fx, fy), (cx, cy) = lens.size, lens.focal, lens.center
    return -cx / fx, -cy / fy, (w - cx) / fx, (h - cy) / fy
