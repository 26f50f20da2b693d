"""Frames with other parents at other times: they stay where they are, and are carried from then on."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.errors import RefusedError
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.scene.edits.items import without_items
from framescope.core.scene.edits.pose import movable
from framescope.core.scene.schema.model import Scene

GRIPPER = {
    "parent": "world",
    "position": {"value": ["cos(t)", "sin(t)", 0], "unit": "m"},
    "orientation": {"form": "axis", "axis": "z", "angle": "50*t", "unit": "deg"},
}
SHELF = {"parent": "world", "position": {"value": [2, 0, 0], "unit": "m"}}
CUP = {
    "parent": "shelf",
    "position": {"value": [0, 0, "0.1*t"], "unit": "m"},
    "orientation": {"form": "axis", "axis": "x", "angle": "20*t", "unit": "deg"},
}
LID = {"parent": "cup", "position": {"value": [0, 0, 1], "unit": "m"}}


def scene_with(keys: list[dict[str, object]], **frames: object) -> Scene:
    cup = {**CUP, "parent_keys": keys}
    return Scene.model_validate({"framescope": 1, "frames": {
        "gripper": GRIPPER, "shelf": SHELF, "cup": cup, "lid": LID, **frames,
    }})  # fmt: skip


TAKEN = [{"time": "3 s", "parent": "gripper"}, {"time": "7 s", "parent": "shelf"}]


@pytest.fixture
def plan() -> Plan:
    return compile_plan(scene_with(TAKEN))


def test_that_a_frame_stays_where_it_is_when_it_gets_another_parent(plan) -> None:
    assert plan.problems == ()
    i = plan.index["cup"]
    for t in (3.0, 7.0):
        before, at = evaluate(plan, np.nextafter(t, 0.0)), evaluate(plan, t)
        assert at.p_WF[i] == pytest.approx(before.p_WF[i], abs=1e-12)
        assert at.R_WF[i] == pytest.approx(before.R_WF[i], abs=1e-12)
    names = [plan.names[plan.tree.parents_at(t)[i]] for t in (0.0, 3.0, 6.9, 7.0)]
    assert names == ["shelf", "gripper", "gripper", "shelf"]


def test_that_it_is_carried_and_goes_on_by_itself(plan) -> None:
    """Between two keys it moves in its new parent as it moves in the first one, but for where that began."""
    height = [
        plot_curves(plan, parse_signal("position of cup relative to gripper resolved in gripper in m", plan.scene), t)
        for t in (np.array([4.0]), np.array([5.0]))
    ]
    assert (height[1] - height[0])[0] == pytest.approx([0.0, 0.0, 0.1])


@pytest.mark.parametrize("name", ["cup", "lid"])
def test_that_rates_are_derivatives_whatever_it_hangs_on(plan, name: str) -> None:
    h, t, i = 1e-5, np.array([1.0, 4.0, 6.5, 8.0]), plan.index[name]
    before, now, after = (evaluate(plan, t + d) for d in (-h, 0.0, h))
    assert now.v_WF[:, i] == pytest.approx((after.p_WF - before.p_WF)[:, i] / (2 * h), abs=1e-7)
    assert now.a_WF[:, i] == pytest.approx((after.v_WF - before.v_WF)[:, i] / (2 * h), abs=1e-7)
    assert now.b_WF_F[:, i] == pytest.approx((after.w_WF_F - before.w_WF_F)[:, i] / (2 * h), abs=1e-7)


def test_that_what_is_told_of_it_in_its_parent_is_in_the_first_one(plan) -> None:
    snapshot = evaluate(plan, np.linspace(0.0, 10.0, 41))
    i, j = plan.index["cup"], plan.index["shelf"]
    T = np.swapaxes(snapshot.R_WF[:, i], -1, -2) @ snapshot.R_WF[:, j]
    assert snapshot.T_PF[:, i] == pytest.approx(T, abs=1e-12)
    w = snapshot.w_WF_F[:, i] - np.einsum("tij,tj->ti", T, snapshot.w_WF_F[:, j])
    assert snapshot.w_PF_F[:, i] == pytest.approx(w, abs=1e-12)
    angles = parse_signal("angles of cup relative to shelf by XYZ in deg", plan.scene)
    assert np.abs(np.diff(plot_curves(plan, angles, np.linspace(0, 10, 2001)), axis=0)).max() < 5.0


def test_that_a_batch_has_the_bits_of_single_times(plan) -> None:
    times = np.array([0.0, 3.0, 5.0, 7.0, 9.0])
    batch = evaluate(plan, times)
    for k, t in enumerate(times.tolist()):
        one = evaluate(plan, t)
        for name in ("R_WF", "p_WF", "T_PF", "w_PF_F", "v_WF", "w_WF_F", "a_WF", "b_WF_F"):
            assert (getattr(one, name) == getattr(batch, name)[k]).all(), name


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ([{"time": "3 s", "parent": "griper"}], 'no frame "griper"'),
        ([{"time": "3 s", "parent": "lid"}], "below it at other times"),
        ([{"time": "3 s", "parent": "gripper"}, {"time": "2 s", "parent": "shelf"}], "not later than"),
        ([{"time": "3 kg", "parent": "gripper"}], "kg"),
    ],
)
def test_that_bad_keys_are_problems_and_the_frame_keeps_its_parent(keys, said: str) -> None:
    plan = compile_plan(scene_with(keys))
    assert [said in problem.message for problem in plan.problems] == [True]
    assert evaluate(plan, 1.0).is_posed.all()


def test_that_a_frame_that_is_carried_is_moved_before_its_keys_alone(plan) -> None:
    assert movable(plan.scene, "cup", plan.moment("cup", 1.0))
    with pytest.raises(RefusedError, match="before 3 s"):
        movable(plan.scene, "cup", plan.moment("cup", 4.0))


def test_that_keys_go_with_the_frame_that_they_name() -> None:
    scene = without_items(scene_with(TAKEN), [("frames", "gripper")])
    assert [key.parent for key in scene.frames["cup"].parent_keys] == ["shelf"]
