"""Arcs of the three angles of an axis sequence, each in the plane perpendicular to its rotation axis.

The arc of a turn follows another rotation axis, from its direction before the turn to its direction after it: the axis
of the next turn, or for the last turn, of the previous one. So the first arc ends on the second rotation axis, the
second one on the third, and the last one starts on the second. For ZXZ these are the angles between the axes and the
line of nodes, as in textbooks. The arrow at the end shows the sign. Beyond a full turn the arc is a whole circle, its
arrow is at the current direction of the axis, and the label counts the turns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.staged_rotation import N_TURNS, StagedRotation
from framescope.core.evaluation.compile.view_data import ViewArcs
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import as_sequence
from framescope.ui.scene_view.base.animated_nodes import AnimatedItems, FollowedItems, NodeSource
from framescope.ui.scene_view.base.label_layout import NOTHING, OccupiedAreas, keep_apart, leave_out
from framescope.ui.scene_view.base.label_plates import RunningLine, RunningTexts, ground_plate
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual, followed_by_turns
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.default_sizes import FACTORS
from framescope.ui.scene_view.geometry.gimbal_geometry import ring_rotations
from framescope.ui.scene_view.geometry.sprites import TextGround, TextStyle, number_style
from framescope.ui.scene_view.visuals.axis_letters import letter_places, letters_all
from framescope.ui.scene_view.visuals.corner_overlay import MINUS
from framescope.ui.scene_view.visuals.single_arc import Arc, ArcItems, split_turns
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.angle_unit import DEG, AngleUnit

Array = NDArray[np.float64]

GREEK = ("α", "β", "γ")

NONE = math.radians(0.05)
"""Angle below which the value is 0.0, and neither arc nor label is drawn, rad."""

SLOTS = 17
"""Number of characters of a label: −6.283 rad −99999."""

MOST_TURNS = 99_999

SEEN = 0.7
"""Minimum projected length of a vector into an arc's plane; one of three orthogonal vectors always reaches it."""

LETTER = (10.0, 8.0)
"""Half width and half height of an axis letter, which labels avoid, logical pixels."""

EQUATION = 24.0
"""Half width of the letters y′ = y″, logical pixels."""

LABEL_GAP = 5.0
"""Gap between an arc and its label, logical pixels."""

MOST_WAY = 110.0
"""Distance of a label from its arc above which the two would not be associated, logical pixels."""

EDGE_GAP = 4.0
"""Gap between a label and the edge of the picture, logical pixels."""


class Arcs(Visual):
    """Arcs of all frames that show them, with their values."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        # The arcs of a frame shown turn by turn are drawn with it.
        visible_arcs = [arcs for arcs in context.view_data.arcs if context.names[arcs.i_frame] != context.staged_frame]
        self.sets = [ArcSet(arcs, context) for arcs in visible_arcs]
        for arc_set in self.sets:
            self.scene_actors += arc_set.actors
            self.overlay_actors += arc_set.labels.actors

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        """Return the frames that have arcs, with sequence and radius."""
        return plan.view_data.arcs

    def show(self, tick: Tick) -> None:
        """Update the arcs from the angles of a tick."""
        for arc_set in self.sets:
            arc_set.show(tick)

    def driving_frames(self, plan: Plan, sources: Sequence[AnimatedItems]) -> FollowedItems:
        """Return the turned frame for each arc."""
        names = [arc_set.name for arc_set in self.sets for _ in arc_set.arcs]
        return followed_by_turns("arcs of the scene’s own motion", plan, names, sources)

    def nodes(self) -> Iterator[NodeSource]:
        """Yield the arcs, each with its value."""
        for arc_set in self.sets:
            for k, (arc, axis) in enumerate(zip(arc_set.arcs, as_sequence(arc_set.sequence), strict=True)):
                yield ArcItems(arc_set.name, k, arc, f"axis_{'xyz'[axis - 1]}")

    def place(self, projection: Projection) -> None:
        """Place the values beside the middles of their arcs."""
        for arc_set in self.sets:
            arc_set.place(projection)


class ArcSet:
    """Arcs of one frame; their values avoid the `occupied` areas.

    `number` and `base` are the font sizes of the values and of the letters before them, logical pixels.
    """

    def __init__(
        self,
        arcs: ViewArcs,
        context: ViewContext,
        number: int = METRICS.number,
        base: int = METRICS.base,
        occupied: OccupiedAreas = NOTHING,
    ) -> None:
        self._occupied, self._others = occupied, context.occupied
        self._arcs = arcs
        self.name, self.sequence = context.names[arcs.i_frame], arcs.sequence
        colors = [context.theme.axes[axis - 1] for axis in as_sequence(arcs.sequence)]
        self.arcs = [Arc(factor * arcs.radius, color, context) for factor, color in zip(FACTORS, colors, strict=True)]
        self.labels = _Labels(arcs.sequence, context, number, base)
        view_data = context.view_data
        is_lettered = bool(view_data.has_triad[arcs.i_frame]) and letters_all(view_data)
        self._length = float(view_data.triad_length[arcs.i_frame]) if is_lettered else 0.0
        ghosts = [stages.length for stages in view_data.intermediate_frames if stages.i_frame == arcs.i_frame]
        self._ghost_length = max(ghosts, default=0.0)
        self.actors = [actor for arc in self.arcs for actor in arc.actors]

    def show(self, tick: Tick) -> None:
        """Bend the arcs to the angles of a tick; without a pose nothing is drawn."""
        snapshot, row = tick.snapshot, self._arcs.i_frame
        angles, _ = tick.plan.turn_angles(self.name, self._arcs.sequence, snapshot)
        if not (snapshot.is_posed[row] and np.isfinite(angles).all()):
            angles = np.zeros(3)
        R_WP = snapshot.R_WF[tick.plan.tree.parents[row]]
        step = tick.staged_rotation
        is_fixed = step is not None and step.frame == self.name and step.turn_axes == "fixed"
        planes = planes_of(step) if step is not None and is_fixed else arc_planes(self._arcs.sequence, angles)
        for arc, angle, R_PA in zip(self.arcs, angles, planes, strict=True):
            if not math.isfinite(angle) or abs(angle) < NONE:
                arc.hide()
            else:
                arc.bend(float(angle), R_WP @ R_PA, snapshot.p_WF[row])
        self.labels.show(self.arcs)
        self._triads: list[tuple[Array, float]] = []
        self._p_WF = snapshot.p_WF[row]
        if any(arc.is_seen for arc in self.arcs):
            if self._length > 0.0:
                self._triads.append((snapshot.R_WF[row], self._length))
            if self._ghost_length > 0.0:
                stages = ring_rotations(self._arcs.sequence, angles)[1:3]
                self._triads += [(R_WP @ R_PS, self._ghost_length) for R_PS in stages]

    def place(self, projection: Projection) -> None:
        """Place the values beside the middles of the arcs."""
        letters = [*self._letters(projection), *(self._others.letters if self._occupied is NOTHING else ())]
        self.labels.place_beside(projection, self.arcs, letters, self._occupied)

    def _letters(self, projection: Projection) -> list[tuple[float, float, float, float]]:
        """Return centre and half size of the letters of the frame's axes and of its stages, pixels."""
        boxes: list[tuple[float, float, float, float]] = []
        second = as_sequence(self._arcs.sequence)[1] - 1
        if not self._triads:
            return boxes
        R_WF = np.stack([R for R, _ in self._triads])
        lengths = np.array([length for _, length in self._triads])
        centers, is_before = letter_places(projection, R_WF, np.tile(self._p_WF, (len(lengths), 1)), lengths)
        for k in range(len(lengths)):
            is_ghost = k >= len(lengths) - 2 and self._ghost_length > 0.0
            for axis in range(3):
                if is_before[k, axis]:
                    width = EQUATION if is_ghost and axis == second else LETTER[0]
                    x, y = centers[k, axis]
                    boxes.append((x, y, width * projection.scale, LETTER[1] * projection.scale))
        return boxes


def arc_planes(sequence: str, angles: Array) -> list[Array]:
    """Return for each turn the rotation of its plane into the parent: x to the start of its arc, z to the axis.

    >>> [plane[:, 0].tolist() for plane in arc_planes("ZXZ", np.zeros(3))]
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    stages = ring_rotations(sequence, angles)
    return [R_PS @ R_SA for R_PS, R_SA in zip(stages, _planes_in_stages(sequence), strict=False)]


@cache
def _planes_in_stages(sequence: str) -> tuple[Array, Array, Array]:
    """Return for each turn the rotation of its plane into its ring, before the turn."""
    e1, e2, e3 = (np.eye(3)[axis - 1] for axis in as_sequence(sequence))
    first, second, third = (
        np.stack([start, np.cross(axis, start), axis], axis=-1) for axis, start in ((e1, e2), (e2, e3), (e3, e2))
    )
    return first, second, third


def planes_of(step: StagedRotation) -> list[Array]:
    """Return for each angle of a staged rotation the rotation of its arc's plane into the parent.

    Around an axis of the parent, the arc follows an axis of the frame that is not nearly parallel to it. Candidates are
    the axis of the next turn, the remaining axis and the axis of the turn itself, in this order. The arc starts at the
    projection of that axis into the plane as the turn begins.

    >>> step = StagedRotation("plane", "world", "XYZ", (0.4, 0.6, 0.2), 3.0, turn_axes="fixed")
    >>> [plane[:, 2].tolist() for plane in planes_of(step)]
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    if step.turn_axes == "moving":
        return arc_planes(step.sequence, np.array(step.turned))
    planes: list[Array] = []
    for i, (axis, R_PS) in enumerate(zip(step.axes, step.stages, strict=False)):
        e = np.eye(3)[axis]
        following = step.axes[i + 1] if i + 1 < N_TURNS else step.axes[i - 1]
        shadows = [R_PS[:, k] - e * (e @ R_PS[:, k]) for k in (following, 3 - axis - following, axis)]
        shadow = next(v for v in shadows if np.linalg.norm(v) >= SEEN)
        start = shadow / np.linalg.norm(shadow)
        planes.append(np.stack([start, np.cross(e, start), e], axis=-1))
    return [planes[k] for k in step.order]


def angle_text(angle: float, unit: AngleUnit = DEG) -> str:
    """Format an angle, rad, in a unit with the scene's digits, a true minus sign, and the number of full turns.

    >>> angle_text(math.radians(-36.61)), angle_text(math.radians(400))
    ('−36.6°', '40.0° +1')
    """
    remainder, turns = split_turns(angle)
    text = unit.text(remainder)
    if turns:
        text += f" {turns:+d}" if abs(turns) <= MOST_TURNS else " +…" if turns > 0 else " -…"
    return text.replace("-", MINUS)


class _Labels(RunningTexts):
    """Values of three arcs, each after its letter."""

    def __init__(self, sequence: str, context: ViewContext, number: int, base: int) -> None:
        sheet, scale = context.sheet, context.scale
        ground = TextGround(context.theme.scene_top)
        colors = [context.theme.axis_texts[axis - 1] for axis in as_sequence(sequence)]
        self._unit, self._scale = context.angles, scale
        letters: list[int] = []
        glyphs: list[dict[str, int]] = []
        for letter, color in zip(GREEK, colors, strict=True):
            strong, digits = TextStyle(color, base, 600), number_style(color, number, 500)
            # Empty runs of the other style give all sprites the same baseline.
            letters.append(sheet.text([(f"{letter} ", strong), ("", strong), ("", digits)]))
            chars = f" 0123456789.°rad+{MINUS}…"
            glyphs.append({char: sheet.text([(char, digits), ("", strong), ("", digits)]) for char in chars})
        advance = number_style(colors[0], number, 500).font(scale).getlength("0")
        pad_x, pad_y = round(ground.pad_x * scale), round(ground.pad_y * scale)
        sizes = [sheet.size(letter) for letter in letters]
        widths = {count: math.ceil(max(sizes)[0] + count * advance) for count in range(4, SLOTS + 1)}
        plates = {count: ground_plate(sheet, ground, width, sizes[0][1], scale) for count, width in widths.items()}
        parts = zip(glyphs, sizes, letters, strict=True)
        lines = [RunningLine(plates, chars, pad_x + size[0], pad_y, letter, pad_x) for chars, size, letter in parts]
        super().__init__(sheet, lines, SLOTS, advance)

    def show(self, arcs: list[Arc]) -> None:
        """Write the values of the arcs."""
        for k, arc in enumerate(arcs):
            self.write(k, angle_text(arc.angle, self._unit) if arc.is_seen else "")

    def place_beside(
        self,
        projection: Projection,
        arcs: list[Arc],
        letters: list[tuple[float, float, float, float]],
        occupied: OccupiedAreas,
    ) -> None:
        """Place each value outside the middle of its arc, off the letters, apart from the others and in the picture."""
        sizes = self.sizes
        centers, is_seen = np.zeros((3, 2)), np.zeros(3, dtype=bool)
        for k, arc in enumerate(arcs):
            if not arc.is_seen:
                continue
            origin, middle = projection.project(arc.center()), projection.project(arc.middle())
            is_seen[k] = bool(origin[2] > 0 and middle[2] > 0)
            if not is_seen[k]:
                continue
            out = middle[:2] - origin[:2]
            length = math.hypot(*out)
            out = out / length if length > 1.0 else np.array([0.0, -1.0])
            centers[k] = middle[:2] + out * (LABEL_GAP * self._scale + float(np.abs(out * sizes[k] / 2).max()))
            push_off(centers[k], out, sizes[k] / 2, letters)
        half = sizes / 2 + EDGE_GAP * self._scale
        highest = (projection.width, projection.height) - half
        preferred_centers = centers.copy()
        around = occupied
        if occupied is NOTHING and _covers_letter(
            np.maximum(np.minimum(centers, highest), half), sizes, is_seen, letters
        ):
            around = _areas_of(letters)  # at the edge of the picture, a value goes beside the letter
        keep_apart(centers, sizes + 2 * self._scale, is_seen, around, (half, highest), self._scale)
        centers = np.maximum(np.minimum(centers, highest), half)
        if occupied is not NOTHING:
            is_seen &= np.hypot(*(centers - preferred_centers).T) <= MOST_WAY * self._scale
            order = list(reversed(range(3)))  # the last turn is the one in progress
            is_free = is_seen[order]
            leave_out(centers[order], sizes[order], is_free, occupied)
            is_seen[order] = is_free
        self.place(centers, is_seen)


def _covers_letter(
    centers: Array, sizes: Array, is_seen: NDArray[np.bool_], letters: list[tuple[float, float, float, float]]
) -> bool:
    """Return whether a visible plate overlaps a letter, given by its centre and half size."""
    for k in np.flatnonzero(is_seen).tolist():
        (middle_x, middle_y), (half_x, half_y) = centers[k].tolist(), (sizes[k] / 2).tolist()
        if any(abs(middle_x - x) < half_x + w and abs(middle_y - y) < half_y + h for x, y, w, h in letters):
            return True
    return False


def _areas_of(letters: list[tuple[float, float, float, float]]) -> OccupiedAreas:
    """Return the areas of letters, given by centres and half sizes, pixels."""
    areas = OccupiedAreas()
    areas.bars = [(x, y, 1.0, 0.0, half_x, half_y) for x, y, half_x, half_y in letters]
    return areas


def push_off(center: Array, out: Array, half: Array, letters: list[tuple[float, float, float, float]]) -> None:
    """Push a plate outward, in place, until it is off the letters that it overlaps; two rounds."""
    for _ in range(2):
        for x, y, half_x, half_y in letters:
            over_x = half[0] + half_x - abs(center[0] - x)
            over_y = half[1] + half_y - abs(center[1] - y)
            if over_x <= 0.0 or over_y <= 0.0:
                continue
            # Distance to the near or the far side of the letter, whichever is ahead.
            ways = [
                (math.copysign(reach + size, step) - gap) / step
                for step, gap, reach, size in (
                    (out[0], center[0] - x, half[0], half_x),
                    (out[1], center[1] - y, half[1], half_y),
                )
                if abs(step) > 1e-6
            ]
            center += min(ways) * out
