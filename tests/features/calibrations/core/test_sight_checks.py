"""Poses of a reconstruction against its points: silent for right ones of every kind of walk, named where they tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Lens, PointCloud, PoseList
from framescope.features.calibrations.core.sight_checks import sight_problems

LENS = Lens("camera", (640, 480), (500.0, 500.0), (320.0, 240.0))
RNG = np.random.default_rng(6)


def look(centers, targets) -> Transform:
    """Return poses of optical frames that look from centers to targets, with z up."""
    forward = np.asarray(targets, dtype=float) - centers
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    return Transform(np.stack([right, np.cross(forward, right), forward], axis=-1), centers)


def ring(n: int, radius: float, height: float = 1.0) -> np.ndarray:
    angles = np.linspace(0.0, 2.0 * np.pi, n, endpoint=False)
    return np.stack([radius * np.cos(angles), radius * np.sin(angles), np.full(n, height)], axis=-1)


def shell(n: int, radius: float) -> np.ndarray:
    points = RNG.normal(size=(n, 3)) * (1.0, 1.0, 0.3)
    return radius * points / np.linalg.norm(points, axis=1, keepdims=True)


def street(n: int) -> np.ndarray:
    return RNG.uniform((-10.0, -8.0, 0.0), (110.0, 8.0, 6.0), (n, 3))


def along(n: int, height: float = 1.5) -> np.ndarray:
    return np.stack([np.linspace(0.0, 100.0, n), np.zeros(n), np.full(n, height)], axis=-1)


AHEAD, LEFT = np.array([5.0, 0.0, 0.0]), np.array([0.0, 5.0, 0.0])


WALKS = {
    "around an object": (look(ring(30, 4.0), np.zeros((30, 3))), RNG.normal(size=(300, 3)) * 0.6),
    "inside a room": (look(ring(30, 0.5), ring(30, 9.0)), shell(300, 6.0)),
    "on the spot": (look(ring(30, 1e-3), ring(30, 9.0)), shell(300, 6.0)),
    "along a street": (look(along(30), along(30) + AHEAD), street(300)),
    "along a street, to the side": (look(along(30), along(30) + LEFT), street(300)),
    "a wall": (look(along(30), along(30) + LEFT), street(300) * (1.0, 0.01, 1.0) + (0.0, 6.0, 0.0)),
    "from above": (look(along(30, 60.0), along(30) + 0.1 * AHEAD), street(300)),
}


def calibration(X: Transform, points: np.ndarray, **fields) -> Calibration:
    poses = PoseList("reconstruction", "camera", X, is_camera=True, **fields)
    return Calibration("colmap", (), (LENS,), (poses,), (PointCloud("reconstruction", points),))


@pytest.mark.parametrize("name", WALKS)
@pytest.mark.parametrize("has_gl_axes", [False, True])
def test_that_right_poses_are_silent(name, has_gl_axes) -> None:
    assert sight_problems(calibration(*WALKS[name], has_gl_axes=has_gl_axes)) == ()


@pytest.mark.parametrize("name", ["around an object", "a wall"])
def test_that_other_axes_are_named(name) -> None:
    X, points = WALKS[name]
    (problem,) = sight_problems(calibration(Transform(X.R_AB @ np.diag([1.0, -1.0, -1.0]), X.p_AB), points))
    assert (problem.kind, problem.severity) == ("other axes", "amber")
    assert "y up, z back" in problem.message


@pytest.mark.parametrize("name", ["around an object"])
def test_that_inverted_poses_are_named(name) -> None:
    X, points = WALKS[name]
    (problem,) = sight_problems(calibration(X.inverse(), points, is_inverse=True))
    assert (problem.kind, problem.key_path) == ("inverted", ("camera",))
    assert "take points of reconstruction to camera" in problem.hint


def test_that_nothing_is_concluded_from_little() -> None:
    X, points = WALKS["around an object"]
    wrong = calibration(X.inverse(), points)
    assert sight_problems(replace(wrong, clouds=())) == ()
    assert sight_problems(calibration(X.inverse(), points[:10])) == ()
    assert sight_problems(calibration(X.inverse()[:2], points)) == ()
    assert sight_problems(calibration(X.inverse(), np.full((50, 3), np.nan))) == ()
    other = PointCloud("elsewhere", points)
    assert sight_problems(replace(wrong, clouds=(other,))) == ()
    assert len(sight_problems(replace(wrong, lenses=()))) == 1
