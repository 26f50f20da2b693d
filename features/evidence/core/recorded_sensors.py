"""Recordings of sensors that a scene has."""

from __future__ import annotations

from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Transforms


def has_sensor_recordings(scene: Scene) -> bool:
    """Return whether a scene refers to a bag, which may have readings of sensors."""
    return any(isinstance(frame.motion, Transforms) for frame in scene.frames.values())
