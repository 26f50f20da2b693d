"""Names of the frames, on plates beside their origins, kept apart and tied by leader lines if far away.

A name is placed opposite to the sum of its triad's axes as drawn, so that it hides none of them and moves smoothly. The
name of a frame with gimbal rings is outside the rings. Names of frames at one origin share one plate, one below the
other: side by side they would read as one name.

In pictures and films the place is a function of the tick alone, so that they agree at any order of times. In the live
view of a window a name keeps its side of the frame until another side is clearly nearer, so that names do not hop
while the scene plays, see `Look.is_live`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.compile.view_data import ViewRings
from framescope.core.scene.schema.model import WORLD
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.label_layout import FEW, SETTLED, OccupiedAreas, keep_apart, leave_out, thin_out
from framescope.ui.scene_view.base.leader_lines import Leaders, limits_of
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay
from framescope.ui.scene_view.base.scene_options import ALSO_SELECTED, HOVERED, SELECTED, SILENT_NAMES, SceneOption
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.gimbal_geometry import RADII, ring_frames
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, SpriteSheet, TextGround, TextStyle
from framescope.ui.scene_view.visuals.corner_overlay import CLOCK_WIDTH, MARGIN
from framescope.ui.theme.tokens import METRICS

Array = NDArray[np.float64]

ALL_LIMIT = 40
"""Number of names up to which all are drawn; beyond it, only the nearest frames, the world and the selection."""

NEAREST = 16
NAMES_LIMIT = 1 + 1_000  # the world, and a thousand
"""Number of names above which only the world's and the selection's are drawn: rendering all would take seconds."""

APART = 8.0
"""Distance between names of a crowd below which one is left out, logical pixels; pushed aside they would pile up."""

GAP = 12.0
"""Distance from the origin to the edge of the plate, logical pixels."""

TOOLS = (188.0, 48.0)
"""Width and height of the upper right corner taken by the buttons of the window, logical pixels."""
TITLE_HEIGHT, TITLE_ADVANCE = 60.0, 0.57
"""Height taken by title and clock in the upper left corner, logical pixels, and letter width of the title, per size."""

AT_ONE_ORIGIN = 1e-6
"""Distance below which frames share a plate, as a fraction of the length of a triad."""

NEARER, NEARER_BY = 1.6, 14.0
"""Factor and distance, logical pixels, by which a new place must be nearer to the frame than the kept place."""

RING_SIDE = np.array([-0.80, 0.60])
"""Direction of a gimbal's name from its centre."""


def take_corners(occupied: OccupiedAreas, context: ViewContext, projection: Projection) -> None:
    """Occupy the parts of the upper corners taken by title, clock and the buttons of the window."""
    decorations, px, width, height = context.decorations, context.px, projection.width, projection.height
    if decorations.corners and decorations.title and not decorations.title_bar:
        size = METRICS.teach_title if context.has_large_corners else METRICS.scene_title
        title = TITLE_ADVANCE * size * len(context.plan.scene.title or "")
        occupied.add_corner(0.0, height - px(TITLE_HEIGHT), px(MARGIN + title), height)
    has_large_clock = (
        decorations.corners and decorations.clock and context.has_large_corners and not decorations.title_bar
    )
    if decorations.tools or has_large_clock:
        tools = context.px_of_tools(TOOLS[0]) if decorations.tools else 0.0
        side = tools + (px(CLOCK_WIDTH) if has_large_clock else 0.0)
        occupied.add_corner(width - side, height - px(TOOLS[1]), width, height)


class Labels(Visual):
    """Names of all frames that show one."""

    works_unseen = True

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        view_data = context.view_data
        candidates = np.flatnonzero(view_data.has_label)
        self.rows = candidates[:ALL_LIMIT]
        """Frame row of each slot; a slot may be empty."""
        self._places = np.empty((0, 4))
        """Left, bottom, right and top of each name in the last picture, pixels; NaN if invisible."""
        if not len(candidates):
            return
        self._kept: dict[tuple[int, ...], Array] = {}
        """In the live view, the offset of each plate from its frame in the last picture, by the rows of its frames."""
        self._world = context.names.index(WORLD)
        self._levels = _levels(context.plan.tree.parents)
        self._selected: int | None = None
        self._nearest: Nearest | None = None
        if len(candidates) > ALL_LIMIT:
            self.rows = np.full(NEAREST + 2, self._world)
            self._nearest = Nearest(candidates if len(candidates) <= NAMES_LIMIT else candidates[:0])
        self._is_used = np.ones(len(self.rows), dtype=bool)
        theme = context.theme
        self._style, self._plate = TextStyle(theme.text, 13, 500), TextGround(theme.scene_top)
        # A separate sheet if names are added later.
        self._sheet = context.sheet if len(candidates) <= NAMES_LIMIT else SpriteSheet(context.scale)
        self._sprites: dict[int, int] = {}
        for row in {self._world, *(self.rows if self._nearest is None else self._nearest.candidates)}:
            self._add_name(int(row))
        if self._sheet is not context.sheet:
            self._sheet.pack()
        names = [self._sprites[int(row)] for row in self.rows]
        self.batch = SpriteBatch(self._sheet, names)
        self._rings = {rings.i_frame: rings for rings in view_data.rings}
        self.leaders = Leaders(context, len(names), theme.text)
        self.overlay_actors += [*self.leaders.actors, self.batch.actor]

    def _add_name(self, row: int) -> None:
        if row not in self._sprites:
            self._sprites[row] = self._sheet.text(self.context.names[row], self._style, self._plate)

    def apply_option(self, option: SceneOption[Any]) -> None:
        """Draw the name of the selected frame, even among many."""
        if option is not SELECTED or not len(self.rows) or self._nearest is None:
            return
        name = self.context.options[SELECTED]
        row = None if name is None or name not in self.context.plan.index else self.context.plan.index[name]
        self._selected = row if row is not None and self.context.view_data.has_label[row] else None
        if self._selected is not None and self._selected not in self._sprites:
            self._add_name(self._selected)
            self._sheet.pack()
            self.batch.refresh()

    def show(self, tick: Tick) -> None:
        """Store the snapshot; names are placed with the camera."""
        self._snapshot = tick.snapshot

    def occupy(self, projection: Projection) -> None:
        """Keep names and values off title, clock and the buttons of the window."""
        take_corners(self.context.occupied, self.context, projection)

    def place(self, projection: Projection) -> None:
        """Place the names in the picture."""
        if not len(self.rows):
            return
        self._choose(projection)
        snapshot = self._snapshot
        self._p_WF = np.take(snapshot.p_WF, self.rows, axis=0)
        self._R_WF = np.take(snapshot.R_WF, self.rows, axis=0)
        scale = self.context.scale
        origins = projection.project(self._p_WF)
        with np.errstate(invalid="ignore"):
            is_inside = (origins[:, :2] >= 0) & (origins[:, :2] <= (projection.width, projection.height))
            is_visible = snapshot.is_posed[self.rows] & self._is_used & (origins[:, 2] > 0) & is_inside.all(axis=1)
        origins[~is_visible] = 0.0
        is_crowd = int(np.count_nonzero(is_visible)) > FEW
        order = self._sort_by_priority(origins[:, 2])
        names = self._group(is_visible, order, is_crowd=is_crowd)
        first = [slots[0] for slots in names]
        # In one order at all times: under a pointer that makes a frame the first, no other name may come to lie.
        names = [sorted(slots, key=lambda k: (self._levels[self.rows[k]], self.rows[k])) for slots in names]
        plates = _Plates(names, self.batch.sizes)
        anchors, sizes = origins[first, :2], plates.sizes
        is_shown = is_visible[first]
        away = self._away(projection, names)
        # The plate touches a circle of radius GAP about the origin, in any direction.
        reach = GAP * scale + np.abs(away * sizes / 2).max(axis=1)
        centers = anchors + away * reach[:, None]
        for k in np.flatnonzero(is_shown).tolist():
            rings = self._rings.get(int(self.rows[first[k]]))
            if rings is not None:
                radius = rings.radius / projection.metres_per_pixel(self._p_WF[first[k]])
                centers[k] = anchors[k] + RING_SIDE * (radius * 1.12 + sizes[k, 0] / 2)
                anchors[k] = projection.project(self.point_on_inner_ring(first[k], rings, projection))[:2]
        order = [k for slot in order for k in range(len(names)) if first[k] == slot]
        if is_crowd:
            thin_out(centers, sizes + APART * scale, is_shown, order)
        # The name of a frame in the picture is fully inside the picture.
        limits = limits_of(self.context, projection, sizes)
        self._settle(names, anchors, centers, sizes, is_shown, limits)
        # Pushing off occupied areas may move names onto others, and a few names may have no free place.
        thin_out(centers, sizes - 2 * SETTLED, is_shown, order)
        if self.context.staged_rotation is not None:
            # Without free room, names are left out first: the picture is about the rotation.
            leave_out(centers, sizes, is_shown, self.context.occupied)
        corners = np.zeros_like(origins[:, :2])
        is_visible[:] = False
        for slots, at, offsets, is_plate_shown in zip(
            names, centers - sizes / 2, plates.offsets, is_shown, strict=True
        ):
            corners[slots], is_visible[slots] = at + offsets, is_plate_shown
        silent = self.context.options[SILENT_NAMES]
        if silent:
            is_silent = np.array([self.context.names[int(row)] in silent for row in self.rows])
            is_visible &= ~is_silent
            is_shown = is_shown & [not is_silent[slots].all() for slots in names]
        self.batch.move(corners, is_visible)
        self._places = np.hstack([corners, corners + self.batch.sizes])
        self._places[~is_visible] = np.nan
        self.context.occupied.names = self._places[is_visible]
        # The leaders of names that share a plate are hidden.
        self.leaders.place(*(_lengthen(part, len(origins)) for part in (anchors, centers, sizes, is_shown)))

    def _group(self, is_visible: NDArray[np.bool_], order: list[int], *, is_crowd: bool) -> list[list[int]]:
        """Return the slots on each plate: those of visible frames at one origin together, the first in `order` first.

        In a crowd, and for frames with gimbal rings, each name has a plate of its own.
        """
        if is_crowd:
            return [[k] for k in order]
        lengths = self.context.view_data.triad_length[self.rows]
        can_share = [bool(is_visible[k]) and int(self.rows[k]) not in self._rings for k in range(len(self.rows))]
        groups: list[list[int]] = []
        with np.errstate(invalid="ignore"):
            for k in order:
                near = (
                    group
                    for group in groups
                    if can_share[group[0]]
                    and np.linalg.norm(self._p_WF[group[0]] - self._p_WF[k]) <= AT_ONE_ORIGIN * lengths[k]
                )
                group = next(near, None) if can_share[k] else None
                if group is None:
                    groups.append([k])
                else:
                    group.append(k)
        return groups

    def _settle(
        self,
        names: list[list[int]],
        anchors: Array,
        centers: Array,
        sizes: Array,
        is_shown: NDArray[np.bool_],
        limits: tuple[Array, Array],
    ) -> None:
        """Move plates, in place, off occupied areas and each other; in the live view, near their last places."""
        scale, occupied = self.context.scale, self.context.occupied
        padded = sizes + 4 * scale
        if not self.context.is_live:
            keep_apart(centers, padded, is_shown, occupied, limits, scale)
            return
        keys = [tuple(sorted(int(self.rows[slot]) for slot in slots)) for slots in names]
        wanted = centers.copy()
        last = np.array(
            [a + self._kept[key] if key in self._kept else c for key, a, c in zip(keys, anchors, centers, strict=True)]
        )
        kept = last.reshape(-1, 2)
        keep_apart(kept, padded, is_shown, occupied, limits, scale)
        natural = np.linalg.norm(wanted - anchors, axis=1)
        far = np.linalg.norm(kept - anchors, axis=1)
        if (is_shown & (far > NEARER * natural + NEARER_BY * scale)).any():
            keep_apart(centers, padded, is_shown, occupied, limits, scale)
            is_nearer = far > NEARER * np.linalg.norm(centers - anchors, axis=1) + NEARER_BY * scale
            if (is_nearer & is_shown).any():
                kept[is_nearer] = centers[is_nearer]
                keep_apart(kept, padded, is_shown, occupied, limits, scale)
        centers[:] = kept
        self._kept = {key: kept[k] - anchors[k] for k, key in enumerate(keys) if is_shown[k]}

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Yield the frames whose names are under a pixel; names have priority over everything else."""
        names = self.context.names
        yield from ray.on_plates([("frames", names[int(row)]) for row in self.rows], self._places)

    def box_of(self, name: str) -> tuple[float, float, float, float] | None:
        """Return left, bottom, right and top of a name in the picture, device pixels; None if it is not visible."""
        rows = [self.context.names[int(row)] for row in self.rows[: len(self._places)]]
        k = rows.index(name) if name in rows else -1
        if k < 0 or not np.isfinite(self._places[k]).all():
            return None
        left, bottom, right, top = self._places[k].tolist()
        return left, bottom, right, top

    def _choose(self, projection: Projection) -> None:
        """Assign the slots to the world, the selection and the nearest frames, if there are too many for all."""
        if self._nearest is None:
            return
        has_label = self.context.view_data.has_label
        first = [row for row in (self._world, self._selected) if row is not None and has_label[row]]
        chosen = dict.fromkeys([*first, *self._nearest.choose(NEAREST, self._snapshot, projection).tolist()])
        self._is_used[:] = np.arange(len(self.rows)) < len(chosen)
        for k, row in enumerate(chosen):
            self.rows[k] = row
            self.batch.exchange(k, self._sprites[row])

    def _sort_by_priority(self, distances: Array) -> list[int]:
        """Return the slots in the order in which their names are kept in a crowd.

        The selected frames and the hovered one come first, then the world and frames near the root of the tree, then
        frames near the camera.
        """
        options, index = self.context.options, self.context.plan.index
        first = [row for row in (self._row_of(SELECTED), self._row_of(HOVERED)) if row is not None]
        first += [index[name] for name in options[ALSO_SELECTED] if name in index]
        rows = self.rows.tolist()
        others = [row not in first for row in rows]
        keys = list(zip(others, self._levels[self.rows].tolist(), np.round(distances, 6).tolist(), rows, strict=True))
        return sorted(range(len(keys)), key=keys.__getitem__)

    def _row_of(self, option: SceneOption[Any]) -> int | None:
        value = self.context.options[option]
        name = value[1] if isinstance(value, tuple) and value[0] == "frames" else value
        return self.context.plan.index.get(name) if isinstance(name, str) else None

    def point_on_inner_ring(self, k: int, rings: ViewRings, projection: Projection) -> Array:
        """Return the point of the inner ring that is farthest towards its name."""
        plane = self._R_WF[k] @ ring_frames(rings.sequence)[2][:, :2]
        side = (RING_SIDE @ projection.camera.axes()[:2]) @ plane
        length = np.hypot(*side)
        side = side / length if length > 1e-9 else np.array([1.0, 0.0])
        return self._p_WF[k] + RADII[2] * rings.radius * (plane @ side)

    def _away(self, projection: Projection, names: list[list[int]]) -> Array:
        """Return unit directions of plates in the picture, opposite to the sum of the axes; downward if it vanishes."""
        R_CW = projection.camera.axes()
        with np.errstate(invalid="ignore"):
            sums = self._R_WF.sum(axis=-1)
            along = np.array([sums[slots].sum(axis=0) for slots in names]) @ R_CW.T
        away = -along[:, :2] + (0.0, -0.35)
        length = np.hypot(away[:, 0], away[:, 1])
        is_short = ~(length > 1e-6)
        away[is_short], length[is_short] = (0.0, -1.0), 1.0
        return away / length[:, None]


def _lengthen(array: NDArray[Any], n: int) -> NDArray[Any]:
    """Return an array of length n that goes on with zeros; `numpy.pad` takes ten times as long."""
    longer = np.zeros((n, *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer


class _Plates:
    """Sizes of plates with one or several names, and the lower left corner of each name from that of its plate."""

    def __init__(self, names: list[list[int]], sizes: Array) -> None:
        self.sizes = np.zeros((len(names), 2))
        self.offsets: list[Array] = []
        for k, slots in enumerate(names):
            of_names = sizes[slots]
            offsets = np.zeros_like(of_names)
            offsets[:-1, 1] = np.cumsum(of_names[:0:-1, 1])[::-1]
            self.sizes[k] = of_names[:, 0].max(), of_names[:, 1].sum()
            self.offsets.append(offsets)


Rows = NDArray[np.intp]


def _levels(parents: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """Return the depth of each frame in the tree; the maximum for a frame in a cycle or without a root."""
    levels = np.zeros(len(parents), dtype=np.intp)
    above = parents.copy()
    for _ in range(len(parents)):
        is_below = above > 0
        if not is_below.any():
            break
        levels[is_below] += 1
        above[is_below] = parents[above[is_below]]
    levels[0] = 0
    levels[1:] += 1
    return levels


BLOCK = 50
"""Number of frames projected together, so that a tick allocates nothing large."""


class Nearest:
    """Chooses the nearest candidates, by the tick and the camera alone."""

    def __init__(self, candidates: Rows) -> None:
        self.candidates = candidates
        self._depths, self._sorted = np.empty((2, len(candidates)))
        self._is_near = np.empty(len(candidates), dtype=bool)

    def choose(self, count: int, snapshot: Snapshot, projection: Projection) -> Rows:
        """Return the rows of up to `count` frames, in the order of the candidates."""
        for first in range(0, len(self.candidates), BLOCK):
            block = slice(first, first + BLOCK)
            rows = self.candidates[block]
            at = projection.project(np.take(snapshot.p_WF, rows, axis=0))
            with np.errstate(invalid="ignore"):
                is_inside = (at[:, :2] >= 0).all(axis=1) & (at[:, :2] <= (projection.width, projection.height)).all(
                    axis=1
                )
                is_inside &= (at[:, 2] > 0) & snapshot.is_posed[rows]
            self._depths[block] = np.where(is_inside, at[:, 2], np.inf)
        if len(self._depths) > count:
            np.copyto(self._sorted, self._depths)
            self._sorted.partition(count - 1)
            np.less_equal(self._depths, min(self._sorted[count - 1], np.finfo(float).max), out=self._is_near)
        else:
            np.isfinite(self._depths, out=self._is_near)
        return self.candidates[np.flatnonzero(self._is_near)[:count]]
