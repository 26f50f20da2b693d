"""Twins of frames: another order of the same three angles, beside the original, driven by the same numbers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from framescope.core.errors import RefusedError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.edits.authored_angles import reset_angle, turn_to
from framescope.core.scene.edits.orientation import orient_frame
from framescope.core.scene.edits.pose import turn_frame
from framescope.core.scene.edits.twins import (
    Order,
    angle_between,
    make_twin,
    offset_beside,
    other_order,
    twin_name,
    why_no_twin,
    why_not_by_axis,
)
from framescope.core.scene.schema.kinds.motions import Moment
from framescope.core.scene.schema.model import Scene

DEGREES = (50.0, -28.0, 140.0)
BESIDE = np.array([0.0, 1.5, 0.0])
PAIRS = [(own, other) for own, other in itertools.permutations(SEQUENCES, 2)]
WITH_ALL_AXES = [(own, other) for own, other in PAIRS if len(set(own)) == len(set(other)) == 3]


def elementary(axis: str, angle: float) -> np.ndarray:
    """Return the matrix that turns vectors about an axis, written out."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array(
        {
            "X": [[1, 0, 0], [0, c, -s], [0, s, c]],
            "Y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
            "Z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
        }[axis]
    )


def product(sequence: str, angles) -> np.ndarray:
    first, second, third = (elementary(axis, angle) for axis, angle in zip(sequence, angles, strict=True))
    return first @ second @ third


def scene_of(sequence: str = "ZYX", angles=DEGREES, unit: str = "deg", **more) -> Scene:
    form = {"form": "axes", "sequence": sequence, "angles": angles, "unit": unit}
    frames = {"mount": {"parent": "world"}, "plane": {"parent": "mount", "orientation": form, **more.pop("frame", {})}}
    return Scene.model_validate({"framescope": 1, "frames": frames | more.pop("frames", {}), **more})


def moment(scene: Scene, name: str = "plane", t: float = 0.0) -> Moment:
    return compile_plan(scene).moment(name, t)


def twinned(scene: Scene, other: str = "XYZ", keeps="axis", name: str = "plane") -> Scene:
    return make_twin(scene, name, other, keeps, BESIDE, moment(scene, name)).apply(scene)


def R_of(scene: Scene, name: str, t: float = 0.0) -> np.ndarray:
    plan = compile_plan(scene)
    assert plan.problems == ()
    return evaluate(plan, t).R_WF[plan.index[name]]


@pytest.mark.parametrize("own", SEQUENCES)
def test_that_angles_by_place_are_those_of_the_original_in_all_pairs(own) -> None:
    scene, angles = scene_of(own), np.radians(DEGREES)
    for other in (other for other in SEQUENCES if other != own):
        both = twinned(scene, other, "place")
        np.testing.assert_allclose(R_of(both, "plane"), product(own, angles), atol=1e-14)
        np.testing.assert_allclose(R_of(both, f"plane {other}"), product(other, angles), atol=1e-14)


def test_that_angles_by_axis_go_to_the_turn_about_that_axis() -> None:
    for own, other in WITH_ALL_AXES:
        about = dict(zip(own, np.radians(DEGREES), strict=True))
        both = twinned(scene_of(own), other, "axis")
        np.testing.assert_allclose(R_of(both, "plane"), product(own, np.radians(DEGREES)), atol=1e-14)
        expected = product(other, [about[axis] for axis in other])
        np.testing.assert_allclose(R_of(both, f"plane {other}"), expected, atol=1e-14)


def test_that_there_is_no_choice_by_axis_where_a_sequence_turns_twice_about_one() -> None:
    for own, other in PAIRS:
        can = (own, other) in WITH_ALL_AXES
        assert (why_not_by_axis(own, other) == "") is can
        if not can:
            with pytest.raises(RefusedError, match="twice"):
                twinned(scene_of(own), other, "axis")


def test_that_the_angle_between_two_orders_is_that_of_their_matrices() -> None:
    angles = np.radians(DEGREES)
    for (own, other), keeps in itertools.product(PAIRS, ("axis", "place")):
        if keeps == "axis" and (own, other) not in WITH_ALL_AXES:
            continue
        order = other_order(own, other, keeps)
        R = product(own, angles).T @ product(other, angles[list(order.places)])
        expected = np.arccos(np.clip((np.trace(R) - 1) / 2, -1, 1))
        np.testing.assert_allclose(angle_between(Order(own), order, angles), expected, atol=1e-7)


def test_that_numbers_become_parameters_and_one_of_them_turns_both() -> None:
    both = twinned(scene_of())
    assert dict(both.parameters) == dict(zip(("alpha", "beta", "gamma"), DEGREES, strict=True))
    assert both.frames["plane"].orientation.angles == ("alpha", "beta", "gamma")
    assert both.frames["plane XYZ"].orientation.angles == ("gamma", "beta", "alpha")
    turned = both.model_copy(update={"parameters": both.parameters | {"alpha": -20.0}})
    a, b, c = np.radians([-20.0, *DEGREES[1:]])
    np.testing.assert_allclose(R_of(turned, "plane"), product("ZYX", (a, b, c)), atol=1e-14)
    np.testing.assert_allclose(R_of(turned, "plane XYZ"), product("XYZ", (c, b, a)), atol=1e-14)


def test_that_the_unit_stays_and_expressions_are_copied() -> None:
    scene = scene_of(angles=("rate*t", 0.3, "0.2*sin(t)"), unit="rad", parameters={"rate": 2.0})
    both = twinned(scene)
    assert dict(both.parameters) == {"rate": 2.0, "beta": 0.3}
    assert both.frames["plane XYZ"].orientation.angles == ("0.2*sin(t)", "beta", "rate*t")
    assert both.frames["plane XYZ"].orientation.unit == "rad"
    np.testing.assert_allclose(R_of(both, "plane XYZ", 0.7), product("XYZ", (0.2 * np.sin(0.7), 0.3, 1.4)), atol=1e-14)


def test_that_names_which_are_taken_or_mentioned_are_left_alone() -> None:
    taken = scene_of(parameters={"beta": 7.0, "alpha_2": 1.0})
    assert set(twinned(taken).parameters) == {"beta", "alpha_2", "alpha_3", "beta_3", "gamma_3"}
    assert twinned(taken).parameters["beta"] == 7.0
    mentioned = scene_of(frames={"other": {"parent": "world", "position": {"value": ["gamma", 0, 0], "unit": "m"}}})
    both = make_twin(mentioned, "plane", "XYZ", "axis", BESIDE, moment(mentioned)).apply(mentioned)
    assert set(both.parameters) == {"alpha_2", "beta_2", "gamma_2"}


def test_that_what_hangs_on_the_frame_and_how_it_is_drawn_come_along() -> None:
    scene = scene_of(
        frame={"position": {"value": [1, "2 + sin(t)", 3], "unit": "cm"}},
        frames={"probe": {"parent": "plane", "position": {"value": [0, 0, 1], "unit": "m"}}},
        bodies={"wing": {"frame": "plane", "shape": {"form": "box", "size": [1, 5, 0.1], "unit": "m"}}},
        sensors={"speed": {"form": "absolute", "frame_a": "probe", "get_w": True}},
        view={
            "arcs": [{"frame": "plane", "radius": "1 m"}],
            "rings": [{"frame": "plane", "radius": "2 m"}],
            "frames": {"plane": {"label": True}},
        },
    )
    both = twinned(scene)
    assert both.frames["probe_2"].parent == "plane XYZ"
    assert both.bodies["wing_2"].frame == "plane XYZ"
    assert both.sensors["speed_2"].frame_a == "probe_2"
    assert [arcs.frame for arcs in both.view.arcs] == ["plane", "plane XYZ"]
    assert [rings.frame for rings in both.view.rings] == ["plane", "plane XYZ"]
    assert both.view.frames["plane XYZ"].label
    assert both.frames["plane XYZ"].position.value == (1.0, "2 + sin(t) + 150", 3.0)
    for kind in ("bodies", "sensors"):
        assert getattr(both, kind).without({"bodies": "wing_2", "sensors": "speed_2"}[kind]) == getattr(scene, kind)


def test_that_the_twin_is_selected_after_one_edit_and_a_third_stands_beyond() -> None:
    scene = scene_of()
    edit = make_twin(scene, "plane", "XYZ", "axis", BESIDE, moment(scene))
    assert edit.keys == (("frames", "plane XYZ"),)
    assert edit.label == "Compared plane with the order XYZ"
    both = edit.apply(scene)
    third = twinned(both, "ZXZ", "place")
    assert third.parameters == both.parameters
    assert third.frames["plane ZXZ"].orientation.angles == ("alpha", "beta", "gamma")
    assert twin_name(both, "plane", "XYZ") == "plane XYZ 2"
    assert twin_name(both, "plane XYZ", "ZYX") == "plane ZYX"


def test_that_a_twin_is_clear_of_the_frame_along_the_axis_nearest_to_the_right() -> None:
    none = np.empty((0, 3))
    np.testing.assert_array_equal(offset_beside(0.4, np.array([-0.9, 0.1, 0.2]), np.zeros(3), none), [-1.0, 0, 0])
    np.testing.assert_array_equal(offset_beside(0.0123, np.array([0, 0.1, 0.2]), np.zeros(3), none), [0, 0, 0.03])
    at = np.array([5.0, 1.0, 0.0])
    others = at + np.array([[1.0, 0.1, 0.0], [0.0, 0.0, 0.0], [2.0, 0.0, 0.05]])
    np.testing.assert_array_equal(offset_beside(0.4, np.array([0.9, 0.1, 0.2]), at, others), [3.0, 0, 0])
    for reach in np.geomspace(1e-4, 1e4, 90):
        step = offset_beside(reach, np.array([1.0, 0, 0]), np.zeros(3), none)[0]
        assert 2.3 <= step / reach <= 3.7
        assert float(f"{step:.2g}") == pytest.approx(step)


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        ({"orientation": {"form": "quaternion", "value": [0, 0, 0, 1], "order": "xyzw"}}, "convert it"),
        ({"orientation": {"form": "axis", "axis": "z", "angle": 3, "unit": "deg"}}, "convert it"),
        ({}, "turn it first"),
        ({"motion": {"form": "keyframes", "keys": [{"time": "0 s"}]}}, "given by keyframes"),
        ({"motion": {"form": "simulated", "model": "finite"}}, "is simulated"),
        ({"motion": {"form": "recorded", "file": "a.txt", "format": "tum"}}, "is recorded"),
        ({"motion": {"form": "joint", "type": "revolute"}}, "child of a joint"),
        ({"orientation": {"form": "axes", "sequence": "XXZ", "angles": [1, 2, 3], "unit": "deg"}}, "see the problems"),
        ({"orientation": {"form": "axes", "sequence": "XYZ", "angles": [1, 2, 3]}}, "see the problems"),
    ],
)
def test_that_frames_without_three_angles_are_refused_with_what_helps(frame, said) -> None:
    scene = Scene.model_validate({"framescope": 1, "frames": {"odd": {"parent": "world", **frame}}})
    assert said in why_no_twin(scene, "odd")
    assert why_no_twin(scene, "odd").startswith(("odd ", "the angles of odd "))
    with pytest.raises(RefusedError, match=said):
        make_twin(scene, "odd", "XYZ", "place", BESIDE, Moment(0.0, 0.0, np.eye(3), np.zeros(3)))


def test_that_an_integrated_frame_its_own_order_and_no_frame_are_refused() -> None:
    integrated = {"form": "integrated", "w": [0, 0, 1], "unit": "rad/s", "equation": "quaternion", "method": "rk4"}
    frames = {"odd": {"parent": "world", "orientation": {**integrated, "step": "10 ms"}}}
    assert "integrated" in why_no_twin(Scene.model_validate({"framescope": 1, "frames": frames}), "odd")
    assert "no frame" in why_no_twin(Scene(), "gone")
    with pytest.raises(RefusedError, match="already"):
        twinned(scene_of(), "ZYX")
    assert why_no_twin(scene_of(), "plane") == ""


def test_that_an_angle_which_is_a_parameter_is_turned_by_that_whatever_turns_it() -> None:
    both = twinned(scene_of())
    now = moment(both)
    by_slider = turn_to("plane XYZ", 0, np.radians(12.5), 0.0, "").apply(both)
    assert by_slider.parameters["gamma"] == 12.5
    by_ring = turn_frame("plane", np.array([0.0, 0.0, 1.0]), np.radians(-30.0), now, "").apply(both)
    assert by_ring.parameters["alpha"] == 20.0
    wanted = product("ZYX", np.radians([10.0, 20.0, 30.0])).T
    typed = orient_frame("plane", wanted, now, "").apply(both)
    np.testing.assert_allclose([typed.parameters[name] for name in ("alpha", "beta", "gamma")], [10, 20, 30], atol=1e-9)
    for scene in (by_slider, by_ring, typed):
        assert scene.frames == both.frames
    about = turn_frame("plane", np.array([1.0, 0.0, 0.0]), 0.2, now, "").apply(both)  # which needs all three
    np.testing.assert_allclose(R_of(about, "plane"), elementary("X", 0.2) @ R_of(both, "plane"), atol=1e-6)
    assert about.frames == both.frames
    assert reset_angle("plane", 1, "").apply(both).parameters["beta"] == 0.0


def test_that_an_angle_with_more_than_a_parameter_gains_a_constant_as_ever() -> None:
    scene = scene_of(angles=("2*tilt", "tilt", "tilt"), parameters={"tilt": 10.0})
    assert turn_to("plane", 0, np.radians(25.0), 0.0, "").apply(scene).frames["plane"].orientation.angles[0] == (
        "2*tilt + 5"
    )
    # Of a parameter that is two angles, neither can be set alone.
    turned = turn_to("plane", 1, np.radians(25.0), 0.0, "").apply(scene)
    assert turned.frames["plane"].orientation.angles == ("2*tilt", "tilt + 15", "tilt")
    assert turned.parameters == scene.parameters
