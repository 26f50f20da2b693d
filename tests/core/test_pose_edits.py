"""Frames turned and moved by hand: whatever the form, the new pose is the old one turned or moved by just that."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.errors import RefusedError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.edits.pose import Moment, shift_frame, turn_frame
from framescope.core.scene.schema.model import Scene
from tests.support.cases import for_each

TILTED = {"parent": "world", "orientation": {"form": "axes", "sequence": "ZYX", "angles": [20, 10, 5], "unit": "deg"}}
FORMS = {
    "none": None,
    "axes": {"form": "axes", "sequence": "XYZ", "angles": [200, 20, -30], "unit": "deg"},
    "axes ZXZ": {"form": "axes", "sequence": "ZXZ", "angles": [0.3, 1.0, -0.4], "unit": "rad"},
    "xyzw": {"form": "quaternion", "value": [0.5, 0.5, 0.5, 0.5], "order": "xyzw"},
    "wxyz": {"form": "quaternion", "value": [-0.5, 0.5, 0.5, 0.5], "order": "wxyz"},
    "matrix": {"form": "matrix", "rows": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], "maps": "parent to frame"},
    "inverse": {"form": "matrix", "rows": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], "maps": "frame to parent"},
    "nxy": {"form": "nxy", "n_x": [0, 2, 0], "n_y": [0, 0, 1]},
    "nxz": {"form": "nxz", "n_x": [1, 1, 0], "n_z": [0, 0, 1]},
}


def scene_with(frame: dict) -> Scene:
    whole = {"framescope": 1, "frames": {"tilted": TILTED, "a": {"parent": "tilted"} | frame}}
    return Scene.model_validate(whole)


def pose(scene: Scene, t: float = 0.0) -> tuple[np.ndarray, np.ndarray, Moment]:
    plan = compile_plan(scene)
    assert not [problem for problem in plan.problems if problem.severity == "red"]
    snapshot = evaluate(plan, t)
    row, parent = plan.index["a"], plan.index["tilted"]
    p_PF = snapshot.R_WF[parent].T @ (snapshot.p_WF[row] - snapshot.p_WF[parent])
    moment = Moment(t, plan.start, snapshot.T_PF[row], p_PF)
    return snapshot.T_PF[row].T, p_PF, moment


def turned(scene: Scene, e_P, angle: float, t: float = 0.0) -> Scene:
    return turn_frame("a", np.asarray(e_P, dtype=float), angle, pose(scene, t)[2], "turned").apply(scene)


def moved(scene: Scene, d_P, t: float = 0.0) -> Scene:
    return shift_frame("a", np.asarray(d_P, dtype=float), pose(scene, t)[2], "moved").apply(scene)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@for_each("e_P", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0.0, 0.8)])
@for_each("angle", [0.5, -2.5])
def test_that_every_form_turns_by_just_that_and_stays_what_it_is(form, e_P, angle) -> None:
    scene = scene_with({} if form is None else {"orientation": form})
    R_before, p_before, _ = pose(scene)
    changed = turned(scene, e_P, angle)
    R_after, p_after, _ = pose(changed)
    assert R_after == pytest.approx(Rotation.from_rotvec(angle * np.array(e_P)).as_matrix() @ R_before, abs=2e-7)
    assert p_after == pytest.approx(p_before)
    orientation = changed.frames["a"].orientation
    assert orientation.form == ("axes" if form is None else form["form"])
    for key in {"order", "maps", "sequence", "unit"} & (form or {}).keys():
        assert getattr(orientation, key) == form[key]


def test_that_a_turn_about_a_joint_changes_its_angle_alone_and_runs_on_over_turns() -> None:
    scene = scene_with({"orientation": FORMS["axes"]})
    R, _, _ = pose(scene)
    assert turned(scene, (1, 0, 0), np.radians(170)).frames["a"].orientation.angles == (370.0, 20.0, -30.0)
    assert turned(scene, R[:, 2], np.radians(-7)).frames["a"].orientation.angles == (200.0, 20.0, -37.0)


def test_that_angles_stay_on_the_branch_they_are_on() -> None:
    before = np.array(FORMS["axes"]["angles"])
    scene = turned(scene_with({"orientation": FORMS["axes"]}), (0.6, 0.0, 0.8), np.radians(3))
    assert np.abs(np.array(scene.frames["a"].orientation.angles) - before).max() < 8.0


def test_that_an_expression_gains_a_constant_about_its_own_joint_and_explains_elsewhere() -> None:
    form = {"form": "axes", "sequence": "XYZ", "angles": ["20*t", 30, "5*t"], "unit": "deg"}
    scene = scene_with({"orientation": form})
    changed = turned(scene, (1, 0, 0), np.radians(10), t=2.0)
    assert changed.frames["a"].orientation.angles == ("20*t + 10", 30.0, "5*t")
    for t in (0.0, 2.0, 5.0):
        turn = pose(changed, t)[0] @ pose(scene, t)[0].T
        assert turn == pytest.approx(Rotation.from_rotvec([np.radians(10), 0, 0]).as_matrix(), abs=1e-9)
    with pytest.raises(RefusedError, match="α and γ run with t"):
        turned(scene, (0, 1, 0), 0.1, t=2.0)


def test_that_one_axis_turns_about_itself_only() -> None:
    scene = scene_with({"orientation": {"form": "axis", "axis": "y", "angle": "90*t", "unit": "deg"}})
    assert turned(scene, (0, -1, 0), np.radians(10)).frames["a"].orientation.angle == "90*t - 10"
    with pytest.raises(RefusedError, match="about y only"):
        turned(scene, (1, 0, 0), 0.1)
    planar = scene_with({"orientation": {"form": "planar", "axis": [0, 0.6, 0.8], "angle": 1, "unit": "rad"}})
    assert turned(planar, (0, 0.6, 0.8), 0.25).frames["a"].orientation.angle == 1.25


@pytest.mark.parametrize(("unit", "factor"), [("m", 1.0), ("mm", 1e-3), ("km", 1e3)])
def test_that_positions_move_in_their_unit(unit, factor) -> None:
    scene = scene_with({"position": {"value": [1, "2*t", 3], "unit": unit}, "orientation": FORMS["axes"]})
    R_before, p_before, _ = pose(scene, 1.0)
    changed = moved(scene, (0.25, -0.5, 0.0), 1.0)
    R_after, p_after, _ = pose(changed, 1.0)
    assert p_after == pytest.approx(p_before + np.array([0.25, -0.5, 0.0]), abs=1e-6)
    assert R_after == pytest.approx(R_before)
    assert changed.frames["a"].position.unit == unit
    assert changed.frames["a"].position.value[2] == 3.0
    assert changed.frames["a"].position.value[1].startswith("2*t - ")
    assert p_before == pytest.approx(factor * np.array([1.0, 2.0, 3.0]))


KEYS = {
    "form": "keyframes",
    "unit": "m",
    "keys": [
        {"time": "0 s", "position": [0, 0, 0]},
        {"time": "2 s", "position": [1, 0, 0], "orientation": FORMS["axes"]},
        {"time": "4 s", "position": [1, 2, 0]},
    ],
}


@pytest.mark.parametrize(("t", "count"), [(2.0, 3), (1.0, 4), (5.0, 4)])
def test_that_the_key_of_the_moment_is_changed_or_one_is_added(t, count) -> None:
    scene = scene_with({"motion": KEYS})
    R_before, p_before, _ = pose(scene, t)
    changed = moved(turned(scene, (0, 0, 1), 0.3, t), (0.1, 0.0, -0.2), t)
    R_after, p_after, _ = pose(changed, t)
    assert len(changed.frames["a"].motion.keys) == count
    assert R_after == pytest.approx(Rotation.from_rotvec([0, 0, 0.3]).as_matrix() @ R_before, abs=1e-6)
    assert p_after == pytest.approx(p_before + np.array([0.1, 0.0, -0.2]), abs=1e-6)
    assert compile_plan(changed).problems == compile_plan(scene).problems


def test_that_a_simulated_frame_is_moved_where_it_starts() -> None:
    mass = {"frame": "b", "shape": {"form": "sphere", "radius": "10 cm"}, "mass": "1 kg", "inertia": "uniform"}
    frames = {"b": {"parent": "world", "motion": {"form": "simulated", "model": "finite"}}}
    scene = Scene.model_validate({"framescope": 1, "frames": frames, "bodies": {"ball": mass}})
    at_start = Moment(0.0, 0.0, np.eye(3), np.zeros(3))
    changed = shift_frame("b", np.array([0.0, 0.0, 0.5]), at_start, "").apply(scene)
    assert changed.frames["b"].position.value == (0.0, 0.0, 0.5)
    with pytest.raises(RefusedError, match="go to 0 s"):
        shift_frame("b", np.ones(3), Moment(1.0, 0.0, np.eye(3), np.zeros(3)), "").apply(scene)


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (
            {"motion": {"form": "recorded", "file": "walk.txt", "format": "tum", "bandwidth": "4 Hz"}},
            "recorded in walk.txt",
        ),
        (
            {
                "orientation": {
                    "form": "integrated",
                    "w": [0, 0, 1],
                    "unit": "rad/s",
                    "equation": "dcm",
                    "method": "rk4",
                    "step": "50 ms",
                }
            },
            "integrated from its angular velocity",
        ),
    ],
    ids=["recorded", "integrated"],
)
def test_that_what_is_recorded_or_integrated_says_why_it_cannot_be_turned(frame, why) -> None:
    now = Moment(0.0, 0.0, np.eye(3), np.zeros(3))
    with pytest.raises(RefusedError, match=why):
        turn_frame("a", np.array([0.0, 0.0, 1.0]), 0.1, now, "").apply(scene_with(frame))


def test_that_the_world_stays() -> None:
    now = Moment(0.0, 0.0, np.eye(3), np.zeros(3))
    with pytest.raises(RefusedError, match="the world stays"):
        shift_frame("world", np.ones(3), now, "").apply(Scene())
