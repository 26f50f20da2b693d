"""Frames of a scene whose poses are samples: those that an alignment can use."""

from __future__ import annotations

from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Recorded, Transforms


def recorded_frames(scene: Scene) -> tuple[str, ...]:
    """Return the names of the frames with recorded poses."""
    return tuple(name for name, frame in scene.frames.items() if isinstance(frame.motion, Recorded | Transforms))


def has_two_paths(scene: Scene) -> bool:
    """Return whether a scene has two frames with recorded poses."""
    return len(recorded_frames(scene)) >= 2


def first_pair(plan: Plan) -> tuple[str, str] | None:
    """Return the two frames with recorded poses of a scene that has no others; None for more or fewer."""
    names = recorded_frames(plan.scene)
    return (names[0], names[1]) if len(names) == 2 else None
