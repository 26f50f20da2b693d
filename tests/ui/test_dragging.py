"""Turning and moving by the pointer: the geometry, without a window."""

from __future__ import annotations

import math

import numpy as np
import pytest

from framescope.ui.scene_view.camera.camera import CameraState, Projection, look_from
from framescope.ui.scene_view.geometry.drag_geometry import (
    Handle,
    HandleAxes,
    ShiftDrag,
    TurnDrag,
    handle_shapes,
    nearest_handle,
    radius_m,
    snap,
)

CENTER = np.array([0.3, -0.2, 0.4])
XYZ = HandleAxes(np.eye(3), np.ones(3, dtype=bool), np.ones(3, dtype=bool))
PERSPECTIVE = CameraState((2.0, -3.0, 1.5), (0.2, 0.0, 0.3))
PARALLEL = CameraState((2.0, -3.0, 1.5), (0.2, 0.0, 0.3), is_parallel=True)


def seen(camera: CameraState) -> Projection:
    return Projection(camera, 800, 600, 1.0)


def turned_points(projection: Projection, e, begin, angles) -> np.ndarray:
    """Return the pixels of a point of the ring that turns about the axis by some angles."""
    r, angles = radius_m(projection, CENTER), np.asarray(angles)[:, None]
    points = CENTER + r * (np.cos(angles) * begin + np.sin(angles) * np.cross(e, begin))
    return projection.project(points)[:, :2]


@pytest.mark.parametrize("camera", [PERSPECTIVE, PARALLEL], ids=["perspective", "parallel"])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("total", [math.radians(30.0), math.radians(-75.0), math.radians(500.0)])
def test_that_the_angle_swept_in_the_plane_of_the_ring_is_the_turn(camera, axis, total) -> None:
    projection, e = seen(camera), np.eye(3)[axis]
    begin = np.roll(e, 1)
    way = turned_points(projection, e, begin, np.linspace(0.0, total, 60))
    drag = TurnDrag(projection, CENTER, e, *way[0])
    angles = [drag.angle(*at) for at in way]
    assert angles[-1] == pytest.approx(total, abs=1e-6)
    assert drag.start_W == pytest.approx(begin, abs=1e-6)


def test_that_a_ring_seen_from_the_edge_turns_by_the_way_along_it() -> None:
    projection = seen(look_from(PERSPECTIVE, np.array([0.0, -1.0, 0.05])))
    e = np.array([0.0, 0.0, 1.0])
    drag = TurnDrag(projection, CENTER, e, *projection.project(CENTER)[:2])
    # From the front, the near side of a turn about z goes to the right.
    way = turned_points(projection, e, drag.start_W, [0.0, 0.4, -0.7])
    assert way[1, 0] > way[0, 0] + 20.0
    drag = TurnDrag(projection, CENTER, e, *way[0])
    assert [drag.angle(*at) for at in way] == pytest.approx([0.0, 0.4, -0.7], abs=2e-3)
    assert drag.angle(way[0, 0] + 500.0, way[0, 1]) > 2.0


@pytest.mark.parametrize("camera", [PERSPECTIVE, PARALLEL], ids=["perspective", "parallel"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_that_a_point_of_the_arrow_stays_under_the_pointer(camera, axis) -> None:
    projection, e = seen(camera), np.eye(3)[axis]
    begin, end = projection.project(np.array([CENTER + 0.2 * e, CENTER + 0.55 * e]))[:, :2]
    drag = ShiftDrag(projection, CENTER, e, *begin)
    assert drag.distance(*end) == pytest.approx(0.35, abs=1e-9)


def test_that_an_arrow_towards_the_eye_is_not_shown() -> None:
    projection = seen(look_from(PERSPECTIVE, np.array([0.0, -1.0, 0.0])))
    center = np.array(PERSPECTIVE.focal_point)
    shapes = handle_shapes(projection, center, XYZ)
    assert shapes.has_arrow.tolist() == [True, False, True]


def test_that_handles_keep_their_size_on_the_picture_at_any_distance() -> None:
    for camera in (PERSPECTIVE, CameraState((20.0, -30.0, 15.0))):
        projection = seen(camera)
        shapes = handle_shapes(projection, CENTER, XYZ)
        center = projection.project(CENTER)[:2]
        widest = np.hypot(*(shapes.rings - center).reshape(-1, 2).T).max()
        assert widest == pytest.approx(76.0, rel=0.08)


def test_that_the_nearest_handle_is_held_and_far_ones_are_not() -> None:
    projection = seen(PERSPECTIVE)
    shapes = handle_shapes(projection, CENTER, XYZ)
    for axis in range(3):
        assert nearest_handle(shapes, *shapes.arrows[axis, 1], 1.0) == Handle("shift", axis)
    assert nearest_handle(shapes, *projection.project(CENTER)[:2], 1.0) is None
    assert nearest_handle(shapes, 5.0, 5.0, 1.0) is None


def test_that_snapping_rounds_to_whole_steps() -> None:
    assert snap(math.radians(31.0), math.radians(15.0)) == pytest.approx(math.radians(30.0))
    assert snap(0.123, 0.0) == 0.123
