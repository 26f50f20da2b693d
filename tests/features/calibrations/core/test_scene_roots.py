"""The world of a calibration is the root of the scene, on whichever side of a pose it is."""

from __future__ import annotations

import numpy as np

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge
from framescope.features.calibrations.core.calibration_scene import scene_of
from tests.support import plain_rotations as plain


def test_that_a_frame_that_carries_the_world_hangs_below_it() -> None:
    M = plain.pose(plain.of_rpy(0.1, -0.2, 0.7), [1.0, 2.0, 3.0])
    X = Transform.from_matrix(M)
    edges = (Edge("odom", "map", X, "line 1"), Edge("map", "world", X, "line 2"))
    scene = scene_of(Calibration("static_transform_publisher", edges), "a.sh")
    assert {name: frame.parent for name, frame in scene.frames.items()} == {"map": "world", "odom": "map"}
    plan = compile_plan(scene)
    assert plan.problems == ()
    snapshot = evaluate(plan, 0.0)
    expected = plain.inverse(M)
    np.testing.assert_allclose(snapshot.p_WF[snapshot.index["map"]], expected[:3, 3], atol=1e-12)
    np.testing.assert_allclose(snapshot.p_WF[snapshot.index["odom"]], (expected @ expected)[:3, 3], atol=1e-12)
