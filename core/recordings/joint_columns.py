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


def _means(column: str, joint: str) -> bool:
    """Return whether the name of a column says the joint, and besides only what names of columns say."""
    return bool(_core(joint)) and _core(column) == _core(joint)


def _ends_with(column: str, joint: str) -> bool:
    return re.search(rf"[./:]{re.escape(joint)}$", column) is not None


def _words(name: str) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[^0-9a-z]+", name.casefold()) if word)


def _core(name: str) -> tuple[str, ...]:
    return tuple(word for word in _words(name) if word not in WORDS)
