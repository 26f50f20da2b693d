"""Whole orientations set by hand: the frame has just that one then, and stays in the form it was authored in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from framescope.core import frames, kinematics
from framescope.core.errors import RefusedError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.edits.authored_angles import even_parts, set_rate, turn_to
from framescope.core.scene.edits.motion_kind import set_motion, turn_by_formula
from framescope.core.scene.edits.new_items import add_item
from framescope.core.scene.edits.orientation import (
    conversion_loss,
    convert_form,
    fix_offset,
    offset_name,
    orient_frame,
)
from framescope.core.scene.edits.pose import Moment, turn_frame
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.model import Scene
from tests.support.strategies import angle_triples, sequences

STILL = {
    "none": None,
    "xyzw": {"form": "quaternion", "value": [0.5, 0.5, 0.5, 0.5], "order": "xyzw"},
    "wxyz": {"form": "quaternion", "value": [-0.5, 0.5, 0.5, 0.5], "order": "wxyz"},
    "matrix": {"form": "matrix", "rows": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], "maps": "parent to frame"},
    "inverse": {"form": "matrix", "rows": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], "maps": "frame to parent"},
    "nxy": {"form": "nxy", "n_x": [0, 2, 0], "n_y": [0, 1, 1]},
    "nxz": {"form": "nxz", "n_x": [1, 1, 0], "n_z": [0, 0, 1]},
}
KINDS = ("quaternion:xyzw", "quaternion:wxyz", "matrix", "planar", "nxy", "nxz", "axes:ZXZ", "axes:YZX")


def scene_with(frame: dict, **more: object) -> Scene:
    return Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"} | frame}} | more)


def axes(sequence: str, angles, unit: str = "deg") -> dict:
    return {"orientation": {"form": "axes", "sequence": sequence, "angles": list(angles), "unit": unit}}


def T_of(scene: Scene, t: float = 0.0, name: str = "a") -> np.ndarray:
    plan = compile_plan(scene)
    return evaluate(plan, t).T_PF[plan.index[name]]


def moment(scene: Scene, t: float = 0.0) -> Moment:
    return Moment(t, compile_plan(scene).start, T_of(scene, t), np.zeros(3))


def oriented(scene: Scene, T: np.ndarray, t: float = 0.0) -> Scene:
    return orient_frame("a", T, moment(scene, t), "").apply(scene)


@settings(max_examples=20)
@pytest.mark.parametrize("form", STILL.values(), ids=STILL)
@given(sequence=sequences, angles=angle_triples)
def test_that_a_still_form_takes_any_orientation_and_stays_what_it_is(form, sequence, angles) -> None:
    scene = scene_with({} if form is None else {"orientation": form})
    T = frames.axes_rotations(sequence, angles).T
    changed = oriented(scene, T)
    assert T_of(changed) == pytest.approx(T, abs=1e-9)
    orientation = changed.frames["a"].orientation
    assert orientation.form == ("axes" if form is None else form["form"])
    for key in {"order", "maps"} & (form or {}).keys():
        assert getattr(orientation, key) == form[key]


@settings(max_examples=30)
@given(sequence=sequences, before=angle_triples, after=angle_triples, unit=st.sampled_from(["deg", "rad"]))
def test_that_three_angles_take_any_orientation_nearest_to_where_they_are(sequence, before, after, unit) -> None:
    authored = np.degrees(before) if unit == "deg" else np.array(before)
    scene = scene_with(axes(sequence, authored, unit))
    T = frames.axes_rotations(sequence, after).T
    changed = oriented(scene, T)
    assert T_of(changed) == pytest.approx(T, abs=1e-9)
    found = np.array(changed.frames["a"].orientation.angles)
    found = np.radians(found) if unit == "deg" else found
    if kinematics.singularity_measure(sequence, after)[0] > 1.0 - 1e-9:
        return  # at the lock angle 1 stays, and angle 3 takes the rest
    # No farther from the present angles than the ones that were asked for, brought to the same turns.
    wanted = np.array(after) - 2 * np.pi * np.round((np.array(after) - before) / (2 * np.pi))
    assert np.linalg.norm(found - before) <= np.linalg.norm(wanted - before) + 1e-6


@settings(max_examples=20)
@given(sequence=sequences, angles=angle_triples, t=st.floats(0.0, 10.0))
def test_that_expressions_gain_the_constant_that_is_right_now(sequence, angles, t) -> None:
    scene = scene_with(axes(sequence, ["20*sin(t)", "k*t + 5", "3*t"]), parameters={"k": 2.5})
    T = frames.axes_rotations(sequence, angles).T
    changed = oriented(scene, T, t)
    assert T_of(changed, t) == pytest.approx(T, abs=1e-9)
    texts = changed.frames["a"].orientation.angles
    for text, start in zip(texts, ("20*sin(t)", "k*t", "3*t"), strict=True):
        assert text.startswith(start)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_angles_that_stay_are_left_as_authored(sequence) -> None:
    scene = scene_with(axes(sequence, [200.0, "5*t", -380.0]))
    assert oriented(scene, T_of(scene, 2.0), 2.0) == scene
    angles = np.radians([200.0, 30.0, -380.0])
    changed = oriented(scene, frames.axes_rotations(sequence, angles).T, 2.0)
    first, second, third = changed.frames["a"].orientation.angles
    assert (first, third) == (200.0, -380.0)
    assert second.startswith("5*t + ")
    assert even_parts(second)[1] == pytest.approx(20.0, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_a_drag_through_the_lock_does_not_jump(sequence) -> None:
    lock = 0.0 if sequence[0] == sequence[2] else np.pi / 2
    scene = scene_with(axes(sequence, np.degrees([0.3, lock - 0.3, 0.2])))
    last = np.array([0.3, lock - 0.3, 0.2])
    for angle2 in lock + np.linspace(-0.3, 0.3, 61):
        scene = oriented(scene, frames.axes_rotations(sequence, [0.3, angle2, 0.2]).T)
        found = np.radians(scene.frames["a"].orientation.angles)
        assert np.abs(found - last).max() < 0.02
        last = found
    assert last == pytest.approx([0.3, lock + 0.3, 0.2], abs=1e-6)


def test_that_one_axis_turns_about_itself_only_and_says_what_to_do() -> None:
    scene = scene_with({"orientation": {"form": "axis", "axis": "y", "angle": "90*t", "unit": "deg"}})
    T = frames.axis_rotation(2, np.radians(100.0)).T
    assert oriented(scene, T, 4.0).frames["a"].orientation.angle == "90*t + 100"
    with pytest.raises(RefusedError, match="about y only, by one angle: convert it"):
        oriented(scene, frames.axis_rotation(1, 0.1).T)


def test_that_a_matrix_that_is_no_rotation_is_refused() -> None:
    with pytest.raises(RefusedError, match="off the nearest rotation by"):
        oriented(scene_with({}), 1.1 * np.eye(3))


KEYS = {
    "form": "keyframes",
    "keys": [
        {"time": "0 s"},
        {"time": "2 s", "orientation": axes("ZYX", [200, 10, 0])["orientation"]},
        {"time": "4 s", "orientation": {"form": "quaternion", "value": [0, 0, 0, 1], "order": "wxyz"}},
    ],
}


@pytest.mark.parametrize(("t", "count"), [(0.0, 3), (1.0, 4), (2.0, 3), (4.0, 3), (5.0, 4)])
def test_that_the_key_of_the_present_time_is_set_or_added(t, count) -> None:
    scene = scene_with({"motion": KEYS})
    T = frames.axes_rotations("XYZ", [0.1, -0.4, 2.0]).T
    changed = oriented(scene, T, t)
    assert T_of(changed, t) == pytest.approx(T, abs=1e-9)
    assert len(changed.frames["a"].motion.keys) == count
    assert not compile_plan(changed).problems
    if t == 4.0:
        assert changed.frames["a"].motion.keys[2].orientation.order == "wxyz"


def test_that_what_is_integrated_or_recorded_is_refused() -> None:
    spin = {"form": "integrated", "w": [0, 0, 1], "unit": "rad/s", "equation": "dcm", "method": "rk4", "step": "50 ms"}
    scene = scene_with({"orientation": spin})
    with pytest.raises(RefusedError, match="integrated"):
        oriented(scene, np.eye(3), 1.0)
    recorded = {"form": "recorded", "file": "walk.txt", "format": "tum", "bandwidth": "4 Hz"}
    scene = scene_with({"motion": recorded})
    with pytest.raises(RefusedError, match=r"recorded in walk\.txt"):
        orient_frame("a", np.eye(3), Moment(0.0, 0.0, np.eye(3), np.zeros(3)), "").apply(scene)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", [*STILL.values(), axes("XYZ", [200, 20, -30])["orientation"]])
def test_that_converting_keeps_the_orientation_and_says_the_new_form(kind, form) -> None:
    scene = scene_with({} if form is None else {"orientation": form})
    changed = convert_form("a", kind, moment(scene), "").apply(scene)
    assert T_of(changed) == pytest.approx(T_of(scene), abs=1e-9)
    assert changed.frames["a"].orientation.form == kind.partition(":")[0]
    assert Scene.model_validate(changed.model_dump(exclude_unset=True)) == changed
    assert scene_text(changed)


def test_that_converting_what_runs_with_t_asks_first_and_then_stands_still() -> None:
    scene = scene_with(axes("XYZ", ["20*t", 30, "5*t"]))
    loss = conversion_loss(scene, "a", "matrix", 2.0)
    assert loss == "α and γ run with t; converted, it stands still as it is at 2.00 s."
    with pytest.raises(RefusedError, match="run with t"):
        convert_form("a", "matrix", moment(scene, 2.0), "").apply(scene)
    changed = convert_form("a", "matrix", moment(scene, 2.0), "", freezes=True).apply(scene)
    assert T_of(changed, 7.0) == pytest.approx(T_of(scene, 2.0), abs=1e-9)


def test_that_a_turn_about_one_axis_becomes_three_angles_at_all_times() -> None:
    scene = scene_with({"orientation": {"form": "axis", "axis": "y", "angle": "90*t", "unit": "deg"}})
    assert not conversion_loss(scene, "a", "axes:ZYX", 1.0)
    changed = convert_form("a", "axes:ZYX", moment(scene, 1.0), "").apply(scene)
    assert changed.frames["a"].orientation.angles == (0.0, "90*t", 0.0)
    assert T_of(changed, 3.3) == pytest.approx(T_of(scene, 3.3), abs=1e-12)


def test_that_all_keys_are_converted() -> None:
    scene = scene_with({"motion": KEYS})
    changed = convert_form("a", "quaternion:xyzw", moment(scene, 1.0), "").apply(scene)
    assert [key.orientation and key.orientation.form for key in changed.frames["a"].motion.keys] == [
        None,
        "quaternion",
        "quaternion",
    ]
    for t in (0.0, 0.7, 3.0):
        assert T_of(changed, t) == pytest.approx(T_of(scene, t), abs=1e-9)


def test_that_a_rate_keeps_the_present_value_and_zero_stops_it() -> None:
    scene = scene_with(axes("XYZ", [10, "sin(t)", "2*t - 4"]))
    run = set_rate("a", 0, np.radians(5.0), 3.0, "").apply(scene)
    assert run.frames["a"].orientation.angles == ("5*t - 5", "sin(t)", "2*t - 4")
    assert T_of(run, 3.0) == pytest.approx(T_of(scene, 3.0), abs=1e-12)
    plan = compile_plan(run)
    assert np.degrees(plan.angles("a", 3.0)[1][0]) == pytest.approx(5.0)
    assert set_rate("a", 2, 0.0, 3.0, "").apply(scene).frames["a"].orientation.angles[2] == 2.0
    with pytest.raises(RefusedError, match="its rate follows from that"):
        set_rate("a", 1, 1.0, 3.0, "").apply(scene)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("t", (1, 0)),
        ("-2.5*t+1", (-2.5, 1)),
        ("t * 3 - 1e2", (3, -100)),
        ("k*t", None),
        ("5", None),
        ("t*t", None),
        ("3 + 2*t", (2, 3)),
        ("-1e-3-t", (-1, -1e-3)),
    ],
)
def test_that_even_expressions_are_known(text, parts) -> None:
    assert even_parts(text) == parts


def test_that_a_fixed_offset_takes_what_hangs_on_a_frame_and_moves_nothing() -> None:
    scene = Scene.model_validate(
        {
            "framescope": 1,
            "frames": {
                "a": {"parent": "world"} | axes("XYZ", ["20*t", 0, 0]),
                "b": {"parent": "a"} | axes("XYZ", [0, 90, 0]),
                "a offset": {"parent": "world"},
            },
            "bodies": {"box": {"frame": "a", "shape": {"form": "sphere", "radius": "1 cm"}}},
            "sensors": {"gyro": {"form": "absolute", "frame_a": "a"}},
        }
    )
    name = offset_name(scene, "a")
    changed = fix_offset("a", "").apply(scene)
    assert name == "a offset 2"
    assert list(changed.frames) == ["a", name, "b", "a offset"]
    assert changed.frames["b"].parent == changed.bodies["box"].frame == changed.sensors["gyro"].frame_a == name
    before, after = compile_plan(scene), compile_plan(changed)
    assert not after.problems
    R = [evaluate(plan, 1.5).R_WF[plan.index["b"]] for plan in (before, after)]
    assert R[0] == pytest.approx(R[1], abs=1e-15)


@pytest.mark.parametrize(
    ("unit", "typed_rad", "written"),
    [
        ("rad", np.radians(30.0), 0.523598775598),
        ("rad", np.radians(1e-5), 1.74533e-07),
        ("deg", 0.5, 28.647889756541),
        ("deg", np.radians(30.123456789012), 30.123456789012),
        ("deg", np.radians(1e-7), 1e-07),
        ("deg", np.radians(200.1), 200.1),
    ],
)
def test_that_an_angle_that_is_typed_is_written_with_all_its_digits(unit, typed_rad, written) -> None:
    orientation = {"form": "axes", "sequence": "XYZ", "angles": [10, "5*t", 0], "unit": unit}
    scene = Scene.model_validate({"frames": {"a": {"parent": "world", "orientation": orientation}}})
    assert turn_to("a", 0, typed_rad, 0.0, "").apply(scene).frames["a"].orientation.angles[0] == written


def edits_of_a_bare_frame(sequence: str):
    """Yield each edit that gives a frame without a rotation one, by its name."""
    T = frames.axes_rotations(sequence, [0.3, 0.4, 0.5]).T
    moment = Moment(0.0, 0.0, np.eye(3), np.zeros(3), sequence=sequence)
    yield "orient", orient_frame("a", T, moment, "")
    yield "turn", turn_frame("a", np.array([1.0, 0.0, 0.0]), 0.3, moment, "")
    yield "formula", turn_by_formula("a", moment, "")


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_a_frame_without_a_rotation_gets_one_in_the_chosen_sequence(sequence) -> None:
    scene = Scene.model_validate({"frames": {"a": {"parent": "world"}}})
    for name, edit in edits_of_a_bare_frame(sequence):
        assert edit.apply(scene).frames["a"].orientation.sequence == sequence, name
    for template in ("frame", "measurement"):
        edit = add_item(scene, template, [("frames", "a")], sequence=sequence)
        ((kind, new),) = edit.keys
        assert getattr(edit.apply(scene), kind)[new].orientation.sequence == sequence
    offset = fix_offset("a", "", sequence).apply(scene).frames["a offset"].orientation
    assert (offset.sequence, offset.angles) == (sequence, (0.0, 0.0, 0.0))
    known = compile_plan(scene).moment("a", 0.0, sequence)
    moving = set_motion("a", "keyframes", known, "").apply(scene)
    at_rest = set_motion("a", "", compile_plan(moving).moment("a", 0.0, sequence), "").apply(moving)
    assert at_rest.frames["a"].orientation.sequence == sequence


def test_that_a_frame_with_a_sequence_keeps_it() -> None:
    orientation = {"form": "axes", "sequence": "ZXZ", "angles": [10, 20, 30], "unit": "deg"}
    scene = Scene.model_validate({"frames": {"a": {"parent": "world", "orientation": orientation}}})
    for name, edit in edits_of_a_bare_frame("XYZ"):
        assert edit.apply(scene).frames["a"].orientation.sequence == "ZXZ", name


@pytest.mark.parametrize(
    ("time", "angle", "formula"),
    [
        ("{end: 10 s}", 0.0, "36*t"),
        ("{end: 10 s}", 12.5, "36*t + 12.5"),
        ("{end: 10 s}", -171.507812345678, "36*t - 171.508"),
        ("{start: 5 s, end: 10 s}", 0.0, "36*(t - 5)"),
        ("{start: 1732806000.4178 s, end: 1732806010 s}", 30.0, "36*(t - 1732806000.4) + 30"),
        ("{start: -2500 ms, end: 10 s}", 0.0, "36*(t + 2.5)"),
    ],
)
def test_that_a_formula_of_the_program_has_the_digits_that_a_person_would_type(time, angle, formula) -> None:
    orientation = f"{{form: axes, sequence: XYZ, angles: [0, 0, {angle}], unit: deg}}"
    scene = parse_scene(f"""
framescope: 1
time: {time}
frames:
  a: {{parent: world, orientation: {orientation}}}
""")[0]
    plan = compile_plan(scene)
    for t in (plan.start, plan.start + 4.764123):
        changed = turn_by_formula("a", plan.moment("a", t), "").apply(scene)
        assert changed.frames["a"].orientation.angles[2] == formula
        assert T_of(changed, plan.start) == pytest.approx(T_of(scene), abs=0.03)
        assert not compile_plan(changed).problems


def test_that_constants_of_formulas_are_rounded() -> None:
    scene = scene_with(axes("XYZ", ["5*t", 0, 0]))
    t = 4.764123456789
    typed = turn_to("a", 0, np.radians(30.0), t, "").apply(scene)
    assert typed.frames["a"].orientation.angles[0] == "5*t + 6.179383"
    run = set_rate("a", 0, np.radians(36.0), t, "").apply(scene)
    assert run.frames["a"].orientation.angles[0] == "36*t - 147.688"
    dragged = turn_frame("a", np.array([1.0, 0.0, 0.0]), 0.123456789, moment(scene, t), "").apply(scene)
    assert dragged.frames["a"].orientation.angles[0] == "5*t + 7.074"
    stopped = set_rate("a", 0, 0.0, t, "").apply(scene)
    assert stopped.frames["a"].orientation.angles[0] == pytest.approx(5.0 * t, abs=1e-12)


def test_that_a_new_orientation_has_the_angles_of_branch_1_and_a_changed_one_the_nearest() -> None:
    scene = scene_with(axes("ZYX", [-80, -170, -170]))
    T = frames.axes_rotations("ZYX", np.radians([90.0, 0.0, 0.0])).T

    def angles(scene: Scene, *, is_new: bool) -> tuple:
        changed = orient_frame("a", T, moment(scene), "", is_new=is_new).apply(scene)
        assert T_of(changed) == pytest.approx(T, abs=1e-9)
        return changed.frames["a"].orientation.angles

    assert angles(scene, is_new=True) == (90.0, 0.0, 0.0)
    assert angles(scene, is_new=False) == (-90.0, -180.0, -180.0)
    moving = scene_with(axes("ZYX", ["5*t", -170, -170]))
    assert angles(moving, is_new=True)[0].startswith("5*t"), "an expression is never lost"
