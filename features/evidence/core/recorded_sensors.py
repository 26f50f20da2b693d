"""Recordings of sensors that a scene has."""

from __future__ import annotations

from collections.abc import Mapping

from framescope.core.scene.schema.measured import MeasuredPose, MeasuredVector
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.motions import Joint, JointRecording, Recorded, Transforms
from framescope.features.evidence.core.readings import Quantity

QUANTITIES: Mapping[str, Quantity] = {
    "angular velocity": "angular velocity",
    "specific force": "specific force",
    "velocity": "velocity",
}
"""Quantities of the vectors of tables that are compared. An acceleration without gravity is no reading of a sensor."""


def has_sensor_recordings(scene: Scene) -> bool:
    """Return whether a scene refers to a bag, or to tables that have two readings of one motion."""
    return has_bag_recordings(scene) or has_table_recordings(scene)


def has_bag_recordings(scene: Scene) -> bool:
    """Return whether a scene refers to a bag, which may have readings of sensors."""
    return any(
        isinstance(frame.motion, Transforms) or joint_states_named(frame) is not None for frame in scene.frames.values()
    )


def has_table_recordings(scene: Scene) -> bool:
    """Return whether the tables of a scene have two readings, one of which is a vector."""
    n_poses = sum(isinstance(frame.motion, Recorded) for frame in scene.frames.values())
    n_poses += sum(isinstance(item, MeasuredPose) and item.motion is not None for item in scene.measured.values())
    vectors = sum(isinstance(item, MeasuredVector) and item.form in QUANTITIES for item in scene.measured.values())
    return vectors > 0 and vectors + n_poses > 1


def joint_states_named(frame: Frame) -> JointRecording | None:
    """Return the recording of a frame's joint in a topic of a bag; None if it has none."""
    recording = frame.motion.recording if isinstance(frame.motion, Joint) else None
    return recording if recording is not None and recording.topic is not None else None
