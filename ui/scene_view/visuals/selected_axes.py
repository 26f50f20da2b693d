"""Axes of the selected frame: seen through bodies, and full even where the axes of all frames are thin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from framescope.ui.scene_view.base.scene_options import SELECTED, SceneOption
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, rgba, set_colors, set_normals
from framescope.ui.scene_view.visuals.triads import arrow_template, triad_colors

OPACITY = 0.45
"""Opacity of axes that are seen through bodies."""


class SelectedAxes(Visual):
    """A pale triad that shows through everything, and a full one among thin triads."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._tick: Tick | None = None
        self._row: int | None = None
        self._matrix = vtkMatrix4x4()
        view_data = context.view_data
        if not view_data.has_triad.any():
            return
        template = arrow_template(is_fine=True)
        data = pv.PolyData(template.points.astype(np.float32), faces=pv_cells(template.cells))
        colors = np.array([rgba(color) for color in triad_colors(context.theme)], dtype=np.uint8)
        set_colors(data, colors[template.axis_of])
        if template.normals is not None:
            set_normals(data, template.normals)
        self.scene_actors.append(actors.through(data, OPACITY))
        if view_data.has_thin_triads:
            self.scene_actors.append(actors.surface(data))
        for actor in self.scene_actors:
            actor.SetUserMatrix(self._matrix)
            actor.VisibilityOff()

    def apply_option(self, option: SceneOption[Any]) -> None:
        """Show the axes of another frame."""
        if option is SELECTED:
            name, names = self.context.options[SELECTED], self.context.names
            self._row = names.index(name) if name in names else None
            self._follow()

    def show(self, tick: Tick) -> None:
        """Follow the frame."""
        self._tick = tick
        self._follow()

    def _follow(self) -> None:
        tick, row, view_data = self._tick, self._row, self.context.view_data
        is_seen = tick is not None and row is not None and bool(view_data.has_triad[row] & tick.snapshot.is_posed[row])
        for actor in self.scene_actors:
            actor.SetVisibility(is_seen)
        if tick is None or row is None or not is_seen:
            return
        R_WF, length = tick.snapshot.R_WF[row], float(view_data.triad_length[row])
        actors.set_pose(self._matrix, length * R_WF, tick.snapshot.p_WF[row])
        # A left-handed matrix mirrors the triad, so its back faces become its front faces.
        is_mirrored = bool(np.linalg.det(R_WF) < 0.0)
        for actor in self.scene_actors:
            actor.GetProperty().SetFrontfaceCulling(is_mirrored)
            actor.GetProperty().SetBackfaceCulling(not is_mirrored)
