"""Staged rotation: ghosts of the frame at the end of each turn, and the highlighted axis of the current turn.

It is drawn for one frame, over the scene's other visuals of that frame. The axes get a prime with each turn; the frame
itself has the primes of the current turn. A turn keeps the direction of its own axis, where one text shows both
letters: y′ = y″.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.staged_rotation import N_TURNS, PRIMES, StagedRotation
from framescope.core.evaluation.compile.view_data import ViewArcs
from framescope.core.evaluation.evaluate import Plan
from framescope.ui.scene_view.base.label_layout import leave_out
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextStyle, letter_ground
from framescope.ui.scene_view.visuals import intermediate_frames
from framescope.ui.scene_view.visuals.angle_arcs import ArcSet
from framescope.ui.scene_view.visuals.axis_letters import GAP, letter_places
from framescope.ui.scene_view.visuals.frame_names import take_corners
from framescope.ui.scene_view.visuals.remaining_arc import Remaining
from framescope.ui.scene_view.visuals.triads import MergedTriads
from framescope.ui.theme.tokens import AXIS_LETTERS

Array = NDArray[np.float64]

OPACITIES = (0.38, 0.52, 0.70)
"""Opacities of the ghosts before the first, second and third turn, increasing towards the frame itself."""

GHOST_SHARE, ARC_SHARE = 0.8, 0.6
"""Default length of the ghosts and radius of the arcs, relative to the triad."""

ARC_NUMBER, ARC_BASE = 15, 16
"""Font sizes of the values, logical pixels, readable from the last row."""

STYLE = (15.0, 600)
"""Font size and weight of the letters."""

SAME = math.cos(math.radians(0.5))
"""Cosine of the angle below which two axes count as equal."""

EMPTY = 2.0
"""Empty margin around a letter in its sprite, logical pixels."""

NEAREST = 1.6
"""Distance between the centres of two texts below which they would overlap, in gaps."""


def lengths_of(plan: Plan, name: str) -> tuple[float, float, float]:
    """Return the axis lengths of triad and ghosts of a frame shown turn by turn, and the radius of its arcs, m."""
    view_data, row = plan.view_data, plan.index[name]
    triad = float(view_data.triad_length[row])
    ghosts = [stages.length for stages in view_data.intermediate_frames if stages.i_frame == row]
    arcs = [arcs.radius for arcs in view_data.arcs if arcs.i_frame == row]
    return triad, next(iter(ghosts), GHOST_SHARE * triad), next(iter(arcs), ARC_SHARE * triad)


class StagedTurns(Visual):
    """Ghosts, highlighted axis, letters and arcs of the frame that is shown turn by turn."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._step: StagedRotation | None = None
        self.texts: list[str] = []
        """Texts displayed at the axes."""
        if context.staged_rotation is None:
            return
        theme, sequence = context.theme, context.staged_rotation.sequence
        self._row = context.plan.index[context.staged_frame]
        self._parent = int(context.plan.tree.parents[self._row])
        self._triad, self._ghost, radius = lengths_of(context.plan, context.staged_frame)
        colors = np.array([rgba(color) for color in (*theme.axes, theme.quiet)], dtype=np.uint8)
        self.ghosts = [MergedTriads(intermediate_frames.ghost_template(), 1, colors) for _ in OPACITIES]
        self._ghost_actors = [
            actors.surface(ghost.polydata, opacity=opacity)
            for ghost, opacity in zip(self.ghosts, OPACITIES, strict=True)
        ]
        self.lit = intermediate_frames.LitAxis(context)
        self.letter_sprites = _texts(context)
        self.letters = SpriteBatch(
            context.sheet, [self.letter_sprites[axis][0, 0][0] for axis in range(3)] * (N_TURNS + 1)
        )
        self.arcs = ArcSet(ViewArcs(self._row, sequence, radius), context, ARC_NUMBER, ARC_BASE, context.occupied)
        self.remaining = Remaining(radius, context)
        self.scene_actors += [*self._ghost_actors, *self.lit.actors, *self.arcs.actors, *self.remaining.scene_actors]
        self.overlay_actors += [*self.arcs.labels.actors, *self.remaining.overlay_actors, self.letters.actor]

    def show(self, tick: Tick) -> None:
        """Place the ghosts at the ends of the completed turns, and highlight the axis of the current turn."""
        step, snapshot = tick.staged_rotation, tick.snapshot
        self._step = step if step is not None and snapshot.is_posed[self._row] else None
        self.arcs.show(tick)
        for actor in self._ghost_actors:
            actor.SetVisibility(self._step is not None)
        if self._step is None:
            self._light(None)
            return
        R_WP = snapshot.R_WF[self._parent]
        self._R_WS = R_WP @ np.stack(self._step.stages)
        self._R_WP = R_WP
        self._origin = snapshot.p_WF[self._row]
        for j, ghost in enumerate(self.ghosts):
            is_drawn = np.array([j <= self._step.turn])
            ghost.update(self._R_WS[j][None], self._origin[None], np.array([self._ghost]), is_drawn)
        self._light(self._step)
        self.remaining.show(self._step, R_WP, self._origin)

    def _light(self, step: StagedRotation | None) -> None:
        if step is None or step.turn < 0:
            self.lit.hide()
            self.remaining.hide()
        else:
            axis = step.axes[step.turn]
            self.lit.show(axis, self._origin, self._R_WP @ step.turn_axis(step.turn) * self._triad)

    def place(self, projection: Projection) -> None:
        """Place the values at the arcs."""
        self.arcs.place(projection)

    def occupy(self, projection: Projection) -> None:
        """Place the letters beyond the tips, and keep names off them."""
        at, is_visible = np.zeros((3 * (N_TURNS + 1), 2)), np.zeros(3 * (N_TURNS + 1), dtype=bool)
        texts = [""] * len(at)
        if self._step is not None:
            last = self._step.turn + 1
            lengths = np.array([self._ghost] * last + [self._triad])
            R_WS = self._R_WS[: last + 1]
            centers, is_before = letter_places(projection, R_WS, np.tile(self._origin, (last + 1, 1)), lengths)
            origin = projection.project(self._origin)[:2]
            for axis in range(3):
                for first, end in self._direction_runs(R_WS[:, :, axis], centers[:, axis]):
                    if is_before[end, axis]:
                        slot = 3 * end + axis
                        sprite, text = self.letter_sprites[axis][first, end]
                        self.letters.exchange(slot, sprite)
                        size, out = self.letters.sizes[slot], centers[end, axis] - origin
                        # A text longer than a letter is moved outward by the difference.
                        out *= (size[0] - size[1] / 2) / 2 * abs(out[0]) / max(float(out @ out), 1.0)
                        low = centers[end, axis] + out - size / 2
                        at[slot] = np.clip(low, 0.0, np.maximum((projection.width, projection.height) - size, 0.0))
                        is_visible[slot] = True
                        texts[slot] = text
        centers, sizes, over = at + self.letters.sizes / 2, self.letters.sizes, self.context.occupied.over()
        take_corners(over, self.context, projection)
        # If there is no room for all, the current axes have priority over axes of earlier turns.
        leave_out(centers[::-1], sizes[::-1] - 2 * EMPTY * self.context.scale, is_visible[::-1], over)
        self.texts = [text for slot, text in enumerate(texts) if is_visible[slot]]
        self.letters.move(at, is_visible)
        self.context.occupied.add_boxes(centers, sizes, is_visible)
        self.remaining.place(projection)

    def _direction_runs(self, directions: Array, centers: Array) -> list[tuple[int, int]]:
        """Return the first and last turn of each run in which an axis keeps its direction, without hidden texts."""
        runs: list[tuple[int, int]] = []
        for j in range(len(directions)):
            if runs and float(directions[j] @ directions[runs[-1][1]]) > SAME:
                runs[-1] = (runs[-1][0], j)
            else:
                runs.append((j, j))
        nearest = NEAREST * GAP * self.context.scale
        hidden = {
            earlier
            for earlier, later in combinations(runs, 2)
            if math.hypot(*(centers[earlier[1]] - centers[later[1]])) < nearest
        }
        return [run for run in runs if run not in hidden]


def _texts(context: ViewContext) -> list[dict[tuple[int, int], tuple[int, str]]]:
    """Return for each axis the sprites of x, x′ = x″ and so on, by the first and the last turn of their run."""
    texts_of_axes: list[dict[tuple[int, int], tuple[int, str]]] = []
    # An axis may be behind the letter of another axis of the same colour.
    ground = letter_ground(context.theme.scene_top)
    for letter, color in zip(AXIS_LETTERS, context.theme.axis_texts, strict=True):
        texts = {
            (first, end): " = ".join(letter + PRIMES[j] for j in range(first, end + 1))
            for first in range(N_TURNS + 1)
            for end in range(first, N_TURNS + 1)
        }
        style = TextStyle(color, *STYLE)
        texts_of_axes.append({key: (context.sheet.text(text, style, ground), text) for key, text in texts.items()})
    return texts_of_axes
