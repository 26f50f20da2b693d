"""Frames whose pose has other numbers in another version of a scene, as during a drag."""

from __future__ import annotations

from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.poses import Integrated, ThreeAngles, as_moving


def renumbered_frames(before: Scene, after: Scene) -> frozenset[str] | None:
    """Return the names of the frames that differ between two versions of a scene; None if more than numbers differ.

    Numbers are positions and orientations, constant or as expressions of t, whose form and sequence stay. All other
    parts of the scene have to be the same objects, as after an edit of the frames alone. No frame changes its parent
    over time, since its later pose depends on all poses at that time.

    Examples
    --------
    >>> arm = {"parent": "world", "orientation": {"form": "axis", "axis": "z", "angle": 10, "unit": "deg"}}
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": arm, "hand": {"parent": "arm"}}})
    >>> def with_hand(**changes):
    ...     hand = scene.frames["hand"].model_copy(update=changes)
    ...     return scene.model_copy(update={"frames": scene.frames | {"hand": hand}})
    >>> renumbered_frames(scene, with_hand(position=None))
    frozenset({'hand'})
    >>> renumbered_frames(scene, with_hand(parent="world")) is None
    True
    """
    others = (key for key in type(after).model_fields if key != "frames")
    if any(getattr(before, key) is not getattr(after, key) for key in others):
        return None
    if list(before.frames) != list(after.frames) or any(frame.parent_keys for frame in after.frames.values()):
        return None
    changed = frozenset(name for name, frame in after.frames.items() if before.frames[name] is not frame)
    for name in changed:
        if _fixed_parts(before.frames[name]) != _fixed_parts(after.frames[name]) or _has_history(after.frames[name]):
            return None
    return changed


def _fixed_parts(frame: Frame) -> tuple[object, ...]:
    """Return what stays of a frame that changes its numbers alone."""
    form = frame.orientation
    sequence = as_moving(form).sequence if isinstance(form, ThreeAngles) else ""
    return frame.parent, type(frame.motion), type(form), sequence


def _has_history(frame: Frame) -> bool:
    """Return whether a frame has a motion, or an orientation that is integrated from the start."""
    return frame.motion is not None or isinstance(frame.orientation, Integrated)
