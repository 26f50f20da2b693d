"""The picture that a camera or any frame sees: its axes and field of view, the horizon, and what hides the view.

The image has x to the right, y down and z into the picture, as an optical frame.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.conventions.axis_words import axis_name
from framescope.core.conventions.standard_axes import OPTICAL, body_rotation
from framescope.core.errors import ItemError
from framescope.core.evaluation.compile.view_data import place_body
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_axes import axes_of
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.bodies import CameraShape, Frustum
from framescope.features.cameras.core.camera_checks import is_called_optical

USUAL_ANGLE = math.radians(60.0)
"""Vertical field of view of a frame without one, rad."""

USUAL_ASPECT = 4.0 / 3.0
"""Width of its picture, in heights."""

SLIMMEST = 4.0
"""Largest ratio of the sides of a picture."""

AT_EYE = 1e-6
"""Distance below which a frame counts as being at the eye, m."""

VIEWS = ("frustum", "camera")
"""Shapes that are fields of view, which no camera sees."""

Segment = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Eye:
    """A frame that looks.

    Attributes
    ----------
    frame
        Name of the frame.
    R_FE : (3, 3)
        Orientation of the image in the frame. Its columns are image right, image down and the viewing direction.
    p_FE : (3,)
        Position of the eye in the frame, m.
    view_angle
        Vertical field of view, rad.
    aspect
        Width of the picture, in heights.
    center
        Place of the optical axis from the middle of the picture: to the right in half widths, down in half heights.
    view
        Body whose field of view it is, of several on the frame; empty for the first one, or without one.
    """

    frame: str
    R_FE: Array
    p_FE: Array
    view_angle: float = USUAL_ANGLE
    aspect: float = USUAL_ASPECT
    center: tuple[float, float] = (0.0, 0.0)
    view: str = ""

    @property
    def name(self) -> str:
        """Name of the field of view, or of the frame."""
        return self.view or self.frame

    def pose(self, R_WF: Array, p_WF: Array) -> tuple[Array, Array]:
        """Return orientation (3, 3) and position (3,) of the eye in the world for a pose of its frame."""
        return R_WF @ self.R_FE, p_WF + R_WF @ self.p_FE


def eye_of(plan: Plan, name: str, view: str = "") -> Eye:
    """Return how a frame looks, or how the field of view `view` on it does.

    A frame with a field of view (a body of the form `camera` or `frustum`) looks along the z axis of the body, with the
    angles of the body; a very slim one is widened to `SLIMMEST`. A camera has the resolution, the focal lengths and the
    principal point of its calibration, without the distortion. An optical frame looks along z, every other frame along
    x, with the upper edge of the image upward.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.scene.schema.model import Scene
    >>> plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": {"body": {"parent": "world"}}}))
    >>> eye_of(plan, "body").R_FE[:, 2]
    array([1., 0., 0.])
    """
    bodies = plan.scene.bodies
    is_chosen = view in views_on(plan, name)
    for key in (view,) if is_chosen else views_on(plan, name):
        body = bodies[key]
        try:
            placed = place_body(body, plan.context)
        except ItemError:  # reported as a problem of the body
            continue
        size = placed.size
        if isinstance(body.shape, CameraShape):
            left, right, top, bottom = (size[key] for key in ("left", "right", "top", "bottom"))
        else:
            right, bottom = 0.5 * size["width"], 0.5 * size["height"]
            left, top = -right, -bottom
        height = max(bottom - top, (right - left) / SLIMMEST)
        width = max(right - left, height / SLIMMEST)
        angle = 2.0 * math.atan2(0.5 * height, size["depth"])
        center = 0.0 - (left + right) / width, 0.0 - (top + bottom) / height
        return Eye(name, placed.R_FB, placed.p_FB, angle, width / height, center, view if is_chosen else "")
    R_FE = np.eye(3) if is_called_optical(name) else body_rotation(axes_of(plan, name), OPTICAL).T
    return Eye(name, R_FE, np.zeros(3))


def views_on(plan: Plan, name: str = "") -> tuple[str, ...]:
    """Return the fields of view on a frame: its bodies of the form `camera` or `frustum`. Without a name, all."""
    return tuple(
        key
        for key, body in plan.scene.bodies.items()
        if name in ("", body.frame) and isinstance(body.shape, CameraShape | Frustum)
    )


def view_of(plan: Plan, name: str, item: str = "") -> str:
    """Return the field of view that is meant by a selected body `item` on a frame; empty for that of the frame itself.

    It is the body itself, or the first one, where a frame carries several that are not at its origin, such as the
    images of a reconstruction.
    """
    views = views_on(plan, name)
    if len(views) < 2:
        return ""
    if item in views:
        return item
    return views[0] if float(np.linalg.norm(eye_of(plan, name).p_FE)) > AT_EYE else ""


def description(eye: Eye) -> str:
    """Return in words how a frame looks.

    >>> description(Eye("cam0", np.eye(3), np.zeros(3)))
    'cam0 looks along its +z, image up is −y, 75° × 60°'
    """
    down = math.tan(0.5 * eye.view_angle)
    angles = (
        math.degrees(math.atan(half * (1.0 - at)) + math.atan(half * (1.0 + at)))
        for half, at in zip((eye.aspect * down, down), eye.center, strict=True)
    )
    look, up = axis_name(eye.R_FE[:, 2]), axis_name(-eye.R_FE[:, 1])
    sides = " × ".join(f"{angle:.0f}°" for angle in angles)
    if eye.view:
        return f"{eye.view} on {eye.frame}, {sides}"
    return f"{eye.frame} looks along its {look}, image up is {up}, {sides}"


def clear_view(plan: Plan, eye: Eye) -> Plan:
    """Return a plan whose picture leaves out all texts and fields of view, and all that would hide the view of a frame.

    The latter are bodies, axes, links, rings, trails and sensor arrows of the frame and of frames fixed at its origin,
    such as the mount of an optical frame. Bodies of the world, such as a floor, stay. One of several fields of view on
    a frame sees everything on it.
    """
    rows = frames_at(plan, eye.frame) if not eye.view else frozenset[int]()
    is_at = np.zeros(len(plan.names), dtype=bool)
    is_at[sorted(rows)] = True
    view = plan.view_data
    is_linked_here = is_at | is_at[np.maximum(plan.tree.parents, 0)]
    view = replace(
        view,
        has_triad=view.has_triad & ~is_at,
        has_label=np.zeros_like(view.has_label),
        has_link=view.has_link & ~is_linked_here,
        bodies=tuple(body for body in view.bodies if body.i_frame not in rows - {0} and body.kind not in VIEWS),
        rings=tuple(rings for rings in view.rings if rings.i_frame not in rows),
        arcs=tuple(arcs for arcs in view.arcs if arcs.i_frame not in rows),
        intermediate_frames=tuple(frames for frames in view.intermediate_frames if frames.i_frame not in rows),
        trails=tuple(trail for trail in view.trails if trail.i_frame not in rows),
        notes=(),
    )
    sensors = plan.instruments.sensors
    kept = {key: sensor for key, sensor in sensors.items() if plan.index.get(sensor.at) not in rows}
    return replace(plan, view_data=view, instruments=replace(plan.instruments, sensors=kept))


def frames_at(plan: Plan, name: str) -> frozenset[int]:
    """Return the rows of a frame and of the frames that are fixed at its origin."""
    tree = plan.tree
    is_fixed = np.linalg.norm(tree.still_p_PF, axis=1) < AT_EYE  # NaN where the pose depends on time
    is_fixed[[0, *tree.switches]] = False
    rows, n = {plan.index[name]}, 0
    while n < len(rows):
        n = len(rows)
        rows |= {int(tree.parents[row]) for row in rows if is_fixed[row] and tree.parents[row] >= 0}
        rows |= set(np.flatnonzero(is_fixed & np.isin(tree.parents, list(rows))).tolist())
    return frozenset(rows)


def horizon(R_WE: Array, view_angle: float, aspect: float, center: tuple[float, float] = (0.0, 0.0)) -> Segment | None:
    """Return the line where the world's horizon crosses the picture; None if it is outside.

    Parameters
    ----------
    R_WE : (3, 3)
        Orientation of the image in the world, as in `Eye.pose`.
    view_angle, aspect, center
        As in `Eye`.

    Returns
    -------
    Segment or None
        Its two ends. Each has x to the right in widths and y down in heights, from the upper left corner.

    Examples
    --------
    >>> R_WE = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    >>> horizon(R_WE, USUAL_ANGLE, USUAL_ASPECT)
    ((0.0, 0.5), (1.0, 0.5))
    """
    tan_y = math.tan(0.5 * view_angle)
    tan_x = aspect * tan_y
    # A direction ((x - x0) tan_x, (y - y0) tan_y, 1) of the image with x and y in [-1, 1] is horizontal if
    # a x + b y + c = 0.
    a, b = float(R_WE[2, 0]) * tan_x, float(R_WE[2, 1]) * tan_y
    c = float(R_WE[2, 2]) - a * center[0] - b * center[1]
    ends: list[tuple[float, float]] = []
    for side in (-1.0, 1.0):
        if b != 0.0 and abs(y := -(a * side + c) / b) <= 1.0:
            ends.append((side, y))
        if a != 0.0 and abs(x := -(b * side + c) / a) < 1.0:
            ends.append((x, side))
    if len(ends) < 2:
        return None
    (x0, y0), (x1, y1) = min(ends), max(ends)
    return ((0.5 + 0.5 * x0, 0.5 + 0.5 * y0), (0.5 + 0.5 * x1, 0.5 + 0.5 * y1))


def up_in_image(R_WE: Array) -> tuple[float, float]:
    """Return world-up in the image: x to the right and y down, at most of length 1; short if it is along the view.

    >>> up_in_image(np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]))
    (0.0, -1.0)
    """
    return float(R_WE[2, 0]), float(R_WE[2, 1])
