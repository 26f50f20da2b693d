"""Joints of a scene."""

from __future__ import annotations

from framescope.core.scene.edits.joints import joint_of
from framescope.core.scene.schema.model import Scene


def has_joints(scene: Scene) -> bool:
    """Return whether a scene has joints."""
    return any(map(joint_of, scene.frames.values()))
