"""Shapes of a robot on existing frames, such as those that a recording has for its links."""

from __future__ import annotations

from collections.abc import Mapping

from framescope.core.errors import Problem
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.features.robots.core.robot import Robot, robot_problem
from framescope.features.robots.core.robot_scene import bodies_of
from framescope.features.robots.core.robot_size import Bounds


def with_bodies(
    scene: Scene, robot: Robot, frames: Mapping[str, str], meshes: Mapping[str, str], bounds: Bounds
) -> tuple[Scene, tuple[Problem, ...]]:
    """Return a scene with the shapes of a robot, and the faults of missing ones.

    Parameters
    ----------
    scene
        The scene. Its frames stay unchanged.
    robot
        The robot. Links without a frame get no shapes, and a fault reports them.
    frames
        Frames of the scene by link name.
    meshes, bounds
        As in `framescope.features.robots.core.robot_scene.scene_of`.
    """
    made = bodies_of(robot, frames, meshes, bounds, scene.bodies)
    faults = made.faults
    lacking = [link for link in robot.links if link.name not in frames and link.visuals]
    if lacking:
        named = ", ".join(link.name for link in lacking[:3]) + (" and others" if len(lacking) > 3 else "")
        message = f"{named} {'has' if len(lacking) == 1 else 'have'} no frame here, and no shapes."
        faults += (robot_problem(0, "no frame", f"robot {robot.name}", message, "Their poses were not sent.", "note"),)
    hidden = scene.view.hidden
    hidden = hidden.model_copy(update={"bodies": (*hidden.bodies, *made.hidden)})
    view = scene.view.model_copy(update={"hidden": hidden})
    whole = FrozenDict({**scene.bodies, **made.bodies})
    return scene.model_copy(update={"bodies": whole, "view": view}), faults
