"""Models in SDFormat against a slow resolver, joints of each kind, planted faults, and damaged files."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.schema.base import FrozenDict
from framescope.features.robots.core.robot_placement import placement_of, pose_matrix
from framescope.features.robots.core.robot_scene import scene_of
from framescope.features.robots.core.sdf.reader import read_sdf
from tests.support.sdf_models import random_model, slow_poses

POSES = 13
"""Times 8 models make more than 100."""


def poses_of(scene, values: dict[str, float]):
    """Return what gives the pose (4, 4) of a frame of a scene with other values of its parameters."""
    plan = compile_plan(scene.model_copy(update={"parameters": scene.parameters | FrozenDict(values)}))
    assert [problem for problem in plan.problems if problem.severity == "red"] == []
    snapshot = evaluate(plan, 0.0)

    def pose(name: str) -> np.ndarray:
        M, row = np.eye(4), plan.index[name]
        M[:3, :3], M[:3, 3] = snapshot.R_WF[row], snapshot.p_WF[row]
        return M

    return pose


def by_joints(scene) -> dict[str, str]:
    """Return the parameters of a scene by what its joints are called."""
    motions = [frame.motion for frame in scene.frames.values() if frame.motion is not None]
    return {motion.name: motion.value for motion in motions if motion.value in scene.parameters}


@pytest.mark.parametrize("seed", range(8))
def test_that_links_and_frames_stand_where_a_slow_resolver_has_them(seed: int) -> None:
    made, rng = random_model(seed), random.Random(seed)
    robot = read_sdf(made.text.encode())
    assert robot.faults == ()
    scene, lacks = scene_of(robot, {})
    assert lacks == ()
    parameters = by_joints(scene)
    assert set(parameters) == set(made.joints)
    for _ in range(POSES):
        values = {name: rng.uniform(-3.0, 3.0) for name in made.joints}
        pose = poses_of(scene, {parameters[name]: value for name, value in values.items()})
        for name, expected in slow_poses(made.text, values).items():
            np.testing.assert_allclose(pose(name), expected, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("pitch", [0.0, 1.0, math.pi / 2, -math.pi / 2, math.pi / 2 - 1e-9])
def test_that_a_pose_is_written_to_the_last_digit_however_steep(pitch: float) -> None:
    M = np.eye(4)
    M[:3, :3] = Rotation.from_euler("xyz", [0.7, pitch, -2.0]).as_matrix()
    np.testing.assert_allclose(pose_matrix(placement_of(M)), M, atol=5e-16)


MOMENTS = "<inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>"


def arm(joint: str, *, more: str = "", version: str = "1.9") -> str:
    """Return a model of two links, 1 m apart along z, and a joint."""
    return f"""<sdf version="{version}"><model name="arm">
  <pose>0 0 0.5 0 0 1.5707963267948966</pose>
  <link name="base"><inertial><mass>2</mass>{MOMENTS}</inertial></link>
  <link name="hand"><pose>0 0 1 1.5707963267948966 0 0</pose></link>
  {joint}
  {more}
</model></sdf>
"""


def joint(type_: str, inside: str, parent: str = "base") -> str:
    return f'<joint name="j" type="{type_}"><parent>{parent}</parent><child>hand</child>{inside}</joint>'


AXIS = "<axis><xyz>1 0 0</xyz></axis>"
IN_MODEL = "<axis><xyz>0 1 0</xyz><use_parent_model_frame>1</use_parent_model_frame></axis>"


@pytest.mark.parametrize(
    ("version", "axis", "expected"),
    [
        ("1.4", "<axis><xyz>0 1 0</xyz></axis>", (0, 1, 0)),
        ("1.6", "<axis><xyz>0 1 0</xyz></axis>", (0, 0, 1)),
        ("1.6", IN_MODEL, (0, 1, 0)),
        ("1.9", '<axis><xyz expressed_in="__model__">0 1 0</xyz></axis>', (0, 1, 0)),
        ("1.9", IN_MODEL, (0, 0, 1)),
    ],
)
def test_that_an_axis_is_in_the_frame_that_its_version_means(version, axis, expected) -> None:
    """The hand is turned by 90 degrees about x, so that its y is z of the model; the model by 90 about z."""
    scene, _ = scene_of(read_sdf(arm(joint("revolute", axis), version=version).encode()), {})
    pose = poses_of(scene, {"j": 0.3})
    turned = (pose("hand") @ np.linalg.inv(poses_of(scene, {"j": 0.0})("hand")))[:3, :3]
    of_model = Rotation.from_euler("z", 90, degrees=True).as_matrix()
    expected_W = of_model @ np.array(expected) * 0.3
    np.testing.assert_allclose(Rotation.from_matrix(turned).as_rotvec(), expected_W, atol=1e-12)


def test_that_joints_with_two_axes_screws_and_balls_are_what_they_are() -> None:
    axes = "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>"
    robot = read_sdf(arm(joint("universal", axes)).encode())
    assert robot.faults == ()
    scene, _ = scene_of(robot, {})
    hand = poses_of(scene, {"j": 0.4, "j_axis_2": 0.7})("hand")
    at_zero = poses_of(scene, {})("hand")
    about = Rotation.from_rotvec([0, 0, 0.4]) * Rotation.from_rotvec([0.7, 0, 0])
    np.testing.assert_allclose(
        hand, at_zero @ np.block([[about.as_matrix(), np.zeros((3, 1))], [0, 0, 0, 1]]), atol=1e-12
    )
    screw = joint("screw", f"{AXIS}<screw_thread_pitch>0.2</screw_thread_pitch>")
    scene, _ = scene_of(read_sdf(arm(screw).encode()), {})
    moved = np.linalg.inv(poses_of(scene, {})("hand")) @ poses_of(scene, {"j": math.pi})("hand")
    np.testing.assert_allclose(moved[:3, 3], (0.1, 0, 0), atol=1e-12)
    robot = read_sdf(arm(joint("ball", "")).encode())
    assert [(fault.kind, fault.severity) for fault in robot.faults] == [("ball joint", "note")]
    scene, _ = scene_of(robot, {})
    assert scene.parameters == {}
    np.testing.assert_allclose(poses_of(scene, {})("hand")[:3, 3], (0, 0, 1.5), atol=1e-12)


def test_that_a_world_holds_several_models_and_what_they_include() -> None:
    gripper = b"""<sdf version="1.9"><model name="gripper"><link name="palm"><visual name="v">
      <transparency>0.25</transparency>
      <geometry><capsule><radius>0.1</radius><length>0.3</length></capsule></geometry>
      <material><diffuse>0 0 1 1</diffuse></material></visual></link></model></sdf>"""
    world = """<sdf version="1.9"><world name="yard"><frame name="corner"><pose>1 0 0 0 0 0</pose></frame>
      <model name="a"><pose relative_to="corner">0 2 0 0 0 0</pose><link name="l"/>
        <include><uri>model://gripper</uri><name>left</name><pose>0 0 3 0 0 0</pose></include>
        <joint name="hold" type="fixed"><parent>l</parent><child>left::palm</child></joint></model>
      <include><uri>model://gripper</uri></include><include><uri>model://nobody</uri></include></world></sdf>"""
    asked = []

    def find(uri: str) -> bytes | None:
        asked.append(uri)
        return gripper if uri == "model://gripper" else None

    robot = read_sdf(world.encode(), find=find)
    assert sorted(asked) == ["model://gripper", "model://gripper", "model://nobody"]
    assert [(fault.kind, fault.line) for fault in robot.faults if fault.severity == "red"] == [("no model", 5)]
    scene, _ = scene_of(robot, {})
    assert scene.title == "yard"
    pose = poses_of(scene, {})
    np.testing.assert_allclose(pose("a::left::palm")[:3, 3], (1, 2, 3))
    np.testing.assert_allclose(pose("gripper::palm")[:3, 3], (0, 0, 0))
    body = scene.bodies["a::left::palm"]
    assert (body.shape.form, body.color, body.opacity) == ("capsule", "#0000ff", 0.75)


FOUR_BARS = """<sdf version="1.9"><model name="bars"><link name="base"/><link name="left"/><link name="top"/>
<link name="right"/>
<joint name="a" type="fixed"><parent>base</parent><child>left</child></joint>
<joint name="b" type="fixed"><parent>left</parent><child>top</child></joint>
<joint name="c" type="fixed"><parent>base</parent><child>right</child></joint>
<joint name="d" type="fixed"><parent>right</parent><child>top</child></joint>
</model></sdf>"""
RING = FOUR_BARS.replace("<parent>base</parent><child>left", "<parent>top</parent><child>left")


@pytest.mark.parametrize("text", [FOUR_BARS, RING])
def test_that_a_loop_of_joints_is_no_fault_as_the_format_allows_it(text: str) -> None:
    robot = read_sdf(text.encode())
    assert {fault.severity for fault in robot.faults} == {"note"}
    assert all("closes a loop" in fault.message and "The format allows that." in fault.hint for fault in robot.faults)


WORLD_OF_ONE = """<sdf version="1.9"><world name="yard">
<frame name="spot" attached_to="crane"><pose>0 0 1 0 0 0</pose></frame>
<frame name="tip" attached_to="crane::arm::hook"><pose relative_to="spot">1 0 0 0 0 0</pose></frame>
<model name="crane"><pose>0 5 0 0 0 0</pose><link name="mast"/>
<model name="arm"><link name="boom"/><link name="hook"><pose>0 0 -2 0 0 0</pose></link></model>
</model>
<joint name="foot" type="fixed"><parent>world</parent><child>crane</child></joint>
</world></sdf>"""


def test_that_frames_and_joints_of_a_world_name_links_of_the_one_model_in_it() -> None:
    robot = read_sdf(WORLD_OF_ONE.encode())
    assert robot.faults == ()
    frames = {frame.name: (frame.link, frame.placement.xyz) for frame in robot.frames}
    assert frames == {"spot": ("mast", (0.0, 0.0, 1.0)), "tip": ("arm::hook", (1.0, 0.0, 3.0))}
    assert [(joint.name, joint.parent, joint.child) for joint in robot.joints] == [("foot", "world", "mast")]


@pytest.mark.parametrize(
    ("attached", "why"),
    [
        ("crane::world", None),
        ("spot", '"spot" is no link, and not attached to one'),
        ("crane::nobody", 'there is no frame "nobody"'),
        ("::", 'there is no frame "::"'),
        ("crane::arm::hook", None),
        ("crane::arm", None),
    ],
)
def test_that_a_frame_that_moves_with_no_link_is_left_out_and_told(attached: str, why: str | None) -> None:
    robot = read_sdf(WORLD_OF_ONE.replace('attached_to="crane"', f'attached_to="{attached}"').encode())
    assert [fault.message for fault in robot.faults if fault.where == "frame spot"] == (
        [] if why is None else [f"{why}."]
    )
    assert ("spot" in {frame.name for frame in robot.frames}) == (why is None)


def test_that_a_joint_to_the_world_and_a_mimic_are_followed() -> None:
    more = """<joint name="k" type="prismatic"><parent>hand</parent><child>finger</child><axis><xyz>0 0 1</xyz>
      <limit><lower>-1</lower><upper>1e16</upper></limit>
      <mimic joint="j"><multiplier>2</multiplier><offset>0.5</offset><reference>0.1</reference></mimic></axis></joint>
      <link name="finger"/>"""
    robot = read_sdf(arm(joint("revolute", AXIS, "world"), more=more).encode())
    scene, _ = scene_of(robot, {})
    assert scene.frames["hand"].parent == "world"
    (driven,) = [frame.motion for frame in scene.frames.values() if frame.motion and frame.motion.name == "k"]
    assert (driven.value, driven.lower, driven.upper) == ("2.0*j + 0.3", -1.0, None)


HEALTHY = arm(joint("revolute", "<axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis>"))

PLANTED = {
    "an unknown frame": ("<pose>0 0 1 ", '<pose relative_to="bas">0 0 1 ', 4, "unknown frame", "link hand"),
    "poses in a ring": ("<pose>0 0 1 ", '<pose relative_to="hand">0 0 1 ', 4, "unknown frame", "link hand"),
    "an unknown child": ("<child>hand", "<child>hnd", 5, "unknown link", "joint j"),
    "no parent": ("<parent>base</parent>", "", 5, "no link", "joint j"),
    "an axis of zero": ("<xyz>1 0 0", "<xyz>0 0 0", 5, "axis zero", "joint j"),
    "an axis of no unit length": ("<xyz>1 0 0", "<xyz>2 0 0", 5, "axis length", "joint j"),
    "limits swapped": ("<lower>-1", "<lower>2", 5, "limits swapped", "joint j"),
    "limits in degrees": ("<lower>-1</lower><upper>1<", "<lower>-90</lower><upper>90<", 5, "degrees", "joint j"),
    "a joint type that is none": ('type="revolute"', 'type="revolut"', 5, "joint type", "joint j"),
    "a reserved name": ('<link name="hand"', '<link name="a::b"/><link name="hand"', 4, "reserved name", "link a::b"),
    "two links of one name": (
        '<link name="hand"',
        '<link name="base"/><link name="hand"',
        4,
        "name twice",
        "link base",
    ),
    "a word for a number": ("<pose>0 0 1 ", "<pose>0 0 one ", 4, "no number", "link hand"),
    "too few numbers": ("<pose>0 0 1 ", "<pose>0 0 ", 4, "no number", "link hand"),
    "an inertia that no body has": ("<izz>0.1", "<izz>0.9", 3, "inertia impossible", "link base"),
    "no mass": ("<mass>2", "<mass>0", 3, "mass", "link base"),
}


def test_that_a_healthy_model_has_no_faults() -> None:
    assert read_sdf(HEALTHY.encode()).faults == ()


@pytest.mark.parametrize("planted", PLANTED)
def test_that_a_planted_fault_is_found_with_its_line_and_nothing_else(planted: str) -> None:
    old, new, line, kind, where = PLANTED[planted]
    assert old in HEALTHY
    faults = read_sdf(HEALTHY.replace(old, new, 1).encode()).faults
    assert (kind, line, where) in [(fault.kind, fault.line, fault.where) for fault in faults]
    assert {fault.kind for fault in faults} == {kind}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"<robot/>", "begins with <sdf>"),
        (b'<!DOCTYPE sdf [<!ENTITY x SYSTEM "file:///etc/passwd">]><sdf>&x;</sdf>', "document type"),
        (
            b"<sdf version='1.9'>" + 25 * b"<model name='m'><link name='l'/>" + 25 * b"</model>" + b"</sdf>",
            "too many models",
        ),
    ],
)
def test_that_what_is_no_model_is_said(data: bytes, expected: str) -> None:
    with pytest.raises(FramescopeError, match=expected):
        read_sdf(data)


@pytest.mark.fuzz
def test_that_damaged_models_end_in_a_scene_or_a_message() -> None:
    seeds = [random_model(seed).text for seed in range(3)] + [HEALTHY]
    words = [
        "NaN",
        "1e999",
        "",
        "__model__",
        "a::b",
        "world",
        "</link>",
        "]]>",
        "&lt;",
        "../../etc/passwd",
        "<include/>",
        "::",
    ]
    found = {"scene": 0, "message": 0}
    for number in range(2000):
        rng = random.Random(number)
        data = rng.choice(seeds)
        for _ in range(rng.choice((1, 1, 2, 5))):
            i, j = sorted(rng.randrange(len(data)) for _ in range(2))
            j = min(j, i + 25)
            data = rng.choice((data[:i] + data[j:], data[:i] + rng.choice(words) + data[i:], data[:j] + data[i:]))
        try:
            scene_of(read_sdf(data.encode("utf-8", "replace")), {})
            found["scene"] += 1
        except FramescopeError:
            found["message"] += 1
    assert min(found.values()) > 100, found


def test_that_a_material_by_its_name_in_gazebo_has_its_colour() -> None:
    visual = """<visual name="v"><geometry><sphere><radius>0.1</radius></sphere></geometry>
      <transparency>0.5</transparency>
      <material><script><uri>file://gazebo.material</uri><name>{}</name></script></material></visual>"""
    link = f'<link name="l">{visual.format("Gazebo/ZincYellow")}{visual.format("Gazebo/Bricks")}</link>'
    robot = read_sdf(f'<sdf version="1.9"><model name="m">{link}</model></sdf>'.encode())
    shapes = [shape for each in robot.links for shape in each.visuals]
    assert [(shape.color, shape.opacity) for shape in shapes] == [("#f8f335", 0.5), (None, 0.5)]
