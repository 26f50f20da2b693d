"""Pixels of points, and directions of pixels, are those of OpenCV, for random lenses of every model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from framescope.core.projection import CameraModel, project, unproject

cv2: Any = pytest.importorskip("cv2", reason="OpenCV has no wheel for this platform")

COUNTS = {"none": (0,), "radtan": (4, 5), "rational": (8,), "equidistant": (4,)}
CASES = [(model, count) for model, counts in COUNTS.items() for count in counts]
SPREADS = {
    "none": (),
    "radtan": (0.3, 0.1, 0.003, 0.003, 0.05),
    "rational": (0.3, 0.1, 0.003, 0.003, 0.05, 0.3, 0.1, 0.05),
    "equidistant": (0.05, 0.02, 0.01, 0.005),
}
"""Standard deviations of the coefficients, from those of usual lenses to strong ones."""

N_LENSES, N_POINTS = 60, 200


def random_lens(rng: np.random.Generator, model: str, count: int) -> CameraModel:
    focal = tuple(rng.uniform(200.0, 1500.0, 2).tolist())
    center = tuple(rng.uniform(100.0, 1000.0, 2).tolist())
    return CameraModel(focal, center, model, tuple((rng.normal(size=count) * SPREADS[model][:count]).tolist()))


def random_points(rng: np.random.Generator, lens: CameraModel, share: float = 0.97) -> np.ndarray:
    """Return points within the range of a lens, at most 85 degrees off its axis."""
    widest = np.radians(min(lens.range_deg * share, 85.0))
    angle, turn = widest * np.sqrt(rng.uniform(size=N_POINTS)), rng.uniform(0.0, 2.0 * np.pi, N_POINTS)
    rays = np.stack([np.sin(angle) * np.cos(turn), np.sin(angle) * np.sin(turn), np.cos(angle)], axis=-1)
    return rays * rng.uniform(0.2, 50.0, (N_POINTS, 1))


def of_opencv(lens: CameraModel, points: np.ndarray) -> np.ndarray:
    (fx, fy), (cx, cy) = lens.focal_lengths, lens.principal_point
    K, D = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]]), np.array(lens.coefficients)
    no = np.zeros(3)
    if lens.distortion == "equidistant":
        return cv2.fisheye.projectPoints(points[:, np.newaxis], no, no, K, D)[0][:, 0]
    return cv2.projectPoints(points, no, no, K, D if len(D) else None)[0][:, 0]


def undistorted(lens: CameraModel, pixels: np.ndarray) -> np.ndarray:
    """Return the points at distance 1 for pixels, by many steps of OpenCV's iteration."""
    (fx, fy), (cx, cy) = lens.focal_lengths, lens.principal_point
    K, D = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]]), np.array(lens.coefficients)
    steps = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 2000, 1e-15)
    if lens.distortion == "equidistant":
        return cv2.fisheye.undistortPoints(pixels[:, np.newaxis], K, D, criteria=steps)[:, 0]
    return cv2.undistortPoints(pixels[:, np.newaxis], K, D if len(D) else np.zeros(4), criteria=steps)[:, 0]


@pytest.mark.parametrize(("model", "count"), CASES)
def test_that_points_have_the_pixels_of_opencv(model, count) -> None:
    rng = np.random.default_rng(90 + count)
    for _ in range(N_LENSES):
        lens = random_lens(rng, model, count)
        points = random_points(rng, lens)
        assert_allclose(project(lens, points), of_opencv(lens, points), rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize(("model", "count"), CASES)
def test_that_pixels_have_the_directions_of_opencv(model, count) -> None:
    """OpenCV's iteration does not end for strong lenses: it is compared where its own answer projects to the pixel."""
    rng = np.random.default_rng(190 + count)
    n_compared = n_lost = 0
    for _ in range(N_LENSES):
        lens = random_lens(rng, model, count)
        pixels = of_opencv(lens, random_points(rng, lens, 0.8))
        theirs = np.nan_to_num(undistorted(lens, pixels), nan=1e3, posinf=1e3, neginf=1e3)
        theirs = np.column_stack([theirs, np.ones(N_POINTS)])
        ours = unproject(lens, pixels)
        is_within = np.hypot(theirs[:, 0], theirs[:, 1]) < lens.range
        is_good = (np.abs(of_opencv(lens, theirs) - pixels).max(axis=1) < 1e-8) & is_within
        n_compared += int(is_good.sum())
        directions = theirs[is_good] / np.linalg.norm(theirs[is_good], axis=1, keepdims=True)
        assert_allclose(ours[is_good], directions, rtol=0.0, atol=1e-9)
        n_lost += int(np.isnan(ours).any(axis=1).sum())
    assert n_lost < 1e-3 * N_LENSES * N_POINTS, "only where the radius hardly grows, near the end of a strong lens"
    assert n_compared > 0.6 * N_LENSES * N_POINTS
