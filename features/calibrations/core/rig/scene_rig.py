"""Rig of an open scene: frames with constant poses and measured poses as edges of one graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import Frame
from framescope.core.scene.schema.sources import PoseSource
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Edge, Turn, inverse_pose
from framescope.features.calibrations.core.rig.rig import MOST_EDGES, RigEdge


def rig_of(plan: Plan) -> tuple[RigEdge, ...]:
    """Return the constant poses of a scene: those of frames in their parents, and measured poses.

    A measured pose without a position or without an orientation is left out, and so is a frame whose parent changes.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> place = {"value": [0, 0, 1], "unit": "m"}
    >>> frames = {"imu": {"parent": "world"}, "cam": {"parent": "imu", "position": place}}
    >>> from framescope.core.scene.schema.model import Scene
    >>> plan = compile_plan(Scene.model_validate({"frames": frames}))
    >>> [(edge.edge.parent, edge.edge.child, edge.label) for edge in rig_of(plan)]
    [('world', 'imu', 'imu'), ('imu', 'cam', 'cam')]
    """
    edges: list[RigEdge] = []
    for row, motion in plan.tree.motions.items():
        name = plan.names[row]
        frame = plan.scene.frames.get(name)
        if frame is None or motion.still is None or not _is_constant(frame):
            continue
        T, p = motion.still
        edges.append(_edge(frame.parent, name, T.T, p, frame, ("frames", name)))
    for name, measurement in plan.instruments.measurements.items():
        item = plan.scene.measured[name]
        if not isinstance(item, MeasuredPose) or item.motion is not None or measurement.pose is None:
            continue
        if not (measurement.has_position and measurement.has_orientation):
            continue
        T, p = measurement.pose(np.zeros(1))
        T, p = np.broadcast_to(T, (1, 3, 3))[0], np.broadcast_to(p, (1, 3))[0]
        if np.isfinite(T).all() and np.isfinite(p).all():
            edges.append(_edge(item.relative_to, item.of, T.T, p, item, ("measured", name)))
    return tuple(edge for edge in edges if edge.edge.parent != edge.edge.child)[:MOST_EDGES]


def _is_constant(frame: Frame) -> bool:
    """Return whether the pose of a frame is written as numbers."""
    return frame.motion is None and not frame.parent_keys


def _edge(parent: str, child: str, R: Any, p: Any, item: Frame | MeasuredPose, key: tuple[str, str]) -> RigEdge:
    source: PoseSource | None = item.source
    X_PC = Transform(np.array(R), np.array(p))
    is_inverse = source is not None and source.maps == "parent to frame"
    edge = Edge(
        parent,
        child,
        inverse_pose(X_PC) if is_inverse else X_PC,
        key[1] if source is None else source.entry,
        is_inverse,
        turn=None if is_inverse else _turn_of(item.orientation),
    )
    return RigEdge(edge, "" if source is None else source.file, key)


def _turn_of(form: Any) -> Turn | None:
    """Return the numbers of an orientation that is written as a quaternion or as angles."""
    match form:
        case poses.QuaternionForm(value=numbers, order="xyzw" | "wxyz" as order):
            return Turn("quaternion", tuple(map(float, numbers)), order)
        case poses.Axes() | poses.Extrinsic() | poses.Rpy():
            if form.unit not in ("deg", "rad") or any(isinstance(angle, str) for angle in form.angles):
                return None
            sequence = "xyz" if isinstance(form, poses.Rpy) else form.sequence
            return Turn("angles", tuple(map(float, form.angles)), sequence, form.unit)
        case _:
            return None
