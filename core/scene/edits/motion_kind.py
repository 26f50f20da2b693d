"""Edits that give a frame another kind of motion, and keys at a pose; the pose of the moment is kept."""

from __future__ import annotations

import numpy as np

from framescope.core import frames
from framescope.core.angle_branches import axes_rotations_angles_branches
from framescope.core.frames import Orientation
from framescope.core.scene.edits.base import DECIMALS, Edit, set_frame
from framescope.core.scene.edits.pose import Moment
from framescope.core.scene.schema import motions, poses
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import UNITS, Quantity

FORMS = ("recorded", "keyframes", "simulated")
"""Forms of motion, by their name in a file."""


def set_motion(name: str, form: str, moment: Moment, label: str) -> Edit:
    """Return the edit that makes a frame move in another form, or by its position and orientation again.

    Parameters
    ----------
    name
        The frame.
    form
        One of `FORMS`, or the empty string for none.
    moment
        Its pose now: that of the first key, where a simulated body starts, or where it stands without a motion. A
        pose that is not finite is not taken over.

    Examples
    --------
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
        is_taken_over = frame.motion is not None and _is_finite(moment)
        stands = {"position": _position(moment), "orientation": _orientation(moment)} if is_taken_over else {}
        match form:
            case "keyframes":
                motion = motions.Keyframes(keys=(key_at(moment, "s", "m"),), unit="m")
                return _without_pose(set_frame(scene, name, motion=motion), name)
            case "recorded":
                motion = motions.Recorded(
                    file="recording.txt", format="tum", bandwidth=Quantity(5.0, "Hz"), start=Quantity(0.0, "s")
                )
                return _without_pose(set_frame(scene, name, motion=motion), name)
            case "simulated":
                return set_frame(scene, name, motion=motions.Simulated(model="finite"), **stands)
            case _:
                return _left_out(set_frame(scene, name, **stands), name, "motion")

    return Edit(label, apply)


def key_at(moment: Moment, time_unit: str | None, length_unit: str | None) -> motions.Key:
    """Return a key at the moment and its pose, in these units (s and m where they are not known)."""
    second = UNITS["time"].get(time_unit or "", 1.0)
    metre = UNITS["length"].get(length_unit or "", 1.0)
    time = Quantity(round(moment.t / second, 9), time_unit if time_unit in UNITS["time"] else "s")
    if not _is_finite(moment):
        return motions.Key(time=time)
    x, y, z = (round(float(p) / metre, DECIMALS + 3 * (metre > 1.0)) + 0.0 for p in moment.p_PF)
    Q = frames.to_Q(Orientation(moment.T_PF, np.zeros(3)))
    a, b, c, d = (float(q) + 0.0 for q in Q)
    return motions.Key(
        time=time, position=(x, y, z), orientation=poses.QuaternionForm(value=(a, b, c, d), order="xyzw")
    )


def _position(moment: Moment) -> poses.Position:
    x, y, z = (round(float(p), DECIMALS) + 0.0 for p in moment.p_PF)
    return poses.Position(value=(x, y, z), unit="m")


def _orientation(moment: Moment) -> poses.Axes:
    angles = np.degrees(axes_rotations_angles_branches(Orientation(moment.T_PF, np.zeros(3)), "XYZ")[0])
    a, b, c = (round(float(angle), DECIMALS) + 0.0 for angle in angles)
    return poses.Axes(sequence="XYZ", angles=(a, b, c), unit="deg")


def _is_finite(moment: Moment) -> bool:
    return bool(np.isfinite(moment.T_PF).all() and np.isfinite(moment.p_PF).all())


def _without_pose(scene: Scene, name: str) -> Scene:
    return _left_out(_left_out(scene, name, "position"), name, "orientation")


def _left_out(scene: Scene, name: str, key: str) -> Scene:
    scene = set_frame(scene, name, **{key: None})
    scene.frames[name].__pydantic_fields_set__.discard(key)
    return scene
