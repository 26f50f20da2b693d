"""Twins: the same three angles by another sequence, through the same parameters."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from framescope.core.analysis.order_comparison import angle_apart, room_beside
from framescope.core.errors import RefusedError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.kernels.validation import SEQUENCES, as_sequence
from framescope.core.scene.edits.authored_angles import reset_angle, turn_to
from framescope.core.scene.edits.twins import add_twin, can_keep_axes, why_no_twin
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from tests.support.turns import elementary

DEGREES = (35.0, -50.0, 115.0)


def scene_with(sequence="ZYX", angles=DEGREES, unit="deg", **more) -> Scene:
    plane = {"parent": "base", "orientation": {"form": "axes", "sequence": sequence, "angles": [*angles], "unit": unit}}
    frames = {
        "base": {"parent": "world", "orientation": {"form": "axis", "axis": "z", "angle": 30, "unit": "deg"}},
        "plane": plane | more,
        "tip": {"parent": "plane", "position": {"value": [0.3, 0, 0], "unit": "m"}},
    }
    body = {"frame": "plane", "shape": {"form": "box", "size": [0.6, 0.1, 0.1], "unit": "m"}}
    view = {"rings": [{"frame": "plane", "radius": "0.4 m"}]}
    return Scene.model_validate({"framescope": 1, "frames": frames, "bodies": {"box": body}, "view": view})


def rotation(sequence: str, degrees) -> np.ndarray:
    R = np.eye(3)
    for axis, angle in zip(as_sequence(sequence), degrees, strict=True):
        R = R @ elementary(axis, angle)
    return R


def turned(scene: Scene, name: str) -> np.ndarray:
    """Return the rotation of a frame into its parent."""
    plan = compile_plan(scene)
    assert not plan.problems
    return evaluate(plan, 0.0).T_PF[plan.index[name]].T


@pytest.mark.parametrize(("one", "other"), [*itertools.permutations(SEQUENCES, 2)])
def test_that_a_twin_is_turned_by_the_other_sequence_from_the_same_angles(one, other) -> None:
    scene = scene_with(one)
    by_place = add_twin(scene, "plane", other, "place", (0, 1, 0)).apply(scene)
    np.testing.assert_allclose(turned(by_place, f"plane {other}"), rotation(other, DEGREES), atol=1e-12)
    np.testing.assert_allclose(turned(by_place, "plane"), rotation(one, DEGREES), atol=1e-12)
    by_axis = add_twin(scene, "plane", other, "axis", (0, 1, 0)).apply(scene)
    about = dict(zip(one, DEGREES, strict=True)) if can_keep_axes(one, other) else {}
    same = [about[letter] for letter in other] if about else DEGREES
    np.testing.assert_allclose(turned(by_axis, f"plane {other}"), rotation(other, same), atol=1e-12)
    R = rotation(one, DEGREES).T @ rotation(other, same)
    apart = math.degrees(angle_apart(one, np.radians(DEGREES), other, "axis"))
    assert math.cos(math.radians(apart)) == pytest.approx((np.trace(R) - 1) / 2, abs=1e-12)


def test_that_one_slider_turns_both_and_all_that_hangs_on_them() -> None:
    scene = scene_with()
    both = add_twin(scene, "plane", "XYZ", "axis", (0, 1, 0)).apply(scene)
    assert dict(both.parameters) == {"alpha": 35.0, "beta": -50.0, "gamma": 115.0}
    moved = turn_to("plane", 0, math.radians(80.0), 0.0, "").apply(both)
    assert moved.parameters["alpha"] == 80.0
    assert moved.frames == both.frames
    np.testing.assert_allclose(turned(moved, "plane"), rotation("ZYX", (80.0, -50.0, 115.0)), atol=1e-12)
    np.testing.assert_allclose(turned(moved, "plane XYZ"), rotation("XYZ", (115.0, -50.0, 80.0)), atol=1e-12)
    assert reset_angle("plane XYZ", 0, "").apply(moved).parameters["gamma"] == 0.0
    assert both.frames["tip 2"].parent == both.bodies["box 2"].frame == "plane XYZ"
    assert [rings.frame for rings in both.view.rings] == ["plane", "plane XYZ"]


def test_that_angles_in_radians_stay_in_radians_and_expressions_are_copied() -> None:
    scene = scene_with(angles=("0.3*t", 0.5, "yaw"), unit="rad")
    scene = scene.model_copy(update={"parameters": FrozenDict({"yaw": 1.0, "beta": 9.0})})
    both = add_twin(scene, "plane", "YXZ", "place", (0, 0, 0)).apply(scene)
    assert both.frames["plane YXZ"].orientation.angles == ("0.3*t", "beta_2", "yaw")
    assert both.frames["plane"].orientation.angles == ("0.3*t", "beta_2", "yaw")
    assert dict(both.parameters) == {"yaw": 1.0, "beta": 9.0, "beta_2": 0.5}
    np.testing.assert_allclose(turned(both, "plane YXZ"), rotation("YXZ", np.degrees([0.0, 0.5, 1.0])), atol=1e-12)
    moved = turn_to("plane", 1, 0.7, 0.0, "").apply(both)
    assert moved.parameters["beta_2"] == pytest.approx(0.7)


def test_that_an_expression_of_a_parameter_keeps_its_course_as_before() -> None:
    scene = scene_with(angles=("2*yaw", 0, 0)).model_copy(update={"parameters": FrozenDict({"yaw": 10.0})})
    moved = turn_to("plane", 0, math.radians(50.0), 0.0, "").apply(scene)
    assert moved.frames["plane"].orientation.angles[0] == "2*yaw + 30"


def test_that_the_twin_stands_beside_and_a_position_keeps_its_unit_and_course() -> None:
    scene = scene_with(position={"value": [100, "5*t", 0], "unit": "mm"})
    both = add_twin(scene, "plane", "XYZ", "axis", (0, 1.5, 0)).apply(scene)
    assert both.frames["plane XYZ"].position.value == (100.0, "(5*t) + 1500", 0.0)
    assert both.frames["plane"].position == scene.frames["plane"].position


def test_that_there_is_room_between_a_frame_and_its_twin_on_the_side_that_is_right_in_the_picture() -> None:
    scene = scene_with()
    plan = compile_plan(scene)
    snapshot = evaluate(plan, 0.0)
    R_WP = snapshot.R_WF[plan.index["base"]]
    for right, axis, sign in ((R_WP[:, 1], 1, 1.0), (-R_WP[:, 0], 0, -1.0)):
        offset = room_beside(plan, snapshot, "plane", right)
        assert np.flatnonzero(offset).tolist() == [axis]
        assert sign * offset[axis] >= 2 * 0.56  # of the rings with their axes


def test_that_a_second_twin_has_a_name_of_its_own() -> None:
    scene = scene_with()
    once = add_twin(scene, "plane", "XYZ", "axis", (0, 1, 0)).apply(scene)
    twice = add_twin(once, "plane", "XYZ", "place", (0, 2, 0)).apply(once)
    assert {"plane", "plane XYZ", "plane XYZ 2"} <= twice.frames.keys()
    assert dict(twice.parameters) == dict(once.parameters)


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        ({"orientation": {"form": "axis", "axis": "z", "angle": 3, "unit": "deg"}}, "not turned by three angles"),
        ({"orientation": None, "motion": {"form": "simulated", "model": "finite"}}, "moved as a whole"),
        ({"orientation": {"form": "axes", "sequence": "XXY", "angles": [0, 0, 0], "unit": "deg"}}, "cannot be used"),
    ],
)
def test_that_a_frame_without_three_angles_is_refused_with_what_to_do(frame, words) -> None:
    scene = scene_with(**frame)
    assert words in why_no_twin(scene, "plane")
    with pytest.raises(RefusedError, match=words):
        add_twin(scene, "plane", "XYZ", "axis", (0, 1, 0))
    assert "Select a frame" in why_no_twin(scene, "world")
