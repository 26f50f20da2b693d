"""Robots that a bag describes: their shapes on the frames that were sent for their links."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan
from framescope.features.bags.app import bag_reader as bags
from framescope.features.bags.core.bag_scene import BagChoices
from tests.support.bags import START_NS, Other, Sent, drive, write_ros1, write_ros2

ROVER = """<robot name="rover">
  <link name="base_link">
    <visual><geometry><box size="0.8 0.5 0.2"/></geometry></visual>
    <collision><geometry><box size="0.9 0.6 0.3"/></geometry></collision>
  </link>
  <link name="camera"><visual><origin xyz="0.1 0 0"/><geometry><mesh filename="package://rover/eye.stl"/></geometry>
  </visual></link>
  <link name="never_sent"><visual><geometry><sphere radius="0.1"/></geometry></visual></link>
  <joint name="a" type="fixed"><parent link="base_link"/><child link="camera"/><origin xyz="0.3 0 0"/></joint>
  <joint name="b" type="fixed"><parent link="base_link"/><child link="never_sent"/></joint>
</robot>"""


def described(text: str, topic: str = "/robot_description") -> Other:
    return Other(START_NS, topic, "std_msgs/msg/String", {"data": text})


def shown(path: Path, choices: BagChoices | None = None):
    contents = bags.read_chosen(path, choices or BagChoices())
    return contents.scene.scene, contents.problems


@pytest.mark.parametrize("write", [write_ros1, write_ros2])
def test_that_shapes_hang_on_the_frames_of_their_links(tmp_path, write):
    path = write(tmp_path / "drive.bag", [*drive(seconds=2.0), described(ROVER)])
    scene, problems = shown(path)
    bodies = {name: (body.frame, body.role) for name, body in scene.bodies.items()}
    assert bodies["base_link"] == ("base_link", "visual")
    assert bodies["base_link collision"] == ("base_link", "collision")
    assert scene.view.hidden.bodies == ("base_link collision",)
    told = [problem.message for problem in problems]
    assert any("never_sent has no frame here" in text for text in told), told
    missing = "/robot_description, line 6: link camera: there is no mesh package://rover/eye.stl."
    assert missing in told, told
    compile_plan(scene, path.parent)


def test_that_a_mesh_beside_the_bag_is_drawn(tmp_path):
    (tmp_path / "rover").mkdir()
    triangle = np.zeros(1, np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))
    triangle["v"][0] = np.eye(3)
    (tmp_path / "rover" / "eye.stl").write_bytes(b"\0" * 80 + np.uint32(1).tobytes() + triangle.tobytes())
    scene, problems = shown(write_ros1(tmp_path / "drive.bag", [*drive(seconds=2.0), described(ROVER)]))
    assert scene.bodies["camera"].shape.file == "rover/eye.stl"
    assert not any("no mesh" in problem.message for problem in problems)


def test_that_one_who_does_not_want_it_has_frames_alone(tmp_path):
    path = write_ros1(tmp_path / "drive.bag", [*drive(seconds=2.0), described(ROVER)])
    scene, problems = shown(path, BagChoices(robots=()))
    assert scene.frames
    assert not scene.bodies
    assert not problems


@pytest.mark.parametrize("text", ["", "no robot", "<robot", "<!DOCTYPE a><robot/>", "<sdf/>", "<robot name='r'/>"])
def test_that_a_description_that_is_none_takes_nothing_away(tmp_path, text):
    scene, problems = shown(write_ros1(tmp_path / "drive.bag", [*drive(seconds=2.0), described(text)]))
    assert scene.frames
    assert not scene.bodies
    assert bool(problems) == bool(text)
    assert all("robot_description" in problem.message or "robot" in problem.message for problem in problems)


def test_that_two_robots_have_their_own_shapes(tmp_path):
    sent = [
        *(Sent(each.stamp_ns, each.parent, each.child, each.position, each.quaternion, topic=f"{space}/tf")
          for space in ("/one", "/two") for each in drive(seconds=2.0)),
        described(ROVER, "/one/robot_description"),
        described(ROVER.replace("0.8 0.5 0.2", "2 2 2"), "/two/robot_description"),
    ]  # fmt: skip
    scene, _ = shown(write_ros1(tmp_path / "drive.bag", sent))
    boxes = [body for body in scene.bodies.values() if body.role == "visual" and body.shape.form == "box"]
    sizes = {body.frame: body.shape.size for body in boxes}
    assert sizes == {"one/base_link": (0.8, 0.5, 0.2), "two/base_link": (2.0, 2.0, 2.0)}
