"""Reader of poses as tools of ROS and calibrations print them: translation and rotation whose conventions are known."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from framescope.core.conventions.notation import NotationError

MAX_LENGTH = 200_000
"""Largest number of characters of a text, such as many blocks of tf2_echo."""

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_SEPARATOR = r"[\s,]+"
_FIELD = r"[\"']?\s*:\s*"
_BRACKETS = re.compile(
    r"Translation:\s*\[([^\]]{1,200})\]\s*-?\s*Rotation:\s*in\s+Quaternion\s*(?:\(xyzw\)\s*)?\[([^\]]{1,200})\]"
)
_XYZ = rf"[{{\s]*[\"']?x{_FIELD}({_NUMBER})[,\s]+[\"']?y{_FIELD}({_NUMBER})[,\s]+[\"']?z{_FIELD}({_NUMBER})"
_MESSAGE = re.compile(
    rf"(?:translation|position){_FIELD}{_XYZ}[\s}},]*[\"']?(?:rotation|orientation){_FIELD}{_XYZ}"
    rf"[,\s]+[\"']?w{_FIELD}({_NUMBER})"
)
_CHILD = re.compile(r"child_frame_id[\"']?\s*:\s*[\"']?([^\s\"',}]+)")
_PUBLISHER = re.compile(r"static_transform_publisher\b(.*)", re.DOTALL)
_OPTION = re.compile(rf"--(x|y|z|qx|qy|qz|qw|roll|pitch|yaw)[\s=]+({_NUMBER})(?![\w.])")
_ARGUMENTS = re.compile(rf"(?:^|[\s\"'])((?:{_NUMBER}\s+){{5,6}}{_NUMBER})(?=\s|\Z)")
_SENSOR = re.compile(r"\bT_BS\b[\"']?\s*:.{0,200}?\bdata\s*:\s*\[([^\]]{1,1000})\]", re.DOTALL)


@dataclass(frozen=True)
class PrintedPose:
    """A pose as printed: a description, a form of `notation` with its numbers and unit, and the position, m."""

    description: str
    form: str
    numbers: tuple[float, ...]
    unit: str
    position: tuple[float, float, float]


def read_printed_pose(text: str) -> PrintedPose | None:
    r"""Return the pose in a printed text; the last one of several of the same frame, or None without one.

    Parameters
    ----------
    text : str
        Output of ``tf2_echo``, a TransformStamped or PoseStamped in YAML or JSON as by ``ros2 topic echo``, a call of
        ``static_transform_publisher``, or a sensor of EuRoC with its matrix ``T_BS``.

    Raises
    ------
    NotationError
        When the text has the poses of several frames, or a wrong number of numbers.

    Examples
    --------
    >>> pose = read_printed_pose("- Translation: [0.1, 0, 0.3]\n- Rotation: in Quaternion [0, 0, 0.6, 0.8]")
    >>> pose.form, pose.numbers, pose.position
    ('quaternion xyzw', (0.0, 0.0, 0.6, 0.8), (0.1, 0.0, 0.3))
    >>> read_printed_pose("static_transform_publisher 1 2 3 0.5 0 0 map odom").form
    'axes ZYX'
    """
    readers: tuple[Callable[[str], PrintedPose | None], ...] = (
        _read_echo,
        _read_message,
        _read_publisher,
        _read_sensor,
    )
    return next((pose for read in readers if (pose := read(text[-MAX_LENGTH:])) is not None), None)


def _read_echo(text: str) -> PrintedPose | None:
    matches = _BRACKETS.findall(text)
    if not matches:
        return None
    position, q = (_numbers(part) for part in matches[-1])
    return _of_quaternion("The pose of tf2_echo", position, q, len(matches))


def _read_message(text: str) -> PrintedPose | None:
    matches = _MESSAGE.findall(text)
    if not matches:
        return None
    children = list(dict.fromkeys(_CHILD.findall(text)))
    if len(children) > 1:
        raise NotationError(f"Found the transforms of {', '.join(children[:5])}: paste that of one frame alone.")
    numbers = [float(number) for number in matches[-1]]
    return _of_quaternion("The pose of a message of ROS", numbers[:3], numbers[3:], len(matches))


def _read_publisher(text: str) -> PrintedPose | None:
    call = _PUBLISHER.search(text)
    if call is None:
        return None
    label = "The pose of a static_transform_publisher"
    options = {name: float(number) for name, number in _OPTION.findall(call[1])}
    if options:
        x, y, z = (options.get(key, 0.0) for key in "xyz")
        if any(key in options for key in ("qx", "qy", "qz", "qw")):
            q = [options.get(key, 1.0 if key == "qw" else 0.0) for key in ("qx", "qy", "qz", "qw")]
            return _of_quaternion(label, [x, y, z], q, 1)
        angles = tuple(options.get(key, 0.0) for key in ("yaw", "pitch", "roll"))
        return PrintedPose(f"{label}, yaw pitch roll in radians", "axes ZYX", angles, "rad", (x, y, z))
    arguments = _ARGUMENTS.search(call[1])
    if arguments is None:
        raise NotationError(f"{label}: expected x y z and then yaw pitch roll or qx qy qz qw.")
    x, y, z, *rotation = map(float, arguments[1].split())
    if len(rotation) == 4:
        return _of_quaternion(label, [x, y, z], rotation, 1)
    return PrintedPose(f"{label}, yaw pitch roll in radians", "axes ZYX", tuple(rotation), "rad", (x, y, z))


def _read_sensor(text: str) -> PrintedPose | None:
    match = _SENSOR.search(text)
    if match is None:
        return None
    numbers = _numbers(match[1])
    if len(numbers) != 16:
        raise NotationError(f"T_BS: expected the 16 numbers of a matrix, got {len(numbers)}.")
    rotation = tuple(numbers[4 * i + k] for i in range(3) for k in range(3))
    at = (numbers[3], numbers[7], numbers[11])
    return PrintedPose("T_BS of a sensor, sensor into body", "matrix active", rotation, "", at)


def _of_quaternion(label: str, position: list[float], q: list[float], n: int) -> PrintedPose:
    if len(position) != 3 or len(q) != 4:
        raise NotationError(f"{label}: expected three numbers of a translation and four of a quaternion.")
    label = label if n == 1 else f"{label}, the last of {n}"
    return PrintedPose(
        f"{label}, scalar last", "quaternion xyzw", tuple(q), "", (position[0], position[1], position[2])
    )


def _numbers(text: str) -> list[float]:
    try:
        return [float(word) for word in re.split(_SEPARATOR, text.strip()) if word]
    except ValueError:
        raise NotationError(f"Expected numbers between the brackets, got {text.strip()[:40]}.") from None
