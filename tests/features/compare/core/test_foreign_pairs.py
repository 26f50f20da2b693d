"""Pairs planted by SciPy alone: the true difference is named, and nothing wrong is settled."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.compare import compare
from tests.support.foreign_pairs import (
    FORMS,
    INVERSE,
    KEPT,
    KINDS,
    MAKERS,
    Planted,
    Side,
    inverted,
    judge,
    read,
    tally,
    transposed,
    write,
)

N = 12


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_that_the_true_difference_is_named_and_nothing_wrong_is_settled(kind) -> None:
    counts = tally(kind, N, compare)
    assert counts["settled wrong"] == 0, counts
    assert counts["too many"] == 0, counts
    assert counts["named"] >= N - 1, counts
    assert counts["fine and sure"] >= 0.5 * counts["fine"], counts


@pytest.mark.long
@pytest.mark.parametrize("kind", ["unrelated", "offset"])
def test_that_different_orientations_are_not_called_alike(kind) -> None:
    counts = tally(kind, N, compare)
    assert counts["neither"] + counts["cannot tell"] == N, counts


@pytest.mark.long
@pytest.mark.parametrize("shape", ["yaw", "small", "quarter"])
@pytest.mark.parametrize("kind", ["same", "inverse", "NED and ENU, FRD and FLU", "camera axes", "mirrored axes"])
def test_that_nothing_wrong_is_settled_for_special_orientations(kind, shape) -> None:
    counts = tally(kind, N, compare, shape)
    assert counts["settled wrong"] == 0, counts


# --- The judge itself


@pytest.mark.parametrize("form", [*FORMS, "matrix columns", "ZXZ rad", "rotvec deg", "rotator"])
def test_that_numbers_of_a_form_are_read_back(form) -> None:
    R = Rotation.from_quat([0.31, -0.42, 0.55, 0.65]).as_matrix()
    assert np.allclose(read(form, write(form, R)), R)


def test_that_a_rotator_pitches_up_and_yaws_right() -> None:
    """In Unreal's axes: x forward, y right, z up."""
    assert np.allclose(read("rotator", np.array([90.0, 0, 0]))[:, 0], [0, 0, 1])
    assert np.allclose(read("rotator", np.array([0.0, 90, 0]))[:, 0], [0, 1, 0])
    assert np.allclose(read("rotator", np.array([0.0, 0, 90]))[:, 1], [0, 0, -1])


def test_that_the_judge_tells_the_inverse_of_a_pose_from_that_of_its_rotation() -> None:
    for change, words, others in ((inverted, INVERSE, KEPT), (transposed, KEPT, INVERSE)):
        sides = Side("xyzw"), Side("wxyz", change)
        planted = Planted("inverse", "", "", 6, noise=False, has_position=True, sides=sides)
        assert judge(planted, (words,), "quaternion xyzw", "quaternion wxyz").is_true
        assert not judge(planted, (others,), "quaternion xyzw", "quaternion wxyz").is_true
        assert not judge(planted, (words,), "quaternion wxyz", "quaternion wxyz").orientation


def test_that_the_text_of_a_maker_has_its_numbers() -> None:
    text = MAKERS["KUKA"].text(["1", "2", "3"], ["4", "5", "6"])
    assert text == "{X 4, Y 5, Z 6, A 1, B 2, C 3}"
