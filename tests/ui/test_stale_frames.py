"""Stale frames: where they were last, how old that is, and that they are drawn until they are known again."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.stale_frames import has_stale_frames, stale_frames
from framescope.core.scene.schema.model import Scene
from framescope.features.bags.core.bag_scene import Source, scene_of
from framescope.features.bags.core.kept_transforms import transforms_of
from framescope.ui.scene_view.visuals.stale_frames import StaleFramesVisual
from tests.support.bags import NS, START_NS, drive, write_ros1
from tests.support.visuals import built, tick_of


@pytest.fixture
def plan(tmp_path):
    """A drive in which the base is not sent from 5 to 9 s."""
    silent = (START_NS + 5.05 * NS, START_NS + 9 * NS)
    sent = [each for each in drive(hz=10) if each.child != "base_link" or not silent[0] < each.stamp_ns < silent[1]]
    path = write_ros1(tmp_path / "drive.bag", sent)
    scene, _ = scene_of([Source(transforms_of(path).tracks(""))], path.name)
    return compile_plan(scene, tmp_path)


def test_that_a_frame_in_a_gap_is_where_it_was_with_all_that_hangs_on_it(plan) -> None:
    assert has_stale_frames(plan.tree)
    assert len(stale_frames(plan.tree, evaluate(plan, 4.0)).rows) == 0

    stale = stale_frames(plan.tree, evaluate(plan, 7.0))
    names = [plan.names[row] for row in stale.rows]
    assert set(names) == {"base_link", "wheel_left", "wheel_right", "imu", "camera", "lidar"}
    base = names.index("base_link")
    before = evaluate(plan, 5.0)
    in_odom = before.p_WF[plan.index["base_link"]] - before.p_WF[plan.index["odom"]]
    now = evaluate(plan, 7.0).p_WF[plan.index["odom"]]
    assert stale.p_WF[base] == pytest.approx(now + in_odom, abs=1e-9)
    assert stale.age == pytest.approx(np.full(6, 2.0))


def test_that_scenes_of_no_bag_have_none() -> None:
    plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}}}))
    assert not has_stale_frames(plan.tree)


def test_that_they_are_drawn_paler_with_age_and_gone_when_known_again(plan) -> None:
    visual = built(StaleFramesVisual, plan)
    strengths = {}
    for t in (4.0, 5.5, 8.5, 9.5):
        visual.show(tick_of(plan, t))
        strengths[t] = int(visual.line_colors[0, 3]) if np.any(visual.line_ends[0]) else 0
    assert strengths[5.5] > strengths[8.5] > 0
    assert strengths[4.0] == strengths[9.5] == 0
