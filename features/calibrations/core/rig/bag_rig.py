"""Fixed transforms of a bag, and the fixed joints of the robots that it describes, as poses of a rig."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from framescope.core.errors import FramescopeError, Problem
from framescope.core.kernels import linear_algebra
from framescope.core.transform import Transform
from framescope.features.bags.core.bag import Bag
from framescope.features.bags.core.tf_log import namespaces, read_tf
from framescope.features.bags.core.tf_tracks import WORLD_FRAMES, Track, Tracks, keeps_pose, tracks_of
from framescope.features.bags.core.topic_series import descriptions_in
from framescope.features.calibrations.core.calibration import Calibration, Edge, Turn
from framescope.features.calibrations.core.rig.robot_rig import calibration_of_robot
from framescope.features.robots.core.urdf import read_urdf

DIALECT = "bag"
"""Dialect of the calibration of a bag."""


def calibration_of_bag(bag: Bag, name: str) -> Calibration:
    """Return the fixed transforms of an open bag, and the fixed joints of its robot descriptions, as a calibration.

    Transforms below a frame of a world, such as ``map``, are places and no mounts.

    Parameters
    ----------
    bag
        An open bag.
    name
        Name of its file, for messages.

    Raises
    ------
    FramescopeError
        When it has neither.
    """
    edges: list[Edge] = []
    problems = [
        Problem((), f"the bag is damaged: {text}.", severity="amber", kind="bag-damaged") for text in bag.damages
    ]
    edges += fixed_edges(bag)
    for topic, text in descriptions_in(bag, []).items():
        try:
            robot = calibration_of_robot(read_urdf(text.encode(), topic.strip("/").replace("/", " ")))
        except FramescopeError as error:
            problems.append(Problem((topic,), str(error), "It is left out.", "amber", kind="robot-unread"))
            continue
        edges += [replace(edge, entry=f"{topic}: {edge.entry}") for edge in robot.edges]
    if not edges:
        raise FramescopeError(
            f"{name} has no poses of a rig: neither fixed transforms, as on /tf_static, nor a robot description."
        )
    return Calibration(DIALECT, tuple(edges), problems=tuple(problems))


def fixed_edges(bag: Bag) -> Iterator[Edge]:
    """Yield the fixed transforms of an open bag; those below a frame of a world are left out."""
    for namespace in namespaces(bag.channels):
        yield from _fixed_edges(tracks_of(read_tf(bag, namespace)), namespace)


def _fixed_edges(tracks: Tracks, namespace: str) -> Iterator[Edge]:
    for track in tracks.by_frame:
        parent, child = tracks.names[int(track.parent[-1])], tracks.names[track.child]
        if parent.rpartition("/")[2] in WORLD_FRAMES or parent == child:
            continue
        if track.is_static or (len(track.rows) > 1 and keeps_pose(track)):
            topic = "tf_static" if track.is_static else "tf"
            yield _edge(track, parent, child, f"{namespace}/{topic}: {child} in {parent}")


def _edge(track: Track, parent: str, child: str, entry: str) -> Edge:
    Q = track.quaternion[-1] / np.linalg.norm(track.quaternion[-1])
    R = linear_algebra.matrix_from_quaternion(Q).T
    turn = Turn("quaternion", tuple(Q.tolist()), "xyzw")
    return Edge(parent, child, Transform(R, track.position[-1]), entry, turn=turn)
