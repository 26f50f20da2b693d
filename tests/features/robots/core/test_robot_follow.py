"""Scenes that follow the file of their robot: what was left as it was is as it is now, and what a person did stays."""

from __future__ import annotations

import pytest

from framescope.core.scene.edits.joints import record_joints
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.motions import JointRecording
from framescope.core.scene.schema.poses import Position
from framescope.features.robots.core.robot_follow import follow_file
from framescope.features.robots.core.robot_scene import scene_of
from framescope.features.robots.core.urdf import read_urdf
from tests.support.robots import healthy_robot

ROBOT = """\
<robot name="arm">
  <link name="base"/><link name="hand"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="wrist" type="continuous"><parent link="base"/><child link="hand"/>
    <origin xyz="0 0 1"/><axis xyz="0 0 1"/></joint>
  <link name="finger"/>
  <joint name="grip" type="prismatic"><parent link="hand"/><child link="finger"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="1"/></joint>
</robot>
"""


def made(text: str) -> Scene:
    return scene_of(read_urdf(text.encode()), {}, "arm.urdf")[0]


@pytest.mark.parametrize("seed", range(5))
def test_that_an_untouched_scene_becomes_the_one_of_the_file_as_it_is_now(seed: int) -> None:
    before, after = made(healthy_robot(seed).text), made(healthy_robot(seed + 1).text)
    found = follow_file(before, before, after)
    assert {**found.frames} == {**after.frames}
    assert {**found.bodies} == {**after.bodies}
    assert {**found.parameters} == {**after.parameters}
    assert set(found.view.hidden.bodies) == set(after.view.hidden.bodies)
    assert follow_file(before, before, before) == before


def test_that_the_pose_and_what_a_person_did_stay() -> None:
    before = made(ROBOT)
    moved = before.frames["finger"].model_copy(update={"position": Position(value=(1.0, 0.0, 0.0), unit="m")})
    own = Frame(parent="finger")
    scene = before.model_copy(
        update={
            "frames": before.frames | FrozenDict(finger=moved, mine=own),
            "parameters": FrozenDict(wrist=0.7, grip=0.2, own=3.0),
            "title": "mine",
        }
    )
    other = ROBOT.replace("0 0 1", "0 0 2", 1).replace('xyz="1 0 0"', 'xyz="0 1 0"').replace('upper="1"', 'upper="2"')
    found = follow_file(scene, before, made(other))
    assert found.frames["hand"].position.value == (0.0, 0.0, 2.0)
    assert found.frames["finger"].position.value == (1.0, 0.0, 0.0), "moved by hand"
    assert found.frames["finger"].motion.axis == (0.0, 1.0, 0.0), "and on the axis of the file"
    assert found.frames["finger"].motion.upper == 2.0
    assert {**found.parameters} == {"wrist": 0.7, "grip": 0.2, "own": 3.0}
    assert found.frames["mine"] == own
    assert found.title == "mine"


def test_that_links_come_and_go_with_what_stands_on_them() -> None:
    before = made(ROBOT)
    scene = before.model_copy(update={"frames": before.frames | FrozenDict(mine=Frame(parent="hand"))})
    shorter = ROBOT[: ROBOT.index('  <link name="finger"')] + "</robot>"
    found = follow_file(scene, before, made(shorter))
    assert list(found.frames) == ["base", "hand", "mine"]
    assert list(found.parameters) == ["wrist"]
    back = follow_file(found, made(shorter), before)
    assert set(back.frames) == {"base", "hand", "mine", "finger"}
    assert back.parameters["grip"] == 0.0
    alone = follow_file(scene, before, made('<robot name="arm"><link name="base"/></robot>'))
    assert list(alone.frames) == ["base"]
    assert alone.bodies == {}
    assert alone.view.hidden.bodies == ()


def test_that_a_joint_that_a_recording_moves_follows_the_file_in_all_else() -> None:
    before = made(ROBOT)
    recording = JointRecording(file="walk.csv", column="grip", time="t", time_unit="s")
    scene = record_joints({"finger": recording}, "").apply(before)
    found = follow_file(
        scene, before, made(ROBOT.replace('xyz="1 0 0"', 'xyz="0 1 0"').replace('upper="1"', 'upper="2"'))
    )
    motion = found.frames["finger"].motion
    assert (motion.axis, motion.upper, motion.recording) == ((0.0, 1.0, 0.0), 2.0, recording)
