"""Trees of frames as text, read back by slow code of the tests and by the program's own readers."""

from __future__ import annotations

import ast
import csv
import io
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import yaml

from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.schema.model import Scene
from framescope.core.transform import Transform
from framescope.features.calibrations.core import tree_writing
from framescope.features.calibrations.core.dialects.launch_files import LAUNCH_FILES
from framescope.features.calibrations.core.tree_of_plan import moving_frames, placed_frames
from framescope.features.calibrations.core.tree_writing import PlacedFrame
from framescope.features.robots.core.robot_placement import pose_matrix
from framescope.features.robots.core.sdf.reader import read_sdf
from framescope.features.robots.core.urdf import read_urdf
from tests.support import plain_rotations as plain
from tests.support.calibration_files import poses, read

RNG = np.random.default_rng(5)
NAMES = [
    ("world", "base"), ("base", "mast -- top"), ("base", 'cam "0"/left'), ("mast -- top", "lidar<&>"),
    ("base", "cam 0 left"), ("base", "class"), ("base", "up"), ("base", "down"),
]  # fmt: skip
ROTATIONS = [
    *(plain.of_rpy(*RNG.uniform(-3.1, 3.1, 3)) for _ in NAMES[:-2]),
    plain.of_rpy(0.3, np.pi / 2, 0.1),
    plain.of_rpy(0.0, -np.pi / 2, 1.0),
]
TREE = [
    PlacedFrame(child, parent, Transform(R, RNG.normal(size=3)))
    for (parent, child), R in zip(NAMES, ROTATIONS, strict=True)
]
PLAIN_TREE = [frame for frame in TREE if '"' not in frame.name]
EXPECTED = {(frame.parent, frame.name): frame.X_PF.to_matrix() for frame in TREE}
REMARKS = ("Frames below world -- all of them.",)


def check(found: dict[tuple[str, str], plain.Matrix], tree=TREE, atol: float = 1e-12) -> None:
    """Check poses by parent and child against the tree."""
    assert list(found) == [(frame.parent, frame.name) for frame in tree]
    for pair, M in found.items():
        np.testing.assert_allclose(M, EXPECTED[pair], atol=atol, err_msg=str(pair))


def directions(text: str) -> int:
    """Return how many poses of a text have their direction in words."""
    return len(re.findall(r"Pose of .+ in .+: takes points of .+ to ", text))


def numbers(text: str) -> list[float]:
    """Return the numbers of a text."""
    return [float(word) for word in text.split()]


def test_that_a_urdf_has_a_fixed_joint_for_each_pose() -> None:
    text = tree_writing.urdf(TREE, REMARKS)
    root = ET.fromstring(text)
    found: dict[tuple[str, str], plain.Matrix] = {}
    for joint in root.iter("joint"):
        parent, child, origin = (joint.find(tag) for tag in ("parent", "child", "origin"))
        assert joint.get("type") == "fixed"
        assert abs(numbers(origin.get("rpy"))[1]) <= np.pi / 2
        M = plain.pose(plain.of_rpy(*numbers(origin.get("rpy"))), numbers(origin.get("xyz")))
        found[parent.get("link"), child.get("link")] = M
    check(found)
    assert {link.get("name") for link in root.iter("link")} == {name for pair in NAMES for name in pair}
    assert len({joint.get("name") for joint in root.iter("joint")}) == len(TREE)
    assert directions(text) == len(TREE)
    robot = read_urdf(text.encode())
    check({(joint.parent, joint.child): pose_matrix(joint.placement) for joint in robot.joints})
    assert not robot.faults


def test_that_an_sdf_has_links_and_fixed_joints_and_no_link_called_world() -> None:
    text = tree_writing.sdf(TREE, REMARKS)
    model = ET.fromstring(text).find("model")
    parents = {joint.findtext("child"): joint.findtext("parent") for joint in model.iter("joint")}
    found: dict[tuple[str, str], plain.Matrix] = {}
    for link in model.iter("link"):
        name, pose = link.get("name"), link.find("pose")
        assert (pose.get("relative_to") or "world") == parents[name]
        x, y, z, roll, pitch, yaw = numbers(pose.text)
        found[parents[name], name] = plain.pose(plain.of_rpy(roll, pitch, yaw), [x, y, z])
    check(found)
    assert directions(text) == len(TREE)
    robot = read_sdf(text.encode())
    joints = {(joint.parent, joint.child): pose_matrix(joint.placement) for joint in robot.joints}
    for pair, M in joints.items():
        np.testing.assert_allclose(M, EXPECTED[pair], atol=1e-12)
    assert len(joints) >= len(TREE) - 1
    with pytest.raises(FramescopeError, match="SDFormat reserves"):
        tree_writing.sdf([PlacedFrame("__a__", "b", TREE[0].X_PF)])


def of_arguments(words: list[str]) -> tuple[tuple[str, str], plain.Matrix]:
    """Return the frames and the pose of named arguments, read in pairs."""
    values = dict(zip(words[::2], words[1::2], strict=True))
    q = (float(values[f"--q{key}"]) for key in "xyzw")
    M = plain.pose(plain.of_quaternion(*q), [float(values[f"--{key}"]) for key in "xyz"])
    return (values["--frame-id"], values["--child-frame-id"]), M


def test_that_a_launch_file_in_python_has_a_node_for_each_pose() -> None:
    text = tree_writing.launch_python(TREE, REMARKS)
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and node.func.id == "Node"]
    keywords = [{keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords} for node in nodes]
    assert {(words["package"], words["executable"]) for words in keywords} == {
        ("tf2_ros", "static_transform_publisher")
    }
    check(dict(of_arguments(words["arguments"]) for words in keywords))
    assert directions(text) == len(TREE)
    check(poses(read(LAUNCH_FILES, text)))


def test_that_launch_files_in_xml_have_a_node_for_each_pose() -> None:
    text = tree_writing.launch_xml(PLAIN_TREE, REMARKS)
    nodes = list(ET.fromstring(text).iter("node"))
    assert {(node.get("pkg"), node.get("exec")) for node in nodes} == {("tf2_ros", "static_transform_publisher")}
    check(dict(of_arguments(shlex.split(node.get("args"))) for node in nodes), PLAIN_TREE)
    check(poses(read(LAUNCH_FILES, text)), PLAIN_TREE)
    assert directions(text) == len(PLAIN_TREE)
    text = tree_writing.launch_ros1(PLAIN_TREE, REMARKS)
    found: dict[tuple[str, str], plain.Matrix] = {}
    for node in ET.fromstring(text).iter("node"):
        *values, parent, child = shlex.split(node.get("args"))
        x, y, z, *q = map(float, values)
        found[parent, child] = plain.pose(plain.of_quaternion(*q), [x, y, z])
        assert re.fullmatch(r"[A-Za-z]\w*", node.get("name"))
    check(found, PLAIN_TREE)
    check(poses(read(LAUNCH_FILES, text)), PLAIN_TREE)


def test_that_a_launch_file_in_yaml_has_a_node_for_each_pose() -> None:
    text = tree_writing.launch_yaml(PLAIN_TREE, REMARKS)
    nodes = [item["node"] for item in yaml.safe_load(text)["launch"]]
    check(dict(of_arguments(shlex.split(node["args"])) for node in nodes), PLAIN_TREE)
    assert directions(text) == len(PLAIN_TREE)
    check(poses(read(LAUNCH_FILES, text)), PLAIN_TREE)


@pytest.mark.parametrize("writer", [tree_writing.launch_xml, tree_writing.launch_yaml, tree_writing.launch_ros1])
def test_that_a_name_that_a_launch_file_would_replace_is_refused(writer) -> None:
    with pytest.raises(FramescopeError, match=r"\.launch\.py"):
        writer([PlacedFrame("$(arg x)", "base", TREE[0].X_PF)])


MATRIX = "def matrix(R, p):\n    return np.vstack([np.column_stack([R.as_matrix(), p]), [0, 0, 0, 1]])"
SHOW = "import json, sys; print(json.dumps([[*pair, M] for pair, M in result.items()]))"


@pytest.mark.process
@pytest.mark.parametrize(
    ("library", "gather"),
    [
        ("numpy", "result = {pair: X.tolist() for pair, X in POSES.items()}"),
        ("scipy", "result = {pair: matrix(*pose).tolist() for pair, pose in POSES.items()}"),
    ],
)  # fmt: skip
def test_that_python_runs_and_has_the_poses(library, gather, tmp_path) -> None:
    text = tree_writing.python(TREE, REMARKS, library)
    (tmp_path / "tree.py").write_text(f"{text}\n{MATRIX}\n{gather}\n{SHOW}\n", encoding="utf-8")
    out = subprocess.run(
        [sys.executable, "-I", tmp_path / "tree.py"], check=True, capture_output=True, text=True, timeout=60
    ).stdout
    check({(parent, child): np.array(M) for parent, child, M in ast.literal_eval(out)})
    assert directions(text) == len(TREE)


def test_that_python_for_tf2_fills_messages() -> None:
    class Node:
        def __init__(self) -> None:
            self.__dict__["parts"] = {}

        def __getattr__(self, name: str):
            return self.parts.setdefault(name, Node())

        def __setattr__(self, name: str, value: object) -> None:
            self.parts[name] = value

    text = tree_writing.python(TREE, REMARKS, "tf2")
    names: dict[str, object] = {"TransformStamped": Node}
    exec(text.replace("from geometry_msgs.msg import TransformStamped", ""), names)
    found: dict[tuple[str, str], plain.Matrix] = {}
    for message in names["TRANSFORMS"]:
        t, q = message.transform.translation, message.transform.rotation
        M = plain.pose(plain.of_quaternion(q.x, q.y, q.z, q.w), [t.x, t.y, t.z])
        found[message.header.frame_id, message.child_frame_id] = M
    check(found)


NUMBER = r"-?\d[\d.e+-]*"


def test_that_cpp_has_translation_and_quaternion_in_the_order_of_the_library() -> None:
    text = tree_writing.cpp(TREE, REMARKS, "eigen")
    found = re.findall(
        rf"const Eigen::Isometry3d (\w+) =\n    Eigen::Translation3d\(({NUMBER}), ({NUMBER}), ({NUMBER})\)"
        rf" \* Eigen::Quaterniond\(({NUMBER}), ({NUMBER}), ({NUMBER}), ({NUMBER})\);",
        text,
    )
    assert len({name for name, *_ in found}) == len(TREE)
    for frame, (_, *values) in zip(TREE, found, strict=True):
        x, y, z, qw, qx, qy, qz = map(float, values)
        M = plain.pose(plain.of_quaternion(qx, qy, qz, qw), [x, y, z])
        np.testing.assert_allclose(M, frame.X_PF.to_matrix(), atol=1e-12)
    text = tree_writing.cpp(TREE, REMARKS, "tf2", is_header=True)
    found = re.findall(
        rf"const tf2::Transform (\w+)\(\n    tf2::Quaternion\(({NUMBER}), ({NUMBER}), ({NUMBER}), ({NUMBER})\),"
        rf" tf2::Vector3\(({NUMBER}), ({NUMBER}), ({NUMBER})\)\);",
        text,
    )
    for frame, (_, *values) in zip(TREE, found, strict=True):
        qx, qy, qz, qw, x, y, z = map(float, values)
        M = plain.pose(plain.of_quaternion(qx, qy, qz, qw), [x, y, z])
        np.testing.assert_allclose(M, frame.X_PF.to_matrix(), atol=1e-12)
    assert "#pragma once" in text
    assert not [line for line in text.split("\n") if line.endswith("\\")]


def test_that_matlab_has_matrices() -> None:
    text = tree_writing.matlab(TREE, REMARKS)
    matrices = re.findall(r"^([A-Za-z]\w*) = \[(.*)\];$", text, re.MULTILINE)
    assert len({name for name, _ in matrices}) == len(TREE)
    assert all(len(name) <= 63 for name, _ in matrices)
    for frame, (_, rows) in zip(TREE, matrices, strict=True):
        M = [numbers(row) for row in rows.split(";")]
        np.testing.assert_allclose(M, frame.X_PF.to_matrix(), atol=1e-12)
    assert directions(text) == len(TREE)


def test_that_the_table_has_a_row_for_each_frame() -> None:
    rows = list(csv.DictReader(io.StringIO(tree_writing.table(TREE))))
    found: dict[tuple[str, str], plain.Matrix] = {}
    for row in rows:
        q = (float(row[f"q{key}"]) for key in "xyzw")
        M = plain.pose(plain.of_quaternion(*q), [float(row[key]) for key in "xyz"])
        found[row["parent"], row["frame"]] = M
    check(found)


def test_that_names_in_comments_stay_on_their_line() -> None:
    tree = [PlacedFrame("a\\", "b", TREE[0].X_PF), PlacedFrame("c", "a\\", TREE[0].X_PF)]
    text = tree_writing.cpp(tree)
    assert not [line for line in text.split("\n") if line.endswith("\\")]
    ast.parse(tree_writing.python(tree))
    ast.parse(tree_writing.launch_python(tree))


def test_that_a_matrix_that_is_no_rotation_is_refused() -> None:
    with pytest.raises(FramescopeError, match="no rotation"):
        tree_writing.urdf([PlacedFrame("a", "b", Transform(2.0 * np.eye(3), np.zeros(3)))])


# --- Trees of scenes

TURN = {"form": "axes", "unit": "deg"}
SCENE = Scene.model_validate(
    {
        "framescope": 1,
        "time": {"end": "10 s"},
        "frames": {
            "camera": {"parent": "mast", "position": {"value": [0, 0, 1.5], "unit": "m"}},
            "base": {"parent": "world", "orientation": TURN | {"sequence": "ZYX", "angles": [30, 0, 0]}},
            "mast": {"parent": "base", "position": {"value": [100, 0, 0], "unit": "mm"}},
            "arm": {"parent": "base", "orientation": TURN | {"sequence": "XYZ", "angles": ["10*t", 0, 0]}},
        },
    }
)  # fmt: skip


def test_that_parents_come_before_children_with_their_poses() -> None:
    plan = compile_plan(SCENE)
    assert plan.problems == ()
    frames = {frame.name: frame for frame in placed_frames(plan, "world", 3.0)}
    assert [frame.parent for frame in frames.values()] == ["world", "base", "base", "mast"]
    np.testing.assert_allclose(frames["mast"].X_PF.to_matrix(), plain.pose(np.eye(3), [0.1, 0, 0]))
    np.testing.assert_allclose(frames["base"].X_PF.R_AB, plain.of_rpy(0, 0, np.radians(30)), atol=1e-15)
    np.testing.assert_allclose(frames["arm"].X_PF.R_AB, plain.of_rpy(np.radians(30), 0, 0), atol=1e-15)


def test_that_a_subtree_without_motion_needs_no_time() -> None:
    plan = compile_plan(SCENE)
    assert [frame.name for frame in placed_frames(plan, "mast")] == ["camera"]
    assert moving_frames(plan) == ("arm",)
    with pytest.raises(FramescopeError, match="arm moves over time"):
        placed_frames(plan, "base")
    with pytest.raises(FramescopeError, match="no frames below camera"):
        placed_frames(plan, "camera")
