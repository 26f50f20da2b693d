"""Columns of a table with values of joints, matched by the titles of the joints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

WORDS = frozenset(
    (
        *("position", "positions", "pos", "q", "angle", "angles", "value", "values", "joint", "joints", "state"),
        *("states", "actual", "measured", "rad", "deg", "degrees", "m", "mm"),
    )
)
"""Words in names of columns besides the joint."""

ANGLES: Mapping[str, frozenset[str]] = {
    "deg": frozenset(("deg", "degs", "degree", "degrees", "dps")),
    "rad": frozenset(("rad", "rads", "radian", "radians")),
}
"""Words for units of angles in names of columns."""

OTHERS = frozenset(
    (
        *("velocity", "velocities", "vel", "speed", "rate", "effort", "efforts", "torque", "torques", "current"),
        *("acceleration", "accelerations", "acc", "temperature"),
    )
)
"""Words in names of columns with other quantities than a joint's value."""


def match_columns(joints: Iterable[str], columns: Sequence[str]) -> Mapping[str, str]:
    """Return the columns of some joints: with the same name, else the only match; each belongs to one joint.

    >>> columns = ["t", "elbow", "joint_states/wrist_1/position", "wrist_1 velocity", "left/rail_joint"]
    >>> match_columns(["elbow", "Wrist-1", "rail_joint", "t2"], columns)
    {'elbow': 'elbow', 'Wrist-1': 'joint_states/wrist_1/position', 'rail_joint': 'left/rail_joint'}
    """
    joints = list(joints)
    matches = {joint: joint for joint in joints if joint in columns}
    values = [column for column in columns if not OTHERS.intersection(_words(column))]
    for is_of in (_means, _ends_with):
        unused = [column for column in values if column not in matches.values()]
        alike = {
            joint: [column for column in unused if is_of(column, joint)] for joint in joints if joint not in matches
        }
        claimed = [column for meant in alike.values() for column in meant]
        matches |= {
            joint: candidates[0]
            for joint, candidates in alike.items()
            if len(candidates) == 1 and claimed.count(candidates[0]) == 1
        }
    return {joint: matches[joint] for joint in joints if joint in matches}


VELOCITIES = frozenset(("velocity", "velocities", "vel", "speed", "rate", "rates", "qd", "dq", "s", "per"))
"""Words in names of columns of velocities besides the joint."""


def velocity_columns(joints: Iterable[str], columns: Sequence[str]) -> Mapping[str, str]:
    """Return the columns of the velocities of some joints, each the only match.

    >>> velocity_columns(["elbow_joint"], ["t", "elbow_joint", "elbow_joint_velocity [deg/s]", "wrist velocity"])
    {'elbow_joint': 'elbow_joint_velocity [deg/s]'}
    """
    matches = dict[str, str]()
    rates = [column for column in columns if set(_words(column)) & (VELOCITIES - {"s", "per"})]
    for joint in joints:
        core = _core(joint)
        alike = [column for column in rates if _words_of_joint(column) == core]
        if core and len(alike) == 1:
            matches[joint] = alike[0]
    return matches


def _words_of_joint(column: str) -> tuple[str, ...]:
    return tuple(word for word in _core(column) if word not in VELOCITIES)


def named_angle(column: str) -> str | None:
    """Return ``"deg"`` or ``"rad"`` if the name of a column contains it.

    >>> named_angle("elbow velocity [deg/s]"), named_angle("elbow_qd_rad_s"), named_angle("elbow speed")
    ('deg', 'rad', None)
    """
    words = set(_words(column))
    units = [unit for unit, names in ANGLES.items() if words & names]
    return units[0] if len(units) == 1 else None


def _means(column: str, joint: str) -> bool:
    """Return whether the name of a column is that of the joint, apart from the words usual in names of columns."""
    return bool(_core(joint)) and _core(column) == _core(joint)


def _ends_with(column: str, joint: str) -> bool:
    return re.search(rf"[./:]{re.escape(joint)}$", column) is not None


def _words(name: str) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[^0-9a-z]+", name.casefold()) if word)


def _core(name: str) -> tuple[str, ...]:
    return tuple(word for word in _words(name) if word not in WORDS)
