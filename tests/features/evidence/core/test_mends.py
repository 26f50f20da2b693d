"""Mends of findings: frames of the scene, static transforms, launch files, and parameters of drivers."""

from __future__ import annotations

import ast
import shlex
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
import yaml
from scipy.spatial.transform import Rotation

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.readings.read_text import read_text
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.model import Scene
from framescope.features.evidence.core.account import Fault, FaultKind, Finding, Mounting
from framescope.features.evidence.core.mends import (
    NOTE_BEGIN,
    fix_lines,
    in_sent_parent,
    mount_fix,
    mounting_numbers,
    parameter_line,
    snippets_of,
)
from framescope.features.evidence.core.readings import Mount
from framescope.features.evidence.core.scene_readings import FixedPose, SceneBag
from tests.support.hand_made_accounts import DEGREES, GYROSCOPE, LATE, MOUNTING, SENTENCE, TURNED, TWIST
from tests.support.imu_drives import MINUS_Y_Z_MINUS_X

FINDING = Finding(SENTENCE, "red", ("orientation of /imu/data",), (TURNED, LATE), MOUNTING)
SCENE = {
    "frames": {
        "odom": {"parent": "world"},
        "base": {"parent": "odom", "position": {"value": [1, 2, 0], "unit": "m"}},
        "imu": {"parent": "base", "position": {"value": [0.05, 0, 0.12], "unit": "m"}},
    }
}


def plan_of(frames=None):
    return compile_plan(Scene.model_validate(SCENE if frames is None else {"frames": frames}))


def bag(tmp_path, **names) -> SceneBag:
    names = names or {"base_link": "base", "imu_link": "imu", "odom": "odom"}
    poses = (FixedPose("base_link", "imu_link", tuple(np.eye(3).ravel().tolist()), (0.05, 0.0, 0.12)),)
    return SceneBag(tmp_path / "drive.bag", 0, tuple(names.items()), poses)


def in_parent(plan, name: str, parent: str):
    snapshot = evaluate(plan, 0.0)
    R, p, i, k = snapshot.R_WF, snapshot.p_WF, plan.index[name], plan.index[parent]
    return R[k].T @ R[i], R[k].T @ (p[i] - p[k])


def texts(finding=FINDING, p=None) -> dict[str, str]:
    return {snippet.title: snippet.text for snippet in snippets_of(finding, p)}


def test_that_a_mounted_frame_gets_the_quaternion_with_all_digits_and_keeps_its_position(tmp_path) -> None:
    q = Rotation.from_euler("xyz", [0.3, -1.1, 2.0]).as_quat()
    finding = replace(FINDING, mounting=replace(MOUNTING, Q=q))
    plan = plan_of()
    fix = mount_fix(plan, bag(tmp_path), finding)
    after = fix.change.apply(plan.scene)
    assert np.abs(np.array(after.frames["imu"].orientation.value) - q * np.sign(q[3])).max() < 1e-15
    again, _ = parse_scene(scene_text(after), "scene.yaml")
    assert again == after
    R, p = in_parent(compile_plan(after), "imu", "base")
    np.testing.assert_allclose(R, Rotation.from_quat(q).as_matrix(), atol=1e-12)
    np.testing.assert_allclose(p, (0.05, 0.0, 0.12), atol=1e-12)
    (note,) = after.notes.values()
    assert note.text.startswith(NOTE_BEGIN)
    assert "standard errors 0.36° 0.41° 0.44°" in note.text
    assert note.frame == "imu"


def test_that_a_second_mend_replaces_the_note(tmp_path) -> None:
    plan = plan_of()
    once = mount_fix(plan, bag(tmp_path), FINDING).change.apply(plan.scene)
    twice = mount_fix(compile_plan(once), bag(tmp_path), FINDING).change.apply(once)
    assert twice == once


def test_that_a_frame_that_the_scene_lacks_is_inserted_at_the_estimated_position(tmp_path) -> None:
    frames = {name: frame for name, frame in SCENE["frames"].items() if name != "imu"}
    plan = plan_of(frames)
    finding = replace(FINDING, mounting=replace(MOUNTING, p=np.array([0.1, 0.2, 0.3])))
    fix = mount_fix(plan, bag(tmp_path, base_link="base"), finding)
    assert fix.text == "Insert frame"
    after = fix.change.apply(plan.scene)
    assert after.frames["imu_link"].parent == "base"
    _, p = in_parent(compile_plan(after), "imu_link", "base")
    np.testing.assert_allclose(p, (0.1, 0.2, 0.3))


@pytest.mark.parametrize(
    ("parent", "frame"), [("gone", "imu_link"), ("imu_link", "base_link"), ("base_link", "base_link"), ("imu", "")]
)
def test_that_a_frame_without_a_place_has_no_edit(tmp_path, parent, frame) -> None:
    mounting = replace(MOUNTING, parent=parent, frame=frame)
    assert mount_fix(plan_of(), bag(tmp_path), replace(FINDING, mounting=mounting)) is None
    assert mount_fix(plan_of(), bag(tmp_path), replace(FINDING, mounting=None)) is None


def test_that_the_command_and_the_joint_of_a_urdf_are_read_back_as_the_mounting() -> None:
    for title in ("Static transform (command)", "Joint of a URDF"):
        reading = read_text(texts(p=np.array([0.05, 0.0, 0.12]))[title].splitlines()[-1]).settled
        R = np.asarray(reading.orientation.T).T if hasattr(reading, "orientation") else np.asarray(reading.R.T).T
        np.testing.assert_allclose(R, Rotation.from_quat(MINUS_Y_Z_MINUS_X).as_matrix(), atol=1e-12)


def test_that_the_launch_files_are_such_and_hold_all_digits() -> None:
    own = texts(p=np.array([0.05, 0.0, 0.12]))
    node = ET.fromstring(own["Launch file (XML)"].split("\n", 1)[1])
    words = shlex.split(node.get("args"))
    arguments = dict(zip(words[::2], words[1::2], strict=True))
    assert [float(arguments[f"--{name}"]) for name in ("qx", "qy", "qz", "qw")] == list(MINUS_Y_Z_MINUS_X)
    assert (arguments["--frame-id"], arguments["--child-frame-id"]) == ("base_link", "imu_link")
    call = ast.parse(own["Launch file (Python)"].rstrip(",")).body[0].value
    listed = [part.value for part in next(key.value for key in call.keywords if key.arg == "arguments").elts]
    assert listed == words


def test_that_the_covariance_is_read_back_with_all_digits() -> None:
    C = np.array([[4e-5, 1.25e-6, 0.0], [1.25e-6, 5e-5, 1 / 3e7], [0.0, 1 / 3e7, 6e-5]])
    (text,) = (
        value
        for title, value in texts(replace(FINDING, mounting=replace(MOUNTING, covariance=C))).items()
        if "Covariance" in title
    )
    assert (np.array(yaml.safe_load(text)["covariance"], float) == C).all()


def test_that_a_pose_of_six_freedoms_states_its_position() -> None:
    mounting = replace(MOUNTING, p=np.array([0.1, 0.2, 0.3]), covariance=np.diag([1e-4] * 6))
    numbers = dict(mounting_numbers(mounting))
    assert numbers["xyz"] == "0.1 0.2 0.3 m"
    assert numbers["standard errors about x y z of base_link"] == "0.57° 0.57° 0.57°"


def test_that_names_of_strangers_stay_in_their_line() -> None:
    mounting = replace(MOUNTING, frame="imu\n<!-- --><a b='$HOME'>", parent="base; rm -rf /")
    own = texts(replace(FINDING, mounting=mounting))
    assert "Launch file (XML)" not in own
    assert "\n" not in own["Static transform (command)"].replace("imu\n", "")
    words = shlex.split(own["Static transform (command)"])
    assert words[-1] == mounting.frame
    assert own["Joint of a URDF"].count("\n") == 1
    ET.fromstring(f"<a>{own['Joint of a URDF']}</a>")


KINDS: dict[FaultKind, tuple[tuple[float, ...], object]] = {
    "quaternion order": ((), {"quaternion_order": "xyzw"}),
    "inverse": ((), {"invert_orientation": True}),
    "world axes": ((0.7, 0.7, 0.0, 0.0), {"world_frame": "enu"}),
    "body axes": ((1.0, 0.0, 0.0, 0.0), {"body_frame": "flu"}),
    "doubled axes": ((), {"axes": ["enu", "flu"]}),
    "mounting": ((0.0, 0.0, 1.0, 0.0), {"mounting_quaternion_xyzw": [0.0, 0.0, 1.0, 0.0]}),
    "unit": ((4.0,), {"scale": 0.25}),
    "scale": ((2.0,), {"scale": 0.5}),
    "sign": ((), {"scale": -1.0}),
    "bias": ((0.5, -0.25, 0.0), {"offset": [-0.5, 0.25, 0.0]}),
    "gravity removed": ((), {"remove_gravity_vector": False}),
    "delay": ((0.5,), {"time_offset": -0.5}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_that_the_line_of_a_parameter_is_yaml_that_takes_the_fault_back(kind) -> None:
    value, expected = KINDS[kind]
    line = parameter_line(Fault(kind, "angular velocity of /imu: a#b\nc", "wrong", value))
    assert yaml.safe_load(line) == expected
    assert "\n" not in line


@pytest.mark.parametrize("kind", ["wrong frame", "resolved in reference", "resolved in frame", "starts as zero"])
def test_that_what_no_parameter_mends_has_no_line(kind) -> None:
    assert parameter_line(Fault(kind, "velocity of /odom", "wrong")) == ""


@pytest.mark.parametrize("value", [(), (0.0,), (float("nan"),)])
def test_that_a_factor_that_cannot_be_taken_back_has_no_line(value) -> None:
    assert parameter_line(Fault("unit", "velocity of /odom", "wrong", value)) == ""


def test_that_a_transform_and_a_parameter_do_not_both_turn_the_readings() -> None:
    frd = Fault("body axes", GYROSCOPE, "in FRD axes", (1.0, 0.0, 0.0, 0.0))
    (line,) = fix_lines(replace(FINDING, faults=(frd,)))
    assert line.startswith("ros2 run tf2_ros static_transform_publisher")
    (line,) = fix_lines(replace(FINDING, mounting=None, faults=(frd,)))
    assert yaml.safe_load(line) == {"body_frame": "flu"}


def test_that_an_offset_beside_a_factor_is_in_the_unit_after_it() -> None:
    degrees = Fault("unit", GYROSCOPE, "in degrees per second", (180.0 / np.pi,))
    offset = Fault("bias", GYROSCOPE, "off by a constant", (1.8, -0.9, 0.0))
    first, second = fix_lines(Finding("", "red", (GYROSCOPE,), (degrees, offset)))
    raw, true = np.degrees([0.1, 0.2, 0.3]) + offset.value, np.array([0.1, 0.2, 0.3])
    mended = yaml.safe_load(first)["scale"] * raw + yaml.safe_load(second)["offset"]
    np.testing.assert_allclose(mended, true, atol=1e-12)
    assert "after the factor" in second
    _, other = fix_lines(Finding("", "red", (), (replace(degrees, readings=TWIST), offset)))
    assert yaml.safe_load(other) == {"offset": [-1.8, 0.9, 0.0]}


@pytest.mark.parametrize("p", [None, (0.3, -0.1, 0.2)])
def test_that_a_mounting_moves_to_the_frame_in_which_it_is_sent(p) -> None:
    of_base = Rotation.from_euler("xyz", (0.1, 0.2, 0.3)), np.array([0.5, 0.1, 0.4])
    sent = Mount("mast", "imu_link", np.array(Rotation.from_euler("z", 0.4).as_quat()), np.array([0.0, 0.2, 0.1]))
    Q = (of_base[0] * Rotation.from_quat(sent.Q)).as_quat()
    stated = Mount("base_link", "imu_link", np.array(Q), of_base[1] + of_base[0].apply(sent.p), sent=sent)
    C = np.diag([1e-4, 4e-4, 9e-4] + [1e-6] * (0 if p is None else 3))
    found = in_sent_parent(replace(MOUNTING, p=None if p is None else np.array(p), covariance=C), stated, sent)
    assert (found.parent, found.frame) == ("mast", "imu_link")
    back = of_base[0] * Rotation.from_quat(found.Q)
    assert (back.inv() * Rotation.from_quat(MINUS_Y_Z_MINUS_X)).magnitude() < 1e-12
    R = of_base[0].as_matrix()
    np.testing.assert_allclose(R @ found.covariance[:3, :3] @ R.T, C[:3, :3], atol=1e-15)
    assert (found.p is None) == (p is None)
    if p is not None:
        np.testing.assert_allclose(of_base[1] + R @ found.p, p)


def test_that_the_lines_of_a_report_are_the_command_and_the_parameters() -> None:
    lines = fix_lines(FINDING)
    assert lines[0].startswith("ros2 run tf2_ros static_transform_publisher --x 0.0")
    assert [yaml.safe_load(line) for line in lines[1:]] == [{"time_offset": -0.038}]
    (line,) = fix_lines(replace(FINDING, mounting=None, faults=(TURNED,)))
    assert yaml.safe_load(line) == {"mounting_quaternion_xyzw": list(MINUS_Y_Z_MINUS_X)}
    (line,) = fix_lines(Finding("", "amber", (), (DEGREES, replace(DEGREES, readings="the same elsewhere"))))
    assert yaml.safe_load(line)["scale"] == pytest.approx(np.pi / 180)
    assert fix_lines(Finding("", "amber", ())) == ()


def test_that_a_finding_with_rivals_has_no_mend(tmp_path) -> None:
    open_one = replace(FINDING, is_certain=False)
    assert snippets_of(open_one) == ()
    assert mount_fix(plan_of(), bag(tmp_path), open_one) is None


def test_that_numbers_that_are_not_finite_make_no_mend(tmp_path) -> None:
    finding = replace(FINDING, mounting=Mounting("imu_link", "base_link", np.full(4, np.nan), None, np.eye(3), "?"))
    assert mount_fix(plan_of(), bag(tmp_path), finding) is None
    assert not any("transform" in title for title in texts(finding))
