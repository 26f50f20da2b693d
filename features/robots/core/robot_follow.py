"""How a scene follows the file of its robot: what a person left as it was in the file becomes what it is there now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.identifiers import words_in
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Joint
from framescope.core.scene.schema.view import View

T = TypeVar("T", bound=Item)


def followed(scene: Scene, before: Scene, after: Scene) -> Scene:
    """Return a scene that follows the file of a robot.

    What stands in the scene as it was made of the file before stands as it is made of it now; what was changed, added
    or taken out by a person stays so. The values of joints stay.

    Parameters
    ----------
    scene
        The scene as it is.
    before, after
        The scenes that are made of the file as it was, and as it is now.
    """
    frames = _merged(scene.frames, before.frames, after.frames)
    left = {name: frame for name, frame in frames.items() if _stands_on(frame.parent, frames, before)}
    merged = _merged(scene.bodies, before.bodies, after.bodies)
    bodies = {name: body for name, body in merged.items() if _stands_on(body.frame, left, before)}
    found = scene.model_copy(update={"frames": FrozenDict(left), "bodies": FrozenDict(bodies)})
    used = words_in(found)
    own = scene.parameters.items()
    parameters = {name: value for name, value in own if name not in before.parameters or name in used}
    new = {name: value for name, value in after.parameters.items() if name not in parameters}
    return found.model_copy(
        update={"parameters": FrozenDict(parameters | new), "view": _with_hidden(scene, before, after, bodies)}
    )


def _stands_on(frame: str, frames: Mapping[str, object], before: Scene) -> bool:
    """Return whether a frame is there, or was none of the robot: what stood on a link that has gone goes with it."""
    return frame in frames or frame not in before.frames


def _with_hidden(scene: Scene, before: Scene, after: Scene, bodies: Mapping[str, object]) -> View:
    hidden = scene.view.hidden
    new = [name for name in after.view.hidden.bodies if name not in before.bodies and name not in hidden.bodies]
    names = tuple(name for name in (*hidden.bodies, *new) if name in bodies)
    return scene.view.model_copy(update={"hidden": hidden.model_copy(update={"bodies": names})})


def _merged(ours: Mapping[str, T], before: Mapping[str, T], after: Mapping[str, T]) -> dict[str, T]:
    """Return items of which what is as before is as after, field by field, in our order, and new ones behind them."""
    found = dict[str, T]()
    for name, item in ours.items():
        if name not in before:
            found[name] = item
        elif name in after:
            found[name] = _merged_item(item, before[name], after[name])
        elif item != before[name]:
            found[name] = item
    new = [name for name in after if name not in before and name not in ours]
    return found | {name: after[name] for name in new}


def _merged_item(ours: T, before: T, after: T) -> T:
    update = dict[str, object]()
    for key in type(ours).model_fields:
        own, was, now = (getattr(each, key) for each in (ours, before, after))
        if own == was != now:
            update[key] = now
        elif was != now and all(isinstance(each, Joint) for each in (own, was, now)):
            update[key] = _merged_item(own, was, now)  # such as one that a recording moves
    return ours.model_copy(update=update) if update else ours
