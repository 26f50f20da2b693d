"""Tables of joints: their times, and what their numbers are of."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

import numpy as np

from framescope.core.errors import FramescopeError
from framescope.core.kernels.validation import Array
from framescope.core.recordings.columns.column_names import read_name
from framescope.core.recordings.columns.guess_time import guess_time, guess_time_unit, joined_unit
from framescope.core.recordings.pose_columns import TIME_UNITS
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.scene.edits.joints import unit_size
from framescope.core.scene.schema.motions import Joint
from framescope.core.scene.schema.quantities import UNITS

TWICE_ROUND = 4.0 * math.pi
"""Angles that go on further than this, rad, are not of a joint with bounds."""

DEGREE = math.radians(1.0)


def joint_times(table: MixedTable, values: Collection[str]) -> tuple[str, str, float]:
    """Return the column of times in a table, beside those of values, its unit, and how long it lasts, s."""
    named = {column: read_name(column) for column in table.order if column in table.numbers and column not in values}
    time, _ = guess_time(list(named), named, table.numbers, table.stamps)
    if time is None:
        raise FramescopeError(f"{table.name} has no column of times. Give it one, such as t, in seconds.")
    t = table.numbers[time]
    unit = "s" if time in table.stamps else (joined_unit(time) or guess_time_unit(t, named[time]))[0]
    t = t[np.isfinite(t)]
    return time, unit, float(np.ptp(t)) * TIME_UNITS[unit] if len(t) else 0.0


def joint_units(
    joints: Mapping[tuple[str, str], Joint], table: MixedTable
) -> tuple[Mapping[str, float], tuple[str, ...]]:
    """Return one unit of the values in each column, rad or m, and what there is to say of that.

    Parameters
    ----------
    joints
        By their columns, and what they are called.
    table
        That has the columns.
    """
    said = {column: _said_unit(column, title, joint) for (column, title), joint in joints.items()}
    bare = {column: joint for (column, _), joint in joints.items() if said[column] is None and joint.type == "revolute"}
    are_degrees = any(_are_degrees(table.numbers[column], joint) for column, joint in bare.items())
    sizes = {
        column: DEGREE if are_degrees and column in bare else said[column] or unit_size(joint)
        for (column, _), joint in joints.items()
    }
    note = "Its angles are taken as degrees: in radians they turn further than the joints do."
    return sizes, (note,) if are_degrees else ()


def _said_unit(column: str, title: str, joint: Joint) -> float | None:
    """Return one unit of the values in a column, rad or m, as its name says; None where it says none."""
    sizes = UNITS["angle" if joint.type == "revolute" else "length"]
    # The name of a joint may end in what looks like a unit.
    return None if column == title else sizes.get(read_name(column).unit)


def _are_degrees(values: Array, joint: Joint) -> bool:
    """Return whether values turn further than twice round and than the joint goes, and as degrees do not."""
    if joint.lower is None or joint.upper is None:
        return False
    most = float(np.nanmax(np.abs(values), initial=0.0))
    bound = max(abs(joint.lower), abs(joint.upper)) * unit_size(joint)
    return most * unit_size(joint) > max(TWICE_ROUND, bound) and most * DEGREE <= bound + DEGREE
