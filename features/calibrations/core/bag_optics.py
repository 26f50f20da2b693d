"""Optical frames in the fixed transforms of a bag: cameras that look up, or whose image lies on its side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.kernels import linear_algebra
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.features.bags.core.bag import Bag
from framescope.features.calibrations.core.calibration import Edge
from framescope.features.calibrations.core.rig.bag_rig import fixed_edges
from framescope.features.cameras.core.camera_checks import camera_problems, is_called_optical


def optical_problems(bag: Bag) -> Iterator[Problem]:
    """Yield the problems of the optical frames of an open bag, as those of a scene with its fixed transforms.

    Frames whose names no scene can have are left out.
    """
    edges = {edge.child: edge for edge in fixed_edges(bag)}
    if not any(map(is_called_optical, edges)):
        return
    frames = {name: frame for name, edge in edges.items() if (frame := _frame(edge, edges)) is not None}
    roots = {frame.parent for frame in frames.values()} - set(frames) - {WORLD}
    try:
        scene = Scene.model_validate({"frames": {**{name: Frame(parent=WORLD) for name in roots}, **frames}})
    except ValueError:
        return
    for problem in camera_problems(compile_plan(scene)):
        yield replace(problem, key_path=("bag", problem.name), fix=None, others=())


def _frame(edge: Edge, edges: dict[str, Edge]) -> Frame | None:
    """Return the frame of an edge; None in a loop of frames."""
    at, seen = edge.parent, {edge.child}
    while at in edges:
        if at in seen:
            return None
        seen.add(at)
        at = edges[at].parent
    X = edge.X_PC
    Q = linear_algebra.quaternion_from_matrix(X.R_AB.T, np.array([0.0, 0.0, 0.0, 1.0]))
    x, y, z, w = Q.tolist()
    place = X.p_AB.tolist()
    return Frame(
        parent=edge.parent,
        position=poses.Position(value=(place[0], place[1], place[2]), unit="m"),
        orientation=poses.QuaternionForm(value=(x, y, z, w), order="xyzw"),
    )
