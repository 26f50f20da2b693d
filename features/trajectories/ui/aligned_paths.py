"""Aligned paths in the scene: the path of a frame before and after its alignment, and directions that stay unknown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.features.trajectories.ui.error_colors import error_colors
from framescope.ui.scene_view.base.label_layout import keep_apart
from framescope.ui.scene_view.base.leader_lines import limits_of
from framescope.ui.scene_view.base.scene_options import SceneOption
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, rgba, set_colors
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextGround, TextStyle

WIDTH, BEFORE_WIDTH, BLIND_WIDTH = 3.0, 1.5, 2.5
BEFORE_OPACITY = 0.45
MOST_POINTS = 5000
"""Largest number of points of a drawn path; longer paths are thinned."""

LEAST_ERROR = 1e-6
"""Error below which a path has the colour of no error, m or rad."""

N_DASHES = 12
"""Number of dashes of a direction that stays unknown."""

REACH, SHARE = 3.0, 0.2
"""Half length of a direction that stays unknown, in lengths of the triad of its frame, and as a share of the size of
the path: the larger of both."""


@dataclass(frozen=True, eq=False)
class BlindLine:
    """Direction that the motion leaves open.

    Attributes
    ----------
    frame
        Frame with which the line moves, and in whose axes the direction is.
    direction : (3,)
        Unit vector.
    label
        Words beside the line.
    origin : (3,)
        Point of the line, in the axes of the frame, m.
    """

    frame: str
    direction: Array
    label: str
    origin: Array


@dataclass(frozen=True, eq=False)
class AlignedPath:
    """Path of a frame before and after its alignment.

    Attributes
    ----------
    before, before_in
        Positions (n, 3) as they are, m, and the frame in which they are.
    after, after_in
        Positions (n, 3) aligned with the reference, m, and the frame in which they are.
    errors : (n,)
        Errors along the aligned path.
    blind
        Directions that the motion leaves open.
    largest
        Error from which the colour is that of the largest.
    """

    before: Array
    before_in: str
    after: Array
    after_in: str
    errors: Array
    blind: tuple[BlindLine, ...] = ()
    largest: float = 0.0

    @property
    def size(self) -> float:
        """Length of the diagonal of the box around the aligned path, m."""
        return float(np.linalg.norm(np.ptp(self.after, axis=0))) if len(self.after) else 0.0


ALIGNED_PATH = SceneOption[tuple[AlignedPath, ...]]((), is_shared=False)
"""Paths of the alignment whose panel is visible: one or none."""


class AlignedPaths(Visual):
    """The path as it is, pale; the aligned path, coloured by its errors; and the unknown directions, dashed."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        index = context.plan.index
        self._shown = [
            path for path in context.options[ALIGNED_PATH] if path.before_in in index and path.after_in in index
        ]
        self._lines: list[tuple[Array, int, pv.PolyData]] = []
        self._blind: list[tuple[BlindLine, int, pv.PolyData]] = []
        for path in self._shown:
            self._add_paths(path)
        self._blind_lines = [line for path in self._shown for line in path.blind if line.frame in index]
        self._size = max((path.size for path in self._shown), default=0.0)
        for line in self._blind_lines:
            self._add_blind(line)
        style, plate = TextStyle(context.theme.text, 12, 600), TextGround(context.theme.scene_top)
        self.labels = [line.label for line in self._blind_lines]
        self._sprites = SpriteBatch(context.sheet, [context.sheet.text(text, style, plate) for text in self.labels])
        self._tips = np.zeros((len(self._blind_lines), 3))
        self._is_posed = np.zeros(len(self._blind_lines), dtype=bool)
        if self._blind_lines:
            self.overlay_actors.append(self._sprites.actor)

    def _add_paths(self, path: AlignedPath) -> None:
        context = self.context
        before = _thinned(len(path.before))
        after = _thinned(len(path.after))
        pale = _polyline(len(before))
        self._lines.append((path.before[before], context.plan.index[path.before_in], pale))
        line = actors.lines(pale, context.px(BEFORE_WIDTH), context.theme.quiet, opacity=BEFORE_OPACITY)
        self.scene_actors.append(line)
        colored = _polyline(len(after))
        errors = path.errors[after]
        set_colors(colored, error_colors(errors, max(path.largest, LEAST_ERROR), context.theme))
        self._lines.append((path.after[after], context.plan.index[path.after_in], colored))
        self.scene_actors.append(actors.lines(colored, context.px(WIDTH)))

    def _add_blind(self, line: BlindLine) -> None:
        context = self.context
        cells = np.arange(2 * N_DASHES).reshape(-1, 2)
        dashes = pv.PolyData(np.zeros((2 * N_DASHES, 3), dtype=np.float32), lines=pv_cells(cells))
        set_colors(dashes, np.tile(rgba(context.theme.amber), (2 * N_DASHES, 1)))
        self._blind.append((line, context.plan.index[line.frame], dashes))
        self.scene_actors.append(actors.lines(dashes, context.px(BLIND_WIDTH)))

    def show(self, tick: Tick) -> None:
        """Move the paths with the frames in which they are."""
        snapshot = tick.snapshot
        for p, row, polydata in self._lines:
            if snapshot.is_posed[row]:
                actors.points_of(polydata)[:] = p @ snapshot.R_WF[row].T + snapshot.p_WF[row]
                actors.touch(polydata)
        share = np.linspace(-1.0, 1.0, 4 * N_DASHES).reshape(-1, 4)[:, 1:3].ravel()
        for i, (line, row, polydata) in enumerate(self._blind):
            self._is_posed[i] = snapshot.is_posed[row]
            if not snapshot.is_posed[row]:
                continue
            length = max(REACH * self.context.view_data.triad_length[row], SHARE * self._size)
            reach = length * (snapshot.R_WF[row] @ line.direction)
            middle = snapshot.p_WF[row] + snapshot.R_WF[row] @ line.origin
            actors.points_of(polydata)[:] = middle + share[:, np.newaxis] * reach
            actors.touch(polydata)
            self._tips[i] = middle + reach

    def place(self, projection: Projection) -> None:
        """Place each word at the end of its line."""
        if not self._blind_lines:
            return
        scale, sizes = self.context.scale, self._sprites.sizes
        with np.errstate(invalid="ignore"):
            tips = projection.project(self._tips)
        is_visible = self._is_posed & (tips[:, 2] > 0.0)
        centers = np.where(is_visible[:, None], tips[:, :2], 0.0)
        limits = limits_of(self.context, projection, sizes)
        keep_apart(centers, sizes + 2 * scale, is_visible, self.context.occupied, limits, scale)
        self._sprites.move(centers - sizes / 2, is_visible)

    def reach_W(self) -> tuple[Array, ...]:
        """Return the corners of both paths."""
        ends: list[Array] = []
        for p, _row, polydata in self._lines:
            if len(p):
                points = actors.points_of(polydata).astype(float)
                ends.append(np.stack([points.min(axis=0), points.max(axis=0)]))
        return tuple(ends)


def _thinned(n: int) -> NDArray[np.intp]:
    """Return the rows of n points that are drawn, with the first and the last."""
    return np.unique(np.linspace(0, max(n - 1, 0), min(n, MOST_POINTS)).round().astype(np.intp))


def _polyline(n: int) -> pv.PolyData:
    starts = np.arange(max(n - 1, 0))
    cells = np.stack([starts, starts + 1], axis=-1)
    return pv.PolyData(np.zeros((n, 3), dtype=np.float32), lines=pv_cells(cells))
