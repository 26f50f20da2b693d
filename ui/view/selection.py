"""The outline of the selected frame: the back faces of a slightly larger copy, which only its rim lets be seen.

It goes around the inner ring of a frame with gimbal rings, else around the frame's bodies, else around
its triad. The copy is larger by a constant width on the picture, so it follows the camera.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor

from framescope.core.staging import StagedBody
from framescope.ui.view import actors
from framescope.ui.view.bodies import LINE_WIDTH, body_mesh, body_pose, frustum_edges
from framescope.ui.view.camera import Projection
from framescope.ui.view.context import Tick, ViewContext, Visual
from framescope.ui.view.meshes import Mesh, pv_cells, welded_normals
from framescope.ui.view.rings import RADII, ring_band
from framescope.ui.view.triads import arrow_template

Array = NDArray[np.float64]

WIDTH = 1.6
"""Of the outline, logical pixels."""


class Selection(Visual):
    """The outline of at most one frame: a hull of all that is solid, and wide lines behind those of a frustum."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        self._context = context
        color = context.theme.text
        self._hull = _Part(actors.surface(pv.PolyData(), color))
        prop = self._hull.actor.GetProperty()
        prop.LightingOff()
        prop.FrontfaceCullingOn()
        self._wires = _Part(actors.lines(pv.PolyData(), context.px(LINE_WIDTH + 2 * WIDTH), color))
        self.scene_actors += [self._hull.actor, self._wires.actor]
        self._row: int | None = None
        self._inflated: _Inflated | None = None
        self._has_wires = False
        self._tick: Tick | None = None

    def select(self, name: str | None) -> None:
        """Build the outline of another frame."""
        names = self._context.names
        self._row = names.index(name) if name in names else None
        self._inflated, self._has_wires = None, False
        if self._row is not None:
            self._build(self._row)
        self._pose()

    def show(self, tick: Tick) -> None:
        """Follow the frame."""
        self._tick = tick
        self._pose()

    def place(self, projection: Projection) -> None:
        """Keep the width constant on the picture."""
        if self._inflated is not None and self._hull.actor.GetVisibility():
            R_WF, p_WF = self._pose_of_frame()
            self._inflated.inflate(projection, R_WF, p_WF, self._context.px(WIDTH))

    def _build(self, row: int) -> None:
        staging = self._context.staging
        rings = [rings for rings in staging.rings if rings.i_frame == row]
        bodies = [body for body in staging.bodies if body.i_frame == row]
        solids: list[Mesh] = []
        if rings:
            solids = [ring_band(item, 2) for item in rings]
        elif bodies:
            solids = [_in_frame(body) for body in bodies if body.kind != "frustum"]
            self._build_wires([body for body in bodies if body.kind == "frustum"])
        elif staging.has_triad[row]:
            template = arrow_template(is_fine=True)
            solids = [Mesh(template.points, template.normals, template.cells).moved(scale=staging.triad_length[row])]
        if solids:
            self._inflated = _Inflated.of(solids)
            self._hull.actor.GetMapper().SetInputData(self._inflated.polydata)

    def _build_wires(self, bodies: list[StagedBody]) -> None:
        # The faces of a frustum let its hull shine through: its lines are widened instead.
        if bodies:
            parts = [frustum_edges(body).transform(_matrix(body), inplace=True) for body in bodies]
            self._wires.actor.GetMapper().SetInputData(pv.merge(parts) if len(parts) > 1 else parts[0])
            self._has_wires = True

    def _pose(self) -> None:
        is_posed = self._row is not None and self._tick is not None and bool(self._tick.snapshot.is_posed[self._row])
        self._hull.actor.SetVisibility(is_posed and self._inflated is not None)
        self._wires.actor.SetVisibility(is_posed and self._has_wires)
        if is_posed:
            for part in (self._hull, self._wires):
                actors.set_pose(part.matrix, *self._pose_of_frame())

    def _pose_of_frame(self) -> tuple[Array, Array]:
        snapshot = self._tick.snapshot
        return snapshot.R_WF[self._row], snapshot.p_WF[self._row]
