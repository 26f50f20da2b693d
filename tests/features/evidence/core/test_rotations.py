"""Best rotations in chi-squares."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.rotations import fitted_rotation, fitted_rotations


def _normal(R: np.ndarray, seed: int, noise: float = 0.0) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the chi-square of rotations by pairs of vectors, of which R takes one to the other."""
    rng = np.random.default_rng(seed)
    v = rng.normal(size=(20, 3))
    w = v @ R.T + noise * rng.normal(size=v.shape)
    A = np.kron(np.eye(3), v.T @ v)
    B = np.einsum("na,nb->ab", w, v).ravel()
    return A, B, float(np.sum(w**2))


def test_that_a_rotation_is_found_with_its_minimum_and_information() -> None:
    R = Rotation.random(rng=np.random.default_rng(1)).as_matrix()
    found, information, least = fitted_rotation([_normal(R, 1), _normal(R, 2)])
    assert found == pytest.approx(R, abs=1e-7)
    assert least == pytest.approx(0.0, abs=1e-9)
    assert np.linalg.eigvalsh(information).min() > 10.0


def test_that_many_problems_at_once_have_the_rotations_of_each() -> None:
    turns = Rotation.random(5, rng=np.random.default_rng(4)).as_matrix()
    normals = [_normal(R, k, 0.1) for k, R in enumerate(turns)]
    A, B = (np.stack([normal[k] for normal in normals]) for k in (0, 1))
    at_once = fitted_rotations(A, B)
    assert at_once == pytest.approx(np.stack([fitted_rotation([normal])[0] for normal in normals]), abs=1e-6)
    assert at_once == pytest.approx(turns, abs=0.15)
    assert np.linalg.det(at_once) == pytest.approx(np.ones(5))
