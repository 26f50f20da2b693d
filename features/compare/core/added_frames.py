"""Edit that adds the poses of a comparison to a scene."""

from __future__ import annotations

from framescope.core import frames
from framescope.core.errors import RefusedError
from framescope.core.orientation import Orientation
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.edits.items import ItemEdit, check_sizes, new_name, taken_names
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import Position, QuaternionForm
from framescope.features.compare.core.comparison import Row

DIGITS = 12
"""Digits of the components of quaternions and positions."""

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
    items = [_frame(R, p) for R, p in poses]

    def apply(scene: Scene) -> Scene:
        for name, item in zip(names, items, strict=True):
            scene = with_item(scene, "frames", name, item)
        return check_sizes(scene)

    apply(scene)
    return ItemEdit(f"Added {names[0]} and {names[1]}", apply, tuple(("frames", name) for name in names))


def _frame(R: Orientation, p: tuple[float, float, float] | None) -> Frame:
    x, y, z, w = (round(part, DIGITS) + 0.0 for part in frames.to_Q(R).tolist())
    position = (0.0, 0.0, 0.0) if p is None else (p[0] + 0.0, p[1] + 0.0, p[2] + 0.0)
    turn = QuaternionForm(value=(x, y, z, w), order="xyzw")
    return Frame(parent=WORLD, position=Position(value=position, unit="m"), orientation=turn)
