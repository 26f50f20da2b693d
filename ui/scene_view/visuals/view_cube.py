"""View cube in the lower left corner: it rotates with the camera, and a click on a face looks from its direction."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.core.evaluation.frame_axes import DOWNWARD
from framescope.core.scene.schema.model import WORLD
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, rgba, set_colors
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextStyle
from framescope.ui.scene_view.visuals.corner_overlay import MINUS
from framescope.ui.theme.tokens import AXIS_LETTERS, Theme, mix

Array = NDArray[np.float64]

EDGE = 42.0
"""Length of an edge, logical pixels; the drawn cube fills about 64."""
SPAN = 64.0
MARGIN = 24.0
LETTER_SIZE = 20.0
CAPTION_SIZE = 11.0
CAPTION_BOTTOM = 3.0
"""Font size of the caption below the cube, and its distance from the lower edge, logical pixels."""
ABOVE = 92.0
"""Height of title and time above the cube, logical pixels: a lower view has no cube."""
MIN_FACING = 0.02
"""Cosine between face normal and view direction below which a face is neither drawn nor clickable."""

NORMALS = np.array([sign * axis for axis in np.eye(3) for sign in (1.0, -1.0)])
UPS = np.array([(0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 1, 0), (0, -1, 0)], dtype=float)
"""Upward direction of each face seen from the front, as `camera.look_from` orients the picture."""
RIGHTS = np.cross(UPS, NORMALS)
CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
"""Corners of a face, counter-clockwise from the lower left, along right and up."""


class ViewCube(Visual):
    """Six faces with letters, drawn flat in the overlay, without perspective: each face is a parallelogram.

    Where the picture has axes of a frame whose z points down, but not those of the world, a caption states that the
    letters are the axes of the world.
    """

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        if not context.decorations.view_cube:
            return
        theme = context.theme
        corners = np.arange(24).reshape(6, 4)
        self._faces = pv.PolyData(np.zeros((24, 3), dtype=np.float32), faces=pv_cells(corners))
        set_colors(self._faces, np.repeat([rgba(_face_color(theme, axis)) for axis in (0, 0, 1, 1, 2, 2)], 4, axis=0))
        sides = np.stack([corners, np.roll(corners, -1, axis=1)], axis=-1).reshape(-1, 2)
        self._edges = pv.PolyData(np.zeros((24, 3), dtype=np.float32), lines=pv_cells(sides))
        self.corner_points = [actors.points_of(mesh).reshape(6, 4, 3) for mesh in (self._faces, self._edges)]
        edges = actors.lines(self._edges, context.px_of_tools(1), mix(theme.border, theme.quiet, 0.25))
        edges.ForceTranslucentOn()
        letters = [
            context.sheet.text(sign + letter.upper(), TextStyle(color, LETTER_SIZE / context.magnification, 600))
            for letter, color in zip(AXIS_LETTERS, theme.axis_texts, strict=True)
            for sign in ("", MINUS)
        ]
        self.letters = SpriteBatch(context.sheet, letters)
        self.overlay_actors += [actors.overlay_surface(self._faces), edges, self.letters.actor]
        style = TextStyle(theme.quiet, CAPTION_SIZE / context.magnification, 400)
        self.caption = SpriteBatch(context.sheet, [context.sheet.text(WORLD, style)])
        self._is_named = False
        self.overlay_actors.append(self.caption.actor)

    def show(self, tick: Tick) -> None:
        """Decide whether the caption is shown."""
        has_triad, snapshot = tick.plan.view_data.has_triad, tick.snapshot
        is_below_world = tick.plan.tree.parents == 0
        points_down = snapshot.R_WF[:, 2, 2] < DOWNWARD  # not for NaN
        self._is_named = not has_triad[0] and bool((has_triad & is_below_world & points_down).any())

    def occupy(self, projection: Projection) -> None:
        """Keep names off the cube."""
        if not self._has_room(projection):
            return
        side = self.context.px_of_tools(MARGIN + SPAN)
        self.context.occupied.add_corner(0.0, 0.0, side, side)

    def place(self, projection: Projection) -> None:
        """Rotate the cube to the camera's view of the world."""
        faces, is_seen = self._project_faces(projection)
        for points, mesh in zip(self.corner_points, (self._faces, self._edges), strict=True):
            corners = np.where(is_seen[:, None, None], faces, 0.0).astype(np.float32)
            if (corners != points[..., :2]).any():
                points[..., :2] = corners
                actors.touch(mesh)
        # A letter's quad lies on its face, shrunk about the face's centre to the letter's size.
        share = self.letters.sizes / self.context.px_of_tools(EDGE)
        right, up = faces[:, 1] - faces[:, 0], faces[:, 3] - faces[:, 0]
        quads = faces.mean(axis=1)[:, None] + (
            CORNERS[:, :1] * (right * share[:, :1])[:, None] + CORNERS[:, 1:] * (up * share[:, 1:])[:, None]
        )
        self.letters.bend(quads, is_seen)
        px = self.context.px_of_tools
        left = px(MARGIN + SPAN / 2) - self.caption.sizes[0, 0] / 2
        self.caption.move(
            np.array([[left, px(CAPTION_BOTTOM)]]), np.array([self._is_named and self._has_room(projection)])
        )

    def face_at(self, x: float, y: float, projection: Projection) -> Array | None:
        """Return the outward normal of the face under a device pixel, or None."""
        faces, is_seen = self._project_faces(projection)
        for k in np.flatnonzero(is_seen):
            sides = np.stack([faces[k, 1] - faces[k, 0], faces[k, 3] - faces[k, 0]], axis=-1)
            along = np.linalg.solve(sides, np.array([x, y]) - faces[k, 0])
            if np.all((along >= 0.0) & (along <= 1.0)):
                return NORMALS[k].copy()
        return None

    def _project_faces(self, projection: Projection) -> tuple[Array, NDArray[np.bool_]]:
        """Return the corners (6, 4, 2) of the faces in pixels, and which faces look at the camera."""
        R_CW = projection.camera.axes()
        center = self.context.px_of_tools(MARGIN + SPAN / 2)
        corners_W = NORMALS[:, None] / 2 + CORNERS[:, :1] * RIGHTS[:, None] + CORNERS[:, 1:] * UPS[:, None]
        faces = center + self.context.px_of_tools(EDGE) * (corners_W @ R_CW[:2].T)
        return faces, (NORMALS @ R_CW[2] > MIN_FACING) & self._has_room(projection)

    def _has_room(self, projection: Projection) -> bool:
        return projection.height >= self.context.px_of_tools(MARGIN + SPAN + ABOVE)


def _face_color(theme: Theme, axis: int) -> str:
    """Return a muted colour that distinguishes top from sides."""
    ground = theme.raised if theme.is_dark else theme.panel
    return mix(ground, theme.scene_bottom, (0.5, 0.15, 0.35)[axis])
