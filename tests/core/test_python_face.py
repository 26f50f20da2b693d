"""Orientations and poses behave as numpy's users expect, and go to scipy, matrices and quaternions and back."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core import frames
from framescope.core.orientation import Orientation
from framescope.core.transform import Transform

GENERATOR = np.random.default_rng(7)
ROTATIONS = Rotation.random(6, rng=GENERATOR)
RATES = GENERATOR.normal(size=(6, 3))
POSITIONS = GENERATOR.normal(size=(6, 3))
VECTORS = GENERATOR.normal(size=(6, 3))


@pytest.fixture
def R():
    return Orientation.from_scipy(ROTATIONS, RATES)


@pytest.fixture
def X(R):
    return Transform.from_orientation(R, POSITIONS)


def test_that_products_are_those_of_the_reference(R) -> None:
    assert np.array_equal(R @ VECTORS, frames.resolve2(R, VECTORS))
    assert np.array_equal(R[2] @ VECTORS[2], frames.resolve2(R, VECTORS)[2])
    other = frames.axis_rotation(2, 0.3, 1.5)
    product, reference = other @ R, frames.absolute_rotation(R, other)
    assert np.array_equal(product.T, reference.T)
    assert np.array_equal(product.w, reference.w)
    assert np.allclose(product.T, other.T @ R.T, atol=1e-15)
    assert np.array_equal(R.inverse().w, frames.inverse_rotation(R).w)


def test_that_a_vector_comes_back(R, X) -> None:
    assert np.allclose(R.inverse() @ (R @ VECTORS), VECTORS, atol=1e-14)
    assert np.allclose(X.inverse() @ (X @ VECTORS), VECTORS, atol=1e-14)
    assert np.array_equal(X @ VECTORS, X.shift_point(VECTORS))
    assert np.array_equal((X @ X).p_AB, X.compose(X).p_AB)


@pytest.mark.parametrize("kind", ["orientation", "pose"])
def test_that_a_batch_is_indexed_as_an_array(kind, R, X) -> None:
    batch, matrices = (R, R.T) if kind == "orientation" else (X, X.R_AB)

    def matrix_of(part):
        return part.T if kind == "orientation" else part.R_AB

    assert (batch.shape, len(batch), batch[0].shape, batch[1:3].shape) == ((6,), 6, (), (2,))
    assert np.array_equal(matrix_of(batch[-1]), matrices[-1])
    assert np.array_equal(matrix_of(batch[[0, 3]]), matrices[[0, 3]])
    assert np.array_equal(matrix_of(batch[np.arange(6) > 3]), matrices[4:])
    assert np.array_equal([matrix_of(part) for part in batch], matrices)
    assert not matrix_of(batch[0]).flags.writeable


def test_that_two_leading_axes_are_indexed_apart(R) -> None:
    grid = Orientation(R.T.reshape(2, 3, 3, 3), R.w.reshape(2, 3, 3))
    assert grid.shape == (2, 3)
    assert np.array_equal(grid[..., 1].T, grid.T[:, 1])
    assert np.array_equal(grid[1, 2].w, R.w[5])
    assert grid[None].shape == (1, 2, 3)
    with pytest.raises(IndexError):
        grid[0, 0, 0]  # the axes of a matrix are no leading axes


@pytest.mark.parametrize("one", [frames.null_rotation(), Transform(np.eye(3), np.zeros(3))])
def test_that_a_single_one_is_no_batch(one) -> None:
    with pytest.raises(TypeError, match="has no length"):
        len(one)
    with pytest.raises(TypeError, match="has no length"):
        list(one)
    with pytest.raises(IndexError):
        one[0]


@pytest.mark.parametrize("of", ["R", "X"])
def test_that_an_array_on_the_left_is_refused(of, request) -> None:
    thing = request.getfixturevalue(of)
    with pytest.raises(TypeError):
        np.eye(3) @ thing


def test_that_a_wrong_factor_is_named(R, X) -> None:
    with pytest.raises(ValueError, match="vector: expected shape"):
        R @ [1.0, 2.0]
    with pytest.raises(ValueError, match="p_B: expected shape"):
        X @ np.eye(4)
    with pytest.raises(ValueError, match="broadcast"):
        R @ R[:4]


def test_that_scipy_comes_back_with_its_direction(R) -> None:
    assert np.allclose(R.to_scipy().as_matrix(), ROTATIONS.as_matrix(), atol=1e-15)
    assert np.allclose(R.to_scipy().apply(R @ VECTORS), VECTORS, atol=1e-14)


@pytest.mark.parametrize("order", ["xyzw", "wxyz"])
def test_that_quaternions_have_the_order_they_say(order, R, X) -> None:
    expected = ROTATIONS.as_quat(canonical=True, scalar_first=order == "wxyz")
    q = R.to_quaternion(order=order)
    assert np.allclose(np.abs(np.sum(q * expected, axis=1)), 1.0, atol=1e-14)
    assert (q[:, 0 if order == "wxyz" else 3] >= 0.0).all()
    assert np.allclose(Orientation.from_quaternion(q, order=order).T, R.T, atol=1e-14)
    assert np.allclose(Transform.from_quaternion(q, POSITIONS, order=order).to_matrix(), X.to_matrix(), atol=1e-14)
    assert np.array_equal(X.to_quaternion(order=order), q)


def test_that_an_order_is_asked_for() -> None:
    with pytest.raises(TypeError):
        Orientation.from_quaternion([0.0, 0.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="expected the order 'xyzw' or 'wxyz', got 'zyxw'"):
        Orientation.from_quaternion([0.0, 0.0, 0.0, 1.0], order="zyxw")
    with pytest.raises(ValueError, match="unit length"):
        Orientation.from_quaternion([0.0, 0.0, 0.0, 2.0], order="xyzw")


def test_that_a_homogeneous_matrix_comes_back(X) -> None:
    M = X.to_matrix()
    again = Transform.from_matrix(M)
    assert np.array_equal(again.R_AB, X.R_AB)
    assert np.array_equal(again.p_AB, X.p_AB)
    assert np.allclose(np.einsum("nij,nj->ni", M, np.c_[VECTORS, np.ones(6)])[:, :3], X @ VECTORS, atol=1e-14)
    with pytest.raises(ValueError, match="transpose it"):
        Transform.from_matrix(np.swapaxes(M, -1, -2))
