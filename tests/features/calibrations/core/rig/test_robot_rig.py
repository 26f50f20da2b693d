"""Fixed joints and sensors of robots as poses of a rig, together with calibrations."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from framescope.features.calibrations.core.calibration import Calibration, Edge
from framescope.features.calibrations.core.calibration_scene import scene_of, tree_of
from framescope.features.calibrations.core.rig.rig import merge
from framescope.features.calibrations.core.rig.robot_rig import calibration_of_robot
from framescope.features.calibrations.core.rig.search import search
from framescope.features.robots.core.sdf.reader import read_sdf
from framescope.features.robots.core.urdf import read_urdf

SDF = b"""<sdf version="1.9"><model name="rover"><link name="base_link"/>
<link name="mast"><pose>0.2 0 1 0.1 0.2 0.3</pose>
<sensor name="front" type="camera"><pose>0.1 0 0.05 0 0.2 0</pose><camera><horizontal_fov>1.2</horizontal_fov>
<image><width>640</width><height>480</height></image><distortion><k1>-0.2</k1></distortion></camera></sensor></link>
<joint name="mount" type="fixed"><parent>base_link</parent><child>mast</child></joint>
<joint name="pan" type="revolute"><parent>mast</parent><child>head</child><axis><xyz>0 0 1</xyz></axis></joint>
<link name="head"/></model></sdf>"""
URDF = b"""<robot name="r"><link name="base_link"/><link name="cam"/><link name="wheel"/>
<joint name="mount" type="fixed"><parent link="base_link"/><child link="cam"/>
<origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/></joint>
<joint name="roll" type="continuous"><parent link="base_link"/><child link="wheel"/></joint></robot>"""


def test_that_fixed_joints_of_urdf_are_edges_with_their_direction() -> None:
    (edge,) = calibration_of_robot(read_urdf(URDF)).edges
    assert (edge.entry, edge.words) == ("joint mount", "takes points of cam to base_link")
    assert_allclose(edge.X_PC.R_AB, Rotation.from_euler("xyz", [0.1, 0.2, 0.3]).as_matrix(), atol=1e-15)
    assert edge.X_PC.p_AB.tolist() == [0.1, 0.2, 0.3]


def test_that_sensors_of_sdf_are_edges_and_lenses() -> None:
    calibration = calibration_of_robot(read_sdf(SDF), "sdf")
    assert calibration.dialect == "sdf"
    assert [(edge.entry, edge.words) for edge in calibration.edges] == [
        ("joint mount", "takes points of mast to base_link"),
        ("sensor front", "takes points of front to mast"),
        ("sensor front, axes of its image", "takes points of front_optical to front"),
    ]
    (lens,) = calibration.lenses
    assert (lens.frame, lens.size, lens.model, lens.coefficients) == (
        "front_optical", (640, 480), "radtan", (-0.2, 0.0, 0.0, 0.0, 0.0),
    )  # fmt: skip
    assert any(problem.kind == "camera axes" for problem in calibration.problems)
    scene = scene_of(calibration, "rover.sdf")
    assert scene.bodies["view of front_optical"].shape.form == "camera"


@pytest.mark.parametrize("is_wrong", [False, True])
def test_that_a_camera_of_sdf_closes_a_loop_with_a_calibration_only_by_its_optical_axes(is_wrong) -> None:
    robot = calibration_of_robot(read_sdf(SDF), "sdf")
    tree, _ = tree_of(robot.edges)
    X = tree[0].X_PC @ tree[1].X_PC @ tree[2].X_PC
    camera = "front_optical"
    edges = (Edge("base_link", camera, X if not is_wrong else tree[0].X_PC @ tree[1].X_PC, "T_base_cam"),)
    rig = merge([("rover.sdf", robot), ("hand_eye.yaml", Calibration("x", edges))])
    (verdict,) = search(rig.edges)
    assert verdict.is_open == is_wrong
    if is_wrong:
        causes = [verdict.best, *verdict.rivals]
        assert any("other axes" in cause.kinds for cause in causes if cause is not None)


def test_that_links_without_fixed_joints_make_no_edges() -> None:
    assert calibration_of_robot(read_urdf(b'<robot name="r"><link name="a"/></robot>')).edges == ()
    assert np.array_equal(calibration_of_robot(read_sdf(SDF)).edges[2].X_PC.p_AB, np.zeros(3))
