"""Orientations of two directions: any lengths, what is degenerate, and edits that keep them."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core import frames
from framescope.core.errors import ItemError
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.edits.orientation import orient_frame
from framescope.core.scene.schema.kinds.orientations import matrix_of_directions
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.poses import NxNy, NxNz
from tests.core.test_orientation_edits import T_of, moment, oriented, scene_with

LENGTHS = (1e-90, 1e-20, 0.0005, 1.0, 7e5, 1e90)


def frame(**form: object) -> Scene:
    return scene_with({"orientation": form})


@pytest.mark.parametrize("second", LENGTHS)
@pytest.mark.parametrize("first", LENGTHS)
def test_that_lengths_of_directions_do_not_matter(first, second) -> None:
    n_x, n = np.array([0.3, -1.2, 0.4]), np.array([-0.5, 0.2, 0.9])
    a, b = (first * n_x).tolist(), (second * n).tolist()
    np.testing.assert_allclose(T_of(frame(form="nxy", n_x=a, n_y=b)), frames.from_nxy(n_x, n).T, atol=1e-15)
    np.testing.assert_allclose(T_of(frame(form="nxz", n_x=a, n_z=b)), frames.from_nxz(n_x, n).T, atol=1e-15)


def test_that_directions_of_ordinary_lengths_have_the_bits_of_the_reference() -> None:
    random = np.random.default_rng(7)
    for n_x, n in random.normal(size=(200, 2, 3)):
        np.testing.assert_array_equal(matrix_of_directions(NxNy(n_x=n_x, n_y=n)), frames.from_nxy(n_x, n).T)
        np.testing.assert_array_equal(matrix_of_directions(NxNz(n_x=n_x, n_z=n)), frames.from_nxz(n_x, n).T)


@pytest.mark.parametrize(
    ("form", "key", "said"),
    [
        ({"form": "nxy", "n_x": [0, 0, 0], "n_y": [0, 1, 0]}, "n_x", "the direction n_x is zero"),
        ({"form": "nxy", "n_x": [1, 0, 0], "n_y": [0, 0, 0]}, "n_y", "the direction n_y is zero"),
        ({"form": "nxz", "n_x": [1, 0, 0], "n_z": [0, 0, 0]}, "n_z", "the direction n_z is zero"),
        ({"form": "nxy", "n_x": [1, 2, 3], "n_y": [-2, -4, -6]}, "n_y", "parallel: they do not say where y points"),
        ({"form": "nxz", "n_x": [0, 0, 1e-30], "n_z": [0, 0, 1e30]}, "n_z", "parallel: they do not say where z points"),
        ({"form": "nxy", "n_x": [1, 0, 0], "n_y": [1e5, 90, 0]}, "n_y", "parallel, 0.052 degrees apart"),
    ],
)
def test_that_directions_that_say_no_orientation_are_a_problem(form, key, said) -> None:
    plan = compile_plan(frame(**form))
    (problem,) = plan.problems
    assert problem.key_path == ("frames", "a", "orientation", key)
    assert said in problem.message


def test_that_directions_somewhat_apart_are_an_orientation() -> None:
    T = T_of(frame(form="nxy", n_x=[1, 0, 0], n_y=[1e5, 110, 0]))
    np.testing.assert_allclose(T, np.eye(3), atol=1e-12)
    with pytest.raises(ItemError, match="parallel"):
        matrix_of_directions(NxNy(n_x=(1.0, 0.0, 0.0), n_y=(1e5, 90.0, 0.0)))


def test_that_an_edit_keeps_the_lengths_of_directions_however_short() -> None:
    scene = frame(form="nxy", n_x=[0, 3e-15, 0], n_y=[0, 2e-14, 5e-15])
    T = frames.axes_rotations((1, 2, 3), [0.3, -0.7, 1.1]).T
    edited = oriented(scene, T)
    np.testing.assert_allclose(T_of(edited), T, atol=1e-11)
    assert np.linalg.norm(edited.frames["a"].orientation.n_x) == pytest.approx(3e-15, rel=1e-9)


def test_that_an_orientation_set_by_hand_mends_directions_that_said_none() -> None:
    good = frame(form="nxy", n_x=[0, 1, 0], n_y=[0, 0, 1])
    broken = frame(form="nxy", n_x=[0, 1, 0], n_y=[0, 5, 0])
    T = frames.axes_rotations((1, 2, 3), [0.3, -0.7, 1.1]).T
    edited = orient_frame("a", T, moment(good), "").apply(broken)
    np.testing.assert_allclose(T_of(edited), T, atol=1e-11)
