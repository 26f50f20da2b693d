"""Ghosts: another run of the same mechanism, pale and without names, in the same place as the first one."""

from __future__ import annotations

from framescope.core.scene.edits.copies import add_part
from framescope.core.scene.edits.items import ItemEdit
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.view import FrameLook, View

PALE = 0.35
"""Of the opacity of a body, what its ghost has."""

UNSEEN = FrameLook(triad=False, label=False, link=False)


def add_ghost(run: Scene, name: str, scene: Scene) -> ItemEdit:
    """Return the edit that adds the frames and bodies of another run as ghosts, below one frame in the world.

    Hiding that frame with all below hides the run, moving it puts it beside the first one. The scene lasts as long as
    the longer of both.

    Parameters
    ----------
    run
        The other run, such as the scene of a second result.
    name
        What the frame is called that all of it hangs on; a free name like it where that is taken.
    scene
        The scene that it joins.

    Raises
    ------
    RefusedError
        When the scene would become too large.

    Examples
    --------
    >>> body = {"frame": "arm", "shape": {"form": "sphere", "radius": "1 cm"}}
    >>> frames = {"arm": {"parent": "world"}}
    >>> scene = Scene.model_validate({"framescope": 1, "frames": frames, "bodies": {"ball": body}})
    >>> both = add_ghost(scene, "second", scene).apply(scene)
    >>> both.frames["arm 2"].parent, both.bodies["ball 2"].opacity
    ('second', 0.35)
    """
    edit = add_part(_ghost_of(run, name), scene)
    end = max(run.time.end.si("time", ("time", "end")), scene.time.end.si("time", ("time", "end")))

    def apply(scene: Scene) -> Scene:
        grown = edit.apply(scene)
        if end > scene.time.end.si("time", ("time", "end")):
            grown = grown.model_copy(update={"time": grown.time.model_copy(update={"end": Quantity(end, "s")})})
        return grown

    return ItemEdit(f"Added {name} as a ghost", apply, edit.keys)


def _ghost_of(run: Scene, name: str) -> Scene:
    root = name if name not in run.frames else f"{name} run"
    frames = {
        key: frame.model_copy(update={"parent": root}) if frame.parent == WORLD else frame
        for key, frame in run.frames.items()
    }
    bodies = {
        key: body.model_copy(
            update={"opacity": PALE * body.opacity, "frame": root if body.frame == WORLD else body.frame}
        )
        for key, body in run.bodies.items()
    }
    looks = FrozenDict(dict.fromkeys((root, *frames), UNSEEN))
    return Scene(
        time=run.time,
        parameters=run.parameters,
        robots=run.robots,
        frames=FrozenDict({root: Frame(parent=WORLD), **frames}),
        bodies=FrozenDict(bodies),
        view=View(frames=looks),
    )
