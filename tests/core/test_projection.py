"""Projection into cameras: numbers of OpenCV, slow code with 40 digits, the way back, and the ends of the models."""

from __future__ import annotations

import json
import math

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core.kernels.componentwise import BLOCK
from framescope.core.projection import CameraModel, project, unproject
from tests.support.golden_calls import GOLDEN

CASES = json.loads((GOLDEN / "opencv_projection.json").read_text(encoding="utf-8"))["cases"]

LENSES = {
    "none": CameraModel((500.0, 510.0), (319.5, 239.5)),
    "barrel": CameraModel((458.7, 457.3), (367.2, 248.4), "radtan", (-0.283, 0.074, 0.0002, 0.00002)),
    "folding": CameraModel((420.0, 425.0), (330.0, 250.0), "radtan", (-0.35, 0.05, 0.001, -0.002)),
    "pincushion": CameraModel((700.0, 690.0), (640.0, 360.0), "radtan", (0.2, 0.05, -0.001, 0.002, 0.01)),
    "mixed": CameraModel((700.0, 690.0), (640.0, 360.0), "radtan", (0.3, -0.4, 0.0, 0.0, 0.1)),
    "rational": CameraModel((900.0, 905.0), (960.0, 540.0), "rational", (0.6, 0.1, 1e-4, -2e-4, 3e-3, 0.95, 0.2, 0.01)),
    "pole": CameraModel((900.0, 905.0), (960.0, 540.0), "rational", (0.1, 0.0, 0.0, 0.0, 0.0, -0.5, 0.0, 0.0)),
    "fisheye": CameraModel((190.9, 190.8), (254.9, 256.9), "equidistant", (0.0034, 0.0007, -0.002, 0.0002)),
    "folding fisheye": CameraModel((190.9, 190.8), (254.9, 256.9), "equidistant", (-0.2, 0.02, -0.01, 0.0)),
}  # fmt: skip


def slow_pixel(camera: CameraModel, r: tuple[float, float, float]) -> tuple[float, float]:
    """Return a pixel with 40 digits, term by term as OpenCV's documentation writes it."""
    with mpmath.workdps(40):
        x, y, z = map(mpmath.mpf, r)
        a, b = x / z, y / z
        k = [mpmath.mpf(number) for number in camera.coefficients]
        radius = mpmath.sqrt(a**2 + b**2)
        if camera.distortion == "equidistant":
            angle = mpmath.atan(radius)
            bent = angle * (1 + k[0] * angle**2 + k[1] * angle**4 + k[2] * angle**6 + k[3] * angle**8)
            a2, b2 = (a * bent / radius, b * bent / radius) if radius else (a, b)
        else:
            k1, k2, p1, p2, k3, k4, k5, k6 = k + [mpmath.mpf(0)] * (8 - len(k))
            over = 1 + k1 * radius**2 + k2 * radius**4 + k3 * radius**6
            under = 1 + k4 * radius**2 + k5 * radius**4 + k6 * radius**6
            a2 = a * over / under + 2 * p1 * a * b + p2 * (radius**2 + 2 * a**2)
            b2 = b * over / under + p1 * (radius**2 + 2 * b**2) + 2 * p2 * a * b
        f, c = camera.focal_lengths, camera.principal_point
        return float(f[0] * a2 + c[0]), float(f[1] * b2 + c[1])


def rays_within(camera: CameraModel, n: int, share: float = 0.98) -> np.ndarray:
    """Return random points in front of a camera, up to a part of the range of its model, at most 85 degrees."""
    rng = np.random.default_rng(8)
    largest = min(math.radians(camera.range_deg) * share, math.radians(85.0))
    angle, turn = largest * np.sqrt(rng.uniform(size=n)), rng.uniform(0.0, 2.0 * np.pi, n)
    direction = np.stack([np.sin(angle) * np.cos(turn), np.sin(angle) * np.sin(turn), np.cos(angle)], axis=-1)
    return direction * rng.uniform(0.2, 30.0, (n, 1))


@pytest.mark.parametrize("case", CASES, ids=[case["tag"] for case in CASES])
def test_that_pixels_are_those_of_opencv(case) -> None:
    inputs = case["inputs"]
    camera = CameraModel(
        inputs["focal_lengths"], inputs["principal_point"], inputs["distortion"], inputs["coefficients"]
    )
    pixels = project(camera, inputs["points"])
    is_within = np.isfinite(pixels).all(axis=-1)
    assert_allclose(pixels[is_within], np.array(case["outputs"]["pixels"])[is_within], rtol=0.0, atol=1e-9)
    points = np.array(inputs["points"])
    radii = np.hypot(points[:, 0], points[:, 1]) / points[:, 2]
    assert_array_equal(is_within, radii < camera.range)
    assert is_within.mean() > 0.5


@pytest.mark.parametrize("name", LENSES)
def test_that_pixels_are_those_of_slow_code(name) -> None:
    camera = LENSES[name]
    points = rays_within(camera, 60)
    expected = [slow_pixel(camera, tuple(point)) for point in points.tolist()]
    size = np.maximum(1.0, np.abs(expected))
    assert (np.abs(project(camera, points) - expected) / size).max() < 1e-12


@pytest.mark.parametrize("name", LENSES)
def test_that_a_ray_comes_back(name) -> None:
    camera = LENSES[name]
    points = rays_within(camera, 2000)
    rays = unproject(camera, project(camera, points))
    expected = points / np.linalg.norm(points, axis=-1, keepdims=True)
    assert_allclose(rays, expected, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("name", LENSES)
def test_that_single_calls_give_the_bits_of_a_batch(name) -> None:
    camera = LENSES[name]
    points = rays_within(camera, BLOCK + 3)
    pixels = project(camera, points)
    rays = unproject(camera, pixels)
    for i in (0, 17, BLOCK - 1, BLOCK + 2):
        assert_array_equal(project(camera, points[i]), pixels[i])
        assert_array_equal(unproject(camera, pixels[i]), rays[i])
    assert project(camera, np.zeros((3, 0, 2, 3))).shape == (3, 0, 2, 2)
    assert unproject(camera, np.zeros((2, 1, 2))).shape == (2, 1, 3)


@pytest.mark.parametrize("name", LENSES)
def test_that_nothing_behind_the_camera_is_in_the_image(name) -> None:
    camera = LENSES[name]
    points = [(0.0, 0.0, -1.0), (0.3, -0.2, -1e-9), (1.0, 1.0, 0.0), (0.0, 0.0, 0.0), (0.1, 0.0, -5.0)]
    assert np.isnan(project(camera, points)).all()
    assert_allclose(project(camera, (0.0, 0.0, 7.0)), camera.principal_point, rtol=0.0, atol=0.0)
    assert_allclose(unproject(camera, camera.principal_point), (0.0, 0.0, 1.0), rtol=0.0, atol=0.0)


@pytest.mark.parametrize("name", ["folding", "pole", "folding fisheye"])
def test_that_rays_beyond_the_fold_of_a_model_are_not_in_the_image(name) -> None:
    camera = LENSES[name]
    assert camera.range_deg < 89.0
    angles = np.radians(camera.range_deg) + np.array([-1e-6, 1e-6])
    inside, outside = project(camera, np.stack([np.sin(angles), 0.0 * angles, np.cos(angles)], axis=-1))
    assert np.isfinite(inside).all()
    assert np.isnan(outside).all()


@pytest.mark.parametrize(("name", "end"), [("folding", "shrinks"), ("folding fisheye", "shrinks"), ("pole", "grows")])
def test_that_the_range_ends_where_the_distorted_radius_turns(name, end) -> None:
    camera = LENSES[name]
    plain = CameraModel((1.0, 1.0), (0.0, 0.0), camera.distortion, camera.coefficients)
    angles = np.linspace(0.0, np.radians(camera.range_deg) * (1.0 - 1e-9), 4001)
    radii = project(plain, np.stack([np.sin(angles), 0.0 * angles, np.cos(angles)], axis=-1))[:, 0]
    if name == "folding":  # the part of the tangential distortion is no part of the radius
        radii = radii - 3.0 * plain.coefficients[3] * np.tan(angles) ** 2
    steps = np.diff(radii)
    assert (steps > 0.0).all()
    assert (steps[-1] < 0.02 * steps[0]) == (end == "shrinks")


def test_that_pixels_that_no_ray_reaches_have_none() -> None:
    camera = LENSES["folding fisheye"]
    ring = project(camera, rays_within(camera, 4000, share=0.999)) - camera.principal_point
    largest = np.hypot(*ring.T).max()
    assert np.isnan(unproject(camera, np.add(camera.principal_point, (1.01 * largest, 0.0)))).all()
    assert np.isfinite(unproject(camera, np.add(camera.principal_point, (0.99 * largest, 0.0)))).all()
    assert np.isnan(unproject(LENSES["folding"], (5000.0, 250.0))).all()


def test_that_random_lenses_and_pixels_come_back_or_have_no_ray() -> None:
    rng = np.random.default_rng(12)
    for _ in range(150):
        model = rng.choice(["radtan", "rational", "equidistant"])
        n = {"radtan": 5, "rational": 8, "equidistant": 4}[model]
        k = (
            rng.normal(scale=0.3, size=n) * np.resize((1.0, 1.0, 0.02, 0.02), n)
            if n > 4
            else rng.normal(scale=0.1, size=4)
        )
        camera = CameraModel((400.0, 390.0), (320.0, 240.0), str(model), tuple(k.tolist()))
        pixels = rng.uniform((-200.0, -200.0), (840.0, 680.0), (200, 2))
        rays = unproject(camera, pixels)
        has_ray = np.isfinite(rays).all(axis=-1)
        assert_allclose(np.linalg.norm(rays[has_ray], axis=-1), 1.0, atol=1e-12)
        assert_allclose(project(camera, rays[has_ray]), pixels[has_ray], rtol=0.0, atol=1e-7)
        assert has_ray[np.hypot(*(pixels - camera.principal_point).T) < 4.0].all()


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"focal_lengths": (0.0, 1.0)}, "focal_lengths: expected two numbers of more than zero"),
        ({"focal_lengths": (1.0, math.nan)}, "focal_lengths: expected finite"),
        ({"principal_point": (1.0, 2.0, 3.0)}, "principal_point: expected shape"),
        ({"distortion": "fov"}, "distortion: expected one of none, radtan, rational, equidistant"),
        (
            {"distortion": "radtan", "coefficients": (0.1,)},
            "coefficients of radtan: expected a number of 4 or 5, got 1",
        ),
        ({"coefficients": (0.1,)}, "coefficients of none: expected a number of 0, got 1"),
    ],
)
def test_that_wrong_intrinsics_are_refused(keys, message) -> None:
    with pytest.raises(ValueError, match=message):
        CameraModel(**({"focal_lengths": (400.0, 400.0), "principal_point": (320.0, 240.0)} | keys))


def test_that_extreme_coefficients_give_pixels_or_nan() -> None:
    for k in ((1e100, -1e100, 0.0, 0.0, 1e-300), (-1e-300, 1e100, 1e100, 0.0, -1e100), (0.0, 0.0, 1e100, -1e100, 0.0)):
        camera = CameraModel((400.0, 400.0), (320.0, 240.0), "radtan", k)
        assert project(camera, [[0.1, 0.2, 1.0], [0.0, 0.0, 1.0]]).shape == (2, 2)
        assert unproject(camera, [[10.0, 20.0], [320.0, 240.0]]).shape == (2, 3)


def test_that_wrong_points_and_pixels_are_refused() -> None:
    camera = LENSES["barrel"]
    for wrong in ([1.0, 2.0], [math.inf, 0.0, 1.0], "abc"):
        with pytest.raises(ValueError, match="r_C: expected"):
            project(camera, wrong)
    with pytest.raises(ValueError, match="pixel: expected"):
        unproject(camera, [1.0, 2.0, 3.0])
