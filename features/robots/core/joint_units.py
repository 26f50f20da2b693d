"""Units of recorded joint angles, decided by column names, limits, velocities and the range of the values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.recordings.columns.column_names import read_name
from framescope.core.recordings.columns.reasons import Reason
from framescope.core.scene.edits.joints import unit_size
from framescope.core.scene.schema.motions import Joint
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.robots.core.joint_columns import named_angle, velocity_columns
from framescope.features.table_import.core.decisions import Decision

AngleUnit = Literal["rad", "deg"]

SIZES: Mapping[str, float] = {"rad": 1.0, "deg": math.radians(1.0)}

OWN = "as each joint"
"""Answer for a table whose angles have the units of the joints in the scene, which differ."""

INSIDE, OUTSIDE = (0.02, 0.02), (0.15, 0.1)
"""Deviations beyond limits up to which values are inside, and above which outside: part of the range, plus rad."""

ROUND = 2.0 * math.pi

RATE_TOLERANCE = 0.1
"""Relative deviation of velocities from the derivative of the values that is accepted, over the whole recording."""

ALIKE = 0.9
"""Least correlation of velocities with the derivative of the values beside them."""

FEWEST = 8
"""Least number of rows for a comparison."""

SETTLED_BY = "give the unit; velocities beside the angles, or limits of the joints, would decide it"


@dataclass(frozen=True)
class JointColumn:
    """Column of a joint's values in a table: the joint, its title, and the numbers."""

    column: str
    title: str
    joint: Joint
    values: Array


def bag_decision(answer: str | None = None) -> Decision:
    """Return the decision on the angles of joint states in a bag: radians, unless the user has chosen degrees."""
    if answer == "deg":
        return Decision("angle_unit", "deg", ("rad",), "chosen", "certain")
    return Decision("angle_unit", "rad", ("deg",), "joint states of ROS are in radians", "format")


def decide_units(
    columns: Sequence[JointColumn], t: Array, numbers: Mapping[str, Array], answer: str | None = None
) -> tuple[Mapping[str, float], Decision | None]:
    """Return the size of one unit in each column, rad or m, and the decision on the angles.

    Parameters
    ----------
    columns
        Columns of joints. A unit in a column's name decides for that column.
    t : (n,)
        Times of the rows, s.
    numbers
        All columns of the table by name, including velocities.
    answer
        Choice of the user: ``"rad"``, ``"deg"``, or `OWN`.

    Returns
    -------
    sizes
        Size of a unit by column.
    decision
        Decision on the unit of the angles whose columns name none; None without such columns.
    """
    named_units = {column.column: named_unit(column) for column in columns}
    sizes = {column.column: _named_size(column) or unit_size(column.joint) for column in columns}
    angles = [column for column in columns if column.joint.type == "revolute"]
    bare = [column for column in angles if named_units[column.column] is None]
    if not angles:
        return sizes, None
    if not bare:
        units = ", ".join(dict.fromkeys(str(named_units[column.column]) for column in angles))
        return sizes, Decision("angle_unit", units, (), "the names of the columns state it", "format")
    own = _own_unit(bare)
    value, reason = _judge(bare, own, t, numbers)
    if answer is not None:
        value, reason = answer, Reason("chosen", 0.99)
    alternatives = tuple(column for column in dict.fromkeys((own, "rad", "deg")) if column != value)
    settled_by = "" if reason.certainty in ("format", "certain") else SETTLED_BY
    decision = Decision("angle_unit", value, alternatives, reason.text, reason.certainty, settled_by)
    return {**sizes, **{column.column: SIZES.get(value) or unit_size(column.joint) for column in bare}}, decision


def named_unit(column: JointColumn) -> str | None:
    """Return the unit in the name of a column; None without one.

    >>> named_unit(JointColumn("elbow [deg]", "elbow", Joint(type="revolute"), np.zeros(2)))
    'deg'
    """
    # The name of a joint may itself end like a unit.
    if column.column == column.title:
        return None
    unit = read_name(column.column).unit
    return unit if unit in UNITS["angle" if column.joint.type == "revolute" else "length"] else None


def _named_size(column: JointColumn) -> float | None:
    unit = named_unit(column)
    return None if unit is None else UNITS["angle" if column.joint.type == "revolute" else "length"][unit]


def _own_unit(columns: Sequence[JointColumn]) -> str:
    units = {column.joint.unit or "rad" for column in columns}
    unit = units.pop()
    return OWN if units or unit not in SIZES else unit


def _judge(columns: Sequence[JointColumn], own: str, t: Array, numbers: Mapping[str, Array]) -> tuple[str, Reason]:
    """Return the unit of the angles of some columns, and the reason."""
    moving = [column for column in columns if np.isfinite(column.values).any()]
    for evidence in (_by_velocities(moving, t, numbers), _by_limits(moving, own)):
        if evidence is not None:
            return evidence
    return _by_range(moving, own)


def _by_velocities(columns: Sequence[JointColumn], t: Array, numbers: Mapping[str, Array]) -> tuple[str, Reason] | None:
    """Return the unit that matches columns of velocities; None if they do not settle it."""
    by_title, matches = {column.title: column for column in columns}, dict[str, str]()
    for title, name in velocity_columns(list(by_title), list(numbers)).items():
        factor = _factor_of_rates(t, by_title[title].values, numbers[name])
        named = named_angle(name)
        for unit, size in SIZES.items():
            # Velocities without a named unit only show a change of unit: angles in degrees, velocities in radians.
            units_of_rates = [named] if named else [other for other in SIZES if other != unit]
            if factor is not None and any(_is_near(factor, size / SIZES[rates]) for rates in units_of_rates):
                matches.setdefault(unit, name)
    if len(matches) != 1:
        return None
    ((unit, name),) = matches.items()
    return unit, Reason(f'so their derivative is the velocity "{name}"', 0.97)


def _is_near(factor: float, expected: float) -> bool:
    return abs(factor / expected - 1.0) < RATE_TOLERANCE


def _factor_of_rates(t: Array, values: Array, rates: Array) -> float | None:
    """Return the ratio of velocities to the derivative of values; None if the two do not correlate."""
    known = np.isfinite(t) & np.isfinite(values) & np.isfinite(rates)
    t, values, rates = t[known], values[known], rates[known]
    rising = np.append(True, np.diff(t) > 0.0)
    t, values, rates = t[rising], values[rising], rates[rising]
    if len(t) < FEWEST or not (np.diff(t) > 0.0).all():
        return None
    derivative, between = np.diff(values) / np.diff(t), 0.5 * (rates[1:] + rates[:-1])
    xx, yy, xy = (float(np.dot(a, b)) for a, b in ((derivative, derivative), (between, between), (derivative, between)))
    return None if min(xx, yy) <= 0.0 or xy < ALIKE * math.sqrt(xx * yy) else math.sqrt(yy / xx)


def _by_limits(columns: Sequence[JointColumn], own: str) -> tuple[str, Reason] | None:
    """Return the unit in which values fit the limits of the joints; None if several units or none fit."""
    units = tuple(dict.fromkeys((own, "rad", "deg")))
    worst = {unit: [_beyond(column, unit) for column in columns] for unit in units}
    allowed = [unit for unit, beyond in worst.items() if all(column is None or column[0] for column in beyond)]
    refused = {unit: sum(column is not None and column[1] for column in beyond) for unit, beyond in worst.items()}
    if len(allowed) != 1 or not all(n for unit, n in refused.items() if unit != allowed[0]):
        return None
    (unit,) = allowed
    other = "radians" if unit == "deg" else "degrees"
    n = max(n for name, n in refused.items() if name != unit)
    several = f"{n} of {len(columns)}" if len(columns) > 1 else "it"
    turns = "turns" if n == 1 else "turn"
    return unit, Reason(f"in {other} {several} {turns} far beyond the joint limits", 0.95)


def _beyond(column: JointColumn, unit: str) -> tuple[bool, bool] | None:
    """Return whether values are inside the limits of their joint, and whether far outside; None without limits."""
    joint = column.joint
    if joint.lower is None or joint.upper is None or joint.upper <= joint.lower:
        return None
    own = unit_size(joint)
    lower, upper = joint.lower * own, joint.upper * own
    values = (SIZES.get(unit) or own) * column.values
    most = max(float(np.nanmax(values)) - upper, lower - float(np.nanmin(values)))
    inside, outside = (part * (upper - lower) + more for part, more in (INSIDE, OUTSIDE))
    return most <= inside, most > outside


def _by_range(columns: Sequence[JointColumn], own: str) -> tuple[str, Reason]:
    """Return the unit suggested by the range of the values, with its probability.

    The range alone never proves degrees: wheels turn far, and so do arms within their limits.
    """
    usual = own if own in SIZES else "rad"
    most = [float(np.nanmax(np.abs(column.values), initial=0.0)) for column in columns]
    n, n_wide = len(most), sum(largest > 0.5 * ROUND * 1.02 for largest in most)
    several = f"{n_wide} of {n}" if n > 1 else "it"
    turns = "turns" if n_wide == 1 else "turn"
    if own == OWN:
        return OWN, Reason("the unit that each joint has in the scene", 0.5 if not n_wide else 0.3)
    if not n_wide:
        if usual == "rad":
            return "rad", Reason("usual, and in degrees the joints would hardly move", 0.6)
        return "deg", Reason("the unit of the joints in the scene; in radians it would be half a turn at most", 0.3)
    if usual == "deg":
        return "deg", Reason("the unit of the joints in the scene; nothing rules out radians", 0.3)
    if max(most) <= 2.0 * ROUND:
        text = f"{several} {turns} further than half a round, which may also be small angles in degrees"
    elif max(most) <= 361.0:
        text = f"in radians {several} {turns} further than half a round, like wheels, in degrees less than one round"
    else:
        text = "it makes many turns, like a wheel, in radians or in degrees"
    return "rad", Reason(text, 0.3)


def decision_words(decision: Decision) -> str:
    """Return a decision on angles as a sentence.

    >>> decision_words(bag_decision())
    'Its angles are in radians: joint states of ROS are in radians.'
    >>> decision_words(Decision("angle_unit", "deg", (), "in radians it turns far beyond the joint limits", "certain"))
    'Its angles are taken as degrees: in radians it turns far beyond the joint limits.'
    """
    units = {"rad": "radians", "deg": "degrees", OWN: "the units of the joints"}
    taken = "are in" if decision.certainty == "format" else "are taken as"
    names = ", ".join(units.get(unit, unit) for unit in decision.value.split(", "))
    return f"Its angles {taken} {names}: {decision.reason}."
