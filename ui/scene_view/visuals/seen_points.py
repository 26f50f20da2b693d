"""Clouds of many points without those that others hide: the same picture for a fraction of the work of software GL.

A point is a square of whole pixels. Of several points with the same square only the nearest is seen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor

from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.point_clouds import is_cloud, keep_depth, points_polydata
from framescope.ui.scene_view.visuals.light_bodies import MANY_POINTS, Placed, light_actor

Array = NDArray[np.float64]


def has_hidden_points(actor: vtkActor) -> bool:
    """Return whether an actor draws a cloud of so many opaque points that hidden ones are worth leaving out."""
    polydata = actor.GetMapper().GetInput()
    is_opaque = actor.GetProperty().GetOpacity() >= 1.0
    return is_cloud(polydata) and is_opaque and polydata.GetNumberOfPoints() > MANY_POINTS


class SeenPoints:
    """A cloud from the present camera; `actor` draws its points that are seen."""

    def __init__(self, whole: vtkActor) -> None:
        polydata = whole.GetMapper().GetInput()
        scalars = polydata.GetPointData().GetScalars()
        self._points: NDArray[Any] = vtk_to_numpy(polydata.GetPoints().GetData())
        self._colors: NDArray[Any] | None = None if scalars is None else vtk_to_numpy(scalars)
        self._size = whole.GetProperty().GetPointSize()
        self._key: tuple[object, ...] = ()
        self.actor = light_actor(whole)
        keep_depth(self.actor.GetMapper())

    def place(self, projection: Projection, R_WB: Array, p_WB: Array) -> None:
        """Choose the points that are seen; nothing happens where camera and pose are as before."""
        key = projection, R_WB.tobytes(), p_WB.tobytes()
        if key == self._key:
            return
        self._key = key
        rows = np.flatnonzero(is_seen(self._points, projection, R_WB, p_WB, self._size))
        colors = None if self._colors is None else self._colors[rows]
        polydata = points_polydata(self._points[rows], colors) if len(rows) else vtkPolyData()
        self.actor.GetMapper().SetInputDataObject(polydata)


def is_seen(points: NDArray[Any], projection: Projection, R_WB: Array, p_WB: Array, size: float) -> NDArray[np.bool_]:
    """Return which points (n, 3) of a body are seen: inside the picture, and the nearest of those on their pixels.

    Parameters
    ----------
    points
        Points in the body, m.
    projection
        Camera and size of the picture.
    R_WB, p_WB
        Pose of the body.
    size
        Width of a point, pixels.
    """
    camera = projection.camera
    to_camera = camera.axes() @ R_WB
    offset = camera.axes() @ (p_WB - np.asarray(camera.position))
    x, y, depth = (to_camera.astype(np.float32) @ points.T.astype(np.float32)) + offset.astype(np.float32)[:, None]
    depth = -depth
    if camera.is_parallel:
        factor: Any = np.float32(projection.focal_length_px / camera.distance)
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = np.float32(projection.focal_length_px) / depth
    center_x, center_y = projection.center_px
    reach = 0.5 * size + 0.5
    with np.errstate(invalid="ignore", over="ignore"):
        column, line = np.ceil(x * factor + (center_x - reach)), np.ceil(y * factor + (center_y - reach))
        is_inside = (column > -reach - 1) & (column < projection.width + reach)
        is_inside &= (line > -reach - 1) & (line < projection.height + reach)
    if not camera.is_parallel:
        is_inside &= depth > 0.0
    rows = np.flatnonzero(is_inside)
    border = int(np.ceil(reach)) + 1
    n_columns = projection.width + 2 * border + 2
    cells = (line[rows].astype(np.int64) + border) * n_columns + column[rows].astype(np.int64) + border
    nearest = np.full((projection.height + 2 * border + 2) * n_columns, np.inf, dtype=np.float32)
    np.minimum.at(nearest, cells, depth[rows])
    is_nearest = depth[rows] == nearest[cells]
    seen = np.zeros(len(points), dtype=bool)
    seen[rows[is_nearest]] = True
    return seen


def with_seen_points(body: Placed) -> dict[vtkActor, SeenPoints]:
    """Return the clouds of a body that are drawn without hidden points, by their actors."""
    return {actor: SeenPoints(actor) for actor in body.actors if has_hidden_points(actor)}
