"""Pose of a frame in its parent as code that places the frame in other programs."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable

import numpy as np

from framescope.core import frames
from framescope.core.conventions.code_snippets import single_rotation
from framescope.core.errors import did_you_mean
from framescope.core.frames import Orientation, to_Q
from framescope.core.kernels.validation import Array

PUBLISHER = "static_transform_publisher"
"""Program of ROS that publishes a static transform."""


def pose_as_code(R: Orientation, p_PF: Array, parent: str, child: str, target: str) -> str:
    """Return the pose of a frame in its parent as one line of code.

    Parameters
    ----------
    R : Orientation
        Orientation of the frame relative to its parent: parent into frame.
    p_PF : (3,)
        Position of the frame's origin from the parent's, resolved in the parent, m.
    parent, child
        Names of the parent and the frame.
    target
        ``"static-transform"`` (a command of ROS 2), ``"urdf-origin"`` or ``"numpy-pose"``.

    Raises
    ------
    ValueError
        When the target is unknown, or `R` is not a rotation within 1e-3.

    Examples
    --------
    >>> pose_as_code(frames.null_rotation(), np.array([0.0, 0.0, 1.5]), "base", "camera", "urdf-origin")
    '<origin xyz="0.0 0.0 1.5" rpy="0.0 0.0 0.0"/>'
    """
    if target not in _WRITERS:
        raise ValueError(f"target: got {target!r}. {did_you_mean(str(target), POSE_TARGETS)}")
    return _WRITERS[target](single_rotation(R), np.asarray(p_PF, dtype=float) + 0.0, parent, child)


def static_transform_arguments(R: Orientation, p_PF: Array, parent: str, child: str) -> list[tuple[str, str]]:
    """Return the arguments of ROS 2's static_transform_publisher: names of options with their values.

    Parameters
    ----------
    R : Orientation
        Orientation of the child relative to its parent: parent into child.
    p_PF : (3,)
        Position of the child's origin from the parent's, resolved in the parent, m.
    parent, child
        Names of the frames.

    Examples
    --------
    >>> static_transform_arguments(frames.null_rotation(), np.array([0.0, 0.0, 1.5]), "base", "camera")[2:4]
    [('--z', '1.5'), ('--qx', '0.0')]
    """
    q = (to_Q(R) + 0.0).tolist()
    numbers = dict(zip(("x", "y", "z", "qx", "qy", "qz", "qw"), [*(p_PF + 0.0).tolist(), *q], strict=True))
    pairs = [(f"--{name}", repr(value)) for name, value in numbers.items()]
    return [*pairs, ("--frame-id", parent), ("--child-frame-id", child)]


def static_transform_node(R: Orientation, p_PF: Array, parent: str, child: str, language: str) -> list[str]:
    """Return the lines of a launch file of ROS 2 that publish a static transform.

    Parameters
    ----------
    R : Orientation
        Orientation of the child relative to its parent: parent into child.
    p_PF : (3,)
        Position of the child's origin from the parent's, resolved in the parent, m.
    parent, child
        Names of the frames.
    language
        ``"xml"`` or ``"python"``.

    Raises
    ------
    ValueError
        When a launch file in XML would replace a part of a name.

    Examples
    --------
    >>> line, = static_transform_node(frames.null_rotation(), np.zeros(3), "base", "imu", "xml")
    >>> line[:61]
    '<node pkg="tf2_ros" exec="static_transform_publisher" args="-'
    """
    if language == "xml":
        from xml.sax.saxutils import quoteattr

        command = quoteattr(static_transform_words(R, p_PF, parent, child))
        return [f'<node pkg="tf2_ros" exec="{PUBLISHER}" args={command}/>']
    arguments = static_transform_arguments(R, p_PF, parent, child)
    return [
        "Node(",
        '    package="tf2_ros",',
        f'    executable="{PUBLISHER}",',
        "    arguments=[",
        *(f"        {_quoted(key)}, {_quoted(value)}," for key, value in arguments),
        "    ],",
        "),",
    ]


def static_transform_words(R: Orientation, p_PF: Array, parent: str, child: str) -> str:
    """Return the arguments of a publisher as the text that launch files of ROS 2 split into words.

    Raises `ValueError` for a name as `launch_word` does.
    """
    pairs = static_transform_arguments(R, p_PF, parent, child)
    return " ".join(f"{key} {launch_word(value) if key.endswith('-id') else value}" for key, value in pairs)


def launch_word(name: str) -> str:
    """Return the name of a frame as a word of a launch file; raise `ValueError` for one that it would replace.

    >>> launch_word("base link")
    "'base link'"
    """
    if re.search(r"[$\"'\\]", name):
        raise ValueError("a launch file in XML or YAML cannot hold $, quotes and \\ in the name of a frame.")
    return shlex.quote(name)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def origin_numbers(R: Orientation, p_PF: Array) -> tuple[str, str]:
    """Return the position, m, and roll, pitch and yaw, rad, of a URDF or SDF: rotations about fixed x, y and z.

    >>> origin_numbers(frames.null_rotation(), np.array([0.0, 0.0, 1.5]))
    ('0.0 0.0 1.5', '0.0 0.0 0.0')
    """
    yaw, pitch, roll = yaw_pitch_roll(R)
    xyz, rpy = (" ".join(map(repr, values)) for values in ((p_PF + 0.0).tolist(), (roll, pitch, yaw)))
    return xyz, rpy


def yaw_pitch_roll(R: Orientation) -> list[float]:
    """Return yaw, pitch and roll, rad, about the moving axes z, y and x, with a pitch of at most a quarter turn.

    >>> yaw_pitch_roll(frames.axes_rotations((3, 2, 1), (3.0, 0.0, 0.0)))
    [3.0, 0.0, 0.0]
    """
    guess = np.arctan2(R.T[0, 1], R.T[0, 0])
    return (frames.axes_rotations_angles(R, (3, 2, 1), guess) + 0.0).tolist()


def matrix_rows(R: Orientation, p_PF: Array) -> list[list[float]]:
    """Return the rows of the homogeneous matrix of a pose, which takes points from the frame into its parent.

    >>> matrix_rows(frames.null_rotation(), np.array([0.0, 0.0, 1.5]))[2]
    [0.0, 0.0, 1.0, 1.5]
    """
    return (np.vstack([np.column_stack([R.T.T, p_PF]), [0.0, 0.0, 0.0, 1.0]]) + 0.0).tolist()


def _static_transform(R: Orientation, p_PF: Array, parent: str, child: str) -> str:
    """Return the command that publishes a static transform, which takes vectors from the child into the parent."""
    words = [part for pair in static_transform_arguments(R, p_PF, parent, child) for part in pair]
    return f"ros2 run tf2_ros {PUBLISHER} {shlex.join(words)}"


def _urdf_origin(R: Orientation, p_PF: Array, _parent: str, _child: str) -> str:
    """Return the origin element of a joint; rpy are rotations about the fixed axes x, y and z."""
    xyz, rpy = origin_numbers(R, p_PF)
    return f'<origin xyz="{xyz}" rpy="{rpy}"/>'


def _numpy_pose(R: Orientation, p_PF: Array, _parent: str, _child: str) -> str:
    """Return the homogeneous matrix of the pose, which takes points from the frame into its parent."""
    return f"X = np.array({matrix_rows(R, p_PF)!r})  # v_parent = X @ v_child, of points with a 1 below"


_WRITERS: dict[str, Callable[[Orientation, Array, str, str], str]] = {
    "static-transform": _static_transform,
    "urdf-origin": _urdf_origin,
    "numpy-pose": _numpy_pose,
}

POSE_TARGETS = tuple(_WRITERS)
"""Targets of `pose_as_code`."""
