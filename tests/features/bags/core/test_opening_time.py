"""The time at which a scene opens, and the reason for a frame without a pose."""

import pytest

from framescope import assets
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.missing_poses import missing_pose_text
from framescope.core.evaluation.opening_time import opening_time
from framescope.core.scene.files.loading import parse_scene
from tests.support.bag_scenes import scene_plan
from tests.support.scenes import GOOD


def test_that_a_scene_without_recordings_opens_at_its_start() -> None:
    plan = compile_plan(parse_scene(GOOD)[0])
    assert opening_time(plan) == plan.start
    assert missing_pose_text(plan, plan.names, plan.start) == ""


def test_that_a_bag_opens_when_all_its_frames_exist_and_a_frame_without_a_pose_has_a_reason() -> None:
    _, plan = scene_plan(assets.path("scenes/bags/clock-behind.bag"))
    t = opening_time(plan)
    assert t == pytest.approx(4.49, abs=0.01)
    assert evaluate(plan, t).is_posed.all()
    assert not evaluate(plan, t - 0.01).is_posed.all()
    assert missing_pose_text(plan, ("wheel_left", "world"), t) == ""
    assert missing_pose_text(plan, ("wheel_left", "world"), 1.0).startswith("base_link has no pose at 1.00 s.")
    reason = missing_pose_text(plan, ("wheel_left", "world"), 15.0)
    assert reason == "wheel_left has no pose at 15.00 s. It is recorded from 0.00 s to 11.90 s."


def test_that_a_frame_in_a_tree_of_its_own_has_a_reason_for_its_missing_numbers() -> None:
    _, plan = scene_plan(assets.path("scenes/bags/trees-apart.bag"))
    assert missing_pose_text(plan, ("goal", "world"), 1.0) == "No transform connects map with the other frames."
