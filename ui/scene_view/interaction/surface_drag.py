"""Drag of a point over a body: along its surface under the pointer, elsewhere in a plane facing the eye.

Knows neither Qt nor VTK.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.compile.view_data import ViewBody
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.lathe_meshes import Mesh
from framescope.ui.scene_view.geometry.mesh_files import coarse
from framescope.ui.scene_view.geometry.ray_casting import first_meeting
from framescope.ui.scene_view.visuals.bodies import body_pose, mesh_or_none

Array = NDArray[np.float64]
Surface = Callable[[Array, Array], "Array | None"]
"""Maps start and direction (3,) of a ray, a unit vector, in world, to its first intersection with a surface."""


class PointDrag:
    """A point `p_W` (3,) that follows the pointer from the pixel at which it was pressed.

    Parameters
    ----------
    projection
        From world to pixels; the camera must stay unchanged until the end.
    p_W
        Position of the point.
    x, y
        The pixel; the point keeps its distance from the pointer.
    surface
        The surface along which the point moves.
    """

    def __init__(self, projection: Projection, p_W: Array, x: float, y: float, surface: Surface) -> None:
        self._projection, self._surface = projection, surface
        self._off = projection.project(p_W)[:2] - (x, y)
        self.p_W = p_W.copy()

    def move(self, x: float, y: float, *, is_free: bool = False) -> Array:
        """Move the point with the pointer and return it; `is_free` ignores the surface."""
        x, y = x + self._off[0], y + self._off[1]
        start, ray = self._projection.ray_start(x, y), self._projection.ray(x, y)
        met = None if is_free else self._surface(start, ray)
        if met is None:
            met = self._in_plane(start, ray)
        if met is not None:
            self.p_W = met
        return self.p_W

    def _in_plane(self, start: Array, ray: Array) -> Array | None:
        """Return the intersection of a ray with the plane through the point that faces the eye."""
        facing = self._projection.camera.direction
        slope = float(ray @ facing)
        far = float((self.p_W - start) @ facing) / slope if abs(slope) > 1e-9 else -1.0
        return start + far * ray if far > 0.0 else None


class Surfaces:
    """Surfaces of a plan's bodies; meshes are built when they are first needed."""

    def __init__(self) -> None:
        self._meshes: dict[tuple[object, ...], Mesh | None] = {}

    def of(self, tick: Tick, frame: str) -> Surface:
        """Return the current surface of the bodies on a frame."""
        row = tick.plan.index[frame]
        R_WF, p_WF = tick.snapshot.R_WF[row], tick.snapshot.p_WF[row]
        bodies = [body for body in tick.plan.view_data.bodies if body.i_frame == row]

        def meet(start: Array, ray: Array) -> Array | None:
            nearest = np.inf
            for body in bodies:
                mesh = self._mesh_of(body)
                if mesh is None:
                    continue
                R_WB, p_WB = body_pose(body, R_WF, p_WF)
                far = first_meeting(mesh, R_WB.T @ (start - p_WB), R_WB.T @ ray)
                if far is not None:
                    nearest = min(nearest, far)
            return start + nearest * ray if np.isfinite(nearest) else None

        return meet

    def _mesh_of(self, body: ViewBody) -> Mesh | None:
        made_of = body.kind, tuple(body.size.items()), body.file
        if made_of not in self._meshes:
            mesh = mesh_or_none(body)
            self._meshes[made_of] = None if mesh is None else coarse(mesh)
        return self._meshes[made_of]
