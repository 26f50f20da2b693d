"""Exponential and logarithm of rotations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.trajectories.core.rotation_maps import (
    angle_of_matrix,
    cross_matrices,
    exp_rotation,
    log_rotations,
)


@pytest.mark.parametrize("size", [0.0, 1e-12, 1e-6, 0.1, 1.0, 3.0, 3.14])
def test_that_both_are_those_of_scipy_and_inverse(size) -> None:
    v = size * np.array([2.0, -1.0, 2.0]) / 3.0
    R = exp_rotation(v)
    assert np.abs(R - Rotation.from_rotvec(v).as_matrix()).max() < 1e-15 + 1e-15 * size
    assert np.abs(log_rotations(R[None])[0] - v).max() < 1e-14 * max(size, 1e-2)
    assert abs(angle_of_matrix(R) - size) < 1e-7 if size > 3.0 else 1e-14


def test_that_a_cross_product_matrix_multiplies() -> None:
    random = np.random.default_rng(0)
    u, v = random.normal(size=(2, 20, 3))
    assert np.abs(np.einsum("nij,nj->ni", cross_matrices(u), v) - np.cross(u, v)).max() == 0.0
