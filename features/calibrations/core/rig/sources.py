"""Poses of a scene that come from calibrations."""

from __future__ import annotations

from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import Scene


def has_calibration(scene: Scene) -> bool:
    """Return whether a frame or a measured pose of a scene comes from a calibration."""
    measured = (item.source for item in scene.measured.values() if isinstance(item, MeasuredPose))
    return any(source is not None for source in (*(frame.source for frame in scene.frames.values()), *measured))
