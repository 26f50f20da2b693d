"""Edits of the kind of motion of a frame, keeping its present pose."""

from __future__ import annotations

from framescope.core.scene.edits.base import DECIMALS, Edit, set_frame
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS, Moment
from framescope.core.scene.schema.kinds.orientations import still_form
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Unconnected


def set_motion(name: str, form: str, moment: Moment, label: str) -> Edit:
    """Return the edit that gives a frame another form of motion, or none.

    Parameters
    ----------
    name
        The frame.
    form
        A name of `MOTION_KINDS`, or the empty string for no motion.
    moment
        Present pose of the frame, which becomes the first key, the start of a simulated body, or the pose without a
        motion. A pose that is not finite is ignored.

    Examples
    --------
    >>> import numpy as np
    >>> scene = Scene.model_validate({"frames": {"a": {"parent": "world", "position": {"value": [1, 0, 0],
    ...     "unit": "m"}}}})
    >>> now = Moment(2.0, 0.0, np.eye(3), np.array([1.0, 0.0, 0.0]))
    >>> frame = set_motion("a", "keyframes", now, "").apply(scene).frames["a"]
    >>> frame.position is None, frame.motion.keys[0].position
    (True, (1.0, 0.0, 0.0))
    """

    def apply(scene: Scene) -> Scene:
        frame = scene.frames[name]
        if form == (frame.motion.form if frame.motion is not None else ""):
            return scene
        pose: dict[str, object] = {}
        if frame.motion is not None and not isinstance(frame.motion, Unconnected) and moment.is_finite:
            pose = {"position": _position(moment), "orientation": still_form("axes:XYZ", moment.T_PF)}
        if not form:
            return _without_field(set_frame(scene, name, **pose), name, "motion")
        kind = MOTION_KINDS.named(form)
        motion = kind.model.model_validate({**kind.start, **kind.start_at(moment)})
        if not kind.gives_pose:
            return set_frame(scene, name, motion=motion, **pose)
        scene = _without_field(set_frame(scene, name, motion=motion), name, "position")
        return _without_field(scene, name, "orientation")

    return Edit(label, apply)


def _position(moment: Moment) -> poses.Position:
    x, y, z = (round(float(p), DECIMALS) + 0.0 for p in moment.p_PF)
    return poses.Position(value=(x, y, z), unit="m")


def _without_field(scene: Scene, name: str, key: str) -> Scene:
    scene = set_frame(scene, name, **{key: None})
    scene.frames[name].__pydantic_fields_set__.discard(key)
    return scene
