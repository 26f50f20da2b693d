"""Trees of frames as text: URDF, SDF, launch files, code in C++, Python and MATLAB, and CSV.

Each pose is the pose of a child in its parent: it takes points of the child to the parent. Each language but CSV has a
comment with its direction at each pose.
"""

from __future__ import annotations

import csv
import io
import json
import keyword
import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from framescope.core.conventions.code_snippets import single_rotation
from framescope.core.conventions.pose_snippets import (
    PUBLISHER,
    launch_word,
    matrix_rows,
    origin_numbers,
    pose_as_code,
    static_transform_node,
    static_transform_words,
)
from framescope.core.errors import visible_text
from framescope.core.frames import to_Q
from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation
from framescope.core.scene.schema.model import WORLD
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import CalibrationError

MAX_IDENTIFIER = 60
"""Largest number of characters of a name in code; MATLAB cuts names after 63."""


@dataclass(frozen=True, eq=False)
class PlacedFrame:
    """Frame of a tree: its name, the name of its parent, and its pose in the parent, m."""

    name: str
    parent: str
    X_PF: Transform

    @property
    def orientation(self) -> Orientation:
        """Orientation, parent into frame; raise a `CalibrationError` where the matrix of the pose is no rotation."""
        try:
            return single_rotation(Orientation(self.X_PF.R_AB.T, np.zeros(3)))
        except ValueError:
            raise CalibrationError(f"{visible_text(self.name)}: its pose has a matrix that is no rotation.") from None

    @property
    def quaternion(self) -> list[float]:
        """Unit quaternion x y z w of the pose."""
        return (to_Q(self.orientation) + 0.0).tolist()

    @property
    def position(self) -> list[float]:
        """Position in the parent, m."""
        return (self.X_PF.p_AB + 0.0).tolist()

    @property
    def words(self) -> str:
        """Direction of the pose in words."""
        child, parent = visible_text(self.name), visible_text(self.parent)
        return f"Pose of {child} in {parent}: takes points of {child} to {parent}."


Poses = Sequence[PlacedFrame]

# --- Robots


def urdf(poses: Poses, remarks: Iterable[str] = (), name: str = "frames") -> str:
    r"""Return a URDF with a link for each frame and a fixed joint for each pose.

    >>> tree = [PlacedFrame("lidar", "base", Transform(np.eye(3), [0.0, 0.0, 1.5]))]
    >>> print(urdf(tree).split("\n")[6].strip())
    <origin xyz="0.0 0.0 1.5" rpy="0.0 0.0 0.0"/>
    """
    lines = ['<?xml version="1.0"?>', *map(_xml_comment, remarks), f"<robot name={quoteattr(name)}>"]
    lines += [f"  <link name={quoteattr(link)}/>" for link in _links(poses)]
    for frame, joint in zip(poses, _joint_names(poses), strict=True):
        lines += [
            f"  {_xml_comment(frame.words)}",
            f'  <joint name={quoteattr(joint)} type="fixed">',
            f"    {pose_as_code(frame.orientation, frame.X_PF.p_AB, frame.parent, frame.name, 'urdf-origin')}",
            f"    <parent link={quoteattr(frame.parent)}/>",
            f"    <child link={quoteattr(frame.name)}/>",
            "  </joint>",
        ]
    return "\n".join([*lines, "</robot>", ""])


def sdf(poses: Poses, remarks: Iterable[str] = (), name: str = "frames") -> str:
    """Return a model in SDFormat 1.7 with a link for each frame and a fixed joint for each pose.

    The world is no link: joints have it as their parent.

    Raises
    ------
    CalibrationError
        When a name is reserved in SDFormat.
    """
    for frame_name in _links(poses):
        if "::" in frame_name or (frame_name.startswith("__") and frame_name.endswith("__")):
            raise CalibrationError(f"{visible_text(frame_name)}: SDFormat reserves such names. Rename the frame.")
    placed = {frame.name: frame for frame in poses}
    lines = ['<?xml version="1.0"?>', *map(_xml_comment, remarks), '<sdf version="1.7">']
    lines.append(f"  <model name={quoteattr(name)}>")
    for link in _links(poses):
        frame = placed.get(link)
        if frame is None:
            lines += [] if link == WORLD else [f"    <link name={quoteattr(link)}/>"]
            continue
        relative = "" if frame.parent == WORLD else f" relative_to={quoteattr(frame.parent)}"
        numbers = " ".join(origin_numbers(frame.orientation, frame.X_PF.p_AB))
        lines += [
            f"    {_xml_comment(frame.words)}",
            f"    <link name={quoteattr(link)}>",
            f"      <pose{relative}>{numbers}</pose>",
            "    </link>",
        ]
    for frame, joint in zip(poses, _joint_names(poses), strict=True):
        lines += [
            f'    <joint name={quoteattr(joint)} type="fixed">',
            f"      <parent>{escape(frame.parent)}</parent>",
            f"      <child>{escape(frame.name)}</child>",
            "    </joint>",
        ]
    return "\n".join([*lines, "  </model>", "</sdf>", ""])


def _links(poses: Poses) -> list[str]:
    """Return the names of all frames, parents before children."""
    return list(dict.fromkeys(name for frame in poses for name in (frame.parent, frame.name)))


def _joint_names(poses: Poses) -> list[str]:
    return _unique((f"{frame.parent}_to_{frame.name}" for frame in poses), set(_links(poses)))


def _unique(names: Iterable[str], taken: set[str]) -> list[str]:
    """Return names that differ from each other and from those taken, by a number at the end."""
    result: list[str] = []
    for name in names:
        own, n = name, 1
        while own in taken:
            n += 1
            own = f"{name}_{n}"
        taken.add(own)
        result.append(own)
    return result


def _xml_comment(text: str) -> str:
    while "--" in text:
        text = text.replace("--", "- -")
    return f"<!-- {text} -->"


# --- Launch files


def launch_python(poses: Poses, remarks: Iterable[str] = ()) -> str:
    """Return a launch file of ROS 2 in Python with a static_transform_publisher for each pose."""
    lines = [
        *(f"# {remark}" for remark in remarks),
        "from launch import LaunchDescription",
        "from launch_ros.actions import Node",
        "",
        "",
        "def generate_launch_description():",
        "    return LaunchDescription([",
    ]
    for frame in poses:
        node = static_transform_node(*_placed(frame), "python")
        lines += [f"        {line}" for line in (f"# {frame.words}", *node)]
    return "\n".join([*lines, "    ])", ""])


def launch_xml(poses: Poses, remarks: Iterable[str] = ()) -> str:
    """Return a launch file of ROS 2 in XML with a static_transform_publisher for each pose."""
    lines = [*map(_xml_comment, remarks), "<launch>"]
    for frame in poses:
        with _named(frame):
            node = static_transform_node(*_placed(frame), "xml")
        lines += [f"  {line}" for line in (_xml_comment(frame.words), *node)]
    return "\n".join([*lines, "</launch>", ""])


def launch_ros1(poses: Poses, remarks: Iterable[str] = ()) -> str:
    """Return a launch file of ROS 1 with a static_transform_publisher for each pose: x y z qx qy qz qw."""
    nodes = _unique((f"{_identifier(frame.parent)}_to_{_identifier(frame.name)}" for frame in poses), set())
    lines = [*map(_xml_comment, remarks), "<launch>"]
    for frame, node in zip(poses, nodes, strict=True):
        numbers = " ".join(map(repr, [*frame.position, *frame.quaternion]))
        with _named(frame):
            words = quoteattr(f"{numbers} {launch_word(frame.parent)} {launch_word(frame.name)}")
        lines += [
            f"  {_xml_comment(frame.words)}",
            f'  <node pkg="tf2_ros" type="{PUBLISHER}" name={quoteattr(node)} args={words}/>',
        ]
    return "\n".join([*lines, "</launch>", ""])


def launch_yaml(poses: Poses, remarks: Iterable[str] = ()) -> str:
    """Return a launch file of ROS 2 in YAML with a static_transform_publisher for each pose."""
    lines = [*(f"# {remark}" for remark in remarks), "launch:"]
    for frame in poses:
        with _named(frame):
            command = static_transform_words(*_placed(frame))
        lines += [
            f"# {frame.words}",
            "- node:",
            "    pkg: tf2_ros",
            f"    exec: {PUBLISHER}",
            f"    args: {json_text(command)}",
        ]
    return "\n".join([*lines, ""])


def _placed(frame: PlacedFrame) -> tuple[Orientation, Array, str, str]:
    return frame.orientation, frame.X_PF.p_AB, frame.parent, frame.name


@contextmanager
def _named(frame: PlacedFrame) -> Generator[None]:
    """Report a name that a launch file would replace as a `CalibrationError` that names the frame."""
    try:
        yield
    except ValueError as error:
        names = " in ".join(map(visible_text, (frame.name, frame.parent)))
        raise CalibrationError(f'{names}: {error} Use ".launch.py".') from None


def json_text(text: str) -> str:
    """Return a text in double quotes, as Python, YAML and JSON read it.

    >>> json_text("base link")
    '"base link"'
    """
    return json.dumps(text, ensure_ascii=False)


# --- Code


def cpp(poses: Poses, remarks: Iterable[str] = (), library: str = "eigen", *, is_header: bool = False) -> str:
    """Return the poses as constants of C++: ``Eigen::Isometry3d``, or ``tf2::Transform``."""
    include = {"eigen": ["#include <Eigen/Geometry>"], "tf2": ["#include <tf2/LinearMath/Transform.h>"]}[library]
    lines = [*(f"// {remark}" for remark in remarks), *(["#pragma once", ""] if is_header else []), *include, ""]
    for frame, name in zip(poses, _pose_names(poses), strict=True):
        q, p = frame.quaternion, ", ".join(map(repr, frame.position))
        lines.append(f"// {frame.words}")
        if library == "eigen":
            wxyz = ", ".join(map(repr, [q[3], *q[:3]]))
            lines.append(f"const Eigen::Isometry3d {name} =")
            lines.append(f"    Eigen::Translation3d({p}) * Eigen::Quaterniond({wxyz});  // w, x, y, z")
        else:
            xyzw = ", ".join(map(repr, q))
            lines.append(f"const tf2::Transform {name}(")
            lines.append(f"    tf2::Quaternion({xyzw}), tf2::Vector3({p}));  // x, y, z, w")
    return "\n".join([*lines, ""])


def python(poses: Poses, remarks: Iterable[str] = (), library: str = "numpy") -> str:
    """Return the poses as Python: matrices of numpy, rotations of scipy with positions, or messages for tf2.

    With numpy and scipy, ``POSES`` has each pose by parent and child.
    """
    writers: Mapping[str, Callable[[Poses], list[str]]] = {
        "numpy": _numpy_lines,
        "scipy": _scipy_lines,
        "tf2": _tf2_lines,
    }
    return "\n".join([*(f"# {remark}" for remark in remarks), *writers[library](poses), ""])


def _numpy_lines(poses: Poses) -> list[str]:
    lines = ["import numpy as np", ""]
    names = _pose_names(poses)
    for frame, name in zip(poses, names, strict=True):
        *rows, last = matrix_rows(frame.orientation, frame.X_PF.p_AB)
        lines += [
            f"# {frame.words}",
            f"{name} = np.array([",
            *(f"    {row!r}," for row in rows),
            f"    {last!r},",
            "])",
        ]
    return [*lines, *_table(poses, names)]


def _scipy_lines(poses: Poses) -> list[str]:
    lines = ["import numpy as np", "from scipy.spatial.transform import Rotation", ""]
    names = _pose_names(poses)
    for frame, name in zip(poses, names, strict=True):
        turn = f"Rotation.from_quat({frame.quaternion!r})"
        lines += [f"# {frame.words}", f"{name} = ({turn}, np.array({frame.position!r}))"]
    return [*lines, *_table(poses, names)]


def _table(poses: Poses, names: Sequence[str]) -> list[str]:
    items = [
        f"    ({json_text(frame.parent)}, {json_text(frame.name)}): {name}," for frame, name in _pairs(poses, names)
    ]
    return ["", "POSES = {  # by parent and child", *items, "}"]


def _pairs(poses: Poses, names: Sequence[str]) -> Iterable[tuple[PlacedFrame, str]]:
    return zip(poses, names, strict=True)


def _tf2_lines(poses: Poses) -> list[str]:
    lines = [
        "from geometry_msgs.msg import TransformStamped",
        "",
        "",
        "def transform(parent, child, xyz, xyzw):",
        "    message = TransformStamped()",
        "    message.header.frame_id, message.child_frame_id = parent, child",
        "    translation, rotation = message.transform.translation, message.transform.rotation",
        "    translation.x, translation.y, translation.z = xyz",
        "    rotation.x, rotation.y, rotation.z, rotation.w = xyzw",
        "    return message",
        "",
        "",
        "# For tf2_ros.StaticTransformBroadcaster(node).sendTransform(TRANSFORMS)",
        "TRANSFORMS = [",
    ]
    for frame in poses:
        arguments = f"{json_text(frame.parent)}, {json_text(frame.name)}, {frame.position!r}, {frame.quaternion!r}"
        lines += [f"    # {frame.words}", f"    transform({arguments}),"]
    return [*lines, "]"]


def matlab(poses: Poses, remarks: Iterable[str] = ()) -> str:
    """Return the poses as matrices 4 x 4 of MATLAB, without a toolbox."""
    lines = [f"% {remark}" for remark in remarks]
    for frame, name in zip(poses, _pose_names(poses), strict=True):
        rows = "; ".join(" ".join(map(repr, row)) for row in matrix_rows(frame.orientation, frame.X_PF.p_AB))
        lines += [f"% {frame.words}", f"{name} = [{rows}];"]
    return "\n".join([*lines, ""])


def _pose_names(poses: Poses) -> list[str]:
    """Return names for code, such as ``X_base_camera`` for the pose of camera in base."""
    names = (f"X_{_identifier(frame.parent)}_{_identifier(frame.name)}"[:MAX_IDENTIFIER] for frame in poses)
    return _unique(names, set(keyword.kwlist) | {"POSES"})


def _identifier(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "frame"


# --- Table

COLUMNS = ("frame", "parent", "x", "y", "z", "qx", "qy", "qz", "qw")
"""Columns of the table: the pose of the frame in its parent, m, with the quaternion's scalar last."""


def table(poses: Poses) -> str:
    """Return the poses as CSV with a row for each frame."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for frame in poses:
        writer.writerow([frame.name, frame.parent, *map(repr, [*frame.position, *frame.quaternion])])
    return file.getvalue()
