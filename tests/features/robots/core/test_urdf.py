"""Robots in URDF: poses of all links against slow formulas, and what stands in a file."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.system.file_access import Access
from framescope.features.robots.core.robot_scene import scene_of
from framescope.features.robots.core.urdf import read_urdf
from tests.support.robots import healthy_robot, slow_poses

POSES = 25


@pytest.mark.parametrize("seed", range(8))
def test_that_links_stand_where_slow_formulas_have_them(seed: int) -> None:
    made, rng = healthy_robot(seed), random.Random(seed)
    robot = read_urdf(made.text.encode())
    assert robot.faults == ()
    scene, lacks = scene_of(robot, {})
    assert lacks == ()
    joints = {frame.motion.name: frame.motion for frame in scene.frames.values() if frame.motion is not None}
    assert set(made.ranges) == {name for name, joint in joints.items() if joint.value in scene.parameters}
    for _ in range(POSES):
        values = {name: rng.uniform(*ends) for name, ends in made.ranges.items()}
        parameters = {**scene.parameters, **{joints[name].value: value for name, value in values.items()}}
        plan = compile_plan(scene.model_copy(update={"parameters": FrozenDict(parameters)}), access=Access())
        assert [problem for problem in plan.problems if problem.kind != "joint-limit"] == []
        snapshot = evaluate(plan, 0.0)
        for name, expected in slow_poses(made.text, values).items():
            row = plan.index[name]
            np.testing.assert_allclose(snapshot.p_WF[row], expected[:3, 3], atol=1e-12)
            np.testing.assert_allclose(snapshot.R_WF[row], expected[:3, :3], atol=1e-12)


def test_that_what_stands_in_a_file_is_in_the_scene() -> None:
    robot = read_urdf(b"""<robot name="r">
      <material name="blue"><color rgba="0 0 1 0.5"/></material>
      <link name="world"/>
      <link name="base"><visual><geometry><sphere radius="0.2"/></geometry><material name="blue"/></visual>
        <collision><geometry><capsule radius="0.1" length="0.3"/></geometry></collision></link>
      <joint name="stand" type="fixed"><parent link="world"/><child link="base"/></joint>
      <link name="arm"/>
      <joint name="t" type="prismatic"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
        <limit lower="0.2" upper="0.5"/></joint></robot>""")
    assert robot.faults == ()
    scene, _ = scene_of(robot, {})
    assert list(scene.frames) == ["base", "arm"], "the link world is the world"
    assert scene.parameters == {"q_t": 0.2}, "t is the time, and the joint does not go to zero"
    assert (scene.bodies["base"].color, scene.bodies["base"].opacity) == ("#0000ff", 0.5)
    capsule = scene.bodies["base collision"].shape
    assert (capsule.form, str(capsule.radius), str(capsule.length)) == ("capsule", "0.1 m", "0.3 m")
    assert scene.view.hidden.bodies == ("base collision",)
    motion = scene.frames["arm"].motion
    assert (motion.name, motion.lower, motion.upper, motion.unit) == ("t", 0.2, 0.5, "m")


def test_that_a_limit_of_infinity_is_none_and_the_other_one_holds() -> None:
    robot = read_urdf(b"""<robot name="r"><link name="a"/><link name="b"/>
      <joint name="turn" type="revolute"><parent link="a"/><child link="b"/><limit lower="0.5" upper="1e16"/></joint>
      </robot>""")
    scene, _ = scene_of(robot, {})
    motion = scene.frames["b"].motion
    assert (motion.lower, motion.upper) == (0.5, None)
    assert scene.parameters == {"turn": 0.5}, "it does not go to zero"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "no element found"),
        (b"<robot><link></robot>", "mismatched tag"),
        (b'<!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot>&x;</robot>', "document type"),
        (b"<sdf version='1.9'/>", "begins with <robot>"),
        (b"<robot>" + 250 * b"<link>", "nested more than 200 levels deep"),
        (b'<?xml version="1.0" encoding="klingon"?><robot/>', "cannot be decoded"),
    ],
)
def test_that_what_is_no_robot_is_said_with_its_line(data: bytes, expected: str) -> None:
    with pytest.raises(FramescopeError, match=expected) as raised:
        read_urdf(data)
    assert str(raised.value).startswith("line 1: ")


@pytest.mark.long
def test_that_very_long_robots_are_read_in_a_time_that_grows_with_them() -> None:
    times = []
    for n in (1_000, 16_000):
        links = "".join(f'<link name="{i}"/>' for i in range(n))
        joints = "".join(
            f'<joint name="j{i}" type="fixed"><parent link="{i}"/><child link="{i + 1}"/></joint>' for i in range(n - 1)
        )
        ring = f'<joint name="last" type="fixed"><parent link="{n - 1}"/><child link="0"/></joint>'
        start = time.process_time()
        robot = read_urdf(f'<robot name="r">{links}{joints}</robot>'.encode())
        looped_robot = read_urdf(f'<robot name="r">{links}{joints}{ring}</robot>'.encode())
        times.append(time.process_time() - start)
        assert robot.roots == ("0",)
        assert [fault.kind for fault in looped_robot.faults] == ["loop"]
        assert len(looped_robot.roots) == 1
    assert times[1] < 50 * times[0]  # 100 if each link looked at all others


def test_that_links_without_a_colour_have_that_of_gazebo() -> None:
    visual = "<visual><geometry><sphere radius='0.2'/></geometry>{}</visual>"
    own = visual.format("<material name='mine'><color rgba='0 1 0 1'/></material>")
    robot = read_urdf(
        f"""<robot name="r">
      <link name="plain">{visual.format("")}</link>
      <link name="orange">{visual.format("")}<collision><geometry><sphere radius='0.2'/></geometry></collision></link>
      <link name="green">{own}</link>
      <link name="named">{visual.format("<material name='Gazebo/SkyBlue'/>")}</link>
      <link name="wooden">{visual.format("")}</link>
      <joint name="a" type="fixed"><parent link="plain"/><child link="orange"/></joint>
      <joint name="b" type="fixed"><parent link="plain"/><child link="green"/></joint>
      <joint name="c" type="fixed"><parent link="plain"/><child link="named"/></joint>
      <joint name="d" type="fixed"><parent link="plain"/><child link="wooden"/></joint>
      <gazebo reference="orange"><material> Gazebo/Orange </material></gazebo>
      <gazebo reference="green"><material>Gazebo/Red</material></gazebo>
      <gazebo reference="wooden"><material>Gazebo/WoodPallet</material></gazebo>
      <gazebo><plugin name="p" filename="f"/></gazebo></robot>""".encode()
    )
    assert robot.faults == ()
    colors = {link.name: [shape.color for shape in link.visuals] for link in robot.links}
    assert colors == {
        "plain": [None],
        "orange": ["#ff820c"],
        "green": ["#00ff00"],
        "named": ["#2170b2"],
        "wooden": [None],
    }
    assert [shape.color for link in robot.links for shape in link.collisions] == [None]
