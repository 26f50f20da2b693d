"""Update of a scene from the changed file of its robot; changes by the user take precedence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.identifiers import words_in
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Joint
from framescope.core.scene.schema.view import View

T = TypeVar("T", bound=Item)


def follow_file(scene: Scene, before: Scene, after: Scene) -> Scene:
    """Return a scene updated from the changed file of a robot.

    Items that still equal the scene made of the old file are updated. Items that the user changed, added or removed
    stay so. The values of joints stay.

    Parameters
    ----------
    scene
        The current scene.
    before, after
        The scenes made of the old and the new file.
    """
    frames = _merge(scene.frames, before.frames, after.frames)
    remaining = {name: frame for name, frame in frames.items() if _has_frame(frame.parent, frames, before)}
    merged = _merge(scene.bodies, before.bodies, after.bodies)
    bodies = {name: body for name, body in merged.items() if _has_frame(body.frame, remaining, before)}
    updated = scene.model_copy(update={"frames": FrozenDict(remaining), "bodies": FrozenDict(bodies)})
    used = words_in(updated)
    own = scene.parameters.items()
    parameters = {name: value for name, value in own if name not in before.parameters or name in used}
    new = {name: value for name, value in after.parameters.items() if name not in parameters}
    return updated.model_copy(
        update={"parameters": FrozenDict(parameters | new), "view": _with_hidden(scene, before, after, bodies)}
    )


def _has_frame(frame: str, frames: Mapping[str, object], before: Scene) -> bool:
    """Return whether a frame exists or was not of the robot; items on a removed link are removed with it."""
    return frame in frames or frame not in before.frames


def _with_hidden(scene: Scene, before: Scene, after: Scene, bodies: Mapping[str, object]) -> View:
    hidden = scene.view.hidden
    new = [name for name in after.view.hidden.bodies if name not in before.bodies and name not in hidden.bodies]
    names = tuple(name for name in (*hidden.bodies, *new) if name in bodies)
    return scene.view.model_copy(update={"hidden": hidden.model_copy(update={"bodies": names})})


def _merge(ours: Mapping[str, T], before: Mapping[str, T], after: Mapping[str, T]) -> dict[str, T]:
    """Return our items, with unchanged fields updated from `before` to `after`, followed by the new items."""
    merged = dict[str, T]()
    for name, item in ours.items():
        if name not in before:
            merged[name] = item
        elif name in after:
            merged[name] = _merge_item(item, before[name], after[name])
        elif item != before[name]:
            merged[name] = item
    new = [name for name in after if name not in before and name not in ours]
    return merged | {name: after[name] for name in new}


def _merge_item(ours: T, before: T, after: T) -> T:
    update = dict[str, object]()
    for key in type(ours).model_fields:
        own, was, now = (getattr(item, key) for item in (ours, before, after))
        if own == was != now:
            update[key] = now
        elif was != now and all(isinstance(item, Joint) for item in (own, was, now)):
            update[key] = _merge_item(own, was, now)  # such as a joint that a recording moves
    return ours.model_copy(update=update) if update else ours
