"""Links whose poses with joints at zero differ between a scene and the file of their robot, and their transfer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from framescope.core import frames
from framescope.core.errors import ItemError
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.kinds.orientations import matrix_of
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import ThreeAngles, as_moving
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.system.caches import FileCache
from framescope.core.system.reader_slips import slips_as_errors
from framescope.features.robots.core.robot import Joint, Placement, Robot, Triple
from framescope.features.robots.core.robot_placement import rotation_of
from framescope.features.robots.core.robot_scene import frame_names, pose_of
from framescope.features.robots.core.urdf import read_urdf

SAME = 1e-9
"""Deviation of a link, m or as a sine, that is attributed to rounding."""

CACHED_ROBOTS = 4


def _read(path: Path) -> Robot:
    data = path.read_bytes()
    with slips_as_errors(path.name):
        return read_urdf(data, path.stem)


robot_of = FileCache(_read, CACHED_ROBOTS)
"""Robot in a file, cached until the file changes; raises `FramescopeError` or `OSError`."""


@dataclass(frozen=True)
class MovedLink:
    """Link at another pose in the scene: its joint in the file, its frame, and its placement with the joint at zero."""

    joint: Joint
    frame: str
    placement: Placement


def moved_links(scene: Scene, robot: Robot) -> Iterator[MovedLink]:
    """Yield the links with other poses in the scene than in the file.

    Frames that are missing, have another parent, or have no constant pose are skipped.
    """
    names = frame_names(robot)
    for joint in robot.joints:
        name = names[joint.child]
        frame = scene.frames.get(name)
        if frame is None or frame.parent != names[joint.parent] or name == WORLD:
            continue
        pose = _constant_pose(frame, scene)
        if pose is None:
            continue
        p, T = pose
        there = rotation_of(joint.placement)
        is_placed = np.abs(p - np.array(joint.placement.xyz)).max() <= SAME
        if not is_placed or np.abs(T - there).max() > SAME:
            yield MovedLink(joint, name, _placement(p, T, frame, joint.placement, there))


def as_in_file(frame: Frame, joint: Joint) -> Frame:
    """Return a frame with the pose in the file of its robot."""
    position, orientation = pose_of(joint.placement)
    return frame.model_copy(update={"position": position, "orientation": orientation})


def _constant_pose(frame: Frame, scene: Scene) -> tuple[Array, Array] | None:
    """Return position, m, and matrix from the parent, with joints at zero; None for a pose with expressions."""
    place = frame.position
    try:
        factor = 1.0 if place is None else unit_factor(place.unit, "length", ())
        T = matrix_of(frame.orientation, 0.0, scene.parameters)
    except ItemError:
        return None
    values = (0.0, 0.0, 0.0) if place is None else place.value
    angles = frame.orientation.angles if isinstance(frame.orientation, ThreeAngles) else ()
    if any(isinstance(number, str) for number in (*values, *angles)) or not np.isfinite(T).all():
        return None
    return factor * np.array(values, dtype=float), T


def _placement(p: Array, T: Array, frame: Frame, old: Placement, there: Array) -> Placement:
    """Return the placement of a pose: unchanged parts as in the file, angles as authored in the scene if possible."""
    xyz: Triple = old.xyz if np.abs(p - np.array(old.xyz)).max() <= SAME else tuple(p.tolist())
    if np.abs(T - there).max() <= SAME:
        return Placement(xyz, old.rpy)
    turns = as_moving(frame.orientation) if isinstance(frame.orientation, ThreeAngles) else None
    if turns is not None and turns.sequence == "ZYX":
        factor = unit_factor(turns.unit, "angle", ())
        yaw, pitch, roll = (factor * float(angle) for angle in turns.angles)
    else:
        orientation = frames.Orientation(T, np.zeros(3))
        yaw, pitch, roll = frames.axes_rotations_angles(orientation, (3, 2, 1)).tolist()
    return Placement(xyz, (roll, pitch, yaw))
