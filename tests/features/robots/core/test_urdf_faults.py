"""Faults in URDF: each planted in a healthy robot is found with its line and what it is of, and nothing else is."""

from __future__ import annotations

import random
import re

import pytest

from framescope.core.errors import FramescopeError, Problem
from framescope.features.robots.core.robot_scene import scene_of
from framescope.features.robots.core.urdf import read_urdf
from tests.support.robots import healthy_robot

ARM = """\
<robot name="arm">
  <link name="base_link">
    <inertial><mass value="3"/><inertia ixx="0.02" iyy="0.02" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision>
  </link>
  <link name="upper">
    <visual><geometry><mesh filename="upper.stl" scale="0.001 0.001 0.001"/></geometry></visual>
  </link>
  <link name="lower"/>
  <link name="camera_link"/>
  <link name="camera_optical_frame"/>
  <joint name="shoulder" type="revolute">
    <parent link="base_link"/><child link="upper"/>
    <origin xyz="0 0 1" rpy="0 1.5707963 0"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="10" velocity="1"/>
  </joint>
  <joint name="elbow" type="prismatic">
    <parent link="upper"/><child link="lower"/>
    <axis xyz="0.6 0 0.8"/>
    <limit lower="0" upper="0.3" effort="10" velocity="1"/>
    <mimic joint="shoulder" multiplier="0.1"/>
  </joint>
  <joint name="stand" type="fixed">
    <parent link="lower"/><child link="camera_link"/>
    <origin xyz="0 0 0.1"/>
  </joint>
  <joint name="optics" type="fixed">
    <parent link="camera_link"/><child link="camera_optical_frame"/>
    <origin rpy="-1.5708 0 -1.5708"/>
  </joint>
</robot>
"""

LOOP = '<joint name="back" type="fixed"><parent link="camera_link"/><child link="base_link"/></joint>'
SECOND = '<joint name="two" type="fixed"><parent link="base_link"/><child link="lower"/></joint>'

PLANTED = {
    "robot without a name": ('name="arm"', "", 1, "no name", "robot"),
    "link without a name": ('<link name="lower"/>', '<link name="lower"/><link/>', 9, "no name", "a link"),
    "joint without a name": ('name="optics" ', "", 28, "no name", "a joint"),
    "two links of one name": (
        '<link name="lower"/>',
        '<link name="lower"/><link name="upper"/>',
        9,
        "name twice",
        "link upper",
    ),
    "two joints of one name": ('name="stand"', 'name="elbow"', 24, "name twice", "joint elbow"),
    "two roots": ('<link name="lower"/>', '<link name="lower"/><link name="lost"/>', 9, "two roots", "link lost"),
    "a loop": ("</robot>", f"{LOOP}</robot>", 32, "loop", "joint back"),
    "two parents": ("</robot>", f"{SECOND}</robot>", 32, "two parents", "joint two"),
    "a link that is not there": (
        '<child link="camera_link"/>',
        '<child link="camera_lnk"/>',
        24,
        "unknown link",
        "joint stand",
    ),
    "no child": ('<child link="camera_optical_frame"/>', "", 28, "no link", "joint optics"),
    "an axis of zero": ('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>', 15, "axis zero", "joint shoulder"),
    "an axis of no unit length": ('<axis xyz="0 1 0"/>', '<axis xyz="0 1 1"/>', 15, "axis length", "joint shoulder"),
    "limits swapped": ('lower="-1.5" upper="1.5"', 'lower="1.5" upper="-1.5"', 16, "limits swapped", "joint shoulder"),
    "no limits": ('<limit lower="-1.5" upper="1.5" effort="10" velocity="1"/>', "", 12, "no limits", "joint shoulder"),
    "limits in degrees": ('lower="-1.5" upper="1.5"', 'lower="-90" upper="90"', 16, "degrees", "joint shoulder"),
    "a joint type that is none": ('type="prismatic"', 'type="prismatc"', 18, "joint type", "joint elbow"),
    "mimic of nothing": ('joint="shoulder"', 'joint="shouldr"', 22, "mimic", "joint elbow"),
    "mimic of itself": ('joint="shoulder"', 'joint="elbow"', 22, "mimic", "joint elbow"),
    "mimic of mimic": (
        'velocity="1"/>\n  </joint>\n  <joint name="elbow"',
        'velocity="1"/><mimic joint="elbow"/>\n  </joint>\n  <joint name="elbow"',
        16,
        "mimic of mimic",
        "joint shoulder",
    ),
    "rpy in degrees": ('rpy="0 1.5707963 0"', 'rpy="0 90 0"', 14, "degrees", "joint shoulder"),
    "rpy beyond a whole turn": ('rpy="0 1.5707963 0"', 'rpy="0.5 0 90"', 14, "large angle", "joint shoulder"),
    "rpy beyond half a turn": ('rpy="0 1.5707963 0"', 'rpy="0 0 5"', 14, "large angle", "joint shoulder"),
    "an inertia that is negative": ('ixy="0"', 'ixy="0.05"', 3, "inertia negative", "link base_link"),
    "an inertia that no body has": ('izz="0.03"', 'izz="0.05"', 3, "inertia impossible", "link base_link"),
    "an inertia a thousand times too large": (
        'ixx="0.02" iyy="0.02" izz="0.03"',
        'ixx="20" iyy="20" izz="30"',
        3,
        "inertia large",
        "link base_link",
    ),
    "an inertia without a mass": ('value="3"', 'value="0"', 3, "mass", "link base_link"),
    "no mass": ('<mass value="3"/>', "", 3, "no mass", "link base_link"),
    "an inertia of rounding errors": (
        'ixx="0.02" iyy="0.02" izz="0.03"',
        'ixx="-1e-22" iyy="0" izz="4e-18"',
        3,
        "inertia small",
        "link base_link",
    ),
    "a box straight in a link": (
        '<link name="lower"/>',
        '<link name="lower"><box size="1 1 1"/></link>',
        9,
        "misplaced element",
        "link lower",
    ),
    "an origin straight in a link": (
        '<link name="lower"/>',
        '<link name="lower"><origin xyz="0 0 1"/></link>',
        9,
        "misplaced element",
        "link lower",
    ),
    "rpy as an element of a link": (
        '<link name="lower"/>',
        '<link name="lower"><rpy>0 0 1</rpy></link>',
        9,
        "misplaced element",
        "link lower",
    ),
    "an axis as SDF writes it": (
        '<axis xyz="0 1 0"/>',
        '<axis xyz="0 1 0"><xyz>0 1 0</xyz></axis>',
        15,
        "misplaced element",
        "joint shoulder",
    ),
    "a pose as SDF writes it": (
        '<origin xyz="0 0 0.1"/>',
        '<origin xyz="0 0 0.1"/><pose>0 0 1 0 0 0</pose>',
        26,
        "misplaced element",
        "joint stand",
    ),
    "a mass straight in a link": (
        '<link name="lower"/>',
        '<link name="lower"><mass value="1"/></link>',
        9,
        "misplaced element",
        "link lower",
    ),
    "a color straight in a visual": (
        'scale="0.001 0.001 0.001"/></geometry>',
        'scale="0.001 0.001 0.001"/></geometry><color rgba="1 0 0 1"/>',
        7,
        "misplaced element",
        "link upper",
    ),
    "an origin in a geometry": (
        '<box size="0.2 0.2 0.2"/>',
        '<box size="0.2 0.2 0.2"/><origin xyz="0 0 1"/>',
        4,
        "misplaced element",
        "link base_link",
    ),
    "a visual straight in a robot": ("</robot>", "<visual/></robot>", 32, "misplaced element", "robot"),
    "a joint in a link": (
        '<link name="lower"/>',
        '<link name="lower"><joint name="in"/></link>',
        9,
        "misplaced element",
        "link lower",
    ),
    "a shape of another format": (
        '<box size="0.2 0.2 0.2"/>',
        '<cuboid size="0.2 0.2 0.2"/>',
        4,
        "no shape",
        "link base_link",
    ),
    "a parent that is named as links are": (
        '<child link="camera_optical_frame"/>',
        '<child name="camera_optical_frame"/>',
        29,
        "no link",
        "joint optics",
    ),
    "a joint in millimetres": ('xyz="0 0 1"', 'xyz="0 0 400"', 14, "millimetres", "joint shoulder"),
    "a limit in millimetres": ('upper="0.3"', 'upper="300"', 21, "millimetres", "joint elbow"),
    "a box in millimetres": ('"0.2 0.2 0.2"', '"200 200 200"', 4, "millimetres", "link base_link"),
    "a mirrored mesh": ('scale="0.001 0.001 0.001"', 'scale="0.001 -0.001 0.001"', 7, "mirrored", "link upper"),
    "a package of no name": ('"upper.stl"', '"package:///arm/upper.stl"', 7, "no package", "link upper"),
    "a mesh of nothing": ('scale="0.001 0.001 0.001"', 'scale="0.001 0 0.001"', 7, "no size", "link upper"),
    "a word for a number": ('xyz="0 0 1"', 'xyz="0 0 one"', 14, "no number", "joint shoulder"),
    "too few numbers": ('xyz="0 0 1"', 'xyz="0 1"', 14, "no number", "joint shoulder"),
    "commas": ('xyz="0 0 1"', 'xyz="0, 0, 1"', 14, "commas", "joint shoulder"),
    "infinity": ('mass value="3"', 'mass value="inf"', 3, "no number", "link base_link"),
    "a misspelt element": ('<origin xyz="0 0 0.1"/>', '<orign xyz="0 0 0.1"/>', 26, "unknown element", "joint stand"),
    "no shape": ('<box size="0.2 0.2 0.2"/>', "", 4, "no shape", "link base_link"),
    "a box of no size": ('<box size="0.2 0.2 0.2"/>', '<box size="0.2 0 0.2"/>', 4, "no size", "link base_link"),
    "a color that nobody defines": (
        'stl" scale="0.001 0.001 0.001"/></geometry>',
        'stl" scale="0.001 0.001 0.001"/></geometry><material name="blu"/>',
        7,
        "unknown material",
        "link upper",
    ),
    "a xacro": ("</robot>", '<xacro:arm prefix="left"/></robot>', 1, "xacro", "robot"),
}

FOLLOWED_BY = {
    "infinity": {"mass"},
    "link without a name": {"two roots"},
    "two links of one name": set[str](),
    "no child": {"two roots"},
    "a link that is not there": {"two roots"},
    "two roots": set[str](),
}
"""Kinds that follow from what is planted: a mass that is not read is none, and what nothing holds is a root."""


HARMLESS = {
    "limits of infinity as converters write it": ('lower="-1.5" upper="1.5"', 'lower="-1e+16" upper="1e+16"'),
    "a limit that is infinite": ('lower="-1.5" upper="1.5"', 'lower="-1.5" upper="inf"'),
    "an even ten radians to either side": ('lower="-1.5" upper="1.5"', 'lower="-10" upper="10"'),
    "a stick whose inertia has few decimals": ('ixx="0.02" iyy="0.02" izz="0.03"', 'ixx="0.02" iyy="0.02" izz="0"'),
    "an element of another program": ('<link name="lower"/>', '<link name="lower"><drake_margin/></link>'),
    "an element of Gazebo that holds what it likes": ("</robot>", "<gazebo><box/><origin/></gazebo></robot>"),
    "a far joint of a large robot": ('xyz="0 0 1"', 'xyz="0 0 9"'),
}


def test_that_a_healthy_robot_has_no_faults() -> None:
    assert read_urdf(ARM.encode()).faults == ()


@pytest.mark.parametrize("written", HARMLESS)
def test_that_what_is_odd_and_not_wrong_is_no_fault(written: str) -> None:
    old, new = HARMLESS[written]
    assert old in ARM
    assert read_urdf(ARM.replace(old, new, 1).encode()).faults == ()


@pytest.mark.parametrize("planted", PLANTED)
def test_that_a_planted_fault_is_found_with_its_line_and_nothing_else(planted: str) -> None:
    old, new, line, kind, where = PLANTED[planted]
    assert ARM.count(old) == 1 or old == 'ixy="0"', "what is replaced stands there once"
    text = ARM.replace(old, new, 1)
    if kind == "xacro":
        text = text.replace("<robot ", '<robot xmlns:xacro="http://ros.org/wiki/xacro" ')
    robot = read_urdf(text.encode())
    found = [(fault.line, fault.kind, fault.where) for fault in robot.faults]
    assert (line, kind, where) in found
    assert {fault.kind for fault in robot.faults} - {kind} <= FOLLOWED_BY.get(planted, set())
    assert all(fault.message.endswith((".", "?")) for fault in robot.faults)
    scene, _ = scene_of(robot, {})
    assert scene.frames, "it opens all the same"


LEFT_OUT = """<robot name="r"><link name="base"><box size="1 1 1"/>
<visual><geometry><prism/></geometry><material name="teal"/></visual>
<origin xyz="1 0 0"/></link><link name="arm"/>
<joint name="j" type="fixed"><parent name="base"/><child link="arm"/></joint></robot>"""


def test_that_every_fault_of_several_in_one_robot_is_told_and_none_that_follows_from_another() -> None:
    found = [(fault.line, fault.kind, fault.message) for fault in read_urdf(LEFT_OUT.encode()).faults]
    assert found == [
        (1, "misplaced element", "<box> has no meaning in <link>."),
        (2, "unknown material", 'nothing defines the material "teal".'),
        (2, "no shape", "<prism> is no shape of URDF."),
        (3, "misplaced element", "<origin> has no meaning in <link>."),
        (4, "no link", '<parent name="base"/> names no link.'),
    ]


def with_inertia(mass: str, inertia: str, others: str = "30") -> Problem | None:
    """Return what is said of the inertia of a link in a robot whose other links have a mass."""
    numbers = dict(zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), inertia.split(), strict=True))
    written = " ".join(f'{key}="{value}"' for key, value in numbers.items())
    heavy = f'<inertial><mass value="{others}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    text = f"""<robot name="r"><link name="body">{heavy}</link><link name="foot"><inertial><mass value="{mass}"/>
<inertia {written}/></inertial><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="j" type="fixed"><parent link="body"/><child link="foot"/></joint></robot>"""
    return next((fault for fault in read_urdf(text.encode()).faults if fault.where == "link foot"), None)


@pytest.mark.parametrize(
    ("mass", "inertia", "kind", "severity"),
    [
        ("2", "0.006 0.007 0.008 0 0 0", None, None),
        ("2", "0 0 0 0 0 0", None, None),  # a mass at a point
        ("1e-6", "1e-6 1e-6 1e-6 1e-6 1e-6 1e-6", "inertia impossible", "note"),
        ("0.02", "3e-7 4e-7 9e-7 0 0 0", "inertia impossible", "note"),
        ("0.4", "3e-4 4e-4 9e-4 0 0 0", "inertia impossible", "amber"),
        ("0.4", "3e-4 4e-4 5e-4 6e-4 0 0", "inertia negative", "amber"),
        ("0.02", "3e-4 4e-4 5e-4 6e-4 0 0", "inertia negative", "note"),
        ("0.5", "0.001 0.001 0.01 0 0 0", "inertia impossible", "note"),  # nobody measures powers of ten
        ("0.5", "1 1 10 0 0 0", "inertia impossible", "amber"),
        ("0.7", "2e-18 3e-18 4e-18 0 0 0", "inertia small", "amber"),
        ("0.7", "1e-18 0 0 0 0 0", "inertia small", "note"),
        ("0.7", "1.1e-5 1.1e-5 1.1e-5 0 0 0", "inertia small", "note"),
        ("0.02", "2e-18 3e-18 4e-18 0 0 0", "inertia small", "note"),
    ],
)
def test_that_what_only_stands_in_for_an_inertia_is_a_note(mass, inertia, kind, severity) -> None:
    fault = with_inertia(mass, inertia)
    if kind is None:
        assert fault is None
        return
    assert (fault.kind, fault.severity) == (kind, severity)
    assert "stand-in" in fault.hint or severity == "amber" or "osmium" in fault.message


def test_that_an_inertia_of_no_body_is_told_with_its_numbers_and_what_a_body_has() -> None:
    fault = with_inertia("0.4", "3e-4 4e-4 9e-4 0 0 0")
    assert fault.message == (
        "its principal moments of inertia are 0.0003, 0.0004 and 0.0009 kg m². In a rigid body none is more than the"
        " sum of the other two, and 0.0009 is more than 0.0007."
    )
    note = with_inertia("1e-6", "1e-6 1e-6 1e-6 1e-6 1e-6 1e-6")
    why = "The link has 1e-06 kg of the robot's 30 kg, which looks like a stand-in."
    assert note.hint == f"{why} A simulator may refuse it."


@pytest.mark.soak
def test_that_what_is_made_of_a_robot_at_random_opens_or_is_refused_in_one_sentence() -> None:
    rng, opened = random.Random(7), 0
    for i in range(2000):
        text = ARM if i % 2 else healthy_robot(i % 9, 6).text
        data = (damaged(text, rng) if i % 4 else altered(text, rng)).encode()
        try:
            robot = read_urdf(data)
        except FramescopeError as error:
            said = str(error)
            assert said.startswith("line "), said
            continue
        opened += 1
        scene_of(robot, {})
        children = [joint.child for joint in robot.joints]
        assert len(set(children)) == len(children)
    assert opened > 500


def damaged(text: str, rng: random.Random) -> str:
    """Return a text with other values of attributes, and lines that are gone, twice, or elsewhere: XML all the same."""
    lines = text.splitlines()
    values = ["", "nan", "-1e999", "0 0 0", "1", "base_link", "elbow", "shoulder", "revolute", "ä ", "1e308 1 1"]

    def other(found: re.Match[str]) -> str:
        return f'"{rng.choice(values)}"' if rng.random() < 0.4 else found[0]

    for _ in range(rng.randint(1, 5)):
        k = rng.randrange(1, len(lines))
        lines[k] = re.sub('"[^"]*"', other, lines[k])
    whole = [k for k, line in enumerate(lines) if line.count("<") == 2 * line.count("</") + line.count("/>") > 0]
    for k in rng.sample(whole, k=min(2, len(whole))):
        lines[k] = rng.choice(["", 2 * lines[k]])
    return "\n".join(lines)


def altered(text: str, rng: random.Random) -> str:
    """Return a text with other letters here and there."""
    for _ in range(rng.randint(1, 4)):
        k = rng.randrange(len(text))
        text = text[:k] + rng.choice(['"', "<", ">", "/", "", "\0", "&lt;", "é", " "]) + text[k + rng.randint(0, 12) :]
    return text
