"""Recordings of sensors that a scene has."""

from __future__ import annotations

from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.motions import Joint, JointRecording, Transforms


def has_sensor_recordings(scene: Scene) -> bool:
    """Return whether a scene refers to a bag, which may have readings of sensors."""
    return any(
        isinstance(frame.motion, Transforms) or joint_states_named(frame) is not None
        for frame in scene.frames.values()
    )


def joint_states_named(frame: Frame) -> JointRecording | None:
    """Return the recording of a frame's joint in a topic of a bag; None if it has none."""
    recording = frame.motion.recording if isinstance(frame.motion, Joint) else None
    return recording if recording is not None and recording.topic is not None else None
