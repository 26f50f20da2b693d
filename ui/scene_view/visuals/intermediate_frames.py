"""Intermediate frames between a parent and a frame with an axis sequence, and the axis of the current turn.

The ghosts x′ y′ z′ and x″ y″ z″ show the orientations after the first and the second turn. They are at the frame's own
origin, paler and thinner than real triads. A ghost that would coincide with another triad, as its turn is zero, is left
out. Each turn keeps the direction of its own axis, where one label shows both letters: y′ = y″. Angles are the authored
ones, as for the gimbal rings.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import starmap

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.core.evaluation.compile.view_data import ViewIntermediateFrames
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import as_sequence
from framescope.ui.scene_view.base.animated_nodes import (
    AnimatedItem,
    AnimatedItems,
    FollowedItems,
    NodeSource,
    PosedItems,
)
from framescope.ui.scene_view.base.node_shapes import NodeShape, shape_of
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual, followed_by_turns
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.gimbal_geometry import ring_rotations
from framescope.ui.scene_view.geometry.instanced_mesh import AxesAlong
from framescope.ui.scene_view.geometry.lathe_meshes import box, cone, cylinder, lathe, merge, pv_cells, rgba, sphere
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextStyle
from framescope.ui.scene_view.visuals.axis_letters import GAP, STYLE, letter_places, letters_all
from framescope.ui.scene_view.visuals.triads import AXIS_TURNS, MergedTriads, TriadTemplate, triad_shapes
from framescope.ui.theme.tokens import AXIS_LETTERS, Theme, channels

Array = NDArray[np.float64]

OPACITIES = (0.50, 0.72)
"""Opacities of the ghosts after the first and after the second turn, increasing towards the frame itself."""

MARKS = ("′", "″")
NONE = math.radians(0.5)
"""Angle below which a turn counts as zero, as the ghost would coincide with another triad, rad."""

LIT_REACH = (-1.0, 1.5)
"""Start and end of the line along the highlighted axis, in lengths of the longest triad there."""

LIT_WIDTH, LIT_OPACITY, LIT_CORE = 8.0, 0.28, 1.5
"""Width and opacity of the wide translucent line, and width of the narrow one on it, logical pixels."""

LIT_RADIUS, LIT_HALO = 0.008, 0.04
"""Radii of core and halo of the highlighted axis of a model, relative to its length."""

TURNING = 1e-9
"""Rate above which an angle counts as changing, rad/s."""


class IntermediateFrames(Visual):
    """Ghosts and highlighted axes of all frames that show their intermediate frames."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        # The frame shown turn by turn has its own ghosts, see `StagedTurns`.
        visible_frames = [
            frames
            for frames in context.view_data.intermediate_frames
            if context.names[frames.i_frame] != context.staged_frame
        ]
        self.turns = [FrameTurns(frames, context) for frames in visible_frames]
        count = len(self.turns)
        if not count:
            return
        theme = context.theme
        ball = theme.quiet
        self.ghosts: list[MergedTriads] = []
        for k, opacity in enumerate(OPACITIES):
            colors = np.array([rgba(color) for color in (*theme.axes, ball)], dtype=np.uint8)
            self.ghosts.append(MergedTriads(ghost_template(), count, colors))
            self.scene_actors.append(actors.surface(self.ghosts[k].polydata, opacity=opacity))
        self._R_WS = np.zeros((2, count, 3, 3))
        self._p_WF = np.zeros((count, 3))
        self._lengths = np.array([frames.length for frames in visible_frames])
        self.is_drawn = np.zeros((2, count), dtype=bool)
        for turns in self.turns:
            self.scene_actors += turns.line.actors
            self.overlay_actors.append(turns.letters.actor)

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        """Return the frames with intermediate frames, with sequence and length."""
        return plan.view_data.intermediate_frames

    def show(self, tick: Tick) -> None:
        """Move the ghosts, and highlight the axis of the current turn."""
        for n, turns in enumerate(self.turns):
            turns.show(tick)
            self.is_drawn[:, n] = turns.is_drawn
            if turns.has_pose:
                self._R_WS[:, n] = turns.rotations[1:3]
                self._p_WF[n] = turns.origin
        for ghost, R_WS, is_drawn in zip(self.ghosts, self._R_WS, self.is_drawn, strict=True):
            ghost.update(R_WS, self._p_WF, self._lengths, is_drawn)

    def place(self, projection: Projection) -> None:
        """Place the letters."""
        for turns in self.turns:
            turns.place(projection)

    def driving_frames(self, plan: Plan, sources: Sequence[AnimatedItems]) -> FollowedItems:
        """Return the turned frame for each intermediate frame."""
        return followed_by_turns("intermediate frames", plan, [turns.name for turns in self.turns], sources)

    def nodes(self) -> Iterator[NodeSource]:
        """Yield the ghosts and highlighted axes of each frame."""
        for turns in self.turns:
            yield IntermediateItems(turns, self.context.theme)


class FrameTurns:
    """Intermediate frames of one frame at a tick, with highlighted line and letters.

    Attributes
    ----------
    name, length, reach
        Name of the frame, length of its ghosts, and length of the longest triad there, m.
    has_pose, is_drawn
        Whether the frame has a pose and angles, and which of the two ghosts are visible.
    rotations, origin
        Orientations before and after each turn, in world, and position of the frame.
    lit
        The axis of the current turn, 0 to 2, and its direction in world; None unless exactly one angle changes.
    """

    def __init__(self, frames: ViewIntermediateFrames, context: ViewContext) -> None:
        self._frames = frames
        self.length = frames.length
        self.context = context
        self._axes = [axis - 1 for axis in as_sequence(frames.sequence)]
        self.name = context.names[frames.i_frame]
        view_data, row = context.view_data, frames.i_frame
        self._parent = int(context.plan.tree.parents[row])
        lengths = np.where(view_data.has_triad, view_data.triad_length, 0.0)
        self._real_lengths = np.array([lengths[self._parent] if self._parent >= 0 else 0.0, lengths[row]])
        self._is_lettered = letters_all(view_data)
        self.reach = max(frames.length, float(self._real_lengths.max()))
        self.line = LitAxis(context)
        self._texts = _texts(context)
        self.letters = SpriteBatch(context.sheet, [row[0] for row in self._texts for _ in range(2)])
        self.has_pose = False
        self.is_drawn = (False, False)
        self.lit: tuple[int, Array] | None = None

    def show(self, tick: Tick) -> None:
        """Compute the intermediate frames of a tick and their visibility."""
        snapshot, row = tick.snapshot, self._frames.i_frame
        angles, rates = tick.plan.turn_angles(self.name, self._frames.sequence, snapshot)
        self.has_pose = bool(snapshot.is_posed[row]) and bool(np.isfinite(angles).all())
        self.is_drawn = self.is_named = (False, False)
        if not self.has_pose:
            self._light(None)
            return
        R_WP = snapshot.R_WF[self._parent]
        self.rotations = [R_WP @ R_PS for R_PS in ring_rotations(self._frames.sequence, angles)]
        self.origin = snapshot.p_WF[row]
        reach = float(np.abs(snapshot.p_WF[self._parent] - self.origin).max())
        has_parent = self._real_lengths[0] > 0.0 and reach <= 1e-6 * self._frames.length
        self._is_real = np.array([has_parent and self._is_lettered, self._real_lengths[1] > 0 and self._is_lettered])
        self._decide(angles, has_parent)
        turning = np.flatnonzero(np.abs(rates) > TURNING)
        self._light(int(turning[0]) if len(turning) == 1 else None)

    def _decide(self, angles: Array, has_parent: bool) -> None:
        """Choose the ghosts to draw and name: none that coincides with another triad."""
        first, second, third = (bool(is_none) for is_none in np.abs(np.sin(angles / 2)) < math.sin(NONE / 2))
        has_frame = self._real_lengths[1] > 0.0
        if first and second and third:
            return
        self.is_named = (not (first and has_parent), not second)
        in_frame = (second and third and has_frame, third and has_frame)
        self.is_drawn = tuple(named and not hidden for named, hidden in zip(self.is_named, in_frame, strict=True))

    def _light(self, turn: int | None) -> None:
        self.lit = None
        self.line.hide()
        if turn is not None:
            axis = self._axes[turn]
            self.lit = axis, self.rotations[turn][:, axis]
            self.line.show(axis, self.origin, self.lit[1] * self.reach)

    def place(self, projection: Projection) -> None:
        """Place a letter beyond each tip of a ghost, or after the letter of a real axis with the same direction."""
        at, is_visible = np.zeros((6, 2)), np.zeros(6, dtype=bool)
        if any(self.is_named):
            R_WS = np.stack(self.rotations)
            lengths = np.array([self._real_lengths[0], *[self._frames.length] * 2, self._real_lengths[1]])
            centers, is_before = letter_places(projection, R_WS, np.tile(self.origin, (4, 1)), lengths)
            for axis in range(3):
                self._place_axis(axis, R_WS[:, :, axis], centers[:, axis], is_before[:, axis], at, is_visible)
        self.letters.move(at, is_visible)

    def _place_axis(
        self,
        axis: int,
        directions: Array,
        centers: Array,
        is_before: NDArray[np.bool_],
        at: Array,
        is_visible: NDArray[np.bool_],
    ) -> None:
        named = [k for k in (1, 2) if self.is_named[k - 1] and is_before[k]]
        is_shared = len(named) == 2 and _is_same(directions[1], directions[2])
        nearest = 1.3 * GAP * self.context.scale
        real = [k for k, is_real in zip((0, 3), self._is_real, strict=True) if is_real]
        for k in named[:1] if is_shared else named:
            slot = 2 * axis + k - 1
            near = [r for r in real if math.hypot(*(centers[r] - centers[k])) < nearest]
            equal = [r for r in near if _is_same(directions[r], directions[k])]
            if near and not equal:
                continue  # two letters at one place would be unreadable
            text = (2 if is_shared else k - 1) + (3 if equal else 0)
            self.letters.exchange(slot, self._texts[axis][text])
            size = self.letters.sizes[slot]
            if equal:
                at[slot] = centers[equal[0]] + (0.55 * GAP * self.context.scale, -size[1] / 2)
            else:
                at[slot] = centers[k] - size / 2
            is_visible[slot] = True


class LitAxis:
    """The highlighted axis of a turn: a wide translucent line with a narrow one on it."""

    def __init__(self, context: ViewContext) -> None:
        self._axes = context.theme.axes
        self._line = pv.PolyData(np.zeros((2, 3), dtype=np.float32), lines=pv_cells(np.array([[0, 1]])))
        self._ends = actors.points_of(self._line)
        wide = actors.lines(self._line, context.px(LIT_WIDTH), self._axes[0], opacity=LIT_OPACITY)
        self.actors = [wide, actors.lines(self._line, context.px(LIT_CORE), self._axes[0])]

    def hide(self) -> None:
        """Hide the line."""
        for actor in self.actors:
            actor.SetVisibility(False)

    def show(self, axis: int, origin: Array, along: Array) -> None:
        """Highlight axis 0, 1 or 2 through a point; `along` is as long as the longest triad there."""
        for end, reach in zip(self._ends, LIT_REACH, strict=True):
            end[:] = origin + reach * along
        actors.touch(self._line)
        for actor in self.actors:
            actor.SetVisibility(True)
            actor.GetProperty().SetColor(*channels(self._axes[axis]))


def _is_same(a: Array, b: Array) -> bool:
    return float(a @ b) > math.cos(NONE)


def _texts(context: ViewContext) -> list[tuple[int, ...]]:
    """Return for each axis the sprites of x′, x″ and x′ = x″, and of the same texts after the letter of a real axis."""

    def texts(letter: str, color: str) -> tuple[int, ...]:
        style = TextStyle(color, *STYLE)
        first, second = (letter + mark for mark in MARKS)
        alone = first, second, f"{first} = {second}"
        return tuple(context.sheet.text(text, style) for text in (*alone, *(f" = {text}" for text in alone)))

    return list(starmap(texts, zip(AXIS_LETTERS, context.theme.axis_texts, strict=True)))


@cache
def ghost_template() -> TriadTemplate:
    """Return a triad of the shapes of a real one, but thinner, so that a coinciding real one hides it."""
    tips = ((0.85, cone(0.058, 0.85, 1.0)), (0.90, box((0.1, 0.1, 0.1), (0, 0, 0.95))), (0.885, sphere(0.058, 0.942)))
    ends = zip(AXIS_TURNS, tips, strict=True)
    parts = [merge([lathe([(0.014, 0.0), (0.014, end)], 12), tip]).transform(turn) for turn, (end, tip) in ends]
    mesh = merge(parts)
    axis_of = np.repeat(np.arange(3), [len(part.points) for part in parts])
    return TriadTemplate(mesh.points, mesh.normals, mesh.triangles, axis_of)


class IntermediateItems(PosedItems):
    """Intermediate frames of a frame, and the axis of the current turn, for animated models."""

    def __init__(self, turns: FrameTurns, theme: Theme) -> None:
        self._turns = turns
        items = [
            AnimatedItem(f"stage {k + 1} of {turns.name}", triad_shapes(ghost_template(), theme, opacity, length))
            for k, (opacity, length) in enumerate(zip(OPACITIES, (turns.length,) * 2, strict=True))
        ]
        for axis in range(3):
            core, halo = _axis_shapes(theme.axes[axis], turns.reach)
            items.append(AnimatedItem(f"lit {'xyz'[axis]} of {turns.name}", (core, halo)))
        super().__init__(items)

    def take(self) -> None:
        """Record the current stages."""
        turns = self._turns
        if turns.has_pose:
            self.p[:] = turns.origin
            self.R[0], self.R[1] = turns.rotations[1:3]
            self.is_seen[0], self.is_seen[1] = turns.is_drawn
            if turns.lit is not None:
                axis, along = turns.lit
                self.is_seen[2 + axis] = True
                self.R[2 + axis] = _toward(along)
        self.end()


def _axis_shapes(color: str, reach: float) -> tuple[NodeShape, NodeShape]:
    low, high = (end * reach for end in LIT_REACH)
    opaque, pale = rgba(color), rgba(color, LIT_OPACITY)
    core, halo = (cylinder(part * reach, low, high, 12) for part in (LIT_RADIUS, LIT_HALO))
    return shape_of(core, opaque), shape_of(halo, pale)


def _toward(along: Array) -> Array:
    """Return a rotation that maps z to a direction."""
    axes = AxesAlong(1)
    axes.turn(along[None])
    return axes.axes[:, 0].T
