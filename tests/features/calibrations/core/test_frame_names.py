"""Names of frames and entries that a file may have and a scene may not, on every road from calibrations to a scene."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.rig.additions import add_calibration
from framescope.features.calibrations.core.rig.rig import merge
from framescope.features.calibrations.core.rig.rig_scene import scene_of_rig
from framescope.features.calibrations.core.rig.robot_rig import calibration_of_robot
from framescope.features.robots.core.robot_scene import frame_names
from framescope.features.robots.core.urdf import read_urdf

X = Transform(np.eye(3), [1.0, 0.0, 0.0])
HOSTILE = ("a\nb", "x" * 300, "\u202eabc", " cam ", "", "\x00", "a  b", "y" * 200)


@pytest.mark.parametrize("name", HOSTILE)
def test_that_every_name_becomes_one_that_a_scene_can_have(name) -> None:
    edges = (Edge("base", name, X, name), Edge(name, "z" * 180, X, "T\n" * 300), Edge("base", "z" * 180, X, "T"))
    calibration = Calibration("x", edges)
    scene = scene_of(calibration, "a\n.yaml")
    assert len(scene.frames) == 3
    assert len(scene.measured) == 1
    joined = scene_of_rig([("a.yaml", calibration), ("b.yaml", calibration)])
    assert list(joined.frames) == list(scene.frames)
    assert len(joined.measured) == 4
    assert set(merge([("a.yaml", calibration)]).frames) == set(scene.frames)
    assert add_calibration(scene, scene).apply(scene) == scene


def test_that_two_frames_stay_two() -> None:
    edges = (Edge("base", "a b", X, "1"), Edge("base", "a\nb", X, "2"), Edge("base", "a\tb", X, "3"))
    assert list(scene_of(Calibration("x", edges), "f").frames) == ["base", "a b", "a b 2", "a b 3"]


def test_that_several_poses_of_one_pair_are_all_kept() -> None:
    edges = tuple(Edge("a", "b", X, str(k)) for k in range(3))
    assert [item.source.entry for item in scene_of(Calibration("x", edges), "f").measured.values()] == ["1", "2"]


def test_that_a_robot_has_the_names_of_its_scene() -> None:
    links = "".join(f'<link name="{name}"/>' for name in ("base", "a&#10;b", "a b", "x" * 300, "\u202ec"))
    joints = "".join(
        f'<joint name="j{name}" type="fixed"><parent link="base"/><child link="{name}"/></joint>'
        for name in ("a&#10;b", "a b", "x" * 300, "\u202ec")
    )
    robot = read_urdf(f'<robot name="r">{links}{joints}</robot>'.encode())
    calibration = calibration_of_robot(robot)
    names = {name for edge in calibration.edges for name in (edge.parent, edge.child)}
    assert names == set(frame_names(robot).values())
    assert set(scene_of(calibration, "r.urdf").frames) == names
