"""Turns about fixed axes: the motion of the reversed turns about moving axes, to the bit, in files and in edits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from framescope.core.errors import RefusedError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, SEQUENCES
from framescope.core.scene.edits.authored_angles import reset_angle, set_rate, set_sequence, turn_to, write_angle
from framescope.core.scene.edits.motion_kind import stop_frame, turn_by_formula
from framescope.core.scene.edits.orientation import conversion_loss, convert_form, orient_frame
from framescope.core.scene.edits.pose import Moment, turn_frame
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.kinds.orientations import (
    ORIENTATION_KINDS,
    Now,
    conversion_key,
    conversions,
    joint_axes,
    matrix_of,
    sequence_key,
    still_form,
    three_angles,
    with_orientation,
)
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.poses import Axes, Extrinsic, Rpy, as_moving

FIXED = ("rpy", *EXTRINSIC_SEQUENCES)
ANGLE = st.floats(-400.0, 400.0).map(lambda x: round(x, 3))
SIGNAL = st.one_of(ANGLE, st.sampled_from(["20*t", "5*t - 10", "30*sin(2*t)", "180*t**2", "-90"]))
SIGNALS = st.tuples(SIGNAL, SIGNAL, SIGNAL)
NOTHING = FrozenDict[float]()
SEQUENCE_SIGNALS = {
    "angles": "deg",
    "angle rates": "deg/s",
    "singularity": None,
    "condition number": None,
    "principal angles": "deg",
    "branch 2 angles": "deg",
}
"""Signals by an axis sequence, with a unit of each."""


def scene_with(form, **more) -> Scene:
    frame = {"parent": "world", "orientation": form, **more}
    return Scene.model_validate({"framescope": 1, "time": {"start": "0 s", "end": "2 s"}, "frames": {"a": frame}})


def moment_of(scene: Scene, t: float = 0.0) -> Moment:
    return compile_plan(scene).moment("a", t)


# --- Values


@given(sequence=st.sampled_from(FIXED), angles=SIGNALS, unit=st.sampled_from(["deg", "rad", "turn"]))
def test_that_motion_and_rates_are_those_of_the_reversed_turns_about_moving_axes(sequence, angles, unit) -> None:
    form = three_angles(sequence, angles, unit)
    times = np.array([0.0, 0.3, 1.7])
    fixed, moving = (evaluate(compile_plan(scene_with(each)), times) for each in (form, as_moving(form)))
    for name in ("R_WF", "p_WF"):
        assert np.array_equal(getattr(fixed, name), getattr(moving, name))
    assert np.array_equal(fixed.w_PF_F, moving.w_PF_F)
    one = evaluate(compile_plan(scene_with(form)), 0.3)
    assert np.array_equal(one.R_WF, fixed.R_WF[1])


@given(sequence=st.sampled_from(FIXED), angles=st.tuples(ANGLE, ANGLE, ANGLE))
def test_that_the_matrix_is_that_of_scipy(sequence, angles) -> None:
    form = three_angles(sequence, angles, "deg")
    letters = "xyz" if sequence == "rpy" else sequence
    R = Rotation.from_euler(letters, angles, degrees=True).as_matrix()
    np.testing.assert_allclose(matrix_of(form, 0.0, NOTHING).T, R, atol=1e-14)


def test_that_roll_pitch_and_yaw_are_those_of_ros() -> None:
    """A quarter turn of roll takes y to z; a yaw after it turns about the vertical axis of the parent."""
    R = matrix_of(Rpy(angles=(90, 0, 90), unit="deg"), 0.0, NOTHING).T
    np.testing.assert_allclose(R @ [0, 1, 0], [0, 0, 1], atol=1e-15)
    np.testing.assert_allclose(R @ [1, 0, 0], [0, 1, 0], atol=1e-15)


@pytest.mark.parametrize("sequence", FIXED)
def test_that_angles_rates_residues_and_the_singularity_are_those_of_the_moving_sequence(sequence) -> None:
    form = three_angles(sequence, ("100*t", "80 + 20*t", "30 - 50*t"), "deg")  # through the lock
    moving = as_moving(form)
    of = {"of": "a", "relative_to": "world"}
    plots = [
        {"signal": name, **of, "sequence": moving.sequence, **({"unit": unit} if unit else {})}
        for name, unit in SEQUENCE_SIGNALS.items()
    ]
    plots += [
        {"signal": "angular velocity", **of, "resolved_in": "a", "unit": "rad/s"},
        {"signal": "residues", "of": "a"},
    ]
    curves = []
    for each in (form, moving):
        scene = Scene.model_validate(scene_with(each).model_dump(exclude_unset=True) | {"view": {"plots": plots}})
        plan = compile_plan(scene)
        assert not plan.problems
        times = np.linspace(0.0, 2.0, 41)
        curves.append([plot_curves(plan, plot, times) for plot in plan.view_data.plots])
    for own, other in zip(*curves, strict=True):
        assert own.size
        assert np.array_equal(own, other, equal_nan=True)
    assert compile_plan(scene_with(form)).sequence("a") == moving.sequence


@given(
    sequence=st.sampled_from(FIXED),
    angles=st.tuples(ANGLE, ANGLE, ANGLE),
    present=st.tuples(ANGLE, ANGLE, ANGLE),
)
def test_that_a_set_orientation_takes_the_nearest_branch_as_about_moving_axes(sequence, angles, present) -> None:
    T = matrix_of(three_angles(sequence, angles, "deg"), 0.0, NOTHING)
    form = three_angles(sequence, present, "deg")
    fixed = with_orientation(form, T, Now(0.0, NOTHING))
    moving = with_orientation(as_moving(form), T, Now(0.0, NOTHING))
    assert type(fixed) is type(form)
    assert as_moving(fixed).angles == moving.angles


@pytest.mark.parametrize("sequence", FIXED)
def test_the_axes_of_the_turns(sequence) -> None:
    """A small change of each angle turns the frame about its axis."""
    form = three_angles(sequence, (20.0, 40.0, -70.0), "deg")
    turns = ORIENTATION_KINDS.of(form).turns
    angles = np.radians(form.angles)
    R = turns.matrix(form, angles).T
    for i, e in enumerate(turns.axes(form, angles)):
        changed = angles.copy()
        changed[i] += 1e-6
        turned = Rotation.from_matrix(turns.matrix(form, changed).T @ R.T).as_rotvec() / 1e-6
        np.testing.assert_allclose(turned, e, atol=1e-5)
    moving = as_moving(form)
    assert np.array_equal(turns.axes(form, angles), joint_axes(moving.sequence, angles[::-1])[::-1])


# --- Conversions


@pytest.mark.parametrize("to", conversions())
@pytest.mark.parametrize("of", ["rpy", "extrinsic:zxz", "axes:ZYX"])
def test_that_conversions_keep_the_orientation(of, to) -> None:
    T = Rotation.from_rotvec([0.3, -0.4, 0.5]).as_matrix()
    scene = scene_with(still_form(of, T))
    changed = convert_form("a", to, moment_of(scene), "").apply(scene)
    form = changed.frames["a"].orientation
    assert conversion_key(form) == to
    np.testing.assert_allclose(matrix_of(form, 0.0, NOTHING), T, atol=1e-11)


@pytest.mark.parametrize(("of", "to"), [("rpy", "axes:ZYX"), ("axes:ZYX", "extrinsic:xyz"), ("extrinsic:xyz", "rpy")])
def test_that_the_same_turns_keep_their_formulas(of, to) -> None:
    form = still_form(of, np.eye(3)).model_copy(update={"angles": ("10*t", "sin(t)", 3.5)})
    scene = scene_with(form)
    assert conversion_loss(scene, "a", to, 0.0) == ""
    changed = convert_form("a", to, moment_of(scene), "").apply(scene).frames["a"].orientation
    back = convert_form("a", of, moment_of(scene), "").apply(scene_with(changed)).frames["a"].orientation
    assert back == form
    assert as_moving(changed) == as_moving(form)


def test_that_another_sequence_would_lose_a_formula_and_names_the_angle() -> None:
    scene = scene_with(Rpy(angles=("10*t", 0, 5), unit="deg"))
    assert conversion_loss(scene, "a", "axes:XYZ", 0.0).startswith("roll runs with t")
    axis = {"form": "axis", "axis": "y", "angle": "5*t", "unit": "deg"}
    changed = convert_form("a", "rpy", moment_of(scene_with(axis)), "").apply(scene_with(axis))
    assert changed.frames["a"].orientation == Rpy(angles=(0.0, "5*t", 0.0), unit="deg")


# --- Edits


def test_that_angles_are_edited_in_the_order_of_the_file() -> None:
    scene = scene_with(Rpy(angles=(10, "5*t", 30), unit="deg"))

    def angles_after(edit) -> tuple:
        return edit.apply(scene).frames["a"].orientation.angles

    assert angles_after(turn_to("a", 0, np.pi / 2, 0.0, "")) == (90.0, "5*t", 30.0)
    assert angles_after(turn_to("a", 1, np.radians(30.0), 2.0, "")) == (10.0, "5*t + 20", 30.0)
    assert angles_after(reset_angle("a", 2, "")) == (10.0, "5*t", 0.0)
    assert angles_after(write_angle("a", 2, "sin(t)", "deg", "rpy", "")) == (10.0, "5*t", "sin(t)")
    assert angles_after(set_rate("a", 0, np.radians(7.0), 0.0, "")) == ("7*t + 10", "5*t", 30.0)
    assert set_sequence("a", "zxy").apply(scene).frames["a"].orientation == Extrinsic(
        sequence="zxy", angles=(10, "5*t", 30), unit="deg"
    )
    assert set_sequence("a", "ZXY").apply(scene).frames["a"].orientation.form == "axes"
    with pytest.raises(RefusedError, match="pitch is sin"):
        set_rate("a", 1, 0.1, 0.0, "").apply(scene_with(Rpy(angles=(0, "sin(t)", 0), unit="deg")))


def test_that_a_frame_without_rotation_gets_roll_pitch_and_yaw_where_they_are_chosen() -> None:
    scene = scene_with(None)
    assert write_angle("a", 2, "5*t", "deg", "rpy", "").apply(scene).frames["a"].orientation == Rpy(
        angles=(0.0, 0.0, "5*t"), unit="deg"
    )
    moment = Moment(0.0, 0.0, np.eye(3), np.zeros(3), sequence="rpy")
    T = Rotation.from_euler("xyz", [10, 20, 30], degrees=True).as_matrix().T
    form = orient_frame("a", T, moment, "").apply(scene).frames["a"].orientation
    assert isinstance(form, Rpy)
    np.testing.assert_allclose(form.angles, [10.0, 20.0, 30.0], atol=1e-9)


def test_that_turning_about_the_vertical_axis_of_the_parent_changes_the_yaw_alone() -> None:
    scene = scene_with(Rpy(angles=(10, "5*t", 30), unit="deg"))
    turned = turn_frame("a", np.array([0.0, 0.0, 1.0]), np.radians(15.0), moment_of(scene, 1.0), "").apply(scene)
    assert turned.frames["a"].orientation.angles == (10.0, "5*t", 45.0)
    with pytest.raises(RefusedError, match=r"pitch runs with t.*z of the parent \(yaw\), y′ \(pitch\).*own x \(roll\)"):
        turn_frame("a", np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0), 0.1, moment_of(scene), "").apply(scene)


def test_that_stopping_and_turning_by_a_formula_keep_the_form() -> None:
    scene = scene_with(Rpy(angles=("90*t", 0, 0), unit="deg"))
    assert stop_frame("a", moment_of(scene, 1.0), "").apply(scene).frames["a"].orientation == Rpy(
        angles=(90.0, 0.0, 0.0), unit="deg"
    )
    still = scene_with(Rpy(angles=(10, 0, 0), unit="deg"))
    turned = turn_by_formula("a", moment_of(still), "").apply(still).frames["a"].orientation
    assert turned == Rpy(angles=(10.0, 0.0, "36*t"), unit="deg")


def test_that_keys_have_fixed_axes() -> None:
    keys = [
        {"time": f"{2 * k} s", "orientation": {"form": "rpy", "angles": [10 * k, 0, 90 * k], "unit": "deg"}}
        for k in range(2)
    ]
    scene = Scene.model_validate(
        {"framescope": 1, "frames": {"a": {"parent": "world", "motion": {"form": "keyframes", "keys": keys}}}}
    )
    plan = compile_plan(scene)
    assert not plan.problems
    R = evaluate(plan, 2.0).R_WF[1]
    np.testing.assert_allclose(R, Rotation.from_euler("xyz", [10, 0, 90], degrees=True).as_matrix(), atol=1e-12)
    changed = convert_form("a", "extrinsic:zyx", moment_of(scene), "").apply(scene)
    assert {key.orientation.form for key in changed.frames["a"].motion.keys} == {"extrinsic"}


# --- Files


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"form": "extrinsic", "sequence": "XYZ", "angles": [0, 0, 0], "unit": "deg"}, 'Write it in lower case: "xyz"'),
        ({"form": "extrinsic", "sequence": "xxz", "angles": [0, 0, 0], "unit": "deg"}, "no sequence of fixed axes"),
        ({"form": "axes", "sequence": "xyz", "angles": [0, 0, 0], "unit": "deg"}, "form: extrinsic"),
        ({"form": "rpy", "angles": [0, 0, 0]}, "the unit of this angle is missing"),
        ({"form": "rpy", "angles": [0, 0], "unit": "deg"}, "expected 3 angles, got 2"),
        ({"form": "rpy", "angles": [0, 0], "unit": "deg"}, "yaw is missing"),
        ({"form": "rpy", "angles": [0, 0, "sqrt(-1 - t)"], "unit": "deg"}, 'angle 3 = "sqrt'),
    ],
)
def test_that_faults_name_the_place_and_the_fix(form, message) -> None:
    (problem,) = compile_plan(scene_with(form)).problems
    assert problem.key_path[:3] == ("frames", "a", "orientation")
    assert message in str(problem)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_old_files_mean_what_they_meant(sequence) -> None:
    form = (
        scene_with({"form": "axes", "sequence": sequence, "angles": [1, 2, 3], "unit": "deg"}).frames["a"].orientation
    )
    assert form == Axes(sequence=sequence, angles=(1.0, 2.0, 3.0), unit="deg")
    assert as_moving(form) is form
    assert sequence_key(form) == sequence
