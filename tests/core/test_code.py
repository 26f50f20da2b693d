"""Orientations as code: what can run here is run, of the rest the numbers are read and compared."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from framescope.core import frames
from framescope.core.conventions.code_snippets import TARGETS, as_code
from framescope.core.frames import Orientation
from tests.support import strategies

R = frames.axes_rotations("XYZ", [0.1, -0.7, 2.9], [0.5, 0.25, -1.5])
V_2 = np.array([0.3, -1.2, 0.7])
V_1 = R.T.T @ V_2


def numbers_of(line: str) -> list[float]:
    """Return the numbers of the statement, its comment and names with digits left out."""
    statement = re.split(r"//|#|%", line)[0]
    return [float(x) for x in re.findall(r"(?<![\w.])-?\d+\.\d+(?:e[+-]?\d+)?", statement)]


@given(strategies.sequences, strategies.angle_triples)
def test_that_the_line_for_scipy_is_the_same_rotation(sequence, angles) -> None:
    R = frames.axes_rotations(sequence, angles)
    space: dict = {"Rotation": Rotation}
    exec(as_code(R, "scipy"), space)
    assert_allclose(space["R_12"].as_matrix(), R.T.T, atol=4e-16)
    assert_allclose(space["R_12"].apply(V_2), frames.resolve1(R, V_2), atol=4e-15)


@given(strategies.sequences, strategies.angle_triples)
def test_that_the_line_for_numpy_is_the_same_matrix_to_the_bit(sequence, angles) -> None:
    R = frames.axes_rotations(sequence, angles)
    space: dict = {"np": np}
    exec(as_code(R, "numpy"), space)
    assert_array_equal(space["T"], R.T)


@pytest.mark.parametrize("target", ["ros-tf2", "modelica"])
def test_that_the_scalar_comes_last(target) -> None:
    assert_array_equal(numbers_of(as_code(R, target))[:4], frames.to_Q(R))


@pytest.mark.parametrize("target", ["julia", "eigen"])
def test_that_the_scalar_comes_first(target) -> None:
    assert_array_equal(numbers_of(as_code(R, target)), np.roll(frames.to_Q(R), 1))


def test_that_modelica_gets_the_angular_velocity_too() -> None:
    line = as_code(R, "modelica")
    assert_array_equal(numbers_of(line)[4:], R.w)
    assert "Frames.from_Q({" in line


def test_that_matlab_gets_the_matrix_row_by_row() -> None:
    line = as_code(R, "matlab")
    assert_array_equal(numbers_of(line), R.T.ravel())
    assert line.count(";") == 3


ANCHORS = {
    "scipy": "R_12 = Rotation.from_quat([0.0, 0.0, 0.0, 1.0])  # v_1 = R_12.apply(v_2)",
    "numpy": "T = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # v_2 = T @ v_1",
    "ros-tf2": "tf2::Quaternion q_12(0.0, 0.0, 0.0, 1.0);  // x, y, z, w; v_1 = tf2::quatRotate(q_12, v_2)",
    "modelica": "Modelica.Mechanics.MultiBody.Frames.Orientation R = Modelica.Mechanics.MultiBody.Frames.from_Q("
    "{0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 0.0});  // v_2 = Frames.resolve2(R, v_1); w in frame 2, rad/s",
    "julia": "q = Quaternion(1.0, 0.0, 0.0, 0.0)  # w, x, y, z; v_2 = vect(inv(q) * v_1 * q)",
    "eigen": "Eigen::Quaterniond q_12(1.0, 0.0, 0.0, 0.0);  // v_1 = q_12 * v_2",
    "matlab": "T = [1.0, 0.0, 0.0; 0.0, 1.0, 0.0; 0.0, 0.0, 1.0];  % v_2 = T * v_1, vectors as columns",
}


@pytest.mark.parametrize("target", TARGETS)
def test_that_the_lines_are_as_the_libraries_want_them(target) -> None:
    assert as_code(frames.null_rotation(), target) == ANCHORS[target]


def hamilton(p, q):
    (a, *u), (b, *v) = p, q
    u, v = np.array(u), np.array(v)
    return np.append(a * b - u @ v, a * v + b * u + np.cross(u, v))


def test_that_the_comments_are_true() -> None:
    # What each comment claims, in the product that all of these libraries use (Hamilton's), scalar first.
    conjugate = np.array([1.0, -1.0, -1.0, -1.0])
    for target in ("ros-tf2", "julia", "eigen"):
        x = numbers_of(as_code(R, target))
        q = np.roll(x, 1) if target == "ros-tf2" else np.array(x)
        assert_allclose(hamilton(hamilton(q, [0.0, *V_2]), q * conjugate)[1:], V_1, atol=1e-15)  # v_1 = q v_2 conj(q)
        assert_allclose(hamilton(hamilton(q * conjugate, [0.0, *V_1]), q)[1:], V_2, atol=1e-15)  # v_2 = inv(q) v_1 q


@pytest.mark.parametrize(
    ("target", "hint"), [("scpy", 'Did you mean "scipy"?'), ("fortran", "Use one of: scipy, numpy")]
)
def test_that_an_unknown_target_is_answered_with_the_known(target, hint) -> None:
    with pytest.raises(ValueError, match=r'target: expected "scipy", "numpy", .*"matlab", got') as caught:
        as_code(R, target)
    assert hint in str(caught.value)


@pytest.mark.parametrize("target", TARGETS)
def test_that_a_batch_is_refused(target) -> None:
    with pytest.raises(ValueError, match=r"R: expected a single orientation, got leading axes \(2,\)"):
        as_code(Orientation(np.stack([np.eye(3)] * 2), np.zeros(3)), target)


def test_that_what_is_no_orientation_is_refused() -> None:
    with pytest.raises(ValueError, match="R: expected an Orientation"):
        as_code(np.eye(3), "scipy")
    with pytest.raises(ValueError, match=r"R: expected a rotation within 0.001, got a matrix 1\.73"):
        as_code(Orientation(2.0 * np.eye(3), np.zeros(3)), "scipy")


def test_that_a_drifted_orientation_is_made_a_rotation() -> None:
    drifted = Orientation((1.0 + 1e-5) * R.T, R.w)
    assert_allclose(numbers_of(as_code(drifted, "matlab")), R.T.ravel(), atol=1e-15)
    assert sum(x * x for x in numbers_of(as_code(drifted, "eigen"))) == pytest.approx(1.0, abs=1e-15)


def test_that_no_number_is_minus_zero() -> None:
    R = frames.inverse_rotation(frames.axis_rotation(3, 0.0, 0.0))
    assert not any(" -0.0" in as_code(R, target) or "[-0.0" in as_code(R, target) for target in TARGETS)
