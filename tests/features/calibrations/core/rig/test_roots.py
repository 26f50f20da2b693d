"""Root of a rig: the same in whatever order files are given."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge
from framescope.features.calibrations.core.rig.rig import merge
from framescope.features.calibrations.core.rig.rig_scene import scene_of_rig
from framescope.features.calibrations.core.rig.roots import in_order, robot_roots, root_frames

X = Transform(np.eye(3), [0.1, 0.0, 0.0])


def edges(*pairs: str) -> tuple[Edge, ...]:
    return tuple(Edge(*pair.split(), X, f"line {k}") for k, pair in enumerate(pairs))


ROBOT = Calibration("urdf", edges("rover imu", "rover cam0", "rover radar"))
CHAIN = Calibration("kalibr", edges("imu cam0", "cam0 cam1"))
LAUNCH = Calibration("static_transform_publisher", edges("radar lidar", "lidar cam0", "lidar imu", "radar cam1"))
FILES = (("a.launch", LAUNCH), ("rover.urdf", ROBOT), ("b.yaml", CHAIN))


@pytest.mark.parametrize("files", tuple(itertools.permutations(FILES)))
def test_that_the_root_is_that_of_the_robot_in_every_order(files) -> None:
    ordered = in_order(files)
    assert [name for name, _ in ordered] == ["rover.urdf", "a.launch", "b.yaml"]
    rig_edges = [edge.edge for edge in merge(ordered).edges]
    roots = root_frames(rig_edges, robot_roots(ordered))
    assert roots == ("rover",)
    scene = scene_of_rig(ordered, roots=roots)
    assert scene == scene_of_rig(in_order(FILES), roots=roots)
    assert {frame.parent for name, frame in scene.frames.items() if name != "rover"} <= {"rover", "radar", "cam0"}
    wanted = scene_of_rig(ordered, roots=root_frames(rig_edges, ["cam1"]))
    assert [name for name, frame in wanted.frames.items() if frame.parent == "world"] == ["cam1"]
    assert len(wanted.measured) == len(scene.measured)


@pytest.mark.parametrize(
    ("pairs", "root"),
    [
        (("radar lidar", "base_link lidar", "imu lidar"), "base_link"),
        (("radar lidar", "base_footprint lidar", "imu lidar"), "base_footprint"),
        (("radar lidar", "lidar imu0", "radar imu0"), "imu0"),
        (("a hub", "b hub", "hub c"), "hub"),
        (("radar base_link", "base_link imu"), "radar"),
        (("world radar", "base_link radar"), "world"),
        (("robot/base_link lidar", "imu lidar"), "robot/base_link"),
    ],
)
def test_that_a_base_then_an_imu_then_the_frame_with_most_poses_is_the_root(pairs, root) -> None:
    for some in itertools.permutations(pairs):
        assert root_frames(edges(*some)) == (root,)


def test_that_parts_that_are_not_connected_have_a_root_each() -> None:
    assert root_frames(edges("a b", "c d"), ["d"]) == ("a", "d")
