"""Columns of a table that are values of joints, by what the joints are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

WORDS = frozenset(
    (
        *("position", "positions", "pos", "q", "angle", "angles", "value", "values", "joint", "joints", "state"),
        *("states", "actual", "measured", "rad", "deg", "degrees", "m", "mm"),
    )
)
"""What names of columns say besides the joint."""

ANGLES: Mapping[str, frozenset[str]] = {
    "deg": frozenset(("deg", "degs", "degree", "degrees", "dps")),
    "rad": frozenset(("rad", "rads", "radian", "radians")),
}
"""What names of columns call units of angles."""

OTHERS = frozenset(
    (
        *("velocity", "velocities", "vel", "speed", "rate", "effort", "efforts", "torque", "torques", "current"),
        *("acceleration", "accelerations", "acc", "temperature"),
    )
)
"""What columns that are no values of a joint say."""


def matched_columns(joints: Iterable[str], columns: Sequence[str]) -> Mapping[str, str]:
    """Return the columns of some joints: of the very name, else of the only one that means it, each of one joint.

    >>> columns = ["t", "elbow", "joint_states/wrist_1/position", "wrist_1 velocity", "left/rail_joint"]
    >>> matched_columns(["elbow", "Wrist-1", "rail_joint", "t2"], columns)
    {'elbow': 'elbow', 'Wrist-1': 'joint_states/wrist_1/position', 'rail_joint': 'left/rail_joint'}
    """
    joints = list(joints)
    found = {joint: joint for joint in joints if joint in columns}
    values = [column for column in columns if not OTHERS.intersection(_words(column))]
    for is_of in (_means, _ends_with):
        left = [column for column in values if column not in found.values()]
        alike = {joint: [column for column in left if is_of(column, joint)] for joint in joints if joint not in found}
        claimed = [column for meant in alike.values() for column in meant]
        found |= {joint: each[0] for joint, each in alike.items() if len(each) == 1 and claimed.count(each[0]) == 1}
    return {joint: found[joint] for joint in joints if joint in found}


VELOCITIES = frozenset(("velocity", "velocities", "vel", "speed", "rate", "rates", "qd", "dq", "s", "per"))
"""What names of columns of velocities say besides the joint."""


def velocity_columns(joints: Iterable[str], columns: Sequence[str]) -> Mapping[str, str]:
    """Return the columns of the velocities of some joints, each the only one that means it.

    >>> velocity_columns(["elbow_joint"], ["t", "elbow_joint", "elbow_joint_velocity [deg/s]", "wrist velocity"])
    {'elbow_joint': 'elbow_joint_velocity [deg/s]'}
    """
    found = dict[str, str]()
    rates = [column for column in columns if set(_words(column)) & (VELOCITIES - {"s", "per"})]
    for joint in joints:
        core = _core(joint)
        alike = [column for column in rates if _words_of_joint(column) == core]
        if core and len(alike) == 1:
            found[joint] = alike[0]
    return found


def _words_of_joint(column: str) -> tuple[str, ...]:
    return tuple(word for word in _core(column) if word not in VELOCITIES)


def named_angle(column: str) -> str | None:
    """Return ``"deg"`` or ``"rad"`` where the name of a column says it.

    >>> named_angle("elbow velocity [deg/s]"), named_angle("elbow_qd_rad_s"), named_angle("elbow speed")
    ('deg', 'rad', None)
    """
    words = set(_words(column))
    units = [unit for unit, names in ANGLES.items() if words & names]
    return units[0] if len(units) == 1 else None


def _means(column: str, joint: str) -> bool:
    """Return whether the name of a column says the joint, and besides only what names of columns say."""
    return bool(_core(joint)) and _core(column) == _core(joint)


def _ends_with(column: str, joint: str) -> bool:
    return re.search(rf"[./:]{re.escape(joint)}$", column) is not None


def _words(name: str) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[^0-9a-z]+", name.casefold()) if word)


def _core(name: str) -> tuple[str, ...]:
    return tuple(word for word in _words(name) if word not in WORDS)
