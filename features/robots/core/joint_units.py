"""Units of recorded joint angles: what names, limits, velocities and the range of the numbers say of them."""

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
"""Answer of a table whose angles are in the units that the joints have in the scene, which differ."""

INSIDE, OUTSIDE = (0.02, 0.02), (0.15, 0.1)
"""How far values may be beyond limits and be inside, and must be to be outside: part of the range, and rad more."""

ROUND = 2.0 * math.pi

RATE_TOLERANCE = 0.1
"""Part by which velocities may differ from the derivative of the values, over all of a recording."""

ALIKE = 0.9
"""Correlation from which on velocities are those of the values beside them."""

FEWEST = 8
"""Rows that are compared at least."""

SETTLED_BY = "say the unit; velocities beside the angles, or limits of the joints, would tell"


@dataclass(frozen=True)
class JointColumn:
    """Column of a joint's values in a table: the joint, what it is called, and the numbers."""

    column: str
    title: str
    joint: Joint
    values: Array


def bag_decision(answer: str | None = None) -> Decision:
    """Return the decision on the angles of joint states in a bag: radians, unless a person has answered otherwise."""
    if answer == "deg":
        return Decision("angle_unit", "deg", ("rad",), "chosen", "certain")
    return Decision("angle_unit", "rad", ("deg",), "joint states of ROS are in radians", "format")


def decide_units(
    columns: Sequence[JointColumn], t: Array, numbers: Mapping[str, Array], answer: str | None = None
) -> tuple[Mapping[str, float], Decision | None]:
    """Return one unit of the values in each column, rad or m, and the decision on the angles.

    Parameters
    ----------
    columns
        Columns of joints. Those whose names say a unit have that one.
    t : (n,)
        Times of the rows, s.
    numbers
        All columns of the table by their names, those of velocities among them.
    answer
        What a person has answered: ``"rad"``, ``"deg"``, or `OWN`.

    Returns
    -------
    sizes
        By column.
    decision
        On the unit of the angles whose columns do not say it; None where there are none.
    """
    said = {each.column: named_unit(each) for each in columns}
    sizes = {each.column: _named_size(each) or unit_size(each.joint) for each in columns}
    angles = [each for each in columns if each.joint.type == "revolute"]
    bare = [each for each in angles if said[each.column] is None]
    if not angles:
        return sizes, None
    if not bare:
        units = ", ".join(dict.fromkeys(str(said[each.column]) for each in angles))
        return sizes, Decision("angle_unit", units, (), "the names of the columns say so", "format")
    own = _own_unit(bare)
    value, reason = _judge(bare, own, t, numbers)
    if answer is not None:
        value, reason = answer, Reason("chosen", 0.99)
    alternatives = tuple(each for each in dict.fromkeys((own, "rad", "deg")) if each != value)
    settled_by = "" if reason.certainty in ("format", "certain") else SETTLED_BY
    decision = Decision("angle_unit", value, alternatives, reason.text, reason.certainty, settled_by)
    return {**sizes, **{each.column: SIZES.get(value) or unit_size(each.joint) for each in bare}}, decision


def named_unit(column: JointColumn) -> str | None:
    """Return the unit that the name of a column says; None where it says none.

    >>> named_unit(JointColumn("elbow [deg]", "elbow", Joint(type="revolute"), np.zeros(2)))
    'deg'
    """
    # The name of a joint may end in what looks like a unit.
    if column.column == column.title:
        return None
    unit = read_name(column.column).unit
    return unit if unit in UNITS["angle" if column.joint.type == "revolute" else "length"] else None


def _named_size(column: JointColumn) -> float | None:
    unit = named_unit(column)
    return None if unit is None else UNITS["angle" if column.joint.type == "revolute" else "length"][unit]


def _own_unit(columns: Sequence[JointColumn]) -> str:
    units = {each.joint.unit or "rad" for each in columns}
    unit = units.pop()
    return OWN if units or unit not in SIZES else unit


def _judge(columns: Sequence[JointColumn], own: str, t: Array, numbers: Mapping[str, Array]) -> tuple[str, Reason]:
    """Return the unit of the angles of some columns, and why."""
    moving = [each for each in columns if np.isfinite(each.values).any()]
    for evidence in (_by_velocities(moving, t, numbers), _by_limits(moving, own)):
        if evidence is not None:
            return evidence
    return _by_range(moving, own)


def _by_velocities(columns: Sequence[JointColumn], t: Array, numbers: Mapping[str, Array]) -> tuple[str, Reason] | None:
    """Return what the derivatives of the values say beside columns of velocities; None where they say nothing."""
    by_title, found = {each.title: each for each in columns}, dict[str, str]()
    for title, name in velocity_columns(list(by_title), list(numbers)).items():
        factor = _factor_of_rates(t, by_title[title].values, numbers[name])
        named = named_angle(name)
        for unit, size in SIZES.items():
            # Of velocities that name no unit only a change of unit tells: angles in degrees, velocities in radians.
            units_of_rates = [named] if named else [other for other in SIZES if other != unit]
            if factor is not None and any(_is_near(factor, size / SIZES[rates]) for rates in units_of_rates):
                found.setdefault(unit, name)
    if len(found) != 1:
        return None
    ((unit, name),) = found.items()
    return unit, Reason(f'so they change as fast as "{name}" says', 0.97)


def _is_near(factor: float, expected: float) -> bool:
    return abs(factor / expected - 1.0) < RATE_TOLERANCE


def _factor_of_rates(t: Array, values: Array, rates: Array) -> float | None:
    """Return by how much velocities are larger than the derivative of values; None where they do not go together."""
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
    """Return what the limits of the joints say; None where they allow more than one unit, or none."""
    units = tuple(dict.fromkeys((own, "rad", "deg")))
    worst = {unit: [_beyond(each, unit) for each in columns] for unit in units}
    allowed = [unit for unit, beyond in worst.items() if all(each is None or each[0] for each in beyond)]
    refused = {unit: sum(each is not None and each[1] for each in beyond) for unit, beyond in worst.items()}
    if len(allowed) != 1 or not all(n for unit, n in refused.items() if unit != allowed[0]):
        return None
    (unit,) = allowed
    other = "radians" if unit == "deg" else "degrees"
    n = max(n for name, n in refused.items() if name != unit)
    several = f"{n} of {len(columns)}" if len(columns) > 1 else "it"
    turns = "turns" if n == 1 else "turn"
    return unit, Reason(f"in {other} {several} {turns} far beyond the limits of the joint", 0.95)


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
    """Return the unit that how far the values go makes likely, and how likely."""
    usual = own if own in SIZES else "rad"
    most = [float(np.nanmax(np.abs(each.values), initial=0.0)) for each in columns]
    wide = [each for each in most if each > 0.5 * ROUND * 1.02]
    n, n_wide = len(most), len(wide)
    several = f"{n_wide} of {n}" if n > 1 else "it"
    turns = "turns" if n_wide == 1 else "turn"
    if own == OWN:
        return OWN, Reason("the unit that each joint has in the scene", 0.5 if not n_wide else 0.3)
    if not n_wide:
        if usual == "rad":
            return "rad", Reason("usual, and in degrees hardly anything would move", 0.6)
        return "deg", Reason("the unit of the joints in the scene; in radians it would be half a turn at most", 0.3)
    if usual == "deg":
        return "deg", Reason("the unit of the joints in the scene", 0.6)
    if max(most) > 2.0 * ROUND:
        if all(map(_stays_in_one_turn, columns)):
            return "deg", Reason(f"in radians {several} {turns} more than twice round, in degrees not once", 0.8)
        return "rad", Reason("it turns many times round, as a wheel in radians or in degrees does", 0.3)
    if 2 * n_wide > n and n_wide > 2:
        return "deg", Reason(f"in radians {several} {turns} further than half round", 0.6)
    return "rad", Reason(f"{several} {turns} further than half round, which small angles in degrees look like", 0.3)


def _stays_in_one_turn(column: JointColumn) -> bool:
    """Return whether values in degrees stay within a turn to either side, and do not only run on as a wheel's."""
    values = column.values[np.isfinite(column.values)]
    if np.abs(values).max(initial=0.0) > 361.0:
        return False
    steps = np.diff(values)
    way, span = float(np.abs(steps).sum()), float(abs(values[-1] - values[0])) if len(values) else 0.0
    return way == 0.0 or span < 0.9 * way


def decision_words(decision: Decision) -> str:
    """Return a decision on angles as a sentence.

    >>> decision_words(bag_decision())
    'Its angles are in radians: joint states of ROS are in radians.'
    >>> decision_words(Decision("angle_unit", "deg", (), "in radians it turns more than twice round", "assumed"))
    'Its angles are taken as degrees: in radians it turns more than twice round.'
    """
    units = {"rad": "radians", "deg": "degrees", OWN: "the units of the joints"}
    taken = "are in" if decision.certainty == "format" else "are taken as"
    names = ", ".join(units.get(each, each) for each in decision.value.split(", "))
    return f"Its angles {taken} {names}: {decision.reason}."
