"""Robot descriptions in bags are laid against the transforms, with likely misreadings; equal ones are no fault."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.bags.core.autopsy.bag_autopsy import examine_bag
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.robots.core.description_faults import description_faults
from tests.features.bags.core.test_tf_autopsy import log_of
from tests.support.bags import NS, START_NS, Other, Sent, drive, write_ros1

RPY = (0.1, -0.4, 1.2)
XYZ = (0.25, -0.1, 0.4)
TURN = Rotation.from_euler("xyz", RPY)
URDF = """<robot name="rover"><link name="base_link"/><link name="camera"/><link name="wheel_left"/>
<joint name="camera_joint" type="fixed"><parent link="base_link"/><child link="camera"/>
<origin xyz="0.25 -0.1 0.4" rpy="0.1 -0.4 1.2"/></joint>
<joint name="wheel_joint" type="continuous"><parent link="base_link"/><child link="wheel_left"/>
<origin xyz="0 0.2 0.1"/><axis xyz="0 1 0"/></joint></robot>"""


def camera(p=XYZ, R=TURN, prefix="", publisher="/static"):
    return Sent(START_NS, f"{prefix}base_link", f"{prefix}camera", p, R.as_quat(), is_static=True, publisher=publisher)


def faults_of(*sent, topic="/robot_description", text=URDF):
    return list(description_faults({topic: text}, [log_of(list(sent))]))


@pytest.mark.parametrize(
    ("p", "R", "words"),
    [
        ((0.25, -0.1, 0.5), TURN, "sent by /static 0.1 m off"),
        (XYZ, Rotation.from_euler("z", 0.1) * TURN, "sent by /static 5.73° off"),
        ((0.25, -0.1, 0.5), Rotation.from_euler("z", 0.1) * TURN, "sent by /static 0.1 m and 5.73° off"),
        (XYZ, Rotation.identity(), "Its rotation is missing."),
        (XYZ, Rotation.identity(), "it is at roll, pitch and yaw 0, 0, 0°, and the description states "),
        (tuple(1e3 * np.array(XYZ)), TURN, "They agree if one of the two is in millimetres."),
        (tuple(-TURN.inv().apply(XYZ)), TURN.inv(), "They agree if it is the inverse."),
        (XYZ, Rotation.from_euler("xyz", RPY[::-1]), "yaw, pitch and roll"),
        (XYZ, Rotation.from_quat(TURN.as_quat()[[3, 0, 1, 2]]), "w x y z"),
        (XYZ, Rotation.from_euler("xyz", np.degrees(RPY)), "in degrees"),
        (XYZ, Rotation.from_euler("xyz", (RPY[1], RPY[0], RPY[2])), "its roll and pitch are swapped"),
    ],
)
def test_that_a_transform_that_is_another_than_described_is_told(p, R, words):
    (fault,) = faults_of(camera(p, R))
    assert (fault.kind, fault.severity, fault.frame, fault.parent) == (
        "description differs",
        "amber",
        "camera",
        "base_link",
    )
    assert fault.publishers == ("/static",)
    assert "joint camera_joint in /robot_description" in fault.cause
    assert words in fault.cause


@pytest.mark.parametrize("p", [XYZ, tuple(np.add(XYZ, 4e-4))])
def test_that_a_transform_as_described_or_rounded_is_no_fault(p):
    assert faults_of(camera(p)) == []
    assert faults_of(camera(p, prefix="rover/"), topic="/rover/robot_description") == []


def wheel(p):
    turns = Rotation.from_euler("y", np.arange(20)[:, np.newaxis] * 0.2).as_quat()
    return [Sent(START_NS + i * NS // 10, "base_link", "wheel_left", p, q) for i, q in enumerate(turns)]


def test_that_the_origin_of_a_wheel_is_compared():
    assert faults_of(*wheel((0.0, 0.2, 0.1))) == []
    (fault,) = faults_of(*wheel((0.0, 0.25, 0.1)))
    assert (fault.frame, "0.05 m off" in fault.cause) == ("wheel_left", True)


@pytest.mark.parametrize("text", ["", "no robot", "<robot/>", "<!DOCTYPE x><robot/>"])
def test_that_a_description_that_cannot_be_read_is_no_fault(text):
    assert faults_of(camera((1, 2, 3)), text=text) == []


def test_that_links_with_other_parents_or_without_transforms_are_no_fault():
    other = Sent(START_NS, "mast", "camera", (5, 5, 5), (0, 0, 0, 1), is_static=True)
    assert faults_of(other) == []
    assert list(description_faults({"/robot_description": URDF}, [])) == []


def test_that_the_description_in_a_bag_is_checked(tmp_path):
    text = Other(START_NS, "/robot_description", "std_msgs/msg/String", {"data": URDF})
    sent = [each for each in drive(seconds=4.0) if each.child != "camera"]
    with open_bag(write_ros1(tmp_path / "a.bag", [*sent, camera(), text])) as bag:
        assert examine_bag(bag).faults == ()
    with open_bag(write_ros1(tmp_path / "b.bag", [*sent, camera((0.5, -0.1, 0.4)), text])) as bag:
        ((namespace, fault),) = examine_bag(bag).faults
    assert (namespace, fault.kind, fault.frame) == ("", "description differs", "camera")


def spun(axis, *, before=None, n=40) -> list[Sent]:
    """Return the transforms of the wheel, which turns about an axis, after a fixed turn."""
    first = Rotation.identity() if before is None else before
    return [
        Sent(START_NS + i * NS // 20, "base_link", "wheel_left", (0, 0.2, 0.1), (first * turn).as_quat())
        for i, turn in enumerate(Rotation.from_rotvec(0.1 * np.arange(n)[:, np.newaxis] * np.array(axis, float)))
    ]


@pytest.mark.parametrize("axis", [(0, 1, 0), (0, -1, 0), (0.01, 1, 0)])
def test_that_a_wheel_that_turns_about_its_axis_is_no_fault(axis):
    assert faults_of(*spun(axis)) == []
    assert faults_of(*spun(axis, n=2)) == []


def test_that_a_wheel_that_turns_about_another_axis_is_told():
    (fault,) = faults_of(*spun((0, 0, 1)))
    assert (fault.kind, fault.severity, fault.frame) == ("description differs", "amber", "wheel_left")
    assert "turns about +z, and joint wheel_joint in /robot_description about +y" in fault.cause


def test_that_a_wheel_that_is_turned_on_its_mount_is_told():
    (fault,) = faults_of(*spun((0, 1, 0), before=Rotation.from_euler("z", 10, degrees=True)))
    assert "turned by 10° besides the turns of joint wheel_joint" in fault.cause or "turns about" in fault.cause
