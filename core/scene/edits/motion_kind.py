"""Edits of the motion kind of a frame, and keys at a pose; the pose of the moment is kept."""

from __future__ import annotations

from framescope.core.scene.edits.base import DECIMALS, Edit, set_frame
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS, Moment
from framescope.core.scene.schema.kinds.orientations import still_form
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Unconnected


def set_motion(name: str, form: str, moment: Moment, label: str) -> Edit:
    """Return the edit that makes a frame move in another form, or by its position and orientation again.

    Parameters
    ----------
    name
        The frame.
    form
        One of the names of `MOTION_KINDS`, or the empty string for none.
    moment
        Its pose now: that of the first key, where a simulated body starts, or where it stands without a motion. A
        pose that is not finite is not taken over.

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
        stands: dict[str, object] = {}
        if frame.motion is not None and not isinstance(frame.motion, Unconnected) and moment.is_finite:
            stands = {"position": _position(moment), "orientation": still_form("axes:XYZ", moment.T_PF)}
        if not form:
            return _left_out(set_frame(scene, name, **stands), name, "motion")
        kind = MOTION_KINDS.named(form)
        motion = kind.model.model_validate({**kind.start, **kind.start_at(moment)})
        if not kind.gives_pose:
            return set_frame(scene, name, motion=motion, **stands)
        scene = _left_out(set_frame(scene, name, motion=motion), name, "position")
        return _left_out(scene, name, "orientation")

    return Edit(label, apply)


def _position(moment: Moment) -> poses.Position:
    x, y, z = (round(float(p), DECIMALS) + 0.0 for p in moment.p_PF)
    return poses.Position(value=(x, y, z), unit="m")


def _left_out(scene: Scene, name: str, key: str) -> Scene:
    scene = set_frame(scene, name, **{key: None})
    scene.frames[name].__pydantic_fields_set__.discard(key)
    return scene
