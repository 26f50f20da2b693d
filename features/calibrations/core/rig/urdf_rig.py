"""Fixed joints of a robot as poses of a rig."""

from __future__ import annotations

import numpy as np

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge, Turn
from framescope.features.robots.core.robot import Robot
from framescope.features.robots.core.robot_placement import rotation_of


def calibration_of_robot(robot: Robot) -> Calibration:
    """Return the fixed joints of a robot as a calibration.

    >>> from framescope.features.robots.core.urdf import read_urdf
    >>> robot = read_urdf(b'''<robot name="r"><link name="base"/><link name="cam"/><joint name="mount" type="fixed">
    ... <parent link="base"/><child link="cam"/><origin xyz="0 0 1" rpy="0 0 1.57"/></joint></robot>''')
    >>> [(edge.parent, edge.child, edge.entry) for edge in calibration_of_robot(robot).edges]
    [('base', 'cam', 'joint mount')]
    """
    edges = tuple(
        Edge(
            joint.parent,
            joint.child,
            Transform(rotation_of(joint.placement).T, np.array(joint.placement.xyz)),
            f"joint {joint.name}",
            turn=Turn("angles", joint.placement.rpy, "xyz", "rad"),
        )
        for joint in robot.joints
        if joint.type == "fixed"
    )
    return Calibration("urdf", edges, problems=robot.faults)
