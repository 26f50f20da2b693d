"""Fixed joints and sensors of a robot as poses and lenses of a rig."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge, Lens, Turn
from framescope.features.robots.core.robot import Joint, Placement, Robot
from framescope.features.robots.core.robot_placement import pose_matrix
from framescope.features.robots.core.robot_scene import OPTICAL_ROWS, frame_names, placed_sensors


def calibration_of_robot(robot: Robot, dialect: str = "urdf") -> Calibration:
    """Return the fixed joints and the sensors of a robot as a calibration.

    Frames have the names that they have in the scene of the robot.

    A camera of SDF looks along x of its sensor's frame. Its lens is on a further frame, with the axes of the image.

    >>> from framescope.features.robots.core.urdf import read_urdf
    >>> robot = read_urdf(b'''<robot name="r"><link name="base"/><link name="cam"/><joint name="mount" type="fixed">
    ... <parent link="base"/><child link="cam"/><origin xyz="0 0 1" rpy="0 0 1.57"/></joint></robot>''')
    >>> [(edge.parent, edge.child, edge.entry) for edge in calibration_of_robot(robot).edges]
    [('base', 'cam', 'joint mount')]
    """
    names = frame_names(robot)
    edges = [_edge_of(joint, names) for joint in robot.joints if joint.type == "fixed"]
    lenses: list[Lens] = []
    taken = {*names.values(), *(frame.name for frame in robot.frames)}
    for placed in placed_sensors(robot, taken):
        sensor, entry = placed.sensor, f"sensor {placed.sensor.name}"
        edges.append(_edge(names.get(sensor.link, sensor.link), placed.name, sensor.placement, entry))
        if sensor.camera is not None:
            camera = sensor.camera
            X = Transform(np.array(OPTICAL_ROWS), np.zeros(3))
            edges.append(Edge(placed.name, placed.optical, X, f"{entry}, axes of its image"))
            model = "radtan" if camera.distortion else "none"
            lens = Lens(placed.optical, camera.size, camera.focal, camera.center, model, camera.distortion, sensor.name)
            lenses.append(lens)
    return Calibration(dialect, tuple(edges), tuple(lenses), problems=robot.faults)


def _edge_of(joint: Joint, names: Mapping[str, str]) -> Edge:
    entry = f"joint {joint.name}"
    parent, child = (names.get(link, link) for link in (joint.parent, joint.child))
    if joint.below == Placement(line=joint.below.line):
        return _edge(parent, child, joint.placement, entry)
    M = pose_matrix(joint.placement) @ pose_matrix(joint.below)
    return Edge(parent, child, Transform(M[:3, :3], M[:3, 3]), entry)


def _edge(parent: str, child: str, placement: Placement, entry: str) -> Edge:
    M = pose_matrix(placement)
    turn = Turn("angles", placement.rpy, "xyz", "rad")
    return Edge(parent, child, Transform(M[:3, :3], M[:3, 3]), entry, turn=turn)
