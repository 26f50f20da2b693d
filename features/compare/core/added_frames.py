"""Edit that adds the poses of a comparison to a scene."""

from __future__ import annotations

import numpy as np

from framescope.core import frames
from framescope.core.errors import RefusedError
from framescope.core.orientation import Orientation
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.edits.items import ItemEdit, check_sizes, new_name, taken_names
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import Axes, Position, QuaternionForm
from framescope.features.compare.core.comparison import Row
from framescope.features.compare.core.sides import SideReading

DIGITS = 12
"""Digits of the components of quaternions and positions."""

SAME = 1e-9
"""Largest difference of the elements of one orientation."""

NAMES = ("first", "second")
"""Names of the added frames."""


def add_frames(scene: Scene, row: Row) -> ItemEdit:
    """Return the edit that adds both poses of a row to the world, as frames.

    Raises
    ------
    RefusedError
        When the row has positions alone.
    """
    if row.R_first is None or row.R_second is None:
        raise RefusedError("two positions without orientations are no frames")
    taken = set(taken_names(scene, "frames"))
    names: list[str] = []
    for name in NAMES:
        names.append(new_name(taken, name))
        taken.add(names[-1])
    poses = ((row.R_first, row.p_first), (row.R_second, row.p_second))
    items = [_frame(reading, R, p) for reading, (R, p) in zip(row.readings, poses, strict=True)]

    def apply(scene: Scene) -> Scene:
        for name, item in zip(names, items, strict=True):
            scene = with_item(scene, "frames", name, item)
        return check_sizes(scene)

    apply(scene)
    return ItemEdit(f"Added {names[0]} and {names[1]}", apply, tuple(("frames", name) for name in names))


def _frame(reading: SideReading | None, R: Orientation, p: tuple[float, float, float] | None) -> Frame:
    position = (0.0, 0.0, 0.0) if p is None else (p[0] + 0.0, p[1] + 0.0, p[2] + 0.0)
    turn = _as_written(reading, R) or _quaternion(R, "xyzw")
    return Frame(parent=WORLD, position=Position(value=position, unit="m"), orientation=turn)


def _as_written(reading: SideReading | None, R: Orientation) -> Axes | QuaternionForm | None:
    """Return an orientation in the form that its text has; None for forms of which only the rotation is kept.

    Angles about fixed axes are those about moving axes in the opposite order. A quaternion keeps its order, and gets
    unit length.
    """
    if reading is None or not reading.is_written or reading.is_inverse:
        return None
    interpretation, numbers = reading.interpretation, reading.numbers
    if np.abs(interpretation.matrices(numbers[None])[0] - R.T.T).max() > SAME:
        return None  # a known offset is between them
    if interpretation.kind == "quaternion":
        return _quaternion(R, interpretation.choice)
    if interpretation.kind != "angles":
        return None
    is_moving = interpretation.choice.isupper()
    first, second, third = (float(number) for number in (numbers if is_moving else numbers[::-1]))
    sequence = interpretation.choice if is_moving else interpretation.choice[::-1].upper()
    return Axes(sequence=sequence, angles=(first, second, third), unit=interpretation.unit)


def _quaternion(R: Orientation, order: str) -> QuaternionForm:
    x, y, z, w = (round(part, DIGITS) + 0.0 for part in frames.to_Q(R).tolist())
    return QuaternionForm(value=(x, y, z, w) if order == "xyzw" else (w, x, y, z), order=order)
