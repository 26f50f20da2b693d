"""Recorded frames of a scene."""

from __future__ import annotations

from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Recorded, Transforms


def has_recordings(scene: Scene) -> bool:
    """Return whether a frame of a scene is recorded."""
    return any(isinstance(frame.motion, Recorded | Transforms) for frame in scene.frames.values())
