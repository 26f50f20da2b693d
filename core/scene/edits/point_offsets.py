"""A point that was shown for a moment, kept: as a frame of its own on the frame it is fixed in."""

from __future__ import annotations

from numpy.typing import ArrayLike

from framescope.core.kernels.validation import as_array
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.edits.items import ItemEdit, check_sizes, new_name, taken_names
from framescope.core.scene.edits.orientation_forms.rotate import RefusedError
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import Position

DECIMALS = 6
"""Kept of a coordinate, in the unit of the scene's axes."""


def keep_as_frame(scene: Scene, frame: str, r: ArrayLike) -> ItemEdit:
    """Return the edit that adds a frame at a point of another one, turned as that one.

    Parameters
    ----------
    scene
        The scene it joins.
    frame
        The frame that the point is fixed in.
    r : (3,)
        The point, from the origin of the frame and resolved in it, m.

    Raises
    ------
    RefusedError
        When there is no such frame.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world"}}})
    >>> edit = keep_as_frame(scene, "arm", (0.1, 0.0, 0.25))
    >>> edit.label, edit.apply(scene).frames["point"].position.value
    ('Kept a point of arm as the frame point', (0.1, 0.0, 0.25))
    """
    if frame != WORLD and frame not in scene.frames:
        raise RefusedError(f"there is no frame {frame} any more")
    unit, factor = ("mm", 1e3) if scene.view.triad_length.unit == "mm" else ("m", 1.0)
    x, y, z = (round(factor * float(part), DECIMALS) + 0.0 for part in as_array("r", r, (3,)))
    item = Frame(parent=frame, position=Position(value=(x, y, z), unit=unit))
    name = new_name(taken_names(scene, "frames"), "point")

    def apply(scene: Scene) -> Scene:
        return check_sizes(with_item(scene, "frames", name, item))

    apply(scene)
    return ItemEdit(f"Kept a point of {frame} as the frame {name}", apply, (("frames", name),))
