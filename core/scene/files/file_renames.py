"""Other names for the files that a scene refers to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.bodies import Body, MeshFile
from framescope.core.scene.schema.measured import Measured, MeasuredVector
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.motions import Recorded

Thing = TypeVar("Thing")


def renamed_files(scene: Scene, renamed: Mapping[str, str]) -> Scene:
    """Return the scene with other names, by the old ones, for files that it refers to.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}}, "bodies": {"hull": {
    ...     "frame": "a", "shape": {"form": "mesh", "file": "../hull.stl", "unit": "mm"}}}})
    >>> renamed_files(scene, {"../hull.stl": "files/hull.stl"}).bodies["hull"].shape.file
    'files/hull.stl'
    """
    if not renamed:
        return scene

    def recorded(motion: Recorded) -> Recorded:
        times = {} if motion.times is None else {"times": renamed.get(motion.times, motion.times)}
        return motion.model_copy(update={"file": renamed.get(motion.file, motion.file), **times})

    def frame(one: Frame) -> Frame:
        motion = one.motion
        return one.model_copy(update={"motion": recorded(motion)}) if isinstance(motion, Recorded) else one

    def body(one: Body) -> Body:
        shape = one.shape
        if not isinstance(shape, MeshFile):
            return one
        shape = shape.model_copy(update={"file": renamed.get(shape.file, shape.file)})
        return one.model_copy(update={"shape": shape})

    def claim(one: Measured) -> Measured:
        if isinstance(one, MeasuredVector):
            return one.model_copy(update={"file": renamed.get(one.file, one.file)})
        return one.model_copy(update={"motion": recorded(one.motion)}) if isinstance(one.motion, Recorded) else one

    return scene.model_copy(
        update={
            "frames": _each(scene.frames, frame),
            "bodies": _each(scene.bodies, body),
            "measured": _each(scene.measured, claim),
        }
    )


def _each(things: Mapping[str, Thing], change: Callable[[Thing], Thing]) -> FrozenDict[Thing]:
    return FrozenDict({name: change(thing) for name, thing in things.items()})
